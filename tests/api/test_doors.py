"""What the desk's pages can do, the API can: boards, substitutes, a draft, own codes; and what an address takes."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from api.urls import urlpatterns
from tests.api.client import Api
from tests.api.hall import desk
from tests.tournaments import playing
from tests.tournaments.test_boards import rooms, teams

pytestmark = pytest.mark.django_db

AVERAGE = {"artificial": "average"}


def keyed(key: str) -> dict[str, str]:
    return {"Idempotency_Key": key}


@pytest.mark.long
def test_a_board_is_adjusted_and_taken_back_once() -> None:
    made = teams()
    opened, _closed = rooms(made.running((1, 2), (3, 4)))
    api, address = desk(made.actor), f"sittings/{opened.pk}/boards/1/adjust/"
    body = {"ns": AVERAGE, "reason": "soiled", "clause": "penalty.misboard.board"}
    assert api.call("POST", address, body).status == 428
    first, again = (api.call("POST", address, body, If_Match='"0"', **keyed("one")) for _ in range(2))
    assert (first.status, first.json) == (200, again.json)
    assert (first.json["result"]["ns"], first.json["result"]["ew"]) == (AVERAGE, AVERAGE)
    revision = f'"{first.json["revision"]}"'
    assert api.call("POST", address, body | {"clause": "x"}, If_Match=revision).error["code"] == "clause_required"
    assert api.call("DELETE", address, {"reason": "no"}, If_Match='"0"').status == 412
    back = api.call("DELETE", address, {"reason": "played"}, If_Match=revision)
    assert (back.status, back.json["result"]) == (200, None)


def test_the_boards_of_a_stage_are_set() -> None:
    made = teams(rounds_planned=2)
    api, address = desk(made.actor), f"events/{made.tournament.slug}/stages/1/boards/"
    assert [row["number"] for row in api.ok("POST", address, {})["results"]] == [1, 2, 3, 4]
    row = {"number": 3, "dealer": "E", "level": "10", "trump": "H"}
    assert api.ok("POST", address, {"boards": [row]})["results"][2] == row
    assert api.call("POST", address, {"boards": [row | {"level": "1"}]}).status == 400
    assert api.ok("GET", address)["results"][2] == row


@pytest.mark.long
def test_players_are_substituted_and_a_draft_is_changed_once() -> None:
    made = playing.event(4)
    api, event = desk(made.actor), f"events/{made.tournament.slug}"
    body = {"players": [{"name": "甲"}, {"name": "乙"}], "reason": "ill"}
    first, again = (api.call("POST", f"{event}/entrants/1/substitute/", body, **keyed("two")) for _ in range(2))
    assert (first.status, first.json) == (200, again.json)
    assert [one["name"] for one in first.json["players"]] == ["甲", "乙"]
    made.paired((1, 2), (3, 4))
    body = {"entrants": [2, 4], "reason": "same unit"}
    first, again = (api.call("POST", f"{event}/rounds/1/exchange/", body, **keyed("three")) for _ in range(2))
    assert (first.status, first.json["draw"]["number"]) == (200, again.json["draw"]["number"])
    rows = api.ok("GET", f"{event}/rounds/1/")["matches"]
    assert {(one["home"]["number"], one["away"]["number"]) for one in rows} == {(1, 4), (3, 2)}
    assert api.call("POST", f"{event}/rounds/1/exchange/", body | {"entrants": [1, 9]}).status == 404


def test_own_codes_are_issued_and_replaced_once() -> None:
    made = playing.event(2)
    api, event = desk(made.actor), f"events/{made.tournament.slug}"
    assert api.ok("GET", f"{event}/entrant-codes/")["results"] == []
    issued = api.call("POST", f"{event}/entrant-codes/")
    assert (issued.status, [one["entrant"] for one in issued.json["results"]]) == (201, [1, 2])
    first, again = (api.call("POST", f"{event}/entrants/1/code/", **keyed("four")) for _ in range(2))
    assert (first.status, again.status, again.error["code"]) == (201, 409, "shown_once")
    now = api.ok("GET", f"{event}/entrant-codes/")["results"]
    assert now == [first.json, issued.json["results"][1]]
    assert first.json != issued.json["results"][0]


@pytest.mark.parametrize(
    ("address", "warns"),
    [("http://127.0.0.1:8000", True), ("http://localhost", True), ("http://192.168.1.7:8000", False)],
)
def test_codes_that_open_nothing_on_a_phone_are_warned_of(address: str, warns: bool) -> None:
    """On the pages with the buttons and in every answer of the API that is printed from."""
    made = playing.event(4)
    made.published((1, 2), (3, 4))
    api, event = desk(made.actor), f"events/{made.tournament.slug}"
    client = Client()
    client.force_login(made.actor.user)
    with override_settings(PUBLIC_URL=address):
        for path in ("codes/", "entrant-codes/"):
            warning = api.ok("GET", f"{event}/{path}")["warning"]
            assert (warning is not None and "PUBLIC_URL" in warning["zh"] and "HOST=lan" in warning["en"]) is warns
        for path in ("rounds/1/cards.pdf", "entrant-codes.pdf"):
            answer = client.get(f"/api/v1/{event}/{path}", headers={"Authorization": api.authorization})
            assert answer.status_code == 200
            assert (b"PUBLIC_URL" in answer.headers.get("Referee-Warning", "").encode()) is warns
        for path in ("", "attendance/"):
            assert (b"PUBLIC_URL" in client.get(f"/desk/{made.tournament.slug}/{path}").content) is warns


NAMES = {"slug": "no-such", "profile_id": "x", "clause_id": "x", "side": "NS", "token_id": "x", "public_id": "x"}


@pytest.mark.parametrize("route", [one for one in urlpatterns if one.name != "nothing"], ids=lambda one: one.name)
def test_options_tell_what_an_address_takes(route: Any) -> None:
    known = {name: NAMES.get(name, 1) for name in route.pattern.regex.groupindex}
    answer = Client().options(reverse(f"api:{route.name}", kwargs=known))
    assert answer.status_code == 200, answer.content
    taken = {name.strip() for name in answer["Allow"].split(",")} - {"OPTIONS", "HEAD"}
    assert taken
    if route.name not in ("reader", "schema"):
        methods = answer.json()["methods"]
        assert taken <= set(methods)
        assert all(methods.values())


def test_options_of_no_address() -> None:
    assert Client().options("/api/v1/nothing/").status_code == 404
    assert Api().call("OPTIONS", "events/").status == 200
