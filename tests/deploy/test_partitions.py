"""deploy/partition.sql: a database that splits its large tables enters, corrects and audits as before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services import postgres_programs, postgres_server

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "deploy" / "partition.sql"
TABLES = {"ledgerentry": "tournament_id", "historyentry": "tournament_id", "savedanswer": "scope"}
pytestmark = pytest.mark.postgres

#: Run in a process of its own, whose database is the one that was split.
PLAY = """
from datetime import timedelta
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from knox.models import AuthToken
from tests.tournaments.factories import sheet
from tournaments.acts.admission import Actor
from tournaments.acts.keys import Keyed, Repeat
from tournaments.ledger import corrections, scorekeeping
from tournaments.ledger.entry_path import carry_out_at_once
from tournaments.ledger.entry_read import Credential, read_entry
from tournaments.models import Correction, HistoryEntry, LedgerEntry, Sitting, Tournament
from tournaments.rulings.log import propose

now = timezone.now()
event = Tournament.objects.get(demo=True)
chief = Actor(user=event.officials.filter(office="chief_referee").first().user)
sitting = Sitting.objects.filter(round__status="running", phase="playing", round__tournament=event).first()
shown = Credential(str(AuthToken.objects.create(user=chief.user)[0].digest))
asked = scorekeeping.hand_to_enter(facts=sheet(35), hand_no=sitting.hand_no, basis="watched")
keyed = Keyed.of(chief.scope, "k", [b"x"])
read = lambda: read_entry(sitting.pk, shown, "k")
send = lambda: carry_out_at_once(sitting.pk, asked, read, read(), now, keyed, lambda done: {"entry": done.entry.pk})
entry = send().entry
assert send() == Repeat({"entry": entry.pk})
seen = Sitting.objects.get(pk=sitting.pk).revision
corrections.correct(entry_id=entry.pk, actor=chief, at=now + timedelta(seconds=5), expected_revision=seen,
    facts=sheet(45), reason="Misread", treatment="recompute")
versions = LedgerEntry.objects.filter(sitting=sitting, position=entry.position).values_list("version", "status")
assert sorted(versions) == [(1, "superseded"), (2, "effective")], versions
propose(sitting_id=sitting.pk, actor=chief, at=now, side="NS", facts={"irregularity": "take_back"})
fields = LedgerEntry._meta.concrete_fields
columns = ", ".join(field.column for field in fields if field.column not in ("id", "version"))
refused = 0
for statement in (
    f"UPDATE tournaments_ledgerentry SET facts = '{{}}' WHERE id = {entry.pk}",
    f"INSERT INTO tournaments_ledgerentry (version, {columns}) SELECT 1, {columns} FROM tournaments_ledgerentry"
    f" WHERE id = {entry.pk}",
    f"INSERT INTO tournaments_ledgerentry (version, {columns}) SELECT 3, {columns} FROM tournaments_ledgerentry"
    f" WHERE sitting_id = {sitting.pk} AND status = 'effective' AND position = {entry.position}",
    f"INSERT INTO tournaments_correction (entry_id, sitting_revision, facts, treatment, reason, status, proposed_by_id,"
    f" proposed_at) VALUES (987654321, 0, '{{}}', '', '', 'proposed', {chief.user.pk}, now())",
    "UPDATE tournaments_historyentry SET act = 'x'",
):
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError as error:
        refused += 1
print("refused", refused)
"""


def run(environment: dict[str, str], *words: str) -> str:
    command = [sys.executable, "-W", "ignore", "manage.py", *words]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def psql(url: str, *words: str) -> str:
    command = [postgres_programs() / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--set", "ON_ERROR_STOP=1", url]
    done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.long
def test_large_tables_are_split(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with postgres_server(tmp_path) as url:
        environment = {**os.environ, "DATABASE_URL": url, "DATA_DIR": str(tmp_path / "data")}
        run(environment, "migrate", "-v", "0")
        run(environment, "demo")
        before = _held(url)
        psql(url, "--single-transaction", "--file", str(SCRIPT))
        assert _held(url) == before
        for table, column in TABLES.items():
            found = psql(url, "-c", f"SELECT pg_get_partkeydef('tournaments_{table}'::regclass)")
            assert found == f"HASH ({column})"
        psql(url, "--single-transaction", "--file", str(SCRIPT))  # twice is once
        assert "refused 5" in run(environment, "shell", "-v", "0", "-c", PLAY)
        run(environment, "audit", "--copy")  # no worker runs here that would number the log
        run(environment, "migrate", "-v", "0")
        assert run(environment, "makemigrations", "--check", "--dry-run").strip() == "No changes detected"
        run(environment, "demo", "--remove")
        assert psql(url, "-c", "SELECT count(*) FROM tournaments_ledgerentry") == "0"


def _held(url: str) -> str:
    """Rows, keys, checks, indexes and guards of the tables, as far as they keep their form."""
    said = []
    for table in TABLES:
        whole = f"'tournaments_{table}'::regclass"
        said += [
            psql(url, "-c", f"SELECT count(*), max(id) FROM tournaments_{table}"),
            psql(url, "-c", f"SELECT string_agg(tgname, ',' ORDER BY tgname) FROM pg_trigger WHERE tgrelid = {whole}"
                            " AND NOT tgisinternal AND tgconstraint = 0"),
            psql(url, "-c", f"SELECT string_agg(pg_get_constraintdef(oid), ';' ORDER BY conname) FROM pg_constraint"
                            f" WHERE conrelid = {whole} AND contype IN ('u', 'c', 'f') AND confrelid <> {whole}"),
            psql(url, "-c", "SELECT string_agg(indexname, ',' ORDER BY indexname) FROM pg_indexes"
                            f" WHERE tablename = 'tournaments_{table}' AND indexname NOT LIKE '%pkey'"),
        ]  # fmt: skip
    return "\n".join(said)
