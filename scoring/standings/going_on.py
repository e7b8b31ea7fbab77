"""A ranking that goes on (续算): made once, then again where a few results changed; what did not move is kept.

The rows are those of `ranking.rank`, for the same comparisons and sentences make them. Kept are the results of each
entrant, scores, the columns of tie-breaks, and the rows of each group that is level on all that is compared before
anybody asks who is tied with whom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple, Unpack

from scoring.standings.chains import chain_findings
from scoring.standings.field import Field, MatchFacts, Measure
from scoring.standings.ranked import NOTHING_AT_STAKE, RankedRow, Stakes
from scoring.standings.ranking import Block, Component, Cut, Ranking, in_order
from scoring.standings.results import EntrantId, Result
from scoring.standings.tiebreaks import TIEBREAKS, TieBreak

#: What changed: by the name of each result, as it counts now; None where it counts no more.
Changes = Mapping[Hashable, Result | None]


class CannotGoOn(Exception):
    """The changes are such that the table has to be ranked from nothing."""


class _Group(NamedTuple):
    """Entrants that are level on the first columns, with all that their rows follow from but their own measures."""

    members: tuple[int, ...]
    place: int
    before: tuple[Measure, ...] | None
    own: tuple[Measure, ...]
    after: tuple[Measure, ...] | None


class GoingOn:
    """A table of entrants that meet one another, by results that have names. Facts and stakes stay what they are.

    Raises CannotGoOn where `rank` would refuse them.
    """

    def __init__(
        self,
        chain: Sequence[str],
        entrants: Sequence[EntrantId],
        results: Mapping[Hashable, Result],
        *,
        stakes: Stakes = NOTHING_AT_STAKE,
        **facts: Unpack[MatchFacts],
    ) -> None:
        if chain_findings(chain):
            raise CannotGoOn
        self._items = [TIEBREAKS[code] for code in chain]
        self._field = Field(entrants, list(results.values()), **facts)
        try:
            self._ranking = Ranking(self._field, self._items, stakes)
        except LookupError:  # `rank` says what is missing
            raise CannotGoOn from None
        first = next((i for i, one in enumerate(self._items) if not isinstance(one, TieBreak) or one.last_resort), None)
        #: tie-breaks that are compared for everybody alike, before any that depends on who is tied
        self._first = [one for one in self._items[:first] if isinstance(one, TieBreak)]
        self._columns: dict[str, list[Measure]] = {code: list(one) for code, one in self._ranking.columns.items()}
        self._ranking.columns = {**self._columns}
        self._brought = self._field.brought
        self._own: list[dict[Hashable, Result]] = [{} for _ in entrants]
        for name, result in results.items():
            for i in self._parties(result):
                self._own[i][name] = result
        self._results = dict(results)
        self._rounds = Counter(one.round for one in results.values())
        self._in_order = in_order(self._field)
        self._excluded = [i for i in self._in_order if entrants[i] in self._field.excluded]
        out = set(self._excluded)
        self._order = [i for i in self._in_order if i not in out]
        self._position = {i: place for place, i in enumerate(self._in_order)}
        self._keys: list[tuple[Any, ...]] = [()] * len(entrants)
        self._sorted_by: list[tuple[Any, ...]] = [()] * len(entrants)
        self._alone: dict[int, Component] = {}
        self._groups: dict[int, tuple[_Group, list[RankedRow]]] = {}
        self._outside: dict[int, RankedRow] = {}
        self._rank(set(range(len(entrants))))

    @property
    def rows(self) -> list[RankedRow]:
        """The table, best first; a row that did not move is the object that it was."""
        return self._rows

    def after(self, changes: Changes) -> None:
        """Go on: these results count now as they are here. Raises CannotGoOn, and is then of no use any more."""
        moved = {name: now for name, now in changes.items() if self._results.get(name) != now}
        if not moved:
            return
        parties = {
            i for name, now in moved.items() for one in (self._results.get(name), now) for i in self._parties(one)
        }
        for name, now in moved.items():
            self._replace(name, now)
        self._refuse_another_scale(parties)
        met = {i for party in parties for one in self._own[party].values() for i in self._parties(one)} | parties
        self._score(parties)
        touched = self._measure(met) | parties
        self._rank(touched)

    def _parties(self, result: Result | None) -> Iterable[int]:
        if result is None:
            return ()
        index = self._field.index
        try:
            return (index[result.home],) if result.away is None else (index[result.home], index[result.away])
        except KeyError:
            raise CannotGoOn from None

    def _replace(self, name: Hashable, now: Result | None) -> None:
        before = self._results.pop(name, None)
        for i in self._parties(before):
            del self._own[i][name]
        if before is not None:
            self._rounds[before.round] -= 1
        if now is not None:
            self._rounds[now.round] += 1
            self._results[name] = now
            for i in self._parties(now):
                self._own[i][name] = now

    def _refuse_another_scale(self, parties: Collection[int]) -> None:
        """Scores are kept as whole numbers of one unit, those of rounds by the rounds that there are."""
        unit, scores = self._field.unit, (one for i in parties for one in self._own[i].values())
        if any(unit % one.home_score.denominator or unit % one.away_score.denominator for one in scores):
            raise CannotGoOn
        if sorted((+self._rounds).keys(), reverse=True) != self._field.rounds_back:
            raise CannotGoOn

    def _score(self, parties: Iterable[int]) -> None:
        field, scaled = self._field, self._field.scaled
        for i in parties:
            entrant, own = field.entrants[i], self._own[i].values()
            got = (scaled(one.home_score if one.home == entrant else one.away_score) for one in own)
            field.scores[i] = self._brought[i] + sum(got)
            field.matches[i] = [one for one in own if one.away is not None]

    def _measure(self, entrants: Collection[int]) -> set[int]:
        """Measure these again, by the results that they have a part in; those whose measures moved."""
        part: Any = copy(self._field)
        part.results = list({name: one for i in entrants for name, one in self._own[i].items()}.values())
        # what was worked out of all results: only the sums are asked for
        part.__dict__.pop("points", None)
        self._field.__dict__.pop("points", None)
        moved = set[int]()
        for item in self._items:
            if isinstance(item, TieBreak) and not item.last_resort:
                column, found = self._columns[item.code], item.measure(part)
                for i in entrants:
                    if column[i] != found[i]:
                        column[i] = found[i]
                        moved.add(i)
        return moved

    def _key(self, i: int) -> tuple[Any, ...]:
        """By what an entrant is sorted first: less comes first."""
        return tuple(_turned(self._columns[one.code][i], one.fewer_first) for one in self._first)

    def _rank(self, touched: set[int]) -> None:
        for i in touched:
            self._keys[i] = key = self._key(i)
            self._sorted_by[i] = (key, self._position[i])
            self._alone.pop(i, None)
        self._order.sort(key=self._sorted_by.__getitem__)
        before, self._groups = self._groups, {}
        rows = list[RankedRow]()
        for group in self._grouped():
            known = before.get(group.members[0])
            if known is None or known[0] != group or not touched.isdisjoint(known[0].members):
                known = (group, self._rows_of(group))
            self._groups[group.members[0]] = known
            rows += known[1]
        for i in self._excluded:
            if i in touched:
                self._outside[i] = self._ranking.row_outside(i, self._components_alone(i))
        self._rows = rows + [self._outside[i] for i in self._excluded]

    def _grouped(self) -> Iterable[_Group]:
        """The groups in order, each with its neighbours."""
        keys, order, place = self._keys, self._order, 0
        before = None
        while place < len(order):
            own, end = keys[order[place]], place + 1
            while end < len(order) and keys[order[end]] == own:
                end += 1
            after = keys[order[end]] if end < len(order) else None
            yield _Group(tuple(order[place:end]), place + 1, before, own, after)
            before, place = own, end

    def _rows_of(self, group: _Group) -> list[RankedRow]:
        ranking = self._ranking
        above, below = _level(group.before, group.own), _level(group.own, group.after)
        apart = max(above, below)
        split_by = self._first[apart].code if 0 < apart < len(self._first) else None
        # before the first column nothing is equal, so that a tie that ended there says nothing
        if len(group.members) == 1:
            blocks = [Block(group.members, split_by, None)]
            components = self._components_alone(group.members[0])
        else:
            measured = tuple((one.code, self._columns[one.code][group.members[0]]) for one in self._first)
            ranking.among = {}
            blocks = ranking.blocks(group.members, group.place, len(self._first), measured, split_by)
            components = ranking.components(group.members)
        return ranking.rows_of(blocks, group.place, self._cut(group, below), components)

    def _components_alone(self, i: int) -> Mapping[int, Component]:
        """Of an entrant that is compared with nobody, which are kept: only its columns are in them."""
        known = self._alone.get(i)
        if known is None:
            self._ranking.among = {}
            known = self._alone[i] = self._ranking.components((i,))[i]
        return {i: known}

    def _cut(self, group: _Group, level: int) -> Cut | None:
        """Where the group ends, which is level with the next one on so many columns."""
        if group.after is None:
            return None
        item, i = self._first[level], group.members[-1]
        following = self._order[group.place - 1 + len(group.members)]
        equal = tuple((one.code, self._columns[one.code][i]) for one in self._first[:level])
        column = self._columns[item.code]
        return Cut(item, equal, (i, column[i]), (following, column[following]))


def _level(upper: tuple[Measure, ...] | None, lower: tuple[Measure, ...] | None) -> int:
    """On how many columns two neighbours are level; 0 where one of them is not there."""
    if upper is None or lower is None:
        return 0
    level = 0
    while upper[level] == lower[level]:
        level += 1
    return level


def _turned(measure: Measure, fewer_first: bool) -> Measure:
    if fewer_first:
        return measure
    return tuple(-number for number in measure) if isinstance(measure, tuple) else -measure
