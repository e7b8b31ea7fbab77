"""Irregularities, forfeit and absence of one single player: what the schedule proposes, and what it costs."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.hands.findings import Refused
from scoring.individual.fold import UNTIMED, check_next, fold, results_of
from scoring.individual.sheets import read_entry
from scoring.individual.states import IndividualOpening, IndividualState
from scoring.penalties import load, load_for, usual_schedule
from scoring.profiles import individual_ids
from scoring.profiles import load as load_profile
from scoring.questions.protocol import answer

RULES = {name: load_profile(name, individual=True) for name in individual_ids()}


def asked(profile: str, irregularity: str, **facts: Any) -> dict[str, Any]:
    return answer({"id": 1, "profile": profile, "input": {"op": "irregularity", "irregularity": irregularity, **facts}})


def proposed(profile: str, irregularity: str, **facts: Any) -> dict[str, Any]:
    said = asked(profile, irregularity, **facts)
    assert "error" not in said, said
    answered: dict[str, Any] = said["answer"]
    return answered


@pytest.mark.parametrize("name", RULES)
def test_every_irregularity_can_be_answered_for_every_time(name: str) -> None:
    """Nothing of the schedule ends in an error; each entry that is proposed can be read as an entry of the ledger."""
    profile = RULES[name]
    schedule = load_for(None, profile.division)
    facts = {"by": "2", "dealer": "1", "found": "later", "cards": 2, "minutes": 7, "round_minutes": 40}
    facts |= {"ally": "3"} if profile.division == "ally" else {}
    for code in schedule.offences:
        for earlier in range(5):
            said = proposed(name, code, earlier=earlier, **facts)
            assert said["sentence"]["en"]
            assert said["sentence"]["zh"]
            if said["on"] == "ledger":
                read_entry(profile, said["entry"], "entry")


@pytest.mark.parametrize(
    ("profile", "facts", "gains"),
    [
        # who plays alone pays each of the others; another pays for all three
        ("sandayi", {"by": "1", "dealer": "1"}, {"1": -3, "2": 1, "3": 1, "4": 1}),
        ("sandayi", {"by": "3", "dealer": "1"}, {"1": 3, "2": 0, "3": -3, "4": 0}),
        ("ersibai", {"by": "3"}, {"1": 80, "2": 80, "3": 0, "4": 80}),
        # those the player at fault did not play with gain a level each
        ("zhaopengyou", {"by": "1", "dealer": "1", "ally": "4"}, {"1": 0, "2": 1, "3": 1, "4": 0, "5": 1}),
        ("zhaopengyou", {"by": "4", "dealer": "1", "ally": "4"}, {"1": 0, "2": 1, "3": 1, "4": 0, "5": 1}),
        ("zhaopengyou", {"by": "2", "dealer": "1", "ally": "4"}, {"1": 1, "2": 0, "3": 0, "4": 1, "5": 0}),
        ("zhaopengyou", {"by": "2", "dealer": "1", "ally": "1"}, {"1": 1, "2": 0, "3": 0, "4": 0, "5": 0}),
    ],
)
def test_a_hand_is_ruled_against_the_player_at_fault_alone(
    profile: str, facts: dict[str, str], gains: dict[str, int]
) -> None:
    said = proposed(profile, "revoke", found="later", **facts)
    assert (said["on"], said["entry"]["gains"]) == ("ledger", gains)


def test_a_real_result_that_is_better_for_the_others_stands() -> None:
    facts = {"by": "2", "dealer": "1", "ally": "4", "found": "later"}
    assert proposed("zhaopengyou", "revoke", attackers_total=0, **facts)["real_result_stands"] is True
    assert proposed("zhaopengyou", "revoke", attackers_total=115, **facts)["real_result_stands"] is False


@pytest.mark.parametrize(
    ("profile", "entry"),
    [
        ("sandayi", {"kind": "penalty", "place": "2", "points": -1}),
        ("ersibai", {"kind": "penalty", "place": "2", "points": -10}),
        ("zhaopengyou", {"kind": "penalty", "place": "2", "levels": -1}),
    ],
)
def test_a_score_is_taken_off_in_what_the_game_counts(profile: str, entry: dict[str, Any]) -> None:
    said = proposed(profile, "take_back", by="2")
    assert {name: value for name, value in said["entry"].items() if name != "why"} == entry
    clause = asked(profile, "take_back", by="2")["because"][0]
    assert clause["clause"] == "penalty.take_back.play"
    assert clause["stated"] is False
    assert clause["source"]["zh"] == "类推自双方对阵的赛事规程"


@pytest.mark.parametrize(
    ("profile", "irregularity", "facts", "field"),
    [
        ("zhaopengyou", "revoke", {"by": "1", "dealer": "1", "found": "later"}, "ally"),
        ("sandayi", "revoke", {"by": "1", "found": "later"}, "dealer"),
        ("sandayi", "take_back", {"by": "NS"}, "by"),
        ("sandayi", "take_back", {"by": "5"}, "by"),
        ("sandayi", "friend_told", {"by": "1"}, "irregularity"),
        ("ersibai", "wrong_bid", {"by": "1"}, "irregularity"),
        ("sandayi", "take_back", {"by": "1", "schedule": "standard"}, "schedule"),
        ("cn-national-2d", "take_back", {"by": "NS", "schedule": "singles"}, "schedule"),
        ("sandayi", "take_back", {"by": "1", "ally": "2"}, "ally"),
    ],
)
def test_what_cannot_be_ruled_so_is_refused_at_its_field(
    profile: str, irregularity: str, facts: dict[str, Any], field: str
) -> None:
    assert asked(profile, irregularity, **facts)["error"]["field"] == field


@pytest.mark.parametrize(
    ("ladder", "reads"),
    [
        ([{"unit": "score", "alone": -2, "everyone": -5, "ally": -1}], True),
        ([{"unit": "forfeit"}, {"unit": "exclusion"}], True),
        ([{"unit": "score", "alone": 2, "everyone": -5, "ally": -1}], False),
        ([{"unit": "score", "alone": -2}], False),
        ([{"unit": "levels", "of": "guilty", "amount": -1}], False),
        ([{"unit": "profile_fine", "fine": "dark_bid"}], False),
        ([{"unit": "result", "amount": 0}], False),
    ],
)
def test_an_event_states_its_own_ladders(ladder: list[dict[str, Any]], reads: bool) -> None:
    spec = {"base": "singles", "set": {"take_back.play": ladder}}
    if reads:
        assert load(spec).spec == spec
        return
    with pytest.raises(Refused) as refused:
        load(spec)
    assert refused.value.code == "bad_penalty"


def test_the_usual_schedule_follows_the_kind_of_game() -> None:
    assert (usual_schedule(individual=True), usual_schedule(individual=False)) == ("singles", "standard")
    assert load_for("strict", "alone").id == "singles"
    assert load_for("singles", "sides").id == "standard"
    assert "friend_told" not in load_for(None, "alone").offences
    words = load_for(None, "ally").offences["take_back"].cases[0].whole_text()
    assert "1 level less" in words["en"]
    assert "unit" not in words["en"]


# --- forfeit and absence ---


def table(name: str, *entries: dict[str, Any]) -> IndividualState:
    profile = RULES[name]
    return fold(profile, IndividualOpening.first(profile), [read_entry(profile, one) for one in entries], reasons=True)


ALONE = {"kind": "hand", "dealer": "1", "bid": 95, "captured_in_tricks": 60, "last_trick_winner": "dealer"}
FRIENDS = {"kind": "hand", "dealer": "1", "ally": "4", "captured_in_tricks": 60, "last_trick_winner": "dealer"}


def test_who_forfeits_has_nothing_of_the_table_and_the_others_keep_what_they_have() -> None:
    state = table("sandayi", ALONE, {"kind": "end", "reason": "forfeit", "by": "1"})
    assert dict(state.scores) == {"1": 0, "2": -1, "3": -1, "4": -1}
    assert (state.end_reason, state.winners) == ("forfeit", ("2", "3", "4"))
    assert state.hands_won["1"] == 0
    assert state.penalties["1"] == 1
    said = state.entries[-1]
    assert [one.clause.id for one in said.because] == ["individual.forfeit", "sandayi.winner"]
    assert said.sentence is not None
    assert said.sentence["en"].startswith("Seat 1 forfeits")
    assert said.sentence["zh"].startswith("1 号位弃权")


def test_losses_stay_with_who_forfeits() -> None:
    state = table("sandayi", ALONE, {"kind": "end", "reason": "forfeit", "by": "2"})
    assert dict(state.scores) == {"1": 3, "2": -1, "3": -1, "4": -1}
    assert state.winners == ("1",)


def test_levels_gained_are_lost_and_an_award_is_in_levels() -> None:
    state = table("zhaopengyou", FRIENDS, {"kind": "end", "reason": "forfeit", "by": "4", "award": 1})
    assert {place: str(level) for place, level in state.levels.items()} == {
        "1": "4",
        "2": "3",
        "3": "3",
        "4": "2",
        "5": "3",
    }
    assert dict(state.scores) == {"1": 2, "2": 1, "3": 1, "4": 0, "5": 1}


def test_where_no_hand_was_played_nobody_wins_by_the_absence() -> None:
    state = table("ersibai", {"kind": "end", "reason": "forfeit", "by": "3", "award": 60})
    assert state.winners == ()
    assert [(one.score, one.winner) for one in results_of(state)] == [(60, False), (60, False), (0, False), (60, False)]
    assert state.entries[-1].sentence is not None
    assert "nobody wins" in state.entries[-1].sentence["en"]


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "end", "reason": "forfeit"},
        {"kind": "end", "reason": "forfeit", "by": "5"},
        {"kind": "end", "reason": "forfeit", "by": "1", "award": -1},
        {"kind": "end", "reason": "time", "award": 3},
        {"kind": "end", "reason": "time", "by": "3"},
    ],
)
def test_an_end_that_makes_no_sense_is_refused(entry: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        read_entry(RULES["sandayi"], entry, "entry")


def test_nothing_comes_after_a_forfeit() -> None:
    profile = RULES["sandayi"]
    state = table("sandayi", ALONE, {"kind": "end", "reason": "forfeit", "by": "1"})
    assert [one.code for one in check_next(profile, state, read_entry(profile, ALONE), UNTIMED)] == ["match_over"]
