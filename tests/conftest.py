"""What all tests may ask for. The kernel's tests need none of it and load no Django."""

from __future__ import annotations

import gc
import sys
import threading
import time
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page
    from pytest_django import DjangoDbBlocker

# property tests state laws, not speed: no deadline, on a machine that may be busy
settings.register_profile("laws", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("laws")

ROOT = Path(__file__).resolve().parent.parent
SHOTS = ROOT / "artefacts" / "shots"  # the browser plug-in empties test-results whenever any run starts


# The memory


def pytest_collection() -> None:
    """Thousands of cases are made and none is garbage: looking for it took a quarter of the time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What stands now stands to the end, and is not looked through again; what comes is looked through less often."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    gc.enable()


# The database


@pytest.fixture(autouse=True)
def _heads_end_with_their_test() -> Iterator[None]:
    """The signed heads of a log lie beside the database, which forgets the events of a test; on SQLite the next one
    gets their ids."""
    yield
    django = sys.modules.get("django.conf")
    if django is not None and django.settings.configured:
        for path in Path(django.settings.HEADS).glob("*.ndjson"):
            path.unlink(missing_ok=True)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, django_db_blocker: DjangoDbBlocker
) -> None:
    """No connection outlives its request or task: a kept one would stop the next flush and the last drop. On PostgreSQL
    the tests' database is a copy of one that was migrated once."""
    from django.db import connections

    connection = connections["default"]
    connection.settings_dict["CONN_MAX_AGE"] = 0
    if connection.vendor == "postgresql":
        from tests.migrated import template

        with django_db_blocker.unblock():
            connection.settings_dict["TEST"] |= {"TEMPLATE": template(), "MIGRATE": False}


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, _quick_passwords: None, _static_files_found_once: None) -> None:
    """Flushing SQLite between tests deletes row by row, which the guards of the ledger refuse: they step aside."""
    from django.db import connections

    connection = connections["default"]
    if connection.vendor != "sqlite":
        return
    flush = connection.ops.execute_sql_flush

    def flush_without_guards(sql_list: list[str]) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            guards = cursor.fetchall()
            for name, _ in guards:
                cursor.execute(f'DROP TRIGGER "{name}"')
            try:
                flush(sql_list)
            finally:
                for _, sql in guards:
                    cursor.execute(sql)

    connection.ops.execute_sql_flush = flush_without_guards


@pytest.fixture(scope="session")
def _quick_passwords() -> Iterator[None]:
    """Hashing a password slowly on purpose costs half a second at every sign-in."""
    from django.test import override_settings

    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session")
def _static_files_found_once() -> Iterator[None]:
    """Every client has middleware of its own, which would look through the same collected files again."""
    from whitenoise.base import WhiteNoise

    look = WhiteNoise.update_files_dictionary
    found: dict[tuple[str, str, int | None], dict[str, Any]] = {}

    def look_once(self: Any, root: str, prefix: str) -> None:
        key = (str(root), prefix, self.max_age)
        if key not in found:
            look(self, root, prefix)
            if (Path(root) / "staticfiles.json").is_file():  # collected; what was collected never changes
                found[key] = dict(self.files)
        self.files.update(found.get(key, {}))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoise, "update_files_dictionary", look_once)
        yield


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("postgres"):
        from django.conf import settings

        if "postgresql" not in settings.DATABASES["default"]["ENGINE"]:
            pytest.skip("only PostgreSQL has these locks")


# The service


@dataclass(frozen=True)
class LiveServer:
    """The whole service (pages and streams) on a free port of loopback: `server.url`, or `server + "/path"`.

    `answering` are the requests that it is at work on, but for streams.
    """

    url: str
    answering: set[object]

    def __str__(self) -> str:
        return self.url

    def __add__(self, path: str) -> str:
        return self.url + path


@pytest.fixture(autouse=True)
def _redis_is_asked() -> None:
    """A test in which Redis was away must not leave the next one without it for some seconds."""
    if resting := sys.modules.get("tournaments.acts.resting"):
        resting.wake()


#: What a process remembers of rows by their ids, and of those whom it put off.
REMEMBERED = (
    ("tournaments.radar.reads", "_tables"),
    ("tournaments.radar.reads", "_records"),
    ("tournaments.sittings.figures", "_known"),
    ("referee.running.lately", "_seconds"),
)


