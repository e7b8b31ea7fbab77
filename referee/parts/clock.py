"""The clock of a round as the phone, the desk and the hall show it: words, what is left, and its class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from referee.parts.formats import clock as written
from tournaments.sittings.clock import Phase

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from referee.parts.words import Word
    from tournaments.sittings.clock import Clock

WORDS: Final[Mapping[Phase, Word]] = {
    Phase.RUNNING: _("Time left"),
    Phase.WARNING: _("Time is nearly over"),
    Phase.OVER: _("Time: finish the hand in progress"),
    Phase.STOPPED: _("The clock is stopped"),
}


@dataclass(frozen=True, slots=True)
class ShownClock:
    """A clock at a moment. `ends` is its end in seconds since 1970, for the script that lets it go on.

    `warning` is in seconds before the end; `extra` minutes of the table; `gone` and `whole` in seconds, for a bar.
    """

    phase: Phase
    left: str
    ends: int
    ends_at: datetime
    warning: int
    extra: int
    gone: int
    whole: int

    @property
    def words(self) -> Mapping[Phase, Word]:
        return WORDS

    @property
    def word(self) -> Word:
        return WORDS[self.phase]

    @property
    def over(self) -> bool:
        return self.phase is Phase.OVER

    @property
    def stopped(self) -> bool:
        return self.phase is Phase.STOPPED


def shown_clock(clock: Clock | None, now: datetime) -> ShownClock | None:
    """The clock as it stands now; None where none runs."""
    if clock is None:
        return None
    left = clock.left(now)
    whole = int(clock.whole.total_seconds())
    return ShownClock(
        phase=clock.phase(now),
        left=written(left),
        ends=int(clock.ends_at.timestamp()),
        ends_at=clock.ends_at,
        warning=int(clock.warning.total_seconds()),
        extra=clock.extra,
        gone=max(0, whole - int(left.total_seconds())),
        whole=whole,
    )
