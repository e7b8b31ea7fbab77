"""What each index, trigger and foreign key of the tables of an entry costs PostgreSQL: its own processor time.

Statements of an official's entry as pgbench sends them (`yardstick`), into the tables of today and into today's tables
without one of the things that hold them. Processor time is read of the server's ended processes, so that other
programs beside it do not count; the time of one and of the other is taken in turn, and each thing is put back.
"""

from __future__ import annotations

import os
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
CLIENTS, TRANSACTIONS, TURNS = 4, 1_500, 2
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
    """All together beside plain tables, then each by itself beside all."""
    from django.db import connection

    script = yardstick.today(folder)
    things = list(_things())
    connection.close()
    _cost(script)  # the first run fills caches
    whole, plain = [], []
    for _ in range(TURNS):
        whole.append(_cost(script))
        with _without(things):
            plain.append(_cost(script))
    figures = [
        Figure("server's processor time of an entry's rows / plain tables", _said(median(whole)), _said(median(plain)),
               median(whole) / median(plain), AIM, less=True)
    ]  # fmt: skip
    for thing in things:
        with_it, without = [], []
        for _ in range(TURNS):
            with_it.append(_cost(script))
            with _without([thing]):
                without.append(_cost(script))
        saved = (median(with_it) - median(without)) / median(plain)
        what = f"{thing.table}: {thing.kind} {thing.name}"
        figures.append(Figure(what, _said(median(with_it)), _said(median(without)), saved))
    return figures


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
                yield Thing(
                    name, f"all {len(checks)}", "checks", *("; ".join(half) for half in zip(*checks, strict=True))
                )
            cursor.execute(_INDEXES, [table])
            for index, definition in cursor.fetchall():
                yield Thing(name, "index", index, f'DROP INDEX "{index}"', definition)
            cursor.execute(_TRIGGERS, [table])
            for (trigger,) in cursor.fetchall():
                switch = f'ALTER TABLE {table} {{}} TRIGGER "{trigger}"'
                yield Thing(name, "trigger", trigger, switch.format("DISABLE"), switch.format("ENABLE"))


def _cost(script: Path) -> float:
    """Seconds of the server's processor time a transaction."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    host = unquote(parts.netloc.rpartition("@")[2])
    server = int((Path(host) / "pg" / "postmaster.pid").read_text("utf-8").split()[0])
    options = ["-n", "-M", "prepared", "-c", CLIENTS, "-j", 1, "-t", TRANSACTIONS, "-f", script]
    command = [postgres_programs() / "pgbench", *options, "-h", host, "-U", "postgres", parts.path.strip("/")]
    before = _spent(server)
    subprocess.run([str(part) for part in command], capture_output=True, check=True)
    return (_spent(server) - before) / (CLIENTS * TRANSACTIONS)


def _spent(server: int) -> float:
    """Processor time of the server's ended processes, in seconds."""
    fields = Path(f"/proc/{server}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def _said(seconds: float) -> str:
    return f"{1e6 * seconds:.0f} µs"
