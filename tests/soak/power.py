"""The power is cut under a laptop: what was answered is there, whatever of the writes that were not synced is lost.

``python -m tests.soak.power --recordings 4 --states 200 --figures power.json``. A recording is a process that serves
phones and an official on SQLite under strace, which writes down every write and sync of the data folder (the database,
its write-ahead log, the signed heads, the files of the queue). From the record the disk is put together as it was at
seeded moments, with any part of what was not synced (`tests/soak/disk.py`), and the service is started on it:

- SQLite finds the database whole, and the audit nothing, neither in the record nor against the signed log;
- every act that had been answered is there as it was answered, and what had no answer can be sent again
  (`tests.soak.crashes`).
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.reliability.hall import ROOT, Hall
from tests.reliability.hall import Place as Table
from tests.soak.crashes import Journal, Life, Place, forked, laptop, warm
from tests.soak.disk import STRACE, Disk, Operation, operations

ACTS: Final = 40
#: Pages in the write-ahead log after which SQLite copies them into the database (1,000 without this).
CHECKPOINT: Final = 120


def record(folder: Path, seed: int, synchronous: str) -> None:
    """What strace looks at: acts, the sweep now and then, the connection closed now and then."""
    warm()
    from django.db import connection

    from tournaments.tasks import sweep

    said = json.loads((folder / "hall.json").read_text())
    hall = Hall(**{**said, "places": [Table(**one) for one in said["places"]]})
    chance = Random(f"power {seed}")
    alive = Life(hall, Journal.read(folder / "journal.ndjson"), chance)
    for number in range(ACTS):
        if number % 10 == 0:
            connection.close()
            with connection.cursor() as cursor:
                cursor.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
                if synchronous:
                    cursor.execute(f"PRAGMA synchronous = {synchronous}")
        alive.act()
        if chance.random() < 0.15:
            sweep()
    connection.close()


def recorded(place: Place, seed: int, synchronous: str = "") -> list[Operation]:
    """The operations of one recording on a fresh database."""
    place.fresh()
    (place.folder / "journal.ndjson").unlink(missing_ok=True)
    hall = {**vars(place.hall), "places": [vars(one) for one in place.hall.places]}
    (place.folder / "hall.json").write_text(json.dumps(hall))
    trace = place.folder / "trace"
    program = [sys.executable, "-W", "ignore", "-m", "tests.soak.power", "--record", str(place.folder)]
    done = subprocess.run(
        [*STRACE, str(trace), *program, "--first", str(seed), "--synchronous", synchronous],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return list(operations(trace))


def check(place: Place, chance: Random) -> Counter[str]:
    """The service on what the power left; AssertionError where something is wrong."""
    from django.db import connection

    from tournaments.log import checking
    from tournaments.models import Tournament

    with connection.cursor() as cursor:
        for pragma, sound in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
            cursor.execute(f"PRAGMA {pragma}")
            assert cursor.fetchall() == sound, pragma
    # what was numbered since the last head was kept is found by the next sweep; nothing else is wrong before it
    found = [str(one) for one in checking.check(Tournament.objects.get(pk=place.hall.event))]
    assert found == [], found
    return Life(place.hall, Journal.read(place.folder / "journal.ndjson"), chance).check()


def one_recording(place: Place, seed: int, states: int, synchronous: str = "") -> Counter[str]:
    """A recording, and so many moments at which the power is cut."""
    chance = Random(f"cuts {seed}")
    done = recorded(place, seed, synchronous)
    data, journal = str(place.folder / "data"), str(place.folder / "journal.ndjson")
    disk, asked = Disk(Path(data), place.folder / "prepared"), b""
    moments = sorted(chance.sample(range(len(done)), min(states, len(done))))
    found: Counter[str] = Counter(recordings=1)
    for number, one in enumerate(done):
        disk.carry_out(one)
        if one.path == journal and one.kind == "write":
            asked += one.data
        if one.path.startswith(data):
            found["syncs"] += one.kind == "sync"
            found["writes"] += one.kind == "write"
        if moments and moments[0] == number:
            moments.pop(0)
            found["could be lost"] += disk.waits
            disk.lose_power(Path(data), Random(f"{seed}/{number}"))
            Path(journal).write_bytes(asked)
            found += looked_at(place, f"{seed}/{number}")
    return found


def looked_at(place: Place, name: str) -> Counter[str]:
    figures, said = place.folder / "figures.json", place.folder / "said.txt"
    ended = forked(lambda: figures.write_text(json.dumps(check(place, Random(name)))) and None, said)
    assert ended == 0, f"power cut {name}: {said.read_text()}"
    return Counter(states=1) + Counter(json.loads(figures.read_text()))


def run(recordings: int, states: int, figures: Path | None, *, first: int = 0, synchronous: str = "") -> Counter[str]:
    """So many recordings with so many states each; figures of earlier runs are gone on from."""
    found: Counter[str] = Counter(json.loads(figures.read_text()) if figures and figures.exists() else {})
    with tempfile.TemporaryDirectory() as name, laptop(Path(name)) as place:
        warm()
        for seed in range(first + found["recordings"], first + recordings):
            found += one_recording(place, seed, states, synchronous)
            if figures:
                figures.write_text(json.dumps(found, indent=1) + "\n")
    return found


if __name__ == "__main__":
    given: Any = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    given.add_argument("--recordings", type=int, default=4)
    given.add_argument("--states", type=int, default=200)
    given.add_argument("--figures", type=Path)
    given.add_argument("--first", type=int, default=0)
    given.add_argument("--synchronous", default="", help="set OFF or NORMAL on the recorded database: has to fail")
    given.add_argument("--record", type=Path, help=argparse.SUPPRESS)
    given = given.parse_args()
    if given.record:
        record(given.record, given.first, given.synchronous)
    elif not shutil.which("strace"):
        sys.exit("strace is not installed; without it the writes of the service cannot be recorded.")
    else:
        done = run(given.recordings, given.states, given.figures, first=given.first, synchronous=given.synchronous)
        print(json.dumps(done))
