"""Fixed trump without levels (固定主): what is counted of each hand, in the fold and asked of the hands alone."""

from __future__ import annotations

import json

import pytest

from scoring.hands.findings import Refused
from scoring.hands.variants import FixedHand as Asked
from scoring.hands.variants import Scoring, fixed_scores
from scoring.profiles import load
from scoring.questions.protocol import answer
from scoring.sittings.states import Conditions, FixedHand, SittingState
from scoring.values import Level, Seat, Side, Trump
from tests.scoring.making import hand, opening, play

NATIONAL = load("cn-national-2d")
FOUR = (FixedHand(Level("2"), None, Trump.S),) * 4
TOTALS = (35, 85, 0, 120)  # S, E, N, W deal
ADJUSTED = {"kind": "adjusted", "levels": 0, "deal_changes_hands": True, "side": "EW"}
PENALTY = {"kind": "level_penalty", "side": "NS", "levels": -1}

# what is counted -> what N–S are ahead after each hand, who won, and by what
COUNTED = [
    ("hand_points", [2, 3, 6, 8], "NS", "hand_points"),
    ("points", [-35, 50, 50, 170], "NS", "points"),
    ("wins", [1, 2, 3, 4], "NS", "wins"),
]


def played(scoring: str, totals: tuple[int, ...], **more: object) -> SittingState:
    conditions = {"fixed": FOUR, "scoring": Scoring(scoring), "tie_rule": "draw", **more}
    return play(NATIONAL, opening("7", "9", "S"), *map(hand, totals), **conditions)


@pytest.mark.parametrize(("scoring", "ahead", "winner", "by"), COUNTED)
def test_what_is_counted_decides(scoring: str, ahead: list[int], winner: str, by: str) -> None:
    state = played(scoring, TOTALS)
    assert [one.now.hand_points for one in state.entries] == ahead
    assert (state.finished, str(state.winner), state.decided_by) == (True, winner, by)
    assert {str(level) for level in state.levels.values()} == {"2"}


@pytest.mark.parametrize("scoring", Scoring)
@pytest.mark.parametrize("totals", [TOTALS, (0, 0, 0, 0), (80, 80, 80, 80), (75, 200, 40, 5)])
def test_the_fold_counts_as_the_question_of_hands_does(scoring: Scoring, totals: tuple[int, ...]) -> None:
    asked = fixed_scores(NATIONAL, scoring, map(Asked, (Seat.S, Seat.E, Seat.N, Seat.W), totals))
    assert played(scoring, totals).hand_points == asked[Side.NS] - asked[Side.EW]


# what is counted, totals -> how the last hand is told, where the sides stand, how it is told as an end
SENTENCES = [
    ("points", (35,), "attackers E–W +35", "Hand 1 of 4: E–W 35 points ahead; next: East deals, playing 2"),
    ("points", (35, 0), "attackers N–S +0", "Hand 2 of 4: E–W 35 points ahead; next: North deals, playing 2"),
    ("wins", (35,), "dealer side N–S +1", "Hand 1 of 4: N–S 1 hand ahead; next: East deals, playing 2"),
    ("wins", (80, 80), "attackers N–S +1", "Hand 2 of 4: level; next: North deals, playing 2"),
    ("hand_points", (35,), "dealer side N–S +2", "Hand 1 of 4: N–S +2; next: East deals, playing 2"),
]
SENTENCES_ZH = [
    ("points", (35,), "闲家东西方 +35", "第 1 副（共 4 副）：东西方领先 35 分；下副东坐庄，打 2"),
    ("wins", (35,), "庄家方胜，南北方 +1", "第 1 副（共 4 副）：南北方领先 1 副；下副东坐庄，打 2"),
    ("hand_points", (35,), "庄家方胜，南北方 +2", "第 1 副（共 4 副）：南北方 +2；下副东坐庄，打 2"),
]


