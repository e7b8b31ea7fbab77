"""An upgrade without a pause: the last release's code on the new tables, and the new code on the old ones.

``python -m tests.soak.upgrades [--from REF] [--seconds N]`` takes the code of a tag (or any commit) out of the
repository into a folder of its own and runs it as a web process with the packages of this checkout, on a PostgreSQL
whose tables this checkout has migrated, while phones enter and confirm hands and strangers read. Then it prints what
was answered, and what the audit of this checkout says of it. ``--new-on-old`` runs this checkout's code on the tables
of the other one: nothing promises that (migrations run first), it shows what is possible.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from tests.reliability.hall import ROOT, Hall, Place
from tests.reliability.phones import Phone
from tests.services import postgres_server

TABLES = 8
SECONDS = 300
START_SECONDS = 120
#: Points with which the deal goes over and nobody's level moves: a match of such hands has no end.
CAPTURED = 80
PAGES = ("/en/e/{slug}/", "/zh/e/{slug}/standings/", "/api/v1/events/{slug}/standings/")


_HALL = """
import json, sys
from django.core.management import call_command
from tests.reliability.hall import make
call_command("migrate", interactive=False, verbosity=0)
print(json.dumps(make({tables})))
"""


class NotHere(Exception):
    """The code of that release cannot be taken out of this checkout; the message says why."""


@dataclass
class Seen:
    """What was answered: how many by what was asked, and what went wrong by what was asked and how."""

    asked: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    entered: int = 0
    audit: Counter[str] = field(default_factory=Counter)

    def note(self, what: str, status: int, code: str, wanted: tuple[int, ...]) -> bool:
        self.asked[what] += 1
        if status not in wanted:
            self.errors[f"{what}: {status} {code}".strip()] += 1
        return status in wanted

    def lines(self) -> Iterator[str]:
        yield f"requests: {self.asked.total()}, hands acknowledged: {self.entered}"
        yield from (f"  {what}: {count}" for what, count in sorted(self.asked.items()))
        yield f"errors: {self.errors.total()}"
        yield from (f"  {what}: {count}" for what, count in self.errors.most_common())
        yield f"what the audit finds: {self.audit.total()}"
        yield from (f"  {what}: {count}" for what, count in self.audit.most_common())


def last_release() -> str:
    """The newest tag of a release that this checkout comes after. Raises NotHere."""
    return _git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*").decode().strip()


def take_out(ref: str, folder: Path) -> None:
    """The files of that commit, into `folder`. Raises NotHere."""
    with tarfile.open(fileobj=io.BytesIO(_git("archive", "--format=tar", ref))) as files:
        files.extractall(folder, filter="data")
    # what the service says in Chinese is compiled where it is built
    subprocess.run([sys.executable, "-m", "tools.messages", "compile"], cwd=folder, check=True, capture_output=True)


def _git(*arguments: str) -> bytes:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        raise NotHere("This is no checkout with its history: the code of the last release is not here.")
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True)
    if done.returncode:
        raise NotHere(f"git {arguments[0]}: {done.stderr.decode().strip()}")
    return done.stdout


@contextmanager
def serving(code: Path, environment: dict[str, str], log: Path) -> Iterator[str]:
    """The web process of some code; its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-W", "ignore", "-m", "uvicorn", "referee.asgi:application", "--port", str(port)]
    with log.open("ab") as out:
        process = subprocess.Popen(
            [*command, "--lifespan", "off", "--no-access-log"], cwd=code, env=environment, stdout=out, stderr=out
        )
    try:
        address, end = f"http://127.0.0.1:{port}", time.monotonic() + START_SECONDS
        while not _answers(address):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"it did not start:\n{log.read_text('utf-8')[-3000:]}")
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(30)


def _answers(address: str) -> bool:
    try:
        urlopen(f"{address}/health", timeout=5).close()
    except HTTPError as error:
        error.close()
    except OSError:
        return False
    return True


def play(address: str, hall: Hall, seconds: float) -> Seen:
    """Phones enter and confirm hands, one table after the other's answer, and strangers read, until time is up."""
    seen, ends = Seen(), time.monotonic() + seconds
    with ThreadPoolExecutor(len(hall.places) + 1) as pool:
        tables = [pool.submit(_table, address, place, seen, ends) for place in hall.places]
        pool.submit(_stranger, address, hall.slug, seen, ends).result()
        seen.entered = sum(table.result() for table in tables)
    return seen


def _table(address: str, place: Any, seen: Seen, ends: float) -> int:
    """How many hands were entered and confirmed."""
    ns, ew = (Phone(address, place.sides[side], timeout=60) for side in ("NS", "EW"))
    done = 0
    while time.monotonic() < ends:
        entered = _sent(ns, "enter", seen, f"/sittings/{place.sitting}/hands/", _hand(done + 1))
        if entered is None:
            break
        if _sent(ew, "confirm", seen, f"/sittings/{place.sitting}/entries/{entered['entry']}/confirm/", {}) is None:
            break
        done += 1
        _sent(ns, "read the table", seen, f"/sittings/{place.sitting}/", None)
    return done


