"""Whatever comes in is answered: never a failure of ours, at any address, to the organiser, a phone or a stranger."""

from __future__ import annotations

import logging
import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import quote

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from referee.wsgi import application
from tests.access_matrix import Row
from tests.api.test_fuzz import in_this_thread
from tests.hostile import Draws, Hostile, names_on_page
from tests.test_access_matrix import ROOMS, World, filled, tried
from tests.test_access_matrix import built as built  # the fixture
from tests.test_access_matrix import world as world  # the fixture

#: Every address and method but the streams, which never end.
ROWS = [
    (name, method, row)
    for room in ROOMS.values()
    for name, rows in room.items()
    for method, row in rows.items()
    if not name.startswith("live-")
]
#: The organiser, the phone of North-South, and nobody.
LETTERS = "Ona"
FEW, MANY = 160, int(os.environ.get("REFEREE_SOAK_REQUESTS", "10000"))


class Door(Client):
    """A client that comes in as a reader does: through the WSGI application itself, the making of the request too."""

    def request(self, **request: Any) -> HttpResponse:  # type: ignore[override]
        answer: dict[str, Any] = {}

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
            answer.update(status=int(status[:3]), headers=dict(headers))

        parts = application(self._base_environ(**request), start)
        try:
            return HttpResponse(b"".join(parts), status=answer["status"], headers=answer["headers"])
        finally:
            parts.close()


def fields_of_pages(world: World, client: Client) -> dict[str, list[str]]:
    """The names of fields by address: of the page itself, and for an address that only takes a form of all pages."""
    fields: dict[str, list[str]] = {}
    for name, method, row in ROWS:
        if method == "GET" and not row.address.startswith("/api/") and row.who:
            page = tried(world, client, "GET", row, "O" if "O" in row.who else row.who[0])
            if page.get("Content-Type", "").startswith("text/html"):
                fields[name] = names_on_page(page.content.decode())  # type: ignore[attr-defined]
    return {name: found for name, found in fields.items() if found}


class Failures(logging.Handler):
    """What raised inside a request: the last lines of each."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.found.append("".join(traceback.format_exception(*record.exc_info)[-4:]))


@contextmanager
def failures() -> Iterator[list[str]]:
    """What the requests of the block raise. It is not printed as well: a page of locals for each takes long."""
    handler = Failures()
    loggers = [logging.getLogger(name) for name in ("django.request", "django.security", "api.common.errors")]
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
    try:
        yield handler.found
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
            logger.propagate = True


def in_the_world(world: World) -> list[tuple[str, str, Row]]:
    """The rows with the ids of the world in them."""
    ids = world.ids
    return [
        (name, method, replace(row, address=filled(row.address, ids), body=filled(row.body, ids),
                               headers=filled(row.headers, ids)))
        for name, method, row in ROWS
    ]  # fmt: skip


def answered(world: World, client: Client, one: Hostile) -> HttpResponse:
    """One request through the door; whatever it did is undone."""
    caller = world.caller(one.letter, one.row.table)
    address, _, usual = one.row.address.partition("?")
    query = b"&".join(part for part in (b"" if one.query else usual.encode(), one.query) if part).decode("latin-1")
    headers = dict(one.headers)
    if caller.header and address.startswith("/api/"):
        headers.setdefault("Authorization", caller.header)
    client.cookies = SimpleCookie()
    for name, value in (caller.cookies or {}).items():
        client.cookies[name] = value
    with transaction.atomic():
        there = f"{address}?{query}" if query else address
        response = client.generic(one.method, there, one.body, content_type=one.kind, headers=headers)
        transaction.set_rollback(True)
    return response  # type: ignore[return-value]


def run(world: World, seed: int, count: int, *, fields: bool) -> list[str]:
    client = Door()
    draws = Draws(seed, in_the_world(world), fields_of_pages(world, Client()) if fields else {}, LETTERS)
    broken: list[str] = []
    with in_this_thread(), failures() as raised:
        for place, one in enumerate(draws.many(count)):
            if place % 20 == 0:
                cache.clear()  # else most of it is only answered "too fast"
            raised.clear()
            response = answered(world, client, one)
            if response.status_code >= 500:
                broken.append(f"{response.status_code} {one}\n{''.join(raised)}")
    return broken


@pytest.mark.parametrize("charset", ["utf-7", "rot13", "utf-16", "zlib", "no-such", "''"])
@pytest.mark.parametrize(
    "address", ["/desk/sign-in/", "/preferences/theme/", "/api/v1/tokens/", "/api/v1/events/?limit=5"]
)
def test_an_encoding_that_is_not_utf_8_is_refused_in_words(db: None, address: str, charset: str) -> None:
    kind = "application/json" if "api" in address else "application/x-www-form-urlencoded"
    with in_this_thread(), failures() as raised:
        sent = Door().generic("POST", address, b"to=dark", content_type=f"{kind}; charset={charset}")
    assert (sent.status_code, raised) == (415, [])
    assert "Send it in UTF-8" in sent.content.decode()


@pytest.mark.parametrize("charset", ["utf-8", "UTF8", '"utf-8"'])
def test_utf_8_may_be_stated(db: None, charset: str) -> None:
    with in_this_thread():
        kind = f"application/x-www-form-urlencoded; charset={charset}"
        assert Door().generic("POST", "/preferences/theme/", b"to=dark", content_type=kind).status_code == 302


@pytest.mark.parametrize("digits", ["9" * 5_000, "\u00b2", "\u0663", "-1", "1.0", "\uff11", ""])
@pytest.mark.parametrize("asked", ["attendance/?round={}", "rulings/?table={}", "rulings/?entrant={}"])
def test_a_number_in_an_address_is_read_in_one_place(world: World, asked: str, digits: str) -> None:
    organiser = world.callers["O"]
    there = f"/api/v1/events/{world.ids['here']}/{asked.format(quote(digits))}"
    answer = Client().get(there, headers={"Authorization": organiser.header})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_query")


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_few_hostile_requests(world: World) -> None:
    broken = run(world, 1, FEW, fields=False)
    assert not broken, "\n".join(broken)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_thousands_of_hostile_requests(world: World) -> None:
    seed = int(os.environ.get("REFEREE_SOAK_SEED", "0"))
    broken = run(world, 1_000 + seed, MANY, fields=True)
    assert not broken, f"{len(broken)} broken\n" + "\n".join(broken)
