"""How many found no turn within the last minutes, in this process; `sums` adds up the processes."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Mapping
from typing import Final

from tournaments.acts import meters

#: What is said of now, in seconds.
LATELY: Final = 300

#: By second, the oldest first.
_seconds: deque[tuple[int, Counter[str]]] = deque()


def shed(kind: str) -> None:
    """Somebody of this kind (`turns.Kind`, as a word) is being refused; on the event loop only."""
    meters.shed(kind)
    now = int(time.monotonic())
    if not _seconds or _seconds[-1][0] != now:
        _seconds.append((now, Counter()))
    _seconds[-1][1][kind] += 1
    while _seconds[0][0] <= now - LATELY:
        _seconds.popleft()


def here() -> Mapping[str, int]:
    """How many of each kind this process refused within the last minutes; from any thread."""
    since = time.monotonic() - LATELY
    found: Counter[str] = Counter()
    for second, kinds in tuple(_seconds):
        if second > since:
            found.update(dict(kinds))
    return found
