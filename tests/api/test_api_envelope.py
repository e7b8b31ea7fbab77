"""Every kind of refusal has the one shape, a code, and a sentence in both languages, whatever language is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache

from api.urls import events
from tests.api.client import Answer, Api
from tests.api.hall import ApiHall, api_hall
from tests.tournaments import factories
from tournaments.acts.guessing import PARTY_CODE

pytestmark = pytest.mark.django_db

KEYS = {"code", "field", "message", "findings"}
MORE = {"params", "current"}
HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture
def here(db: None) -> ApiHall:
    cache.clear()
    return api_hall()


def assert_sentence(message: Any) -> None:
    assert set(message) == {"en", "zh"}
    assert message["en"]
    assert not HAN.search(message["en"]), message
    assert HAN.search(message["zh"]), message


def assert_envelope(answer: Answer) -> dict[str, Any]:
    assert answer.headers["Content-Type"] == "application/json"
    assert "Authorization" in answer.headers["Vary"]
    assert answer.headers["Cache-Control"] in ("no-cache", "private, no-store")
    assert set(answer.json) == {"error"}
    error = answer.error
    assert set(error) >= KEYS
    assert set(error) <= KEYS | MORE
    assert re.fullmatch(r"[a-z][a-z0-9_]*", error["code"])
    assert error["field"] is None or isinstance(error["field"], str)
    assert_sentence(error["message"])
    for finding in error["findings"]:
        assert set(finding) >= {"code", "field", "blocking", "message"}
        assert_sentence(finding["message"])
    return error


def hand(here: ApiHall, **more: Any) -> dict[str, Any]:
    return {"facts": here.first(), "hand_no": 1, **more}


def correction(here: ApiHall, **headers: str) -> Answer:
    body = {"facts": here.first(40), "reason": "misread", "treatment": "recompute"}
    return here.referee.post(f"entries/{here.counts()}/corrections/", body, **headers)


def reused_key(here: ApiHall) -> Answer:
    here.ns.post(f"{here.sitting}/hands/", hand(here), Idempotency_Key="one")
    return here.ns.post(f"{here.sitting}/hands/", hand(here, hand_no=2), Idempotency_Key="one")


def taken(here: ApiHall) -> Answer:
    here.counts()
    return here.ns.post(f"{here.sitting}/hands/", hand(here, facts=here.first(50)))


def guessed(here: ApiHall) -> Answer:
    cache.set("tries:code:127.0.0.1", PARTY_CODE.address.most)
    return here.nobody.post("devices/", {"code": "ABCD2345"})


def appoint(here: ApiHall, body: Any) -> Answer:
    return here.organiser.post(f"{here.path}/officials/", body)


KINDS: dict[str, tuple[int, str, Callable[[ApiHall], Answer]]] = {
    "no JSON": (400, "bad_json", lambda here: here.ns.call("POST", f"{here.sitting}/hands/", raw=b"{")),
    "a twin key": (400, "bad_json", lambda here: here.nobody.call("POST", "devices/", raw=b'{"code":"a","code":"b"}')),
    "no object": (400, "not_a_dict", lambda here: here.ns.post(f"{here.sitting}/hands/", [])),
    "a field missing": (400, "required", lambda here: here.ns.post(f"{here.sitting}/hands/", {})),
    "a field too many": (400, "unknown_field", lambda here: here.ns.post(f"{here.sitting}/hands/", hand(here, x=1))),
    "null": (400, "null", lambda here: appoint(here, {"username": None, "office": "referee"})),
    "blank": (400, "blank", lambda here: appoint(here, {"username": "", "office": "referee"})),
    "a wrong type": (400, "invalid", lambda here: appoint(here, {"username": 7, "office": "referee"})),
    "no such choice": (400, "invalid_choice", lambda here: appoint(here, {"username": "x", "office": "king"})),
    "no list": (400, "not_a_list", lambda here: appoint(here, {"username": "x", "office": "referee", "tables": 1})),
    "too little": (
        400,
        "min_value",
        lambda here: here.chief.post(f"{here.path}/rounds/1/extend/", {"minutes": 0}),
    ),
    "too much": (400, "max_value", lambda here: here.chief.post(f"{here.path}/rounds/1/extend/", {"minutes": 601})),
    "too few": (400, "min_length", lambda here: here.chief.post(f"{here.path}/rounds/1/swap/", {"sittings": [1]})),
    "too many": (400, "max_length", lambda here: here.chief.post(f"{here.path}/rounds/1/swap/", {"sittings": [1] * 3})),
    "a bad query": (400, "bad_query", lambda here: here.nobody.get("events/?limit=x")),
    "a bad sheet": (
        400,
        "not_a_multiple_of_5",
        lambda here: here.ns.post(f"{here.sitting}/hands/", hand(here, facts=here.first(83))),
    ),
    "a text missing": (
        400,
        "blank",
        lambda here: here.chief.post(f"{here.sitting}/reopen/", {"reason": ""}, If_Match='"0"'),
    ),
    "a bad token": (401, "unauthenticated", lambda here: Api("Bearer nonsense").get("events/")),
    "a bad device": (401, "unauthenticated", lambda here: Api("Device d1:x").get("events/")),
    "no token": (401, "unauthenticated", lambda here: here.nobody.get("tokens/")),
    "a wrong password": (
        401,
        "unauthenticated",
        lambda here: here.nobody.post("tokens/", {"username": "nobody", "password": "x"}),
    ),
    "not allowed": (403, "forbidden", lambda here: here.referee.get(f"{here.path}/codes/")),
    "no such address": (404, "not_found", lambda here: here.nobody.get("nowhere")),
    "an address over two lines": (404, "not_found", lambda here: here.nobody.get("events/a%0Ab/standings/")),
    "no such event": (404, "not_found", lambda here: here.nobody.get("events/none/")),
    "no such sitting": (404, "not_found", lambda here: here.chief.post("sittings/999999/calls/", {})),
    "no such code": (404, "unknown_code", lambda here: here.nobody.post("devices/", {"code": "ABCD2345"})),
    "another method": (405, "method_not_allowed", lambda here: here.nobody.call("PATCH", "events/")),
    "another format": (406, "not_acceptable", lambda here: here.nobody.get("events/", Accept="text/html")),
    "a hand taken": (409, "already_recorded", taken),
    "stale": (412, "stale", lambda here: correction(here, If_Match='"99"')),
    "too large": (
        413,
        "too_large",
        lambda here: here.ns.call("POST", f"{here.sitting}/hands/", raw=b'"' + b"x" * 1_000_001 + b'"'),
    ),
    "too many questions": (413, "too_many_questions", lambda here: here.nobody.post("rules/ask", [{}] * 1001)),
    "another type": (
        415,
        "unsupported_media_type",
        lambda here: here.ns.call("POST", f"{here.sitting}/hands/", raw=b"{}", kind="text/plain"),
    ),
    "a key reused": (422, "key_reused", reused_key),
    "no version": (428, "version_not_stated", correction),
    "too fast": (429, "too_fast", guessed),
}


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_refusal_has_one_shape(here: ApiHall, kind: str, language: str) -> None:
    status, code, ask = KINDS[kind]
    for api in (here.nobody, here.ns, here.ew, here.referee, here.chief, here.organiser):
        api.client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    answer = ask(here)
    error = assert_envelope(answer)
    assert (answer.status, error["code"]) == (status, code)
    if status == 401:
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    if status == 429:
        assert int(answer.headers["Retry-After"]) > 0


def test_a_failure_of_ours_is_told_and_tells_nothing(here: ApiHall, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(event: Any) -> None:
        raise RuntimeError("secret inside")

    monkeypatch.setattr(events.public, "public_rounds", broken)
    answer = here.nobody.get(f"{here.path}/")
    assert (answer.status, assert_envelope(answer)["code"]) == (500, "server")
    assert b"secret" not in answer.raw


def test_a_conflict_shows_what_stands(here: ApiHall) -> None:
    error = assert_envelope(taken(here))
    assert error["current"]["sitting"] == here.hall.sitting.pk
    assert error["current"]["revision"] == here.nobody.ok("GET", f"{here.sitting}/")["revision"]


def test_all_problems_of_a_body_come_at_once(here: ApiHall) -> None:
    error = assert_envelope(appoint(here, {"office": "king", "tables": [0, "x"], "more": 1}))
    assert (error["code"], error["field"]) == ("unknown_field", "more")
    error = assert_envelope(appoint(here, {"office": "king", "tables": [0, "x"]}))
    found = {(one["field"], one["code"]) for one in error["findings"]}
    assert {("username", "required"), ("office", "invalid_choice")} <= found
    assert any(field and field.startswith("tables") for field, _ in found)


def test_all_problems_of_a_sheet_come_at_once(here: ApiHall) -> None:
    facts = factories.dig(83, 500)
    error = assert_envelope(here.ns.post(f"{here.sitting}/hands/", hand(here, facts=facts)))
    assert {one["code"] for one in error["findings"]} >= {"not_a_multiple_of_5", "kitty_too_rich"}
    assert all(one["clause"] for one in error["findings"])
