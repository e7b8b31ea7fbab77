"""Who goes first when more ask than there are threads: entries before what other programs enter, those before readers.

Every request takes a turn for as long as it holds a thread. While threads are free nobody waits. Else a turn goes to
the most important kind that waits, among its kind to who came first; readers never hold all threads, so that an entry
need not wait for pages that take long. Whoever has waited longer than his kind may is refused (`Shed`), readers first,
and where too many wait the oldest of the least important kind. What is refused was not begun: nothing of it is done.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from enum import IntEnum
from typing import Any, Final

from tournaments.acts.failures import SAFE_METHODS


class Kind(IntEnum):
    """What a request is, the most important first."""

    PEOPLE = 0  # what phones at the tables and officials send
    PROGRAMS = 1  # what is sent through the API
    READERS = 2


#: How long one may wait for his turn, in seconds. A phone gives an answer up after ten and sends the same again.
WAITS: Final[Mapping[Kind, float]] = {Kind.PEOPLE: 9.0, Kind.PROGRAMS: 8.0, Kind.READERS: 5.0}
#: Threads that are never taken by this kind and those below it, where there are enough threads.
SPARED: Final[Mapping[Kind, int]] = {Kind.PEOPLE: 0, Kind.PROGRAMS: 1, Kind.READERS: 2}
ENOUGH: Final = 4
#: How many wait at most.
MOST: Final = 4_000
API: Final = "/api/"
#: A phone asks with it what a sheet counts; nothing is written.
PREVIEW: Final = "/preview/"


def kind_of(scope: Mapping[str, Any]) -> Kind:
    """What a request is, by its method and its path."""
    if scope["method"] in SAFE_METHODS or scope["path"].endswith(PREVIEW):
        return Kind.READERS
    return Kind.PROGRAMS if scope["path"].startswith(API) else Kind.PEOPLE


class Shed(Exception):
    """No turn for this request: it is to be asked for again."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind.name)
        self.kind = kind


class Turns:
    """The turns at some threads; used on one event loop only."""

    def __init__(self, threads: int, *, waits: Mapping[Kind, float] = WAITS, most: int = MOST) -> None:
        self._threads = threads
        self._waits = waits
        self._most = most
        self._held: Counter[Kind] = Counter()
        self._waiting: dict[Kind, deque[asyncio.Future[None]]] = {kind: deque() for kind in Kind}

    @asynccontextmanager
    async def turn(self, kind: Kind) -> AsyncIterator[None]:
        """A thread's worth of room while the block lasts. Raises Shed."""
        if self._is_free(kind):
            self._held[kind] += 1
        else:
            await self._wait(kind)
        try:
            yield
        finally:
            self._held[kind] -= 1
            self._go_on()

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    def _is_free(self, kind: Kind) -> bool:
        """Whether a thread may be taken: what is left to more important kinds is never taken by this one either."""
        return all(
            sum(count for other, count in self._held.items() if other >= least)
            < self._threads - (SPARED[least] if self._threads >= ENOUGH else 0)
            for least in Kind
            if least <= kind
        )

    async def _wait(self, kind: Kind) -> None:
        """Until the turn is given, which counts as held from that moment. Raises Shed."""
        if self.waiting >= self._most:
            self._make_room(kind)
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting[kind].append(turn)
        late = loop.call_later(self._waits[kind], self._refuse, kind, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # given in the same moment: somebody else's now
                self._held[kind] -= 1
                self._go_on()
            elif turn in self._waiting[kind]:
                self._waiting[kind].remove(turn)
            raise
        finally:
            late.cancel()

    def _make_room(self, kind: Kind) -> None:
        """The oldest of the least important kind gives way. Raises Shed where whoever comes is less important yet."""
        least = max(other for other, waiting in self._waiting.items() if waiting)
        if least < kind:
            raise Shed(kind)
        self._refuse(least, self._waiting[least][0])

    def _refuse(self, kind: Kind, turn: asyncio.Future[None]) -> None:
        if not turn.done():
            self._waiting[kind].remove(turn)
            turn.set_exception(Shed(kind))

    def _go_on(self) -> None:
        for kind, waiting in self._waiting.items():
            while waiting and self._is_free(kind):
                self._held[kind] += 1
                waiting.popleft().set_result(None)
