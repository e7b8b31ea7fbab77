"""Databases that earlier versions made: where they lie, and a command of this version on one of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "cases" / "releases"
LAPTOP, FEDERATION, EXPORT = "laptop.sqlite3.gz", "federation.sql.gz", "export.json.gz"

_EXPORT = """
from tournaments.acts.text import canonical_json
from tournaments.audit.record import event_document
from tournaments.models import Tournament
print(canonical_json(event_document(Tournament.objects.get(), official=True, names=True)))
"""
_MAKE_DEMO = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("demo")
"""


def manage(command: str, *arguments: str, **environment: str) -> str:
    """What a command of manage.py prints, on the database that `environment` names. `export` prints its only event,
    `demo` makes the tables first."""
    code = {"export": _EXPORT, "demo": _MAKE_DEMO}.get(command)
    ran = ("shell", "-v", "0", "-c", code) if code is not None else (command, *arguments)
    own = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL", "DATA_DIR")}
    done = subprocess.run(
        [sys.executable, "manage.py", *ran], cwd=ROOT, env=own | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, (
        f"{command} ended with {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    )
    return done.stdout
