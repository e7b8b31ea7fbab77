"""Standings (名次): entrants folded through a chain of tie-breaks into rows that know whether they are shared, and why.

Every row shows its components, never a packed sort key. What stays equal through the whole chain stays tied: such rows
share a rank and stand in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Any

from scoring.findings import Finding, Refused
from scoring.ladder import Ladder
from scoring.match_scores import MINUS, PASSED, STANDARD_LADDER
from scoring.results import EntrantId, Result, entrant_findings, entrant_order, refusal, result_findings
from scoring.scales import both
from scoring.tiebreaks import TIEBREAKS, AmongTied, Field, Measure, MissingData, TieBreak
from scoring.values import Text, exact

#: A component as shown: one exact number, or one per round for `last_round_back` (the last round first).
Value = Fraction | tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Why one place comes before the next: what was equal (code, measure), and the tie-break that was not.

    Measures in points are scaled by `unit`. `note` says it in other words where two numbers do not.
    """

    code: str
    equal: tuple[tuple[str, Measure], ...]
    upper: Measure
    lower: Measure
    rank: int
    next_rank: int
    unit: int
    note: Text | None = None

    def text(self) -> Text:
        note = self.note or self._comparison()
        if self.code == "lots":
            equal_en, equal_zh = "everything", "各项全同"
        else:
            equal_en, equal_zh = _equal(self.equal, self.unit)
        return both(
            f"{self.rank} before {self.next_rank}: equal on {equal_en}; {note['en']}",
            f"第 {self.rank} 先于第 {self.next_rank}：{equal_zh}；{note['zh']}",
        )

    def _comparison(self) -> Text:
        title = TIEBREAKS[self.code].title
        upper, lower = _written(self.code, self.upper, self.unit), _written(self.code, self.lower, self.unit)
        return both(f"{title['en']} {upper} to {lower}", f"{title['zh']} {upper} 比 {lower}")


@dataclass(frozen=True, slots=True)
class Row:
    """One place in the table.

    `values` has every component of the chain; those that compare only the tied appear where they were used. `shown` are
    the same as exact texts.
    `split_by` is the tie-break that ended the last tie this entrant was in, None when it never was in one that ended.
    """

    entrant: EntrantId
    rank: int
    shared: bool
    values: Mapping[str, Value]
    shown: Mapping[str, str]
    split_by: str | None
    split: Split | None

    @property
    def why(self) -> Text | None:
        """The sentence why this place comes before the next one, when they were tied on something."""
        return self.split.text() if self.split else None

    def to_json(self) -> dict[str, Any]:
        why = self.why
        return {
            "entrant": self.entrant,
            "rank": self.rank,
            "shared": self.shared,
            "values": dict(self.shown),
            "split_by": self.split_by,
            "why": dict(why) if why else None,
        }


def rank(
    chain: Sequence[str],
    entrants: Sequence[EntrantId],
    results: Sequence[Result | Mapping[str, Any]],
    *,
    seed: str | None = None,
    penalties: Mapping[EntrantId, int] | None = None,
    board_points: Mapping[EntrantId, int] | None = None,
    ladder: Ladder = STANDARD_LADDER,
) -> tuple[Row, ...]:
    """The table of these entrants after these results, best first.

    `chain` names the tie-breaks in order. Results may be given as the protocol's objects. `lots` is drawn only when
    there is a `seed`; without one, what it would split stays tied. Refused when the chain needs data that is missing,
    names an unknown tie-break, or results do not fit the entrants.
    """
    read = [item if isinstance(item, Result) else Result.from_json(item) for item in results]
    field = Field(entrants, read, ladder=ladder, penalties=penalties, board_points=board_points, seed=seed)
    return rank_field(chain, field)


def rank_field(chain: Sequence[str], field: Field) -> tuple[Row, ...]:
    """The table of a field of entrants with their results, by the tie-breaks of the chain in order; as `rank`."""
    unknown = [finding for i, code in enumerate(chain) for finding in _code_findings(code, i)]
    if unknown:
        raise Refused(unknown)
    try:
        return _Table(field, [TIEBREAKS[code] for code in chain]).rows()
    except MissingData as error:
        title = TIEBREAKS[error.code].title
        text = f"The tie-break {title['en']} needs data that nobody gave."
        raise Refused([refusal("data_missing", error.code, text, f"{title['zh']}缺少数据。")]) from None
    except KeyError as error:
        name = error.args[0]
        text, zh = f"A result names {name}, which is no entrant or level here.", f"成绩中的 {name} 不是参赛方或级别。"
        raise Refused([refusal("unknown_entrant", "results", text, zh)]) from None


def answer_standings(question: Mapping[str, Any], ladder: Ladder = STANDARD_LADDER) -> dict[str, Any]:
    """The protocol's `standings`: `rows` in order; Refused with all findings on bad input."""
    findings, entrants = question_findings(question), question.get("entrants")
    if isinstance(entrants, list) and not entrant_findings(entrants):
        findings += result_findings(question.get("results"), entrants, ladder)
    if findings:
        raise Refused(findings)
    rows = rank(
        question["chain"],
        question["entrants"],
        question["results"],
        seed=question.get("seed"),
        penalties=question.get("penalties"),
        board_points=question.get("board_points"),
        ladder=ladder,
    )
    return chain_answer(question["chain"], rows)


