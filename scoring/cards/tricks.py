"""Who wins a trick and why, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from scoring import wording
from scoring.cards.deck import points_of
from scoring.cards.leads import FIVE_TEN_KING, Lead, five_ten_king
from scoring.cards.order import TRUMPS, Category, Counts
from scoring.cards.parsing import readings
from scoring.cards.units import SINGLE, Reading, Unit, Want, place, singles_of
from scoring.frozen import quickly_made
from scoring.hands.findings import Finding, finding
from scoring.profiles import Profile, Reason
from scoring.values import Card, Player, Points, Seat, Shape, Side, Text, in_turn, side_of

#: What a play is in its trick.
LED, BEATS, FOLLOWS, RUFFS, OVER_RUFFS, RUFFS_LOW, DISCARDS = (
    "led",
    "beats",
    "follows",
    "ruffs",
    "over_ruffs",
    "ruffs_too_low",
    "discards",
)


class Played(NamedTuple):
    """One play of a trick and its part in it."""

    seat: Player
    cards: tuple[Card, ...]
    part: str
    units: Reading

    @property
    def led(self) -> tuple[Shape, ...]:
        """The shapes it had to answer, or to lead."""
        return tuple(unit.shape for unit in self.units)

    @property
    def sentence(self) -> Text:
        words = {
            "seat": wording.PLAYERS[self.seat],
            "cards": wording.cards_named(self.cards),
            "shapes": wording.shapes_named(self.led),
        }
        return {
            language: _SENTENCES[self.part][language].format(**{name: word[language] for name, word in words.items()})
            for language in ("en", "zh")
        }

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat.value,
            "cards": [str(card) for card in self.cards],
            "part": self.part,
            "sentence": dict(self.sentence),
        }


@quickly_made
@dataclass(frozen=True, slots=True)
class TrickVerdict:
    """`winner` of the plays so far, the `points` on the table, every play's part, and the clauses that decided."""

    winner: Player
    points: Points
    plays: tuple[Played, ...]
    because: tuple[Reason, ...]

    def attackers_gain(self, dealer_side: Side) -> int:
        """The points that the attackers take with it."""
        return 0 if side_of(self.winner) is dealer_side else int(self.points)


class Claim(NamedTuple):
    """A play that may win: cards of one category in the shapes led; `counts` are empty where one unit is all."""

    category: Category
    counts: Counts
    units: Reading

    @property
    def starts(self) -> tuple[int, ...]:
        return tuple(unit.start for unit in self.units)


def claim(lead: Lead, cards: Sequence[Card]) -> Claim | None:
    """The play as an answer to the shapes led, or None where it cannot win whatever its cards.

    Raises Refused `too_large`.
    """
    order, profile = lead.order, lead.order.profile
    if lead.wants == (FIVE_TEN_KING,):
        category = five_ten_king(order, cards)
        if category is None or not (category is lead.category or category.is_trumps):
            return None
        return Claim(category, b"", (Unit(*FIVE_TEN_KING, (), 0),))
    card, *more = cards
    category = order.category(card)
    if not (category.is_trumps or category is lead.category) or (category is lead.category and lead.is_throw):
        return None
    if not more and lead.wants == (SINGLE,):
        return Claim(category, b"", (singles_of(category)[category.node_of[card]],))
    own = category.count(cards)
    if sum(own) < len(cards):
        return None
    units = _matching(profile, lead, category, own)
    return None if units is None else Claim(category, own, units)


def _matching(profile: Profile, lead: Lead, category: Category, own: Counts) -> Reading | None:
    """The cards of one category in the shapes led, the highest class as large as possible."""
    if sum(own) != lead.size:
        return None
    if profile.follow_order == "by_cards" and counts_as_tractor(lead.wants):
        for want in tractors_of(category, lead.size):
            units = place(category, own, (want,))
            if units is not None:
                return units
        return None
    if profile.ruff_shape == "exact" and lead.is_throw:
        fitting = _exact(lead.wants, category, own)
        return fitting[0] if fitting else None
    return place(category, own, lead.wants)


def _exact(wants: tuple[Want, ...], category: Category, own: Counts) -> list[Reading]:
    """The readings of the cards that have just these shapes, the one with the largest cards first."""
    if place(category, own, wants) is None:
        return []
    fitting = [units for units in readings(category, own) if tuple(unit.want for unit in units) == wants]
    return sorted(fitting, key=lambda units: [unit.start for unit in units], reverse=True)


def counts_as_tractor(wants: Sequence[Want]) -> bool:
    """Whether a lead is one tractor, or four equal cards, which stand beside tractors where cards are counted."""
    (width, length), *others = wants
    return not others and (length > 1 or width == 4)


