"""The end at time: both sides say so, equal levels by every rule, and hands that were begun after time."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.tournaments.factories import Hall, hall, sheet
from tests.worlds import kept
from tournaments.acts.errors import Forbidden, NotFound, Refusal
from tournaments.ledger import ending, scorekeeping
from tournaments.ledger.officials_entries import decide_by_lot
from tournaments.ledger.recorded import Recorded
from tournaments.models import Round, Ruling, Sitting
from tournaments.rulings.log import decide, propose
from tournaments.sittings import after_time

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@kept
def timed(**stage: object) -> Hall:
    here = hall(stage_=dict(stage))
    Round.objects.filter(pk=here.round.pk).update(ends_at=here.round.started_at + 40 * MINUTE)
    return here


def after(here: Hall, minutes: int) -> datetime:
    return here.round.started_at + minutes * MINUTE


def hand(here: Hall, captured: int, minutes: int) -> Recorded:
    here.sitting.refresh_from_db()
    return scorekeeping.record_hand(
        sitting_id=here.sitting.pk,
        actor=here.referee,
        at=after(here, minutes),
        facts=sheet(captured),
        hand_no=here.sitting.hand_no,
        basis="watched",
    )


def agree(here: Hall, who: str, minutes: int = 41) -> ending.Agreed:
    return ending.agree_end(sitting_id=here.sitting.pk, actor=getattr(here, who), at=after(here, minutes))


def test_both_sides_end_a_match_at_time() -> None:
    here = timed()
    hand(here, 35, 39)
    assert agree(here, "ns").over is False
    assert agree(here, "ns").over is False
    here.sitting.refresh_from_db()
    assert ending.sides_agreed(here.sitting) == {"NS"}
    assert agree(here, "ew").over is True
    here.sitting.refresh_from_db()
    here.sitting.match.refresh_from_db()
    assert (here.sitting.phase, here.sitting.match.outcome, here.sitting.match.winner_side) == (
        "finished",
        "played",
        "NS",
    )
    end = here.sitting.entries.get(kind="end")
    assert (end.entered_side, end.confirmed_side, end.facts["reason"]) == ("NS", "EW", "time")
    with pytest.raises(Refusal, match="match_over"):
        agree(here, "ns")


def test_what_one_side_said_ends_with_the_next_hand() -> None:
    here = timed()
    agree(here, "ns")
    hand(here, 35, 42)
    here.sitting.refresh_from_db()
    assert ending.sides_agreed(here.sitting) == frozenset()
    assert agree(here, "ew", 43).over is False


def test_a_match_does_not_end_before_time_or_while_a_hand_waits() -> None:
    here = timed()
    with pytest.raises(Refusal, match="time_not_over"):
        agree(here, "ns", 39)
    scorekeeping.record_hand(sitting_id=here.sitting.pk, actor=here.ns, at=after(here, 39), facts=sheet(35), hand_no=1)
    with pytest.raises(Refusal, match="entry_waits"):
        agree(here, "ew")
    with pytest.raises(Forbidden):
        agree(here, "referee")
    Sitting.objects.filter(pk=here.sitting.pk).update(extra_minutes=5)
    with pytest.raises(Refusal, match="time_not_over"):
        agree(here, "ns", 44)


def test_another_table_has_no_word_in_it() -> None:
    here, other = timed(), timed()
    with pytest.raises(NotFound):
        ending.agree_end(sitting_id=here.sitting.pk, actor=other.ns, at=after(here, 41))


@pytest.mark.parametrize(
    ("rule", "hands", "outcome", "winner", "how"),
    [
        ("on_stage", [85], "played", "EW", "tie_rule"),
        ("draw", [85], "played", "", "tie_rule"),
        # North-South stood at 4 after the first hand, East-West, now on stage, after the third
        ("first_to_reach", [35, 120, 45], "played", "NS", "tie_rule"),
        ("lots", [85], "pending", "", ""),
    ],
)
def test_equal_levels_end_by_the_rule_of_the_stage(
    rule: str, hands: list[int], outcome: str, winner: str, how: str
) -> None:
    here = timed(tie_rule=rule)
    for minute, captured in enumerate(hands, start=1):
        hand(here, captured, minute)
    agree(here, "ns")
    agree(here, "ew")
    match = here.sitting.match
    match.refresh_from_db()
    assert (match.outcome, match.winner_side, match.decided_by) == (outcome, winner, how)
    if outcome == "pending":
        decide_by_lot(match_id=match.pk, actor=here.chief, at=after(here, 50), reason="lots")
        match.refresh_from_db()
        assert (match.outcome, match.decided_by) == ("played", "lots")


def test_one_more_hand_decides_where_the_rule_says_so() -> None:
    here = timed(tie_rule="extra_hand")
    hand(here, 85, 41)
    for who in ("ns", "ew"):
        with pytest.raises(Refusal, match="extra_hand_due"):
            agree(here, who, 42)
    recorded = hand(here, 35, 47)
    assert "begun_after_time" not in {one.code for one in recorded.findings}
    agree(here, "ns", 48)
    assert agree(here, "ew", 48).over
    here.sitting.match.refresh_from_db()
    assert here.sitting.match.winner_side == "EW"


def test_a_match_by_hands_goes_on_by_one_more_hand() -> None:
    here = hall(stage_={"tie_rule": "extra_hand", "minutes": None, "hands": 1})
    hand(here, 85, 1)
    here.sitting.refresh_from_db()
    assert (here.sitting.phase, here.sitting.hand_no) == ("playing", 2)
    hand(here, 35, 2)
    here.sitting.match.refresh_from_db()
    assert (here.sitting.match.outcome, here.sitting.match.winner_side) == ("played", "EW")


# Hands begun after time


def test_a_hand_begun_after_time_is_told_and_waits_for_a_ruling() -> None:
    here = timed()
    told = [[one.code for one in hand(here, 35, minute).findings] for minute in (20, 39, 43, 50)]
    assert told == [[], [], [], ["begun_after_time"]]
    assert after_time.undecided_hands(here.sitting) == [4]
    here.sitting.refresh_from_db()
    done = propose(
        sitting_id=here.sitting.pk,
        actor=here.referee,
        at=after(here, 51),
        facts={"irregularity": "off_time"},
        hand_no=4,
    )
    assert after_time.undecided_hands(here.sitting) == []
    decide(ruling_id=done.ruling.pk, actor=here.chief, at=after(here, 52), expected_revision=here.sitting.revision)
    assert Ruling.objects.get().penalty["unit"] == "annul"
    assert here.sitting.entries.get(status="effective", hand_no=4).kind == "annulled"


def test_extra_time_makes_a_late_hand_timely() -> None:
    here = timed()
    for minute in (20, 43, 48):
        hand(here, 35, minute)
    assert after_time.undecided_hands(here.sitting) == [3]
    here.sitting.extra_minutes = 5
    here.sitting.round.ends_at = after(here, 40)
    assert after_time.undecided_hands(here.sitting) == []
