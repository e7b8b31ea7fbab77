"""Five players at one table: turns, tricks and throws go round all of them."""

from __future__ import annotations

import pytest

from scoring.questions.protocol import answer


def asked(profile: str, op: str, **fields: object) -> dict[str, object]:
    return answer({"id": 1, "profile": profile, "input": {"op": op, **fields}})


LEAD = [["3", ["HK"]], ["4", ["H3"]], ["5", ["HA"]], ["1", ["H5"]], ["2", ["HA"]]]


def test_a_trick_of_five_goes_round_past_the_last_place() -> None:
    said = asked("zhaopengyou", "trick", level="2", trump="S", plays=LEAD)["answer"]
    assert (said["winner"], said["points"], said["complete"]) == ("5", 15, True)
    assert said["plays"][0]["sentence"] == {"en": "Seat 3 leads ♥K: single.", "zh": "3 号家领出 ♥K：单张。"}
    assert asked("zhaopengyou", "trick", level="2", trump="S", plays=LEAD[:4])["answer"]["complete"] is False


@pytest.mark.parametrize(
    ("profile", "level", "plays", "code"),
    [
        ("zhaopengyou", "2", [["3", ["HK"]], ["5", ["H3"]]], "out_of_turn"),
        ("zhaopengyou", "2", [["N", ["HK"]]], "unknown_value"),
        ("zhaopengyou", "2", [*LEAD, ["3", ["HK"]]], "wrong_type"),
        ("ersibai", "10", [["1", ["HK"]], ["E", ["H3"]]], "unknown_value"),
        ("ersibai", "10", [["5", ["HK"]]], "unknown_value"),
        ("ersibai", "10", [["1", ["HK"]], ["4", ["H3"]]], "out_of_turn"),
        ("cn-national-2d", "2", [["1", ["HK"]]], "unknown_value"),
    ],
)
def test_who_is_not_at_the_table_or_not_in_turn_is_refused(
    profile: str, level: str, plays: list[object], code: str
) -> None:
    said = asked(profile, "trick", level=level, trump="S", plays=plays)
    assert said["error"]["code"] == code


def test_four_single_players_may_be_named_by_seat_or_by_place() -> None:
    for names in ("NWSE", "1234"):
        plays = [[name, [card]] for name, card in zip(names, ["HK", "H3", "HA", "H5"], strict=True)]
        assert asked("ersibai", "trick", level="10", trump="S", plays=plays)["answer"]["winner"] == names[2]


@pytest.mark.parametrize("by", range(4))
def test_a_throw_is_held_against_each_of_four_other_hands(by: int) -> None:
    fields = {"level": "2", "trump": "S", "thrown": ["HK", "HK", "HQ"]}
    low = [["C3"], ["C4"], ["C5"], ["C6"]]
    said = asked("zhaopengyou", "throw", **fields, others=[*low[:by], ["HA", "H4"], *low[by + 1 :]])["answer"]
    assert said["stands"] is False
    assert [one["by"] for one in said["failures"]] == [by]
    assert "partner" not in said["sentence"]["en"]
    # an ace may be with the fourth, whose hand is not known
    assert asked("zhaopengyou", "throw", **fields, others=low[:3])["answer"]["stands"] is None
    assert asked("zhaopengyou", "throw", **fields, others=low)["answer"]["stands"] is True
    too_many = asked("zhaopengyou", "throw", **fields, others=[*low, ["C7"]])["error"]
    assert (too_many["code"], too_many["message"]["en"]) == ("too_many_hands", "There are four other hands.")


def test_nobody_opposite_a_single_player_is_his_partner() -> None:
    fields = {"trump": "S", "thrown": ["HK", "HQ"], "others": [["C3"], ["HA"], ["C4"]]}
    single = asked("sandayi", "throw", **fields, level=None)["answer"]["sentence"]
    pairs = asked("cn-national-2d", "throw", **fields, level="2")["answer"]["sentence"]
    assert "the player opposite holds" in single["en"]
    assert "the partner holds" in pairs["en"]