@pytest.mark.parametrize(
    ("scoring", "totals", "gain", "stand", "language"),
    [(*row, "en") for row in SENTENCES] + [(*row, "zh") for row in SENTENCES_ZH],
)
def test_sentences_name_what_is_counted(
    scoring: str, totals: tuple[int, ...], gain: str, stand: str, language: str
) -> None:
    last = played(scoring, totals).entries[-1]
    assert last.sentence[language].split(" → ")[1] == gain
    assert last.levels_sentence[language] == stand


ENDS = [
    ("points", (35, 85), "N–S win by 50 points", "南北方净胜 50 分"),
    ("wins", (35, 85), "N–S win by 2 hands", "南北方净胜 2 副"),
    ("points", (35, 35), "Points level, drawn", "得分持平，平局"),
    ("wins", (35, 35), "As many hands won, drawn", "胜副数持平，平局"),
    ("hand_points", (35, 35), "Hand points level, drawn", "各副积分持平，平局"),
]


@pytest.mark.parametrize(("scoring", "totals", "en", "zh"), ENDS)
def test_an_end_at_time_names_what_decided(scoring: str, totals: tuple[int, ...], en: str, zh: str) -> None:
    rows = [*map(hand, totals), {"kind": "end", "reason": "time"}]
    conditions = {"fixed": FOUR, "scoring": Scoring(scoring), "tie_rule": "draw"}
    last = play(NATIONAL, opening("7", "9", "S"), *rows, **conditions).entries[-1]
    assert last.sentence["en"].endswith(en)
    assert last.sentence["zh"].endswith(zh)


@pytest.mark.parametrize(
    ("scoring", "row", "code"),
    [
        ("points", ADJUSTED, "adjusted_without_points"),
        ("points", PENALTY, "levels_not_counted"),
        ("wins", PENALTY, "levels_not_counted"),
    ],
)
def test_what_says_nothing_of_what_is_counted_is_refused(scoring: str, row: dict, code: str) -> None:
    with pytest.raises(Refused) as refused:
        play(NATIONAL, opening("2", "2", "S"), hand(35), row, fixed=FOUR, scoring=Scoring(scoring))
    assert [one.code for one in refused.value.findings] == [code]


def test_a_hand_that_is_adjusted_can_be_won() -> None:
    state = play(NATIONAL, opening("2", "2", "S"), ADJUSTED, fixed=FOUR, scoring=Scoring.WINS)
    assert state.hand_points == -1


def test_the_clause_of_what_is_counted_is_cited() -> None:
    asked = {
        "op": "sitting_state",
        "opening": {"levels": {"NS": "2", "EW": "2"}, "first_dealer": "S"},
        "ledger": [hand(120)],
        "conditions": {"fixed": [{"level": "2", "trump": "S"}], "scoring": "points"},
    }
    said = answer({"profile": "cn-national-2d", "input": asked})
    state = said["answer"]
    assert (state["scoring"], state["hand_points"], state["decided_by"]) == ("points", -120, "points")
    assert "fixed_trump.points" in json.dumps(said["because"])


@pytest.mark.parametrize("scoring", Scoring)
def test_conditions_and_states_say_only_what_is_not_usual(scoring: Scoring) -> None:
    conditions = Conditions(fixed=FOUR, scoring=scoring)
    data = json.loads(json.dumps(conditions.to_json()))
    assert ("scoring" in data) == (scoring is not Scoring.HAND_POINTS)
    assert Conditions.from_json(data) == conditions
    state = played(scoring, TOTALS[:2])
    stored = json.loads(json.dumps(state.stored()))
    assert ("scoring" in stored) == (scoring is not Scoring.HAND_POINTS)
    assert SittingState.from_stored(stored, conditions).stored() == stored


def test_something_is_counted_only_where_hands_are_set() -> None:
    with pytest.raises(Refused) as refused:
        Conditions.from_json({"scoring": "wins"})
    assert [one.code for one in refused.value.findings] == ["scoring_without_fixed"]
