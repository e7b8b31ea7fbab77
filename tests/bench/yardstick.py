"""What the database itself can do: pgbench with one prepared statement that writes the rows of an official's entry.

Into the tables as they were on 68b97ac (`yardstick.sql`, in a schema of their own), which no later change moves, and
into the tables as they are now. A sitting's row moves by one revision, a version of its ledger, a line of history and a
saved answer are added; nothing is read, judged or announced. Sixteen connections; each statement is a durable commit.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from urllib.parse import unquote, urlsplit

from tests.services import postgres_programs

CLIENTS, THREADS, SECONDS, TURNS = 16, 2, 4, 3
SITTINGS = 4_096
THEN = "yardstick"
FACTS = '{"kind": "hand", "dealer": "S", "level": "2", "trump": "H", "captured_in_tricks": 80, "total": 80}'
STATE = (
    '{"levels": {"NS": "2", "EW": "3"}, "on_stage": "EW", "dealer": "W", "hand_no": 2, "finished": false,'
    ' "stays": {"NS": 0, "EW": 0}, "failed_at": {"NS": [], "EW": []}, "winner": null}'
)
ANSWER = '{"admitted": [["enter_hand", 1, 17]], "answer": {"status": 201, "entry": 4711, "sitting": 17, "revision": 3}}'

_SITTINGS = """
INSERT INTO tournaments_sitting (id, room, active, scored_by, opening, phase, revision, state, hand_no, match_id,
    round_id, table_id, extra_minutes, game, home_side)
SELECT n, '', TRUE, 'levels', '{}', 'playing', 0, '{}', 1, n, 1, n, 0, 1, 'NS' FROM generate_series(1, %(sittings)s) n
"""
_PARENTS_THEN = """
INSERT INTO tournaments_tournament VALUES (1, FALSE);
INSERT INTO tournaments_round VALUES (1, 1);
INSERT INTO tournaments_user VALUES (1);
INSERT INTO tournaments_match SELECT n, 1 FROM generate_series(1, %(sittings)s) n;
INSERT INTO tournaments_table SELECT n, 1 FROM generate_series(1, %(sittings)s) n;
"""
_STATEMENT = """\\set sitting random({first}, {last})
\\set key random(1, 1000000000000)
WITH moved AS (
    UPDATE tournaments_sitting SET revision = revision + 1, hand_no = hand_no + 1, changed_at = now(), state = '{state}'
    WHERE id = :sitting RETURNING id, revision, round_id
), entered AS (
    INSERT INTO tournaments_ledgerentry (tournament_id, sitting_id, position, version, kind, hand_no, facts, status,
        entered_side, entered_by_id, entered_at, device_time, confirmed_side, basis, reason, sent_back_what,
        sent_back_note)
    SELECT {event}, id, revision, 1, 'hand', revision, '{facts}', 'effective',
        '', {user}, now(), '', '', 'watched', '', '', '' FROM moved RETURNING id
), told AS (
    INSERT INTO tournaments_historyentry (tournament_id, at, user_id, side, sitting_id, round_id, act, subject, reason,
        new)
    SELECT {event}, now(), {user}, '', moved.id, moved.round_id, 'enter_hand', 'entry:' || entered.id, '', '{facts}'
    FROM moved, entered
)
INSERT INTO tournaments_savedanswer (scope, key, request_digest, answer, saved_at)
VALUES ('user:{user}', :key || '-' || :sitting || '-' || :client_id, repeat('0123456789abcdef', 4), '{answer}', now());
"""


def rates(folder: Path) -> tuple[float, float]:
    """Entries per second into the tables of 68b97ac and into today's, measured in turn; the median of each."""
    then, now = _then(folder), today(folder)
    taken = [(_rate(then, THEN), _rate(now, "public")) for _ in range(TURNS)]
    return median([one for one, _ in taken]), median([one for _, one in taken])


def _then(folder: Path) -> Path:
    """The script for the tables as they were; makes them once."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM information_schema.schemata WHERE schema_name = %s", [THEN])
        if not cursor.fetchone()[0]:
            cursor.execute(f"CREATE SCHEMA {THEN}; SET search_path = {THEN}")
            cursor.execute(Path(__file__).with_suffix(".sql").read_text("utf-8"))
            for statement in _PARENTS_THEN.strip().splitlines():
                cursor.execute(statement, {"sittings": SITTINGS})
            cursor.execute(_SITTINGS, {"sittings": SITTINGS})
            cursor.execute("RESET search_path")
    return _script(folder / "then.sql", {"event": 1, "user": 1, "first": 1, "last": SITTINGS})


def today(folder: Path) -> Path:
    """The script for the tables as they are, in an event that nobody else writes to."""
    from django.db import connection

    from tests.tournaments.factories import stage, tournament
    from tournaments.models import Match, Round, Sitting, Table, User

    user = User.objects.filter(username="yardstick").first()
    if user is None:
        user = User.objects.create_user("yardstick")
        event = tournament(place="yardstick")
        planned = stage(event)
        round_ = Round.objects.create(tournament=event, stage=planned, number=1)
        tables = Table.objects.bulk_create(Table(tournament=event, number=n + 1) for n in range(SITTINGS))
        matches = Match.objects.bulk_create(Match(round=round_, number=n + 1) for n in range(SITTINGS))
        Sitting.objects.bulk_create(
            Sitting(match=match, round=round_, table=table, opening={})
            for match, table in zip(matches, tables, strict=True)
        )
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT min(s.id), max(s.id), min(r.tournament_id) FROM tournaments_sitting s"
            " JOIN tournaments_round r ON r.id = s.round_id"
            " JOIN tournaments_tournament t ON t.id = r.tournament_id WHERE t.place = 'yardstick'"
        )
        first, last, event_id = cursor.fetchone()
    return _script(folder / "now.sql", {"event": event_id, "user": user.pk, "first": first, "last": last})


def _script(path: Path, ids: Mapping[str, int]) -> Path:
    path.write_text(_STATEMENT.format(**ids, facts=FACTS, state=STATE, answer=ANSWER), "utf-8")
    return path


def _rate(script: Path, schema: str) -> float:
    """Transactions per second of one pgbench run."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("CHECKPOINT")
    parts = urlsplit(os.environ["DATABASE_URL"])
    options = ["-n", "-M", "prepared", "-c", CLIENTS, "-j", THREADS, "-T", SECONDS, "-f", script]
    host = unquote(parts.netloc.rpartition("@")[2])
    command = [postgres_programs() / "pgbench", *options, "-h", host, "-U", "postgres", parts.path.strip("/")]
    done = subprocess.run(
        [str(part) for part in command],
        env=os.environ | {"PGOPTIONS": f"-c search_path={schema}"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    assert found, done.stderr
    return float(found[1])
