"""No case is in neither `make test` nor `make test-long`, and none of the places that share them out is stale."""

from __future__ import annotations

import re
from itertools import chain, combinations
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

from tests.selections import DIFFERENT, KEPT, LONG, is_long

ROOT = Path(__file__).resolve().parent.parent.parent
MARKS = ("long", "both_databases", "postgres", "slow", "browser")


def runs(target: str) -> list[str]:
    """The pytest commands of a target of the Makefile."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (recipe,) = re.findall(rf"^{target}:.*\n((?:\t.*\n)+)", text, re.MULTILINE)
    return [line for line in recipe.splitlines() if "$(PYTEST)" in line or "-m pytest" in line]


def selects(command: str, marks: set[str]) -> bool:
    """Whether a command runs a case with these marks. It may select by -m alone."""
    left = re.sub(r'\$\(PYTEST\)|REFEREE_TEST_DB=sqlite|-m "[^"]*"|--durations=\d+', "", command)
    assert left.strip() == "", f"selects by something else than marks: {left.strip()}"
    (expression,) = re.findall(r'-m "([^"]*)"', command)
    return Expression.compile(expression).evaluate(lambda name, **_: name in marks)


@pytest.mark.parametrize(
    "marks", [*chain.from_iterable(combinations(MARKS, size) for size in range(len(MARKS) + 1))], ids="-".join
)
def test_every_case_is_in_exactly_one_of_the_two(marks: tuple[str, ...]) -> None:
    (short,) = runs("test")
    long, second = runs("test-long")
    assert selects(short, set(marks)) != selects(long, set(marks))
    assert selects(second, set(marks)) == ("both_databases" in marks)
    assert second.strip().startswith("REFEREE_TEST_DB=sqlite ")
    assert not any(selects(one, {*marks, "soak"}) for one in (short, long, second))


def test_the_gate_runs_both() -> None:
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert {"make test", "make test-long"} <= set(gate)


@pytest.mark.parametrize("place", [*LONG, *KEPT])
def test_no_place_is_stale(place: str) -> None:
    path, _, name = place.partition("::")
    assert (ROOT / path).exists()
    name = name.partition("[")[0]
    assert not name or f"\ndef {name}(" in (ROOT / path).read_text(encoding="utf-8")


def test_what_asks_which_database_it_has_is_tried_on_both() -> None:
    rooms = ("scoring", "tournaments", "api", "referee")
    asking = {
        file.relative_to(ROOT).as_posix()
        for room in rooms
        for file in (ROOT / room).rglob("*.py")
        if re.search(r"\bvendor\b", file.read_text(encoding="utf-8"))
    }
    assert asking == set(DIFFERENT)
    # the roles of the one, and copies, which have databases of both kinds of their own
    apart = {"tests/deploy/test_app_role.py", "tests/tournaments/test_copies.py"}
    for tests in set(DIFFERENT.values()) - apart:
        assert "pytest.mark.both_databases" in (ROOT / tests).read_text(encoding="utf-8"), tests


def test_what_is_kept_is_not_long() -> None:
    assert not any(is_long(one, browser=True) for one in KEPT)
    assert is_long("tests/referee/table/test_required.py::test_any", browser=True)
    assert is_long("tests/browser/test_looks.py::test_nothing_yet[en-light-390]")
    assert not is_long("tests/scoring/test_laws.py::test_any")
