"""Officials over the API: appointed, invited, accepted, and the link of a new one."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.api.client import Api, signed_in
from tests.api.hall import api_hall
from tournaments.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "quiet-Harbour-77"


def test_a_new_official_gets_a_link_and_an_old_one_an_invitation() -> None:
    here = api_hall()
    path = f"{here.path}/officials/"
    new = here.organiser.post(path, {"username": "wang", "display_name": "王芳", "office": "referee", "tables": [1]})
    assert (new.status, new.json["user"], new.json["name"], new.json["tables"]) == (201, "wang", "王芳", [1])
    link = here.organiser.post(f"{path}{new.json['id']}/link/", {})
    assert link.status == 201
    address = link.json["link"][link.json["link"].index("/desk/") :]
    assert Client().post(address).status_code == 303

    User.objects.create_user(username="guest", password=PASSWORD, display_name="Guest")
    asked = here.organiser.post(path, {"username": "guest", "office": "chief_referee"})
    assert asked.status == 202
    assert asked.json == {
        "id": asked.json["id"],
        "event": here.event.slug,
        "user": "guest",
        "office": "chief_referee",
        "tables": [],
        "invited_at": asked.json["invited_at"],
    }
    assert here.organiser.ok("GET", f"{here.path}/invitations/")["results"] == [asked.json]

    guest = signed_in("guest", PASSWORD)
    assert guest.get(path).status == 403
    assert guest.ok("GET", "invitations/")["results"] == [asked.json]
    held = guest.post(f"invitations/{asked.json['id']}/accept/", {})
    assert (held.status, held.json["office"]) == (201, "chief_referee")
    assert guest.get(path).status == 200
    assert guest.post(f"invitations/{asked.json['id']}/accept/", {}).status == 404


def test_an_invitation_is_declined_or_withdrawn() -> None:
    here = api_hall()
    User.objects.create_user(username="guest", password=PASSWORD)
    guest = signed_in("guest", PASSWORD)
    path = f"{here.path}/officials/"
    one, two = (here.organiser.post(path, {"username": "guest", "office": office}).json["id"] for office in OFFICES)
    assert guest.call("DELETE", f"{here.path}/invitations/{two}/").status == 403
    assert guest.post(f"invitations/{one}/decline/", {}).status == 204
    assert here.organiser.call("DELETE", f"{here.path}/invitations/{two}/").status == 204
    assert guest.ok("GET", "invitations/")["results"] == []
    assert guest.get(path).status == 403
    assert Api().get("invitations/").status == 401


OFFICES = ("referee", "chief_referee")
