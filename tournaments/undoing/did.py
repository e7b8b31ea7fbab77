"""What an act did, as its line of the history says it, and what its opposite has to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from ..acts.access import Act
from ..acts.admission import Actor
from ..models import Sitting, Tournament

#: The reason that the history gives of an act that needs one, in the language of the event.
WHY: Final[Mapping[str, str]] = {"en": "Undone within the minute", "zh": "一分钟内撤销"}


@dataclass(frozen=True, slots=True)
class Did:
    """One line of the history."""

    id: int
    event: Tournament
    act: Act
    subject: str
    at: datetime
    by_person: bool
    sitting: Sitting | None
    round_id: int | None
    old: Any
    new: Any

    @property
    def kind(self) -> str:
        """What it was done to: entrant, round, stage …"""
        return self.subject.partition(":")[0]

    @property
    def pk(self) -> int:
        """The id of what it was done to."""
        return int(self.subject.partition(":")[2])

    @property
    def added(self) -> bool:
        """Whether its opposite takes out again what has a page of its own."""
        return self.old is None and self.act in (Act.SET_UP, Act.EDIT_ENTRANTS)

    @property
    def why(self) -> str:
        return WHY["zh" if self.event.language.startswith("zh") else "en"]


def always(did: Did) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Opposite:
    """How an act is undone.

    `do` carries out the opposite through the act of its room, with all its checks; `does`: the act that one has to be
    allowed. `hold` locks what the act locks, in the order of locks, before anything is looked at. `fits`: whether what
    this line says is undone at all, for one act does several things. Refused once one of `changed`, or the act itself,
    was done to the same subject again, or one of `built` in the event.
    """

    does: Act
    do: Callable[[Did, Actor, datetime], None]
    hold: Callable[[Did], object]
    fits: Callable[[Did], bool] = always
    changed: frozenset[Act] = frozenset()
    built: frozenset[Act] = frozenset()
