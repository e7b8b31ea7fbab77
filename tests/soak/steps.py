"""Counting the steps of the interpreter (calls and returns, of Python and of C), and ending something at one."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

#: Where an act is written: half of the kills fall while these run.
WRITERS: Final = ("tournaments/acts/at_once.py", "tournaments/acts/change.py")


def end_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def end_at(point: int, *, only_writing: bool, end: Callable[[], None] = end_itself) -> None:
    """From now on count the steps of the interpreter, or those inside the writers, and end the process at this one, or
    what `end` ends."""
    step = _writing(point, end) if only_writing else _any(point, end)
    threading.setprofile(step)
    sys.setprofile(step)


def _any(left: int, end: Callable[[], None]) -> Callable[[Any, str, Any], None]:
    def step(frame: Any, event: str, arg: Any) -> None:
        nonlocal left
        left -= 1
        if not left:
            end()

    return step


def _writing(left: int, end: Callable[[], None]) -> Callable[[Any, str, Any], None]:
    known: dict[Any, bool] = {}
    depth = 0

    def step(frame: Any, event: str, arg: Any) -> None:
        nonlocal left, depth
        code = frame.f_code
        writes = known.get(code)
        if writes is None:
            writes = known[code] = code.co_filename.endswith(WRITERS)
        if depth:
            left -= 1
            if not left:
                end()
        if writes:
            depth += {"call": 1, "return": -1}.get(event, 0)

    return step
