"""The history is for people: what decides something lies in the row that it is about."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.conf import settings

#: Who keeps it, shows it, exports it, checks it, takes ids for it and tells how old it is, the demonstration that
#: is deleted whole, and who undoes an act of the last minute: what it did is told nowhere else.
TELL = {
    "api/desk.py",
    "api/answers/events.py",
    "referee/desk/presenters/history.py",
    "referee/desk/presenters/undoing.py",
    "tournaments/acts/at_once.py",
    "tournaments/acts/history.py",
    "tournaments/acts/protected.py",
    "tournaments/audit/certificates.py",
    "tournaments/audit/sections.py",
    "tournaments/demo/rows.py",
    "tournaments/ledger/entry_read.py",
    "tournaments/models/__init__.py",
    "tournaments/models/history.py",
    "tournaments/rounds/board.py",
    "tournaments/standings/behind.py",
    "tournaments/undoing/acts.py",
}


def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
    found |= {alias.name for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) for alias in one.names}
    return found | {one.name for one in ast.walk(tree) if isinstance(one, ast.ClassDef)}


@pytest.mark.long
def test_nobody_reads_state_out_of_the_history() -> None:
    base = Path(settings.BASE_DIR)
    paths = [path for room in ("api", "referee", "tournaments") for path in (base / room).rglob("*.py")]
    read = {str(path.relative_to(base)) for path in paths if "HistoryEntry" in names_in(path)}
    assert read == TELL
