"""Who goes first when more ask than there are threads, who is refused, and what he is told."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
import uvicorn

from referee.running import lately, sums
from referee.serving.page_threads import PageThreads
from referee.serving.turns import Kind, Shed, Turns, kind_of
from referee.wsgi import application as pages
from tests.reliability.hall import make
from tests.reliability.phones import Phone
from tournaments.models import LedgerEntry

LONG = dict.fromkeys(Kind, 60.0)
AT_ONCE = dict.fromkeys(Kind, 0.0)


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/table/abc/", Kind.READERS),
        ("HEAD", "/desk/cup/", Kind.READERS),
        ("GET", "/api/v1/events/", Kind.READERS),
        ("POST", "/table/abc/preview/", Kind.READERS),
        ("POST", "/table/abc/enter/", Kind.PEOPLE),
        ("POST", "/t/ABCD2345/", Kind.PEOPLE),
        ("POST", "/desk/cup/rounds/1/close/", Kind.PEOPLE),
        ("POST", "/api/v1/sittings/1/hands/", Kind.PROGRAMS),
        ("DELETE", "/api/v1/events/cup/signals/", Kind.PROGRAMS),
    ],
)
def test_what_a_request_is(method: str, path: str, kind: Kind) -> None:
    assert kind_of({"method": method, "path": path}) is kind


class Asked:
    """Requests that take their turns on one loop: each holds it until it is let go."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.begun: list[str] = []
        self.refused: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def come(self, *names: str) -> None:
        """They ask in this order, P…, A… or R… by their kind."""
        for name in names:
            self._ends[name] = asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._ask(name))
            await asyncio.sleep(0)

    async def go(self, *names: str) -> None:
        """They are done, one after the other; whoever gets a turn by that begins."""
        for name in names:
            self._ends[name].set()
            await self._tasks[name]
            for _ in range(3):
                await asyncio.sleep(0)

    async def give_up(self, name: str) -> None:
        self._tasks[name].cancel()
        await asyncio.wait([self._tasks[name]])

    async def all_over(self) -> None:
        for end in self._ends.values():
            end.set()
        await asyncio.wait(self._tasks.values())

    async def _ask(self, name: str) -> None:
        kind = {"P": Kind.PEOPLE, "A": Kind.PROGRAMS, "R": Kind.READERS}[name[0]]
        try:
            async with self.turns.turn(kind):
                self.begun.append(name)
                await self._ends[name].wait()
        except Shed:
            self.refused.append(name)


def test_the_most_important_goes_first_and_among_its_kind_who_came_first() -> None:
    async def run() -> None:
        asked = Asked(Turns(1, waits=LONG))
        await asked.come("R1", "R2", "R3", "A1", "A2", "P1", "P2")
        assert asked.begun == ["R1"]
        await asked.go("R1", "P1", "P2", "A1", "A2", "R2", "R3")
        assert (asked.begun, asked.refused) == (["R1", "P1", "P2", "A1", "A2", "R2", "R3"], [])
        await asked.come("R4")
        assert asked.begun[-1] == "R4", "nobody waits while a thread is free"
        await asked.all_over()

    asyncio.run(run())


def test_readers_do_not_take_the_thread_that_programs_leave() -> None:
    """Measured under load: one reader at a time there took four fifths of the processor from entries that waited."""

    async def run() -> None:
        asked = Asked(Turns(4, waits=LONG))
        await asked.come("A1", "A2", "A3", "A4", "R1")
        assert asked.begun == ["A1", "A2", "A3"]
        await asked.come("P1")
        assert asked.begun[3:] == ["P1"]
        await asked.go("P1", "A1")
        assert asked.begun[4:] == ["A4"]
        await asked.go("A2")
        assert asked.begun[5:] == ["R1"]
        await asked.all_over()

    asyncio.run(run())


