"""``python -m referee.alive worker|beat``: exit code 0 while that process does its work (for container health checks)."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SILENCE_SECONDS: Final = 30.0


def is_alive(sign: Path, now: float) -> bool:
    """Whether the sign of life was touched within the last half minute (`now` in seconds of the system clock)."""
    try:
        return now - sign.stat().st_mtime < SILENCE_SECONDS
    except FileNotFoundError:
        return False


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or arguments[0] not in ("worker", "beat"):
        print("usage: python -m referee.alive worker|beat", file=sys.stderr)
        return 2
    return 0 if is_alive(settings.DATA_DIR / f"{arguments[0]}.alive", time.time()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
