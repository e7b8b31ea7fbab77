"""The crash laboratory: the service is killed in the middle of its acts, at every point there is, and nothing is lost.

``python -m tests.soak.crashes --mode laptop --schedules 2000 --figures crashes.json`` (or ``federation``) plays seeded
schedules and adds to the file of figures; run again, it goes on where it stopped. In the mode ``servers`` PostgreSQL or
Redis of the federation is killed at the point instead, and started again: acts are told to come again, and do.

A schedule has a fresh database and a few lives. A life is a process that serves phones and an official through the
API; a seeded number of steps of the interpreter later (calls and returns, of Python and of C) it kills itself with
SIGKILL. So a life may end between any two of them: before a statement is sent, after it was, before the answer is
read, before Redis is told, between the acts. What was asked and what was answered is written down outside the database
as it happens. The next life first repeats what had no answer, under its key. The last life is not killed and checks:

- every act that was answered is there, once, as it was answered; nothing is there that nobody asked for;
- the same request gets the same answer again;
- the sweep makes up for the work that was waiting: the standings cover everything;
- the audit finds nothing, neither in the record nor against the signed log.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.reliability.hall import Hall, open_hall
from tests.services import postgres_server, redis_server
from tests.soak import raised
from tests.soak.steps import end_at, end_itself

LIVES: Final = 3
ACTS: Final = 8
TABLES: Final = 4
#: Steps of the interpreter in a life: at most so many, and so many inside the writers; a later point kills nobody.
STEPS, WRITING_STEPS = 400_000, 40_000


@dataclass
class Journal:
    """What was asked and answered, a line each, outside the database."""

    path: Path
    lines: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Journal:
        whole = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
        return cls(path, [json.loads(line) for line in whole.splitlines()])

    def write(self, line: dict[str, Any]) -> None:
        with path_opened(self.path) as file:
            os.write(file, (json.dumps(line) + "\n").encode())
        self.lines.append(line)

    def answers(self) -> dict[int, dict[str, Any]]:
        return {line["n"]: line for line in self.lines if "status" in line}

    def asked(self) -> dict[int, dict[str, Any]]:
        return {line["n"]: line for line in self.lines if "path" in line}

    def open_requests(self) -> list[dict[str, Any]]:
        answered = self.answers()
        return [line for number, line in self.asked().items() if number not in answered]


@contextmanager
def path_opened(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        yield file
    finally:
        os.close(file)


class Life:
    """A process that serves the hall: it repeats what had no answer, then plays on."""

    def __init__(self, hall: Hall, journal: Journal, chance: Random, *, away: bool = False) -> None:
        """`away`: a server may be killed under it, so an act may be answered that it is not known, or not now."""
        from django.test import Client

        self.away, self.told_away = away, 0
        self.hall, self.journal, self.chance = hall, journal, chance
        self.client = Client(raise_request_exception=False, SERVER_NAME="127.0.0.1")
        self.number = max(journal.asked(), default=0)

    def go_on(self, acts: int) -> None:
        self.repeat_what_had_no_answer()
        for _ in range(acts):
            self.act()

    def repeat_what_had_no_answer(self) -> None:
        for line in self.journal.open_requests():
            self.send(line)

    def act(self) -> None:
        """One lawful act at one table, as its state is now."""
        place = self.chance.choice(self.hall.places)
        status, here = self.get(f"/sittings/{place.sitting}/")
        if status == 503 and self.away:
            self.wait_for_the_service()
            status, here = self.get(f"/sittings/{place.sitting}/")
        assert status == 200, here
        side = self.chance.choice(("NS", "EW"))
        waiting = here["waiting"]
        at = f"/sittings/{place.sitting}/"
        if here["phase"] == "finished":
            self.ask(at + "reopen/", {"reason": "Ended by mistake"}, self.hall.referee, here["revision"])
        elif waiting:
            other = "EW" if waiting["entered_side"] == "NS" else "NS"
            self.ask(f"{at}entries/{waiting['id']}/confirm/", {}, place.sides[other])
        elif self.chance.random() < 0.06:
            self.ask(at + "end/", {"reason": "time"}, self.hall.referee, here["revision"])
        elif self.chance.random() < 0.25:
            self.ask(at + "hands/", self.hand(here["hand_no"]) | {"basis": "watched"}, self.hall.referee)
        else:
            self.ask(at + "hands/", self.hand(here["hand_no"]), place.sides[side])

    def wait_for_the_service(self) -> None:
        """As a phone does that was told to come again: it waits, then sends the same under the same key."""
        self.told_away += 1
        ends = time.monotonic() + 60
        while self.get(f"/sittings/{self.hall.places[0].sitting}/")[0] == 503:
            assert time.monotonic() < ends, "the service does not come back"
            time.sleep(0.05)

    def hand(self, number: int) -> dict[str, Any]:
        captured = 5 * self.chance.randint(0, 40)
        facts = {"kind": "hand", "trump": "H", "captured_in_tricks": captured, "last_trick_winner": "dealer"}
        return {"facts": facts, "hand_no": number}

    def get(self, path: str) -> tuple[int, Any]:
        answer = self.client.get("/api/v1" + path, HTTP_AUTHORIZATION=self.hall.referee)
        self.let_go()
        return answer.status_code, answer.json()

    def ask(self, path: str, body: dict[str, Any], who: str, revision: int | None = None) -> None:
        self.number += 1
        line = {"n": self.number, "path": path, "body": body, "who": who, "revision": revision}
        self.journal.write(line)
        self.send(line)

    def send(self, line: dict[str, Any]) -> None:
        status, answer = self.answered(line)
        if status == 503 and self.away:
            self.wait_for_the_service()
            status, answer = self.answered(line)
        assert status < 500, (line, status, answer)
        self.journal.write({"n": line["n"], "status": status, "answer": answer})

    def answered(self, line: dict[str, Any]) -> tuple[int, Any]:
        more = {"HTTP_IF_MATCH": f'"{line["revision"]}"'} if line["revision"] is not None else {}
        answer = self.client.post(
            "/api/v1" + line["path"],
            json.dumps(line["body"]),
            "application/json",
            HTTP_AUTHORIZATION=line["who"],
            HTTP_IDEMPOTENCY_KEY=f"crash-{line['n']}",
            **more,
        )
        self.let_go()
        return answer.status_code, answer.json()

    def let_go(self) -> None:
        """What a server does after a request and Django's client does not: a broken connection is not used again."""
        from django.db import close_old_connections

        if self.away:
            close_old_connections()

    def check(self) -> Counter[str]:
        """What became of everything; AssertionError where something was lost, doubled, made up or changed."""
        from django.utils import timezone

        from tournaments.acts.doorbell import stale_number
        from tournaments.audit.audit import audit
        from tournaments.audit.record import event_document
        from tournaments.log import checking
        from tournaments.models import LedgerEntry, Recalculation, SavedAnswer, Tournament
        from tournaments.standings.runs import recalculate
        from tournaments.tasks import sweep

        self.repeat_what_had_no_answer()
        asked, answers = self.journal.asked(), self.journal.answers()
        assert set(asked) == set(answers)
        good = {number: line for number, line in answers.items() if line["status"] < 300}
        for number in self.chance.sample(sorted(good), min(5, len(good))):
            again = self.answered(asked[number])
            first = good[number]["answer"] | {"replayed": True}
            assert again == (good[number]["status"], first), (asked[number], again, good[number])
        entered = [line["answer"]["entry"] for number, line in good.items() if asked[number]["path"].endswith("hands/")]
        assert len(entered) == len(set(entered)), "two acts were answered with one entry"
        rows = dict(LedgerEntry.objects.filter(kind="hand").values_list("pk", "status"))
        assert set(rows) == set(entered), (sorted(rows), sorted(entered))
        for number in good:
            if asked[number]["path"].endswith("confirm/"):
                confirmed = int(asked[number]["path"].split("/")[-3])
                assert rows[confirmed] == "effective", (confirmed, rows[confirmed])
        assert SavedAnswer.objects.count() <= len(asked)
        sweep()
        recalculate(tournament_id=self.hall.event, at=timezone.now())
        event = Tournament.objects.get(pk=self.hall.event)
        assert Recalculation.objects.get(tournament=event).covered_number == stale_number(event.pk)
        assert audit(event_document(event, official=True)) == []
        found = [str(one) for one in checking.check(event)]
        assert found == [], found
        return Counter({"answered": len(good), "refused": len(answers) - len(good), "entries": len(rows)})


