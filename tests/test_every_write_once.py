"""Every write of the product, sent twice with one key, is one act: walked over all addresses of the access matrix."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Model
from django.http import HttpResponseBase
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from api.urls import urlpatterns
from tests.access_matrix import API, EVERYBODY, Row
from tests.test_access_matrix import ADDRESSES, World, built, world
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
    if isinstance(row.body, bytes):
        return replace(row, body=row.body + b" ")
    return replace(row, body={**(row.body or {}), "reason": "something else"})


def not_once(world: World, client: Client, name: str, method: str, row: Row, letter: str) -> Iterator[str]:
    """What is wrong with sending this write twice; nothing where the caller does not get it done."""
    where = f"{method} {row.address} by {letter}"
    before = all_rows()
    first = ask(world, client, method, row, letter, **{"Idempotency-Key": KEY})
    if first.status_code >= 400:
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
    if third.status_code != 422 or third.json()["error"]["code"] != "key_reused":
        yield f"{where} with another body: {third.status_code}, not 422"
    yield "done"


def body(response: Any) -> Any:
    read = json.loads(response.content or b"null")
    return read | {"replayed": None} if isinstance(read, dict) and "replayed" in read else read


def strings(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return {text for one in inner for text in strings(one)}


def chunks() -> Iterator[Any]:
    rows = list(writes({name: methods for name, methods in API.items() if name != "api:nothing"}))
    for start in range(0, len(rows), ADDRESSES):
        yield pytest.param(rows[start : start + ADDRESSES], id=f"api-{start}")


@pytest.mark.both_databases
@pytest.mark.timeout(300)
@pytest.mark.parametrize("rows", list(chunks()))
def test_every_write_of_the_api_is_done_once_for_its_key(world: World, rows: list[tuple[str, str, Row]]) -> None:
    client, wrong = Client(), []
    for name, method, row in rows:
        found: list[str] = []
        for letter in (one for one in EVERYBODY if one in row.who):
            with transaction.atomic():
                cache.clear()
                found = list(not_once(world, client, name, method, row, letter))
                transaction.set_rollback(True)
            if "done" in found:
                break
        wrong += [one for one in found if one != "done"]
        wrong += [] if "done" in found else [f"{method} {row.address}: nobody got it done"]
    assert connection.in_atomic_block
    assert not wrong, "\n" + "\n".join(wrong)


def test_the_schema_says_of_every_write_that_it_takes_a_key() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    rows = {(name, method): row for name, method, row in writes(API) if name != "api:nothing"}
    told = {}
    for methods in schema["paths"].values():
        for method, operation in methods.items():
            if method.upper() in UNSAFE:
                taken = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "header"]
                told[operation["operationId"]] = ("Idempotency-Key" in taken, "422" in operation["responses"])
    assert len(told) == len(rows)
    questions = sum(is_question(name, method) for name, method in rows)
    assert sum(keyed and refused for keyed, refused in told.values()) == len(rows) - questions
