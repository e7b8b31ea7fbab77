"""Which category a card belongs to, which of two cards is larger, and which rungs follow each other.

A category (牌的类别) is the trumps or one side suit. Its cards stand on rungs: a larger card on a higher rung, equally
large cards of different faces on one rung (side level cards, 副级牌). A tractor needs the same number of equal cards on
rungs that follow each other; which do is said once, by the joints of the category. The gap that a level card leaves
in its suit, aces beside level cards, level cards beside jokers and no-trump all come out of that one list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from scoring.cards.deck import BIG_JOKER, FACES, SMALL_JOKER
from scoring.hands.findings import Finding, Refused, finding
from scoring.profiles import Profile, Reason
from scoring.values import RANKS, SUITS, Card, Level, Trump

#: The name of the category of trumps; side suits are called by their letter.
TRUMPS = "T"

#: Copies of each face, face by face in the numbering of an order.
Counts = bytes


class CardPlace(NamedTuple):
    """Where a card stands: its category, the rung in it (0 is the lowest) and which face of that rung it is."""

    category: str
    rung: int
    face: int


@dataclass(frozen=True, slots=True, eq=False)
class Category:
    """The rungs of one category from low to high.

    `faces` are its cards rung by rung; a node is an index into them. `starts[n]` are the rungs at which a run of n
    rungs can begin. `span` is where the nodes lie in the counts of the order.
    """

    name: str
    faces: tuple[Card, ...]
    node_of: Mapping[Card, int]
    rung_of: tuple[int, ...]
    nodes: tuple[tuple[int, ...], ...]
    starts: tuple[tuple[int, ...], ...]
    span: slice
    widest: int
    is_trumps: bool

    @property
    def first(self) -> int:
        """The place of the first node in the counts of the order."""
        return int(self.span.start)

    def of(self, counts: Counts) -> Counts:
        """The counts of this category alone, node by node."""
        return counts[self.span]

    def count(self, cards: Iterable[Card]) -> Counts:
        """How often each face of this category occurs in `cards`, whatever else is among them."""
        counts, node_of = bytearray(len(self.faces)), self.node_of
        for card in filter(node_of.__contains__, cards):
            counts[node_of[card]] += 1
        return bytes(counts)

    def cards(self, counts: Counts) -> tuple[Card, ...]:
        """The cards that counts of this category stand for, from low to high."""
        return tuple(face for face, times in zip(self.faces, counts, strict=True) for _ in range(times))


class _Rung(NamedTuple):
    kind: str
    cards: tuple[Card, ...]


class Order:
    """The order of all cards in one hand. Made by `order_of`, never changed."""

    __slots__ = ("_category", "_cited", "_index", "categories", "level", "place", "profile", "trump")

    def __init__(self, profile: Profile, trump: Trump, level: Level | None) -> None:
        self.profile, self.trump, self.level = profile, trump, level
        always = tuple(Card.parse(one) for one in profile.permanent_ranks if one not in RANKS)
        rows = [
            (suit, _suit_rungs(profile, suit, level, always))
            for suit in SUITS
            if trump is Trump.NT or suit != trump.value
        ]
        rows.append((TRUMPS, _trump_rungs(profile, trump, level, always)))
        self.categories: dict[str, Category] = {}
        self.place: dict[Card, CardPlace] = {}
        self._index: dict[Card, int] = {}
        self._category: dict[Card, Category] = {}
        self._cited: dict[tuple[str, ...], tuple[Reason, ...]] = {}
        for name, rungs in rows:
            self._add(name, rungs)

    def __repr__(self) -> str:
        return f"<Order {self.profile.id} {self.trump.value} {self.level}>"

    def _add(self, name: str, rungs: list[_Rung]) -> None:
        profile, first = self.profile, len(self._index)
        faces = tuple(card for rung in rungs for card in rung.cards)
        numbers = iter(range(len(faces)))
        nodes = tuple(tuple(next(numbers) for _ in rung.cards) for rung in rungs)
        joints = [_joint(profile, self.level, below, above) for below, above in pairwise(rungs)]
        category = self.categories[name] = Category(
            name=name,
            faces=faces,
            node_of={face: node for node, face in enumerate(faces)},
            rung_of=tuple(i for i, rung in enumerate(rungs) for _ in rung.cards),
            nodes=nodes,
            starts=_starts(len(rungs), joints),
            span=slice(first, first + len(faces)),
            widest=profile.decks,
            is_trumps=name == TRUMPS,
        )
        for i, rung in enumerate(rungs):
            for j, card in enumerate(rung.cards):
                self.place[card] = CardPlace(name, i, j)
                self._index[card] = len(self._index)
                self._category[card] = category

    def category(self, card: Card) -> Category:
        return self._category[card]

    def count(self, cards: Iterable[Card]) -> Counts:
        """How often each face occurs in `cards`."""
        counts = bytearray(len(FACES))
        index = self._index
        for card in cards:
            counts[index[card]] += 1
        return bytes(counts)

    def cards(self, counts: Counts) -> tuple[Card, ...]:
        """The cards that counts stand for: side suits first, each from low to high, trumps last."""
        return tuple(card for category in self.categories.values() for card in category.cards(category.of(counts)))

    def only_category(self, cards: Iterable[Card]) -> Category | None:
        """The category all `cards` belong to; None when there are several, or no card."""
        found = set(map(self._category.__getitem__, cards))
        return found.pop() if len(found) == 1 else None

    def cite(self, topics: tuple[str, ...]) -> tuple[Reason, ...]:
        """The clauses on these topics, each once, as reasons."""
        reasons = self._cited.get(topics)
        if reasons is None:
            reasons = tuple(reason for topic in dict.fromkeys(topics) for reason in self.profile.cite(topic))
            self._cited[topics] = reasons
        return reasons


def by_strength(order: Order, cards: Iterable[Card], *, field: str = "cards") -> tuple[tuple[Card, ...], ...]:
    """The cards from weakest to strongest, equal ones together.

    Trumps stand above one side suit; Refused `not_comparable` where cards are of several.
    """
    known = sorted(cards, key=lambda card: (order.category(card).is_trumps, order.place[card]))
    if len({order.place[card].category for card in known if not order.category(card).is_trumps}) > 1:
        raise Refused([finding("not_comparable", field, profile=order.profile, topic="cards.order")])
    groups: dict[tuple[str, int], list[Card]] = {}
    for card in known:
        groups.setdefault(order.place[card][:2], []).append(card)
    return tuple(map(tuple, groups.values()))


def are_in(cards: Counts, held: Counts) -> bool:
    """Whether `held` has every one of `cards`: subtracted as one number, no face may borrow from the next one."""
    most = int.from_bytes(held, "big") | _ABOVE
    return (most - int.from_bytes(cards, "big")) & _ABOVE == _ABOVE


def without(held: Counts, cards: Counts) -> Counts:
    """What is left of `held` when `cards` are gone; one that was not in it is not missed."""
    left = (int.from_bytes(held, "big") | _ABOVE) - int.from_bytes(cards, "big")
    if left & _ABOVE == _ABOVE:
        return (left ^ _ABOVE).to_bytes(len(held), "big")
    return bytes(max(0, copies - gone) for copies, gone in zip(held, cards, strict=True))


#: A bit above the copies of each face; nobody holds 128 of one.
_ABOVE = int.from_bytes(b"\x80" * len(FACES), "big")


def check_trump(profile: Profile, trump: Trump | None) -> list[Finding]:
    """Whether there can be no trump suit under these rules, where none is named."""
    if trump is not Trump.NT or profile.no_trump_allowed:
        return []
    return [finding("no_trump_not_here", "trump", profile=profile, topic="no_trump")]


@lru_cache(maxsize=1024)
def order_of(profile: Profile, trump: Trump, level: Level | None) -> Order:
    """The order of a hand at `level` with this trump suit; None and levels that are no rank have no level cards."""
    return Order(profile, trump, level)


def _is_plain(profile: Profile, level: Level | None, rank: str) -> bool:
    return rank not in profile.permanent_ranks and (level is None or rank != level.rank)


def _suit_rungs(profile: Profile, suit: str, level: Level | None, always: tuple[Card, ...]) -> list[_Rung]:
    """The cards of a suit that are no trumps by their rank, one rung for each."""
    cards = [Card(suit, rank) for rank in RANKS if _is_plain(profile, level, rank)]
    return [_Rung("plain", (card,)) for card in cards if card not in always]


def _trump_rungs(profile: Profile, trump: Trump, level: Level | None, always: tuple[Card, ...]) -> list[_Rung]:
    """Plain trumps, permanent ranks, level cards, jokers, and cards that stand above the big joker."""
    rungs = [] if trump is Trump.NT else _suit_rungs(profile, trump.value, level, always)
    for rank in profile.permanent_ranks:
        if rank in RANKS:
            rungs += _ranked("permanent", rank, trump)
    if level is not None and level.rank in RANKS:
        rungs += _ranked("level", level.rank, trump)
    left = [_Rung(rung.kind, tuple(card for card in rung.cards if card not in always)) for rung in rungs]
    jokers = [_Rung("small", (SMALL_JOKER,)), _Rung("big", (BIG_JOKER,))]
    return [rung for rung in left if rung.cards] + jokers + [_Rung("above", (card,)) for card in always]


def _ranked(kind: str, rank: str, trump: Trump) -> list[_Rung]:
    """The trumps of one rank: side cards below the main card; at no-trump all are equal."""
    if trump is Trump.NT:
        return [_Rung(f"{kind}_all", tuple(Card(suit, rank) for suit in SUITS))]
    side = tuple(Card(suit, rank) for suit in SUITS if suit != trump.value)
    return [_Rung(f"{kind}_side", side), _Rung(f"{kind}_main", (Card(trump.value, rank),))]


#: The joint between two kinds of rungs; kinds that are not here follow each other without a name.
_NAMES = {
    ("plain", "permanent_side"): "ace_permanent",
    ("permanent_side", "permanent_main"): "side_main_permanent",
    ("permanent_main", "permanent_side"): "permanents",
    ("permanent_all", "permanent_all"): "permanents",
    ("permanent_main", "level_side"): "permanent_level",
    ("permanent_all", "level_all"): "permanent_level",
    ("plain", "level_side"): "ace_level",
    ("level_side", "level_main"): "side_main_level",
    ("small", "big"): "jokers",
}


def _joint(profile: Profile, level: Level | None, below: _Rung, above: _Rung) -> str:
    """How two rungs meet: `joined`, `short` (in a run of two only) or `broken`."""
    kinds = (below.kind, above.kind)
    if not profile.tractors or above.kind == "above":
        return "broken"
    if kinds == ("level_main", "small"):
        return "joined" if profile.tractor_level_joker else "broken"
    if kinds == ("level_all", "small"):
        return "joined" if profile.tractor_nt_level_joker else "broken"
    if below.kind == "plain" and not profile.hollow_tractors and _is_hollow(below, above):
        return "broken"
    name = _NAMES.get(kinds)
    if name in profile.broken_joints:
        return "broken"
    return "short" if name in profile.short_joints else "joined"


def _is_hollow(below: _Rung, above: _Rung) -> bool:
    """Whether a rank is missing between two rungs: the level's or a permanent trump's."""
    (low, *_), (high, *_) = below.cards, above.cards
    end = RANKS.index(high.rank) if above.kind == "plain" else len(RANKS)
    missing = set(RANKS[RANKS.index(low.rank) + 1 : end])
    return bool(missing if above.kind == "plain" else missing - {card.rank for card in above.cards})


def _starts(rungs: int, joints: list[str]) -> tuple[tuple[int, ...], ...]:
    """For each length the rungs at which a run can begin; a short joint holds a run of two and no longer one."""
    return tuple(
        tuple(
            start
            for start in range(rungs - length + 1)
            if all(
                joint == "joined" or (joint == "short" and length == 2) for joint in joints[start : start + length - 1]
            )
        )
        for length in range(rungs + 1)
    )
