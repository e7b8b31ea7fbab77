"""What this process keeps of the tables that it worked out last (`worked_out`). A process that has just begun finds it
again by working them out once. Only a worker keeps anything; the audit works everything out from nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .worked_out import Kept

#: So many results are kept, some 800 bytes each with their table, of the stages that were worked out last.
MOST = 40_000

_known: OrderedDict[int, Kept] = OrderedDict()
# the worker of a laptop recalculates on several threads
_lock = Lock()


def take(stage_id: int) -> Kept | None:
    """What is kept of a stage, which is not kept any more: who takes it changes it, and keeps what came of it."""
    with _lock:
        return _known.pop(stage_id, None)


def keep(stage_id: int, kept: Kept) -> None:
    """Keep this of a stage, and forget those worked out longest ago where it is too much."""
    with _lock:
        _known[stage_id] = kept
        _known.move_to_end(stage_id)
        weight = sum(one.weight for one in _known.values())
        while weight > MOST and len(_known) > 1:
            weight -= _known.popitem(last=False)[1].weight


def forget() -> None:
    """As a process that has just begun."""
    with _lock:
        _known.clear()
