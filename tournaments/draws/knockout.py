"""Knockouts (淘汰), groups (分组) and what leads from groups to a knockout."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

from scoring.hands.findings import Refused, refusal
from scoring.standings.results import EntrantId
from tournaments.draws.apart import Apart, Wish
from tournaments.draws.matching import Edge, best_matching
from tournaments.draws.pairing import Pairing


def first_slots(entrants: Sequence[EntrantId]) -> tuple[EntrantId | None, ...]:
    """The slots of a bracket from top to bottom, for entrants in seeding order: the first two can meet in the final
    only, the first four in the semi-finals, and so on; where the bracket has room left, None faces the first ones.
    Refused with fewer than two."""
    _refuse_few(entrants)
    order = [0]
    while len(order) < len(entrants):
        last = 2 * len(order) - 1
        order = [slot for upper in order for slot in (upper, last - upper)]
    return tuple(entrants[slot] if slot < len(entrants) else None for slot in order)


def third_place(losers: Sequence[EntrantId]) -> Pairing:
    """The losers of the semi-finals meet for the third place; a lone one (the other is gone) has it by a bye."""
    if not 1 <= len(losers) <= 2:
        en, zh = "The losers of two semi-finals play for the third place.", "第三名由两场半决赛的负者争夺。"
        raise Refused([refusal("not_two_losers", "entrants", en, zh)])
    return Pairing(((losers[0], losers[1]),)) if len(losers) == 2 else Pairing((), (losers[0],))


def by_draw_number(entrants: Sequence[EntrantId], had_bye: Collection[EntrantId] = ()) -> Pairing:
    """Those still in, in the order of their draw numbers: lowest against next lowest. With an odd number the highest
    number that had no bye yet has one; only when all had one, the highest."""
    _refuse_few(entrants)
    byes: tuple[EntrantId, ...] = ()
    playing = list(entrants)
    if len(playing) % 2:
        out = next((one for one in reversed(playing) if one not in had_bye), playing[-1])
        playing.remove(out)
        byes = (out,)
    return Pairing(tuple(zip(playing[::2], playing[1::2], strict=True)), byes)


def groups(
    entrants: Sequence[EntrantId],
    count: int,
    *,
    snake: bool = True,
    units: Mapping[EntrantId, str] | None = None,
    apart: Apart = MappingProxyType({}),
) -> tuple[tuple[EntrantId, ...], ...]:
    """Entrants dealt to `count` groups whose sizes differ by one at most; Refused when a group had fewer than two, and
    when no exchange inside a dealing parts all that must be kept `apart`.

    `snake`: by seeding, there and back; else in the order in which they were drawn, always from the first group. One
    dealing after the other, as few who are kept apart, then of one unit, as can be come into one group, then as near to
    that place as can be.
    """
    if count < 1 or len(entrants) < 2 * count:
        en = f"{count} groups need {2 * max(count, 1)} entrants or more; there are {len(entrants)}."
        zh = f"{count} 组至少要 {2 * max(count, 1)} 个参赛方，现在有 {len(entrants)} 个。"
        raise Refused([refusal("too_few_for_groups", "entrants", en, zh)])
    dealt = Dealing(units or {}, apart)
    found: list[list[EntrantId]] = [[] for _ in range(count)]
    for number, start in enumerate(range(0, len(entrants), count)):
        row = list(entrants[start : start + count])
        back = snake and number % 2 == 1
        order = list(range(count - 1, -1, -1) if back else range(count))
        for one, group in zip(row, dealt.row(row, order, found), strict=True):
            found[group].append(one)
    dealt.part(found)
    return tuple(tuple(group) for group in found)


@dataclass(frozen=True, slots=True)
class Dealing:
    """What groups are dealt by: units that should not meet in one, and who is kept apart."""

    units: Mapping[EntrantId, str]
    apart: Apart

    def alike(self, entrant: EntrantId, group: Sequence[EntrantId]) -> tuple[int, int, int]:
        """How many of a group one must be kept apart from, is rather kept apart from, and has the unit of."""
        unit = self.units.get(entrant)
        wishes = [self.apart.get(frozenset((entrant, one))) for one in group]
        same = sum(unit is not None and self.units.get(one) == unit for one in group)
        return (wishes.count(Wish.MUST), wishes.count(Wish.RATHER), same)

    def row(self, row: Sequence[EntrantId], order: Sequence[int], found: Sequence[Sequence[EntrantId]]) -> list[int]:
        """The group for each of a row: `order` is where the place of each would be. Groups left over stay as they
        are."""

        def costs(place: int, group: int) -> tuple[int, ...]:
            if place >= len(row):
                return (0, 0, 0, 0)
            return (*self.alike(row[place], found[group]), (order.index(group) - place) ** 2)

        size = len(order)
        edges = [Edge(place, size + group, costs(place, group)) for place in range(size) for group in range(size)]
        pairs = best_matching(2 * size, edges) or []
        return [group - size for place, group in pairs if place < len(row)]

    def part(self, found: Sequence[list[EntrantId]]) -> None:
        """Where dealing row by row left some together who must be kept apart, exchange two of a row as long as that
        parts them; the best exchange first, in order."""
        while conflicts := self._together(found):
            exchanges = [
                (len(self._together_after(found, at, one, other)), at, one, other)
                for at in range(max(map(len, found)))
                for one, other in combinations(range(len(found)), 2)
                if {one, other} & set(conflicts) and at < min(len(found[one]), len(found[other]))
            ]
            best = min(exchanges, default=(len(conflicts),))
            if best[0] >= len(conflicts):
                en = "Dealt so, some who must be kept apart come into one group: deal the groups by hand."
                zh = "无法让必须回避的都分在不同的组，请手工分组。"
                raise Refused([refusal("kept_apart_in_group", "entrants", en, zh)])
            _exchange(found, *best[1:])

    def _together(self, found: Iterable[Sequence[EntrantId]]) -> list[int]:
        """The group of each two in one group who must be kept apart."""
        where = {entrant: number for number, group in enumerate(found) for entrant in group}
        must = [tuple(pair) for pair, wish in self.apart.items() if wish is Wish.MUST and pair <= where.keys()]
        return [where[one] for one, other in must if where[one] == where[other]]

    def _together_after(self, found: Sequence[list[EntrantId]], at: int, one: int, other: int) -> list[int]:
        _exchange(found, at, one, other)
        try:
            return self._together(found)
        finally:
            _exchange(found, at, one, other)


def _exchange(found: Sequence[list[EntrantId]], at: int, one: int, other: int) -> None:
    """Row `at` of two groups changes places."""
    found[one][at], found[other][at] = found[other][at], found[one][at]


def crossed(ranked: Sequence[Sequence[EntrantId]]) -> Pairing:
    """The first two of every group cross over: A1–B2, C1–D2, …, then B1–A2, D1–C2, …, as a bracket from top to bottom:
    who was in one group meets again in the final only. Refused unless the groups come in twos with two each."""
    if not ranked or len(ranked) % 2 or any(len(group) < 2 for group in ranked):
        en, zh = "Groups that cross come in twos, each with two who advance.", "交叉淘汰要求组数为双数，每组两个出线。"
        raise Refused([refusal("groups_do_not_cross", "groups", en, zh)])
    couples = list(zip(ranked[::2], ranked[1::2], strict=True))
    upper = [(one[0], other[1]) for one, other in couples]
    lower = [(other[0], one[1]) for one, other in couples]
    return Pairing(tuple(upper + lower))


def _refuse_few(entrants: Sequence[EntrantId]) -> None:
    if len(entrants) < 2:
        en, zh = "A round needs two entrants.", "至少要有两个参赛方。"
        raise Refused([refusal("too_few_entrants", "entrants", en, zh)])
