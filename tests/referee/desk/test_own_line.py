"""The line that the dealer sets (庄家自定上台分数): asked for where one deck is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.tournaments.playing import event
from tournaments.models import LedgerEntry, Sitting

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.acts.access import Actor

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.mark.parametrize(("profile", "asks"), [("wiki-one-deck", True), ("cn-national-2d", False)])
def test_a_hand_is_entered_with_its_line(sign_in: Callable[[Actor], Client], profile: str, asks: bool) -> None:
    made: Any = event(2, profile=profile)
    made.running((1, 2))
    table = Sitting.objects.get()
    chief = sign_in(made.actor)
    here = f"/desk/{made.tournament.slug}/rounds/1/tables/1/enter/"
    page = chief.get(here)
    assert page.status_code == 200
    assert ('name="line"' in page.content.decode()) is asks
    if not asks:
        return
    typed = {
        "kind": "hand",
        "revision": str(table.revision),
        "hand_no": "1",
        "dealer": "N",
        "level": str(table.opening["levels"]["NS"]),
        "trump": "H",
        "captured_in_tricks": "35",
        "last_trick_winner": "dealer",
        "line": "35",
        "basis": "signed_sheet",
        "key": "k1",
    }
    done = chief.post(here, typed)
    assert done.status_code == 303, done.content.decode()[-6000:]
    assert LedgerEntry.objects.get(kind="hand").facts["line"] == 35
    seen = chief.get(f"/en/e/{made.tournament.slug}/rounds/1/tables/1/").content.decode()
    assert "Line of the dealer" in seen or "variant.own_line" in seen
    beyond = chief.post(here, typed | {"line": "33", "hand_no": "2", "key": "k2"})
    assert "must lie between 5 and 100" in beyond.content.decode()
