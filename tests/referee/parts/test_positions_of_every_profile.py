"""A position of every kind is judged by every profile, those of single players and those without levels too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from referee.adjudicator.cases import COUNTER, FLIP, FOLLOW, KINDS, RETURN, SHAPES, THROW, TRICK, Case
from referee.adjudicator.judging import judge
from referee.adjudicator.verdicts import BAD
from scoring.profiles import individual_ids, load, profile_ids

if TYPE_CHECKING:
    from collections.abc import Mapping

CARDS: Mapping[str, Mapping[str, str]] = {
    TRICK: {"S": "H9", "E": "HK", "N": "H3", "W": "D4"},
    FOLLOW: {"lead": "HK", "hand": "H9D3", "play": "D3"},
    THROW: {"S": "HAH9", "E": "H4H5", "N": "-", "W": "-"},
    SHAPES: {"cards": "H9"},
    COUNTER: {"declared": "H2", "cards": "S2S2"},
    FLIP: {"kitty": "H9D3C4"},
    RETURN: {"ranks": "8 9 J Q", "hand": "HAH4H6CKD3S5", "trick1": "HAH3H8H7", "trick2": "D3D4D6D9"},
}
#: What the cards of play come to by all rules; throws are not there in all of them.
JUDGED = (TRICK, FOLLOW, SHAPES)


@pytest.mark.parametrize("name", profile_ids() + individual_ids())
def test_every_kind_of_position_is_judged_with_and_without_levels(name: str) -> None:
    profile = load(name, individual=name in individual_ids())
    for kind in KINDS:
        case = Case.of(kind, profile, CARDS[kind])
        assert ("level" in case.values) is bool(profile.ladder), kind
        verdict = judge(case)
        assert verdict.is_judged or verdict.findings, kind
        assert verdict.is_judged or kind not in JUDGED, (kind, verdict.findings)
        if not profile.ladder and kind in (COUNTER, FLIP):
            assert [one.code for one in verdict.findings] == ["no_levels"]


def test_a_level_named_in_a_link_does_not_stand_where_none_is_played() -> None:
    case = Case.of(FOLLOW, load("sandayi", individual=True), {**CARDS[FOLLOW], "level": "2", "trump": "S"})
    assert "level" not in case.query
    assert judge(case).tone == BAD
