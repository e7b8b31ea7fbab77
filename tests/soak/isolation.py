"""Many processes and threads at the same few sittings, and whether there is one order in which all of it was lawful.

``python -m tests.soak.isolation --mode laptop --runs 20 --figures isolation.json`` (or ``federation``). A run has a
fresh database; its clients read a sitting, then enter, confirm, take back, correct or repeat by a seed, without waiting
for each other. `tests/soak/serial.py` looks for the order.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.reliability.hall import Place as Table
from tests.soak.crashes import MODES, Place, forked, warm
from tests.soak.serial import Sitting, Told, check

SITTINGS: Final = 2
PROCESSES, THREADS, ACTS = 3, 4, 10
#: The attackers take the deal and no level, so that no match ends.
CAPTURED: Final = (80, 85, 90, 95, 100, 105, 110, 115)


def shown(answer: dict[str, Any]) -> dict[str, Any]:
    """The state of a sitting, as one is shown it who may see all."""
    waiting = answer["waiting"]
    made = {f"hand {one['hand_no']}": [one["id"], one["facts"]["captured_in_tricks"]] for one in answer["hands"]}
    if waiting:
        made["waiting"] = [waiting["id"], waiting["facts"]["captured_in_tricks"]]
    if answer["phase"] == "disputed":
        made["disputed"] = True
    return made | {"next": answer["hand_no"]}


class Client:
    """One of many: it reads and acts by its seed, and notes what it was told, and when."""

    def __init__(self, tables: list[Table], referee: str, seed: str) -> None:
        from django.test import Client as Http

        self.tables, self.referee, self.seed, self.chance = tables, referee, seed, Random(seed)
        self.http = Http(raise_request_exception=False, SERVER_NAME="127.0.0.1")
        self.told: list[Told] = []
        self.sent: list[tuple[Any, ...]] = []

    def play(self, acts: int) -> None:
        for number in range(acts):
            if self.sent and self.chance.random() < 0.1:
                self.send(*self.chance.choice(self.sent))
            else:
                self.act(self.chance.choice(self.tables), f"{self.seed}/{number}")

    def read(self, sitting: int) -> dict[str, Any]:
        began = time.monotonic_ns()
        answer = self.http.get(f"/api/v1/sittings/{sitting}/", HTTP_AUTHORIZATION=self.referee)
        ended = time.monotonic_ns()
        assert answer.status_code == 200, answer.content
        whole: dict[str, Any] = answer.json()
        self.told.append(Told(sitting, began, ended, whole["revision"], saw=shown(whole)))
        return whole

    def act(self, table: Table, key: str) -> None:
        """What is lawful in the state that was read; it may be another one by then."""
        here = self.read(table.sitting)
        at, waiting, chance = f"/sittings/{table.sitting}/", here["waiting"], self.chance
        counted = here["hands"]
        if waiting and chance.random() < 0.7:
            other = "EW" if waiting["entered_side"] == "NS" else "NS"
            entry, name = waiting["id"], f"hand {waiting['hand_no']}"
            was = [entry, waiting["facts"]["captured_in_tricks"]]
            if chance.random() < 0.8:
                sets = {"waiting": None, "disputed": None, name: was, "next": waiting["hand_no"] + 1}
                self.send(table.sitting, key, f"{at}entries/{entry}/confirm/", {}, table.sides[other], None,
                          {"waiting": was}, sets)  # fmt: skip
            else:
                self.send(table.sitting, key, f"{at}entries/{entry}/take-back/", {},
                          table.sides[waiting["entered_side"]], None, {"waiting": was}, {"waiting": None})  # fmt: skip
        elif counted and chance.random() < 0.3:
            last = chance.choice(counted)
            facts = last["facts"] | {"captured_in_tricks": chance.choice(CAPTURED)}
            body = {"facts": facts, "reason": "Misread", "treatment": chance.choice(("", "recompute"))}
            name = f"hand {last['hand_no']}"
            needs = {name: [last["id"], last["facts"]["captured_in_tricks"]]}
            self.send(table.sitting, key, f"/entries/{last['id']}/corrections/", body, self.referee,
                      here["revision"], needs, {name: [None, facts["captured_in_tricks"]]})  # fmt: skip
        else:
            captured, side = chance.choice(CAPTURED), chance.choice(("NS", "EW"))
            facts = {"kind": "hand", "trump": "H", "captured_in_tricks": captured, "last_trick_winner": "dealer"}
            body = {"facts": facts, "hand_no": here["hand_no"]}
            self.send(table.sitting, key, f"{at}hands/", body, table.sides[side], None,
                      {"waiting": None, "next": here["hand_no"]}, {"waiting": [None, captured]})  # fmt: skip

    def send(
        self, sitting: int, key: str, path: str, body: dict[str, Any], who: str, revision: int | None,
        needs: dict[str, Any], sets: dict[str, Any],
    ) -> None:  # fmt: skip
        more = {"HTTP_IF_MATCH": f'"{revision}"'} if revision is not None else {}
        began = time.monotonic_ns()
        answer = self.http.post(
            "/api/v1" + path, json.dumps(body), "application/json",
            HTTP_AUTHORIZATION=who, HTTP_IDEMPOTENCY_KEY=key, **more,
        )  # fmt: skip
        ended = time.monotonic_ns()
        self.sent.append((sitting, key, path, body, who, revision, needs, sets))
        said = answer.json()
        if answer.status_code in (500, 502):
            raise AssertionError((path, body, said))
        if answer.status_code >= 500:  # it is not known, or was too much: a later repeat may tell
            self.told.append(Told(sitting, began, None, key=key))
            return
        if answer.status_code >= 300:
            self.told.append(Told(sitting, began, ended, key=key, refused=True))
            return
        needs, sets = effect(said, body, needs, sets)
        self.told.append(
            Told(sitting, began, ended, said["revision"], needs, sets, key=key, repeated=said["replayed"])
        )  # fmt: skip


def effect(
    said: dict[str, Any], body: dict[str, Any], needs: dict[str, Any], sets: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What an act found and did, with the id of the entry it was answered with. A hand that the other side had entered
    alike is its confirmation."""
    filled = {
        name: [said["entry"], value[1]] if isinstance(value, list) and value[0] is None else value
        for name, value in sets.items()
    }
    if said.get("answer") == "confirmed" and "facts" in body:
        was = [said["entry"], body["facts"]["captured_in_tricks"]]
        number = body["hand_no"]
        return {"waiting": was}, {"waiting": None, f"hand {number}": was, "next": number + 1}
    if said.get("answer") == "disputed":
        return {"disputed": None, "next": body["hand_no"]}, {"disputed": True}
    return needs, filled