def chain_answer(chain: Sequence[str], rows: Iterable[Row]) -> dict[str, Any]:
    """The rows as the protocol has them, and the tie-breaks they rest on."""
    return {
        "rows": [row.to_json() for row in rows],
        "because": [{"clause": f"tiebreak.{code}", "text": dict(TIEBREAKS[code].title)} for code in chain],
    }


@dataclass(frozen=True, slots=True)
class _Block:
    """Entrants that stay tied through the whole chain, with what set them apart from the block before."""

    members: tuple[int, ...]
    split_by: str | None
    cut: _Cut | None


@dataclass(frozen=True, slots=True)
class _Cut:
    """Where a tie ended: before a block. `upper` and `lower` are the measures on both sides of it."""

    tiebreak: TieBreak | AmongTied
    equal: tuple[tuple[str, Measure], ...]
    upper: tuple[int, Measure]
    lower: tuple[int, Measure]


class _Table:
    """One ranking in the making: the field, the chain, and the measures taken so far."""

    def __init__(self, field: Field, chain: Sequence[TieBreak | AmongTied]) -> None:
        self.field = field
        self.chain = chain
        self.restart = next((i for i, item in enumerate(chain) if isinstance(item, AmongTied)), len(chain))
        self.columns: dict[str, Sequence[Measure]] = {
            item.code: item.measure(field) for item in chain if isinstance(item, TieBreak) and not item.last_resort
        }
        self.among: dict[str, dict[int, Measure]] = {}

    def rows(self) -> tuple[Row, ...]:
        everyone = sorted(range(len(self.field.entrants)), key=lambda i: entrant_order(self.field.entrants[i]))
        blocks = self._blocks(tuple(everyone), 0, (), None) if everyone else []
        components, rows = self._components(), list[Row]()
        place = 1
        for block, following in zip(blocks, [*blocks[1:], None], strict=True):
            next_place = place + len(block.members)
            cut = following.cut if following else None
            split = self._split(cut, place, next_place) if cut and cut.equal else None
            for i in block.members:
                values, shown = components[i]
                rows.append(
                    Row(
                        entrant=self.field.entrants[i],
                        rank=place,
                        shared=len(block.members) > 1,
                        values=values,
                        shown=shown,
                        split_by=block.split_by,
                        split=split if i == block.members[-1] else None,
                    )
                )
            place = next_place
        return tuple(rows)

    def _blocks(
        self, group: tuple[int, ...], position: int, equal: tuple[tuple[str, Measure], ...], split_by: str | None
    ) -> list[_Block]:
        """The group in order, from the chain's item at `position` on."""
        while len(group) > 1 and position < len(self.chain):
            tiebreak = self.chain[position]
            measured = self._measure(tiebreak, group)
            if measured is None:
                position += 1
                continue
            fewer_first = isinstance(tiebreak, TieBreak) and tiebreak.fewer_first
            ordered = sorted(group, key=measured.__getitem__, reverse=not fewer_first)
            parts = [tuple(part) for _, part in groupby(ordered, key=measured.__getitem__)]
            if len(parts) > 1:
                return self._parts(tiebreak, parts, measured, position, equal, split_by)
            equal = (*equal, (tiebreak.code, measured[group[0]]))
            position += 1
        return [_Block(group, split_by, None)]

    def _parts(
        self,
        tiebreak: TieBreak | AmongTied,
        parts: Sequence[tuple[int, ...]],
        measured: Mapping[int, Measure],
        position: int,
        equal: tuple[tuple[str, Measure], ...],
        split_by: str | None,
    ) -> list[_Block]:
        """Every part in turn. Parts left by a comparison among the tied start again at the first such comparison."""
        then = self.restart if isinstance(tiebreak, AmongTied) else position + 1
        ended = tiebreak.code if equal else split_by
        blocks: list[_Block] = []
        before: tuple[int, ...] | None = None
        for part in parts:
            value = measured[part[0]]
            inside = self._blocks(part, then, (*equal, (tiebreak.code, value)), ended)
            if before is not None:
                cut = _Cut(tiebreak, equal, (before[-1], measured[before[0]]), (part[0], value))
                inside[0] = _Block(inside[0].members, inside[0].split_by, cut)
            blocks.extend(inside)
            before = part
        return blocks

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
            if self.field.seed is None:
                return None
            column = self.columns.get(tiebreak.code)
            if column is None:
                column = self.columns[tiebreak.code] = tiebreak.measure(self.field)
            drawn = {i: column[i] for i in group}
            self.among.setdefault(tiebreak.code, {}).update(drawn)
            return drawn
        column = self.columns[tiebreak.code]
        return {i: column[i] for i in group}

    def _components(self) -> list[tuple[dict[str, Value], dict[str, str]]]:
        """The components of every entrant as values and as texts, in the order of the chain."""
        unit = self.field.unit
        components: list[tuple[dict[str, Value], dict[str, str]]] = [({}, {}) for _ in self.field.entrants]
        for item in self.chain:
            known: dict[Measure, tuple[Value, str]] = {}
            for i, measure in self._measures(item):
                pair = known.get(measure)
                if pair is None:
                    value = _value(item, measure, unit)
                    pair = known[measure] = (value, _shown(value))
                values, shown = components[i]
                values[item.code], shown[item.code] = pair
        return components

    def _measures(self, item: TieBreak | AmongTied) -> Iterable[tuple[int, Measure]]:
        if isinstance(item, TieBreak) and not item.last_resort:
            return enumerate(self.columns[item.code])
        return self.among.get(item.code, {}).items()

    def _split(self, cut: _Cut, place: int, next_place: int) -> Split:
        return Split(
            code=cut.tiebreak.code,
            equal=cut.equal,
            upper=cut.upper[1],
            lower=cut.lower[1],
            rank=place,
            next_rank=next_place,
            unit=self.field.unit,
            note=self._note(cut),
        )

    def _note(self, cut: _Cut) -> Text | None:
        """The words for tie-breaks that say more than two numbers."""
        upper, lower = cut.upper[1], cut.lower[1]
        if cut.tiebreak.code == "head_to_head":
            return self._levels_of_the_match(cut.upper[0], cut.lower[0])
        if cut.tiebreak.code == "lots":
            seed = self.field.seed or ""
            short = seed if len(seed) <= 8 else f"{seed[:4]}…"
            return both(f"lots (seed {short}, draw {upper})", f"抽签（种子 {short}，第 {upper} 签）")
        if isinstance(upper, tuple) and isinstance(lower, tuple):
            pairs = zip(self.field.rounds_back, upper, lower, strict=True)
            number, a, b = next((number, a, b) for number, a, b in pairs if a != b)
            a_text, b_text = (exact(Fraction(score, self.field.unit)).replace("-", MINUS) for score in (a, b))
            return both(f"round {number} points {a_text} to {b_text}", f"第 {number} 轮场分 {a_text} 比 {b_text}")
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
        en = " : ".join("past A" if level == PASSED else level for level in levels)
        zh = " : ".join("打过 A" if level == PASSED else level for level in levels)
        return both(f"head to head {en}", f"相互对局 {zh}")


