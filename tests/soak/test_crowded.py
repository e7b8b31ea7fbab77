"""Two thousand streams and hands entered all the time, together, on a laptop and on a federation's processes.

REFEREE_SOAK_SECONDS (300) says how long, REFEREE_SOAK_RATE (100) how many hands a second are asked for; a machine
that carries fewer is told by its waits, which are printed. What must hold is asserted: nothing lost, no stream closed,
memory flat.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.bench.entries import running
from tests.bench.streams import STREAMS as STREAMS_ALONE
from tests.bench.streams import running_one
from tests.reliability.conftest import Laptop, alone
from tests.reliability.hall import ROOT, Hall, open_halls
from tests.soak.crowded import Seen, meet, seen

pytestmark = pytest.mark.soak

HALLS, TABLES, READERS = 20, 64, 2_000
RATE = int(os.environ.get("REFEREE_SOAK_RATE", "100"))
SECONDS = int(os.environ.get("REFEREE_SOAK_SECONDS", "300"))
STREAMS = {"STREAMS_PER_ADDRESS": str(2 * READERS)}
#: So much may the processes together grow from a fifth of the time to its end: MB.
GROWN = 40


def crowded(halls: list[Hall], pages: list[str], streams: str, processes: dict[str, int]) -> Seen:
    """What the crowd saw of a service; nobody was refused or cut off, and no process grew."""
    crowd = meet(halls, pages, streams, READERS, RATE, SECONDS)
    time.sleep(SECONDS / 5 + 20)
    before = {name: _memory(pid) for name, pid in processes.items()}
    time.sleep(SECONDS * 4 / 5 - 30)
    after = {name: _memory(pid) for name, pid in processes.items()}
    saw = seen(crowd)
    hands, waits, looks = len(saw.entered), saw.waits, saw.looks
    print(f"\n{hands} hands in {saw.took:.0f} s: {hands / saw.took:.0f} a second of {RATE} asked for")
    print(f"entry p50 {saw.slowest(waits, 0.5):.2f} s, p99 {saw.slowest(waits, 0.99):.2f} s")
    print(f"page p50 {saw.slowest(looks, 0.5):.2f} s, slowest {saw.slowest(looks, 1):.2f} s of {len(looks)}")
    for wait, (second, page) in sorted(zip(looks, saw.looked_at, strict=True), reverse=True)[:8]:
        print(f"  {wait:.2f} s in second {second:.0f}: {page}")
    print(f"{saw.streams} streams heard {saw.heard} times; MB {before} -> {after}")
    assert not saw.refused
    assert (saw.streams, saw.closed) == (READERS, 0)
    assert sum(after.values()) - sum(before.values()) < GROWN
    return saw


def _memory(pid: int) -> int:
    """Resident MB."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) // 1024


def _audited(halls: list[Hall], environment: dict[str, str]) -> None:
    for hall in halls:
        command = [sys.executable, "-W", "ignore", "manage.py", "audit", "--copy", hall.slug]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_laptop(tmp_path: Path) -> None:
    halls = open_halls(alone(tmp_path), HALLS, TABLES, phones=False)
    laptop = Laptop(tmp_path, halls[0])
    laptop.start(**STREAMS)
    try:
        saw = crowded(halls, [laptop.address], laptop.address, {"laptop": laptop.pid})
        assert laptop.stop() == 0
    finally:
        laptop.kill()
    assert "Traceback" not in laptop.said()
    assert laptop.row("SELECT COUNT(*) FROM tournaments_ledgerentry") == (len(saw.entered),)
    _audited(halls, alone(tmp_path))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_processes_of_a_federation(tmp_path: Path) -> None:
    from django.db import connection

    from tournaments.models import LedgerEntry

    here = connection.settings_dict
    url = f"postgresql://{here['USER']}@{quote(here['HOST'], safe='')}:{here['PORT'] or 5432}/{here['NAME']}"
    environment = {**os.environ, **STREAMS, "DATABASE_URL": url}
    halls = open_halls(environment, HALLS, TABLES, phones=False)
    with ExitStack() as stack:
        web = stack.enter_context(running(environment, tmp_path))
        streams = stack.enter_context(running_one(STREAMS_ALONE, environment, tmp_path))
        saw = crowded(halls, web, streams.address, {"streams": streams.pid})
    assert LedgerEntry.objects.count() == len(saw.entered)
    _audited(halls, environment)
