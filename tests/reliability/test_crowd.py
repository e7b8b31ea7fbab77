"""Strangers in numbers at one laptop: they cost it no thread, and take nothing from the phones that enter hands."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

import pytest

from referee.serving import descriptors
from tests.reliability.conftest import Laptop
from tests.reliability.crowd import crowd
from tests.reliability.hall import Place
from tests.reliability.phones import Answer, Phone

pytestmark = pytest.mark.long

ALLOWED = 100
Until = Callable[..., None]


def threads_of(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def memory_of(pid: int) -> int:
    """Resident memory in kB."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def sent(act: Callable[[], Answer]) -> tuple[Answer, float]:
    """An act and how long it took, in seconds; as a phone does, again with the same key when the connection is gone."""
    began = time.monotonic()
    try:
        answer = act()
    except ConnectionError:
        answer = act()
    return answer, time.monotonic() - began


def enter_hands(laptop: Laptop, place: Place, hands: int, pause: float) -> list[float]:
    """One phone enters, the other confirms; how long each of these requests took. `pause`: between them, in seconds."""
    took = []
    time.sleep(pause * random.random())
    phones = {side: Phone(laptop.address, credential) for side, credential in place.sides.items()}
    for hand_no in range(1, hands + 1):
        entered, first = sent(partial(phones["NS"].enter, place.sitting, hand_no, 80, key=f"e{hand_no}"))
        assert entered.status == 201, entered
        entry = entered.body["entry"]
        time.sleep(pause)
        confirmed, second = sent(partial(phones["EW"].confirm, place.sitting, entry, key=f"c{hand_no}"))
        assert confirmed.status == 200, confirmed
        took += [first, second]
        time.sleep(pause)
    return took


def beside_a_crowd(laptop: Laptop, until: Until, *, pages: int, hands: int, pause: float = 0) -> dict[str, Any]:
    """So many pages of one address are open while all tables enter hands; what was seen."""
    descriptors.raised()
    threads, memory = threads_of(laptop.pid), memory_of(laptop.pid)
    with crowd(laptop.address, laptop.hall.slug, pages, until) as strangers:
        grown = {"threads": threads_of(laptop.pid) - threads, "kB": memory_of(laptop.pid) - memory}
        seen, stop = [], threading.Event()

        def look() -> None:
            while not stop.is_set():
                began = time.monotonic()
                page = Request(f"{laptop.address}/zh/e/{laptop.hall.slug}/rounds/1/")
                with urlopen(page, timeout=30) as answer:
                    assert answer.status == 200
                    answer.read()
                seen.append(time.monotonic() - began)
                stop.wait(0.5)

        with ThreadPoolExecutor(17) as pool:
            looking = pool.submit(look)
            entered = list(pool.map(lambda place: enter_hands(laptop, place, hands, pause), laptop.hall.places))
            stop.set()
            looking.result()
        # each stream is greeted, and told of every hand that counts: nothing of those that wait
        told = strangers.statuses[200] * (1 + hands * len(laptop.hall.places))
        until(lambda: strangers.heard >= told)
        assert strangers.heard == told
        return {
            "streams": dict(strangers.statuses),
            "asked": dict(strangers.asked),
            "entries": sum(len(times) for times in entered),
            "slowest entry": max(max(times) for times in entered),
            "middle entry": median(time for times in entered for time in times),
            "slowest page": max(seen),
            **grown,
        }


def test_a_crowd_is_refused_and_takes_nothing_from_the_phones(laptop_off: Laptop, until: Until) -> None:
    laptop_off.start(STREAMS_PER_ADDRESS=str(ALLOWED))
    found = beside_a_crowd(laptop_off, until, pages=ALLOWED + 150, hands=2)
    assert found["streams"] == {200: ALLOWED, 429: 150}
    assert found["threads"] <= 2
    assert laptop_off.stop() == 0
    said = laptop_off.said()
    assert said.count("live stream refused") == 1
    assert "Traceback" not in said


@pytest.mark.soak
def test_fifteen_hundred_pages_of_one_address(laptop: Laptop, until: Until) -> None:
    """No entry waits for two seconds, and pages answer; a table plays a hand in eight seconds, not in four minutes."""
    found = beside_a_crowd(laptop, until, pages=1_500, hands=8, pause=4)
    print(found)
    assert found["streams"] == {200: 300, 429: 1_200}
    assert set(found["asked"]) <= {200}
    assert found["slowest entry"] < 2
    assert found["slowest page"] < 10
    assert laptop.stop() == 0
    assert len(laptop.said().splitlines()) < 100
