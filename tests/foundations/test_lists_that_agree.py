"""What is named in one room and worded in another is worded whole: CONTRIBUTING.md leans on it."""

from __future__ import annotations

import re
from pathlib import Path

from referee.desk import choices
from referee.parts import rulings
from scoring.penalties import steps
from scoring.standings.tiebreaks import TIEBREAKS

ROOT = Path(__file__).resolve().parents[2]


def test_every_tie_break_says_what_it_measures() -> None:
    assert set(choices._MEANS) == set(TIEBREAKS)
    told = (ROOT / "docs" / "standings.md").read_text("utf-8")
    assert [code for code in TIEBREAKS if f"`{code}`" not in told] == []


def test_every_unit_of_penalties_that_does_something_has_words() -> None:
    assert set(rulings._IN_WORDS) == set(steps.UNITS) - {"none", "warning"}


def test_the_guide_names_files_that_are_there() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(r"`((?:scoring|tournaments|referee|api|templates|tests|tools|docs)/[\w/.-]+)`", guide)
    assert len(named) > 30
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_test_that_the_page_on_security_names_is_there() -> None:
    told = (ROOT / "docs" / "security.md").read_text("utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", told)
    assert len(named) > 30
    assert told.count("tests/") == len(named), "one is written otherwise"
    missing = [f"{file}::{test}" for file, test in named if f"def {test}(" not in (ROOT / file).read_text("utf-8")]
    assert missing == []
