"""Kernels made wrong on purpose: the changes are what they say, and the measure finds who is caught and who is not."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

from scoring.conformance.runner import cases, counted
from tools.mutants import EQUAL, drawn
from tools.mutation.chance import Questions
from tools.mutation.places import OPERATORS, OUT, ROOT, Place, changed, changed_data, modules, parsed, places


@cache
def every_place() -> list[Place]:
    return places()


@pytest.mark.long
def test_every_operator_has_places_and_a_place_has_one_name() -> None:
    assert set(Counter(place.operator for place in every_place())) == set(OPERATORS)
    assert len({place.name for place in every_place()}) == len(every_place()) > 5_000
    assert [place.name for place in drawn(7, 40)] == [place.name for place in drawn(7, 40)]
    reasons = set(json.loads(EQUAL.read_text("utf-8")))
    changed_since = reasons - {place.name for place in every_place()}
    assert not changed_since, "look whether the reason still holds for the function as it is now"


def test_drawing_loads_nothing_that_has_to_be_changed() -> None:
    """A module that is there already cannot be changed while it is imported, and its functions are not found."""
    told = "import sys; from tools.mutants import drawn; assert drawn(7, 40); print('scoring.values' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_what_is_left_out_is_there() -> None:
    kernel = ROOT / "scoring"
    assert all((kernel / name).exists() for name in OUT)
    names = {path.relative_to(kernel).as_posix() for path in modules()}
    assert {"cards/parsing.py", "questions/protocol.py", "profiles/loader.py"} <= names
    assert not names & set(OUT)


@pytest.mark.long
def test_a_change_is_one_change() -> None:
    """Of some hundred drawn: the changed text is another one, and it is still a program or data."""
    for place in Random(3).sample(every_place(), 150):
        if place.path:
            assert json.loads(changed_data(place)) != json.loads((ROOT / place.file).read_text("utf-8"))
        else:
            tree = changed(place)
            compile(tree, place.file, "exec")
            assert ast.dump(tree) != ast.dump(parsed(ROOT / place.file)), place.name


def test_what_a_question_runs_is_known_and_kept(tmp_path: Path) -> None:
    """A total below zero runs the table of levels and no shapes; what is in the file is not asked again."""
    told = f"""
from pathlib import Path
from tools.mutation.reached import reached
asked = {{"profile": "cn-national-2d", "input": {{"op": "level_result", "attackers_total": -5}}}}
kept = Path({str(tmp_path / "reached")!r})
first, again = (reached([asked, {{"input": None}}], kept) for _ in range(2))
print(first == again, [0] in first["scoring/profiles/level_table.py"].values(), "scoring/cards/parsing.py" in first)
print(set(map(tuple, first["scoring/questions/protocol.py"].values())) >= {{(0,), (0, 1)}})
"""
    done = subprocess.run([sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True", "False", "True"]


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ({"error": {"code": "missing", "field": "a"}}, {"code": "missing"}),
        ({"answer": {"a": 1, "sentence": {"en": "x", "zh": "y"}}, "because": []}, {"a": 1}),
        ({"answer": {"rows": [{"why": {"en": "x", "zh": "y"}, "rank": 1}]}}, {"rows": [{"rank": 1}]}),
        ({"answer": {"told": [{"en": "x", "zh": "y"}], "found": []}}, {"found": []}),
    ],
)
def test_words_do_not_count(said: dict[str, object], counts: dict[str, object]) -> None:
    assert counted(said) == counts


@pytest.mark.long
def test_questions_by_chance_are_the_same_again() -> None:
    known = [case["question"] for case in cases()]
    once, again = (Questions(known) for _ in range(2))
    ops = ("follow", "sitting_state", "replay", "standings")
    first, second = ([by.by_chance(op, Random(5)) for op in ops] for by in (once, again))
    assert first == second


@pytest.mark.long
def test_the_measure_goes_on_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "figures.jsonl"
    # a hundredth of the cases: which of them run which statement is found by asking them all
    asked = ["--seed", "7", "--count", "6", "--every", "100", "--figures", str(path)]
    command = [sys.executable, "-m", "tools.mutants", "run", *asked]
    first = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True)
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert {row["name"] for row in rows} == {place.name for place in drawn(7, 6)}
    assert {row["became"] for row in rows} <= {"killed", "broken", "alive"}
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True)
    assert len(path.read_text("utf-8").splitlines()) == 6
    assert again.stdout.splitlines()[-1] == first.stdout.splitlines()[-1]
