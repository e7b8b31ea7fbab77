"""A lock whose waiters get it in the order in which they came."""

from __future__ import annotations

import threading
from collections import deque


class Queue:
    """One at a time; who came first goes first, and nobody sleeps longer than he has to."""

    def __init__(self) -> None:
        self._look = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Lock] = deque()

    def enter(self, seconds: float) -> bool:
        """Wait for one's turn; False when it did not come in time."""
        with self._look:
            if not self._taken:
                self._taken = True
                return True
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        if turn.acquire(timeout=seconds):
            return True
        with self._look:
            if turn not in self._waiting:  # it came just as the time was over
                return True
            self._waiting.remove(turn)
            return False

    def leave(self) -> None:
        """The turn is over; the next one has it."""
        with self._look:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False
