"""A bad Wi-Fi between phones and the service: requests lost, answered into nothing, late, doubled, out of order.

`BadNetwork` is a proxy on loopback that does so by a seed; `play` has two phones play a match through it, whose pages
are reloaded, killed and cut off meanwhile, and counts what was lost, doubled, or called saved before it was.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Error

from referee.table.places import PREFIX
from tests.browser.pages import phone_context
from tests.referee.table.places import hall, token_of
from tournaments.models import EntryStatus, LedgerEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from tournaments.acts.admission import Actor

#: The clocks of the pages run so many times faster: what a phone waits for is waited for, but not by us.
FASTER = 8
HASTE = f"""const slow = window.setTimeout;
window.setTimeout = (act, ms, ...more) => slow(act, (ms ?? 0) / {FASTER}, ...more);"""
#: Of a hundred requests of a table.
FAULTS = {"lost": 12, "answer lost": 12, "late": 10, "answer late": 8, "doubled": 10, "out of order": 8}
LONGEST = 60_000
TOLD = """() => ({
  kind: document.getElementById("view")?.dataset.kind ?? "",
  hand: Number(document.getElementById("view")?.dataset.hand ?? 0),
  ahead: document.getElementById("view")?.dataset.ahead ?? "",
  kept: "kept" in document.documentElement.dataset,
  unsent: Object.keys(localStorage).filter((name) => name.startsWith("outbox:")).flatMap(
    (name) => JSON.parse(localStorage[name]).map((job) => Number(job.hand))),
})"""


class BadNetwork:
    """A proxy before `target` (host and port) with a seed of its own."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.chance = Random(0)
        self.met: Counter[str] = Counter()
        self.loop = asyncio.new_event_loop()
        self.port = 0
        ready = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(ready,), name="bad-network", daemon=True)
        self.thread.start()
        ready.wait(30)

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()

    def end(self) -> None:
        async def leave() -> None:
            for task in asyncio.all_tasks():
                if task is not asyncio.current_task():
                    task.cancel()
            self.loop.stop()

        asyncio.run_coroutine_threadsafe(leave(), self.loop)
        self.thread.join(30)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1].decode()
            size = next(
                (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
            )
            lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
            request = b"\r\n".join([lines[0], b"Connection: close", *lines[1:]]) + await reader.readexactly(size)
            await self._pass_on(path, request, writer)
        writer.close()

    async def _pass_on(self, path: str, request: bytes, writer: asyncio.StreamWriter) -> None:
        fault = self._fault(path)
        if fault == "lost":
            return
        if fault in ("late", "out of order"):
            await asyncio.sleep(self.chance.uniform(0.1, 1.6))
        if fault == "doubled":
            self.loop.create_task(self._again(request, self.chance.uniform(0, 0.8)))
        answer = await self._asked(request, None if fault else writer)
        if fault == "answer late":
            await asyncio.sleep(self.chance.uniform(0.1, 1.6))
        if fault and fault != "answer lost":
            writer.write(answer)
            await writer.drain()

    async def _again(self, request: bytes, after: float) -> None:
        await asyncio.sleep(after)
        with suppress(OSError):
            await self._asked(request, None)

    async def _asked(self, request: bytes, through: asyncio.StreamWriter | None) -> bytes:
        """What the service answers, whether or not who asked is still there; `through` gets it as it comes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.target)
        writer.write(request)
        parts = []
        while part := await reader.read(65536):
            parts.append(part)
            if through is not None:
                through.write(part)
                await through.drain()
        writer.close()
        return b"".join(parts)

    def _fault(self, path: str) -> str:
        if not path.startswith("/table/"):
            return ""
        draw = self.chance.randrange(100)
        for fault, share in FAULTS.items():
            if draw < share:
                self.met[fault] += 1
                return fault
            draw -= share
        return ""


@contextmanager
def bad_network(port: int) -> Iterator[BadNetwork]:
    network = BadNetwork(port)
    try:
        yield network
    finally:
        network.end()


@dataclass
class Match:
    """Two phones at one table, and what went wrong."""

    browser: Browser
    network: BadNetwork
    seed: int
    hands: int = 2
    did: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    doubled: int = 0
    false_saved: int = 0

    def play(self) -> None:
        chance = Random(self.seed)
        self.network.chance = Random(f"network {self.seed}")
        self.here = hall()
        phones = {"NS": Phone(self, self.here.ns, chance), "EW": Phone(self, self.here.ew, chance)}
        points = [5 * chance.randrange(16) for _ in range(self.hands)]
        try:
            for number, one in enumerate(points, 1):
                enters = chance.choice(list(phones))
                phones[enters].enters(number, one)
                phones["EW" if enters == "NS" else "NS"].confirms(number, one)
        finally:
            for phone in phones.values():
                phone.context.close()
        stand = LedgerEntry.objects.filter(sitting=self.here.sitting, status=EntryStatus.EFFECTIVE)
        counted = Counter(stand.values_list("hand_no", flat=True))
        told = {row.hand_no: row.facts["captured_in_tricks"] for row in stand}
        self.lost = sum(1 for number, one in enumerate(points, 1) if told.get(number) != one)
        self.doubled = sum(times - 1 for times in counted.values())
        self.doubled += LedgerEntry.objects.filter(sitting=self.here.sitting).count() - sum(counted.values())


class Phone:
    """One side's phone: its page is reloaded, killed and cut off while it does what it has to do."""

    def __init__(self, match: Match, actor: Actor, chance: Random) -> None:
        self.match, self.chance = match, chance
        self.context: BrowserContext = phone_context(match.browser, language="en")
        self.context.add_init_script(HASTE)
        self.address = f"http://127.0.0.1:{match.network.port}/table/{actor.device.public_id}/"
        cookie = {"name": PREFIX + actor.device.public_id, "value": token_of(actor.device), "url": self.address}
        self.context.add_cookies([cookie])  # type: ignore[list-item]
        self.offline = False
        self.page = self._opened()

    def _opened(self) -> Page:
        page = self.context.new_page()
        with suppress(Error):
            page.goto(self.address, timeout=8_000)
        return page

    def tells(self) -> dict[str, Any]:
        """What the page says now; nothing where the browser shows its own error page."""
        try:
            return dict(self.page.evaluate(TOLD))
        except Error:
            return {"kind": "", "hand": 0, "unsent": [], "kept": False, "ahead": ""}

    def happens(self) -> None:
        """Now and then: the page is reloaded, the tab is killed, the network goes and comes."""
        what = self.chance.choices(["nothing", "reload", "kill", "cut"], [70, 12, 8, 10])[0]
        self.match.did[what] += 1
        if what == "reload":
            with suppress(Error):
                self.page.reload(timeout=8_000)
        elif what == "kill":
            self.page.close()
            self.page = self._opened()
        elif what == "cut" or self.offline:
            self.offline = not self.offline
            self.context.set_offline(self.offline)

    def until(self, done: Any, act: Any) -> None:
        """Does `act` again and again while `done` is not so, whatever happens meanwhile."""
        for step in range(LONGEST // 200):
            told = self.tells()
            if done(told):
                break
            self.happens() if step < 60 else self.goes_well()
            if self.tells()["kind"] == "":
                with suppress(Error):
                    self.page.goto(self.address, timeout=8_000)
            with suppress(Error):
                act(self.tells())
            with suppress(Error):
                self.page.wait_for_timeout(200)
        else:
            raise TimeoutError(f"seed {self.match.seed}: {self.tells()}")
        self.goes_well()

    def goes_well(self) -> None:
        if self.offline:
            self.offline = False
            self.context.set_offline(False)

    def enters(self, number: int, points: int) -> None:
        def act(told: dict[str, Any]) -> None:
            if (
                told["kind"] != "enter"
                or told["hand"] != number
                or number in told["unsent"]
                or self._entry(number, points)
            ):
                return
            self.page.locator("[name=trump][value=H]").check(timeout=2_000)
            self.page.fill("#captured_in_tricks", str(points), timeout=2_000)
            self.page.locator("[name=last_trick_winner][value=dealer]").check(timeout=2_000)
            self.page.locator(".dock .btn.go").tap(timeout=2_000)

        def done(told: dict[str, Any]) -> bool:
            sent = told["kind"] == "sent" and told["hand"] == number
            # neither waiting in the phone nor asked for again: the page says that the server has it
            if sent and not told["unsent"] and not self._entry(number, points):
                self.match.false_saved += 1
            return bool(sent and not told["unsent"])

        self.until(done, act)

    def confirms(self, number: int, points: int) -> None:
        def act(told: dict[str, Any]) -> None:
            if told["kind"] == "confirm" and told["hand"] == number and not told["unsent"]:
                self.page.locator(".dock form[action$='/confirm/'] .btn.go").tap(timeout=2_000)

        def done(told: dict[str, Any]) -> bool:
            over = told["hand"] > number or told["kind"] in ("finished", "closed")
            if (
                over
                and not told["unsent"]
                and not told["ahead"]
                and not self._entry(number, points, EntryStatus.EFFECTIVE)
            ):
                self.match.false_saved += 1
            return bool(over and not told["unsent"])

        self.until(done, act)

    def _entry(self, number: int, points: int, status: str | None = None) -> bool:
        rows = LedgerEntry.objects.filter(sitting=self.match.here.sitting, hand_no=number)
        rows = rows.filter(facts__captured_in_tricks=points)
        return (rows if status is None else rows.filter(status=status)).exists()
