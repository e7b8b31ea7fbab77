"""The same request sent twice is one act; the same key with another body is refused; nothing is kept of a refusal."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.tournaments.factories import hall, sheet
from tests.tournaments.test_corrections import closed, end
from tests.tournaments.test_scorekeeping import AT, confirm, enter, now, refused
from tournaments.acts.admission import Actor
from tournaments.acts.keys import Keyed, Repeat, do_once, forget
from tournaments.models import LedgerEntry, SavedAnswer

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def sent(actor: Actor, key: Any, body: str, act: Callable[[], Any]) -> Any:
    """An act as the doors carry it out for a request with a key: its result, or a `Repeat`."""
    keyed = Keyed.of(actor.scope, key, [body.encode()])
    return do_once(keyed, act, lambda done: (True, {"entry": done.entry.pk}), actor=actor, at=AT)


def test_a_repeated_entry_is_one_entry_with_the_same_answer() -> None:
    here = hall()
    first = sent(here.ns, "k", "hand 1", lambda: enter(here, here.ns))
    confirm(here, here.ew, first.entry)
    assert sent(here.ns, "k", "hand 1", lambda: enter(here, here.ns)) == Repeat({"entry": first.entry.pk})
    assert LedgerEntry.objects.count() == SavedAnswer.objects.count() == 1
    assert now(here).revision == 2


def test_a_repeat_is_answered_even_when_the_round_is_closed() -> None:
    here = hall()
    act = lambda: enter(here, here.referee, basis="watched")  # noqa: E731
    first = sent(here.referee, "k", "hand 1", act)
    end(here)
    closed(here)
    assert sent(here.referee, "k", "hand 1", act) == Repeat({"entry": first.entry.pk})


def test_the_same_key_with_another_body_is_refused() -> None:
    here = hall()
    sent(here.ns, "k", "hand 1", lambda: enter(here, here.ns))
    refusal = refused(sent, here.ns, "k", "hand 2", lambda: enter(here, here.ns, hand_no=2))
    assert (refusal.code, refusal.status) == ("key_reused", 422)


def test_keys_belong_to_an_actor() -> None:
    here = hall()
    sent(here.ns, "k", "hand 1", lambda: enter(here, here.ns))
    assert sent(here.ew, "k", "hand 1", lambda: enter(here, here.ew)).answer == "confirmed"


@pytest.mark.parametrize("key", ["", "x" * 256, "a\x00b", "a\nb", " k", "k ", " ", "clé", "键"])
def test_keys_that_are_no_keys(key: str) -> None:
    here = hall()
    assert refused(sent, here.ns, key, "hand 1", lambda: enter(here, here.ns)).code == "key_not_allowed"


def test_a_refusal_keeps_no_answer() -> None:
    here = hall()
    assert refused(sent, here.ns, "k", "83", lambda: enter(here, here.ns, sheet(83))).status == 400
    assert SavedAnswer.objects.count() == 0
    assert sent(here.ns, "k", "80", lambda: enter(here, here.ns, sheet(80))).answer == "waiting"


def test_answers_are_forgotten_when_their_term_is_over() -> None:
    """Also where all are over, where none is, and where one was saved out of turn: that one goes the next time."""

    def saved(*days: int) -> list[str]:
        SavedAnswer.objects.all().delete()
        for number, day in enumerate(days):
            row = SavedAnswer(scope="user:1", key=str(number), request_digest="0" * 64, answer="{}")
            row.saved_at = AT - timedelta(days=day)
            row.save()
        forget(at=AT)
        return list(SavedAnswer.objects.order_by("pk").values_list("key", flat=True))

    assert saved(9, 8, 6, 0) == ["2", "3"]
    assert saved(9, 8) == []
    assert saved(6, 0) == ["0", "1"]
    assert saved(9, 6, 8) == ["1", "2"]
    assert saved() == []