def _hand(number: int) -> dict[str, Any]:
    facts = {"kind": "hand", "trump": "H", "captured_in_tricks": CAPTURED, "last_trick_winner": "dealer"}
    return {"facts": facts, "hand_no": number}


def _sent(phone: Phone, what: str, seen: Seen, path: str, body: dict[str, Any] | None) -> Any:
    """The answer's body; None when it was no good, which is noted. What was acknowledged once is so when it is sent
    again with the same key."""
    key = "" if body is None else f"{path}{body.get('hand_no', '')}"
    method = "GET" if body is None else "POST"
    try:
        answer = phone.ask(method, path, body, key=key)
        again = answer if body is None else phone.ask(method, path, body, key=key)
    except OSError as error:
        seen.note(what, 0, type(error).__name__, (200,))
        return None
    if not seen.note(what, answer.status, answer.code, (200, 201)):
        return None
    if body is not None:
        same = (again.status, again.body["entry"]) == (answer.status, answer.body["entry"]) if not again.code else True
        seen.note(f"{what} again", again.status if same else 0, again.code if same else "other answer", (200, 201))
    return answer.body


def _stranger(address: str, slug: str, seen: Seen, ends: float) -> None:
    while time.monotonic() < ends:
        for page in PAGES:
            path = page.format(slug=slug)
            try:
                with urlopen(address + path, timeout=60) as answer:
                    answer.read()
                    seen.note(f"read {page}", answer.status, "", (200,))
            except HTTPError as error:
                seen.note(f"read {page}", error.code, "", (200,))
            except (OSError, HTTPException) as error:
                seen.note(f"read {page}", 0, type(error).__name__, (200,))


def audited(environment: dict[str, str], slug: str) -> Counter[str]:
    """What the audit of this checkout finds in the event, numbers left out; nothing when all agrees."""
    command = [sys.executable, "-W", "ignore", "manage.py", "audit", "--copy"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    if done.returncode == 0:
        return Counter()
    lines = re.findall(rf"(?m)^\s*{slug}: (?!log of|\d)(.*)$", done.stdout + done.stderr)
    assert lines, done.stderr[-3000:]
    return Counter(re.sub(r"\d+", "#", line)[:110] for line in lines)


def old_on_new(ref: str, folder: Path, seconds: float, tables: int = TABLES) -> Seen:
    """The code of `ref` on tables that this checkout has migrated. Raises NotHere."""
    code, environment = _prepared(ref, folder)
    with postgres_server(folder) as url:
        given = environment | {"DATABASE_URL": url}
        hall = _hall(ROOT, given, tables)
        with serving(code, given, folder / "web.log") as address:
            seen = play(address, hall, seconds)
        seen.audit = audited(given, hall.slug)
    return seen


def new_on_old(ref: str, folder: Path, seconds: float, tables: int = TABLES) -> Seen:
    """This checkout's code on the tables of `ref`, and a hall that it made. Raises NotHere."""
    code, environment = _prepared(ref, folder)
    with postgres_server(folder) as url:
        given = environment | {"DATABASE_URL": url}
        hall = _hall(code, given, tables)
        with serving(ROOT, given, folder / "web.log") as address:
            return play(address, hall, seconds)


def _hall(code: Path, environment: dict[str, str], tables: int) -> Hall:
    """Tables of the database and a hall in them, made by some code."""
    command = [sys.executable, "-W", "ignore", "manage.py", "shell", "-v", "0", "-c", _HALL.format(tables=tables)]
    done = subprocess.run(command, cwd=code, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError(done.stderr[-3000:])
    made = json.loads(done.stdout.splitlines()[-1])
    return Hall(**{**made, "places": [Place(**place) for place in made["places"]]})


def _prepared(ref: str, folder: Path) -> tuple[Path, dict[str, str]]:
    code = folder / "code"
    code.mkdir()
    take_out(ref, code)
    folder.chmod(0o777)  # for the user that PostgreSQL runs as
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return code, kept | {"DATA_DIR": str(folder / "data"), "COPIES": "no", "PYTHONDONTWRITEBYTECODE": "1"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="ref", help="a tag or commit (the last release)")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--new-on-old", action="store_true")
    given = parser.parse_args()
    try:
        ref = given.ref or last_release()
        with tempfile.TemporaryDirectory() as folder:
            run = new_on_old if given.new_on_old else old_on_new
            seen = run(ref, Path(folder), given.seconds, given.tables)
    except NotHere as error:
        sys.exit(str(error))
    print(f"new code on the tables of {ref}" if given.new_on_old else f"{ref} on new tables")
    print("\n".join(seen.lines()))
    sys.exit(bool(seen.errors))


if __name__ == "__main__":
    main()