def tractors_of(category: Category, cards: int) -> tuple[Want, ...]:
    """Shapes of that many cards that count as tractors, the widest first."""
    wants = ((width, cards // width) for width in range(category.widest, 1, -1) if cards % width == 0)
    return tuple((width, length) for width, length in wants if length > 1 or width == 4)


def beats(lead: Lead, later: Claim, earlier: Claim) -> bool:
    """Whether a later claim is larger than an earlier one. Equal ones are not: the first played is the larger."""
    profile = lead.order.profile
    if later.category is not earlier.category:
        return later.category.is_trumps
    if not lead.is_throw:
        (later_unit,), (earlier_unit,) = later.units, earlier.units
        return (later_unit.width, later_unit.start) > (earlier_unit.width, earlier_unit.start)
    if profile.throw_compare == "top_card":
        return _highest(later) > _highest(earlier)
    if profile.throw_compare == "highest_class":
        return later.starts[0] > earlier.starts[0]
    if profile.ruff_shape == "exact":
        return any(
            all(unit.start > start for unit, start in zip(units, earlier.starts, strict=True))
            for units in _exact(lead.wants, later.category, later.counts)
        )
    return place(later.category, later.counts, lead.wants, earlier.starts) is not None


def _highest(one: Claim) -> int:
    return max(one.category.rung_of[node] for node, times in enumerate(one.counts) if times)


def check_play(
    before: Sequence[tuple[Player, Sequence[Card]]],
    seat: Player,
    cards: Sequence[Card],
    field: str,
    players: tuple[Player, ...] = tuple(Seat),
) -> Iterator[Finding]:
    """Whether a play comes in turn among `players` and has as many cards as the lead."""
    if not before:
        return
    last, led = before[-1][0], len(before[0][1])
    due = in_turn(players, last)[1]
    if seat is not due:
        yield finding("out_of_turn", f"{field}.seat", before=wording.PLAYERS[last], due=wording.PLAYERS[due])
    if len(cards) != led:
        yield finding("plays_differ", f"{field}.cards", value=led, cards=len(cards), seat=wording.PLAYERS[seat])


def judge_trick(lead: Lead, plays: Sequence[tuple[Player, tuple[Card, ...]]]) -> TrickVerdict:
    """The verdict on the plays in turn, the lead first, with as many cards each.

    Whether they were legal is another question (`following`). Raises Refused `too_large`.
    """
    seat, led = plays[0]
    best, winner = claim_of_lead(lead), seat
    told = [Played(seat, led, LED, lead.units)]
    topics = ["trick.wins"] if lead.wants != (FIVE_TEN_KING,) else ["trick.wins", "cards.510K"]
    for seat, cards in plays[1:]:
        made = claim(lead, cards)
        ruffs = made is not None and made.category is not lead.category
        if made is None:
            part = DISCARDS
            if not lead.category.is_trumps and all(map(lead.order.categories[TRUMPS].node_of.__contains__, cards)):
                topics.append("trick.ruff")
        elif beats(lead, made, best):
            part = BEATS if not ruffs else OVER_RUFFS if best.category.is_trumps else RUFFS
        else:
            part = RUFFS_LOW if ruffs else FOLLOWS
            if made.category is best.category and not beats(lead, best, made):
                topics.append("trick.equal")
        if ruffs:
            topics.append("trick.ruff")
        if part in (OVER_RUFFS, RUFFS_LOW) and lead.is_throw:
            topics.append("trick.over_ruff")
        if made is not None and part in (BEATS, RUFFS, OVER_RUFFS):
            best, winner = made, seat
        told.append(Played(seat, cards, part, lead.units))
    return TrickVerdict(
        winner=winner,
        points=points_of(lead.order.profile, chain.from_iterable([cards for _, cards in plays])),
        plays=tuple(told),
        because=lead.order.cite(tuple(topics)),
    )


def claim_of_lead(lead: Lead) -> Claim:
    return Claim(lead.category, lead.category.of(lead.counts), lead.units)


_SENTENCES: dict[str, Text] = {
    LED: {"en": "{seat} leads {cards}: {shapes}.", "zh": "{seat}家领出 {cards}：{shapes}。"},
    BEATS: {"en": "{seat} plays {cards}: larger.", "zh": "{seat}家出 {cards}，更大。"},
    FOLLOWS: {"en": "{seat} follows with {cards}: not larger.", "zh": "{seat}家跟 {cards}，不大过。"},
    RUFFS: {"en": "{seat} ruffs with {cards}.", "zh": "{seat}家以 {cards} 毙。"},
    OVER_RUFFS: {"en": "{seat} over-ruffs with {cards}.", "zh": "{seat}家以 {cards} 盖毙。"},
    RUFFS_LOW: {"en": "{seat} ruffs with {cards}: not larger.", "zh": "{seat}家以 {cards} 毙，不大过。"},
    DISCARDS: {
        "en": "{seat} plays {cards}: not the shape led, so it cannot win.",
        "zh": "{seat}家出 {cards}，牌型不符，视为垫牌。",
    },
}
