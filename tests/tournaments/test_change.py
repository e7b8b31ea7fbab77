"""A change is a value; one writer writes it whole or not at all, and only for who was admitted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.factories import AT, Hall, hall, sheet
from tests.tournaments.test_scorekeeping import enter, now
from tournaments.acts.access import Act
from tournaments.acts.admission import Admitted, require
from tournaments.acts.change import Add, AddAll, Change, Line, Move, MoveAll, Remove, RemoveAll, Told, carry_out, commit
from tournaments.acts.doorbell import stale_number
from tournaments.acts.errors import Refusal, Stale
from tournaments.ledger import deciding
from tournaments.models import Call, CallKind, HistoryEntry, LedgerEntry, Sitting
from tournaments.sittings.ledgers import Ledger, open_ledger

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def admitted(here: Hall) -> Admitted:
    return require(here.referee, Act.SETTLE, tournament=here.event, sitting=here.sitting)


def call_at(here: Hall) -> Call:
    return Call(sitting=here.sitting, kind=CallKind.CALL, called_at=AT)


def test_all_of_a_change_is_written_and_rows_stand_for_their_ids(django_capture_on_commit_callbacks: Any) -> None:
    here = hall()
    call, sitting = call_at(here), now(here)
    change = Change(
        admitted(here),
        call,
        writes=(Add(call), Move(sitting, {"phase": "disputed", "revision": 1}, {"revision": 0})),
        lines=(
            Line(Act.CALL_REFEREE, ("call", call), "why", old={"was": None}, new={"calls": [call]}, sitting=sitting),
        ),
        told=(Told("sitting", sitting.pk, 1),),
        stale=True,
    )
    with django_capture_on_commit_callbacks() as after:
        assert commit(change, here.referee, AT) is call
    line = HistoryEntry.objects.get()
    assert (line.subject, line.reason, line.old, line.new) == (
        f"call:{call.pk}", "why", {"was": None}, {"calls": [call.pk]},
    )  # fmt: skip
    assert (now(here).phase, sitting.phase, Call.objects.get().pk) == ("disputed", "disputed", call.pk)
    assert stale_number(here.event.pk) == 1
    assert len(after) == 2, "pages and workers are told after the commit"


def test_a_row_that_moved_meanwhile_makes_the_whole_change_stale() -> None:
    here = hall()
    change = Change(
        admitted(here),
        None,
        writes=(Add(call_at(here)), Move(now(here), {"revision": 8}, {"revision": 7})),
        lines=(Line(Act.CALL_REFEREE),),
        stale=True,
    )
    with pytest.raises(Stale):
        carry_out(lambda: change, here.referee, AT)
    assert Call.objects.count() == HistoryEntry.objects.count() == now(here).revision == 0
    assert stale_number(here.event.pk) == 0


def test_many_rows_come_move_and_go_at_once_and_a_row_goes() -> None:
    here = hall()
    calls = [call_at(here) for _ in range(3)]
    commit(Change(admitted(here), None, writes=(AddAll(calls), AddAll([]))), here.referee, AT)
    closing = MoveAll(Call, {"sitting": here.sitting, "closed_at": None}, {"closed_at": AT})
    commit(Change(admitted(here), None, writes=(Remove(calls[0]), closing)), here.referee, AT)
    assert list(Call.objects.values_list("closed_at", flat=True)) == [AT, AT]
    commit(Change(admitted(here), None, writes=(RemoveAll(Call, {"pk": calls[1].pk}),)), here.referee, AT)
    assert Call.objects.get().pk == calls[2].pk


def test_nobody_commits_what_another_was_admitted_to() -> None:
    here = hall()
    with pytest.raises(ValueError, match="somebody else"):
        commit(Change(admitted(here), None, writes=(Add(call_at(here)),)), here.chief, AT)
    assert Call.objects.count() == 0


def test_what_was_tried_is_written_before_it_is_refused() -> None:
    here = hall()
    change = Change(admitted(here), None, lines=(Line("wrong_pin"),), refused=Refusal("wrong_pin"))
    with pytest.raises(Refusal, match="wrong_pin"):
        carry_out(lambda: change, here.referee, AT)
    assert HistoryEntry.objects.get().act == "wrong_pin"


def test_a_decision_reads_and_writes_nothing(django_assert_num_queries: Any) -> None:
    """Entering, confirming, sending back and settling are decided from what was read; the ledger stays as it is."""
    here = hall()
    entry = enter(here, here.ns).entry
    ledger = read(here)
    before = [(row.pk, row.status) for row in ledger.rows]
    referee = Admitted(here.referee, Act.SETTLE, here.event, here.sitting)
    other = Admitted(here.ew, Act.CONFIRM_HAND, here.event, here.sitting)
    own = Admitted(here.ns, Act.TAKE_BACK, here.event, here.sitting)
    ask: dict[str, Any] = {"entry_id": entry.pk}
    with django_assert_num_queries(0):
        settled = deciding.settle(
            ledger, referee, AT, expected_revision=1, facts=sheet(40), number=1, reason="Seen by the referee"
        )
        made = {
            "confirmed": deciding.confirm(ledger, other, AT, version=None, typed=None, **ask),
            "sent_back": deciding.send_back(ledger, other, AT, what="trump", note="", **ask),
            "taken_back": deciding.take_back(ledger, own, AT, **ask),
            "disputed": deciding.enter(ledger, other, AT, facts=sheet(40), number=1),
        }
        with pytest.raises(Refusal, match="own_entry"):
            deciding.confirm(ledger, own, AT, version=None, typed=None, **ask)
    assert {name: change.answer.answer for name, change in made.items()} == {name: name for name in made}
    assert not any(change.stale for change in (settled, *made.values())), "no hand here ends the match"
    assert [(row.pk, row.status) for row in ledger.rows] == before
    assert (ledger.sitting.revision, LedgerEntry.objects.count(), Sitting.objects.get().hand_no) == (1, 1, 1)


def read(here: Hall) -> Ledger:
    """The ledger of the hall's table, with what its event says of rules and ends."""
    ledger = open_ledger(here.sitting.pk, lock=False)
    assert ledger.profile.id
    assert ledger.conditions is not None
    return ledger
