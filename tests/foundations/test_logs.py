"""An outage is one line a minute, whatever it is noticed by; everything else is logged as it comes, without secrets."""

from __future__ import annotations

import errno
import logging

import pytest

from referee.logs import EVERY_SECONDS, OnceAMinute, without_secrets


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def record(message: str, error: BaseException | None = None, **extra: object) -> logging.LogRecord:
    told = (type(error), error, None) if error is not None else None
    made = logging.LogRecord("any", logging.ERROR, __file__, 1, message, (), told)
    vars(made).update(extra)
    return made


def full() -> OSError:
    return OSError(errno.ENOSPC, "No space\nleft on device")


def test_an_outage_is_one_line_a_minute() -> None:
    clock = Clock()
    once = OnceAMinute(clock)
    first = record("Insufficient Storage: /a", full())
    assert once.filter(first)
    assert first.exc_info is None
    assert "disk_full" in first.getMessage()
    assert "\n" not in first.getMessage()
    assert [once.filter(record(f"/{number}", full())) for number in range(49)] == [False] * 49
    assert not once.filter(record("Insufficient Storage: /api/", status_code=507)), "the answer that tells of it"
    clock.now = EVERY_SECONDS
    last = record("Insufficient Storage: /b", full())
    assert once.filter(last)
    assert "50" in last.getMessage()


def test_what_is_marked_is_sparing_and_the_rest_is_not() -> None:
    once = OnceAMinute(Clock())
    assert [once.filter(record("lost", sparing="redis")) for _ in range(3)] == [True, False, False]
    assert once.filter(record("lost", sparing="streams"))
    assert all(once.filter(record("broken", ValueError("a bug"))) for _ in range(3))


@pytest.mark.parametrize("name", ["asyncio", "uvicorn.error"])
def test_descriptors_that_are_gone_are_one_line_a_minute(name: str) -> None:
    """The event loop tells of each connection that it cannot take: thousands in a second."""
    clock = Clock()
    once = OnceAMinute(clock)

    def told(text: str) -> logging.LogRecord:
        return logging.LogRecord(name, logging.ERROR, __file__, 1, text, (), None)

    lines = [told(f"socket.accept() out of system resource\nsocket: fd={number}") for number in range(1000)]
    assert [once.filter(line) for line in lines] == [True] + [False] * 999
    assert once.filter(told("Task exception was never retrieved"))
    clock.now = EVERY_SECONDS
    last = told("socket.accept() out of system resource\nsocket: fd=7")
    assert once.filter(last)
    assert "999" in last.getMessage()


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Not Found: /t/QWERTY/", "Not Found: /t/…/"),
        ("/desk/enter/abc-DEF_1/", "/desk/enter/…/"),
        ("/me/12345/?next=/t/ABC/", "/me/…/"),
        ('"GET /zh/e/cup/?q=Wang HTTP/1.1" 200', '"GET /zh/e/cup/ HTTP/1.1" 200'),
        ("/t/QWERTY", "/t/…"),
        ("/zh/e/cup/rounds/1/", "/zh/e/cup/rounds/1/"),
        ("/me/", "/me/"),
    ],
)
def test_an_address_is_kept_without_its_secrets(said: str, left: str) -> None:
    assert without_secrets(said) == left


def test_the_service_writes_no_access_log_of_its_own() -> None:
    """Whoever starts uvicorn without `--no-access-log`: the proxy's log is the one, and knows what to leave out."""
    assert not logging.getLogger("uvicorn.access").isEnabledFor(logging.INFO)
