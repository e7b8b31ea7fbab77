"""A position of every kind is judged by every profile, those of single players and those without levels too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from referee.adjudicator.cases import Case
from referee.adjudicator.judging import judge
from referee.adjudicator.questions import (
    ALLY,
    BIDS,
    BURIAL,
    CONTEST,
    COUNTER,
    DECLARE,
    FLIP,
    FOLLOW,
    INFORMATION,
    KINDS,
    OFFENCE,
    ORDER,
    RETURN,
    SHAPES,
    SIGNAL,
    THROW,
    TRICK,
    kinds_of,
)
from referee.adjudicator.verdicts import BAD
from scoring.profiles import individual_ids, load, profile_ids

if TYPE_CHECKING:
    from collections.abc import Mapping

CARDS: Mapping[str, Mapping[str, str]] = {
    TRICK: {"S": "H9", "E": "HK", "N": "H3", "W": "D4", "1": "H9", "2": "HK", "3": "H3", "4": "D4", "5": "C4"},
    FOLLOW: {"lead": "HK", "hand": "H9D3", "play": "D3"},
    THROW: {"S": "HAH9", "E": "H4H5", "N": "-", "W": "-", "1": "HAH9", "2": "H4H5", "3": "-", "4": "-", "5": "-"},
    SHAPES: {"cards": "H9"},
    ORDER: {"cards": "H9H3JS"},
    BIDS: {"bid1": "110", "bid2": "pass", "bid3": "pass", "bid4": "pass"},
    CONTEST: {"shown1": "H10", "level1": "10"},
    COUNTER: {"declared": "H2", "cards": "S2S2"},
    FLIP: {"kitty": "H9D3C4"},
    BURIAL: {"buried": "H9D3C4"},
    ALLY: {"call": "SA", "trick1": "SA"},
    SIGNAL: {"ranks": "8 9 J Q", "lead": "HA", "play": "H9"},
    RETURN: {"ranks": "8 9 J Q", "hand": "HAH4H6CKD3S5", "trick1": "HAH3H8H7", "trick2": "D3D4D6D9"},
    DECLARE: {"dealer": "S", "act1": "pass", "act2": "pass"},
    INFORMATION: {"channel": "tempo"},
    OFFENCE: {"irregularity": "take_back"},
}
#: What the cards of play come to by all rules; throws are not there in all of them.
JUDGED = (TRICK, FOLLOW, SHAPES, ORDER)


@pytest.mark.parametrize("name", profile_ids() + individual_ids())
def test_every_kind_of_position_is_judged_with_and_without_levels(name: str) -> None:
    profile = load(name, individual=name in individual_ids())
    for kind in KINDS:
        case = Case.of(kind, profile, CARDS[kind])
        if kind in (TRICK, FOLLOW, THROW, SHAPES, ORDER):
            assert ("level" in case.values) is bool(profile.ladder), kind
        verdict = judge(case)
        assert verdict.is_judged or verdict.findings, kind
        assert verdict.is_judged or kind not in JUDGED, (kind, verdict.findings)
        if not profile.ladder and kind in (COUNTER, FLIP):
            assert [one.code for one in verdict.findings] == ["no_levels"]
        elif kind not in kinds_of(profile):
            assert [one.code for one in verdict.findings] == ["question_not_here"]


def test_a_level_named_in_a_link_does_not_stand_where_none_is_played() -> None:
    case = Case.of(FOLLOW, load("sandayi", individual=True), {**CARDS[FOLLOW], "level": "2", "trump": "S"})
    assert "level" not in case.query
    assert judge(case).tone == BAD
