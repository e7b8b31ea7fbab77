"""The two databases seen as one file: dumped while they are in use, checked, loaded again, audited elsewhere."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from .errors import CopyFailed

#: The database inside a copy, by what it is.
MEMBERS: Final[Mapping[str, str]] = {"sqlite": "referee.sqlite3", "postgresql": "referee.dump"}
_SCRATCH: Final = "referee_copy_check"


def kind() -> str:
    """``sqlite`` or ``postgresql``."""
    return connection.vendor


def dump(to: Path) -> None:
    """Write the database into a new file as it is at one moment, whoever writes meanwhile."""
    if kind() == "sqlite":
        with (
            closing(sqlite3.connect(settings.DATABASES["default"]["NAME"])) as source,
            closing(sqlite3.connect(to)) as new,
        ):
            source.backup(new)
        return
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={to}")


def check(file: Path, of: str) -> None:
    """Refused (`copy_broken`) unless the file can be read through as a database of that kind."""
    if of == "postgresql":
        if _program("pg_restore", "--list", str(file)).returncode:
            raise CopyFailed("copy_broken")
        return
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as opened:
            (said,) = opened.execute("PRAGMA integrity_check").fetchone()
            opened.execute("SELECT COUNT(*) FROM tournaments_tournament")
    except sqlite3.DatabaseError:
        raise CopyFailed("copy_broken") from None
    if said != "ok":
        raise CopyFailed("copy_broken")


@contextmanager
def elsewhere(file: Path, of: str) -> Iterator[dict[str, str] | None]:
    """The environment in which that file is the database, apart from the one in use; None where the role of this
    service may not make a database to try it in."""
    if of == "sqlite":
        yield {"DATABASE_URL": f"sqlite:///{quote(str(file))}"}
        return
    try:
        _sql(f"DROP DATABASE IF EXISTS {_SCRATCH} WITH (FORCE)", f"CREATE DATABASE {_SCRATCH}")
    except CopyFailed:
        yield None
        return
    try:
        load(file, _SCRATCH)
        yield {"DATABASE_URL": _url(_SCRATCH)}
    finally:
        _sql(f"DROP DATABASE IF EXISTS {_SCRATCH} WITH (FORCE)")


def load(file: Path, name: str) -> None:
    """Put a dump of PostgreSQL into a database, whole or not at all; tables of the same name there are replaced."""
    done = _program(
        "pg_restore", "--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction",
        "--exit-on-error", f"--dbname={name}", str(file),
    )  # fmt: skip
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1:] or ["?"]
        raise CopyFailed("copy_failed", f"PostgreSQL did not take it: {why[0]}", f"PostgreSQL 拒绝：{why[0]}")


def audit(environment: Mapping[str, str]) -> str:
    """What the audit of that database prints; refused (`copy_differs`) where it finds a difference."""
    done = _manage("audit", environment, "--copy")
    if done.returncode:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        why = "; ".join(lines[-3:])
        raise CopyFailed("copy_differs", f"The audit finds a difference: {why}", f"核查发现不一致：{why}")
    return done.stdout


def migrate(environment: Mapping[str, str]) -> None:
    """Bring that database up to date with this program."""
    done = _manage("migrate", environment, "--verbosity", "0")
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["?"])[-1]
        raise CopyFailed("copy_not_read", f"This program cannot read it: {why}", f"本程序读不了这份备份：{why}")


def _manage(command: str, environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    apart = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "SECRET_KEY", "COPIES")}
    known = {"SECRET_KEY": settings.SECRET_KEY, "COPIES": "no"}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "referee", command, *arguments],
        cwd=settings.BASE_DIR,
        env=apart | known | dict(environment),
        capture_output=True,
        text=True,
        check=False,
    )


def _run(program: str, *arguments: str) -> None:
    done = _program(program, *arguments)
    if done.returncode:
        # its last line alone may be a detail of the one before
        lines = [line.removeprefix(f"{program}: ") for line in done.stderr.strip().splitlines()[-2:]]
        why = "; ".join(lines) or "?"
        raise CopyFailed("copy_failed", f"{program}: {why}", f"{program}：{why}")


def _program(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A program of PostgreSQL, spoken to by its environment, so that no password stands in a list of processes."""
    found = shutil.which(program)
    if found is None:
        raise CopyFailed("copy_no_program")
    of: dict[str, Any] = settings.DATABASES["default"]
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    known = {variable: str(of[name]) for variable, name in names.items() if of.get(name)}
    return subprocess.run([found, *arguments], env=os.environ | known, capture_output=True, text=True, check=False)


def _sql(*statements: str) -> None:
    import psycopg

    try:
        with psycopg.connect(_url(settings.DATABASES["default"]["NAME"]), autocommit=True) as opened:
            for one in statements:
                opened.execute(one.encode())
    except psycopg.Error as error:
        raise CopyFailed("copy_failed", str(error)) from None


def _url(name: str) -> str:
    of: dict[str, Any] = settings.DATABASES["default"]
    password = f":{quote(of['PASSWORD'], safe='')}" if of.get("PASSWORD") else ""
    port = f":{of['PORT']}" if of.get("PORT") else ""
    return f"postgresql://{quote(of['USER'], safe='')}{password}@{quote(of['HOST'], safe='')}{port}/{quote(name)}"
