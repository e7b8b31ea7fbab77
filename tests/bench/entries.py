"""Durable entries over HTTP by sixteen clients, beside one statement that writes the same rows (`yardstick`); then the
same on a laptop, by sixteen and by sixty-four.

Two web processes and a worker as a federation runs them, PostgreSQL with fsync; the laptop is one process with SQLite.
The clients (two processes, see `clients`) and the servers share the machine's cores: so did the limit's own client.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import urlopen

from tests.bench import yardstick
from tests.bench.clients import drive, request
from tests.bench.report import Figure
from tests.reliability.conftest import Laptop, alone
from tests.reliability.hall import ROOT, SERVER, Hall, open_hall

CLIENTS, PROCESSES = 16, 2
TABLES, HANDS = 256, 12
TURNS, SECONDS = 3, 5
#: Of a laptop: how long 99 of 100 entries take at most by this many phones.
WAITS = {16: 0.25, 64: 1.0}


def measure(folder: Path) -> list[Figure]:
    environment = dict(os.environ)
    hall = open_hall(environment, TABLES, phones=False)
    work = iter(_shares(hall))
    with running(environment, folder) as addresses:
        rates, limits = [], []
        for _ in range(TURNS):
            limits.append(yardstick.rates(folder))
            rates.append(entries(addresses, hall, next(work)).rate)
    ours, then, now = median(rates), median(one for one, _ in limits), median(one for _, one in limits)
    what = f"P1 durable entries over HTTP, {CLIENTS} clients"
    return [
        Figure(f"{what} / one statement, tables of 68b97ac", f"{ours:,.0f}/s", f"{then:,.0f}/s", ours / then, 0.2),
        Figure(f"{what} / one statement, tables of today", f"{ours:,.0f}/s", f"{now:,.0f}/s", ours / now),
        *_on_a_laptop(folder / "laptop", ours),
    ]


def _on_a_laptop(folder: Path, on_postgres: float) -> list[Figure]:
    folder.mkdir(exist_ok=True)
    laptop = Laptop(folder, open_hall(alone(folder), TABLES, phones=False))
    laptop.start()
    try:
        work = iter(_shares(laptop.hall))
        done = {clients: entries([laptop.address], laptop.hall, next(work), clients) for clients in WAITS}
    finally:
        laptop.stop()
        said = laptop.said()
        shutil.rmtree(folder, ignore_errors=True)
    assert "locked" not in said, "a writer was turned away"
    rate = done[CLIENTS].rate
    what = "P12 entries on a laptop / on PostgreSQL"
    figures = [Figure(what, f"{rate:,.0f}/s", f"{on_postgres:,.0f}/s", rate / on_postgres, 0.5)]
    for clients, goal in WAITS.items():
        last = done[clients].slowest
        what = f"P12 a laptop, {clients} phones: p99 of an entry / 1 s"
        figures.append(Figure(what, f"{last:.2f} s", "1 s", last, goal, less=True))
    return figures


def _shares(hall: Hall) -> list[list[int]]:
    """For each turn the tables it may write to: a match has a dozen hands."""
    sittings = [place.sitting for place in hall.places]
    return [sittings[turn::TURNS] for turn in range(TURNS)]


@dataclass(frozen=True)
class Entered:
    """Entries per second that were answered with 201, and how long 99 of 100 took at most."""

    rate: float
    slowest: float


def entries(addresses: list[str], hall: Hall, sittings: list[int], threads: int = CLIENTS) -> Entered:
    """What so many clients enter at these tables."""
    clients = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.bench.entries"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(PROCESSES)
    ]
    for number, client in enumerate(clients):
        assert client.stdin
        task = {
            "address": addresses[number % len(addresses)],
            "credential": hall.referee,
            "sittings": sittings[number::PROCESSES],
            "threads": threads // PROCESSES,
        }
        client.stdin.write(json.dumps(task).encode())
        client.stdin.close()
    done = [json.loads(client.stdout.read()) for client in clients if client.stdout]
    for client in clients:
        client.wait()
    waits = sorted(wait for each, _ in done for wait in each)
    return Entered(sum(len(each) / took for each, took in done), waits[len(waits) * 99 // 100])


def load(task: dict[str, Any]) -> tuple[list[float], float]:
    """One process of clients: hands at its tables until time is up or every match has its dozen; the seconds of each
    entry, and of all."""
    threads, sittings = task["threads"], task["sittings"]
    work = [
        [_entry(task, sitting, hand_no) for hand_no in range(1, HANDS + 1) for sitting in sittings[number::threads]]
        for number in range(threads)
    ]
    began = time.monotonic()
    waits = drive(task["address"], work, lambda answer: answer.startswith(b"HTTP/1.1 201 "), began + SECONDS)
    return waits, time.monotonic() - began


def _entry(task: dict[str, Any], sitting: int, hand_no: int) -> bytes:
    """An official's entry."""
    facts = {"kind": "hand", "trump": "H", "captured_in_tricks": 80, "last_trick_winner": "dealer"}
    body = {"facts": facts, "hand_no": hand_no, "basis": "watched"}
    return request(task["address"], task["credential"], f"/sittings/{sitting}/hands/", body, f"{sitting}-{hand_no}")


@contextmanager
def running(environment: dict[str, str], folder: Path) -> Iterator[list[str]]:
    """Two web processes and a worker; the addresses of the former."""
    addresses = []
    with ExitStack() as stack, (folder / "bench.log").open("ab") as log:
        commands = []
        for _ in range(PROCESSES):
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            web = ["uvicorn", "referee.asgi:application", *SERVER, "--port", str(port)]
            commands.append(web)
            addresses.append(f"http://127.0.0.1:{port}")
        commands.append(["celery", "-A", "referee", "worker", "--concurrency", "1", "--without-gossip"])
        for command in commands:
            process = subprocess.Popen(
                [sys.executable, "-W", "ignore", "-m", *command], cwd=ROOT, env=environment, stdout=log, stderr=log
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)
        for address in addresses:
            wait_for(address)
        yield addresses


def wait_for(address: str) -> None:
    end = time.monotonic() + 40
    while True:
        try:
            urlopen(f"{address}/health", timeout=5).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return


if __name__ == "__main__":
    print(json.dumps(load(json.load(sys.stdin))))
