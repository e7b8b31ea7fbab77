"""Many halls at once: two thousand open streams while hands are entered all the time and strangers read pages.

``python -m tests.soak.crowded`` is the crowd, a process of its own: it reads what it shall do as JSON and prints what
it saw. The service it meets runs elsewhere.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from random import Random
from threading import Lock, Thread
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from tests.reliability.hall import ROOT, Hall
from tests.reliability.phones import Phone

OFFICIALS = 32
#: A stranger opens a page so often, in seconds.
LOOKS_EVERY = 0.5
PAGES = ("/zh/e/{slug}/", "/en/e/{slug}/standings/")


@dataclass
class Seen:
    """What a crowd saw: keys of hands answered with 201, and waits in seconds. `looked_at` says of each look in which
    second it was and at which page; `heard` counts lines of streams."""

    entered: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    looked_at: list[tuple[float, str]] = field(default_factory=list)
    streams: int = 0
    closed: int = 0
    heard: int = 0
    took: float = 0.0

    def slowest(self, of: list[float], share: float) -> float:
        return sorted(of)[min(len(of) - 1, int(len(of) * share))]


def meet(
    halls: list[Hall], pages: list[str], streams: str, readers: int, rate: int, seconds: int
) -> subprocess.Popen[bytes]:
    """Send a crowd to a service, whose pages stand at some addresses; `seen` tells what it saw."""
    at = {one.slug: [place.sitting for place in one.places] for one in halls}
    task = {
        "halls": [{"slug": one.slug, "by": one.referee, "at": at[one.slug]} for one in halls],
        "pages": pages, "streams": streams, "readers": readers, "rate": rate, "seconds": seconds,
    }  # fmt: skip
    crowd = subprocess.Popen(
        [sys.executable, "-m", "tests.soak.crowded"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert crowd.stdin
    crowd.stdin.write(json.dumps(task).encode())
    crowd.stdin.close()
    return crowd


def seen(crowd: subprocess.Popen[bytes]) -> Seen:
    assert crowd.stdout
    said = crowd.stdout.read()
    assert crowd.wait() == 0
    return Seen(**json.loads(said))


def work(task: dict[str, Any]) -> Seen:
    """Open the streams, then enter and read until time is up."""
    saw = Seen()
    listening = Thread(target=lambda: asyncio.run(_listen(task, saw)), daemon=True)
    listening.start()
    while saw.streams + saw.closed < task["readers"]:
        time.sleep(0.1)
    began = time.monotonic()
    end = began + task["seconds"]
    looking = Thread(target=_look, args=(task, saw, began, end))
    looking.start()
    hands, guard = _hands(task["halls"]), Lock()
    turns = count()

    def official(number: int) -> None:
        address = task["pages"][number % len(task["pages"])]
        phones = {one["slug"]: Phone(address, one["by"]) for one in task["halls"]}
        while True:
            with guard:
                due = began + next(turns) / task["rate"]
                slug, sitting, hand_no = next(hands)
            if due >= end or time.monotonic() >= end:
                return
            time.sleep(max(0.0, due - time.monotonic()))
            key, asked = f"{sitting}-{hand_no}", time.monotonic()
            answer = phones[slug].enter(sitting, hand_no, 80, key=key, basis="watched")
            saw.waits.append(time.monotonic() - asked)
            (saw.entered if answer.status == 201 else saw.refused).append(key)

    with ThreadPoolExecutor(OFFICIALS) as pool:
        list(pool.map(official, range(OFFICIALS)))
    saw.took = time.monotonic() - began
    looking.join()
    return saw


def _hands(halls: list[dict[str, Any]]) -> Iterator[tuple[str, int, int]]:
    """Every table of every hall its first hand, then its second."""
    for hand_no in count(1):
        for at in zip(*(one["at"] for one in halls), strict=True):
            yield from ((one["slug"], sitting, hand_no) for one, sitting in zip(halls, at, strict=True))


def _look(task: dict[str, Any], saw: Seen, began: float, end: float) -> None:
    """A stranger who opens one page after the other."""
    chance = Random(1)
    while time.monotonic() < end:
        page = chance.choice(PAGES).format(slug=chance.choice(task["halls"])["slug"])
        asked = time.monotonic()
        with urlopen(chance.choice(task["pages"]) + page, timeout=60) as answer:
            answer.read()
        saw.looks.append(time.monotonic() - asked)
        saw.looked_at.append((asked - began, page))
        time.sleep(LOOKS_EVERY)


async def _listen(task: dict[str, Any], saw: Seen) -> None:
    free = asyncio.Semaphore(64)
    slugs = [one["slug"] for one in task["halls"]]
    readers = (_reader(task["streams"], slugs[number % len(slugs)], saw, free) for number in range(task["readers"]))
    await asyncio.gather(*readers)


async def _reader(address: str, slug: str, saw: Seen, free: asyncio.Semaphore) -> None:
    """One open page: listens until its stream is closed."""
    host = urlsplit(address)
    async with free:
        reader, writer = await asyncio.open_connection(host.hostname, host.port)
        asked = f"GET /live/event/{slug}/ HTTP/1.1\r\nHost: {host.netloc}\r\nAccept: text/event-stream\r\n\r\n"
        writer.write(asked.encode())
        greeted = b" 200 " in await reader.readline()
        if greeted:
            await reader.readuntil(b"hello")
            saw.streams += 1
    async for line in reader if greeted else _nothing():
        saw.heard += line.startswith(b"data: ")
    saw.closed += 1


async def _nothing() -> Any:
    for line in ():
        yield line


if __name__ == "__main__":
    done = work(json.load(sys.stdin))
    print(json.dumps(done.__dict__), flush=True)
