"""Reading cards of one category into shapes (牌型): a search over counts, bounded, never greedy.

A reading divides all cards into units; no units of it can be put together into one larger unit (AAKKK is AAKK and K,
or AA and KKK, not AA, KK and K). Which reading counts when nobody said is the option `parse`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import compress, count, product
from typing import NamedTuple

from scoring.cards.order import Category, Counts
from scoring.cards.units import SINGLE, Reading, Unit, Want, by_class, class_of, place, singles_of, too_large
from scoring.profiles import Profile

#: The same where every reading of some cards is wanted.
MOST_DIVISIONS = 4_000
#: Readings of one set of cards that are listed at most.
MOST_READINGS = 500


@lru_cache(maxsize=16384)
def readings(category: Category, counts: Counts) -> tuple[Reading, ...]:
    """Every reading of the cards, the one with the largest shapes first. Raises Refused `too_large`.

    Readings that differ only in equally large cards are one.
    """
    found: dict[tuple[tuple[int, int, int], ...], Reading] = {}
    for units in _divide(category, counts):
        marks = tuple(sorted((unit.width, unit.length, unit.start) for unit in units))
        if marks not in found and not _can_be_joined(category, units):
            found[marks] = tuple(sorted(units, key=lambda unit: (*class_of(unit.want), unit.start), reverse=True))
            if len(found) > MOST_READINGS:
                raise too_large(MOST_READINGS)
    return tuple(sorted(found.values(), key=_size_of_shapes, reverse=True))


def _size_of_shapes(units: Reading) -> tuple[object, ...]:
    """The shapes decide, as in `largest_reading`; of the same shapes, the higher cards."""
    return tuple(class_of(unit.want) for unit in units), tuple(unit.start for unit in units)


def largest_reading(category: Category, counts: Counts, *, no_singles: bool = False) -> Reading:
    """The reading whose largest unit is the largest there is, then its second, and so on; needs no list of all.

    `no_singles`: among those with as few singles as possible. A card that is there once is a single in every reading,
    and two or more copies can always stay together, so there need be no others.
    """
    pairs, triples, quads = counts.count(2), counts.count(3), counts.count(4)
    if not pairs + triples + quads:
        nodes, singles = _downwards(category)
        return tuple(compress(singles, map(counts.__getitem__, nodes)))
    return _largest(category, counts, no_singles, (pairs + triples + quads, triples + quads, quads))


@lru_cache(maxsize=65536)
def _largest(category: Category, counts: Counts, no_singles: bool, held: tuple[int, int, int]) -> Reading:
    """That reading of cards of which `held` faces are there twice, three times and four times or more."""
    wants: tuple[Want, ...] = ()
    units: Reading | None = ()
    total = sum(counts)
    for want in _wants_within(category, *held):
        cards = want[0] * want[1]
        while total >= cards:
            more = place(category, counts, (*wants, want), no_singles=no_singles)
            if more is None:
                break
            wants, units, total = (*wants, want), more, total - cards
    if total:
        units = place(category, counts, (*wants, *_SINGLE * total), no_singles=no_singles)
    assert units is not None
    return units


_SINGLE: tuple[Want, ...] = (SINGLE,)


@lru_cache(maxsize=1024)
def _downwards(category: Category) -> tuple[tuple[int, ...], Reading]:
    """The nodes by their rungs from high to low, and the single of each."""
    singles = sorted(singles_of(category), key=lambda unit: unit.start, reverse=True)
    return tuple(node for unit in singles for node in unit.nodes), tuple(singles)


@lru_cache(maxsize=16384)
def _wants_within(category: Category, two: int, three: int, four: int) -> tuple[Want, ...]:
    """Every shape of equal cards in the category, from the highest class to the lowest, where so many faces are held
    twice, three times and four times or more."""
    held = {2: two, 3: three, 4: four}
    runs = [(width, length) for width in range(2, category.widest + 1) for length in range(2, len(category.starts))]
    wants = [want for want in runs if category.starts[want[1]]] + [(width, 1) for width in held]
    return by_class([(width, length) for width, length in wants if length <= held[width]])


def default_reading(profile: Profile, category: Category, counts: Counts) -> Reading:
    """The reading that counts when nobody said which (option `parse`)."""
    return largest_reading(category, counts, no_singles=profile.parse == "no_singles")


class _Open(NamedTuple):
    """A unit that ends on the rung just dealt with and may go on."""

    width: int
    start: int
    nodes: tuple[int, ...]


def _divide(category: Category, counts: Counts) -> Iterator[tuple[Unit, ...]]:
    """Ways to divide the cards, rung by rung, without most of those whose units could be joined."""
    steps = count()

    def closed(one: _Open) -> Unit:
        return Unit(one.width, len(one.nodes), one.nodes, one.start)

    def go(rung: int, ending: tuple[_Open, ...], done: tuple[Unit, ...]) -> Iterator[tuple[Unit, ...]]:
        if next(steps) == MOST_DIVISIONS:
            raise too_large(MOST_DIVISIONS)
        if rung == len(category.nodes):
            if not _doubled(ending):
                yield (*done, *map(closed, ending))
            return
        held = [node for node in category.nodes[rung] if counts[node]]
        for split in product(*(_PARTS[counts[node]] for node in held)):
            parts = [(width, node) for node, widths in zip(held, split, strict=True) for width in widths]
            for going_on, stopped in _continue(category, rung, ending, parts):
                if not _doubled(stopped):
                    yield from go(rung + 1, going_on, (*done, *map(closed, stopped)))

    return go(0, (), ())


#: Units that end on a rung, and those that have stopped below it.
_Ends = tuple[tuple[_Open, ...], tuple[_Open, ...]]

#: How copies of one face can be divided; two singles of one face are always a pair.
_PARTS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((1,),),
    2: ((2,),),
    3: ((3,), (2, 1)),
    4: ((4,), (3, 1), (2, 2)),
}


def _doubled(ended: Iterable[_Open]) -> bool:
    """Whether two units of the same faces lie side by side; they are one wider unit."""
    faces = [one.nodes for one in ended]
    return len(set(faces)) < len(faces)


def _continue(
    category: Category, rung: int, ending: tuple[_Open, ...], parts: list[tuple[int, int]]
) -> Iterator[_Ends]:
    """Each way in which `parts` (width, node) of this rung go on with the units of the rung below.

    Gives the units that now end on this rung and those that have stopped. Which of two equally large faces goes on
    matters where the other copies of one of them could then be joined.
    """
    joins = _always_joins(category)

    def go(i: int, free: tuple[_Open, ...], now: tuple[_Open, ...]) -> Iterator[_Ends]:
        if i == len(parts):
            begun = {one.width for one in now if len(one.nodes) == 1}
            if not (joins and any(_goes_on(category, one, width) for one in free for width in begun)):
                yield now, free
            return
        width, node = parts[i]
        tried = set()
        for j, one in enumerate(free):
            if one.nodes in tried or not _goes_on(category, one, width):
                continue
            tried.add(one.nodes)
            longer = _Open(width, one.start, (*one.nodes, node))
            yield from go(i + 1, free[:j] + free[j + 1 :], (*now, longer))
        yield from go(i + 1, free, (*now, _Open(width, rung, (node,))))

    yield from go(0, ending, ())


def _goes_on(category: Category, one: _Open, width: int) -> bool:
    length = len(one.nodes) + 1
    return width == one.width > 1 and one.start in category.starts[length]


@lru_cache(maxsize=1024)
def _always_joins(category: Category) -> bool:
    """Whether units that meet always make one, so that they need not be tried apart: where no joint is short."""
    starts = dict(enumerate(category.starts))
    two, three = starts.get(2, ()), starts.get(3, ())
    return all(start in three for start in two if start + 1 in two)


def _can_be_joined(category: Category, units: tuple[Unit, ...]) -> bool:
    """Whether several of the units are together one larger unit."""
    masks = [sum(1 << node for node in unit.nodes) for unit in units]
    for nodes, wanted in _runs(category):
        inside = [unit for unit, mask in zip(units, masks, strict=True) if not mask & ~wanted]
        if any(_sums_to(inside, dict.fromkeys(nodes, width)) for width in range(2, 5)):
            return True
    return False


@lru_cache(maxsize=1024)
def _runs(category: Category) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The nodes of every run there can be in the category, single rungs among them, and their bits."""
    return tuple(
        (nodes, sum(1 << node for node in nodes))
        for length, starts in enumerate(category.starts)
        for start in starts
        for nodes in product(*category.nodes[start : start + length])
    )


def _sums_to(units: list[Unit], wanted: dict[int, int]) -> bool:
    """Whether two or more of the units together have exactly the wanted copies of each face."""
    left = dict(wanted)
    free = set(range(len(units)))

    def go() -> bool:
        node = next((node for node, copies in left.items() if copies), None)
        if node is None:
            return len(units) - len(free) > 1
        tried = set()
        for i in sorted(free):
            unit = units[i]
            mark = (unit.width, unit.nodes)
            if node not in unit.nodes or mark in tried or any(left[one] < unit.width for one in unit.nodes):
                continue
            tried.add(mark)
            free.remove(i)
            for one in unit.nodes:
                left[one] -= unit.width
            if go():
                return True
            for one in unit.nodes:
                left[one] += unit.width
            free.add(i)
        return False

    return go()
