"""Undo against what is built on the same act, at the same moment on PostgreSQL: exactly one of the two is done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.tournaments.playing import Event, event, sittings_of
from tests.tournaments.test_races import at_once, codes
from tests.tournaments.test_undoing import apart, by, last, ready_to_close, seat
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.log import checking
from tournaments.models import Entrant, HistoryEntry, KeptApart, Round, RoundStatus
from tournaments.people import attendance, entrants, withdrawals
from tournaments.rounds import closing, pairing
from tournaments.rounds.acts import create_round, swap_tables
from tournaments.stages.acts import add_stage, begin_stage
from tournaments.stages.apart import keep_apart, let_meet
from tournaments.undoing.acts import undo

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres, pytest.mark.long]

SECOND = timedelta(seconds=1)
Race = tuple[str, Callable[[], object]]


def closed_and_gone_on(made: Event) -> Race:
    """The next stage has its field from the round that was closed, or the round runs again."""
    facts = {"format": "rr", "rounds_planned": 3}
    following = add_stage(tournament_id=made.tournament.pk, **by(made), facts=facts)
    round_ = ready_to_close(made)
    closing.close_round(round_id=round_.pk, **by(made))
    return "close_round", lambda: begin_stage(stage_id=following.pk, actor=made.actor, at=made.now + SECOND)


def kept_and_let_meet(made: Event) -> Race:
    row = keep_apart(**apart(made), **by(made))
    return "keep_apart", lambda: let_meet(kept_id=row.pk, actor=made.actor, at=made.now, reason="settled")


def entered_and_checked_in(made: Event) -> Race:
    """Who was entered is there, or was never entered."""
    new = entrants.add_entrant(tournament_id=made.tournament.pk, **by(made), name="Slip")
    return "edit_entrants", lambda: attendance.check_in(entrant_id=new.pk, actor=made.actor, at=made.now)


def withdrew_and_renamed(made: Event) -> Race:
    """Both may be done, one after the other; the undo is refused where it comes second."""
    withdrawals.withdraw_entrant(**seat(made), **by(made), reason="left")
    row = made.ids[1]
    return "withdraw", lambda: entrants.change_entrant(
        entrant_id=row, actor=made.actor, at=made.now, changes={"unit": "City"}
    )


def settled(made: Event, built: bool) -> None:
    """What stands is what the winner left."""
    assert audit(event_document(made.tournament)) == []
    assert checking.check(made.tournament) == []
    assert HistoryEntry.objects.filter(act="undo").count() == (0 if built else 1)


@pytest.mark.parametrize("race", [closed_and_gone_on, kept_and_let_meet, entered_and_checked_in])
@pytest.mark.parametrize("turn", range(4))
def test_undo_or_what_is_built_on_it_and_never_both(race: Callable[[Event], Race], turn: int) -> None:
    made = event(4, stage={"rounds_planned": 1})
    act, build = race(made)
    row = last(made, act)

    def undone() -> object:
        return undo(tournament_id=made.tournament.pk, entry_id=row.pk, actor=made.actor, at=row.at + SECOND)

    both: list[Callable[[], Any]] = [undone, build] if turn % 2 else [build, undone]
    ended = at_once(*both)
    assert codes(ended)["done"] == 1, codes(ended)
    by_undo = not isinstance(ended[both.index(undone)], Refusal)
    settled(made, built=not by_undo)
    if race is closed_and_gone_on:
        assert Round.objects.get().status == (RoundStatus.RUNNING if by_undo else RoundStatus.CLOSED)
    elif race is entered_and_checked_in:
        assert Entrant.objects.filter(name="Slip").exists() is not by_undo
    else:
        assert KeptApart.objects.get().revoked_why == ("Undone within the minute" if by_undo else "settled")


def test_two_taps_at_once_undo_it_once() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    before = [one.table.number for one in sittings_of(round_)]
    swap_tables(round_id=round_.pk, **by(made), sitting_ids=[one.pk for one in sittings_of(round_)])
    row = last(made, "swap_tables")
    ended = at_once(
        *[lambda: undo(tournament_id=made.tournament.pk, entry_id=row.pk, actor=made.actor, at=row.at + SECOND)] * 6
    )
    assert codes(ended) == {"done": 1, "undone_already": 5}
    assert sorted(before) == [one.table.number for one in sittings_of(round_)]
    assert HistoryEntry.objects.filter(act="undo").count() == 1
    settled(made, built=False)


@pytest.mark.parametrize("turn", range(3))
def test_an_undo_beside_other_acts_of_the_event_ends_without_a_deadlock(turn: int) -> None:
    """Locks are taken in one order: round, sittings, event."""
    made = event(4)
    act, build = withdrew_and_renamed(made)
    row = last(made, act)
    keep_apart(**apart(made) | {"one": made.ids[3], "other": made.ids[4]}, **by(made))
    other, now = last(made, "keep_apart"), made.now

    def undone(entry: int) -> object:
        return undo(tournament_id=made.tournament.pk, entry_id=entry, actor=made.actor, at=row.at + SECOND)

    def drawn() -> object:
        return create_round(tournament_id=made.tournament.pk, actor=made.actor, at=now)

    ended = at_once(build, lambda: undone(row.pk), lambda: undone(other.pk), drawn)
    assert set(codes(ended)) <= {"done", "changed_since", "built_on_act"}
    if isinstance(ended[1], Refusal):
        assert Entrant.objects.get(pk=made.ids[1]).withdrawn_at is not None
    assert pairing.check_pairing(Round.objects.get()) is not None
    assert checking.check(made.tournament) == []
