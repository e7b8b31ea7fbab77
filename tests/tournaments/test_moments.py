"""What is read whole is of one moment, and nobody who writes waits for it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tests.referee.table.places import read
from tests.tournaments.factories import Hall, device, hall, sheet
from tests.tournaments.playing import event
from tournaments.acts.admission import Actor
from tournaments.audit.record import event_document
from tournaments.ledger import scorekeeping
from tournaments.models import LedgerEntry

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


class Meanwhile:
    """Another thread does an act when a query on this table is about to be asked for the first time."""

    def __init__(self, table: str, act: Callable[[], object]) -> None:
        self.waited = False
        self._table, self._act = table, act
        self._begun = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if f'FROM "{self._table}"' in sql and not self._begun:
            self._begun = True
            other = threading.Thread(target=self._do)
            other.start()
            other.join(60)
            self.waited = other.is_alive()
        return execute(sql, params, many, context)

    def _do(self) -> None:
        try:
            self._act()
        finally:
            connection.close()


def enter(here: Hall) -> None:
    place, by = here.sitting, here.referee
    facts: dict[str, Any] = {"facts": sheet(80), "hand_no": 1, "basis": "watched"}
    scorekeeping.record_hand(sitting_id=place.pk, actor=by, at=here.event.created_at, **facts)


@pytest.mark.long
def test_an_export_in_the_middle_of_an_act_is_of_one_moment() -> None:
    here = hall()
    before = event_document(here.event, official=True)
    meanwhile = Meanwhile("tournaments_sitting", lambda: enter(here))
    with connection.execute_wrapper(meanwhile):
        during = event_document(here.event, official=True)
    assert not meanwhile.waited
    assert LedgerEntry.objects.count() == 1
    assert during == before
    after = event_document(here.event, official=True)
    assert len(after["ledger"]) == 1
    assert after["digest"] != before["digest"]


@pytest.mark.parametrize("act", ["", "now", "record"])
def test_a_page_of_a_table_is_of_one_moment(act: str) -> None:
    """The last hand of a table counts while its page is being read: the page shows the table as it was before."""
    made = event(2, stage={"match_score": "hand_points", "hands": 1, "chain": ["points", "opponents"],
                           "plan": {"fixed": [{"level": "5", "dealer": "W"}]}})  # fmt: skip
    (sitting,) = made.running((1, 2)).sittings.all()
    phone = Actor(device=device(sitting, "NS"))
    before = _read(phone, act)
    meanwhile = Meanwhile("tournaments_ledgerentry", lambda: made.hand(sitting, 85))
    with connection.execute_wrapper(meanwhile):
        during = _read(phone, act)
    assert not meanwhile.waited
    assert LedgerEntry.objects.count() == 1
    assert during == before
    assert _read(phone, act) != before


def _read(phone: Actor, act: str) -> str:
    """What the page says, without its tags, which hold words that are others each time."""
    return re.sub(r"<[^>]+>", "", read(phone, act))
