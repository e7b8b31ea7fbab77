"""What an earlier version wrote is read by this one: its databases are brought up to date, its export is audited."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from tests.releases import EXPORT, FEDERATION, FOLDER, LAPTOP, manage

VERSIONS = sorted(path.name for path in FOLDER.glob("*") if path.is_dir())
SCRATCH = "referee_earlier_version"


def unpacked(version: str, name: str) -> bytes:
    return gzip.decompress((FOLDER / version / name).read_bytes())


@contextmanager
def brought_up(version: str, mode: str, folder: Path) -> Iterator[dict[str, str]]:
    """The environment in which that version's database is the one in use."""
    if mode == "laptop":
        (folder / "referee.sqlite3").write_bytes(unpacked(version, LAPTOP))
        yield {"DATA_DIR": str(folder)}
        return
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {SCRATCH} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {SCRATCH}")
        url = urlunsplit(urlsplit(server)._replace(path=f"/{SCRATCH}"))
        with psycopg.connect(url, autocommit=True) as scratch:
            scratch.execute(unpacked(version, FEDERATION))
        yield {"DATA_DIR": str(folder), "DATABASE_URL": url}
        connection.execute(f"DROP DATABASE {SCRATCH} WITH (FORCE)")


@pytest.mark.long
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("mode", ["laptop", "federation"])
def test_its_database_is_brought_up_to_date(version: str, mode: str, tmp_path: Path) -> None:
    if mode == "federation" and "DATABASE_URL" not in os.environ:
        pytest.skip("there is no PostgreSQL in this run")
    with brought_up(version, mode, tmp_path) as environment:
        manage("migrate", "-v", "0", **environment)
        assert ", 0 differences" in manage("audit", **environment)
        now = json.loads(manage("export", **environment))
    if mode == "laptop":
        assert kept(now) == kept(json.loads(unpacked(version, EXPORT)))


def kept(export: dict[str, Any]) -> dict[str, Any]:
    """What no later version may word otherwise: what tables entered, what was published, and who is meant."""
    ledger = [(one["id"], one["status"], one["facts"]) for one in export["ledger"]]
    return {"ledger": ledger, "publications": export["publications"], "names": export["names"]}


@pytest.mark.long
@pytest.mark.parametrize("version", VERSIONS)
def test_its_export_is_audited_without_a_difference(version: str, tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    file.write_bytes(unpacked(version, EXPORT))
    assert ", 0 differences" in manage("audit", "--export", str(file), DATA_DIR=str(tmp_path))
