"""The clock of a round, and of a table with its extra time: what is left, and which words it is time for.

The end is a moment kept with the round, so a restarted server shows the same clock. While the clock of the hall is
stopped nothing runs out; going on moves the end by as long as it stood.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from ..models import Round, RoundStatus, Sitting, SittingPhase


class Phase(StrEnum):
    """What the clock says: it runs, the last minutes run, time is over (finish the hand in progress), it stands."""

    RUNNING = "running"
    WARNING = "warning"
    OVER = "over"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a running round or of one of its tables. `warning` is how long before the end the warning comes."""

    started_at: datetime
    ends_at: datetime
    stopped_at: datetime | None
    warning: timedelta
    extra: int = 0

    def left(self, now: datetime) -> timedelta:
        """The time that is left, never below zero; while the clock stands, what was left when it was stopped."""
        return max(self.ends_at - (self.stopped_at or now), timedelta(0))

    def phase(self, now: datetime) -> Phase:
        left = self.left(now)
        if not left:
            return Phase.OVER
        if self.stopped_at is not None:
            return Phase.STOPPED
        return Phase.WARNING if left <= self.warning else Phase.RUNNING

    def over(self, now: datetime) -> bool:
        return self.phase(now) is Phase.OVER

    @property
    def whole(self) -> timedelta:
        return self.ends_at - self.started_at


def round_clock(round_: Round, *, extra: int = 0) -> Clock | None:
    """The clock of a running round whose stage is timed; None when there is none. `extra` are minutes of one table."""
    if round_.status != RoundStatus.RUNNING or round_.ends_at is None or round_.started_at is None:
        return None
    return Clock(
        started_at=round_.started_at,
        ends_at=round_.ends_at + timedelta(minutes=extra),
        stopped_at=round_.stopped_at,
        warning=timedelta(minutes=round_.stage.directing.warning or 0),
        extra=extra,
    )


def table_clock(sitting: Sitting) -> Clock | None:
    """The clock of the round with the extra time of this table; None once the table has finished."""
    if sitting.phase == SittingPhase.FINISHED:
        return None
    return round_clock(sitting.round, extra=sitting.extra_minutes)


def time_over(sitting: Sitting) -> datetime | None:
    """From when on no hand may be begun at a table, also in a round that is closed; None where no clock runs."""
    round_ = sitting.round
    return None if round_.ends_at is None else round_.ends_at + timedelta(minutes=sitting.extra_minutes)
