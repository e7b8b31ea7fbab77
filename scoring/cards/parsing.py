"""Reading cards of one category into shapes (牌型): a search over counts, bounded, never greedy.

A reading divides all cards into units; no units of it can be put together into one larger unit (AAKKK is AAKK and K,
or AA and KKK, not AA, KK and K). Which reading counts when nobody said is the option `parse`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, product
from typing import NamedTuple

from scoring import wording
from scoring.cards.order import Category, Counts, Order
from scoring.frozen import quickly_made
from scoring.hands.findings import Finding, Refused, finding
from scoring.profiles import Profile, Reason
from scoring.values import Card, Shape

#: Width and length of a shape, as the search wants it: (2, 1) is a pair.
Want = tuple[int, int]

#: Search states after which cards are refused as too many to judge.
MOST_STATES = 20_000
#: The same where every reading of some cards is wanted.
MOST_DIVISIONS = 4_000
#: Readings of one set of cards that are listed at most.
MOST_READINGS = 500

#: 5, 10 and K of one suit (炒地皮): a shape of its own, never part of a throw.
FIVE_TEN_KING: Want = (1, 3)
_RANKS_510K = ("5", "10", "K")


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
    left, chosen, dead, steps = bytearray(counts), list[Unit](), set[object](), 0

    def go(i: int, last: int) -> bool:
        nonlocal steps
        if i == len(wants):
            return not no_singles or all(times != 1 or counts[node] == 1 for node, times in enumerate(left))
        state = (i, last, bytes(left))
        if state in dead:
            return False
        steps += 1
        if steps > MOST_STATES:
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


_SINGLE: tuple[Want, ...] = ((1, 1),)


@lru_cache(maxsize=1024)
def _downwards(category: Category) -> tuple[tuple[int, ...], Reading]:
    """The nodes by their rungs from high to low, and the single of each."""
    singles = sorted(singles_of(category), key=lambda unit: unit.start, reverse=True)
    return tuple(unit.nodes[0] for unit in singles), tuple(singles)


@lru_cache(maxsize=1024)
def singles_of(category: Category) -> Reading:
    """Each node as a single."""
    return tuple(Unit(1, 1, (node,), rung) for node, rung in enumerate(category.rung_of))


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
    steps = 0

    def closed(one: _Open) -> Unit:
        return Unit(one.width, len(one.nodes), one.nodes, one.start)

    def go(rung: int, ending: tuple[_Open, ...], done: tuple[Unit, ...]) -> Iterator[tuple[Unit, ...]]:
        nonlocal steps
        steps += 1
        if steps > MOST_DIVISIONS:
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
    return width == one.width > 1 and length < len(category.starts) and one.start in category.starts[length]


@lru_cache(maxsize=1024)
def _always_joins(category: Category) -> bool:
    """Whether units that meet always make one, so that they need not be tried apart: where no joint is short."""
    if len(category.starts) <= 3:
        return True
    two = set(category.starts[2])
    return all(start in category.starts[3] for start in two if start + 1 in two)


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
        for length in range(1, len(category.starts))
        for start in category.starts[length]
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


@quickly_made
@dataclass(frozen=True, slots=True)
class Lead:
    """What was led: cards of one category in the reading that counts, highest class first.

    `wants` are the shapes of its units, `size` is how many cards it has.
    """

    order: Order
    category: Category
    counts: Counts
    units: Reading
    wants: tuple[Want, ...]
    size: int

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.order.cards(self.counts)

    @property
    def is_throw(self) -> bool:
        return len(self.units) > 1

    def cards_of(self, unit: Unit) -> tuple[Card, ...]:
        return unit_cards(self.category, unit)


def unit_cards(category: Category, unit: Unit) -> tuple[Card, ...]:
    return tuple([category.faces[node] for node in unit.nodes for _ in range(unit.width)])


def five_ten_king(order: Order, cards: Sequence[Card]) -> Category | None:
    """The category of a 510K, or None. A five that is always a trump may stand in its own suit."""
    if len(cards) != 3 or not order.profile.shape_510k or {card.rank for card in cards} != set(_RANKS_510K):
        return None
    if len({card.suit for card in cards}) != 1:
        return None
    return order.only_category([card for card in cards if str(card) not in order.profile.permanent_ranks])


def read_lead(
    order: Order, cards: Sequence[Card], declared: Sequence[Shape] | None = None, *, field: str = "lead"
) -> Lead:
    """What a lead is. `declared` are the shapes that the leader named, in any order.

    Raises Refused: `no_cards`, `mixed_categories`, `reading_not_there`, `throw_not_here`, `throw_mixed_not_here`,
    `too_large`.
    """
    profile = order.profile
    if not cards:
        raise Refused([finding("no_cards", field)])
    counts = order.count(cards)
    special = five_ten_king(order, cards)
    if special is not None:
        unit = Unit(*FIVE_TEN_KING, tuple(special.faces.index(c) for c in cards if c in special.faces), 0)
        return Lead(order, special, counts, (unit,), (FIVE_TEN_KING,), 3)
    category = order.category(cards[0])
    own = category.of(counts)
    if sum(own) < len(cards):
        raise Refused([finding("mixed_categories", field, profile=profile, topic="cards.order")])
    units = default_reading(profile, category, own)
    if declared:
        found = readings(category, own)
        wanted = by_class((shape.width, shape.length) for shape in declared)
        fitting = [one for one in found if tuple(unit.want for unit in one) == wanted]
        if not fitting:
            raise Refused([_not_there(profile, found, field)])
        units = fitting[0]
    if len(units) > 1 and not profile.throws_allowed:
        raise Refused([finding("throw_not_here", field, profile=profile, topic="throws")])
    if len(units) > 1 and not profile.throw_mixed and any(unit.want != (1, 1) for unit in units):
        raise Refused([finding("throw_mixed_not_here", field, profile=profile, topic="throw.what")])
    return Lead(order, category, counts, units, tuple([unit[:2] for unit in units]), len(cards))


def unsaid(lead: Lead, declared: Sequence[Shape] | None) -> tuple[Reading, ...] | None:
    """The other readings of a throw whose leader should have said which is meant and did not; empty: too many to list.

    None where nothing had to be said.
    """
    if declared or not lead.is_throw or lead.order.profile.parse != "declared":
        return None
    try:
        found = readings(lead.category, lead.category.of(lead.counts))
    except Refused:  # the default needs no list
        return ()
    return tuple(units for units in found if tuple(unit.want for unit in units) != lead.wants) or None


class Made(NamedTuple):
    """A shape and the cards that make it."""

    shape: Shape
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardReadings:
    """What cards make: the reading that counts when nobody says which, and every one there is."""

    best: tuple[Made, ...]
    all: tuple[tuple[Made, ...], ...]
    because: tuple[Reason, ...]


def read_cards(order: Order, cards: Sequence[Card], *, field: str = "cards") -> CardReadings:
    """Every way to read some cards. Raises Refused: `no_cards`, `mixed_categories`, `too_large`."""
    profile = order.profile
    if not cards:
        raise Refused([finding("no_cards", field)])
    if five_ten_king(order, cards) is not None:
        only = (Made(Shape(*FIVE_TEN_KING), tuple(cards)),)
        return CardReadings(only, (only,), profile.cite("cards.510K"))
    category = order.only_category(cards)
    if category is None:
        raise Refused([finding("mixed_categories", field, profile=profile, topic="cards.order")])
    counts = category.of(order.count(cards))
    best = made(category, default_reading(profile, category, counts))
    every = tuple(made(category, units) for units in readings(category, counts))
    return CardReadings(best, every, profile.cite("cards.reading"))


def made(category: Category, units: Reading) -> tuple[Made, ...]:
    return tuple(Made(unit.shape, unit_cards(category, unit)) for unit in units)


def _not_there(profile: Profile, found: Sequence[Reading], field: str) -> Finding:
    names = [wording.shapes_named([unit.shape for unit in units]) for units in found[:4]]
    return finding(
        "reading_not_there",
        field,
        profile=profile,
        topic="cards.reading",
        readings={"en": "; ".join(name["en"] for name in names), "zh": "；".join(name["zh"] for name in names)},
    )