def test_readers_and_programs_leave_threads_to_entries() -> None:
    async def run() -> None:
        asked = Asked(Turns(4, waits=LONG))
        await asked.come("R1", "R2", "R3", "A1", "A2", "P1")
        assert asked.begun == ["R1", "R2", "A1", "P1"]
        await asked.go("P1")
        assert asked.begun[4:] == [], "the last thread is for people only"
        await asked.go("A1", "R1")
        assert asked.begun[4:] == ["A2", "R3"]
        await asked.all_over()

    asyncio.run(run())


def test_who_waited_too_long_is_refused_readers_first() -> None:
    async def run() -> None:
        asked = Asked(Turns(1, waits={Kind.PEOPLE: 60.0, Kind.PROGRAMS: 60.0, Kind.READERS: 0.0}))
        await asked.come("P1", "R1", "R2", "A1", "P2")
        while len(asked.refused) < 2:
            await asyncio.sleep(0)
        await asked.go("P1", "P2", "A1")
        assert (asked.begun, asked.refused) == (["P1", "P2", "A1"], ["R1", "R2"])
        await asked.come("R3")
        assert asked.begun[-1] == "R3", "what was refused holds nothing"
        await asked.all_over()

    asyncio.run(run())


def test_where_too_many_wait_the_oldest_of_the_least_important_gives_way() -> None:
    async def run() -> None:
        asked = Asked(Turns(1, waits=LONG, most=3))
        await asked.come("P0", "R1", "R2", "A1", "A2", "R3", "P1", "P2", "A3")
        for _ in range(3):
            await asyncio.sleep(0)
        # R1 for A2, R2 for R3, R3 for P1, the oldest of programs for P2, and for the next program the one that is left
        assert asked.refused == ["R1", "R2", "R3", "A1", "A2"]
        await asked.come("R4")
        assert asked.refused[-1] == "R4", "nobody gives way to a reader but a reader"
        await asked.go("P0", "P1", "P2", "A3")
        assert asked.begun == ["P0", "P1", "P2", "A3"]

    asyncio.run(run())


def test_who_goes_away_while_waiting_holds_nothing() -> None:
    async def run() -> None:
        asked = Asked(Turns(1, waits=LONG))
        await asked.come("P1", "A1", "R1")
        await asked.give_up("A1")
        await asked.go("P1")
        assert asked.begun == ["P1", "R1"]
        await asked.give_up("R1")
        await asked.come("P2")
        assert asked.begun[-1] == "P2"
        # the turn is given and its taker gone in the same moment
        await asked.come("R2", "R3")
        asked._ends["P2"].set()
        await asked._tasks["P2"]
        await asked.give_up("R2")
        for _ in range(3):
            await asyncio.sleep(0)
        assert asked.begun[-1] == "R3"
        await asked.all_over()

    asyncio.run(run())


# What he is told


