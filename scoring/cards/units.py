"""Units: cards that make one shape (牌型), and whether shapes find room side by side within cards, and where.

A search over counts, bounded, never greedy: what needs no search, equal cards wherever they stand, is counted first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count, product
from typing import NamedTuple

from scoring.cards.order import Category, Counts
from scoring.hands.findings import Refused, finding
from scoring.values import Card, Shape

#: Width and length of a shape, as the search wants it: (2, 1) is a pair.
Want = tuple[int, int]
SINGLE: Want = (1, 1)

#: Search states after which cards are refused as too many to judge.
MOST_STATES = 20_000


class Unit(NamedTuple):
    """Cards that make one shape: `width` of each of `nodes`, which stand on rungs that follow each other."""

    width: int
    length: int
    nodes: tuple[int, ...]
    start: int

    @property
    def want(self) -> Want:
        return (self.width, self.length)

    @property
    def shape(self) -> Shape:
        return _shape(self.width, self.length)

    @property
    def top(self) -> int:
        """The rung of its largest card."""
        return self.start + self.length - 1


_shape = lru_cache(maxsize=256)(Shape)

Reading = tuple[Unit, ...]


def class_of(want: Want) -> tuple[int, int]:
    """The class of a shape: more cards are a higher class; of as many cards, the wider one."""
    return (want[0] * want[1], want[0])


def by_class(wants: Iterable[Want]) -> tuple[Want, ...]:
    """Wants from the highest class to the lowest."""
    return tuple(sorted(wants, key=class_of, reverse=True))


def place(
    category: Category,
    counts: Counts,
    wants: tuple[Want, ...],
    floors: tuple[int, ...] = (),
    *,
    whole: bool = False,
    no_singles: bool = False,
) -> Reading | None:
    """Units of the shapes `wants` side by side within `counts` of the category, or None where they do not fit.

    `wants` go from the highest class to the lowest. The first unit is the largest possible, then the second, and so
    on. A floor is a rung that the unit must begin above. `whole`: units are made of all copies of a card, so that a
    triple holds no pair. `no_singles`: what is left over leaves no single of a card that is there twice or more.
    Raises Refused `too_large`.
    """
    if len(wants) == 1 and not no_singles:
        ((width, length),), floor = wants, max(floors, default=-1)
        if length == 1:
            return _largest_set(category, counts, width, floor, whole=whole)
        return next(_units(category, counts, (width, length), floor, len(counts), whole=whole), None)
    return _placed(category, counts, wants, floors, whole, no_singles)


def _largest_set(category: Category, counts: Counts, width: int, floor: int, *, whole: bool) -> Reading | None:
    """The `width` equal cards on the highest rung above the floor; of several faces there, of the fewest copies."""
    held = counts.translate((_JUST if whole else _AT_LEAST)[width])
    highest = held.rfind(1)
    if highest < 0 or category.rung_of[highest] <= floor:
        return None
    rung = category.rung_of[highest]
    node = min((node for node in category.nodes[rung] if held[node]), key=counts.__getitem__)
    return (Unit(width, 1, (node,), rung),)


#: Tables that turn counts into a one for each face with so many copies, or with so many or more, and noughts.
_JUST = tuple(bytes(copies == width for copies in range(256)) for width in range(5))
_AT_LEAST = tuple(bytes(copies >= width for copies in range(256)) for width in range(5))


@lru_cache(maxsize=65536)
def _placed(
    category: Category,
    counts: Counts,
    wants: tuple[Want, ...],
    floors: tuple[int, ...],
    whole: bool,
    no_singles: bool,
) -> Reading | None:
    """The search of `place`, remembered.

    Whether equal cards and singles still fit is counted, not tried (`_room`), before every step. So no step is taken
    back for them, and the search is one over the runs alone, each of which begins on one of so many rungs; what was
    left after some of them is never searched twice. Refused `too_large` all the same where that is not enough.
    """
    needs = _needs(wants)
    if not _room(counts, needs[0], whole=whole):
        return None
    left, chosen, dead, steps = bytearray(counts), list[Unit](), set[object](), count()

    def go(i: int, last: int) -> bool:
        if i == len(wants):
            return not no_singles or all(times != 1 or counts[node] == 1 for node, times in enumerate(left))
        state = (i, last, bytes(left))
        if state in dead:
            return False
        if next(steps) == MOST_STATES:
            raise too_large()
        highest = last if i and wants[i - 1] == wants[i] else len(category.nodes)
        for (unit,) in _units(category, left, wants[i], floors[i] if floors else -1, highest, whole=whole):
            for node in unit.nodes:
                left[node] -= unit.width
            if _room(left, needs[i + 1], whole=whole):
                chosen.append(unit)
                if go(i + 1, unit.start):
                    return True
                chosen.pop()
            for node in unit.nodes:
                left[node] += unit.width
        dead.add(state)
        return False

    return tuple(chosen) if go(0, len(category.nodes)) else None


def _units(
    category: Category, left: Sequence[int], want: Want, floor: int, highest: int, *, whole: bool
) -> Iterator[tuple[Unit]]:
    """Every unit of one shape, each a reading of its own, from the highest start down to above the floor."""
    width, length = want
    for start in reversed(category.starts[length] if length < len(category.starts) else ()):
        if start > highest:
            continue
        if start <= floor:
            return
        for nodes in _node_choices(category.nodes[start : start + length], left, width, whole=whole):
            yield (Unit(width, length, nodes, start),)


def fits(category: Category, counts: Counts, wants: tuple[Want, ...], *, whole: bool = False) -> bool:
    """Whether `place` would find a place for all `wants`; where there are no runs among them it is only counted."""
    if any(length > 1 for _, length in wants):
        return place(category, counts, wants, whole=whole) is not None
    return _room(counts, _needs(wants)[0], whole=whole)


#: How many pairs, triples and quads some shapes take, a run as many as it has rungs.
_Need = tuple[int, int, int]


@lru_cache(maxsize=4096)
def _needs(wants: tuple[Want, ...]) -> tuple[_Need, ...]:
    """What is needed for all of the wants, for those after the first, and so on down to none."""
    needs: list[_Need] = [(0, 0, 0)]
    for width, length in reversed(wants):
        two, three, four = needs[-1]
        more = {width: length}
        needs.append((two + more.get(2, 0), three + more.get(3, 0), four + more.get(4, 0)))
    return tuple(reversed(needs))


def _room(counts: bytes | bytearray, need: _Need, *, whole: bool) -> bool:
    """Whether there are enough equal cards, wherever they stand: for shapes without runs that is all they need, beside
    singles, which are never more than there are cards.

    Quads are made of quads; triples of triples first, then of quads, of which a single is left; pairs of whatever is
    left. `whole`: each of cards that are there just so often.
    """
    two, three, four = need
    pairs, triples, quads = counts.count(2), counts.count(3), counts.count(4)
    if whole:
        return two <= pairs and three <= triples and four <= quads
    quads -= four
    triples -= three
    quads += min(triples, 0)
    return quads >= 0 and two <= pairs + max(triples, 0) + 2 * quads


def _node_choices(
    rungs: Sequence[tuple[int, ...]], left: Sequence[int], width: int, *, whole: bool
) -> Iterable[tuple[int, ...]]:
    """One node on each rung with enough copies; faces of a rung with as many copies left are as good as each other."""
    each: list[Iterable[int]] = []
    for nodes in rungs:
        usable: dict[int, int] = {}
        for node in nodes:
            copies = left[node]
            if copies == width or (copies > width and not whole):
                usable.setdefault(copies, node)
        if not usable:
            return ()
        each.append([usable[copies] for copies in sorted(usable)])
    return product(*each)


def too_large(states: int = MOST_STATES) -> Refused:
    return Refused([finding("too_large", "cards", states=states)])


@lru_cache(maxsize=1024)
def singles_of(category: Category) -> Reading:
    """Each node as a single."""
    return tuple(Unit(1, 1, (node,), rung) for node, rung in enumerate(category.rung_of))


def unit_cards(category: Category, unit: Unit) -> tuple[Card, ...]:
    return tuple([category.faces[node] for node in unit.nodes for _ in range(unit.width)])
