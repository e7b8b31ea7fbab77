"""A draw shown ball by ball: only what its document has, and of it only what the desk has let out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

from referee.parts.clock import ShownClock, shown_clock
from referee.parts.names import shown_name
from tournaments.acts import origins
from tournaments.draws.sentences import how_drawn
from tournaments.models import Draw, Entrant, RoundStatus
from tournaments.projector.reads import balls_of
from tournaments.sittings.clock import Clock, Phase

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from referee.parts.words import Word
    from scoring.values import Text
    from tournaments.models import Projector, Tournament
    from tournaments.projector.reads import Ball

#: Meetings that can be read from across the hall at once.
ROWS: Final = 10
#: Letters of a digest that stand together.
TOGETHER: Final = 8
#: From the start of the ceremony at the desk to the first ball: time to write the digest down.
FIRST_BALL: Final = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class FirstBall(ShownClock):
    """The clock that counts down to the first ball. The desk draws it; the clock draws nothing."""

    @property
    def words(self) -> Mapping[Phase, Word]:
        return {**dict.fromkeys(Phase, _("The first ball in")), Phase.OVER: _("Now the first ball")}

    @property
    def word(self) -> Word:
        return self.words[self.phase]


@dataclass(frozen=True, slots=True)
class Place:
    """A meeting of the list: its table where anybody of it is out, the sides that are out, and whose ball it is."""

    table: int | None
    home: str
    away: str
    newest: str


@dataclass(frozen=True, slots=True)
class Ceremony:
    """What the screen shows of a draw. `ball`: the newest, None before the first; `stands`: it was not drawn again."""

    draw: Draw
    digest: tuple[str, ...]
    how: Text
    ball: Ball | None
    name: str
    opponent: str
    out: int
    of: int
    places: tuple[Place, ...]
    first: FirstBall | None
    stands: bool
    published: bool


def ceremony_of(tournament: Tournament, row: Projector, now: datetime) -> Ceremony | None:
    """The ceremony that the desk shows, None where it shows none; before the first ball with what is left until it."""
    if row.draw_id is None:
        return None
    draw = Draw.objects.select_related("round__stage").get(pk=row.draw_id)
    balls = balls_of(tournament, draw)
    out = balls[: row.balls]
    newest = out[-1] if out else None
    names = _names(tournament, out)
    other = next((one for one in out[:-1] if newest is not None and one.meeting == newest.meeting), None)
    return Ceremony(
        draw=draw,
        digest=tuple(draw.digest[at : at + TOGETHER] for at in range(0, len(draw.digest), TOGETHER)),
        how=how_drawn(origins.document_of(tournament, draw)),
        ball=newest,
        name="" if newest is None else names[newest.entrant],
        opponent="" if other is None else names[other.entrant],
        out=len(out),
        of=len(balls),
        places=_places(balls, out, names),
        first=None if out else _first(row.begun_at, now),
        stands=not Draw.objects.filter(round=draw.round_id, number__gt=draw.number).exists(),
        published=draw.round.status != RoundStatus.DRAFT,
    )


def _first(begun: datetime | None, now: datetime) -> FirstBall | None:
    if begun is None:
        return None
    shown = shown_clock(Clock(begun, begun + FIRST_BALL, None, timedelta(0)), now)
    return None if shown is None else FirstBall(**{name: getattr(shown, name) for name in ShownClock.__slots__})


def _names(tournament: Tournament, out: tuple[Ball, ...]) -> dict[int, str]:
    found = Entrant.objects.filter(tournament=tournament, pk__in=[one.entrant for one in out])
    return {one.pk: shown_name(one) for one in found}


def _places(balls: tuple[Ball, ...], out: tuple[Ball, ...], names: dict[int, str]) -> tuple[Place, ...]:
    """The page of meetings on which the newest ball is, the last as full as the rest; what is not out yet is empty."""
    count = balls[-1].meeting + 1
    first = min((out[-1].meeting if out else 0) // ROWS * ROWS, max(count - ROWS, 0))
    sides: dict[tuple[int, bool], Any] = {(one.meeting, one.home): one for one in out}
    places = []
    for at in range(first, min(first + ROWS, count)):
        home, away = sides.get((at, True)), sides.get((at, False))
        known = home or away
        newest = "home" if out and home is out[-1] else "away" if out and away is out[-1] else ""
        upper, lower = ("" if one is None else names[one.entrant] for one in (home, away))
        places.append(Place(None if known is None else known.table, upper, lower, newest))
    return tuple(places)
