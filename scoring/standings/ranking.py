"""Standings (名次): entrants folded through a chain of tie-breaks into rows that know whether they are shared, and why.

Every row shows its components, never a packed sort key. What stays equal through the whole chain stays tied: such rows
share a rank and stand in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Unpack

from scoring.frozen import quickly_made
from scoring.hands.findings import Refused, refusal
from scoring.standings.chains import chain_findings
from scoring.standings.field import Field, MatchFacts, Measure, MissingData
from scoring.standings.match_scores import MINUS, final_level
from scoring.standings.ranked import NOTHING_AT_STAKE, RankedRow, Split, Stakes, Undecided, Value, text_of, value_of
from scoring.standings.results import EntrantId, Result, entrant_order
from scoring.standings.tiebreaks import TIEBREAKS, AmongTied, TieBreak
from scoring.values import Text, exact
from scoring.wording import both


def rank(
    chain: Sequence[str],
    entrants: Sequence[EntrantId],
    results: Sequence[Result | Mapping[str, Any]],
    *,
    stakes: Stakes = NOTHING_AT_STAKE,
    **facts: Unpack[MatchFacts],
) -> tuple[RankedRow, ...]:
    """The table of these entrants after these results, best first; `excluded` ones last and without a place.

    `chain` names the tie-breaks in order. Results may be given as the protocol's objects. `lots` is drawn only when
    there is a `seed`, or as `drawn` by hand (entrants in that order); else what it would split stays tied. `penalties`
    are counted, `fines` points taken off, `carried` points brought along; `points_are` names what is counted
    (`chains.POINTS_ARE`, None: match scores); `average_byes` makes a bye worth the average of the own other rounds
    (said when all are over). `ladder` is that of the rules.
    With lines at stake, extra matches and lots are only for ties across one. Refused when the chain contradicts itself
    or needs data that is missing, or results do not fit the entrants.
    """
    read = [item if isinstance(item, Result) else Result.from_json(item) for item in results]
    return rank_field(chain, Field(entrants, read, **facts), stakes)


def rank_field(chain: Sequence[str], field: Field, stakes: Stakes = NOTHING_AT_STAKE) -> tuple[RankedRow, ...]:
    """The table of a field of entrants with their results, by the tie-breaks of the chain in order; as `rank`."""
    wrong = chain_findings(chain)
    if wrong:
        raise Refused(wrong)
    try:
        return Ranking(field, [TIEBREAKS[code] for code in chain], stakes).rows()
    except MissingData as error:
        title = TIEBREAKS[error.code].title
        text = f"The tie-break {title['en']} needs data that nobody gave."
        raise Refused([refusal("data_missing", error.code, text, f"{title['zh']}缺少数据。")]) from None
    except KeyError as error:
        (name,) = error.args
        text, zh = f"A result names {name}, which is no entrant or level here.", f"成绩中的 {name} 不是参赛方或级别。"
        raise Refused([refusal("unknown_entrant", "results", text, zh)]) from None


#: What the chain measured for one entrant, as values and as exact texts.
Component = tuple[dict[str, Value], dict[str, str]]


def in_order(field: Field) -> list[int]:
    """The entrants of a field in the order of their ids."""
    return sorted(range(len(field.entrants)), key=lambda i: entrant_order(field.entrants[i]))


@quickly_made
@dataclass(frozen=True, slots=True)
class Block:
    """Entrants that stay tied through the whole chain, with what set them apart from the block before.

    `waits_for` is the tie-break that could have split them and was not played or drawn yet.
    """

    members: tuple[int, ...]
    split_by: str | None
    cut: Cut | None
    waits_for: str | None = None


@quickly_made
@dataclass(frozen=True, slots=True)
class Cut:
    """Where a tie ended: before a block. `upper` and `lower` are the measures on both sides of it."""

    tiebreak: TieBreak | AmongTied
    equal: tuple[tuple[str, Measure], ...]
    upper: tuple[int, Measure]
    lower: tuple[int, Measure]


class Ranking:
    """One ranking in the making: the field, the chain, and the measures taken so far."""

    def __init__(self, field: Field, chain: Sequence[TieBreak | AmongTied], stakes: Stakes) -> None:
        self.field = field
        self.stakes = stakes
        self.chain = chain
        self.restart = next((i for i, item in enumerate(chain) if isinstance(item, AmongTied)), len(chain))
        self._asked = stakes.lines is not None or any(isinstance(item, AmongTied) and item.waits for item in chain)
        self.columns: dict[str, Sequence[Measure]] = {
            item.code: item.measure(field) for item in chain if isinstance(item, TieBreak) and not item.last_resort
        }
        self.among: dict[str, dict[int, Measure]] = {}
        self._written: dict[str, dict[Measure, tuple[Value, str]]] = {item.code: {} for item in chain}

    def rows(self) -> tuple[RankedRow, ...]:
        known = in_order(self.field)
        everyone = [i for i in known if self.field.entrants[i] not in self.field.excluded]
        blocks = self.blocks(tuple(everyone), 1, 0, (), None) if everyone else []
        components = self._components()
        rows = self.rows_of(blocks, 1, None, components)
        out = [i for i in known if self.field.entrants[i] in self.field.excluded]
        return (*rows, *(self.row_outside(i, components) for i in out))

    def rows_of(
        self, blocks: Sequence[Block], place: int, then: Cut | None, components: Mapping[int, Component]
    ) -> list[RankedRow]:
        """The rows of blocks that take the places from `place` on; `then` is where the block after them begins."""
        rows = list[RankedRow]()
        for number, block in enumerate(blocks, start=1):
            next_place = place + len(block.members)
            cut = blocks[number].cut if number < len(blocks) else then
            split = self._split(cut, place, next_place) if cut and cut.equal else None
            undecided = self._undecided(block, place)
            for i in block.members:
                values, shown = components[i]
                rows.append(
                    RankedRow(
                        entrant=self.field.entrants[i],
                        rank=place,
                        shared=len(block.members) > 1,
                        values=values,
                        shown=shown,
                        split_by=block.split_by,
                        split=split if i == block.members[-1] else None,
                        stakes=self.stakes,
                        size=len(block.members),
                        undecided=undecided,
                    )
                )
            place = next_place
        return rows

    def row_outside(self, i: int, components: Mapping[int, Component]) -> RankedRow:
        """The row of an entrant that is excluded from the placing."""
        return RankedRow(
            self.field.entrants[i], None, False, *components[i], split_by=None, split=None, stakes=self.stakes
        )

    def _undecided(self, block: Block, place: int) -> Undecided | None:
        """What a tie that stayed waits for, where it matters. Nobody asks unless there are lines or extra matches."""
        size = len(block.members)
        if not self._asked or not self.stakes.matters(place, size):
            return None
        return Undecided(block.waits_for, place, place + size - 1)

    def blocks(
        self,
        group: tuple[int, ...],
        place: int,
        position: int,
        equal: tuple[tuple[str, Measure], ...],
        split_by: str | None,
    ) -> list[Block]:
        """The group in order, which takes the places from `place` on, from the chain's item at `position` on."""
        _, *others = group
        while others and position < len(self.chain):
            tiebreak = self.chain[position]
            if self._is_last_means(tiebreak) and not self.stakes.matters(place, len(group)):
                break
            measured = self._measure(tiebreak, group)
            if measured is None and self._is_last_means(tiebreak) and not self._drawn_instead(tiebreak, group):
                return [Block(group, split_by, None, tiebreak.code)]
            if measured is None:
                position += 1
                continue
            fewer_first = isinstance(tiebreak, TieBreak) and tiebreak.fewer_first
            ordered = sorted(group, key=measured.__getitem__, reverse=not fewer_first)
            parts = [(value, tuple(part)) for value, part in groupby(ordered, key=measured.__getitem__)]
            (value, _), *lower = parts
            if lower:
                return self._parts(tiebreak, parts, place, position, equal, split_by)
            equal = (*equal, (tiebreak.code, value))
            position += 1
        return [Block(group, split_by, None)]

    def _parts(
        self,
        tiebreak: TieBreak | AmongTied,
        parts: Sequence[tuple[Measure, tuple[int, ...]]],
        place: int,
        position: int,
        equal: tuple[tuple[str, Measure], ...],
        split_by: str | None,
    ) -> list[Block]:
        """Every part in turn. Parts left by a comparison among the tied start again at the first such comparison."""
        then = self.restart if isinstance(tiebreak, AmongTied) else position + 1
        ended = tiebreak.code if equal else split_by
        blocks: list[Block] = []
        upper: tuple[int, Measure] | None = None
        for value, part in parts:
            inside = self.blocks(part, place, then, (*equal, (tiebreak.code, value)), ended)
            if upper is not None:
                cut = Cut(tiebreak, equal, upper, (part[0], value))
                first = inside[0]
                inside[0] = Block(first.members, first.split_by, cut, first.waits_for)
            blocks.extend(inside)
            upper = (part[-1], value)
            place += len(part)
        return blocks

    def _drawn_instead(self, tiebreak: TieBreak | AmongTied, group: Sequence[int]) -> bool:
        """Whether lots were drawn by hand for all of the group, so that no extra match is waited for."""
        drawn = self.field.drawn
        return isinstance(tiebreak, AmongTied) and bool(drawn) and all(self.field.entrants[i] in drawn for i in group)

    @staticmethod
    def _is_last_means(tiebreak: TieBreak | AmongTied) -> bool:
        return tiebreak.waits if isinstance(tiebreak, AmongTied) else tiebreak.last_resort

    def _measure(self, tiebreak: TieBreak | AmongTied, group: Sequence[int]) -> Mapping[int, Any] | None:
        if isinstance(tiebreak, AmongTied):
            numbers = tiebreak.measure(self.field, group)
            if numbers is None:
                return None
            measured = dict(zip(group, numbers, strict=True))
            first = self.among.setdefault(tiebreak.code, {})
            for i, number in measured.items():
                first.setdefault(i, number)
            return measured
        if tiebreak.last_resort:
            if self.field.seed is None and not self.field.drawn:
                return None
            column = self.columns.get(tiebreak.code)
            if column is None:
                column = self.columns[tiebreak.code] = tiebreak.measure(self.field)
            drawn = {i: column[i] for i in group}
            if 0 in drawn.values():
                return None
            self.among.setdefault(tiebreak.code, {}).update(drawn)
            return drawn
        column = self.columns[tiebreak.code]
        return {i: column[i] for i in group}

    def _components(self) -> Mapping[int, Component]:
        return self.components(range(len(self.field.entrants)))

    def components(self, members: Collection[int]) -> dict[int, Component]:
        """The components of these entrants, in the order of the chain."""
        components: dict[int, Component] = {i: ({}, {}) for i in members}
        for item in self.chain:
            known = self._written[item.code]
            for i, measure in self._measures(item, members):
                pair = known.get(measure)
                if pair is None:
                    value = value_of(item, measure, self.field.unit)
                    pair = known[measure] = (value, text_of(value))
                values, shown = components[i]
                values[item.code], shown[item.code] = pair
        return components

    def _measures(self, item: TieBreak | AmongTied, members: Collection[int]) -> Iterable[tuple[int, Measure]]:
        if isinstance(item, TieBreak) and not item.last_resort:
            column = self.columns[item.code]
            return ((i, column[i]) for i in members)
        among = self.among.get(item.code, {})
        return ((i, among[i]) for i in members if i in among)

    def _split(self, cut: Cut, place: int, next_place: int) -> Split:
        return Split(
            code=cut.tiebreak.code,
            equal=cut.equal,
            upper=cut.upper[1],
            lower=cut.lower[1],
            rank=place,
            next_rank=next_place,
            unit=self.field.unit,
            note=self._note(cut),
            points_are=self.field.points_are,
        )

    def _note(self, cut: Cut) -> Text | None:
        """The words for tie-breaks that say more than two numbers."""
        upper, lower = cut.upper[1], cut.lower[1]
        if cut.tiebreak.code == "head_to_head":
            return self._levels_of_the_match(cut.upper[0], cut.lower[0])
        if cut.tiebreak.code == "lots":
            if self.field.drawn:
                return both(f"lots drawn by hand, draw {upper}", f"当场抽签，第 {upper} 签")
            seed = self.field.seed or ""
            short = seed if len(seed) <= 8 else f"{seed[:4]}…"
            return both(f"lots (seed {short}, draw {upper})", f"抽签（种子 {short}，第 {upper} 签）")
        if isinstance(upper, tuple) and isinstance(lower, tuple):
            i, a, b = next((i, a, b) for i, (a, b) in enumerate(zip(upper, lower, strict=True)) if a != b)
            a_text, b_text = (exact(Fraction(score, self.field.unit)).replace("-", MINUS) for score in (a, b))
            if i == len(self.field.rounds_back):
                en, zh = "points brought along", "带入分"
            elif cut.tiebreak.code == "best_scores":
                en, zh = f"round no. {i + 1} from the best, points", f"单轮第 {i + 1} 高场分"
            else:
                number = self.field.rounds_back[i]
                en, zh = f"round {number} points", f"第 {number} 轮场分"
            return both(f"{en} {a_text} to {b_text}", f"{zh} {a_text} 比 {b_text}")
        return None

    def _levels_of_the_match(self, winner: int, loser: int) -> Text | None:
        """The final levels of the only match between the two, when they show who won it."""
        matches = self.field.between((winner, loser))
        if len(matches) != 1 or not matches[0].home_level or not matches[0].away_level:
            return None
        levels = [matches[0].home_level, matches[0].away_level]
        if matches[0].home != self.field.entrants[winner]:
            levels.reverse()
        if self.field.steps[levels[0]] <= self.field.steps[levels[1]]:
            return None
        named = [final_level(self.field.ladder, level) for level in levels]
        en, zh = (" : ".join(name[language] for name in named) for language in ("en", "zh"))
        return both(f"head to head {en}", f"相互对局 {zh}")
