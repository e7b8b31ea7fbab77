"""Throws, or dumps (甩牌): whether one stands against the hands that are known, and what a failed one leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scoring import wording
from scoring.cards.leads import Lead, read_lead
from scoring.cards.order import Category, Counts, Order
from scoring.cards.units import Unit, Want, class_of, place, unit_cards
from scoring.frozen import quickly_made
from scoring.hands.findings import Refused, finding
from scoring.profiles import Profile, Reason
from scoring.values import Card, Shape, Text

#: The opponents of who throws among the other players in turn, where there are two sides.
OPPONENTS = (0, 2)


@quickly_made
@dataclass(frozen=True, slots=True)
class Failure:
    """The smallest part of one class of a throw, beaten by `by`, a player in turn after the thrower (0 the next)."""

    category: Category
    unit: Unit
    by: int
    larger: Unit

    @property
    def cards(self) -> tuple[Card, ...]:
        return unit_cards(self.category, self.unit)

    @property
    def holds(self) -> tuple[Card, ...]:
        """What that player could have beaten it with."""
        return unit_cards(self.category, self.larger)


@dataclass(frozen=True, slots=True)
class Forced:
    """What stays on the table: `must_play`, or one of `options` that the next player names.

    Equal cards that could stay in place of `must_play` are in `equals`; which of them stays is the thrower's choice.
    `known` is False where a hand that is not known could change it.
    """

    must_play: tuple[Card, ...] = ()
    options: tuple[tuple[Card, ...], ...] = ()
    equals: tuple[tuple[Card, ...], ...] = ()
    known: bool = True


@quickly_made
@dataclass(frozen=True, slots=True)
class ThrowVerdict:
    """`stands` is None where the throw cannot be judged without hands that are not known.

    `maybe` are the classes of its parts that such a hand may beat.
    """

    lead: Lead
    stands: bool | None
    failures: tuple[Failure, ...]
    maybe: frozenset[Want] = frozenset()

    @property
    def forced(self) -> Forced | None:
        """What a failed throw leaves."""
        if not self.failures:
            return None
        return forced_small(self.lead, {one.unit.want for one in self.failures}.__contains__, self.maybe.__contains__)

    @property
    def sentence(self) -> Text:
        return _sentence(self.lead.order.profile, self.failures, self.forced, known=self.stands is not None)

    @property
    def because(self) -> tuple[Reason, ...]:
        return self.lead.order.cite(("throw.stands", "throw.forced") if self.failures else ("throw.stands",))


def read_throw(
    order: Order, thrown: Sequence[Card], declared: Sequence[Shape] | None, *, field: str = "thrown"
) -> Lead:
    """What was thrown. Raises Refused as `read_lead` does, and `not_a_throw`."""
    lead = read_lead(order, thrown, declared, field=field)
    if not lead.is_throw:
        raise Refused([finding("not_a_throw", field, profile=order.profile, topic="throw.what")])
    return lead


def judge_throw(lead: Lead, others: Sequence[Sequence[Card] | None]) -> ThrowVerdict:
    """The verdict on a throw against the other hands in turn order; None, or a hand left out, is not known.

    A hand that is not known can hold any card that was not seen; where none of those is larger it does not matter.
    Raises Refused `too_large`.
    """
    return _judged(lead, [None if hand is None else lead.category.count(hand) for hand in others])


def judge_counted(lead: Lead, others: Sequence[Counts | None]) -> ThrowVerdict:
    """As `judge_throw`; the hands are counted by the order of the lead."""
    return _judged(lead, [None if hand is None else lead.category.of(hand) for hand in others])


def _judged(lead: Lead, others: Sequence[Counts | None]) -> ThrowVerdict:
    """The verdict by the cards of the category thrown; the hands are counted in it."""
    category, profile = lead.category, lead.order.profile
    asked = OPPONENTS if profile.throw_checked_against == "opponents" else range(profile.players - 1)
    known = [(i, others[i]) for i in asked if i < len(others)]
    smallest = _smallest_parts(lead)
    failures = []
    for want, unit in smallest.items():
        for i, hand in known:
            holds = None if hand is None else place(category, hand, (want,), (unit.start,))
            if holds is not None:
                (larger,) = holds
                failures.append(Failure(category, unit, i, larger))
                break
    maybe: frozenset[Want] = frozenset()
    if len(known) < len(asked) or any(hand is None for _, hand in known):
        failed = {one.unit.want for one in failures}
        seen = [category.of(lead.counts), *(hand for hand in others if hand is not None)]
        unseen = bytes(max(0, profile.decks - sum(copies)) for copies in zip(*seen, strict=True))
        maybe = frozenset(
            want
            for want, unit in smallest.items()
            if want not in failed and place(category, unseen, (want,), (unit.start,)) is not None
        )
    return ThrowVerdict(lead, False if failures else None if maybe else True, tuple(failures), maybe)


def _smallest_parts(lead: Lead) -> dict[Want, Unit]:
    """The smallest unit of each class of the throw, the lowest class first; the units are there from the highest."""
    smallest: dict[Want, Unit] = {}
    for want, unit in zip(reversed(lead.wants), reversed(lead.units), strict=True):
        known = smallest.get(want)
        if known is None or unit.start <= known.start:
            smallest[want] = unit
    return smallest


def forced_small(lead: Lead, failed: Callable[[Want], bool], maybe: Callable[[Want], bool]) -> Forced:
    """What a failed throw leaves, given the classes that failed and those that may have (at least one failed)."""
    profile = lead.order.profile
    parts = _smallest_parts(lead).values()
    beaten = [unit for unit in parts if failed(unit.want)]
    unsure = [unit for unit in parts if maybe(unit.want) and not failed(unit.want)]
    if profile.forced_small == "next_player":
        known = not unsure
        if len(beaten) > 1:
            return Forced(options=tuple(lead.cards_of(unit) for unit in beaten), known=known)
    else:
        known = all(class_of(unit.want) > class_of(beaten[0].want) for unit in unsure)
    unit = beaten[0]
    equals = dict.fromkeys(
        lead.cards_of(other) for other in lead.units if other.want == unit.want and other.start == unit.start
    )
    equals.pop(lead.cards_of(unit))
    return Forced(must_play=lead.cards_of(unit), equals=tuple(equals), known=known)


_NEXT: Text = {"en": "the next player", "zh": "下家"}
_BEFORE: Text = {"en": "the player before", "zh": "上家"}
_OTHERS: Mapping[tuple[str, int], tuple[Text, ...]] = {
    ("two_teams", 4): (_NEXT, {"en": "the partner", "zh": "对家"}, _BEFORE),
    ("individual", 4): (_NEXT, {"en": "the player opposite", "zh": "对家"}, _BEFORE),
    ("individual", 5): (
        _NEXT,
        {"en": "the second player after", "zh": "下家的下家"},
        {"en": "the second player before", "zh": "上家的上家"},
        _BEFORE,
    ),
}


def _sentence(profile: Profile, failures: Sequence[Failure], forced: Forced | None, *, known: bool) -> Text:
    if forced is None:
        if not known:
            return {
                "en": "Cannot be judged without the hands that are not known: larger cards are still out.",
                "zh": "有未知的手牌，外面还有更大的牌，无法判定。",
            }
        return {"en": "The throw stands: nobody holds a larger part.", "zh": "甩牌成功：没有人有更大的组合。"}
    line, who_else = wording.Lines("The throw fails: ", "甩牌失败："), _OTHERS[profile.game, profile.players]
    for i, one in enumerate(failures):
        who, holds, part = who_else[one.by], wording.cards_named(one.holds), wording.cards_named(one.cards)
        line += wording.Lines(
            f"{'; ' if i else ''}{who['en']} holds {holds['en']} above {part['en']}",
            f"{'；' if i else ''}{who['zh']}有 {holds['zh']}，大过 {part['zh']}",
        )
    if not forced.known:
        line += wording.Lines(
            "; what is forced cannot be judged without the hands that are not known.",
            "；手牌未全，强制出什么无法判定。",
        )
    elif forced.options:
        named = [wording.cards_named(option) for option in forced.options]
        line += wording.Lines(
            f"; the next player names {' or '.join(one['en'] for one in named)}.",
            f"；由下家指定出 {' 或 '.join(one['zh'] for one in named)}。",
        )
    else:
        must = wording.cards_named(forced.must_play)
        line += wording.Lines(f"; {must['en']} must be played.", f"；强制出 {must['zh']}。")
    return line.text()
