"""The live table of a stage, worked out: from nothing, or from what this process worked out last.

Acts at tables move the matches of these tables, so only those are read then, and only whom they touch is ranked again;
an act of the desk may have moved anything, so everything is read, and what is equal is kept. Where a table cannot go on
it is ranked from nothing: knockouts, single players, boards, points brought along. The audit works every table out from
nothing (`rankings.live_table`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from scoring.standings.going_on import CannotGoOn, GoingOn
from scoring.standings.ranked import RankedRow
from scoring.standings.results import EntrantId, Result

from ..acts.doorbell import Counted
from ..acts.text import canonical_json, text_digest
from ..models import Stage
from ..models.events import ON_BOARDS
from ..plans.plan import Carry
from . import remembered
from .penalised import Penalised, penalised
from .rankings import KNOCKOUTS, basis_of, set_by_ruling
from .results import counted_matches, results_at_tables, results_by_match
from .tables import Basis, Table, row_json, rows_json

#: A table of more changes than one in so many results is ranked from nothing, which is quicker then.
_MANY: Final = 20

_text_of = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class Kept:
    """What a process keeps of a stage: what its table followed from, and when that was read."""

    counted: Counted
    basis: Basis
    digest: str
    going: _Going | None

    @property
    def text(self) -> str:
        """The rows."""
        return _text(self.basis) if self.going is None else self.going.text

    @property
    def weight(self) -> int:
        """How many results are kept."""
        return len(self.basis.results) + len(self.basis.bracket) if self.going is None else self.going.weight


def worked_out(stage: Stage, counted: Counted, covers: int) -> Kept:
    """The table as it is now. `counted` was read before; `covers` is the stale number of the table that is stored."""
    # taken, so that nothing is kept that was left half done
    known = remembered.take(stage.pk)
    if known is not None and known.counted.number > covers:
        # what it followed from was never stored: the database is another one than before
        known = None
    try:
        kept = None if known is None else _at_tables(stage, counted, known)
    except CannotGoOn:
        known = kept = None
    if kept is None:
        kept = _from_all(stage, counted, known)
    remembered.keep(stage.pk, kept)
    return kept


def _at_tables(stage: Stage, counted: Counted, known: Kept) -> Kept | None:
    """Going on with the matches of the tables that moved; None where that is not enough.

    CannotGoOn leaves what is known of no use.
    """
    going, slots = known.going, counted.since(known.counted)
    if going is None or slots is None or going.ruled != penalised(stage.tournament):
        return None
    changes = results_at_tables(stage, slots) if slots else {}
    if changes is None:
        return None
    going.after(changes)
    return replace(known, counted=counted, digest=going.digest)


def _from_all(stage: Stage, counted: Counted, known: Kept | None) -> Kept:
    """Everything is read; what is ranked already is not ranked again."""
    if not can_go_on(stage):
        basis = basis_of(stage)
        if known is not None and known.going is None and known.basis == basis:
            return replace(known, counted=counted)
        return Kept(counted, basis, text_digest(_text(basis)), None)
    results = results_by_match(counted_matches(stage))
    basis = basis_of(stage, results=list(results.values()))
    ruled, rest = penalised(stage.tournament), replace(basis, results=[])
    if known is not None and known.going is not None and known.basis == rest and known.going.ruled == ruled:
        gone = known.going.results.keys() - results.keys()
        try:
            known.going.after({**results, **dict.fromkeys(gone)})
        except CannotGoOn:
            pass
        else:
            return replace(known, counted=counted, digest=known.going.digest)
    try:
        going = _Going(stage, basis, results, ruled)
    except CannotGoOn:
        return Kept(counted, basis, text_digest(_text(basis)), None)
    return Kept(counted, rest, going.digest, going)


def can_go_on(stage: Stage) -> bool:
    """Whether an act at a table moves nothing but the result of its match, and that nothing but this stage."""
    plain = not stage.tournament.individual and stage.format not in KNOCKOUTS | ON_BOARDS
    return plain and stage.directing.carry is Carry.NONE and "board_points" not in stage.chain


class _Going:
    """The tables of a stage that go on, with the text of their rows."""

    def __init__(self, stage: Stage, basis: Basis, results: Mapping[int, Result], ruled: Sequence[Penalised]) -> None:
        annulled = any(one.annulled for one in basis.competitors)
        if annulled or basis.carried or basis.average_byes or basis.extra or len(basis.results) != len(results):
            raise CannotGoOn
        self.ruled = list(ruled)
        self.results = dict(results)
        self._here = [one for one in ruled if one.stage == stage.pk]
        self._withdrawn = {one.entrant for one in basis.competitors if one.withdrawn}
        self._group_of: dict[EntrantId | None, int | None] = {one.entrant: one.group for one in basis.competitors}
        inside: dict[int | None, dict[Any, Result]] = {group: {} for group in self._group_of.values()}
        # as rulings set them, in the order of those that were read
        for name, result in zip(results, cast(list[Result], basis.results), strict=True):
            inside[self._group_of[result.home]][name] = result
        tables = [cast(Table, one) for one in basis.tables()]
        self._tables: dict[int | None, GoingOn] = {one.group: one.going_on(inside[one.group]) for one in tables}
        self._texts: dict[tuple[int | None, EntrantId], tuple[RankedRow, str]] = {}
        self._write()

    @property
    def weight(self) -> int:
        return len(self.results)

    def after(self, changes: Mapping[int, Result | None]) -> None:
        """Go on with these results as they count now. CannotGoOn leaves it of no use."""
        moved = {pk: now for pk, now in changes.items() if self.results.get(pk) != now}
        if not moved:
            return
        if len(moved) * _MANY > len(self.results) + _MANY:
            raise CannotGoOn
        changed: dict[int | None, dict[Any, Result | None]] = {}
        for pk, now in moved.items():
            before = self.results.pop(pk, None)
            if now is not None:
                self.results[pk] = now
            for one in (before, now):
                if one is not None:
                    changed.setdefault(self._group(one), {})[pk] = None if now is None else self._ruled(now)
        for group, inside in changed.items():
            self._tables[group].after(inside)
        self._write()

    def _group(self, result: Result) -> int | None:
        """The group of a result; who has withdrawn is in the table only while something of theirs counts."""
        if {result.home, result.away} & self._withdrawn or result.home not in self._group_of:
            raise CannotGoOn
        return self._group_of[result.home]

    def _ruled(self, result: Result) -> Result:
        return cast(Result, set_by_ruling([result], self._here)[0])

    def _write(self) -> None:
        known, written, texts = self._texts, {}, list[str]()
        for group, table in self._tables.items():
            for row in table.rows:
                name = (group, row.entrant)
                before = known.get(name)
                written[name] = now = before if before and before[0] is row else (row, _text_of(row_json(row, group)))
                texts.append(now[1])
        self._texts = written
        self.text = f"[{','.join(texts)}]"
        self.digest = text_digest(self.text)


def _text(basis: Basis) -> str:
    return canonical_json(rows_json(basis.tables()))
