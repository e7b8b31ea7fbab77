"""Every play that may be made to a lead: counted, listed, and found card by card.

Plays are built rung by rung. What has been played so far is known by the states it leaves: which shapes of a line that
is owed are still to come, and which runs go on. Plays that leave the same states need not be told apart when counting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, count, product
from operator import gt

from scoring.cards.following import Line, judge_follow, lines_owed
from scoring.cards.leads import FIVE_TEN_KING, Lead
from scoring.cards.order import Category, Counts, are_in
from scoring.cards.units import MOST_STATES, Want, too_large
from scoring.hands.findings import Refused, finding
from scoring.values import Card

#: Plays that are listed at most.
MOST_PLAYS = 2_000

#: Shapes of a line still to come, and the runs under way: (width, rungs still to come).
_State = tuple[tuple[Want, ...], tuple[Want, ...]]
_States = frozenset[_State]
#: The line is met; whatever else is played.
_MET: _States = frozenset({((), ())})


def follow_set(lead: Lead, hand: Counts) -> tuple[tuple[Card, ...], ...]:
    """Every legal play, each once. Raises Refused `too_many_plays` with the count, `hand_too_small`, `too_large`."""
    _check_size(lead, hand)
    plays = (_Plays510K if lead.wants == (FIVE_TEN_KING,) else _Plays)(lead, hand)
    count = plays.count()
    if count > MOST_PLAYS:
        raise Refused([finding("too_many_plays", "hand", count=count, most=MOST_PLAYS)])
    return tuple(lead.order.cards(play) for play in plays.all())


def can_lead_to(lead: Lead, hand: Counts, prefix: Counts) -> tuple[Card, ...]:
    """The faces of the hand any of which can be added to `prefix` on the way to a legal play, from low to high.

    Empty when the prefix has as many cards as the lead, or leads to no legal play.
    """
    if any(map(gt, prefix, hand)):
        return ()
    _check_size(lead, hand)
    faces = lead.order.cards(bytes(min(1, held - taken) for held, taken in zip(hand, prefix, strict=True)))
    found = []
    for card in faces:
        longer = bytes(map(sum, zip(prefix, lead.order.count([card]), strict=True)))
        if _leads_on(lead, hand, longer):
            found.append(card)
    return tuple(found)


def _leads_on(lead: Lead, hand: Counts, prefix: Counts) -> bool:
    """Whether some legal play holds all cards of the prefix."""
    category, order = lead.category, lead.order
    own, low = category.of(hand), category.of(prefix)
    others = sum(prefix) - sum(low)
    if lead.wants == (FIVE_TEN_KING,):
        return any(are_in(prefix, play) for play in _Plays510K(lead, hand).all())
    if sum(own) <= lead.size:
        return others <= lead.size - sum(own)
    if others:
        return False
    lines = lines_owed(order, category, lead.wants, own)
    if any(sum(prefix) + sum(width * length for width, length in line) <= lead.size for line in lines):
        return True  # there is room for the prefix and a whole line beside it
    fewest = (_fewest(category, own, low, line) for line in lines)
    return any(cards is not None and cards <= lead.size for cards in fewest)


@lru_cache(maxsize=16384)
def _fewest(category: Category, own: Counts, low: Counts, line: Line) -> int | None:
    """The fewest cards that meet a line and hold at least those of `low`; any more cards may be added to them."""
    known: dict[tuple[int, _State], int | None] = {}
    steps = count()

    def go(rung: int, state: _State) -> int | None:
        if rung == len(category.nodes):
            return 0 if state == ((), ()) else None
        key = (rung, state)
        if key not in known:
            if next(steps) == MOST_STATES:
                raise too_large()
            costs = []
            for widths, after in _begun(category, rung, state):
                here = _cheapest(widths, [(own[node], low[node]) for node in category.nodes[rung]])
                rest = None if here is None else go(rung + 1, after)
                if here is not None and rest is not None:
                    costs.append(here + rest)
            known[key] = min(costs, default=None)
        return known[key]

    return go(0, (line, ()))


def _cheapest(widths: Sequence[int], faces: Sequence[tuple[int, int]], taken: tuple[int, ...] = ()) -> int | None:
    """The fewest cards of the faces of a rung, each with (copies held, copies wanted), that hold these sets."""
    taken = taken or (0,) * len(faces)
    if not widths:
        return sum(max(used, low) for used, (_, low) in zip(taken, faces, strict=True))
    costs = []
    for i, (held, _) in enumerate(faces):
        if held - taken[i] >= widths[0]:
            more = (*taken[:i], taken[i] + widths[0], *taken[i + 1 :])
            costs.append(_cheapest(widths[1:], faces, more))
    return min((cost for cost in costs if cost is not None), default=None)


class _Plays510K:
    """The legal plays to a 510K, tried one by one."""

    def __init__(self, lead: Lead, hand: Counts) -> None:
        found = {lead.order.count(cards) for cards in combinations(lead.order.cards(hand), lead.size)}
        self._legal = [play for play in sorted(found) if judge_follow(lead, hand, play).legal]

    def count(self) -> int:
        return len(self._legal)

    def all(self) -> Sequence[Counts]:
        return self._legal


def _check_size(lead: Lead, hand: Counts) -> None:
    if sum(hand) < lead.size:
        raise Refused([finding("hand_too_small", "hand", held=sum(hand), led=lead.size)])


class _Plays:
    """The legal plays, counted exactly and listed without duplicates."""

    def __init__(self, lead: Lead, hand: Counts) -> None:
        self.lead, self.hand = lead, hand
        category = lead.category
        self.own = category.of(hand)
        self._ways: dict[tuple[int, int, _States], int] = {}
        self._counted = count()
        self._steps: dict[tuple[int, _States, tuple[int, ...]], _States] = {}
        others = bytearray(hand)
        others[category.first : category.first + len(self.own)] = bytes(len(self.own))
        self.others = bytes(others)

    def count(self) -> int:
        lead, held = self.lead, sum(self.own)
        if held <= lead.size:
            return _ways_to_take(self.others, lead.size - held)
        return self._count(0, lead.size, self._start())

    def all(self) -> Iterator[Counts]:
        lead, category = self.lead, self.lead.category
        held = sum(self.own)
        if held <= lead.size:
            own = bytearray(len(self.hand))
            own[category.first : category.first + len(self.own)] = self.own
            for rest in _takes(self.others, lead.size - held):
                yield bytes(map(sum, zip(own, rest, strict=True)))
        else:
            for chosen in self._list(0, lead.size, self._start()):
                whole = bytearray(len(self.hand))
                for node, times in chosen:
                    whole[category.first + node] = times
                yield bytes(whole)

    def _start(self) -> _States:
        lines = lines_owed(self.lead.order, self.lead.category, self.lead.wants, self.own)
        return _simplest((line, ()) for line in lines)

    def _choices(self, rung: int, need: int) -> Iterator[tuple[int, ...]]:
        nodes = self.lead.category.nodes[rung]
        for taken in product(*(range(self.own[node] + 1) for node in nodes)):
            if sum(taken) <= need:
                yield taken

    def _count(self, rung: int, need: int, states: _States) -> int:
        if rung == len(self.lead.category.nodes):
            return int(need == 0 and states == _MET)
        key = (rung, need, states)
        known = self._ways.get(key)
        if known is None:
            if next(self._counted) == MOST_STATES:
                raise too_large()
            known = sum(
                self._count(rung + 1, need - sum(taken), self._step(rung, states, taken))
                for taken in self._choices(rung, need)
            )
            self._ways[key] = known
        return known

    def _list(self, rung: int, need: int, states: _States) -> Iterator[tuple[tuple[int, int], ...]]:
        if rung == len(self.lead.category.nodes):
            yield ()
            return
        nodes = self.lead.category.nodes[rung]
        for taken in self._choices(rung, need):
            after = self._step(rung, states, taken)
            if self._count(rung + 1, need - sum(taken), after):
                for rest in self._list(rung + 1, need - sum(taken), after):
                    yield (*zip(nodes, taken, strict=True), *rest)

    def _step(self, rung: int, states: _States, taken: tuple[int, ...]) -> _States:
        if states == _MET:
            return _MET
        key = (rung, states, taken)
        after = self._steps.get(key)
        if after is None:
            after = _simplest(one for state in states for one in _after(self.lead.category, rung, state, taken))
            self._steps[key] = after
        return after


def _simplest(states: Iterable[_State]) -> _States:
    """The states without those that no longer matter: once the line is met nothing else does."""
    found = frozenset(states)
    return _MET if ((), ()) in found else found


def _after(category: Category, rung: int, state: _State, taken: tuple[int, ...]) -> Iterator[_State]:
    """The states after `taken` cards of the nodes of a rung."""
    for widths, after in _begun(category, rung, state):
        if _fits(widths, taken):
            yield after


def _begun(category: Category, rung: int, state: _State) -> Iterator[tuple[list[int], _State]]:
    """What a rung may have to give, widest first, and the state after it: runs under way go on, some shapes begin."""
    todo, under_way = state
    copies = category.widest * len(category.nodes[rung])
    different = tuple(dict.fromkeys(todo))
    startable = [
        range(min(todo.count(want), copies // want[0]) + 1) if rung in category.starts[want[1]] else range(1)
        for want in different
    ]
    going_on = [(width, rungs - 1) for width, rungs in under_way if rungs > 1]
    for times in product(*startable):
        begun = [want for want, many in zip(different, times, strict=True) for _ in range(many)]
        left = [want for want, many in zip(different, times, strict=True) for _ in range(todo.count(want) - many)]
        widths = sorted([*(width for width, _ in under_way), *(width for width, _ in begun)], reverse=True)
        going = going_on + [(width, length - 1) for width, length in begun if length > 1]
        yield widths, (tuple(left), tuple(sorted(going)))


def _fits(widths: Sequence[int], copies: Sequence[int]) -> bool:
    """Whether sets of equal cards of these widths can be taken out of so many copies of each face."""
    if not widths:
        return True
    for i in {times: i for i, times in enumerate(copies)}.values():
        if copies[i] >= widths[0] and _fits(widths[1:], [*copies[:i], copies[i] - widths[0], *copies[i + 1 :]]):
            return True
    return False


def _ways_to_take(held: Counts, size: int) -> int:
    """In how many ways `size` cards can be taken."""
    ways = [1] + [0] * size
    for most in held:
        ways = [sum(ways[n - taken] for taken in range(min(most, n) + 1)) for n in range(size + 1)]
    return ways[size]


def _takes(held: Counts, size: int) -> Iterator[Counts]:
    """Those ways, face by face."""

    def go(i: int, left: int) -> Iterator[tuple[int, ...]]:
        if i == len(held):
            if left == 0:
                yield ()
            return
        room = sum(held[i + 1 :])
        for taken in range(max(0, left - room), min(held[i], left) + 1):
            for rest in go(i + 1, left - taken):
                yield (taken, *rest)

    return map(bytes, go(0, size))
