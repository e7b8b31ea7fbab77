"""``python -m referee.alive web|stream|worker|beat``: exit code 0 while that process does its work.

For container engines. A web server does it while it can answer requests, one of streams while it answers at all.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final
from urllib.request import urlopen

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SILENCE_SECONDS: Final = 30.0
ANSWER_SECONDS: Final = 5.0


def is_alive(sign: Path, now: float) -> bool:
    """Whether the sign of life was touched within the last half minute (`now` in seconds of the system clock).

    A sign of the future was touched before the clock was set back, and proves nothing.
    """
    try:
        return abs(now - sign.stat().st_mtime) < SILENCE_SECONDS
    except FileNotFoundError:
        return False


def answers(port: int, question: str) -> bool:
    """Whether the server on this machine's `port` says that it is ``ready``, or ``live``."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/health/{question}", timeout=ANSWER_SECONDS) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def main(arguments: Sequence[str]) -> int:
    match arguments:
        case ["web"]:
            return 0 if answers(settings.PORT, "ready") else 1
        case ["stream"]:
            return 0 if answers(settings.PORT, "live") else 1
        case ["worker" | "beat" as name]:
            return 0 if is_alive(settings.DATA_DIR / f"{name}.alive", time.time()) else 1
    print("usage: python -m referee.alive web|stream|worker|beat", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
