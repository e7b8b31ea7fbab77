"""Lots (抽签) for the order in which a stage begins: repeatable from the event's seed, known to nobody before."""

from __future__ import annotations

import hmac
from collections.abc import Iterable


def by_lot(seed: str, stage: int, entrants: Iterable[int]) -> list[int]:
    """Entrant ids in the order of HMAC-SHA256, under the seed of the event, of the stage's number and the id."""

    def lot(entrant: int) -> bytes:
        return hmac.digest(seed.encode(), f"stage:{stage}:{entrant}".encode(), "sha256")

    return sorted(entrants, key=lot)
