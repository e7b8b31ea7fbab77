"""What it takes to write one more thing down of a hand: it is added to a copy of the program, and walked.

The issue that made one form of the hand allows four files outside the kernel. The walk shows that no other has to know
of the fact: forms of phone, desk and link, what is missing, words, history, pages, schema and paper.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HOME = Path(__file__).parents[3]
KERNEL = "scoring/"
MOST_OUTSIDE = 4

FIELD = """    Field(
        "revokes",
        Kind.NUMBER,
        _text("Revokes", "藏牌次数"),
        games=(SIDES,),
        missing="missing",
        plain=True,
        columns=(Column("revokes", _text("Revokes", "藏牌"), 7),),
    ),
"""
#: File, what stands there, and what the new fact puts before it.
EDITS = [
    ("scoring/hands/fields.py", '    Field(\n        "adjustments",\n', FIELD),
    (
        "scoring/hands/entries.py",
        "    adjustments: tuple[Adjustment, ...] = ()\n    total_only",
        "    revokes: int | None = None\n",
    ),
    (
        "scoring/hands/entries.py",
        "            adjustments=[one.to_json() for one in self.adjustments],\n            total_only",
        "            revokes=self.revokes,\n",
    ),
    (
        "scoring/hands/sheets.py",
        '        total_only=reader.points("total_only", TOTAL),\n',
        '        revokes=reader.whole("revokes", CARDS, low=0, high=profile.hand_cards),\n',
    ),
    ("docs/questions.md", "`throw_failures` (list of `{", "`revokes`, "),
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with the fact added."""
    at = tmp_path_factory.mktemp("copy")
    for part in ("scoring", "tournaments", "referee", "api", "templates", "docs"):
        shutil.copytree(HOME / part, at / part, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "manage.py", "CHANGELOG.md"):
        shutil.copy(HOME / name, at)
    for name, before, added in EDITS:
        text = (at / name).read_text("utf-8")
        assert text.count(before) == 1, f"{name} has changed: {before!r}"
        (at / name).write_text(text.replace(before, added + before), "utf-8")
    return at


@pytest.fixture(scope="module")
def seen(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What every front of the copy made of the fact."""
    known = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    walk = Path(__file__).with_name("walk.py").read_text("utf-8")
    data = str(tmp_path_factory.mktemp("data"))
    environment = known | {"PYTHONPATH": str(copy), "DATA_DIR": data, "PYTHONDONTWRITEBYTECODE": "1"}
    found = subprocess.run(
        [sys.executable, "-c", walk],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert found.returncode == 0, found.stderr[-3000:]
    answer: dict[str, Any] = json.loads(found.stdout.splitlines()[-1])
    return answer


def test_few_files_have_to_know_of_it() -> None:
    touched = {name for name, _before, _added in EDITS}
    assert len({name for name in touched if not name.startswith(KERNEL)}) <= MOST_OUTSIDE
    assert not {name for name in touched if name.startswith(("referee/", "api/", "tournaments/", "templates/"))}


def test_it_is_typed_kept_and_shown_again_on_every_form(seen: dict[str, Any]) -> None:
    assert seen["kernel"] == 2
    assert [seen[form] for form in ("phone", "desk", "link")] == [True] * 3
    assert "revokes" in seen["required"]


def test_pages_ask_for_it_and_keep_what_is_refused(seen: dict[str, Any]) -> None:
    assert seen["phone page"] == seen["desk page"] == 1
    assert seen["explain page"] == [1, False]
    assert seen["refused page"] == [True, True]


def test_pages_and_history_have_its_name_in_both_languages(seen: dict[str, Any]) -> None:
    assert seen["rows en"] == [["revokes", "Revokes", "2"]] * 2
    assert seen["rows zh-hans"] == [["revokes", "藏牌次数", "2"]] * 2
    assert seen["history en"] == [["Revokes", "2", "3", True]]
    assert seen["history zh-hans"] == [["藏牌次数", "2", "3", True]]


def test_programs_and_paper_have_it(seen: dict[str, Any]) -> None:
    assert seen["schema"] == ["integer", "null"]
    assert seen["paper"] == ["藏牌"]
