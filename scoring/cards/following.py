"""What may be played to a lead: what is owed, and whether a play meets it.

For each shape led the profile has an ordered list of what is owed; the first line that the hand can meet decides, and
the play must meet it too. The lists are walked, not written out: a line is the line before with its last part replaced
by the next best one, so the first line that fits is found by asking for one part after another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scoring import wording
from scoring.cards.leads import FIVE_TEN_KING, Lead, five_ten_king
from scoring.cards.order import Category, Counts, Order, are_in
from scoring.cards.tricks import counts_as_tractor, tractors_of
from scoring.cards.units import SINGLE, Want, by_class, fits, place, unit_cards
from scoring.hands.findings import Refused, finding
from scoring.profiles import Profile, Reason
from scoring.values import SUITS, Card, Shape, Text

#: Shapes owed together, the highest class first; singles are left out, they fit always.
Line = tuple[Want, ...]
_Can = Callable[[Sequence[Want]], bool]


@dataclass(frozen=True, slots=True)
class FollowVerdict:
    """Whether a play is legal. `code` says what is wrong: `wrong_count`, `suit_held`, `shape_owed`, or `legal`.

    What is owed to the shapes `led`, and the words for it, are made of `hand` when somebody reads them: `lines` are the
    shapes owed in `due` cards of the category led, in one or more ways, where `played` cards were laid. `shown` are
    the cards that meet them where a line alone does not say which.
    """

    order: Order
    category: Category
    led: tuple[Want, ...]
    hand: Counts
    code: str = "legal"
    lines: tuple[Line, ...] = ()
    due: int = 0
    played: int = 0
    shown: tuple[Card, ...] | None = None

    @property
    def legal(self) -> bool:
        return self.code == "legal"

    @property
    def owed(self) -> tuple[tuple[Shape, ...], ...]:
        """The shapes owed, singles among them, in one or more ways."""
        return tuple(_with_singles(line, self.due) for line in self.lines)

    @property
    def witness(self) -> tuple[Card, ...]:
        """Cards of the hand that would have met the first of them."""
        if self.shown is not None or not self.lines:
            return self.shown or ()
        return _witness(self.order, self.category, self.hand, self.lines[0], self.due)

    @property
    def sentence(self) -> Text:
        named, held = [wording.shapes_named(shapes) for shapes in self.owed], wording.cards_named(self.witness)
        words = {"size": self.due, "played": self.played}
        return {
            language: _SENTENCES[self.code][language].format(
                owed={"en": " or ", "zh": " 或 "}[language].join(one[language] for one in named),
                held=held[language],
                **words,
            )
            for language in ("en", "zh")
        }

    @property
    def because(self) -> tuple[Reason, ...]:
        return self.order.cite(_topics(self))

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
    if not are_in(play, hand):
        raise Refused([_not_held(lead.order, hand, play)])
    if sum(hand) < lead.size:
        raise Refused([finding("hand_too_small", "hand", held=sum(hand), led=lead.size)])
    category, led = lead.category, lead.wants
    if led == (FIVE_TEN_KING,):
        return _judge_510k(lead, hand, play)
    return _judged(lead.order, category, led, category.of(hand), category.of(play), lead.size, sum(play))


def _not_held(order: Order, hand: Counts, play: Counts) -> Any:
    lacking = Counter(order.cards(play)) - Counter(order.cards(hand))
    return finding(
        "card_not_held", "play", cards=wording.cards_named(lacking.elements()), verb=wording.verb_of(lacking.total())
    )


def _judged(
    order: Order, category: Category, led: tuple[Want, ...], hand: Counts, play: Counts, size: int, played: int
) -> FollowVerdict:
    """The verdict by the cards of the category led; `hand` and `play` are counted in it, `played` are all cards."""
    if played != size:
        return FollowVerdict(order, category, led, hand, "wrong_count", (led,), size, played, ())
    held = sum(hand)
    due = min(size, held)
    if sum(play) < due:
        lines = lines_owed(order, category, led, hand) if held > size else ((),)
        return FollowVerdict(order, category, led, hand, "suit_held", lines, due)
    if held > size and led[0][0] > 1:  # a single owes no shape; without this step it is only found later
        lines = lines_owed(order, category, led, hand)
        if not any(fits(category, play, line) for line in lines):
            return FollowVerdict(order, category, led, hand, "shape_owed", lines, due)
    return _legal(order, category)


@lru_cache(maxsize=1024)
def _legal(order: Order, category: Category) -> FollowVerdict:
    return FollowVerdict(order, category, (), b"")


def _topics(verdict: FollowVerdict) -> tuple[str, ...]:
    """The clauses that a verdict rests on."""
    led, profile = verdict.led, verdict.order.profile
    if verdict.code != "shape_owed":
        return ("follow.suit", "follow.order") if verdict.legal else ("follow.suit",)
    if led == (FIVE_TEN_KING,):
        return ("cards.510K",)
    topics = ["follow.order"]
    if len(led) > 1:
        topics.append("follow.throw")
    elif led == ((2, 1),):
        topics.append("follow.pair")
    if any(1 < length < led[0][1] for line in verdict.lines for _, length in line):
        topics.append("follow.shorter")
    if profile.decks > 2:
        topics.append("follow.longer")
    return tuple(topics)


_SENTENCES: dict[str, Text] = {
    "legal": {"en": "The play is legal.", "zh": "跟牌合法。"},
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
    if max(hand) < 2:  # nothing but singles: only the sooner for this step
        return ((),)
    profile = order.profile
    whole = _protects(profile)

    def can(wants: Sequence[Want]) -> bool:
        return fits(category, hand, by_class(wants), whole=whole)

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
        for narrower in reversed(range(2, width)):
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
        if order.only_category(cards) is lead.category and are_in(order.count(cards), hand):
            return cards
    return ()


def _judge_510k(lead: Lead, hand: Counts, play: Counts) -> FollowVerdict:
    """Whoever holds 510K of the category owes it; to trumps the three largest are owed otherwise."""
    order, category = lead.order, lead.category
    if five_ten_king(order, order.cards(play)) is category:
        return _legal(order, category)
    own, size = category.of(hand), lead.size
    held = _held_510k(lead, hand)
    if held:
        return FollowVerdict(order, category, lead.wants, own, "shape_owed", (lead.wants,), size, shown=held)
    if category.is_trumps and sum(own) > size and sum(play) == size:
        largest = category.cards(own)[-size:]
        if _rungs(order, order.cards(play)) != _rungs(order, largest):
            return FollowVerdict(order, category, lead.wants, own, "shape_owed", ((),), size, shown=largest)
    return _judged(order, category, (SINGLE,) * size, own, category.of(play), size, sum(play))


def _rungs(order: Order, cards: Iterable[Card]) -> list[tuple[str, int]]:
    return sorted(order.place[card][:2] for card in cards)
