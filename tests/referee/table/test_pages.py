"""The table page as plain forms: every state, every act, what is shown and what never."""

from __future__ import annotations

import pytest

from tests.referee.table.places import DIG, FORM, address, browser_of, hall
from tournaments.models import Call, EntryStatus, LedgerEntry

pytestmark = pytest.mark.django_db


def test_enter_then_confirm() -> None:
    place = hall()
    ns, ew = browser_of(place.ns), browser_of(place.ew)
    assert "Send to E–W" in ns.get(address(place.ns)).content.decode()
    sent = ns.post(address(place.ns, "enter"), DIG, follow=True)
    assert "Take back the entry" in sent.content.decode()
    assert "/confirm/" in sent.content.decode()  # only with the other side's PIN
    page = ew.get(address(place.ew)).content.decode()
    assert "Confirm 165: E–W take the deal, +2" in page
    entry = LedgerEntry.objects.get()
    answer = ew.post(address(place.ew, "confirm"), {"entry": entry.pk, "version": 1})
    assert answer.status_code == 303
    entry.refresh_from_db()
    assert entry.status == EntryStatus.EFFECTIVE
    assert "Hand 1 counts." in ns.get(address(place.ns)).content.decode()