@dataclass
class Place:
    """Where a schedule runs: how its database is put back to the beginning."""

    hall: Hall
    folder: Path
    fresh: Callable[[], None]
    between: Callable[[Random], None] = lambda chance: None
    #: Servers that can be killed, and how.
    servers: Mapping[str, Callable[[], None]] = field(default_factory=dict)


def schedule(place: Place, seed: int, *, forge: bool = False) -> Counter[str]:
    """A schedule from its seed: how many lives were ended, acts answered and entries made. `forge`: an answer stands in
    the journal that the service never gave, which the check has to notice."""
    chance = Random(seed)
    place.fresh()
    path = place.folder / "journal.ndjson"
    path.unlink(missing_ok=True)
    found: Counter[str] = Counter(schedules=1)
    for life in range(LIVES):
        writing = chance.random() < 0.5
        point = chance.randint(1, WRITING_STEPS if writing else STEPS)
        victim = chance.choice(["", *sorted(place.servers)]) if place.servers else ""
        ended = forked(partial(live, place, f"{seed}/{life}", point, writing, victim), place.folder / "said.txt")
        if victim and (place.folder / "killed").exists():
            found[f"{victim} killed"] += 1
            found["told to come again"] += int((place.folder / "killed").read_text() or 0)
        found["killed"] += ended == -signal.SIGKILL
        found["killed while writing"] += ended == -signal.SIGKILL and writing
        assert ended in (0, -signal.SIGKILL), f"seed {seed}, life {life}: {(place.folder / 'said.txt').read_text()}"
        place.between(chance)
    if forge:
        Journal.read(path).write({"n": 10**6, "path": "/sittings/1/hands/", "body": {}, "who": "", "revision": None})
        Journal.read(path).write({"n": 10**6, "status": 201, "answer": {"entry": 10**6}})
    figures = place.folder / "figures.json"

    def last() -> None:
        figures.write_text(json.dumps(Life(place.hall, Journal.read(path), chance).check()))

    ended = forked(last, place.folder / "said.txt")
    assert ended == 0, f"seed {seed}: {(place.folder / 'said.txt').read_text()}"
    return found + Counter(json.loads(figures.read_text()))


