"""From a table card to a place, and who is kept out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from referee.table.places import PREFIX
from tests.referee.table.places import DIG, FORM, address, browser_of, by_referee, enter, hall, post, read
from tests.tournaments.factories import sheet
from tournaments.ledger import devices
from tournaments.ledger.codes import party_code_text
from tournaments.models import Device, EntryStatus, LedgerEntry, SittingPhase

if TYPE_CHECKING:
    from tests.tournaments.factories import Hall

pytestmark = pytest.mark.django_db


def card(place: Hall, side: str = "NS") -> str:
    Device.objects.update(released_at=timezone.now(), released_why="desk")
    codes = devices.issue_codes(tournament_id=place.event.pk, actor=place.organiser, at=timezone.now())
    return next(party_code_text(code) for code in codes if code.side == side)


def test_a_card_opens_a_place_with_one_tap() -> None:
    place = hall()
    code = card(place)
    phone = Client()
    page = phone.get(f"/t/{code.lower()}/").content.decode()
    assert "Table 1, North–South" in page
    assert "Pair 1" in page
    answer = phone.post(f"/t/{code}/")
    assert answer.status_code == 303
    assert code not in answer["Location"]
    assert answer["Referrer-Policy"] == "strict-origin"
    cookie = next(phone.cookies[name] for name in phone.cookies if name.startswith(PREFIX))
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert cookie.value not in answer["Location"]
    assert phone.get(answer["Location"]).status_code == 200
    # the same phone that scans again goes to its place
    assert phone.get(f"/t/{code}/")["Location"] == answer["Location"]


def test_a_second_phone_is_offered_the_place_and_the_first_is_told() -> None:
    place = hall()
    code = card(place)
    first, second = Client(), Client()
    home = first.post(f"/t/{code}/")["Location"]
    assert "This side already has a phone." in second.get(f"/t/{code}/").content.decode()
    assert second.post(f"/t/{code}/").status_code == 409
    assert second.post(f"/t/{code}/", {"take_over": "yes"}).status_code == 303
    gone = first.get(home)
    assert gone.status_code == 404
    assert "Another phone has taken over your side." in gone.content.decode()
    script = first.post(home + "enter/", FORM, headers={"Accept": "application/json"})
    assert (script.status_code, script.json()["code"]) == (404, "place_lost")


def test_an_unknown_code_says_so_and_keeps_it() -> None:
    answer = Client().get("/t/NOSUCHCODE/")
    assert answer.status_code == 404
    assert "No such code." in answer.content.decode()
    assert 'value="NOSUCHCODE"' in answer.content.decode()


def test_a_code_can_be_typed() -> None:
    place = hall()
    code = card(place)
    answer = Client().post("/table/", {"code": f"{code[:5]}-{code[5:]}".lower()})
    assert answer["Location"] == f"/t/{code}/"


def test_places_of_one_browser_stand_side_by_side() -> None:
    place = hall()
    browser = browser_of(place.ns, place.ew)
    assert browser.get("/table/").content.decode().count('class="panel spread"') == 2
    for side in (place.ns, place.ew):
        assert browser.get(address(side)).status_code == 200


ACTS = ["", "now", "record", "preview", "enter", "confirm", "take-back", "send-back", "call", "object"]


@pytest.mark.parametrize("act", ACTS)
def test_strangers_find_nothing(act: str) -> None:
    place, elsewhere = hall(), hall()
    for client in (Client(), browser_of(elsewhere.ns)):
        answer = (client.get if act in ("", "now", "record") else client.post)(address(place.ns, act))
        assert answer.status_code == 404
    stolen = Client()
    stolen.cookies[PREFIX + place.ns.device.public_id] = "guess"
    assert stolen.get(address(place.ns)).status_code == 404
    assert not LedgerEntry.objects.exists()


def test_entries_of_another_table_cannot_be_touched() -> None:
    place, elsewhere = hall(), hall()
    entry = enter(elsewhere.ns, DIG)
    for act in ("confirm", "take-back", "send-back", "object"):
        answer = post(place.ew, act, {"entry": entry.pk, "version": 1, "what": "points"}, script=True)
        assert answer.status_code == 404, act
    entry.refresh_from_db()
    assert entry.status == EntryStatus.WAITING


def test_acts_need_the_token_of_the_form() -> None:
    place = hall()
    client = Client(enforce_csrf_checks=True)
    client.cookies = browser_of(place.ns).cookies
    assert client.post(address(place.ns, "enter"), FORM).status_code == 403
    page = client.get(address(place.ns)).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(.+?)"', page)[1]
    assert client.post(address(place.ns, "enter"), FORM | {"csrfmiddlewaretoken": token}).status_code == 303


def test_pages_are_private_and_speak_the_language_of_reader_or_event() -> None:
    place = hall()
    place.event.language = "zh-hans"
    place.event.save()
    answer = browser_of(place.ns).get(address(place.ns))
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "strict-origin"
    assert 'lang="en"' in answer.content.decode()
    assert 'lang="zh-Hans"' in read(place.ns, language="zh-HK")
    assert 'lang="zh-Hans"' in read(place.ns, language="fr")


@pytest.mark.parametrize("act", ["", "now", "record"])
def test_questions_to_the_database_do_not_grow_with_hands(act: str, django_assert_max_num_queries: Any) -> None:
    place = hall()
    with django_assert_max_num_queries(12) as few:
        read(place.ns, act)
    first = len(few)
    for number in range(1, 5):
        by_referee(place, number, sheet(90))
    with django_assert_max_num_queries(first):
        read(place.ns, act)


def test_a_disputed_sitting_takes_no_entry() -> None:
    place = hall()
    enter(place.ns, FORM)
    post(place.ew, "enter", FORM | {"captured_in_tricks": "40"})
    place.sitting.refresh_from_db()
    assert place.sitting.phase == SittingPhase.DISPUTED
    answer = post(place.ns, "enter", FORM, script=True)
    assert answer.status_code == 409
