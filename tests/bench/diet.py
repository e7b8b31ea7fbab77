"""What indexes, triggers and foreign keys of the tables of an entry cost PostgreSQL, kind by kind.

Statements of an official's entry as pgbench sends them (`yardstick`), into the tables of today and into today's tables
without what holds them: in the server's processor time, read of processes that have ended, so that other programs
beside it hardly count, and in bytes of the write-ahead log. One index alone drowns in what two runs differ by.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.parse import unquote, urlsplit

from tests.bench import yardstick
from tests.bench.report import Figure
from tests.services import postgres_programs

TABLES = ("ledgerentry", "historyentry", "savedanswer", "sitting")
CLIENTS, TRANSACTIONS, TURNS = 4, 2_000, 3
ENTRIES = 400
AIM = 1.8


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that holds a table, and how it is taken away and put back."""

    table: str
    kind: str
    name: str
    drop: str
    restore: str


def measure(folder: Path) -> list[Figure]:
    """All together beside plain tables, then each by itself."""
    from django.db import connection

    script = yardstick.today(folder)
    things = list(_things())
    with connection.cursor() as cursor:
        # neither whole pages after a checkpoint nor tidying up: both come when they like
        for setting in ("full_page_writes", "autovacuum"):
            cursor.execute(f"ALTER SYSTEM SET {setting} = off")
        cursor.execute("SELECT pg_reload_conf()")
    connection.close()
    _seconds(script)  # the first run fills caches
    spent, plainly = [], []
    for _ in range(TURNS):
        spent.append(_seconds(script))
        with _without(things):
            plainly.append(_seconds(script))
    _tidy()
    whole = _bytes(script)
    with _without(things):
        _tidy()
        plain = _bytes(script)
    said = [f"{1e6 * median(one):.0f} µs" for one in (spent, plainly)]
    figures = [
        Figure("server's processor time of an entry / plain tables", *said, median(spent) / median(plainly), AIM, True),
        Figure("log written by an entry / plain tables", f"{whole:.0f} bytes", f"{plain:.0f} bytes", whole / plain),
    ]
    for kind in dict.fromkeys(thing.kind for thing in things):
        of_kind = [thing for thing in things if thing.kind == kind]
        with_them, without = [], []
        for _ in range(TURNS):
            with_them.append(_seconds(script))
            with _without(of_kind):
                without.append(_seconds(script))
        said = [f"{1e6 * median(one):.0f} µs" for one in (with_them, without)]
        saved = (median(with_them) - median(without)) / median(plainly)
        figures.append(Figure(f"{len(of_kind)} × {kind}: with / without, difference / plain", *said, saved))
    figures += [
        Figure(f"  {name}", f"{spent:.1f} µs", "", spent / (1e6 * median(plainly))) for name, spent in _fired(script)
    ]
    figures += [Figure(f"  {name}", f"{size:.0f} bytes a row", "", size) for name, size in _sizes()]
    return figures


def _sizes() -> list[tuple[str, float]]:
    """What each index takes on disk for a row of its table."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute(
            "SELECT t.relname || ' ' || i.relname, pg_relation_size(i.oid) / greatest(t.reltuples, 1)"
            " FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid"
            " WHERE t.relname = ANY(%s) ORDER BY 1",
            [[f"tournaments_{name}" for name in TABLES]],
        )
        return [(str(name).removeprefix("tournaments_"), float(size)) for name, size in cursor.fetchall()]


def _fired(script: Path) -> list[tuple[str, float]]:
    """What each foreign key and guard takes of one entry, in µs: the median of how the server times them."""
    from django.db import connection

    statement = script.read_text("utf-8").split("WITH", 1)[1]
    low, high = re.findall(r"\\set sitting random\((\d+), (\d+)\)", script.read_text("utf-8"))[0]
    times: dict[str, list[float]] = {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM tournaments_ledgerentry")  # keys of a run before are used
        (first,) = cursor.fetchone()
        for number in range(first, first + ENTRIES):
            words = statement.replace(":sitting", str(int(low) + number % (int(high) - int(low))))
            words = words.replace(":key", f"'fired-{number}'").replace(":client_id", "0")
            cursor.execute("BEGIN; SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) WITH{words}")
            for one in cursor.fetchone()[0][0]["Triggers"]:
                name = one.get("Constraint Name") or one["Trigger Name"]
                times.setdefault(f"{one['Relation'].removeprefix('tournaments_')} {name}", []).append(
                    1000 * one["Time"]
                )
            cursor.execute("COMMIT")
    return [(name, median(taken)) for name, taken in sorted(times.items())]


@contextmanager
def _without(things: Sequence[Thing]) -> Iterator[None]:
    from django.db import connection

    with connection.cursor() as cursor:
        for thing in things:
            cursor.execute(thing.drop)
    yield
    with connection.cursor() as cursor:
        for thing in reversed(things):
            cursor.execute(thing.restore)
    connection.close()


_CONSTRAINTS = """
SELECT c.contype, c.conname, pg_get_constraintdef(c.oid) FROM pg_constraint c
WHERE c.conrelid = %s::regclass AND c.contype IN ('u', 'f', 'c') ORDER BY c.contype, c.conname
"""
_INDEXES = """
SELECT i.relname, pg_get_indexdef(i.oid) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
WHERE x.indrelid = %s::regclass AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.oid
    AND c.conrelid = x.indrelid) ORDER BY i.relname
