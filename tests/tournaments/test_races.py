"""Sixteen at once on PostgreSQL: never two effective results, never a lost or doubled entry, never a deadlock."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import IntegrityError, connection, connections, transaction

from tests.tournaments.factories import AT, Hall, hall, sheet
from tests.tournaments.playing import event, sittings_of
from tests.tournaments.test_corrections import assert_folds
from tests.tournaments.test_idempotency import sent
from tests.tournaments.test_scorekeeping import LATER, confirm, enter, now, play
from tournaments.acts.doorbell import mark_stale, stale_number
from tournaments.acts.errors import Refusal
from tournaments.acts.keys import Repeat
from tournaments.acts.rows import hold_tables
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.events import rule_changes
from tournaments.ledger import acting, corrections, deciding, scorekeeping
from tournaments.ledger.officials_entries import end_sitting, reopen_sitting
from tournaments.ledger.recorded import Recorded
from tournaments.ledger.scorekeeping import record_hand, send_back, take_back
from tournaments.models import LedgerEntry, Round, Ruling, Sitting, Tournament
from tournaments.rounds import closing
from tournaments.rulings import appeals, given_penalties
from tournaments.rulings.log import decide, propose
from tournaments.sittings import ledgers
from tournaments.standings import runs

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

THREADS = 16


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Run all acts at the same moment, each on its own connection; results, or the exceptions they ended with."""
    ready = threading.Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        try:
            ready.wait(10)
            return act()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def codes(results: list[Any]) -> Counter[str]:
    """How the acts ended: the answer, or the code of the refusal. Anything else is an error of ours."""
    unexpected = [one for one in results if isinstance(one, Exception) and not isinstance(one, Refusal)]
    assert not unexpected, unexpected
    return Counter(one.code if isinstance(one, Refusal) else getattr(one, "answer", "done") for one in results)


def effective(here: Hall) -> list[LedgerEntry]:
    return list(LedgerEntry.objects.filter(sitting=here.sitting, status="effective"))


@pytest.mark.long
def test_the_same_hand_recorded_by_sixteen_officials() -> None:
    here = hall()
    results = at_once(*[lambda n=n: enter(here, here.referee, sheet(5 * n), basis="watched") for n in range(THREADS)])
    assert codes(results) == {"confirmed": 1, "already_recorded": THREADS - 1}
    assert len(effective(here)) == 1
    assert_folds(here)


@pytest.mark.long
@pytest.mark.parametrize("turn", range(4))
def test_both_sides_enter_the_same_hand_at_once(turn: int) -> None:
    here = hall()
    results = at_once(*[lambda n=n: enter(here, (here.ns, here.ew)[n % 2], sheet(40)) for n in range(THREADS)])
    assert codes(results) == {"waiting": 1, "confirmed": 1, "already_recorded": THREADS - 2}
    assert len(effective(here)) == LedgerEntry.objects.filter(sitting=here.sitting).count() == 1


def test_the_same_key_in_parallel_is_one_entry_and_equal_answers() -> None:
    here = hall()
    results = at_once(
        *[lambda: sent(here.ns, "k", "hand 1", lambda: enter(here, here.ns, sheet(40))) for _ in range(5)]
    )
    first = next(one for one in results if not isinstance(one, Repeat))
    assert [one for one in results if isinstance(one, Repeat)] == [Repeat({"entry": first.entry.pk})] * 4
    assert LedgerEntry.objects.count() == 1


