"""The deals of a duplicate session, from the promise at the desk to the hands on the page of each board."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.api.hall import desk
from tests.tournaments.factories import signed_in
from tests.tournaments.playing import Event
from tests.tournaments.test_deals import over, teams
from tournaments.models import Dealing, HistoryEntry

pytestmark = pytest.mark.django_db


def at(made: Event, part: str = "") -> str:
    return f"/desk/{made.tournament.slug}/stages/1/deals/{part}"


def public(made: Event, part: str) -> str:
    return f"/en/e/{made.tournament.slug}/stages/1/{part}"


def test_from_the_promise_to_the_hands() -> None:
    made = teams()
    client, anybody = signed_in(made.actor), Client()
    assert anybody.get(public(made, "deals/")).status_code == 404
    reader = made.actor.user.pk if made.actor.user else 0
    page = client.get(at(made))
    assert page.context["form"].initial == {"first": 1, "last": 2}
    assert client.post(at(made), {"first": 1, "last": 4, "reader": reader}).status_code == 303
    row = Dealing.objects.get()
    told = anybody.get(public(made, "deals/")).content.decode()
    assert row.commitment in told
    assert "not drawn yet" in told
    assert client.post(at(made, "1/slips/")).status_code == 409
    assert client.post(at(made, "1/lot/"), {"lot": 'it\'s "6"'}).status_code == 303
    slips = client.post(at(made, "1/slips/"), {"first": "2", "last": "3"})
    assert (slips["Content-Type"], slips.content[:4]) == ("application/pdf", b"%PDF")
    assert "no-store" in slips["Cache-Control"]
    assert HistoryEntry.objects.filter(act="read_deals").get().new["boards"] == 2
    assert anybody.get(public(made, "deals/1/records.pdf")).status_code == 404
    assert client.post(at(made, "1/show/")).status_code == 409
    over(made)
    assert b"pocket-N" not in anybody.get(public(made, "boards/1/")).content
    assert client.post(at(made, "1/check/")).status_code == 200
    assert client.post(at(made, "1/show/")).status_code == 303
    row.refresh_from_db()
    told = anybody.get(public(made, "deals/")).content.decode()
    assert row.secret in told
    assert "&#x27;it&#x27;&quot;&#x27;&quot;&#x27;s &quot;6&quot;&#x27; 1 4 2" in told
    assert b"pocket-kitty" in anybody.get(public(made, "boards/1/")).content
    assert anybody.get(public(made, "deals/1/records.pdf")).content[:4] == b"%PDF"
    assert b"def deal(" in anybody.get("/deals.py").content


def test_what_is_refused_stands_at_its_field() -> None:
    made = teams()
    client = signed_in(made.actor)
    assert client.post(at(made), {"first": 3, "last": 2, "reader": ""}).status_code == 400
    client.post(at(made), {"first": 1, "last": 2, "reader": ""})
    again = client.post(at(made), {"first": 2, "last": 3, "reader": ""})
    assert again.status_code == 409
    assert "promised already" in again.content.decode()
    empty = client.post(at(made, "1/lot/"), {"lot": "  "})
    assert empty.status_code == 400
    assert 'aria-invalid="true"' in empty.content.decode()
    assert client.get(at(made, "9/lot/")).status_code in (302, 404)
    assert client.post(at(made, "9/lot/"), {"lot": "1"}).status_code == 404


def test_the_same_through_the_api() -> None:
    made = teams()
    hall = desk(made.actor)
    there = f"events/{made.tournament.slug}/stages/1/deals/"
    assert hall.post(there, {"first_board": 1, "last_board": 3}).status == 201
    drawn = hall.post(f"{there}1/lot/", {"lot": "17"})
    assert (drawn.status, drawn.json["lot"], drawn.json["secret"]) == (200, "17", None)
    assert hall.post(f"{there}1/show/", {}).error["code"] == "deals_wait"
    over(made)
    shown = hall.post(f"{there}1/show/", {})
    assert len(shown.json["fingerprints"]) == 3
    (listed,) = hall.get(there).json["results"]
    assert listed == shown.json
