"""What is said again and again while something is away is logged once a minute, with how often it was left out; and
no address is logged that would let a reader in."""

from __future__ import annotations

import logging
import re
import threading
import time
from typing import TYPE_CHECKING, Final

from structlog.stdlib import ProcessorFormatter

from tournaments.acts.failures import AWAY, FULL, outage_of
from tournaments.acts.meters import error_logged

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping
    from typing import Any

EVERY_SECONDS: Final = 60.0
#: These name each connection that could not be had: thousands, when descriptors are gone.
FLOODING: Final = ("asyncio", "uvicorn.error")

_NUMBERS: Final = re.compile(r"\d+")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
# what stands in these addresses is as good as a password: sign-in links, party codes, codes of players
_SECRETS: Final = re.compile(r"(?<=/)((?:desk/enter|t|me)/)[^/?\s\"']+|(?<=[\w/])\?[^\s\"']+")


class OnceAMinute(logging.Filter):
    """Lets one line a minute through of each outage (`failures`), and of what was logged with the same `sparing`.

    An outage is one line: where in the program it was noticed says nothing. `extra={"sparing": "streams"}` marks what
    else may come in floods; `clock` counts seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._told: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kind = self._kind(record)
        if kind is None:
            return True
        with self._lock:
            now = self._clock()
            since, left_out = self._told.get(kind, (None, 0))
            if since is not None and now - since < EVERY_SECONDS:
                self._told[kind] = (since, left_out + 1)
                return False
            self._told[kind] = (now, 0)
        if left_out:
            record.msg, record.args = f"{record.getMessage()} (left out since the last one: {left_out})", None
        return True

    @staticmethod
    def _kind(record: logging.LogRecord) -> str | None:
        error = record.exc_info[1] if record.exc_info else None
        outage = outage_of(error) if error is not None else None
        if outage is None and record.name in FLOODING and record.levelno >= logging.WARNING:
            return f"{record.name}: {_NUMBERS.sub('', record.getMessage().partition(chr(10))[0])}"
        if outage is None:
            # an answer that tells of an outage is logged by its status, beside the error behind it
            told = {AWAY.status: AWAY.code, FULL.status: FULL.code}.get(getattr(record, "status_code", 0))
            return told or getattr(record, "sparing", None)
        said = " ".join(str(error).split())
        record.msg, record.args = f"{outage.code}: {record.getMessage()}: {said}", None
        record.exc_info = record.exc_text = None
        return outage.code


def on_one_line(logger: object, method: str, said: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """What somebody sent cannot begin a line of its own on the console; only a traceback has more than one."""
    return {
        name: _CONTROL.sub(lambda sign: sign[0].encode("unicode_escape").decode(), one)
        if isinstance(one, str) and name not in ("exception", "stack")
        else one
        for name, one in said.items()
    }


class Counted(logging.Handler):
    """Counts what is logged as an error, also what is left out of the log."""

    def emit(self, record: logging.LogRecord) -> None:
        error_logged(record.name)


class WithoutSecrets(ProcessorFormatter):
    """Finished lines without the secrets of addresses: in what Django says of a refused request, in the request that
    stands beside it, in the text of an error."""

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


def without_secrets(text: str) -> str:
    """A line or an address as it may be kept: `/t/…/` for `/t/QWERTY/`, nothing after a question mark."""
    return _SECRETS.sub(lambda found: f"{found[1]}…" if found[1] else "", text)