def life(place: Place, seed: str, to: Path, start: float) -> None:
    """One process: its threads, and their histories in a file."""
    from django.db import connections

    tables = place.hall.places[:SITTINGS]
    clients = [Client(tables, place.hall.referee, f"{seed}/{number}") for number in range(THREADS)]
    failed: list[BaseException] = []

    def work(client: Client) -> None:
        try:
            client.read(tables[0].sitting)  # what a first request loads is no race
            time.sleep(max(0, start - time.monotonic()))
            client.play(ACTS)
        except BaseException as error:
            failed.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(client,)) for client in clients]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    if failed:
        raise failed[0]
    rows = [[getattr(one, name) for name in Told.__slots__] for client in clients for one in client.told]
    to.write_text(json.dumps(rows))


def together(place: Place, seed: int) -> None:
    """All processes of a run at once."""
    start, children = time.monotonic() + 1.0, list[int]()
    for number in range(PROCESSES):
        child = os.fork()
        if child == 0:
            work = partial(life, place, f"{seed}/{number}", place.folder / f"told-{number}.json", start)
            os._exit(0 if forked(work, place.folder / f"said-{number}.txt") == 0 else 1)
        children.append(child)
    for number, child in enumerate(children):
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert ended == 0, f"seed {seed}: {(place.folder / f'said-{number}.txt').read_text()}"


def read_states(place: Place, to: Path) -> None:
    """How every sitting stands now, into a file."""

    def read() -> None:
        reader = Client(place.hall.places, place.hall.referee, "")
        seen = [reader.read(table.sitting) for table in place.hall.places[:SITTINGS]]
        to.write_text(json.dumps([[one["id"], one["revision"], shown(one)] for one in seen]))

    said = place.folder / "said.txt"
    assert forked(read, said) == 0, said.read_text()


def one_run(place: Place, seed: int, *, forge: bool = False) -> Counter[str]:
    """A run from its seed: how many acts, reads, repeats and refusals had an explanation. `forge`: one is forgotten."""
    place.fresh()
    before, after = place.folder / "before.json", place.folder / "after.json"
    read_states(place, before)
    together(place, seed)
    read_states(place, after)
    pairs = zip(json.loads(before.read_text()), json.loads(after.read_text()), strict=True)
    stood = {number: Sitting(first, last, was, then) for (number, first, was), (_, last, then) in pairs}
    history = [
        Told(**dict(zip(Told.__slots__, row, strict=True)))
        for number in range(PROCESSES)
        for row in json.loads((place.folder / f"told-{number}.json").read_text())
    ]
    if forge:
        victim = next(one for one in history if one.sets is not None)
        history.remove(victim)
    found = check(history, stood)
    assert found == [], f"seed {seed}: {found}"
    kinds = Counter({"runs": 1, "sittings": len(stood), "requests": len(history)})
    for one in history:
        what = "refused" if one.refused else "read" if one.saw is not None else "repeated" if one.repeated else "acts"
        kinds["without an answer" if one.ended is None else what] += 1
    return kinds


def run(mode: str, runs: int, figures: Path | None, *, first: int = 0, forge: bool = False) -> Counter[str]:
    """So many runs; figures of earlier ones are gone on from."""
    whole = json.loads(figures.read_text()) if figures and figures.exists() else {}
    found: Counter[str] = Counter(whole.get(mode, {}))
    with tempfile.TemporaryDirectory() as name, MODES[mode](Path(name)) as place:
        warm()
        for seed in range(first + found["runs"], first + runs):
            found += one_run(place, seed, forge=forge)
            if figures:
                figures.write_text(json.dumps(whole | {mode: found}, indent=1) + "\n")
    return found


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--mode", choices=MODES, required=True)
    asked.add_argument("--runs", type=int, default=20)
    asked.add_argument("--figures", type=Path)
    asked.add_argument("--first", type=int, default=0)
    asked.add_argument("--forge", action="store_true", help="forget an act that was answered")
    given = asked.parse_args()
    print(json.dumps(run(given.mode, given.runs, given.figures, first=given.first, forge=given.forge)))
