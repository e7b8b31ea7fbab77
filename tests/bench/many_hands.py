"""Ten hands in one request, by sixteen clients, beside one statement that writes the rows of a hand (`yardstick`).

The hands of a request are of ten tables, as when an official types slips. The services are those of `entries`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench import yardstick
from tests.bench.clients import drive, request
from tests.bench.entries import CLIENTS, PROCESSES, running
from tests.bench.report import Figure
from tests.reliability.hall import ROOT, Hall, open_hall

TOGETHER = 10
TABLES = CLIENTS * TOGETHER
#: Three turns of four hands at each table: a match has a dozen.
TURNS, HANDS = 3, 4


def measure(folder: Path) -> list[Figure]:
    environment = dict(os.environ)
    hall = open_hall(environment, TABLES, phones=False)
    then, now = yardstick.rates(folder)
    with running(environment, folder) as addresses:
        ours = median(_rate(addresses, hall, 1 + turn * HANDS) for turn in range(TURNS))
    what = f"P2 {TOGETHER} hands in one request, per hand"
    return [
        Figure(f"{what} / one statement, tables of 68b97ac", f"{ours:,.0f}/s", f"{then:,.0f}/s", ours / then, 0.6),
        Figure(f"{what} / one statement, tables of today", f"{ours:,.0f}/s", f"{now:,.0f}/s", ours / now),
    ]


def _rate(addresses: list[str], hall: Hall, first: int) -> float:
    """Hands per second that were answered with 201."""
    sittings = [place.sitting for place in hall.places]
    clients = []
    for number in range(PROCESSES):
        task = {"address": addresses[number], "credential": hall.referee, "sittings": sittings[number::PROCESSES],
                "first": first}  # fmt: skip
        command = [sys.executable, "-m", "tests.bench.many_hands", json.dumps(task)]
        clients.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE))
    done = [json.loads(client.communicate()[0]) for client in clients]
    return sum(count / took for count, took in done)


def load(task: dict[str, Any]) -> tuple[int, float]:
    """One process of clients: each enters the next hands at its ten tables."""
    clients = CLIENTS // PROCESSES
    numbers = range(task["first"], task["first"] + HANDS)
    work = [
        [_hands(task, [hand(sitting, hand_no) for sitting in task["sittings"][number::clients]]) for hand_no in numbers]
        for number in range(clients)
    ]
    began = time.monotonic()
    waits = drive(task["address"], work, lambda answer: answer.count(b'"status":201') == TOGETHER)
    return len(waits) * TOGETHER, time.monotonic() - began


def _hands(task: dict[str, Any], hands: list[dict[str, Any]]) -> bytes:
    return request(task["address"], task["credential"], "/hands/", {"hands": hands})


def hand(sitting: int, hand_no: int) -> dict[str, Any]:
    """A hand as an official sends it with others."""
    facts = {"kind": "hand", "trump": "H", "captured_in_tricks": 80, "last_trick_winner": "dealer"}
    given = {"key": f"{sitting}-{hand_no}", "sitting": sitting, "hand_no": hand_no, "basis": "watched"}
    return given | {"facts": facts}


if __name__ == "__main__":
    print(json.dumps(load(json.loads(sys.argv[1]))))
