"""What the counted hands of an event were like, hand by hand: the ground of its statistics.

A hand's figures follow from the ledger of its sitting alone, so those of a sitting that has not moved are remembered:
a page asked for while hands come in folds only the tables that moved.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from threading import Lock

from scoring.sittings.states import EntryResult
from scoring.values import Role

from ..models import EntryKind, EntryStatus, LedgerEntry, Sitting, StageFormat, Tournament
from .games import entry_results
from .records import fold_of, read_entries

#: Between two hands that were entered further apart there was a pause, or a slip waited: that says nothing of pace.
LONGEST_HAND = 3600
#: So many sittings are remembered, those asked for last.
REMEMBERED = 20_000
_WITHOUT_LEVELS = (StageFormat.DUPLICATE_TEAMS, StageFormat.DUPLICATE_PAIRS)


@dataclass(frozen=True, slots=True)
class HandFigures:
    """One hand that counts. `total` are the attackers' points that count for levels, `dug` what the kitty gave them,
    `winner` whose side gained or kept the deal, `levels` how many it gained by the level table, `seconds` the time
    since the hand before it was confirmed at the same table (None: not known)."""

    round: int
    table: int
    number: int
    total: int
    dug: int
    winner: Role
    levels: int
    deal_changes_hands: bool
    hooked: bool
    seconds: int | None


_known: OrderedDict[tuple[int, int], tuple[HandFigures, ...]] = OrderedDict()
_lock = Lock()


def figures_of(event: Tournament, kept_back: Collection[int]) -> list[HandFigures]:
    """The hands of all matches of two sides whose levels climb, by round and table; `kept_back` are sittings (ids) that
    are not told yet. At most two queries."""
    rows = (
        Sitting.objects.filter(round__tournament=event, active=True, revision__gt=0, match__home__isnull=False)
        .exclude(round__stage__format__in=_WITHOUT_LEVELS)
        .select_related("round__stage", "round__tournament", "table")
        .order_by("round__number", "table__number", "game")
    )
    sittings = [one for one in rows if one.pk not in kept_back and not one.round.stage.directing.fixed]
    with _lock:
        missing = [one for one in sittings if (one.pk, one.revision) not in _known]
    made = dict(zip(((one.pk, one.revision) for one in missing), _made(missing), strict=True))
    with _lock:
        for key, figures in made.items():
            _known[key] = figures
        found = {key: _known[key] for one in sittings if (key := (one.pk, one.revision)) in _known}
        while len(_known) > REMEMBERED:
            _known.popitem(last=False)
    return [hand for one in sittings for hand in found.get((one.pk, one.revision), ())]


def _made(sittings: Sequence[Sitting]) -> Iterable[tuple[HandFigures, ...]]:
    rows: dict[int, list[LedgerEntry]] = {one.pk: [] for one in sittings}
    entries = LedgerEntry.objects.filter(sitting__in=rows, status=EntryStatus.EFFECTIVE)
    for entry in entries.order_by("sitting_id", "position") if rows else ():
        rows[entry.sitting_id].append(entry)
    return [_of_sitting(one, rows[one.pk]) for one in sittings]


def _of_sitting(sitting: Sitting, rows: Sequence[LedgerEntry]) -> tuple[HandFigures, ...]:
    state, counted = fold_of(sitting, read_entries(sitting, (row.facts for row in rows)))
    took = _times([row for row in rows[:counted] if row.kind == EntryKind.HAND])
    return tuple(
        HandFigures(
            round=sitting.round.number,
            table=sitting.table.number,
            number=row.hand_no or 0,
            total=result.total.for_levels,
            dug=result.total.bonus,
            winner=result.winner_role,
            levels=result.levels_won,
            deal_changes_hands=result.deal_changes_hands,
            hooked=result.hook,
            seconds=took.get(row.pk),
        )
        for row, result in zip(rows[:counted], entry_results(state), strict=True)
        if isinstance(result, EntryResult) and result.total is not None and result.winner_role is not None
    )


def _times(rows: Sequence[LedgerEntry]) -> dict[int, int]:
    """Seconds from the hand before, by entry; none of the first hand, a late slip, and one entered out of turn."""
    found = {}
    for before, row in pairwise(rows):
        seconds = int((_when(row) - _when(before)).total_seconds())
        if 0 < seconds <= LONGEST_HAND:
            found[row.pk] = seconds
    return found


def _when(row: LedgerEntry) -> datetime:
    return row.confirmed_at or row.entered_at
