"""Every write of the product, sent twice with one key, is one act: walked over all addresses of the access matrix."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import Model
from django.http import HttpResponseBase
from django.template import engines
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from api.urls import urlpatterns
from referee.once import DOORS, LET_IN, QUESTIONS, SECRETS
from tests.access_matrix import API, DESK, EVERYBODY, TABLE, Row
from tests.test_access_matrix import ADDRESSES, DONE_ELSEWHERE, Caller, World, built, world
from tournaments.models import Entrant, Office, Player, SavedAnswer, User

__all__ = ["built", "world"]

UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
#: What a request leaves behind without being an act: how often somebody tried, who was seen, what is kept for repeats.
NO_ACT = {"savedanswer", "counter", "session", "device"}
KEY = "the-key-of-this-act"


def writes(rows: Any) -> Iterator[tuple[str, str, Row]]:
    for name, methods in rows.items():
        yield from ((name, method, row) for method, row in methods.items() if method in UNSAFE)


def rows_of(model: type[Model]) -> list[tuple[Any, ...]]:
    return sorted(model._base_manager.values_list(), key=str)


def all_rows() -> dict[str, list[tuple[Any, ...]]]:
    models = [*apps.get_app_config("tournaments").get_models(), apps.get_model("knox", "AuthToken")]
    return {one._meta.model_name: rows_of(one) for one in models if one._meta.model_name not in NO_ACT}


def ask(world: World, client: Client, method: str, row: Row, letter: str, **headers: str) -> HttpResponseBase:
    keyed = replace(row, headers={**row.headers, **headers})
    return world.caller(letter, row.table).ask(client, method, keyed, world.ids)


def is_question(name: str, method: str) -> bool:
    view = next(one.callback.view_class for one in urlpatterns if f"api:{one.name}" == name)  # type: ignore[attr-defined, union-attr]
    return hasattr(getattr(view, method.lower()), "asked")


def other(row: Row) -> Row:
    """The same request with something else in it."""
    if isinstance(row.body, dict) and "hands" in row.body:
        return replace(row, body={"hands": [one | {"reason": "something else"} for one in row.body["hands"]]})
    if isinstance(row.body, bytes):
        return replace(row, body=row.body + b" ")
    return replace(row, body={**(row.body or {}), "reason": "something else"})


def not_once(world: World, client: Client, name: str, method: str, row: Row, letter: str) -> Iterator[str]:
    """What is wrong with sending this write twice; nothing where the caller does not get it done."""
    where = f"{method} {row.address} by {letter}"
    if isinstance(row.body, dict) and "hands" in row.body:  # several acts, each with its key in the body
        row = replace(row, body={"hands": [one | {"key": KEY} for one in row.body["hands"]]})
    before = all_rows()
    first = ask(world, client, method, row, letter, **{"Idempotency-Key": KEY})
    if any(one["status"] >= 400 for one in parts(first)):
        return
    done, kept = all_rows(), SavedAnswer.objects.filter(key=KEY)
    if is_question(name, method):
        if done != before or kept.exists():
            yield f"{where} is called a question and writes"
        yield "done"
        return
    if kept.count() != 1:
        yield f"{where} keeps nothing under its key"
    names = {*Entrant.objects.values_list("name", flat=True), *Player.objects.values_list("name", flat=True)}
    names |= {*User.objects.values_list("username", flat=True), *User.objects.values_list("display_name", flat=True)}
    held = json.loads("".join(kept.values_list("answer", flat=True)) or "{}")
    if found := strings(held) & names - {"", *Office.values}:  # somebody in this world is called by an office
        yield f"{where} keeps names: {found}"
    again = ask(world, client, method, row, letter, **{"Idempotency-Key": KEY})
    if all_rows() != done:
        yield f"{where} is done twice"
    if again.status_code == 409 and again.json()["error"]["code"] == "shown_once":
        if held["answer"] is not None:
            yield f"{where} keeps what is shown once"
    elif again.status_code != first.status_code or body(again) != body(first):
        yield f"{where}: {first.status_code} {body(first)!r}, then {again.status_code} {body(again)!r}"
    third = ask(world, client, method, other(row), letter, **{"Idempotency-Key": KEY})
    for one in parts(third):
        if one["status"] != 422 or one["error"]["code"] != "key_reused":
            yield f"{where} with another body: {one['status']}, not 422"
    yield "done"


def parts(response: Any) -> list[dict[str, Any]]:
    """What was answered, act by act, each with its status: many hands are several acts, all else is one."""
    said = (
        json.loads(response.content) if response.get("Content-Type") == "application/json" and response.content else {}
    )
    each = said.get("results") if isinstance(said, dict) else None
    if each and all("recorded" in one for one in each):
        return list(each)
    return [{"status": response.status_code, "error": said.get("error") if isinstance(said, dict) else None}]


def body(response: Any) -> Any:
    return json.loads(re.sub(rb'"replayed": ?true', b'"replayed":false', response.content) or b"null")


def strings(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return {text for one in inner for text in strings(one)}


def chunks(rows: Any) -> Iterator[Any]:
    found = [one for one in writes(rows) if one[0] != "api:nothing"]
    for start in range(0, len(found), ADDRESSES):
        yield pytest.param(found[start : start + ADDRESSES], id=f"{found[start][0]}-{start}")


def walk(world: World, rows: list[tuple[str, str, Row]], look: Callable[..., Iterator[str]]) -> list[str]:
    """What is wrong with each write, tried by the first caller who gets it done; everything is undone again."""
    client, wrong = Client(), []
    for name, method, row in rows:
        found: list[str] = []
        for letter in (one for one in EVERYBODY if one in row.who):
            with transaction.atomic():
                cache.clear()
                found = list(look(world, client, name, method, row, letter))
                transaction.set_rollback(True)
            if "done" in found:
                break
        wrong += [one for one in found if one != "done"]
        done = "done" in found or row.address in DONE_ELSEWHERE
        wrong += [] if done else [f"{method} {row.address}: nobody got it done"]
    return wrong


@pytest.mark.long
@pytest.mark.both_databases
@pytest.mark.timeout(900)
@pytest.mark.parametrize("rows", list(chunks(API)))
def test_every_write_of_the_api_is_done_once_for_its_key(world: World, rows: list[tuple[str, str, Row]]) -> None:
    wrong = walk(world, rows, not_once)
    assert not wrong, "\n" + "\n".join(wrong)


def with_key(row: Row, more: bytes = b"") -> Row:
    """The form as its page sends it, with the key that stands in it."""
    assert isinstance(row.body, bytes)
    if row.kind.startswith("multipart"):
        part = b'--part\r\nContent-Disposition: form-data; name="key"\r\n\r\n%s\r\n' % KEY.encode()
        extra = b'--part\r\nContent-Disposition: form-data; name="more"\r\n\r\n%s\r\n' % more if more else b""
        return replace(row, body=part + extra + row.body)
    return replace(row, body=b"&".join(one for one in (row.body, b"key=" + KEY.encode(), more) if one))


#: Forms that the access matrix sends empty, filled in.
FILLED = {
    "desk:import": b"text=number,name%0A77,Late",
}


def form_not_once(world: World, client: Client, name: str, method: str, row: Row, letter: str) -> Iterator[str]:
    """As `not_once`, for a form: where it leads or what its script is told is the same again."""
    where, row = f"form {row.address} by {letter}", replace(row, body=FILLED.get(name, row.body))
    before = all_rows()
    first = ask(world, client, method, with_key(row), letter)
    if first.status_code >= 400 or (first.status_code == 302 and "/sign-in/?next=" in first["Location"]):
        return
    done = all_rows()
    yield "done"
    if done == before:
        if SavedAnswer.objects.filter(key=KEY).exists() and name in QUESTIONS:
            yield f"{where} is called a question and keeps an answer"
        return  # it asked, or changed nothing that is an act
    if name in QUESTIONS:
        yield f"{where} is called a question and writes"
    browser = world.caller(letter, row.table)
    if name not in DOORS | LET_IN:  # a proof gives the session a new key; who is let in has lost the answer that did so
        browser = Caller(cookies={cookie: given.value for cookie, given in client.cookies.items() if given.value})
    again = browser.ask(client, method, with_key(row), world.ids)
    now = all_rows()
    if name in LET_IN:  # the browser has dropped the session it was given, and gets another
        now, done = ({**rows, "user": []} for rows in (now, done))  # when it was last signed in
    if now != done:
        yield f"{where} is done twice"
    told = [(one.status_code, one.get("Location"), one.content if letter in "ne" else b"") for one in (first, again)]
    if name in SECRETS:
        if again.status_code != 409:
            yield f"{where} shows its secret again: {again.status_code}"
    elif first.status_code == 200 and letter not in "ne":
        yield f"{where} writes and answers with a page: name it in SECRETS, or lead on to a page"
    elif told[0] != told[1]:
        yield f"{where}: {told[0]}, then {told[1]}"
    third = browser.ask(client, method, with_key(row, b"more=1"), world.ids)
    if third.status_code != 422:
        yield f"{where} with another body: {third.status_code}, not 422"


@pytest.mark.both_databases
@pytest.mark.timeout(900)
@pytest.mark.parametrize("rows", [*chunks(DESK), *chunks(TABLE)])
def test_every_form_is_done_once_for_its_key(world: World, rows: list[tuple[str, str, Row]]) -> None:
    wrong = walk(world, rows, form_not_once)
    assert not wrong, "\n" + "\n".join(wrong)


def test_every_form_carries_a_key_of_its_own() -> None:
    page = "{% csrf_token %}{% csrf_token %}"
    made = engines["django"].from_string(page).render({"csrf_token": "t"})
    keys = re.findall(r'name="key" value="([^"]{16,})"', made)
    assert len(set(keys)) == 2
    assert made.count('name="csrfmiddlewaretoken" value="t"') == 2
    # the tag is the only place of a key, and no form is taken without the tag
    for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html"):
        assert 'name="key"' not in path.read_text(), path


@pytest.mark.long
def test_the_schema_says_of_every_write_that_it_takes_a_key() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    rows = {(name, method): row for name, method, row in writes(API) if name != "api:nothing"}
    # of many hands each has its key in the body, and refuses itself in its part of the answer
    shapes = schema["components"]["schemas"]
    many = schema["paths"]["/api/v1/hands/"]["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    hands = shapes[many.rpartition("/")[2]]["properties"]["hands"]
    assert "key" in shapes[hands["items"]["$ref"].rpartition("/")[2]]["required"]
    told = {}
    for methods in schema["paths"].values():
        for method, operation in methods.items():
            if method.upper() in UNSAFE:
                taken = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "header"]
                inside = many in json.dumps(operation.get("requestBody", {}))
                keyed = (inside, inside) if inside else ("Idempotency-Key" in taken, "422" in operation["responses"])
                told[operation["operationId"]] = keyed
    assert len(told) == len(rows)
    questions = sum(is_question(name, method) for name, method in rows)
    assert sum(keyed and refused for keyed, refused in told.values()) == len(rows) - questions
