"""Entering, confirming, taking back, sending back, disputing and settling a hand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.factories import AT, device, dig, entrant, hall, official, sheet, sitting
from tournaments.acts.admission import Actor
from tournaments.acts.doorbell import stale_number
from tournaments.acts.errors import Refusal
from tournaments.ledger import calls, codes, previewing, scorekeeping
from tournaments.ledger.recorded import Recorded
from tournaments.models import (
    Call,
    HistoryEntry,
    LedgerEntry,
    Match,
    Office,
    PartyCode,
    Round,
    Sitting,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LATER = AT + timedelta(minutes=4)


def enter(here: Any, actor: Actor, facts: dict[str, Any] | None = None, hand_no: int = 1, **more: Any) -> Recorded:
    return scorekeeping.record_hand(
        sitting_id=here.sitting.pk, actor=actor, at=AT, facts=facts or sheet(), hand_no=hand_no, **more
    )


def confirm(here: Any, actor: Actor, entry: LedgerEntry, **more: Any) -> Recorded:
    return scorekeeping.confirm_hand(sitting_id=here.sitting.pk, actor=actor, at=LATER, entry_id=entry.pk, **more)


def play(here: Any, *sheets: dict[str, Any]) -> list[LedgerEntry]:
    """Hands entered by N–S and confirmed by E–W."""
    entries = []
    for facts in sheets:
        number = Sitting.objects.get(pk=here.sitting.pk).hand_no
        entries.append(confirm(here, here.ew, enter(here, here.ns, facts, number).entry).entry)
    return entries


def refused(act: Any, *args: Any, **more: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        act(*args, **more)
    assert set(caught.value.message) == {"en", "zh"}
    assert all(caught.value.message.values())
    return caught.value


def now(here: Any) -> Sitting:
    return Sitting.objects.select_related("match").get(pk=here.sitting.pk)


def test_a_side_enters_and_the_other_confirms() -> None:
    here = hall()
    entered = enter(here, here.ns, sheet(35))
    assert (entered.answer, entered.entry.status, now(here).phase) == ("waiting", "waiting", "waiting")
    assert now(here).state["levels"] == {"NS": "2", "EW": "2"}
    done = confirm(here, here.ew, entered.entry)
    assert (done.answer, done.entry.status, done.entry.confirmed_side) == ("confirmed", "effective", "EW")
    after = now(here)
    # seed 004: below 40 the dealer side of two decks goes up two levels
    assert (after.phase, after.hand_no, after.revision) == ("playing", 2, 2)
    assert after.state["levels"] == {"NS": "4", "EW": "2"}
    assert after.state["next_dealer"] == "N"


def test_dealer_and_level_are_written_down_as_played() -> None:
    here = hall()
    entry = enter(here, here.ns).entry
    assert (entry.facts["dealer"], entry.facts["level"]) == ("S", "2")


def test_only_what_moves_standings_moves_the_stale_number() -> None:
    """Results do, not the hands before them nor a table that disagrees."""
    here = hall(stage_={"minutes": None, "hands": 2})
    confirm(here, here.ew, enter(here, here.ns).entry)
    assert stale_number(here.event.pk) == 0
    last = enter(here, here.ns, hand_no=2).entry
    assert stale_number(here.event.pk) == 0
    enter(here, here.ew, sheet(80), hand_no=2)
    assert (stale_number(here.event.pk), now(here).phase) == (0, "disputed")
    confirm(here, here.ew, last)
    assert (stale_number(here.event.pk), now(here).phase) == (1, "finished")


def test_no_party_confirms_its_own_entry() -> None:
    here = hall()
    entered = enter(here, here.ns)
    refusal = refused(confirm, here, here.ns, entered.entry)
    assert (refusal.code, refusal.status) == ("own_entry", 409)
    assert "E–W" in refusal.message["en"]
    assert now(here).phase == "waiting"


def test_the_other_side_confirms_with_its_pin_on_a_shared_phone() -> None:
    here = hall()
    entered = enter(here, here.ns)
    code = PartyCode.objects.get(table=here.sitting.table, side="EW")
    right = codes.pin_text(code)
    wrong = f"{(int(right) + 1) % 10_000:04d}"
    assert refused(confirm, here, here.ns, entered.entry, pin=wrong).code == "wrong_pin"
    assert HistoryEntry.objects.filter(act="wrong_pin").count() == 1
    done = confirm(here, here.ns, entered.entry, pin=right)
    assert (done.entry.status, done.entry.confirmed_side) == ("effective", "EW")


def test_wrong_pins_run_out_even_when_the_hand_is_entered_anew() -> None:
    here = hall()
    entered = enter(here, here.ns)
    right = codes.pin_text(PartyCode.objects.get(table=here.sitting.table, side="EW"))
    wrong = f"{(int(right) + 1) % 10_000:04d}"
    for _ in range(5):
        assert refused(confirm, here, here.ns, entered.entry, pin=wrong).code == "wrong_pin"
    assert refused(confirm, here, here.ns, entered.entry, pin=right).code == "pin_locked"
    scorekeeping.take_back(sitting_id=here.sitting.pk, actor=here.ns, at=LATER, entry_id=entered.entry.pk)
    again = enter(here, here.ns)
    assert refused(confirm, here, here.ns, again.entry, pin=right).code == "pin_locked"
    assert confirm(here, here.ew, again.entry).answer == "confirmed"


def test_an_official_confirms_for_the_other_side() -> None:
    here = hall()
    done = confirm(here, here.referee, enter(here, here.ns).entry)
    assert (done.entry.status, done.entry.confirmed_by) == ("effective", here.referee.user)


def test_an_equal_independent_entry_confirms() -> None:
    here = hall()
    first = enter(
        here, here.ns, dig(60, 10, throw_failures=[{"side": "dealer", "cards": 2}, {"side": "dealer", "cards": 3}])
    )
    second = enter(
        here, here.ew, dig(60, 10, throw_failures=[{"side": "dealer", "cards": 3}, {"side": "dealer", "cards": 2}])
    )
    assert (second.answer, second.entry.pk, second.entry.confirmed_side) == ("confirmed", first.entry.pk, "EW")
    assert LedgerEntry.objects.count() == 1


def test_a_different_independent_entry_calls_a_referee_and_names_the_fields() -> None:
    here = hall()
    enter(here, here.ns, sheet(95))
    second = enter(here, here.ew, sheet(90))
    assert (second.answer, second.differing) == ("disputed", ("captured_in_tricks",))
    assert (second.entry.status, now(here).phase) == ("contesting", "disputed")
    call = Call.objects.get()
    assert (call.kind, call.hand_no, call.entry) == ("dispute", 1, second.entry)
    assert refused(enter, here, here.ns, sheet(95)).code == "disputed"


def test_sides_may_agree_after_all() -> None:
    here = hall()
    enter(here, here.ns, sheet(95))
    second = enter(here, here.ew, sheet(90))
    done = confirm(here, here.ns, second.entry)
    assert (done.entry.pk, done.entry.status, done.entry.confirmed_side) == (second.entry.pk, "effective", "NS")
    assert LedgerEntry.objects.get(position=1, version=1).status == "overruled"
    assert (now(here).phase, Call.objects.get().closed_at) == ("playing", LATER)


def test_an_official_settles_a_dispute() -> None:
    here = hall()
    enter(here, here.ns, sheet(95))
    enter(here, here.ew, sheet(90))
    settle = {"sitting_id": here.sitting.pk, "actor": here.referee, "at": LATER, "reason": "Counted", "hand_no": 1}
    assert refused(scorekeeping.settle, **settle, expected_revision=None, facts=sheet(95)).status == 428
    assert refused(scorekeeping.settle, **settle, expected_revision=1, facts=sheet(95)).status == 412
    done = scorekeeping.settle(**settle, expected_revision=2, facts=sheet(95))
    assert (done.entry.status, done.entry.basis, done.entry.version) == ("effective", "ruling", 3)
    assert set(LedgerEntry.objects.exclude(pk=done.entry.pk).values_list("status", flat=True)) == {"overruled"}
    assert Call.objects.get().closed_by == here.referee.user
    assert now(here).phase == "playing"


def test_nothing_to_settle() -> None:
    here = hall()
    refusal = refused(
        scorekeeping.settle,
        sitting_id=here.sitting.pk,
        actor=here.referee,
        at=LATER,
        expected_revision=0,
        facts=sheet(),
        reason="Counted",
        hand_no=1,
    )
    assert refusal.code == "nothing_to_settle"


def test_an_entry_is_taken_back_by_who_made_it() -> None:
    here = hall()
    entry = enter(here, here.ns).entry
    take = {"sitting_id": here.sitting.pk, "at": LATER, "entry_id": entry.pk}
    assert refused(scorekeeping.take_back, actor=here.ew, **take).code == "not_own_entry"
    assert scorekeeping.take_back(actor=here.ns, **take).entry.status == "withdrawn"
    assert now(here).phase == "playing"
    again = enter(here, here.ew, sheet(40))
    assert (again.entry.position, again.entry.version) == (1, 2)
    assert refused(confirm, here, here.ew, entry).status == 412


def test_the_second_return_of_a_hand_calls_a_referee() -> None:
    here = hall()
    for expected, phase in (("sent_back", "playing"), ("disputed", "disputed")):
        entry = enter(here, here.ns).entry
        answer = scorekeeping.send_back(
            sitting_id=here.sitting.pk, actor=here.ew, at=LATER, entry_id=entry.pk, what="captured_in_tricks", note="95"
        )
        assert (answer.answer, answer.entry.status, answer.entry.sent_back_what) == (
            expected,
            "returned",
            "captured_in_tricks",
        )
        assert now(here).phase == phase
    call = Call.objects.get()
    assert call.kind == "dispute"
    calls.close_call(call_id=call.pk, actor=here.referee, at=LATER)
    assert now(here).phase == "playing"
    assert enter(here, here.ew).answer == "waiting"


def test_no_side_sends_its_own_entry_back() -> None:
    here = hall()
    entry = enter(here, here.ns).entry
    refusal = refused(
        scorekeeping.send_back, sitting_id=here.sitting.pk, actor=here.ns, at=LATER, entry_id=entry.pk, what="trump"
    )
    assert refusal.code == "own_entry"


def test_an_officials_entry_counts_at_once_and_states_its_basis() -> None:
    here = hall()
    assert refused(enter, here, here.referee).code == "basis_missing"
    done = enter(here, here.referee, sheet(), basis="signed_sheet")
    assert (done.answer, done.entry.status, done.entry.entered_by) == ("confirmed", "effective", here.referee.user)
    assert enter(here, here.referee, {"kind": "hand", "total_only": 85}, 2, basis="signed_sheet").answer == "confirmed"


@pytest.mark.parametrize(
    ("facts", "field"),
    [
        ({"kind": "hand", "total_only": 85}, "total_only"),
        (sheet(adjustments=[{"points": -10, "why": "x"}]), "adjustments"),
        (sheet(treatment="let_stand"), "treatment"),
        ({"kind": "annulled", "reason": "ruling"}, "reason"),
        ({"kind": "adjusted", "side": "NS", "levels": 1, "deal_changes_hands": False}, "kind"),
    ],
)
def test_rulings_are_for_officials(facts: dict[str, Any], field: str) -> None:
    here = hall()
    refusal = refused(enter, here, here.ns, facts)
    assert (refusal.code, refusal.field, refusal.status) == ("officials_only", field, 403)
    assert enter(here, here.referee, facts, basis="ruling").answer == "confirmed"


@pytest.mark.parametrize(
    ("facts", "code", "status"),
    [
        (sheet(83), "not_a_multiple_of_5", 400),
        (sheet(205), "above_deck_total", 400),
        (dig(60, 85), "kitty_too_rich", 400),
        (sheet(last_trick_winner="attackers"), "shape_missing", 400),
        (sheet(captured_in_tricks="80"), None, 400),
        (sheet(surprise=1), "unknown_field", 400),
        ({"kind": "end", "reason": "time"}, "kind_not_here", 400),
        ({"kind": "annulled", "reason": "rebellion", "by": "E"}, "rebellion_not_here", 422),
    ],
)
def test_a_blocked_sheet_writes_nothing(facts: dict[str, Any], code: str | None, status: int) -> None:
    here = hall()
    refusal = refused(enter, here, here.ns, facts)
    assert refusal.status == status
    assert code is None or code in {refusal.code, *(one.code for one in refusal.findings)}
    assert LedgerEntry.objects.count() == HistoryEntry.objects.count() == 0
    assert enter(here, here.ns).answer == "waiting"


def test_the_first_dealer_is_stated_when_the_deal_is_contested() -> None:
    here = hall(first_dealer=None)
    assert refused(enter, here, here.ns).code == "dealer_missing"
    entry = enter(here, here.ns, sheet(dealer="E")).entry
    assert (entry.facts["dealer"], entry.facts["level"]) == ("E", "2")


def test_another_dealer_or_level_is_a_discrepancy_not_a_refusal() -> None:
    here = hall()
    recorded = enter(here, here.ns, sheet(dealer="E", level="5"))
    assert {one.code for one in recorded.findings} == {"dealer_unexpected", "level_unexpected"}
    assert recorded.answer == "waiting"


@pytest.mark.parametrize(("number", "code", "status"), [(0, "bad_hand_number", 422), (-1, "bad_hand_number", 422),
                                                       (True, "bad_hand_number", 422), ("1", "bad_hand_number", 422),
                                                       (10**9, "bad_hand_number", 422), (3, "hand_skipped", 409),
                                                       (1, "already_recorded", 409)])  # fmt: skip
def test_hand_numbers(number: Any, code: str, status: int) -> None:
    here = hall()
    play(here, sheet())
    refusal = refused(enter, here, here.ns, sheet(), number)
    assert (refusal.code, refusal.status) == (code, status)


def test_a_second_entry_of_the_same_side_is_told_that_one_waits() -> None:
    here = hall()
    entry = enter(here, here.ns).entry
    refusal = refused(enter, here, here.ns, sheet(40))
    assert (refusal.code, refusal.current["pending"]) == ("already_recorded", [entry.pk])
    assert refused(enter, here, here.referee, basis="watched").code == "already_recorded"


@pytest.mark.parametrize(("status", "code"), [("published", "round_not_started"), ("closed", "round_closed")])
def test_hands_are_taken_while_the_round_runs(status: str, code: str) -> None:
    here = hall(status=status)
    refusal = refused(enter, here, here.ns)
    assert (refusal.code, refusal.status) == (code, 409)


def test_no_hand_after_the_match_is_over() -> None:
    here = hall(levels=("A", "5"))
    play(here, sheet(35))
    after = now(here)
    assert (after.phase, after.match.outcome, after.match.home_level, after.match.away_level) == (
        "finished",
        "played",
        "passed",
        "5",
    )
    assert (after.match.winner_side, after.match.home_hundredths, after.match.decided_by) == ("NS", 200, "passed")
    assert refused(enter, here, here.ns, sheet(), 2).code == "match_over"
    assert refused(enter, here, here.referee, sheet(), 2, basis="watched").code == "match_over"


@pytest.mark.long
def test_a_sitting_ends_by_itself_with_its_lead_or_last_hand() -> None:
    here = hall(stage_={"lead_levels": 5})
    play(here, sheet(0), sheet(0))
    assert (now(here).phase, now(here).match.decided_by, now(here).match.winner_side) == ("finished", "lead", "NS")
    other = hall(stage_={"minutes": None, "hands": 1})
    play(other, sheet(80))
    after = now(other)
    assert (after.phase, after.match.winner_side, after.match.home_hundredths) == ("finished", "", 100)


def test_a_table_scored_by_a_referee() -> None:
    here = hall()
    Sitting.objects.filter(pk=here.sitting.pk).update(scored_by="referee")
    assert refused(enter, here, here.ns).code == "scored_by_referee"
    entry = enter(here, here.referee, basis="watched").entry
    call = calls.object_to(sitting_id=here.sitting.pk, actor=here.ew, at=LATER, entry_id=entry.pk, note="It was 95")
    assert (call.kind, call.side, call.entry) == ("objection", "EW", entry)
    assert (
        calls.object_to(sitting_id=here.sitting.pk, actor=here.ew, at=LATER, entry_id=entry.pk, note="x").pk == call.pk
    )


def test_calls_are_taken_and_closed() -> None:
    here = hall()
    call = calls.call_referee(sitting_id=here.sitting.pk, actor=here.ns, at=AT, note="just come")
    assert calls.call_referee(sitting_id=here.sitting.pk, actor=here.ns, at=AT).pk == call.pk
    taken = calls.take_call(call_id=call.pk, actor=here.referee, at=LATER)
    assert (taken.taken_by, taken.taken_at) == (here.referee.user, LATER)
    assert refused(calls.take_call, call_id=call.pk, actor=here.chief, at=LATER).code == "call_taken"
    assert calls.close_call(call_id=call.pk, actor=here.chief, at=LATER).closed_by == here.chief.user
    assert refused(calls.take_call, call_id=10**30, actor=here.chief, at=LATER).code == "not_found"


def test_a_dispute_is_not_closed_before_it_is_settled() -> None:
    here = hall()
    enter(here, here.ns, sheet(95))
    enter(here, here.ew, sheet(90))
    assert refused(calls.close_call, call_id=Call.objects.get().pk, actor=here.referee, at=LATER).code == "not_settled"


def test_preview_judges_as_recording_does() -> None:
    here = hall()
    seen = previewing.preview(sitting_id=here.sitting.pk, actor=here.ns, facts=sheet(35))
    assert seen.result is not None
    assert seen.result.levels_won == 2
    assert set(seen.result.sentence) == {"en", "zh"}
    assert seen.state.to_json()["levels"] == {"NS": "4", "EW": "2"}
    blocked = previewing.preview(sitting_id=here.sitting.pk, actor=here.ns, facts=sheet(83))
    assert (blocked.result, blocked.findings[0].code) == (None, "not_a_multiple_of_5")
    assert LedgerEntry.objects.count() == 0


@pytest.mark.parametrize("bad", [0, -1, 10**30, "x", None])
def test_unknown_ids_are_not_found(bad: Any) -> None:
    here = hall()
    refusal = refused(scorekeeping.record_hand, sitting_id=bad, actor=here.referee, at=AT, facts=sheet(), hand_no=1)
    assert (refusal.code, refusal.status) == ("not_found", 404)
    assert (
        refused(scorekeeping.confirm_hand, sitting_id=here.sitting.pk, actor=here.ew, at=AT, entry_id=bad).status == 404
    )


def test_another_events_people_and_entries_are_not_found() -> None:
    here, there = hall(), hall()
    entry = enter(there, there.ns).entry
    for actor in (there.ns, there.referee, there.chief):
        assert refused(enter, here, actor, basis="watched").status == 404
    assert refused(confirm, here, here.ew, entry).status == 404


def test_a_device_of_another_table_and_a_released_one() -> None:
    here = hall(tables=2)
    other = Actor(device=device(here.sittings[1], "NS"))
    assert refused(enter, here, other).status == 404
    released = here.ns.device
    assert released is not None
    released.released_at = AT
    assert refused(enter, here, here.ns).status == 403


def test_a_replaced_sitting_takes_no_hands() -> None:
    here = hall()
    Sitting.objects.filter(pk=here.sitting.pk).update(active=False)
    assert refused(enter, here, here.ns).code == "sitting_replaced"


def test_a_referee_enters_at_assigned_tables_only() -> None:
    here = hall(tables=2)
    here.referee.user.offices.update(revoked_at=AT)
    assigned = official(here.event, Office.REFEREE, tables=(here.sittings[1].table,))
    assert refused(enter, here, assigned, basis="watched").status == 403
    done = scorekeeping.record_hand(
        sitting_id=here.sittings[1].pk, actor=assigned, at=AT, facts=sheet(), hand_no=1, basis="watched"
    )
    assert done.answer == "confirmed"
    assert refused(enter, here, here.referee, basis="watched").status == 404


def test_annulled_hands_have_numbers_and_do_not_count() -> None:
    here = hall()
    play(here, {"kind": "annulled", "reason": "misdeal"}, sheet(35))
    after = now(here)
    assert (after.hand_no, after.state["hands_played"], after.state["levels"]["NS"]) == (3, 1, "4")


def test_every_act_is_in_the_history_with_its_actor() -> None:
    here = hall()
    entry = play(here, sheet(35))[0]
    rows = list(HistoryEntry.objects.order_by("id").values_list("act", "side", "subject", "at", "sitting_id"))
    assert rows == [
        ("enter_hand", "NS", f"entry:{entry.pk}", AT, here.sitting.pk),
        ("confirm_hand", "EW", f"entry:{entry.pk}", LATER, here.sitting.pk),
    ]


@pytest.mark.long
def test_the_queries_of_an_entry_do_not_grow() -> None:
    counts = []
    for hands, tables in ((1, 1), (9, 4)):
        here = hall(tables=tables)
        play(here, *[sheet(40) for _ in range(hands)])
        with CaptureQueriesContext(connection) as entering:
            entry = enter(here, here.ns, sheet(40), hands + 1).entry
        with CaptureQueriesContext(connection) as confirming:
            confirm(here, here.ew, entry)
        counts.append((len(entering), len(confirming)))
    assert counts[0] == counts[1]
    assert max(counts[0]) <= 11


def test_notes_that_cannot_be_stored_are_refused() -> None:
    here = hall()
    for note in ("\x00", "\ud800", "x" * 201, 5):
        refusal = refused(calls.call_referee, sitting_id=here.sitting.pk, actor=here.ns, at=AT, note=note)
        assert refusal.status == 400


def test_a_match_of_another_round_is_independent() -> None:
    here = hall()
    second = Round.objects.create(tournament=here.event, stage=here.stage, number=2, status="published")
    later = sitting(second, entrant(here.event, 11), entrant(here.event, 12), 1)
    play(here, sheet())
    assert Sitting.objects.get(pk=later.pk).revision == 0
    assert Match.objects.get(pk=later.match_id).outcome == "pending"