"""
_TRIGGERS = "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal ORDER BY tgname"
_KINDS = {"u": "unique key", "f": "foreign key"}


def _things() -> Iterator[Thing]:
    """Foreign keys go first: those of other tables lean on no unique key but primary ones, which stay."""
    from django.db import connection

    with connection.cursor() as cursor:
        for name in TABLES:
            table = f"tournaments_{name}"
            cursor.execute(_CONSTRAINTS, [table])
            checks = list[tuple[str, str]]()
            for kind, constraint, definition in cursor.fetchall():
                drop = f'ALTER TABLE {table} DROP CONSTRAINT "{constraint}"'
                restore = f'ALTER TABLE {table} ADD CONSTRAINT "{constraint}" {definition}'
                if kind == "c":
                    checks.append((drop, restore))
                else:
                    yield Thing(name, _KINDS[kind], constraint, drop, restore)
            if checks:
                yield Thing(name, "list of checks", "all", *("; ".join(half) for half in zip(*checks, strict=True)))
            cursor.execute(_INDEXES, [table])
            for index, definition in cursor.fetchall():
                kind = "unique index" if "UNIQUE" in definition else "index"
                yield Thing(name, kind, index, f'DROP INDEX "{index}"', definition)
            cursor.execute(_TRIGGERS, [table])
            for (trigger,) in cursor.fetchall():
                switch = f'ALTER TABLE {table} {{}} TRIGGER "{trigger}"'
                yield Thing(name, "trigger", trigger, switch.format("DISABLE"), switch.format("ENABLE"))


def _seconds(script: Path) -> float:
    """Seconds of the server's processor time a transaction."""
    before = _spent()
    _run(script, CLIENTS, TRANSACTIONS)
    return (_spent() - before) / (CLIENTS * TRANSACTIONS)


def _bytes(script: Path) -> float:
    """Bytes of the write-ahead log a transaction; the first ones prepare."""
    _run(script, 1, 20)
    before = _written()
    _run(script, 1, ENTRIES)
    return (_written() - before) / ENTRIES


def _tidy() -> None:
    """So that rows that were changed often are found as quickly as before."""
    from django.db import connection

    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"VACUUM tournaments_{table}")


def _run(script: Path, clients: int, transactions: int) -> None:
    parts = urlsplit(os.environ["DATABASE_URL"])
    options = ["-n", "-M", "prepared", "-c", clients, "-j", 1, "-t", transactions, "-f", script]
    command = [postgres_programs() / "pgbench", *options, "-h", _folder(), "-U", "postgres", parts.path.strip("/")]
    subprocess.run([str(part) for part in command], capture_output=True, check=True)


def _folder() -> str:
    """Where the server's socket and data lie."""
    return unquote(urlsplit(os.environ["DATABASE_URL"]).netloc.rpartition("@")[2])


def _written() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")
        return int(cursor.fetchone()[0])


def _spent() -> float:
    """Processor time of the server's ended processes, in seconds."""
    server = int((Path(_folder()) / "pg" / "postmaster.pid").read_text("utf-8").split()[0])
    fields = Path(f"/proc/{server}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
