"""What deploy/partition.sql takes for a hundred thousand hands of a thousand events, and what an entry costs after it.

One event is played by the acts, the database makes the others from its rows (`growth`). A copy of this database is
split; then the rows of an entry are written, and a ledger read, in both in turn, in the server's processor time.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.bench import diet, growth, yardstick
from tests.bench.report import Figure
from tests.reliability.hall import Hall, make
from tests.services import postgres_programs

SCRIPT = Path(__file__).resolve().parents[2] / "deploy" / "partition.sql"
TABLES = ("ledgerentry", "historyentry", "savedanswer")
SPLIT = "split"


def measure(folder: Path) -> list[Figure]:
    from django.db import connection

    made = make(growth.TABLES, phones=False)
    _play(made)
    growth._copy(Hall(made["slug"], made["event"], "", []))
    entering = yardstick.today(folder)
    reading = folder / "read.sql"
    first, last = _one(
        "SELECT min(sitting_id), max(sitting_id) FROM tournaments_ledgerentry WHERE tournament_id = %s", made["event"]
    )
    reading.write_text(
        f"\\set sitting random({first}, {last}) + {growth.APART} * random(1, {growth.EVENTS - 1})\n"
        "SELECT * FROM tournaments_ledgerentry WHERE sitting_id = :sitting ORDER BY position, version;\n",
        "utf-8",
    )
    hands, lines = (_one(f"SELECT count(*) FROM tournaments_{name}")[0] for name in TABLES[:2])
    for setting in ("full_page_writes", "autovacuum"):
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER SYSTEM SET {setting} = off")
            cursor.execute("SELECT pg_reload_conf()")
    whole = _size()
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        own = cursor.fetchone()[0]
    connection.close()
    _sql("template1", f'CREATE DATABASE {SPLIT} TEMPLATE "{own}"')
    began, spent = time.monotonic(), diet._spent()
    _psql(SPLIT, "--single-transaction", "--file", str(SCRIPT))
    took, spent = time.monotonic() - began, diet._spent() - spent
    _sql(SPLIT, "ANALYZE")
    with _in(SPLIT):
        parts = _size()
    figures = [
        Figure(
            f"splitting {hands:,} hands, {lines:,} lines of history",
            f"{took:.1f} s",
            f"{spent:.1f} s of cpu",
            took / spent,
        ),
        Figure(
            "size of the three tables, split / whole",
            f"{parts / 2**20:.0f} MB",
            f"{whole / 2**20:.0f} MB",
            parts / whole,
        ),
    ]
    for what, script in (("an entry's rows", entering), ("a ledger read", reading)):
        before, after = _in_turn(script)
        said = [f"{1e6 * median(one):.0f} µs" for one in (after, before)]
        figures.append(
            Figure(f"server's processor time of {what}, split / whole", *said, median(after) / median(before))
        )
    return figures


def _play(made: dict[str, object]) -> None:
    """Eleven hands at each table, each with its key."""
    from django.utils import timezone

    from tests.tournaments.factories import sheet
    from tests.tournaments.keyed import keyed
    from tournaments.acts.admission import Actor
    from tournaments.ledger import scorekeeping
    from tournaments.models import Sitting, Tournament, User

    event = Tournament.objects.get(pk=made["event"])
    referee = Actor(user=User.objects.filter(offices__tournament=event).first())
    for sitting in Sitting.objects.filter(round__tournament=event):
        for number in range(1, growth.HANDS):
            keyed(
                f"day-{sitting.pk}-{number}", scorekeeping.record_hand, actor=referee, at=timezone.now(),
                sitting_id=sitting.pk, hand_no=number, facts=sheet(80), basis="watched",
            )  # fmt: skip


def _in_turn(script: Path) -> tuple[list[float], list[float]]:
    """The whole tables and the split ones; the first run of each fills caches."""
    before, after = list[float](), list[float]()
    for turn in range(diet.TURNS + 1):
        one = diet._seconds(script)
        with _in(SPLIT):
            other = diet._seconds(script)
        if turn:
            before.append(one)
            after.append(other)
    return before, after


@contextmanager
def _in(database: str) -> Iterator[None]:
    """The same server's other database."""
    from django.db import connection

    connection.close()
    url, name = os.environ["DATABASE_URL"], connection.settings_dict["NAME"]
    os.environ["DATABASE_URL"] = url.rpartition("/")[0] + "/" + database
    connection.settings_dict["NAME"] = database
    try:
        yield
    finally:
        connection.close()
        os.environ["DATABASE_URL"], connection.settings_dict["NAME"] = url, name


def _one(statement: str, *given: object) -> Sequence[int]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement, given or None)
        row: Sequence[int] = cursor.fetchone()
        return row


def _size() -> int:
    """Bytes of the tables with their indexes, of all their partitions."""
    names = f"^tournaments_({'|'.join(TABLES)})(_[0-9]+)?$"
    return int(
        _one("SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relname ~ %s", names)[0]
    )


def _sql(database: str, statement: str) -> None:
    _psql(database, "--command", statement)


def _psql(database: str, *words: str) -> None:
    url = os.environ["DATABASE_URL"].rpartition("/")[0] + "/" + database
    command = [postgres_programs() / "psql", "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", url, *words]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
