"""What may be played to a lead: what is owed, whether a play meets it, and every play that does.

For each shape led the profile has an ordered list of what is owed; the first line that the hand can meet decides, and
the play must meet it too. The lists are walked, not written out: a line is the line before with its last part replaced
by the next best one, so the first line that fits is found by asking for one part after another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from operator import gt
from typing import Any

from scoring import wording
from scoring.cards.order import Category, Counts, Order
from scoring.cards.parsing import (
    FIVE_TEN_KING,
    MOST_STATES,
    Lead,
    Want,
    by_class,
    five_ten_king,
    place,
    too_large,
    unit_cards,
)
from scoring.cards.tricks import counts_as_tractor, tractors_of
from scoring.findings import Refused, finding
from scoring.profiles import Profile, Reason
from scoring.values import SUITS, Card, Shape, Text

#: Plays that are listed at most.
MOST_PLAYS = 2_000

#: Shapes owed together, the highest class first; singles are left out, they fit always.
Line = tuple[Want, ...]
_Can = Callable[[Sequence[Want]], bool]


@dataclass(frozen=True, slots=True)
class FollowVerdict:
    """Whether a play is legal. `code` says what is wrong: `wrong_count`, `suit_held`, `shape_owed`, or `legal`.

    `owed` are the shapes owed, singles among them, in one or more ways; `witness` are cards of the hand that would
    have met the first of them.
    """

    legal: bool
    code: str
    owed: tuple[tuple[Shape, ...], ...]
    witness: tuple[Card, ...]
    sentence: Text
    because: tuple[Reason, ...]

    def to_json(self) -> dict[str, Any]:
        said: dict[str, Any] = {"legal": self.legal, "code": self.code, "sentence": dict(self.sentence)}
        if not self.legal:
            said["owed"] = [shape.to_json() for shape in self.owed[0]]
            said["witness"] = [str(card) for card in self.witness]
            if len(self.owed) > 1:
                said["or_owed"] = [[shape.to_json() for shape in shapes] for shapes in self.owed[1:]]
        return said


def judge_follow(lead: Lead, hand: Counts, play: Counts) -> FollowVerdict:
    """Whether `play` out of `hand`, as it was before, is legal; both counted by the order of the lead.

    Raises Refused: `card_not_held`, `hand_too_small`, `too_large`.
    """
    if any(map(gt, play, hand)):
        raise Refused([_not_held(lead.order, hand, play)])
    if sum(hand) < lead.size:
        raise Refused([finding("hand_too_small", "hand", held=sum(hand), led=lead.size)])
    category = lead.category
    if lead.wants == (FIVE_TEN_KING,):
        return _judge_510k(lead, hand, play)
    return _judged(lead.order, category, lead.wants, category.of(hand), category.of(play), sum(play))


def _not_held(order: Order, hand: Counts, play: Counts) -> Any:
    lacking = order.cards(bytes(max(0, played - held) for played, held in zip(play, hand, strict=True)))
    return finding(
        "card_not_held",
        "play",
        cards=wording.cards_named(lacking),
        verb="is" if len(lacking) == 1 else "are",
    )


@lru_cache(maxsize=65536)
def _judged(
    order: Order, category: Category, led: tuple[Want, ...], hand: Counts, play: Counts, played: int
) -> FollowVerdict:
    """The verdict by the cards of the category led; `hand` and `play` are counted in it, `played` are all cards."""
    size, held = sum(width * length for width, length in led), sum(hand)
    if played != size:
        shapes = [tuple(Shape(*want) for want in led)]
        return _illegal(order, "wrong_count", shapes, (), ["follow.suit"], size=size, played=played)
    if sum(play) < min(size, held):
        owed = min(size, held)
        line = lines_owed(order, category, led, hand)[0] if held > size else ()
        return _illegal(
            order,
            "suit_held",
            [_with_singles(line, owed)],
            _witness(order, category, hand, line, owed),
            ["follow.suit"],
        )
    if held > size:
        lines = lines_owed(order, category, led, hand)
        if not any(place(category, play, line) is not None for line in lines):
            return _illegal(
                order,
                "shape_owed",
                [_with_singles(line, size) for line in lines],
                _witness(order, category, hand, lines[0], size),
                _topics(order.profile, led, lines),
            )
    return _legal(order)


def _topics(profile: Profile, led: tuple[Want, ...], lines: Sequence[Line]) -> list[str]:
    """The clauses a play offends against that does not meet what is owed."""
    topics = ["follow.order"]
    if len(led) > 1:
        topics.append("follow.throw")
    elif led == ((2, 1),):
        topics.append("follow.pair")
    if any(1 < length < led[0][1] for line in lines for _, length in line):
        topics.append("follow.shorter")
    if profile.decks > 2:
        topics.append("follow.longer")
    return topics


@lru_cache(maxsize=1024)
def _legal(order: Order) -> FollowVerdict:
    because = tuple(reason for topic in ("follow.suit", "follow.order") for reason in order.profile.cite(topic))
    return FollowVerdict(True, "legal", (), (), {"en": "The play is legal.", "zh": "跟牌合法。"}, because)


_ILLEGAL: dict[str, Text] = {
    "wrong_count": {
        "en": "The play must have as many cards as the lead ({owed}): {size}, not {played}.",
        "zh": "领出 {size} 张（{owed}），跟出 {played} 张，张数须相同。",
    },
    "suit_held": {
        "en": "Cards of the category led are held and must be played: {held}.",
        "zh": "手中有领出类别的牌，必须跟出：{held}。",
    },
    "shape_owed": {"en": "Owed: {owed}; the hand has {held}.", "zh": "应跟：{owed}；手中有 {held}。"},
}


def _illegal(
    order: Order,
    code: str,
    owed: Sequence[tuple[Shape, ...]],
    witness: tuple[Card, ...],
    topics: Iterable[str],
    **counts: int,
) -> FollowVerdict:
    named = [wording.shapes_named(shapes) for shapes in owed]
    held = wording.cards_named(witness)
    sentence = {
        language: _ILLEGAL[code][language].format(
            owed={"en": " or ", "zh": " 或 "}[language].join(one[language] for one in named),
            held=held[language],
            **counts,
        )
        for language in ("en", "zh")
    }
    because = tuple(reason for topic in topics for reason in order.profile.cite(topic))
    return FollowVerdict(False, code, tuple(owed), witness, sentence, because)


def _with_singles(line: Line, size: int) -> tuple[Shape, ...]:
    """The shapes of a line, filled up to `size` cards with singles."""
    singles = size - sum(width * length for width, length in line)
    return (*(Shape(*want) for want in line), *(Shape(1) for _ in range(singles)))


def _witness(order: Order, category: Category, hand: Counts, line: Line, size: int) -> tuple[Card, ...]:
    """Cards of the hand that meet a line, filled up to `size` from the lowest."""
    units = place(category, hand, line, whole=_protects(order.profile)) or ()
    cards = [card for unit in units for card in unit_cards(category, unit)]
    left = list(hand)
    for unit in units:
        for node in unit.nodes:
            left[node] -= unit.width
    return (*cards, *category.cards(bytes(left))[: size - len(cards)])


def _protects(profile: Profile) -> bool:
    return profile.longer_tuples == "protected"


@lru_cache(maxsize=65536)
def lines_owed(order: Order, category: Category, led: tuple[Want, ...], hand: Counts) -> tuple[Line, ...]:
    """What is owed to the shapes led by a hand with more cards of the category than were led.

    One line, or several of which any may be met. Raises Refused `too_large`.
    """
    profile = order.profile

    def can(wants: Sequence[Want]) -> bool:
        return place(category, hand, by_class(wants), whole=_protects(profile)) is not None

    if profile.follow_order == "by_cards" and counts_as_tractor(led):
        return _by_cards(category, sum(width * length for width, length in led), can)
    got: list[Want] = []
    for want in led:
        got += _for_shape(profile, want, got, can, in_throw=len(led) > 1)
    return (by_class(got),)


def _for_shape(profile: Profile, led: Want, got: list[Want], can: _Can, *, in_throw: bool) -> list[Want]:
    """What is owed to one shape of the lead beside what is owed already, by the order of the profile."""
    width, length = led
    if width == 1 or (led == (2, 1) and not profile.must_follow_pair):
        return []
    if length > 1 and in_throw and not profile.tractor_from_throw:
        owed: list[Want] = []
        for _ in range(length):
            owed += _for_shape(profile, (width, 1), got + owed, can, in_throw=True)
        return owed
    if length > 1 and profile.follow_order in ("tractor_before_pair", "tractor_before_triples"):
        before = [[led]] if profile.follow_order == "tractor_before_triples" else [[led], [(width, 1)] * length]
        for line in before:
            if can([*got, *line]):
                return _runs(profile, width, length, length, got, can)
        for narrower in range(width - 1, 1, -1):
            if can([*got, (narrower, length)]):
                return [(narrower, length)]
    return _tuples(profile, width, length, got, can)


def _tuples(profile: Profile, width: int, length: int, got: list[Want], can: _Can) -> list[Want]:
    """As many of the widest equal cards as there are, in runs as long as they come; for the rest narrower ones.

    Where there is no triple a pair and a single are owed in its place, and so on. A quad is also two pairs.
    """
    owed: list[Want] = []
    places = length
    for equal in range(width, 1, -1):
        most = places * (2 if (width, equal) == (4, 2) else 1)
        many = 0
        while many < most and can([*got, *owed, *[(equal, 1)] * (many + 1)]):
            many += 1
        owed += _runs(profile, equal, many, length, got + owed, can)
        places -= many
    return owed


def _runs(profile: Profile, width: int, many: int, longest: int, got: list[Want], can: _Can) -> list[Want]:
    """`many` sets of equal cards in runs, the longest first; those sets are there at least one by one."""
    runs: list[Want] = []
    cap = longest
    while many:
        for length in range(min(cap, many), 0, -1):
            if 1 < length < longest and not profile.shorter_run_owed:
                continue
            if length == 1 or can([*got, *runs, (width, length), *[(width, 1)] * (many - length)]):
                runs.append((width, length))
                many -= length
                cap = length
                break
    return runs


def _by_cards(category: Category, size: int, can: _Can) -> tuple[Line, ...]:
    """A tractor of as many cards as were led, else the one with most cards; then as many pairs as possible (南宁)."""
    for cards in range(size, 3, -1):
        fitting = [want for want in tractors_of(category, cards) if can([want])]
        if fitting:
            lines = [_and_pairs([want], (size - cards) // 2, can) for want in fitting]
            most = max(map(len, lines))
            return tuple(line for line in lines if len(line) == most)
    return (_and_pairs([], size // 2, can),)


def _and_pairs(owed: list[Want], most: int, can: _Can) -> Line:
    many = 0
    while many < most and can([*owed, *[(2, 1)] * (many + 1)]):
        many += 1
    return by_class([*owed, *[(2, 1)] * many])


# --- 510K ---


def _held_510k(lead: Lead, hand: Counts) -> tuple[Card, ...]:
    """A 510K of the category led that needs no five put down, or nothing."""
    order = lead.order
    for suit in SUITS:
        cards = tuple(Card(suit, rank) for rank in ("5", "10", "K"))
        if order.only_category(cards) is lead.category and not any(map(gt, order.count(cards), hand)):
            return cards
    return ()


def _judge_510k(lead: Lead, hand: Counts, play: Counts) -> FollowVerdict:
    """Whoever holds 510K of the category owes it; to trumps the three largest are owed otherwise."""
    order, category = lead.order, lead.category
    if five_ten_king(order, order.cards(play)) is category:
        return _legal(order)
    own, played = category.of(hand), category.of(play)
    held = _held_510k(lead, hand)
    if held:
        return _illegal(order, "shape_owed", [(Shape(*FIVE_TEN_KING),)], held, ["cards.510K"])
    if category.is_trumps and sum(own) > lead.size and sum(play) == lead.size:
        largest = category.cards(own)[-lead.size :]
        if _rungs(order, order.cards(play)) != _rungs(order, largest):
            return _illegal(order, "shape_owed", [_with_singles((), lead.size)], largest, ["cards.510K"])
    return _judged(order, category, ((1, 1),) * lead.size, own, played, sum(play))


def _rungs(order: Order, cards: Iterable[Card]) -> list[tuple[str, int]]:
    return sorted(order.place[card][:2] for card in cards)


# --- every legal play ---


def follow_set(lead: Lead, hand: Counts) -> tuple[tuple[Card, ...], ...]:
    """Every legal play, each once. Raises Refused `too_many_plays` with the count, `hand_too_small`, `too_large`."""
    plays = _Plays(lead, hand, bytes(len(hand)))
    count = plays.count()
    if count > MOST_PLAYS:
        raise Refused([finding("too_many_plays", "hand", count=count, most=MOST_PLAYS)])
    return tuple(lead.order.cards(play) for play in plays.all())


def can_lead_to(lead: Lead, hand: Counts, prefix: Counts) -> tuple[Card, ...]:
    """The faces of the hand any of which can be added to `prefix` on the way to a legal play, from low to high.

    Empty when the prefix has as many cards as the lead, or leads to no legal play.
    """
    if sum(prefix) >= lead.size or any(map(gt, prefix, hand)):
        return ()
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
    if sum(own) <= lead.size or lead.wants == (FIVE_TEN_KING,):
        return _Plays(lead, hand, prefix).count() > 0
    if sum(prefix) > sum(low):
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

    def go(rung: int, state: _State) -> int | None:
        if rung == len(category.nodes):
            return 0 if state == ((), ()) else None
        key = (rung, state)
        if key not in known:
            if len(known) > MOST_STATES:
                raise too_large()
            best: int | None = None
            for widths, after in _begun(category, rung, state):
                here = _cheapest(widths, [(own[node], low[node]) for node in category.nodes[rung]])
                rest = None if here is None else go(rung + 1, after)
                if here is not None and rest is not None and (best is None or here + rest < best):
                    best = here + rest
            known[key] = best
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


class _Plays:
    """The legal plays that hold at least the cards of `least`, counted exactly and listed without duplicates.

    Plays are built rung by rung. What has been played so far is known by the states it leaves: which shapes of a line
    are still to come and which runs go on. Plays that leave the same states need not be told apart when counting.
    """

    def __init__(self, lead: Lead, hand: Counts, least: Counts) -> None:
        if sum(hand) < lead.size:
            raise Refused([finding("hand_too_small", "hand", held=sum(hand), led=lead.size)])
        self.lead, self.hand, self.least = lead, hand, least
        category = lead.category
        self.own, self.low = category.of(hand), category.of(least)
        self._ways: dict[tuple[int, int, _States], int] = {}
        self._steps: dict[tuple[int, _States, tuple[int, ...]], _States] = {}
        others = bytearray(hand)
        others[category.first : category.first + len(self.own)] = bytes(len(self.own))
        self.others = bytes(others)

    def count(self) -> int:
        lead = self.lead
        if lead.wants == (FIVE_TEN_KING,):
            return sum(1 for _ in self.all())
        held = sum(self.own)
        least_others = sum(self.least) - sum(self.low)
        if held <= lead.size:
            return _ways_to_take(self.others, self._least_others(), lead.size - held)
        return 0 if least_others else self._count(0, lead.size, self._start())

    def all(self) -> Iterator[Counts]:
        lead, category = self.lead, self.lead.category
        if lead.wants == (FIVE_TEN_KING,):
            yield from self._all_510k()
            return
        held = sum(self.own)
        if held <= lead.size:
            own = bytearray(len(self.hand))
            own[category.first : category.first + len(self.own)] = self.own
            for rest in _takes(self.others, self._least_others(), lead.size - held):
                yield bytes(map(sum, zip(own, rest, strict=True)))
        elif sum(self.least) == sum(self.low):
            for chosen in self._list(0, lead.size, self._start()):
                whole = bytearray(len(self.hand))
                for node, times in chosen:
                    whole[category.first + node] = times
                yield bytes(whole)

    def _least_others(self) -> Counts:
        category = self.lead.category
        least = bytearray(self.least)
        least[category.first : category.first + len(self.low)] = bytes(len(self.low))
        return bytes(least)

    def _all_510k(self) -> Iterator[Counts]:
        order = self.lead.order
        found = {order.count(cards) for cards in combinations(order.cards(self.hand), self.lead.size)}
        for play in sorted(found):
            if not any(map(gt, self.least, play)) and judge_follow(self.lead, self.hand, play).legal:
                yield play

    def _start(self) -> _States:
        lines = lines_owed(self.lead.order, self.lead.category, self.lead.wants, self.own)
        return _simplest((line, ()) for line in lines)

    def _choices(self, rung: int, need: int) -> Iterator[tuple[int, ...]]:
        nodes = self.lead.category.nodes[rung]
        for taken in product(*(range(self.low[node], self.own[node] + 1) for node in nodes)):
            if sum(taken) <= need:
                yield taken

    def _count(self, rung: int, need: int, states: _States) -> int:
        if not states:
            return 0
        if rung == len(self.lead.category.nodes):
            return int(need == 0 and states == _MET)
        key = (rung, need, states)
        known = self._ways.get(key)
        if known is None:
            if len(self._ways) > MOST_STATES:
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


#: Shapes of a line still to come, and the runs under way: (width, rungs still to come).
_State = tuple[tuple[Want, ...], tuple[Want, ...]]
_States = frozenset[_State]
#: The line is met; whatever else is played.
_MET: _States = frozenset({((), ())})


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


def _ways_to_take(held: Counts, least: Counts, size: int) -> int:
    """In how many ways `size` cards can be taken, at least so many of each."""
    ways = [1] + [0] * size
    for most, low in zip(held, least, strict=True):
        ways = [sum(ways[n - taken] for taken in range(low, min(most, n) + 1)) for n in range(size + 1)]
    return ways[size] if size >= 0 else 0


def _takes(held: Counts, least: Counts, size: int) -> Iterator[Counts]:
    """Those ways, face by face."""

    def go(i: int, left: int) -> Iterator[tuple[int, ...]]:
        if i == len(held):
            if left == 0:
                yield ()
            return
        room = sum(held[i + 1 :])
        for taken in range(max(least[i], left - room), min(held[i], left) + 1):
            for rest in go(i + 1, left - taken):
                yield (taken, *rest)

    return map(bytes, go(0, size))
