"""Keep a database of each mode, and its export, as this version makes them: `python -m tests.write_release`.

What upgrades are tested against (`tests/foundations/test_releases.py`). Run once for each version, when its changelog
is closed and before its tag is set; the files of a version are never written again.
"""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.releases import EXPORT, FEDERATION, FOLDER, LAPTOP, manage
from tests.services import postgres_programs, postgres_server, unprivileged

CHANGELOG = Path(__file__).parent.parent / "CHANGELOG.md"


def main() -> None:
    version = re.search(r"^## (\d+\.\d+\.\d+)(.*)$", CHANGELOG.read_text("utf-8"), re.MULTILINE)
    if version is None or "unreleased" in version[2]:
        sys.exit("The changelog begins with no closed version.")
    folder = FOLDER / version[1]
    if folder.exists():
        sys.exit(f"{version[1]} has its files; they are never written again.")
    with tempfile.TemporaryDirectory() as work:
        home = Path(work)
        home.chmod(0o755)
        written = {LAPTOP: _laptop(home / "laptop"), FEDERATION: _federation(home / "server")}
        written[EXPORT] = manage("export", DATA_DIR=str(home / "laptop")).encode()
    folder.mkdir(parents=True)
    for name, data in written.items():
        (folder / name).write_bytes(gzip.compress(data, 9, mtime=0))


def _laptop(data: Path) -> bytes:
    manage("demo", DATA_DIR=str(data))
    return (data / "referee.sqlite3").read_bytes()


def _federation(folder: Path) -> bytes:
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    with postgres_server(folder) as url:
        manage("demo", DATA_DIR=str(folder / "data"), DATABASE_URL=url)
        dump = [*unprivileged(), postgres_programs() / "pg_dump", "--no-owner", "--no-privileges", "-h", folder]
        done = subprocess.run([*dump, "-U", "postgres", "--inserts", "postgres"], check=True, capture_output=True)
    # lines that begin with a backslash are for the shell that PostgreSQL comes with
    return b"".join(line for line in done.stdout.splitlines(keepends=True) if not line.startswith(b"\\"))


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    main()