def test_the_same_key_with_different_bodies_in_parallel() -> None:
    here = hall(tables=4)
    acts = [
        lambda n=n: sent(
            here.referee, "k", f"hand 1 at table {n % 4}",
            lambda: record_hand(
                sitting_id=here.sittings[n % 4].pk, actor=here.referee, at=AT, facts=sheet(40), hand_no=1,
                basis="watched",
            ),
        )
        for n in range(THREADS)
    ]  # fmt: skip
    results = at_once(*acts)
    asked = Counter(getattr(one, "code", "the same") for one in results)
    assert asked == {"the same": THREADS // 4, "key_reused": THREADS - THREADS // 4}
    assert LedgerEntry.objects.count() == 1


@pytest.mark.long
def test_sixteen_confirm_the_same_hand() -> None:
    here = hall()
    entry = enter(here, here.ns).entry
    results = at_once(*[lambda n=n: confirm(here, (here.ew, here.referee)[n % 2], entry) for n in range(THREADS)])
    assert codes(results) == {"confirmed": 1, "already_confirmed": THREADS - 1}
    assert (now(here).revision, len(effective(here))) == (2, 1)


@pytest.mark.long
@pytest.mark.parametrize("turn", range(4))
def test_confirm_take_back_and_send_back_at_once(turn: int) -> None:
    here = hall()
    entry = enter(here, here.ns).entry
    given = {"sitting_id": here.sitting.pk, "at": LATER, "entry_id": entry.pk}
    acts = [
        lambda: confirm(here, here.ew, entry),
        lambda: take_back(actor=here.ns, **given),
        lambda: send_back(actor=here.ew, what="trump", **given),
    ]
    results = at_once(*acts * 5)
    done = [one for one in results if not isinstance(one, Exception)]
    assert len(done) == 1
    assert codes(results)[done[0].answer] == 1
    assert LedgerEntry.objects.get(pk=entry.pk).status in ("effective", "withdrawn", "returned")


@pytest.mark.long
def test_sixteen_correct_from_the_same_version() -> None:
    here = hall()
    entry, _ = play(here, sheet(35), sheet(85))
    seen = now(here).revision
    acts = [
        lambda n=n: corrections.correct(
            entry_id=entry.pk, actor=here.referee, at=LATER, expected_revision=seen, facts=sheet(5 * n), reason="r",
            treatment="recompute",
        )
        for n in range(8, 8 + THREADS)
    ]  # fmt: skip
    results = at_once(*acts)
    assert codes(results) == {"done": 1, "stale": THREADS - 1}
    assert [one.version for one in effective(here)] == [2, 1]
    assert_folds(here)


@pytest.mark.long
@pytest.mark.parametrize("turn", range(3))
def test_a_correction_an_entry_an_end_and_a_penalty_at_once(turn: int) -> None:
    here = hall()
    (entry,) = play(here, sheet(35))
    seen = now(here).revision
    given = {"at": LATER, "expected_revision": seen}
    acts: list[Callable[[], Any]] = [
        lambda: corrections.correct(entry_id=entry.pk, actor=here.referee, facts=sheet(45), reason="r", **given),
        lambda: enter(here, here.referee, sheet(40), 2, basis="watched"),
        lambda: end_sitting(sitting_id=here.sitting.pk, actor=here.referee, reason="time", **given),
        lambda: given_penalties.penalise_level(
            sitting_id=here.sitting.pk,
            actor=here.chief,
            side="NS",
            levels=-1,
            reason="r",
            clause="referee.level_penalty",
            **given,
        ),
    ]
    results = at_once(*acts * 4)
    assert set(codes(results)) <= {"done", "confirmed", "stale", "match_over", "already_recorded"}
    positions = [one.position for one in effective(here)]
    assert len(positions) == len(set(positions))
    assert_folds(here)


@pytest.mark.long
def test_rulings_proposed_at_once_are_numbered_without_a_gap() -> None:
    here = hall(tables=4)
    acts = [
        lambda n=n: propose(
            sitting_id=here.sittings[n % 4].pk, actor=here.referee, at=AT, side="NS",
            facts={"irregularity": "take_back"},
        )
        for n in range(THREADS)
    ]  # fmt: skip
    assert codes(at_once(*acts)) == {"done": THREADS}
    assert set(Ruling.objects.values_list("number", flat=True)) == set(range(1, THREADS + 1))


@pytest.mark.long
def test_a_ruling_is_decided_and_its_appeal_answered_once() -> None:
    here = hall()
    play(here, sheet(35))
    ruling = propose(
        sitting_id=here.sitting.pk, actor=here.referee, at=AT, facts={"irregularity": "take_back"}, side="NS"
    ).ruling
    given = {"ruling_id": ruling.pk, "actor": here.chief, "at": LATER}
    seen = now(here).revision
    results = at_once(*[lambda: decide(**given, expected_revision=seen)] * THREADS)
    assert codes(results)["done"] == 1
    assert set(codes(results)) <= {"done", "stale", "ruling_decided"}
    lodged = at_once(
        *[
            lambda who=who: appeals.lodge_appeal(ruling_id=ruling.pk, actor=who, at=LATER, reason="Not so")
            for who in (here.ns, here.ew) * 4
        ]
    )
    assert codes(lodged) == {"done": 1, "appeal_open": 7}
    seen = now(here).revision
    answers = at_once(
        *[
            lambda n=n: appeals.decide_appeal(**given, expected_revision=seen, upheld=n % 2 == 0, reason="r")
            for n in range(THREADS)
        ]
    )
    assert codes(answers)["done"] == 1
    assert set(codes(answers)) <= {"done", "stale", "appeal_decided"}
    upheld = Ruling.objects.get(pk=ruling.pk).appeal == "upheld"
    moved = [row.facts["levels"] for row in effective(here) if row.kind == "level_penalty"]
    assert moved == ([-1, 1] if upheld else [-1])
    assert_folds(here)


def test_sixteen_tables_of_one_event_do_not_block_each_other_for_good() -> None:
    here = hall(tables=THREADS, levels=("A", "5"))  # the first hand ends each match
    acts = [
        lambda place=place: record_hand(
            sitting_id=place.pk,
            actor=here.referee,
            at=AT,
            facts=sheet(35),
            hand_no=1,
            basis="watched",
        )
        for place in here.sittings
    ]
    assert codes(at_once(*acts)) == {"confirmed": THREADS}
    assert stale_number(here.event.pk) == THREADS
    with connection.cursor() as cursor:
        cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        assert cursor.fetchone() == (0,)


def test_a_hand_at_another_table_counts_while_one_is_being_written_and_none_while_a_result_is_frozen() -> None:
    here = hall(tables=2)
    event, (first, second) = here.event.pk, (sitting.pk for sitting in here.sittings)
    counted = threading.Event()

    def count(sitting: int) -> None:
        try:
            with transaction.atomic():
                mark_stale(event, sitting)
            counted.set()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            mark_stale(event, first)
            pool.submit(count, second)
            assert counted.wait(10), "tables that enter at the same time share no row"
        counted.clear()
        with transaction.atomic():
            hold_tables(event)
            pool.submit(count, second)
            assert not counted.wait(0.3), "what is being frozen is of one moment"
            assert stale_number(event) == 2
        assert counted.wait(10)
    assert stale_number(event) == 3


@pytest.mark.long
@pytest.mark.parametrize("turn", range(4))
def test_a_hand_is_not_taken_after_its_round_is_closed(turn: int) -> None:
    """The round's state is read after the sitting's lock is held, so it is never older than the lock."""

    here = hall(tables=2)
    ended = {"actor": here.referee, "at": LATER, "reason": "time"}
    for place in here.sittings:
        end_sitting(sitting_id=place.pk, expected_revision=0, **ended)
    reopen_sitting(sitting_id=here.sitting.pk, actor=here.chief, at=LATER, expected_revision=1, reason="Wrong table")
    revision = now(here).revision
    acts = [
        lambda: closing.close_round(round_id=here.round.pk, actor=here.organiser, at=LATER),
        lambda: end_sitting(sitting_id=here.sitting.pk, expected_revision=revision, **ended),
        *[lambda: enter(here, here.referee, sheet(40), 1, basis="watched")] * 6,
    ]
    at_once(*acts)
    row = Sitting.objects.select_related("round", "match").get(pk=here.sitting.pk)
    if row.round.status == "closed":
        assert row.match.outcome == "played"
    assert_folds(here)


@pytest.mark.long
def test_without_the_application_check_the_database_still_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutated build: no lock, no look at what is there. The constraints alone keep the hand single."""
    unlocked = ledgers.open_ledger
    monkeypatch.setattr(acting, "open_ledger", lambda sitting_id, *, lock: unlocked(sitting_id, lock=False))
    monkeypatch.setattr(deciding, "refuse_wrong_number", lambda *args: None)
    here = hall()
    results = at_once(*[lambda n=n: enter(here, here.referee, sheet(5 * n), basis="watched") for n in range(THREADS)])
    recorded = [one for one in results if isinstance(one, Recorded)]
    others = [one for one in results if not isinstance(one, Recorded)]
    assert all(isinstance(one, IntegrityError) for one in others)
    assert len(recorded) == len(effective(here)) == 1


@pytest.mark.long
def test_rules_changed_while_the_first_hands_come_in() -> None:
    """Either no hand was there yet, or the change is refused; every state follows from the rules that stand."""
    here = hall(tables=7)
    other = {"base": "cn-national-2d", "set": {"threshold": 40, "step": 20}}

    def first_hand(sitting: Sitting) -> Any:
        return scorekeeping.record_hand(
            sitting_id=sitting.pk, actor=here.referee, at=AT, facts=sheet(60), hand_no=1, basis="watched"
        )

    def change() -> Any:
        return rule_changes.propose(
            tournament_id=here.event.pk, actor=here.organiser, at=AT, spec=other, reason="misprint"
        )

    results = at_once(change, *[lambda one=one: first_hand(one) for one in here.sittings])
    assert codes(results[1:]) == {"confirmed": 7}
    changed = not isinstance(results[0], Refusal)
    assert changed or results[0].code == "round_runs"
    event = Tournament.objects.get(pk=here.event.pk)
    assert event.profile_spec == (other if changed else "cn-national-2d")
    # 60 points: a level for the dealer side by the one, a lost deal and a level for the attackers by the other
    levels = {"NS": "2", "EW": "3"} if changed else {"NS": "3", "EW": "2"}
    assert [one.state["levels"] for one in Sitting.objects.filter(round=here.round)] == [levels] * 7


@pytest.mark.long
def test_a_change_of_rules_is_applied_once() -> None:
    here = hall()
    play(here, sheet(60))
    Round.objects.filter(pk=here.round.pk).update(status="closed", closed_at=AT)
    change = rule_changes.propose(
        tournament_id=here.event.pk, actor=here.organiser, at=AT, spec="scn2-2013", reason="misprint"
    )
    results = at_once(
        *[lambda: rule_changes.apply(change_id=change.pk, actor=here.chief, at=AT) for _ in range(THREADS)]
    )
    assert codes(results) == {"done": 1, "rule_change_decided": THREADS - 1}
    assert Tournament.objects.get(pk=here.event.pk).profile_spec == "scn2-2013"


@pytest.mark.long
def test_a_correction_that_waits_for_a_publication_comes_after_it() -> None:
    """It began first and holds its table, its last write waits: what is published does not count it, nor need it."""
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    sitting = sittings_of(round_)[0]
    made.hand(sitting, 35)
    made.end(sitting)
    entry = LedgerEntry.objects.get(sitting=sitting, kind="hand")
    seen, began = Sitting.objects.get(pk=sitting.pk).revision, made.tick()
    held = threading.Event()

    def publish() -> None:
        with transaction.atomic():
            runs.publish(stage_id=round_.stage_id, round_id=round_.pk, actor=made.actor, at=made.tick())
            held.set()
            assert until(somebody_waits)

    def correct() -> Any:
        assert held.wait(10)
        return corrections.correct(
            entry_id=entry.pk,
            actor=made.actor,
            at=began,
            expected_revision=seen,
            facts=entry.facts | {"captured_in_tricks": 120},
            reason="the other side took them",
        )

    assert codes(at_once(publish, correct)) == {"done": 2}
    runs.recalculate(tournament_id=made.tournament.pk, at=made.tick())
    made.tournament.refresh_from_db()
    document = event_document(made.tournament, official=True)
    (published,) = (json.loads(row["document"]) for row in document["publications"])
    assert published["published_at"] > began.isoformat()
    assert published["tables"][0]["rows"] != document["standings"][0]["rows"]
    assert audit(document) == []


def somebody_waits() -> bool:
    """Whether an act stands before a row that this one holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT bool_or(pg_backend_pid() = ANY(pg_blocking_pids(pid))) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


def until(true: Callable[[], bool]) -> bool:
    """Whether it came true within a minute."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.01)
    return False
