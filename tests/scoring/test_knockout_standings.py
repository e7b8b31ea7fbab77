"""The placing of a knockout: byes, a match for the third place, forfeits, who left; and what contradicts itself."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.findings import Refused
from scoring.standings.knockout import KnockoutMatch, answer_knockout, rank_knockout
from scoring.standings.match_scores import Outcome
from scoring.standings.ranked import Stakes

HOME_AWAY, AWAY_AWAY, NOBODY, BYE = (
    Outcome.HOME_FORFEIT,
    Outcome.AWAY_FORFEIT,
    Outcome.DOUBLE_FORFEIT,
    Outcome.BYE,
)


def won(number, winner, loser, outcome=Outcome.PLAYED, *, for_place=None):
    return KnockoutMatch(number, winner, loser, winner, outcome, for_place)


def bye(number, entrant):
    return KnockoutMatch(number, entrant, None, entrant, BYE)


SEMIS = [won(1, "a", "b"), won(1, "c", "d")]
FINAL = won(2, "a", "c")
EIGHT = [won(1, "a", "b"), won(1, "c", "d"), won(1, "e", "f"), won(1, "g", "h")]

TABLES = [
    ("before the first round", "abcd", [], {}, {"a": 1, "b": 1, "c": 1, "d": 1}),
    ("semi-finals played", "abcd", SEMIS, {}, {"a": 1, "c": 1, "b": 3, "d": 3}),
    ("losers of a round share", "abcd", [*SEMIS, FINAL], {}, {"a": 1, "c": 2, "b": 3, "d": 3}),
    (
        "third place played",
        "abcd",
        [*SEMIS, FINAL, won(2, "d", "b", for_place=3)],
        {},
        {"a": 1, "c": 2, "d": 3, "b": 4},
    ),
    (
        "nobody came for the third place",
        "abcd",
        [*SEMIS, FINAL, KnockoutMatch(2, "b", "d", None, NOBODY, 3)],
        {},
        {"a": 1, "c": 2, "b": 3, "d": 3},
    ),
    (
        "byes: three matches of five entrants",
        "abcde",
        [won(1, "a", "b"), bye(1, "c"), bye(1, "d"), bye(1, "e"), won(2, "c", "a"), won(2, "d", "e"), won(3, "d", "c")],
        {},
        {"d": 1, "c": 2, "a": 3, "e": 3, "b": 5},
    ),
    (
        "a forfeit loses as a match does",
        "abcd",
        [won(1, "a", "b", AWAY_AWAY), SEMIS[1], FINAL],
        {},
        {"a": 1, "c": 2, "b": 3, "d": 3},
    ),
    (
        "both forfeit a semi-final: the other finalist has nobody to play",
        "abcd",
        [SEMIS[0], KnockoutMatch(1, "c", "d", None, NOBODY), bye(2, "a")],
        {},
        {"a": 1, "b": 2, "c": 2, "d": 2},
    ),
    (
        "both forfeit the final: the first place stays free",
        "abcd",
        [*SEMIS, KnockoutMatch(2, "a", "c", None, NOBODY)],
        {},
        {"a": 2, "c": 2, "b": 4, "d": 4},
    ),
    (
        "who left undefeated is out in the round it did not play",
        "abcdefgh",
        [*EIGHT, won(2, "a", "c"), bye(2, "e")],
        {"withdrawn": ["g"]},
        {"a": 1, "e": 1, "c": 3, "g": 3, "b": 5, "d": 5, "f": 5, "h": 5},
    ),
    (
        "who is excluded has no place and takes none",
        "abcd",
        [*SEMIS, FINAL],
        {"excluded": ["c"]},
        {"a": 1, "b": 2, "d": 2, "c": None},
    ),
]


@pytest.mark.parametrize(
    ("entrants", "matches", "more", "expected"), [row[1:] for row in TABLES], ids=[row[0] for row in TABLES]
)
def test_places(entrants, matches, more, expected):
    rows = rank_knockout(list(entrants), matches, **more)
    assert {row.entrant: row.rank for row in rows} == expected
    places = list(expected.values())
    assert all((row.size > 1) == (row.rank is not None and places.count(row.rank) > 1) for row in rows)


def test_every_place_has_its_reason():
    matches = [*EIGHT[:3], won(1, "g", "h", AWAY_AWAY), won(2, "a", "c"), won(2, "e", "g"), won(3, "e", "a")]
    matches.append(won(3, "g", "c", for_place=3))
    rows = rank_knockout(list("abcdefgh"), matches, numbers={one: i for i, one in enumerate("abcdefgh", start=1)})
    assert {row.entrant: row.reached["en"] for row in rows} == {
        "e": "won the final against 1",
        "a": "lost the final to 5",
        "g": "lost the semi-final to 5; won the match for place 3 against 3",
        "c": "lost the semi-final to 1; lost the match for place 3 to 7",
        "b": "lost the quarter-final to 1",
        "d": "lost the quarter-final to 3",
        "f": "lost the quarter-final to 5",
        "h": "forfeited the quarter-final to 7",
    }
    assert [row.reached["zh"] for row in rows][:2] == ["决赛胜 1 号", "决赛负于 5 号"]


def test_a_bigger_round_is_called_by_its_size():
    entrants = list(range(1, 14))
    matches = [won(1, home, home + 6) for home in range(1, 7)] + [bye(1, 13)]
    lost = {row.entrant: row.reached["en"] for row in rank_knockout(entrants, matches)}
    assert lost[7] == "lost the round of 16 to 1"
    assert lost[13] == "has not lost"


def test_prizes_and_lines_of_shared_places():
    rows = rank_knockout(list("abcd"), [*SEMIS, FINAL], stakes=Stakes((2, 3), prizes=(100, 60, 30, 10)))
    said = {row.entrant: row.to_json() for row in rows}
    assert {one: row["prize"] for one, row in said.items()} == {"a": "100", "c": "60", "b": "20", "d": "20"}
    assert {one: row["qualifies"] for one, row in said.items()} == {"a": 2, "c": 2, "b": None, "d": None}
    assert said["b"]["undecided"]["places"] == [3, 4]


def match(**changes):
    return {"round": 1, "home": "a", "away": "b", "winner": "a", **changes}


REFUSALS = [
    ({"entrants": "ab"}, "wrong_type", "entrants"),
    ({"entrants": ["a", "a"]}, "entrant_twice", "entrants.1"),
    ({"matches": {}}, "wrong_type", "matches"),
    ({"matches": [1]}, "wrong_type", "matches.0"),
    ({"matches": [match(table=3)]}, "unknown_field", "matches.0.table"),
    ({"matches": [match(round=0)]}, "wrong_type", "matches.0.round"),
    ({"matches": [match(outcome="lost")]}, "unknown_outcome", "matches.0.outcome"),
    ({"matches": [match(for_place=2)]}, "wrong_type", "matches.0.for_place"),
    ({"matches": [match(for_place=4)]}, "wrong_type", "matches.0.for_place"),
    ({"matches": [match(home=None)]}, "wrong_sides", "matches.0"),
    ({"matches": [match(away=None)]}, "wrong_sides", "matches.0"),
    ({"matches": [match(away="a")]}, "wrong_sides", "matches.0"),
    ({"matches": [match(outcome="bye")]}, "wrong_sides", "matches.0"),
    ({"matches": [match(away="z")]}, "unknown_entrant", "matches.0"),
    ({"matches": [match(winner=None)]}, "unknown_winner", "matches.0.winner"),
    ({"matches": [match(winner="c")]}, "unknown_winner", "matches.0.winner"),
    ({"matches": [match(), match(away="c")]}, "twice_in_a_round", "matches.1"),
    ({"matches": [match(), match(round=2, home="b", away="c", winner="b")]}, "knocked_out", "matches"),
    ({"matches": [match(), match(round=2)]}, "knocked_out", "matches"),  # though it loses that one as well
    ({"matches": [match(round=2), match()]}, "knocked_out", "matches"),
    ({"matches": [], "withdrawn": ["z"]}, "unknown_entrant", "excluded"),
    ({"matches": [], "numbers": {"a": 0}}, "wrong_type", "numbers"),
    ({"matches": [], "lines": [0]}, "wrong_lines", "lines"),
    ({"matches": [], "chain": ["points"]}, "unknown_field", "chain"),
]


@pytest.mark.parametrize(("changes", "code", "field"), REFUSALS)
def test_what_contradicts_itself_is_refused(changes, code, field):
    question = {"entrants": ["a", "b", "c"], "matches": [match()], **changes}
    with pytest.raises(Refused) as refused:
        answer_knockout(question)
    assert (code, field) in {(one.code, one.field) for one in refused.value.findings}


def test_a_round_of_the_protocol():
    question = {
        "entrants": [4, 7],
        "matches": [{"round": 1, "home": 4, "away": 7, "winner": None, "outcome": "home_forfeit"}],
        "numbers": {"4": 1, "7": 2},
    }
    rows = answer_knockout(question)["rows"]
    assert [(row["entrant"], row["rank"], row["why"]["en"]) for row in rows] == [
        (7, 1, "won the final: 1 forfeited"),
        (4, 2, "forfeited the final to 2"),
    ]


def test_a_third_place_stays_answered_while_a_semi_final_is_reopened():
    """A publication is verified by asking its question again, whatever is open meanwhile."""
    matches = [match(), match(round=2, home="b", away="c", winner="b", for_place=3)]
    rows = answer_knockout({"entrants": ["a", "b", "c", "d"], "matches": matches})["rows"]
    assert {row["entrant"]: row["rank"] for row in rows} == {"a": 1, "d": 1, "c": 3, "b": 4}


@pytest.mark.long
@given(st.integers(2, 40), st.randoms(use_true_random=False))
def test_whole_knockouts(size, chance):
    """Who beats whom never stands behind; exactly one wins; the order of entrants and matches changes nothing."""
    entrants = list(range(1, size + 1))
    chance.shuffle(entrants)
    inside, matches, number = list(entrants), [], 0
    while len(inside) > 1:
        number += 1
        played = [won(number, home, away) for home, away in zip(inside[::2], inside[1::2], strict=False)]
        matches += played + ([bye(number, inside[-1])] if len(inside) % 2 else [])
        inside = [one.winner for one in played] + inside[len(played) * 2 :]
    rows = rank_knockout(entrants, matches)
    ranks = {row.entrant: row.rank for row in rows}
    assert [one for one, rank in ranks.items() if rank == 1] == inside
    assert all(ranks[one.winner] < ranks[one.away] for one in matches if one.away is not None)
    assert all(a.rank + a.size == b.rank for a, b in pairwise(rows) if a.rank != b.rank)
    again = rank_knockout(sorted(entrants), chance.sample(matches, len(matches)))
    assert [row.to_json() for row in again] == [row.to_json() for row in rows]