def refused(method: str, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """The answer to a request that finds every thread taken."""
    turns, sent = Turns(0, waits=AT_ONCE), list[Any]()
    scope = {
        "type": "http", "method": method, "path": path, "query_string": b"", "http_version": "1.1",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(PageThreads(lambda *_: pytest.fail("it was begun"), 1, turns)(scope, receive, send))
    start, end = sent
    return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, end["body"].decode()


def test_a_page_says_it_in_both_languages_and_asks_again_by_itself() -> None:
    status, headers, page = refused("GET", "/zh/e/cup/")
    assert (status, headers["cache-control"]) == (503, "no-store")
    assert f'http-equiv="refresh" content="{headers["retry-after"]}"' in page
    for words in ("Too many ask at once", "同时访问的人太多", "This page asks again by itself", "<code>busy</code>"):
        assert words in page


def test_a_form_is_not_sent_again_unasked() -> None:
    status, headers, page = refused("POST", "/desk/cup/close/", **{"content-type": "text/plain"})
    assert (status, int(headers["retry-after"]) > 0) == (503, True)
    assert 'http-equiv="refresh"' not in page
    assert "Reload this page to send the same form again" in page


def test_the_api_and_phones_are_told_as_json() -> None:
    for method, path in (("GET", "/api/v1/events/"), ("POST", "/api/v1/sittings/1/hands/")):
        status, headers, body = refused(method, path)
        assert (status, headers["content-type"]) == (503, "application/json")
        assert json.loads(body)["error"]["code"] == "busy"
        assert ("access-control-allow-origin" in headers) == (method == "GET")
    assert "access-control-allow-origin" not in refused("GET", "/api/v1/events/", authorization="Bearer x")[1]
    body = refused("POST", "/table/abc/enter/", accept="application/json")[2]
    assert json.loads(body)["code"] == "busy"


def test_those_refused_together_do_not_come_back_together() -> None:
    waits = {int(refused("GET", "/zh/")[1]["retry-after"]) for _ in range(60)}
    assert min(waits) >= 5
    assert max(waits) <= 15
    assert len(waits) > 3


def test_it_is_counted_for_some_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    lately._seconds.clear()
    clock = lately.time.monotonic
    monkeypatch.setattr(lately.time, "monotonic", lambda: clock() - lately.LATELY - 5)
    lately.shed("readers")
    assert lately.here() == {"readers": 1}
    monkeypatch.undo()
    assert lately.here() == {}
    lately.shed("readers")
    lately.shed("people")
    sums.send()
    assert sums.shed_lately() == {"readers": 1, "people": 1}
    assert len(lately._seconds) == 1
    lately._seconds.clear()
    sums.send()


# A real server


class Gate:
    """The pages, of which a read waits until it is opened."""

    def __init__(self) -> None:
        self.open = threading.Event()

    def __call__(self, environ: Any, start: Any) -> Any:
        if environ["REQUEST_METHOD"] == "GET":
            assert self.open.wait(60)
        return pages(environ, start)


@contextmanager
def serving(application: Any, until: Callable[..., None]) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(application, lifespan="off", log_config=None, timeout_graceful_shutdown=1))
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listening:
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        until(lambda: server.started)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(60)


def read(address: str) -> tuple[int, str]:
    """The status of a read, and after how many seconds it is to be asked for again."""
    try:
        with urlopen(f"{address}/api/v1/events/", timeout=60) as answer:
            return answer.status, ""
    except HTTPError as error:
        with error:
            return error.code, error.headers["Retry-After"]


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_hundreds_of_reads_keep_no_entry_waiting_and_nothing_is_doubled(until: Callable[..., None]) -> None:
    """No read ends before the last entry is answered: what the reads hold is all they get."""
    tables, reads, gate = 12, 200, Gate()
    hall = make(tables)
    turns = Turns(4, waits={Kind.PEOPLE: 60.0, Kind.PROGRAMS: 60.0, Kind.READERS: 0.5})
    with serving(PageThreads(gate, 4, turns), until) as address, ThreadPoolExecutor(reads) as readers:
        asked = [readers.submit(read, address) for _ in range(reads)]
        until(lambda: turns.waiting > 0)

        def enter(place: dict[str, Any]) -> list[int]:
            phone = Phone(address, place["sides"]["NS"], timeout=60)
            return [phone.enter(place["sitting"], 1, 40, key=f"hand-{place['sitting']}").status for _ in range(2)]

        # each phone twice, as if it had not heard the answer
        with ThreadPoolExecutor(2 * tables) as phones:
            entered = [status for both in phones.map(enter, 2 * hall["places"]) for status in both]
        assert Counter(entered) == {201: 4 * tables}
        until(lambda: sum(one.done() for one in asked) == reads - 2)
        gate.open.set()
        answers = [one.result() for one in asked]
        assert Counter(status for status, _ in answers) == {200: 2, 503: reads - 2}
        assert all(re.fullmatch(r"\d+", wait) for status, wait in answers if status == 503)
        assert read(address)[0] == 200, "and then all is as before"
    assert LedgerEntry.objects.count() == tables
