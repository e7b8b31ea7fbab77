"""The placing of a whole event: later stages first, groups beside one another, categories among themselves."""

from __future__ import annotations

import pytest

from scoring.hands.findings import Refused
from scoring.standings.placing import StagePlace, answer_placing, place_overall


def rows(*pairs):
    return [StagePlace(entrant, rank) for entrant, rank in pairs]


GROUPS = rows(("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 1), ("f", 2), ("g", 3), ("h", None))
FINAL = rows(("e", 1), ("b", 2), ("a", 3), ("f", 3))

TABLES = [
    ([rows(("b", 1), ("a", 2))], {"b": 1, "a": 2}),
    ([rows(("b", 1), ("a", 1), ("c", 3))], {"a": 1, "b": 1, "c": 3}),
    # of the groups: the third ones share, the fourth comes after them; who was ruled out has no place
    ([FINAL, GROUPS], {"e": 1, "b": 2, "a": 3, "f": 3, "c": 5, "g": 5, "d": 7, "h": None}),
    ([[], GROUPS], {"a": 1, "e": 1, "b": 3, "f": 3, "c": 5, "g": 5, "d": 7, "h": None}),
    # ruled out in the last stage: no place, though it had one before
    ([rows(("e", 1), ("b", None)), GROUPS[:2] + GROUPS[4:5]], {"e": 1, "a": 2, "b": None}),
]


@pytest.mark.parametrize(("stages", "expected"), TABLES)
def test_places(stages, expected):
    places = place_overall(stages)
    assert {place.entrant: place.rank for place in places} == expected
    taken = list(expected.values())
    assert all(place.shared == (place.rank is not None and taken.count(place.rank) > 1) for place in places)


def test_where_a_place_comes_from_and_its_category():
    def written(stage):
        return [{"entrant": one.entrant, "rank": one.rank} for one in stage]

    answer = answer_placing(
        {"stages": [written(FINAL), written(GROUPS)], "categories": {"b": "women", "g": "women", "a": "men", "c": ""}}
    )
    assert answer["rows"][4] == {"entrant": "c", "rank": 5, "shared": True, "stage": 2, "stage_rank": 3}
    assert {name: [(row["entrant"], row["rank"]) for row in found] for name, found in answer["categories"].items()} == {
        "men": [("a", 1)],
        "women": [("b", 1), ("g", 2)],
    }


def test_a_row_without_a_rank_was_ruled_out():
    """As a row whose rank is null, and as every other field of a question that is left out."""
    rows = answer_placing({"stages": [[{"entrant": "a"}, {"entrant": "b", "rank": 1}]]})["rows"]
    assert [(row["entrant"], row["rank"]) for row in rows] == [("b", 1), ("a", None)]


@pytest.mark.parametrize(
    ("question", "code", "field"),
    [
        ({}, "wrong_type", "stages"),
        ({"stages": []}, "wrong_type", "stages"),
        ({"stages": [{}]}, "wrong_type", "stages"),
        ({"stages": [[{"entrant": "a"}, {"entrant": "b", "rank": 0}]]}, "wrong_type", "stages.0.1"),
        ({"stages": [[{"entrant": "a", "rank": 1}] * 2]}, "entrant_twice", "stages.0.1"),
        ({"stages": [[]], "categories": ["a"]}, "wrong_type", "categories"),
        ({"stages": [[]], "chain": []}, "unknown_field", "chain"),
    ],
)
def test_refusals(question, code, field):
    with pytest.raises(Refused) as refused:
        answer_placing(question)
    assert (code, field) in {(one.code, one.field) for one in refused.value.findings}
