"""An entrant's own page through the day: its next table, what waits for it there, what comes after, its results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.parts.clock import shown_clock
from referee.parts.names import shown_name
from referee.parts.results import how_it_went, record_words, result_of
from referee.table.endings import Next, next_words
from referee.table.own_day import award_of, levels_of, where_of
from referee.table.places import held_by
from tournaments.boards.reads import kept_back, kept_back_at, results_later
from tournaments.models import EntryStatus, LedgerEntry, Match, MatchOutcome, RoundStatus, Sitting, SittingPhase
from tournaments.people.after_match import after_match
from tournaments.people.entrant_page import EntrantMatch, entrant_page
from tournaments.people.roll_call import roll, round_up, standing_check_in
from tournaments.signals.reads import cards_of, terms_of
from tournaments.sittings.clock import round_clock
from tournaments.sittings.table_pages import open_calls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpRequest

    from referee.parts.clock import ShownClock
    from referee.table.own_day import Award, Levels, Where
    from scoring.values import Text
    from tournaments.models import CheckIn, Device, Entrant, Round
    from tournaments.people.roll_call import RollRow


@dataclass(frozen=True, slots=True)
class Opponent:
    """Who sits against them, and how it has fared so far."""

    entrant: Entrant
    record: str


@dataclass(frozen=True, slots=True)
class Past:
    """One match that is over: against whom, the result from their side, ``won``, ``drawn`` or ``lost``.

    `table` is where it was played (None: nowhere); `later`: what is said in place of a result that is not told yet.
    """

    round: int
    table: int | None
    against: str
    result: str
    how: str
    later: Text | None = None


@dataclass(frozen=True, slots=True)
class MyTable:
    """`row` is where they are expected in `round`, `sitting` their table there while it is to be played; `waits` the
    hand that waits for their answer, `sent` the one that they sent; a referee is `coming` there; `device` is this
    browser's place at the table; `next` is said when nothing is to be played. `where` their table
    stands is told until they sit there; `card_missing`: a signal card is asked of them that they have not filed."""

    entrant: Entrant
    round: Round | None
    row: RollRow | None
    there: CheckIn | None
    sitting: Sitting | None
    opponents: tuple[Opponent, ...]
    waits: int | None
    coming: bool
    sent: int | None
    device: Device | None
    next: Next | None
    open_tables: int
    past: tuple[Past, ...]
    record: str
    place: int | None
    clock: ShownClock | None
    where: Where | None
    levels: Levels | None
    award: Award | None
    card_missing: bool

    @property
    def is_expected(self) -> bool:
        """Whether "we are here" still tells the desk something: nobody is waited for at a table that plays."""
        if self.row is not None and (self.row.bye or self.row.there):
            return False
        return self.device is None and (self.sitting is None or self.sitting.hand_no == 1)

    @property
    def news(self) -> str:
        """What the title says first: another text whenever there is something to look at."""
        if self.sitting is not None and self.row is not None:
            table = _("Table %(n)s") % {"n": self.sitting.table.number}
            waits = _("hand %(n)s waits for you") % {"n": self.waits}
            coming = _("a referee is coming")
            return " · ".join([table, *([waits] if self.waits else []), *([coming] if self.coming else [])])
        return self.next.head if self.next is not None else ""


def my_table(request: HttpRequest, entrant: Entrant, now: datetime) -> MyTable:
    """Everything of the page, for whoever holds the entrant's own code."""
    event = entrant.tournament
    round_ = round_up(event)
    row = next((one for one in roll(event, round_) if one.entrant.pk == entrant.pk), None)
    found = entrant_page(entrant)
    own = _latest(found.matches)
    sitting = own.record.sitting if own is not None and own.record is not None else None
    playing = sitting if sitting is not None and round_ is not None and _to_play(sitting, round_) else None
    waits, sent = _waiting(playing, _side_at(own))
    device = None if playing is None else _device_at(request, playing)
    after = after_match(sitting, entrant) if sitting is not None and playing is None else None
    clock = round_clock(round_) if round_ is not None else None
    told = event.live_public and not kept_back_at(event).results
    return MyTable(
        entrant=entrant,
        round=round_,
        row=row,
        there=standing_check_in(entrant.pk, round_),
        sitting=playing,
        opponents=tuple(_opponent(one) for one in _others(own)) if playing is not None else (),
        waits=waits,
        coming=playing is not None and any(call.taken_by_id for call in open_calls(playing)),
        sent=sent,
        device=device,
        next=None if after is None else next_words(after, entrant),
        open_tables=0 if round_ is None or round_.status != RoundStatus.RUNNING else _open_tables(round_),
        past=tuple(_past(one) for one in reversed(found.matches) if one.match.outcome != MatchOutcome.PENDING),
        record=_record(found.matches),
        place=found.place.rank if told and found.place is not None else None,
        clock=shown_clock(clock, now),
        where=where_of(event, playing.table.number) if playing is not None and device is None else None,
        levels=levels_of(own) if playing is not None else None,
        award=award_of(after, [] if event.individual else _hows(found.matches)),
        card_missing=not found.matches and _card_missing(entrant),
    )


