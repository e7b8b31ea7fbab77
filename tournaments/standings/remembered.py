"""What the tables that this process ranked last were ranked from.

A table follows from its basis alone, so an equal basis leads to the same table, and nothing has to be ranked: most
hands end no match. Only a worker asks; the audit ranks everything anew.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from .tables import Basis

#: So many stages are remembered, those ranked last.
MOST = 16

_known: OrderedDict[int, tuple[Basis, str]] = OrderedDict()
# the worker of a laptop recalculates on several threads
_lock = Lock()


def leads_to(stage_id: int, basis: Basis, digest: str) -> bool:
    """Whether this basis is known to lead to the table with this digest."""
    with _lock:
        known = _known.get(stage_id)
    return known is not None and known[1] == digest and known[0] == basis


def keep(stage_id: int, basis: Basis, digest: str) -> None:
    """A basis was ranked, and its table has this digest."""
    with _lock:
        _known[stage_id] = (basis, digest)
        _known.move_to_end(stage_id)
        while len(_known) > MOST:
            _known.popitem(last=False)


def forget() -> None:
    """As a process that has just begun."""
    with _lock:
        _known.clear()