def _value(item: TieBreak | AmongTied, measure: Measure, unit: int) -> Value:
    scale = unit if item.in_points else 1
    if isinstance(measure, tuple):
        return tuple(Fraction(number, scale) for number in measure)
    return Fraction(measure, scale)


def _shown(value: Value) -> str:
    return " ".join(exact(part) for part in value) if isinstance(value, tuple) else exact(value)


@lru_cache(maxsize=16_384)
def _written(code: str, measure: Measure, unit: int) -> str:
    """A measure as sentences write it; in a big table the same few are written again and again."""
    return _shown(_value(TIEBREAKS[code], measure, unit)).replace("-", MINUS)


@lru_cache(maxsize=16_384)
def _equal(equal: tuple[tuple[str, Measure], ...], unit: int) -> tuple[str, str]:
    """What was equal, in English and in Chinese."""
    named = [(TIEBREAKS[code].title, _written(code, measure, unit)) for code, measure in equal]
    en = ", ".join(f"{title['en']} ({value})" for title, value in named)
    zh = "、".join(f"{title['zh']}同（{value}）" for title, value in named)
    return en, zh


def _code_findings(code: object, i: int) -> list[Finding]:
    if isinstance(code, str) and code in TIEBREAKS:
        return []
    return [refusal("unknown_tiebreak", f"chain.{i}", "There is no such tie-break.", "没有这个小分项。")]


def question_findings(question: Mapping[str, Any]) -> list[Finding]:
    """What is wrong with chain, entrants, seed and the numbers by entrant; the results are looked at apart."""
    chain, entrants, seed = question.get("chain"), question.get("entrants"), question.get("seed")
    found: list[Finding] = []
    if not isinstance(chain, list) or not chain:
        found.append(refusal("missing", "chain", "The chain of tie-breaks is missing.", "缺少小分次序。"))
    else:
        found += [finding for i, code in enumerate(chain) for finding in _code_findings(code, i)]
        if not found and len(set(chain)) < len(chain):
            found.append(refusal("tiebreak_twice", "chain", "A tie-break is there twice.", "同一小分项出现了两次。"))
    found += entrant_findings(entrants)
    if seed is not None and not (isinstance(seed, str) and 0 < len(seed) <= 200):
        found.append(refusal("wrong_type", "seed", "A seed is a text.", "种子应是文字。"))
    for name in ("penalties", "board_points"):
        given = question.get(name)
        if given is not None and not (
            isinstance(given, Mapping) and all(type(number) is int for number in given.values())
        ):
            text = f"{name} must give a whole number by entrant."
            found.append(refusal("wrong_type", name, text, f"{name} 应按参赛方给出整数。"))
    return found