@pytest.fixture(autouse=True)
def _rows_of_other_tests_are_forgotten() -> None:
    """SQLite gives the ids of one test again to the next, and what one test overloaded is said for five minutes."""
    for module, name in REMEMBERED:
        if known := sys.modules.get(module):
            getattr(known, name).clear()


@pytest.fixture(autouse=True)
def _live_server_helper() -> None:
    """Puts pytest-django's server aside: it is WSGI, and a page that opens a stream would never let it end."""


@pytest.fixture(scope="session")
def _serving() -> Iterator[LiveServer]:
    import socket

    import uvicorn

    from referee.asgi import application
    from referee.http_door import Door
    from referee.serving.streams import PREFIX

    answering: set[object] = set()

    async def counted(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(PREFIX):
            answering.add(one := object())
            try:
                await application(scope, receive, send)
            finally:
                answering.discard(one)
        else:
            await application(scope, receive, send)

    config = uvicorn.Config(counted, http=Door, lifespan="off", log_config=None, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],), name="live-server", daemon=True)
        thread.start()
        _until(lambda: server.started)
        yield LiveServer(f"http://127.0.0.1:{listening.getsockname()[1]}", answering)
        server.should_exit = True
        thread.join(60)


@pytest.fixture
def live_server(request: pytest.FixtureRequest, transactional_db: None, _serving: LiveServer) -> Iterator[LiveServer]:
    """The service, on the test's own database; what the test commits is there to be read, and flushed after it.

    A page that the test no longer waited for may still be being made then: it is let finish, for it holds tables that
    are to be emptied. The browser's own page is closed before, for it would go on asking.
    """
    pages = request.getfixturevalue("context") if "context" in request.fixturenames else None
    yield _serving
    if pages is not None:
        pages.close()
    _until(lambda: not _serving.answering)


@pytest.fixture
def celery_worker(transactional_db: None) -> Iterator[None]:
    """A real worker on the tests' Redis while the test runs; its queue begins empty."""
    from django.core.cache import cache

    from referee.celery import app
    from referee.embedded import worker

    cache.clear()
    with app.connection_for_write() as connection:
        for queue in ("celery", "long", "webhooks", "wake"):
            connection.default_channel.queue_purge(queue)
    with worker(app):
        yield


def _until(true: Callable[[], Any], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds} seconds")
        time.sleep(0.02)


@pytest.fixture
def until() -> Callable[..., None]:
    """``until(lambda: ..., seconds=60)``: wait for something another process or thread does; TimeoutError if not."""
    return _until


# The browser


@contextmanager
def _no_loop_running() -> Iterator[None]:
    """Playwright leaves its event loop running in this thread; for a running loop Django has another connection."""
    import asyncio

    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
def module_without_loop() -> Iterator[None]:
    """For fixtures of a module that hold a transaction around its tests: both must have one connection."""
    with _no_loop_running():
        yield


@pytest.fixture
def _no_loop_left_running(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test without a browser must not meet the loop of one that had it."""
    with nullcontext() if "browser" in request.fixturenames else _no_loop_running():
        yield


def pytest_itemcollected(item: pytest.Item) -> None:
    """Before every other fixture of the test alone, the database's among them; those of its module have their own."""
    names, known = item.fixturenames, item._fixtureinfo.name2fixturedefs  # type: ignore[attr-defined]
    own = (place for place, name in enumerate(names) if name not in known or known[name][-1].scope == "function")
    names.insert(next(own, len(names)), "_no_loop_left_running")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The machine's own Chromium."""
    from tools.browser import ARGUMENTS, browser

    return {**browser_type_launch_args, "executable_path": browser(), "args": list(ARGUMENTS)}


@pytest.fixture
def screenshot(request: pytest.FixtureRequest) -> Callable[..., Path]:
    """``screenshot(page, "name")`` writes artefacts/shots/name.png (ignored by git) for people to look at."""

    def take(page: Page, name: str, **options: Any) -> Path:
        SHOTS.mkdir(parents=True, exist_ok=True)
        path = SHOTS / f"{name}.png"
        page.screenshot(path=path, **options)
        return path

    return take