def own_place(request: HttpRequest, entrant: Entrant) -> Device | None:
    """The place that this browser holds at a table of the entrant that is still to be played, if it holds one."""
    round_, own = round_up(entrant.tournament), _latest(entrant_page(entrant).matches)
    sitting = own.record.sitting if own is not None and own.record is not None else None
    if sitting is None or round_ is None or not _to_play(sitting, round_):
        return None
    return _device_at(request, sitting)


def _device_at(request: HttpRequest, sitting: Sitting) -> Device | None:
    return next((one.device for one in held_by(request) if one.sitting.pk == sitting.pk), None)


def _side_at(one: EntrantMatch | None) -> str:
    """Where they sit at that table: the home side may sit East-West."""
    if one is None or one.record is None or one.place is not None:
        return "" if one is None else one.side
    home = str(one.record.sitting.home_side)
    return home if one.at_home else {"NS": "EW", "EW": "NS"}[home]


def _card_missing(entrant: Entrant) -> bool:
    return terms_of(entrant.tournament).asks and entrant.pk not in cards_of([entrant.pk])


def _latest(matches: Sequence[EntrantMatch]) -> EntrantMatch | None:
    """The match of the last round in which they have a table."""
    seated = [one for one in matches if one.record is not None]
    return seated[-1] if seated else None


def _to_play(sitting: Sitting, up: Round) -> bool:
    """Whether their table of the round that is up is still to be played."""
    return sitting.round_id == up.pk and sitting.phase != SittingPhase.FINISHED and not sitting.match.finished_at


def _waiting(sitting: Sitting | None, side: str) -> tuple[int | None, int | None]:
    """The hand that waits for this side, and the one that it sent itself."""
    if sitting is None or sitting.phase != SittingPhase.WAITING:
        return None, None
    entry = LedgerEntry.objects.filter(sitting=sitting, status=EntryStatus.WAITING).first()
    if entry is None:
        return None, None
    number = entry.hand_no or sitting.hand_no
    return (None, number) if entry.entered_side == side else (number, None)


def _others(one: EntrantMatch | None) -> list[Entrant]:
    if one is None:
        return []
    return one.companions if one.place is not None else [one.opponent] if one.opponent is not None else []


def _opponent(entrant: Entrant) -> Opponent:
    return Opponent(entrant, _record(entrant_page(entrant).matches))


def _open_tables(round_: Round) -> int:
    rows = Sitting.objects.filter(round=round_, active=True, match__outcome=MatchOutcome.PENDING)
    return rows.values("match").distinct().count()


def _record(matches: Sequence[EntrantMatch]) -> str:
    """Of the matches that were played and are told."""
    return record_words(_hows(matches))


def _hows(matches: Sequence[EntrantMatch]) -> list[str]:
    told = [one for one in matches if _counts(one.match) and one.match.pk not in kept_back(one.round.stage).matches]
    return [how_it_went(one) for one in told]


def _counts(match: Match) -> bool:
    return match.outcome not in (MatchOutcome.PENDING, MatchOutcome.BYE)


def _past(one: EntrantMatch) -> Past:
    names = pgettext("joins parts of a sentence", ", ").join(shown_name(other) for other in _others(one))
    stage = one.round.stage
    waits = one.match.pk in kept_back(stage).matches
    later = results_later(stage, live=one.round.tournament.live_public) if waits else None
    against = names or _("bye")
    return Past(
        one.round.number, one.table, against, "" if later else result_of(one), "" if later else how_it_went(one), later
    )


def shown(request: HttpRequest, entrant: Entrant, now: datetime) -> dict[str, Any]:
    """The context of the page and of its changing part."""
    mine = my_table(request, entrant, now)
    return {"own": mine, "tournament": entrant.tournament, "round": mine.round, "clock": mine.clock, "next": mine.next}
