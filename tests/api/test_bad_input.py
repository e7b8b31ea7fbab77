"""Bad input gets its stated answer on both databases, and loses nothing: never a 500, never half a write."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from tests.api.client import Answer, Api
from tests.api.hall import ApiHall, api_hall
from tests.tournaments import factories
from tournaments.models import Entrant, LedgerEntry

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def here(db: None) -> ApiHall:
    return api_hall()


def record(here: ApiHall, facts: Any, hand_no: Any = 1) -> Answer:
    return here.ns.post(f"{here.sitting}/hands/", {"facts": facts, "hand_no": hand_no})


def refused(answer: Answer, *statuses: int) -> dict[str, Any]:
    """The error of an answer that refuses, in the one envelope, with a sentence in both languages."""
    assert answer.status in statuses, (answer.status, answer.raw[:300])
    error = answer.error
    assert error["code"]
    assert error["message"]["en"]
    assert error["message"]["zh"]
    return error


POINTS = [
    1,
    77,
    5.0,
    80.0000001,
    "80",
    "８０",
    "८०",
    "²",
    " 80 ",
    "080",
    "0x50",
    True,
    None,
    [],
    {},
    -5,
    205,
    2**31,
    2**63,
    10**400,
]


@pytest.mark.parametrize("points", POINTS, ids=repr)
def test_points_that_cannot_be(here: ApiHall, points: Any) -> None:
    error = refused(record(here, here.first() | {"captured_in_tricks": points}), 400)
    assert "captured_in_tricks" in {one["field"] for one in error["findings"]} | {error["field"]}
    assert LedgerEntry.objects.count() == 0


def test_an_exponent_is_no_whole_number(here: ApiHall) -> None:
    raw = json.dumps({"facts": here.first(), "hand_no": 1}).replace("35", "1e2").encode()
    refused(here.ns.call("POST", f"{here.sitting}/hands/", raw=raw), 400)
    assert LedgerEntry.objects.count() == 0


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        (factories.sheet(83), "not_a_multiple_of_5"),
        (factories.dig(160, 60), "above_deck_total"),
        (factories.dig(60, 85), "kitty_too_rich"),
        (factories.sheet(60, last_trick_winner="attackers", kitty_points=10), "shape_missing"),
        (factories.dig(60, 10) | {"led": [{"type": "tractor", "width": 2, "length": 13}]}, "shape_too_long"),
    ],
)
def test_sheets_that_break_a_rule_cite_it(here: ApiHall, facts: dict[str, Any], code: str) -> None:
    error = refused(record(here, facts), 400)
    found = next(one for one in error["findings"] if one["code"] == code)
    assert found["clause"]
    assert LedgerEntry.objects.count() == 0


@pytest.mark.parametrize(
    "facts",
    [
        None,
        [],
        "x",
        7,
        {},
        {"kind": "hand"},
        {"kind": "joke"},
        factories.sheet(nonsense=1),
        factories.sheet(dealer="X"),
        factories.sheet(trump="Z"),
        factories.sheet(level="1"),
        factories.sheet(level=2),
        factories.sheet(throw_failures="no"),
        factories.sheet(throw_failures=[{"side": "dealer", "cards": 0}]),
        factories.sheet(led=[{"type": "bomb"}]),
        factories.sheet(adjustments=[{"points": 3, "why": "x"}]),
        factories.sheet(kind="adjusted"),
    ],
    ids=repr,
)
def test_facts_that_are_no_sheet(here: ApiHall, facts: Any) -> None:
    refused(record(here, facts), 400, 403, 422)
    assert LedgerEntry.objects.count() == 0


@pytest.mark.parametrize(
    ("hand_no", "statuses"),
    [
        (0, (409, 422)),
        (-1, (409, 422)),
        (2, (409, 422)),
        (10**9, (409, 422)),
        ("1", (422,)),
        (True, (422,)),
        (1.0, (422,)),
        (None, (400, 422)),
        (2**70, (409, 422)),
    ],
    ids=repr,
)
def test_hand_numbers_out_of_order(here: ApiHall, hand_no: Any, statuses: tuple[int, ...]) -> None:
    refused(record(here, here.first(), hand_no), *statuses)
    assert LedgerEntry.objects.count() == 0


def test_a_hand_number_that_is_taken(here: ApiHall) -> None:
    here.counts()
    assert refused(record(here, here.first(50)), 409)["code"] == "already_recorded"


def test_keys(here: ApiHall) -> None:
    path, body = f"{here.sitting}/hands/", {"facts": here.first(), "hand_no": 1}
    first = here.ns.post(path, body, Idempotency_Key="k1")
    again = here.ns.post(path, body, Idempotency_Key="k1")
    assert (first.status, again.status) == (201, 201)
    assert first.json | {"replayed": True} == again.json
    other = here.ns.post(path, body | {"facts": here.first(40)}, Idempotency_Key="k1")
    assert refused(other, 422)["code"] == "key_reused"
    assert refused(here.ns.post(path, body, Idempotency_Key="k2"), 409)["code"] == "already_recorded"
    confirm = f"{here.sitting}/entries/{first.json['entry']}/confirm/"
    assert here.ew.post(confirm, {}, Idempotency_Key="k1").status == 200  # another party's keys are its own
    assert LedgerEntry.objects.count() == 1


@pytest.mark.parametrize("key", ["x" * 256, "a\x01b", "cl\u00e9", ""])
def test_keys_that_are_none(here: ApiHall, key: str) -> None:
    answer = here.ns.post(f"{here.sitting}/hands/", {"facts": here.first(), "hand_no": 1}, Idempotency_Key=key)
    error = refused(answer, 400)
    assert (error["code"], error["field"]) == ("key_not_allowed", "key")


@pytest.mark.parametrize(
    ("tag", "status"),
    [
        (None, 428),
        ("*", 428),
        ('W/"0"', 412),
        ('"99"', 412),
        ("1", 412),
        ('"x"', 412),
        ('"-1"', 412),
        ('"1", "2"', 412),
    ],
)
def test_corrections_state_what_they_saw(here: ApiHall, tag: str | None, status: int) -> None:
    entry = here.counts()
    body = {"facts": here.first(40), "reason": "misread", "treatment": "recompute"}
    headers = {} if tag is None else {"If_Match": tag}
    refused(here.referee.post(f"entries/{entry}/corrections/", body, **headers), status)
    assert LedgerEntry.objects.count() == 1


def test_the_tag_of_a_packed_answer_names_its_revision(here: ApiHall) -> None:
    entry = here.counts()
    answer = here.referee.get(f"{here.sitting}/", Accept_Encoding="gzip")
    assert answer.headers["ETag"].startswith('W/"')
    body = {"facts": here.first(40), "reason": "misread", "treatment": "recompute"}
    tag = answer.headers["ETag"]
    assert here.referee.post(f"entries/{entry}/corrections/", body, If_Match=tag).status == 201


def test_of_two_corrections_from_one_version_one_wins(here: ApiHall) -> None:
    entry = here.counts()
    etag = here.referee.get(f"{here.sitting}/").headers["ETag"]
    body = {"facts": here.first(40), "reason": "misread", "treatment": "recompute"}
    assert here.referee.post(f"entries/{entry}/corrections/", body, If_Match=etag).status == 201
    refused(here.chief.post(f"entries/{entry}/corrections/", body, If_Match=etag), 412, 404, 409)
    assert LedgerEntry.objects.filter(status="effective").count() == 1


IDS = ["-1", str(2**64), "1 OR 1=1", "..%2f", "%00", "7f8a6b1e-0000-4000-8000-000000000000", "999999999"]


@pytest.mark.parametrize("wrong", IDS)
@pytest.mark.parametrize(
    "path",
    [
        "sittings/{}/",
        "entries/{}/corrections/preview/",
        "calls/{}/take/",
        "corrections/{}/approve/",
        "matches/{}/forfeit/",
        "events/{}/",
        "events/{}/history/",
    ],
)
def test_ids_that_are_nobody(here: ApiHall, path: str, wrong: str) -> None:
    method = "GET" if path.startswith(("sittings", "events")) else "POST"
    body = {"facts": {}, "outcome": "home_forfeit", "reason": "x"}
    sent = {"entries": {"facts": {}}, "matches": {"outcome": "home_forfeit", "reason": "x"}}.get(path.split("/")[0])
    answer = here.chief.call(method, path.format(wrong), sent if method == "POST" else None)
    refused(answer, 404)
    assert body


def test_another_events_ids_answer_like_nobody(here: ApiHall) -> None:
    other = api_hall()
    entry = other.counts()
    assert refused(here.referee.post(f"{other.sitting}/hands/", {"facts": here.first(), "hand_no": 2}), 404)
    assert refused(here.ns.post(f"{other.sitting}/hands/", {"facts": here.first(), "hand_no": 2}), 403, 404)
    assert refused(here.referee.post(f"entries/{entry}/corrections/preview/", {"facts": here.first()}), 404)
    assert refused(here.ns.post(f"{here.sitting}/entries/{entry}/confirm/", {}), 404)
    refused(here.organiser.call("PATCH", f"{other.path}/", {"name": "Mine"}), 403, 404)
    refused(here.organiser.call("GET", f"{other.path}/history/"), 403, 404)
    number = Entrant.objects.filter(tournament=here.event).count() + 1
    body = {"pairs": [{"home": number, "away": number + 1, "table": 1}]}
    refused(here.organiser.post(f"{here.path}/rounds/1/pair/", body), 400, 409, 422)
    assert LedgerEntry.objects.filter(sitting=here.hall.sitting).count() == 0


@pytest.mark.parametrize(
    "header",
    [
        "Bearer nonsense",
        "Bearer ",
        "Device",
        "Device x",
        "Device x:y",
        "Device :",
        "Bearer a b",
        "Device d1:" + "x" * 500,
    ],
)
def test_credentials_that_are_none(here: ApiHall, header: str) -> None:
    answer = Api(header).post(f"{here.sitting}/hands/", {"facts": here.first(), "hand_no": 1})
    assert refused(answer, 401)["code"] == "unauthenticated"


def test_a_released_device_is_out_at_once(here: ApiHall) -> None:
    here.waits()
    device = here.hall.ew.device
    assert device is not None
    assert here.chief.call("DELETE", f"devices/{device.public_id}/").status == 204
    refused(here.ew.get(f"{here.sitting}/"), 401)


@pytest.mark.parametrize(
    ("raw", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b'{"hand_no": 1, "hand_no": 1}', "application/json", 400),
        (b'{"facts": NaN}', "application/json", 400),
        (b'{"facts": 1e400}', "application/json", 400),
        (b'{"facts": "\\u0000"}', "application/json", 400),
        (b'{"facts": "\\ud800"}', "application/json", 400),
        (b'{"facts": "\xff"}', "application/json", 400),
        (b"[" * 10_000, "application/json", 400),
        (b'{"facts": ' + b"9" * 5_000 + b"}", "application/json", 400),
        (b"[]", "application/json", 400),
        (b'"x"', "application/json", 400),
        (b"null", "application/json", 400),
        (b'{"a": "' + b"x" * 1_100_000 + b'"}', "application/json", 413),
        (b'{"facts": {}}', "text/plain", 415),
        (b"facts=1", "application/x-www-form-urlencoded", 415),
        (b'{"facts": {}}', "application/xml", 415),
    ],
)
def test_bodies_that_are_no_json(here: ApiHall, raw: bytes, kind: str, status: int) -> None:
    refused(here.ns.call("POST", f"{here.sitting}/hands/", raw=raw, kind=kind), status)


@pytest.mark.parametrize(
    ("body", "field", "code", "said"),
    [
        ([], None, "not_a_dict", "This must be an object."),
        ({"number": 9, "name": "Nine", "players": {}}, "players", "not_a_list", "This must be a list."),
        ({"number": 9, "name": "Nine", "players": ["x"]}, "players.0", "not_a_dict", "This must be an object."),
    ],
)
def test_what_is_of_another_shape_is_told_in_words_of_json(
    here: ApiHall, body: Any, field: str | None, code: str, said: str
) -> None:
    error = refused(here.organiser.post(f"{here.path}/entrants/", body), 400)
    assert (error["field"], error["code"], error["message"]["en"]) == (field, code, said)


def test_a_body_of_which_nothing_would_be_read(here: ApiHall) -> None:
    """Where it is not known how long it is, it would be taken for empty, and the act be done without it."""
    for path in ("/api/v1/hands/", "/desk/sign-in/"):
        answer = Client().generic("POST", path, b"", HTTP_TRANSFER_ENCODING="chunked")
        assert answer.status_code == 411
        assert "Content-Length" in answer.content.decode()


def test_what_the_front_end_answers_itself(here: ApiHall) -> None:
    assert refused(here.nobody.call("PUT", "events/"), 405)["code"] == "method_not_allowed"
    assert refused(here.nobody.get("events/", Accept="application/xml"), 406)["code"] == "not_acceptable"
    assert refused(here.nobody.get("no/such/address/"), 404)["code"] == "not_found"
    for query in ("limit=0", "limit=x", "limit=999", "after=%20", "after=zzz", "after=-1"):
        assert refused(here.nobody.get(f"events/?{query}"), 400)["code"] == "bad_query"


NAMES = [
    ("x" * 10_000, 400),
    ("", 400),
    ("   ", 400),
    ("Ann \u202e ylliB", 400),
    ("A\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308", 400),
    ("A\u200bnn", 400),
    ("Ann\nBob", 400),
    (7, 400),
    (None, 400),
    ({}, 400),
    ("<img src=x onerror=alert(1)>", 201),
    ("{{7*7}}", 201),
    ("${jndi:ldap://x}", 201),
    ("=HYPERLINK(1)", 201),
    ("Robert); DROP TABLE", 201),
    ("王芳", 201),
]


@pytest.mark.parametrize(("name", "status"), NAMES, ids=lambda value: repr(value)[:30])
def test_names(here: ApiHall, name: Any, status: int) -> None:
    answer = here.organiser.post(f"{here.path}/entrants/", {"name": name})
    assert answer.status == status, answer.raw[:300]
    if status == 201:
        assert answer.json["name"] == name
    else:
        refused(answer, 400)


def test_two_spellings_of_one_name_are_one(here: ApiHall) -> None:
    assert here.organiser.post(f"{here.path}/entrants/", {"name": "Zo\u0065\u0301"}).json["name"] == "Zo\u00e9"


HEAD = "number,external_id,name,player1,player2\n"
FILES: list[tuple[bytes, str, int]] = [
    (b"", "text/csv", 400),
    (HEAD.encode() + b'1,a,"Ann', "text/csv", 400),
    (HEAD.encode() + b"1,a,\xff\xfe,x,y\n", "text/csv", 400),
    (HEAD.encode() + b"x" * 2_100_000, "text/csv", 413),
    (HEAD.encode() + b"1,a,Ann,Ann,Bob\n" * 6_000, "text/csv", 400),
    (HEAD.encode() + b"1,a,Ann,A,B\n2,a,Cid,C,D\n", "text/csv", 200),
    (HEAD.encode() + b"1,a,Ann,A,B\n2,b,Cid,A,D\n", "text/csv", 200),
    (b"not a zip", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 400),
    (HEAD.encode(), "application/pdf", 415),
]


@pytest.mark.parametrize(("data", "kind", "status"), FILES, ids=range(len(FILES)))
def test_files_that_cannot_be_imported(here: ApiHall, data: bytes, kind: str, status: int) -> None:
    before = Entrant.objects.count()
    answer = here.organiser.call("POST", f"{here.path}/entrants/import/", raw=data, kind=kind)
    assert answer.status in (status, 200), answer.raw[:300]
    if answer.status == 200:
        plan = answer.json
        assert plan["problems"]
        again = here.organiser.call("POST", f"{here.path}/entrants/import/?plan={plan['plan']}", raw=data, kind=kind)
        refused(again, 400, 409, 422)
    else:
        refused(answer, status)
    assert Entrant.objects.count() == before


def test_namesakes_are_stated_by_row(here: ApiHall) -> None:
    data, path = b"player1,player2\nAnn,Ben\nCay,Ann\n", f"{here.path}/entrants/import/"

    def send(query: str) -> Any:
        return here.organiser.call("POST", f"{path}?{query}", raw=data, kind="text/csv")

    asked = send("").json
    assert [(one["row"], one["code"]) for one in asked["problems"]] == [(3, "namesake")]
    assert refused(send("namesakes=3,x"), 400)["field"] == "namesakes"
    refused(send(f"plan={asked['plan']}"), 400)
    for stated in ("3", "all"):
        plan = send(f"namesakes={stated}").json
        assert (plan["problems"], plan["namesakes"]) == ([], [3])
    assert len(send(f"plan={asked['plan']}&namesakes=3").json["new"]) == 2


def test_a_plan_that_was_overtaken_is_not_applied(here: ApiHall) -> None:
    data = (HEAD + "11,new,Ann,A,B\n").encode()
    plan = here.organiser.call("POST", f"{here.path}/entrants/import/", raw=data, kind="text/csv").json
    assert here.organiser.post(f"{here.path}/entrants/", {"name": "Between"}).status == 201
    path = f"{here.path}/entrants/import/?plan={plan['plan'][:-1]}0"
    refused(here.organiser.call("POST", path, raw=data, kind="text/csv"), 409, 412, 400)


def test_fields_that_a_client_may_not_set(here: ApiHall) -> None:
    for name in ("profile_digest", "demo", "lot_seed", "stale_number", "created_by"):
        error = refused(here.organiser.call("PATCH", f"{here.path}/", {name: 1}), 400)
        assert error["code"] == "unknown_field"
    body = {"facts": here.first(), "hand_no": 1, "status": "effective", "confirmed_side": "EW"}
    assert refused(here.ns.post(f"{here.sitting}/hands/", body), 400)["code"] == "unknown_field"


def test_waiting_hands_are_not_public(here: ApiHall) -> None:
    here.waits(here.first(115))
    for path in (f"{here.sitting}/", f"{here.sitting}/entries/", f"{here.path}/export/", f"{here.path}/rounds/1/"):
        shown = here.nobody.get(path)
        assert shown.status == 200
        assert not re.search(rb"(?<![\w.])115(?!\w)", shown.raw)  # a number by itself: digests hold any digits
    assert here.ew.ok("GET", f"{here.sitting}/")["waiting"]["facts"]["captured_in_tricks"] == 115
    assert here.referee.ok("GET", f"{here.sitting}/")["waiting"]
