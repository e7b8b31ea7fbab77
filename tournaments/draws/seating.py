"""Seating (座次): players of an individual game put to tables round after round, so that they meet as evenly as can be.

Entrants are given in seeding order, which alone decides between equals: other names, and earlier tables told in another
order, change nothing. Where the number does not divide, some sit out, as evenly as can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from types import MappingProxyType

from scoring.hands.findings import Finding, Refused, refusal
from scoring.standings.results import EntrantId
from tournaments.draws.apart import Apart, Wish
from tournaments.draws.checker import apart_finding

#: From so many players on the search starts from one arrangement only: it stays within a second.
_MANY = 60
#: How much oftener than the rarest pair two players may have met before the organiser is told.
_MUCH_OFTENER = 2


@dataclass(frozen=True, slots=True)
class Seating:
    """One round: the tables, each with its players in the order of their places, and who sits out (轮空)."""

    tables: tuple[tuple[EntrantId, ...], ...]
    sits_out: tuple[EntrantId, ...] = ()

    def __iter__(self) -> Iterator[EntrantId]:
        """Every entrant named, as often as it is named."""
        for table in self.tables:
            yield from table
        yield from self.sits_out


def next_seating(
    entrants: Sequence[EntrantId], earlier: Sequence[Seating], size: int, apart: Apart = MappingProxyType({})
) -> Seating:
    """The round that follows the earlier ones, with tables of `size`; Refused with fewer players than one table needs.

    The first round deals the players to the tables in a snake by seeding. Later ones repeat as few meetings as the
    search finds, and rather many pairs once more than one pair often. With one full table everybody just plays on.
    Who is kept `apart` does not sit at one table before anything else; refused where the search finds no way to part
    all that must be (`no_pairing_possible`).
    """
    if len(entrants) < size:
        en = f"A table needs {size} players; there are {len(entrants)}."
        raise Refused([refusal("too_few_players", "entrants", en, f"一桌要 {size} 人，现在只有 {len(entrants)} 人。")])
    out = _who_sits_out(entrants, earlier, len(entrants) % size)
    playing = [entrant for entrant in entrants if entrant not in out]
    index = {entrant: i for i, entrant in enumerate(playing)}
    met = _meetings(earlier)
    weights = _weighed(index, met, apart)
    groups = min(
        (_improved(start, weights) for start in _starts(len(playing), size, bool(earlier or apart))),
        key=lambda found: _cost(found, weights),
    )
    _refuse_together([[playing[i] for i in group] for group in groups], apart)
    tables = sorted(sorted(group) for group in groups)
    sat = Counter((entrant, place) for one in earlier for table in one.tables for place, entrant in enumerate(table))
    return Seating(tuple(_placed([playing[i] for i in table], sat) for table in tables), out)


def _who_sits_out(entrants: Sequence[EntrantId], earlier: Sequence[Seating], count: int) -> tuple[EntrantId, ...]:
    """Those who sat out least often; among them the last in seeding order."""
    times = Counter(entrant for one in earlier for entrant in one.sits_out)
    order = sorted(range(len(entrants)), key=lambda i: (times[entrants[i]], -i))
    return tuple(entrants[i] for i in sorted(order[:count]))


def _meetings(earlier: Sequence[Seating]) -> Counter[frozenset[EntrantId]]:
    """How often every two players sat at one table."""
    return Counter(frozenset(pair) for one in earlier for table in one.tables for pair in combinations(table, 2))


def _weighed(
    index: Mapping[EntrantId, int], met: Mapping[frozenset[EntrantId], int], apart: Apart
) -> dict[tuple[int, int], int]:
    """What it costs that two sit at one table: the square of how often they did; of two who are rather kept apart more
    than that of all others together, of two who must be more than that of all these."""
    found = {pair: times**2 for pair, times in met.items()}
    rather = 1 + sum(found.values())
    must = rather * (1 + len(apart)) + rather
    found |= {pair: found.get(pair, 0) + (must if wish is Wish.MUST else rather) for pair, wish in apart.items()}
    places = {pair: sorted(index[one] for one in pair if one in index) for pair in found}
    return {(places[pair][0], places[pair][1]): cost for pair, cost in found.items() if len(places[pair]) == 2}


def _refuse_together(tables: Iterable[Sequence[EntrantId]], apart: Apart) -> None:
    for table in tables:
        if any(apart.get(frozenset(pair)) is Wish.MUST for pair in combinations(table, 2)):
            en = "No seating was found that keeps all apart who must be."
            raise Refused([refusal("no_pairing_possible", "apart", en, "找不到让必须回避的都不同桌的座次。")])


def _starts(players: int, size: int, later: bool) -> Iterator[list[list[int]]]:
    """Arrangements to improve on: the snake, then columns shifted against one another."""
    tables = players // size
    snake: list[list[int]] = [[] for _ in range(tables)]
    for i in range(players):
        row, column = divmod(i, tables)
        snake[column if row % 2 == 0 else tables - 1 - column].append(i)
    yield snake
    if not later or players >= _MANY:
        return
    for shift in range(1, tables):
        yield [[row * tables + (column + row * shift) % tables for row in range(size)] for column in range(tables)]


def _improved(groups: list[list[int]], weights: Mapping[tuple[int, int], int]) -> list[list[int]]:
    """The arrangement after all exchanges of two players that lower its cost, best table pairs first in order."""
    groups = [list(group) for group in groups]

    def weight(a: int, b: int) -> int:
        return weights.get((a, b) if a < b else (b, a), 0)

    def cost_in(player: int, group: Sequence[int], without: int) -> int:
        return sum(weight(player, other) for other in group if other not in (player, without))

    better = bool(weights)
    while better:
        better = False
        for first, second in combinations(groups, 2):
            for i in range(len(first)):
                for j in range(len(second)):
                    a, b = first[i], second[j]
                    now = cost_in(a, first, a) + cost_in(b, second, b)
                    if now and cost_in(a, second, b) + cost_in(b, first, a) < now:
                        first[i], second[j] = b, a
                        better = True
    return groups


def _cost(groups: Sequence[Sequence[int]], weights: Mapping[tuple[int, int], int]) -> int:
    return sum(weights.get(pair, 0) for group in groups for pair in combinations(sorted(group), 2))


def _placed(table: Sequence[EntrantId], sat: Counter[tuple[EntrantId, int]]) -> tuple[EntrantId, ...]:
    """The players of a table in an order of places in which each sat least often before."""
    return min(
        permutations(table), key=lambda order: sum(sat[entrant, place] ** 2 for place, entrant in enumerate(order))
    )


def check_seating(
    seating: Seating,
    *,
    entrants: Sequence[EntrantId],
    size: int,
    earlier: Sequence[Seating] = (),
    units: Mapping[EntrantId, str] | None = None,
    apart: Apart = MappingProxyType({}),
) -> tuple[Finding, ...]:
    """What is wrong with a seating, whoever made it. Faults first: a table of another size, a player unknown, twice or
    forgotten. Then what may be accepted: players who met far oftener than others, who sit out again before others did,
    whole tables of one unit, two at one table who are kept apart."""
    return (
        *_faults(seating, entrants, size),
        *_met_far_oftener(seating, entrants, earlier),
        *_out_again(seating, entrants, earlier),
        *_of_one_unit(seating, units or {}),
        *_kept_apart(seating, apart),
    )


def _faults(seating: Seating, entrants: Sequence[EntrantId], size: int) -> list[Finding]:
    named, known = Counter(seating), set(entrants)
    found = []
    for number, table in enumerate(seating.tables, start=1):
        if len(table) != size:
            en = f"Table {number} has {len(table)} players; {size} play."
            zh = f"第 {number} 桌有 {len(table)} 人，应为 {size} 人。"
            found.append(refusal("wrong_table_size", "tables", en, zh, table=number, players=len(table), size=size))
    for entrant, times in named.items():
        if entrant not in known:
            en = f"{entrant} is not in this event."
            found.append(refusal("unknown_entrant", "tables", en, f"{entrant} 不在本赛事中。", entrant=entrant))
        elif times > 1:
            en, zh = f"{entrant} is in this round {times} times.", f"{entrant} 在本轮出现了 {times} 次。"
            found.append(refusal("twice_in_a_round", "tables", en, zh, entrant=entrant))
    for entrant in entrants:
        if entrant not in named:
            en = f"{entrant} neither plays nor sits out."
            found.append(refusal("not_paired", "tables", en, f"{entrant} 既没有座位，也未轮空。", entrant=entrant))
    return found


def _met_far_oftener(seating: Seating, entrants: Sequence[EntrantId], earlier: Sequence[Seating]) -> list[Finding]:
    met = _meetings(earlier)
    if not met:
        return []
    least = min((met[frozenset(pair)] for pair in combinations(entrants, 2)), default=0)
    found = []
    for table in seating.tables:
        for a, b in combinations(table, 2):
            times = met[frozenset((a, b))]
            if times >= least + _MUCH_OFTENER:
                en = f"{a} and {b} already met {times} times; others {least}."
                zh = f"{a} 与 {b} 已同桌 {times} 次，别人最少只有 {least} 次。"
                found.append(_to_accept(refusal("meet_often", "tables", en, zh, one=a, other=b, times=times)))
    return found


def _out_again(seating: Seating, entrants: Sequence[EntrantId], earlier: Sequence[Seating]) -> list[Finding]:
    times = Counter(entrant for one in earlier for entrant in one.sits_out)
    least = min((times[entrant] for entrant in entrants if entrant not in seating.sits_out), default=0)
    return [
        _to_accept(
            refusal(
                "second_bye",
                "sits_out",
                f"{entrant} already sat out {times[entrant]} times; others {least}.",
                f"{entrant} 已轮空 {times[entrant]} 次，别人最少只有 {least} 次。",
                entrant=entrant,
            )
        )
        for entrant in seating.sits_out
        if times[entrant] > least
    ]


def _of_one_unit(seating: Seating, units: Mapping[EntrantId, str]) -> list[Finding]:
    found = []
    for number, table in enumerate(seating.tables, start=1):
        here = {units.get(entrant, "") for entrant in table}
        if len(here) == 1 and "" not in here:
            en, zh = f"All of table {number} are of one unit.", f"第 {number} 桌都是同一单位。"
            found.append(_to_accept(refusal("same_unit", "tables", en, zh, table=number)))
    return found


def _kept_apart(seating: Seating, apart: Apart) -> list[Finding]:
    found = []
    for table in seating.tables:
        for one, other in combinations(table, 2):
            wish = apart.get(frozenset((one, other)))
            if wish is not None:
                found.append(apart_finding(one, other, wish, "tables"))
    return found


def _to_accept(finding: Finding) -> Finding:
    return replace(finding, blocking=False)