def live(place: Place, name: str, point: int, writing: bool, victim: str) -> None:
    """A life: it is ended at its point, or a server is, and it goes on as well as it can."""
    killed = place.folder / "killed"
    killed.unlink(missing_ok=True)

    def kill_server() -> None:
        place.servers[victim]()
        killed.write_text("")

    alive = Life(place.hall, Journal.read(place.folder / "journal.ndjson"), Random(name), away=bool(place.servers))
    alive.get(f"/sittings/{place.hall.places[0].sitting}/")  # what a first request loads is no act
    end_at(point, only_writing=writing, end=kill_server if victim else end_itself)
    alive.go_on(ACTS)
    sys.setprofile(None)
    if killed.exists():
        killed.write_text(str(alive.told_away))


def forked(work: Callable[[], None], said: Path) -> int:
    """Do it in a process of its own; its exit code, below 0 for the signal that ended it."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with said.open("w") as file:
                os.dup2(file.fileno(), 2)
                work()
            code = 0
        except BaseException:
            import traceback

            said.write_text(traceback.format_exc())
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@contextmanager
def laptop(folder: Path) -> Iterator[Place]:
    """SQLite in a folder that is copied for every schedule; work waits in files."""
    data, prepared = folder / "data", folder / "prepared"
    os.environ["DATA_DIR"] = str(data)
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    hall = open_hall(dict(os.environ), TABLES)
    data.rename(prepared)
    shutil.copytree(prepared, data)

    def fresh() -> None:
        shutil.rmtree(data)
        shutil.copytree(prepared, data)

    yield Place(hall, folder, fresh)


@contextmanager
def federation(folder: Path, *, killed: bool = False) -> Iterator[Place]:
    """PostgreSQL, copied from a template for every schedule, and a Redis that forgets everything now and then.

    `killed`: both can be killed, and are started again."""
    import psycopg
    import redis

    (folder / "servers").mkdir()
    os.environ["DATA_DIR"] = str(folder / "data")
    with ExitStack() as servers:
        pids = {name: folder / f"{name}.pid" for name in ("PostgreSQL", "Redis")}
        before = {name: raised.command(pid) if killed else [] for name, pid in pids.items()}
        kept = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
        url = servers.enter_context(postgres_server(folder / "servers", kept, before["PostgreSQL"]))
        os.environ["REDIS_URL"] = servers.enter_context(redis_server(folder / "servers", before=before["Redis"]))
        os.environ["SECRET_KEY"] = "a key of the laboratory, which signs nothing else 0123456789"
        os.environ["DATABASE_URL"] = url.removesuffix("postgres") + "hall"

        def execute(*statements: str) -> None:
            with psycopg.connect(url, autocommit=True) as connection:
                for one in statements:
                    connection.execute(one.encode())

        execute("CREATE DATABASE hall")
        hall = open_hall(dict(os.environ), TABLES)
        execute("ALTER DATABASE hall RENAME TO prepared")

        def fresh() -> None:
            execute("DROP DATABASE IF EXISTS hall WITH (FORCE)", "CREATE DATABASE hall TEMPLATE prepared")
            if (
                killed
            ):  # until then the sequences of a copy go back when PostgreSQL is killed: it copies what they foresee
                execute("CHECKPOINT")
            shutil.rmtree(folder / "data" / "heads", ignore_errors=True)

        def up() -> None:
            """Both servers answer again."""
            ends = time.monotonic() + 60
            while killed:
                try:
                    execute("SELECT 1")
                    redis.Redis.from_url(os.environ["REDIS_URL"]).ping()
                    return
                except (psycopg.OperationalError, redis.RedisError):
                    assert time.monotonic() < ends, "a server that was killed does not come back"
                    time.sleep(0.05)

        def between(chance: Random) -> None:
            up()
            if chance.random() < 0.3:
                with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
                    client.flushall()

        victims = {name: partial(raised.kill, pid) for name, pid in pids.items()} if killed else {}
        yield Place(hall, folder, fresh, between, victims)


MODES: Final = {"laptop": laptop, "federation": federation, "servers": partial(federation, killed=True)}


def warm() -> None:
    """Load the service, so that every life begins with it; the database stays shut."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    django.setup()
    from django.urls import get_resolver

    get_resolver().url_patterns  # noqa: B018 - read for what it loads
    for module in ("tournaments.audit.audit", "tournaments.tasks"):
        import_module(module)


def run(mode: str, schedules: int, figures: Path | None, *, first: int = 0, forge: bool = False) -> Counter[str]:
    """Play schedules until there are so many; figures of earlier runs are gone on from."""
    whole = json.loads(figures.read_text()) if figures and figures.exists() else {}
    found: Counter[str] = Counter(whole.get(mode, {}))
    with tempfile.TemporaryDirectory() as name, MODES[mode](Path(name)) as place:
        warm()
        for seed in range(first + found["schedules"], first + schedules):
            found += schedule(place, seed, forge=forge)
            if figures:
                figures.write_text(json.dumps(whole | {mode: found}, indent=1) + "\n")
    return found


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--mode", choices=MODES, required=True)
    asked.add_argument("--schedules", type=int, default=2000)
    asked.add_argument("--figures", type=Path)
    asked.add_argument("--first", type=int, default=0)
    asked.add_argument("--forge", action="store_true", help="write an answer down that was never given")
    given = asked.parse_args()
    print(json.dumps(run(given.mode, given.schedules, given.figures, first=given.first, forge=given.forge)))
