"""The same request sent twice is one act; the same key with another body is refused; nothing is kept of a refusal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.factories import hall, sheet
from tests.tournaments.test_corrections import closed, correct, end, penalise
from tests.tournaments.test_scorekeeping import AT, LATER, confirm, enter, now, play, refused
from tournaments.ledger import calls, corrections, officials_entries, scorekeeping
from tournaments.models import Call, Correction, HistoryEntry, LedgerEntry, SavedAnswer, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_repeated_entry_is_one_entry_with_the_same_answer() -> None:
    here = hall()
    first = enter(here, here.ns, sheet(), key="k")
    confirm(here, here.ew, first.entry)
    again = enter(here, here.ns, sheet(), key="k")
    assert (again.replayed, again.entry.pk, again.answer, again.status, again.revision) == (
        True, first.entry.pk, "waiting", "waiting", 1,
    )  # fmt: skip
    assert LedgerEntry.objects.count() == SavedAnswer.objects.count() == 1
    assert now(here).revision == 2


def test_a_replay_is_answered_even_when_the_round_is_closed() -> None:
    here = hall()
    first = enter(here, here.referee, sheet(), basis="watched", key="k")
    end(here)
    closed(here)
    assert enter(here, here.referee, sheet(), basis="watched", key="k").entry.pk == first.entry.pk


@pytest.mark.parametrize("other", [{"facts": sheet(40)}, {"hand_no": 2}, {"reason": "x"}])
def test_the_same_key_with_another_body_is_refused(other: dict[str, Any]) -> None:
    here = hall()
    enter(here, here.ns, key="k")
    refusal = refused(enter, here, here.ns, **other, key="k")
    assert (refusal.code, refusal.status) == ("key_reused", 422)


def test_keys_belong_to_an_actor_and_an_act() -> None:
    here = hall()
    first = enter(here, here.ns, sheet(), key="k")
    assert enter(here, here.ew, sheet(), key="k").answer == "confirmed"
    refusal = refused(
        scorekeeping.take_back, sitting_id=here.sitting.pk, actor=here.ns, at=LATER, entry_id=first.entry.pk, key="k"
    )
    assert refusal.code == "key_reused"


def test_a_key_used_at_another_sitting_is_refused() -> None:
    here = hall(tables=2)
    first = enter(here, here.referee, sheet(), basis="watched", key="k")
    refusal = refused(
        scorekeeping.record_hand, sitting_id=here.sittings[1].pk, actor=here.referee, at=AT, facts=sheet(), hand_no=1,
        basis="watched", key="k",
    )  # fmt: skip
    assert refusal.code == "key_reused"
    assert list(LedgerEntry.objects.values_list("pk", flat=True)) == [first.entry.pk]


@pytest.mark.parametrize("key", ["", "x" * 256, "a\x00b", "a\nb", 5])
def test_keys_that_are_no_keys(key: Any) -> None:
    here = hall()
    assert refused(enter, here, here.ns, key=key).code == "key_not_allowed"


def test_a_refusal_keeps_no_answer() -> None:
    here = hall()
    assert refused(enter, here, here.ns, sheet(83), key="k").status == 400
    assert SavedAnswer.objects.count() == 0
    assert enter(here, here.ns, sheet(80), key="k").answer == "waiting"


def twice(act: Any) -> tuple[Any, Any]:
    """The act sent twice; the second time nothing is written."""

    def counts() -> list[int]:
        tables = [model.objects.count() for model in (LedgerEntry, HistoryEntry, Call, Correction, SavedAnswer)]
        return [*tables, sum(Tournament.objects.values_list("stale_number", flat=True))]

    first = act()
    before = counts()
    second = act()
    assert counts() == before
    return first, second


def test_every_act_on_a_hand_is_repeatable() -> None:
    here = hall()
    at = {"sitting_id": here.sitting.pk, "at": LATER}
    entry = enter(here, here.ns).entry
    twice(lambda: scorekeeping.send_back(actor=here.ew, entry_id=entry.pk, what="trump", key="1", **at))
    entry = enter(here, here.ns).entry
    twice(lambda: scorekeeping.take_back(actor=here.ns, entry_id=entry.pk, key="2", **at))
    entry = enter(here, here.ns).entry
    first, second = twice(lambda: confirm(here, here.ew, entry, key="3"))
    assert (first.replayed, second.replayed, second.entry.pk) == (False, True, entry.pk)
    twice(lambda: calls.call_referee(actor=here.ns, key="4", **at))
    enter(here, here.ns, sheet(50), 2)
    enter(here, here.ew, sheet(55), 2)
    facts = {"facts": sheet(50), "reason": "r", "hand_no": 2, "expected_revision": now(here).revision}
    twice(lambda: scorekeeping.settle(actor=here.referee, key="5", **facts, **at))
    twice(lambda: calls.object_to(actor=here.ns, entry_id=entry.pk, note="n", key="6", **at))


def test_every_ruling_is_repeatable_with_the_revision_it_saw() -> None:
    here = hall()
    first, second = play(here, sheet(35), sheet(85))
    seen = now(here).revision
    twice(lambda: correct(here, first, sheet(30), expected_revision=seen, key="1"))
    seen = now(here).revision
    twice(lambda: penalise(here, expected_revision=seen, key="2"))
    seen = now(here).revision
    ending = {"sitting_id": here.sitting.pk, "at": LATER, "expected_revision": seen}
    twice(lambda: officials_entries.end_sitting(actor=here.referee, reason="time", key="3", **ending))
    again = {**ending, "expected_revision": now(here).revision, "reason": "Wrong table"}
    twice(lambda: officials_entries.reopen_sitting(actor=here.chief, key="4", **again))
    forfeit = {"match_id": here.sitting.match_id, "at": LATER, "outcome": "home_forfeit", "reason": "r"}
    twice(lambda: officials_entries.forfeit(actor=here.chief, key="5", **forfeit))
    closed(here)
    seen = now(here).revision
    proposed, _ = twice(lambda: correct(here, second, sheet(80), here.chief, expected_revision=seen, key="6"))
    one = {"correction_id": proposed.correction.pk, "at": LATER}
    approved, replay = twice(lambda: corrections.approve_correction(actor=here.referee, key="7", **one))
    assert (replay.replayed, replay.entry.pk, replay.revision) == (True, approved.entry.pk, approved.revision)
