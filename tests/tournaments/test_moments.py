"""What is read whole is of one moment, and nobody who writes waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tests.tournaments.factories import Hall, hall, sheet
from tournaments.audit.record import event_document
from tournaments.ledger import scorekeeping
from tournaments.models import LedgerEntry

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


class Meanwhile:
    """Another thread enters a hand that counts when half of the document has been read."""

    def __init__(self, here: Hall) -> None:
        self.here = here
        self.waited = False
        self._begun = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if "tournaments_sitting" in sql and not self._begun:
            self._begun = True
            other = threading.Thread(target=self._enter)
            other.start()
            other.join(60)
            self.waited = other.is_alive()
        return execute(sql, params, many, context)

    def _enter(self) -> None:
        place, by = self.here.sitting, self.here.referee
        facts: dict[str, Any] = {"facts": sheet(80), "hand_no": 1, "basis": "watched"}
        try:
            scorekeeping.record_hand(sitting_id=place.pk, actor=by, at=self.here.event.created_at, **facts)
        finally:
            connection.close()


@pytest.mark.long
def test_an_export_in_the_middle_of_an_act_is_of_one_moment() -> None:
    here = hall()
    before = event_document(here.event, official=True)
    meanwhile = Meanwhile(here)
    with connection.execute_wrapper(meanwhile):
        during = event_document(here.event, official=True)
    assert not meanwhile.waited
    assert LedgerEntry.objects.count() == 1
    assert during == before
    after = event_document(here.event, official=True)
    assert len(after["ledger"]) == 1
    assert after["digest"] != before["digest"]
