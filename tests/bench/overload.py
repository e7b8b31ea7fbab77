"""More than the service bears: several times as many readers as it can answer, while every table enters hands.

The processes of a federation as in `entries`. First what they can do: entries alone, pages of officials alone. Then
both at once, readers arriving at four times the rate that was answered, whether the ones before were answered or not,
and each table entering its next hand the moment that the last is answered. What was refused says when to come again,
entries go before readers, and every hand that was answered is in the ledger.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from tests.bench.clients import request
from tests.bench.entries import PROCESSES, running
from tests.bench.report import Figure
from tests.reliability.hall import ROOT, Hall, open_hall

TABLES, HANDS = 160, 12
#: Readers arrive at so many times the rate that can be answered.
TIMES: Final = 4
ALONE_SECONDS, SECONDS = 5, 15
#: Who was refused may have waited so long, and some more.
LAST_SECONDS: Final = 20
#: How many readers wait at a time at most, of one process of clients.
MOST_OPEN: Final = 4_500
#: Who reads and who enters where each does so alone, of one process of clients.
AT_ONCE: Final = 8


def measure(folder: Path) -> list[Figure]:
    hall = open_hall(dict(os.environ), TABLES, phones=False)
    with running(dict(os.environ), folder) as addresses:
        alone = _sent(addresses, hall, "entries", 0, ALONE_SECONDS)
        reading = _sent(addresses, hall, "readers", 0, ALONE_SECONDS)
        before = _memory()
        can = reading.answered / ALONE_SECONDS
        both = _sent(addresses, hall, "both", TIMES * can, SECONDS)
        after = _memory()
    kept = _kept(hall)
    lost = {tuple(one) for one in (*alone.hands, *both.hands)} - kept
    readers, entered = both.of("readers"), both.of("entries")
    offered = readers["answered"] + readers["refused"] + readers["elsewise"]
    print(f"   entries: {len(both.hands)} answered, {entered['refused']} refused with 503 and sent again", flush=True)
    print(f"   readers: {offered} sent, {readers['answered']} answered, {readers['refused']} refused", flush=True)
    print(f"   readers whose connection ended first: {readers['hung up']}", flush=True)
    print(f"   not sent, for {MOST_OPEN} of a process waited: {readers['unsent']}", flush=True)
    assert not lost, f"answered and not in the ledger: {sorted(lost)[:5]}"
    assert not readers["elsewise"], "answered neither with a page nor with 503"
    assert both.unhinted == 0, "refused without Retry-After"
    what = f"P16 {TIMES} times the readers that can be answered"
    rate, usual = len(both.hands) / both.entering, len(alone.hands) / alone.entering
    return [
        Figure(f"{what}: readers sent / answered alone", f"{offered / SECONDS:,.0f}/s", f"{can:,.0f}/s",
               offered / SECONDS / can),
        Figure(f"{what}: entries / alone", f"{rate:,.0f}/s", f"{usual:,.0f}/s", rate / usual),
        Figure(f"{what}: p99 of an entry / 9 s", f"{both.p99('entries'):.2f} s", "9 s", both.p99("entries") / 9, 1,
               less=True),
        Figure(f"{what}: p99 of a reader answered / 5 s and its page", f"{both.p99('readers'):.2f} s", "6 s",
               both.p99("readers") / 6, 1, less=True),
        Figure(f"{what}: memory of the web processes / before", f"{after:,.0f} MB", f"{before:,.0f} MB",
               after / before),
    ]  # fmt: skip


@dataclass
class Done:
    """What came of what was sent: counts by kind, the seconds of the answered, the hands that were answered."""

    counts: dict[str, Counter[str]]
    waits: dict[str, list[float]]
    hands: list[tuple[int, int]]
    unhinted: int
    entering: float  # seconds until the last hand was answered

    def of(self, kind: str) -> Counter[str]:
        return self.counts.get(kind, Counter())

    @property
    def answered(self) -> int:
        return sum(one["answered"] for one in self.counts.values())

    def p99(self, kind: str) -> float:
        waits = sorted(self.waits.get(kind, [])) or [0.0]
        return waits[len(waits) * 99 // 100]


def _sent(addresses: list[str], hall: Hall, kind: str, rate: float, seconds: float) -> Done:
    """What two processes of clients send, half of it each."""
    sittings = [place.sitting for place in hall.places]
    clients = []
    for number in range(PROCESSES):
        client = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.overload"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        task = {
            "address": addresses[number % len(addresses)],
            "credential": hall.referee,
            "sittings": sittings[number::PROCESSES],
            "kind": kind,
            "rate": rate / PROCESSES,
            "seconds": seconds,
        }
        assert client.stdin
        client.stdin.write(json.dumps(task).encode())
        client.stdin.close()
        clients.append(client)
    said = [json.loads(client.stdout.read()) for client in clients if client.stdout]
    for client in clients:
        assert client.wait() == 0
    counts, waits = dict[str, Counter[str]](), dict[str, list[float]]()
    for one in said:
        for name, found in one["counts"].items():
            counts.setdefault(name, Counter()).update(found)
        for name, found in one["waits"].items():
            waits.setdefault(name, []).extend(found)
    hands = [tuple(one) for each in said for one in each["hands"]]
    return Done(counts, waits, hands, sum(one["unhinted"] for one in said), max(one["entering"] for one in said))


def _kept(hall: Hall) -> set[tuple[int, int | None]]:
    """The hands in the ledger."""
    from tournaments.models import LedgerEntry

    rows = LedgerEntry.objects.filter(sitting__round__tournament=hall.event, kind="hand")
    return set(rows.values_list("sitting_id", "hand_no"))


def _memory() -> float:
    """What the web processes have taken at most, in MB."""
    found = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"referee.asgi" in (process / "cmdline").read_bytes():
                status = (process / "status").read_text()
                found += int(status.partition("VmHWM:")[2].split()[0])
        except OSError:
            continue
    return found / 1024


# One process of clients


#: A hand by its sitting and number, and the request that enters it.
_Hand = tuple[tuple[int, int], bytes]


@dataclass(slots=True, eq=False)
class _Line:
    """A kept connection: whose turn it is, what it sent and when, and what it has of the answer."""

    socket: socket.socket
    kind: str
    work: Iterator[_Hand] | None = None
    now: _Hand | None = None
    sent_at: float = 0.0
    got: bytes = b""

    def send(self, data: bytes) -> None:
        self.sent_at, self.got = time.monotonic(), b""
        with suppress(ConnectionError):  # it is read next that it ended
            self.socket.sendall(data)


@dataclass
class _Clients:
    task: dict[str, Any]
    counts: dict[str, Counter[str]] = field(default_factory=lambda: {"entries": Counter(), "readers": Counter()})
    waits: dict[str, list[float]] = field(default_factory=lambda: {"entries": [], "readers": []})
    hands: list[tuple[int, int]] = field(default_factory=list)
    unhinted: int = 0
    entered_at: float = 0.0
    idle: list[_Line] = field(default_factory=list)
    open_lines: int = 0

    def run(self) -> dict[str, Any]:
        kind, rate, began = self.task["kind"], self.task["rate"], time.monotonic()
        end = began + self.task["seconds"]
        self.chosen = selectors.DefaultSelector()
        if kind != "readers":
            tables = self.task["sittings"][AT_ONCE:] if kind == "both" else self.task["sittings"][:AT_ONCE]
            for sitting in tables:
                self._next_hand(self._line("entries", iter(self._hands_of(sitting))), end)
        pages = self._pages()
        if kind == "readers":
            for _ in range(AT_ONCE):
                self._line("readers").send(next(pages))
        sent = 0
        while (now := time.monotonic()) < end + LAST_SECONDS and (now < end or self._busy()):
            due = int((min(now, end) - began) * rate) if kind == "both" else 0
            for _ in range(due - sent):
                self._arrives(pages)
            sent = max(sent, due)
            for key, _ in self.chosen.select(0.005):
                self._read(key.data, end, pages if kind == "readers" else None)
        entering = max(0.001, self.entered_at - began)
        return {"counts": self.counts, "waits": self.waits, "hands": self.hands, "unhinted": self.unhinted,
                "entering": entering}  # fmt: skip

    def _busy(self) -> bool:
        return self.open_lines > len(self.idle)

    def _line(self, kind: str, work: Iterator[_Hand] | None = None, now: _Hand | None = None) -> _Line:
        place = urlsplit(self.task["address"])
        line = socket.create_connection((place.hostname, place.port))
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made = _Line(line, kind, work, now)
        self.chosen.register(line, selectors.EVENT_READ, made)
        self.open_lines += 1
        return made

    def _arrives(self, pages: Iterator[bytes]) -> None:
        if not self.idle and self.open_lines >= MOST_OPEN:
            self.counts["readers"]["unsent"] += 1
            return
        line = self.idle.pop() if self.idle else self._line("readers")
        line.send(next(pages))

    def _read(self, line: _Line, end: float, pages: Iterator[bytes] | None) -> None:
        try:
            came = line.socket.recv(65_536)
        except ConnectionError:
            came = b""
        if not came:
            self._hung_up(line)
            return
        line.got += came
        head, blank, body = line.got.partition(b"\r\n\r\n")
        lower = head.lower() + b"\r\n"
        if not blank or len(body) < int(lower.partition(b"\r\ncontent-length: ")[2].partition(b"\r\n")[0]):
            return
        status, waited = head[9:12], time.monotonic() - line.sent_at
        count = self.counts[line.kind]
        if status == b"503":
            count["refused"] += 1
            self.unhinted += b"\r\nretry-after: " not in lower
        elif status in (b"200", b"201"):
            count["answered"] += 1
            self.waits[line.kind].append(waited)
        else:
            count["elsewise"] += 1
            assert line.kind == "readers", line.got
        if line.kind == "entries":
            if status == b"201" and line.now:
                self.hands.append(line.now[0])
                self.entered_at = time.monotonic()
            self._next_hand(line, end, again=status == b"503")
        elif pages is not None and time.monotonic() < end:
            line.send(next(pages))
        else:
            self.idle.append(line)

    def _hung_up(self, line: _Line) -> None:
        """The service ends connections that rest for some seconds; what was being sent in that moment is sent anew."""
        self.chosen.unregister(line.socket)
        line.socket.close()
        self.open_lines -= 1
        if line in self.idle:
            self.idle.remove(line)
        elif line.now is not None:
            self._line("entries", line.work, line.now).send(line.now[1])
        else:
            self.counts["readers"]["hung up"] += 1

    def _next_hand(self, line: _Line, end: float, *, again: bool = False) -> None:
        """The next hand of a table, or the same where it was refused."""
        assert line.work is not None
        line.now = line.now if again else next(line.work, None)
        if line.now is None or time.monotonic() > end:
            self.chosen.unregister(line.socket)
            line.socket.close()
            self.open_lines -= 1
            return
        line.send(line.now[1])

    def _hands_of(self, sitting: int) -> Iterator[_Hand]:
        facts = {"kind": "hand", "trump": "H", "captured_in_tricks": 80, "last_trick_winner": "dealer"}
        for number in range(1, HANDS + 1):
            body = {"facts": facts, "hand_no": number, "basis": "watched"}
            path, key = f"/sittings/{sitting}/hands/", f"{sitting}-{number}"
            yield (sitting, number), request(self.task["address"], self.task["credential"], path, body, key)

    def _pages(self) -> Iterator[bytes]:
        place, credential = urlsplit(self.task["address"]), self.task["credential"]
        while True:
            for sitting in self.task["sittings"]:
                path = f"/api/v1/sittings/{sitting}/"
                yield (
                    f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: {credential}\r\n"
                    "Accept-Encoding: identity\r\n\r\n"
                ).encode()


if __name__ == "__main__":
    print(json.dumps(_Clients(json.load(sys.stdin)).run()))
