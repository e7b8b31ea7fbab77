"""The duty to return a lead (传牌义务), judged from the cards of a record.

It arises once in a hand: the dealer asks with the largest card of the first side suit he leads, and the partner
answers with an agreed card. From then on each lead of the dealer returns the suit, is excused, plays a big card first,
is left to the referee, or breaks the duty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring import wording
from scoring.cards.leads import Lead, read_lead
from scoring.cards.order import Category, Order
from scoring.cards.parsing import largest_reading
from scoring.cards.tricks import DISCARDS, TrickVerdict, judge_trick
from scoring.cards.units import Unit
from scoring.profiles import Reason
from scoring.signals.answers import HELP, read_answer, top_of
from scoring.signals.clauses import cite
from scoring.values import Card, Seat, Text, seat_of, side_of
from scoring.wording import both

READINGS = ("off", "normal", "strict")
USUAL_FINE = 20
EXCUSES = ("void", "pair_or_tractor", "partner_void", "partner_led", "partner_discarded", "points_discarded")

Plays = Sequence[tuple[Seat, tuple[Card, ...]]]

_ASK = {
    "long_suit": (
        both("How many cards of the suit are left, and who still holds which?", "该门还剩几张？哪些牌在谁手中？"),
        both("How does the line chosen set them up?", "所选的打法怎样把它们做大？"),
        both("Would returning the suit have spoiled that?", "传牌会破坏它吗？"),
    ),
    "hand_unknown": (
        both("Show the cards of the suit that were left after the question.", "请出示询问之后该门所剩的牌。"),
        both("Show the burial where a big card depends on it.", "大牌与底牌有关的，请出示底牌。"),
    ),
    "several_cards": (
        both("In which order did the cards lie?", "这几张牌按什么次序放？"),
        both("What does the signal card say of that order?", "信号约定卡上对此次序怎样约定？"),
    ),
    "push": (
        both(
            "What was to be gained by the small card that a big card would not have gained?",
            "推小牌能得到什么，是出大牌得不到的？",
        ),
    ),
    "trick_unfinished": (both("Wait for the end of the trick.", "等这一圈打完。"),),
}


@dataclass(frozen=True, slots=True)
class Position:
    """What the duty is judged from. `hand` are the dealer's cards before the first trick, after burying (None: not
    known), `tricks` the plays in turn, of which the last may be unfinished; `long_suit` says that the dealer told the
    referee of a long suit."""

    order: Order
    dealer: Seat
    direct: Collection[str]
    hand: tuple[Card, ...] | None
    tricks: Sequence[Plays]
    buried: tuple[Card, ...] = ()
    long_suit: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    """The cards that prove an excuse: of whom, in which trick from 1 (None: what was left in hand)."""

    code: str
    seat: Seat
    cards: tuple[Card, ...]
    trick: int | None = None

    @property
    def text(self) -> Text:
        seat, cards = wording.SEATS[self.seat], wording.cards_named(self.cards)
        if not self.cards:
            return both(f"{seat['en']} has no card of the suit left.", f"{seat['zh']}家该门已断。")
        if self.trick is None:
            return both(f"{seat['en']} holds {cards['en']} of the suit.", f"{seat['zh']}家该门还有：{cards['zh']}。")
        return both(
            f"Trick {self.trick}: {seat['en']} plays {cards['en']}.",
            f"第 {self.trick} 圈：{seat['zh']}家出 {cards['zh']}。",
        )


@dataclass(frozen=True, slots=True)
class Duty:
    """`duty` is none, open, fulfilled, excused, breach or judgement. Tricks are counted from 1; `suit` is the side suit
    asked about, `fine` in points for the attackers, `push` says of a small card led without a signal whether it was
    reasonable, `ask` are questions for the referee."""

    duty: str
    because: tuple[Reason, ...]
    reason: str | None = None
    suit: str | None = None
    asked_in: int | None = None
    by_trick: int | None = None
    proofs: tuple[Proof, ...] = ()
    fine: int | None = None
    push: str | None = None
    ask: tuple[Text, ...] = ()

    @property
    def excused_by(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(proof.code for proof in self.proofs))


def return_duty(position: Position, *, reading: str = "off", fine: int = USUAL_FINE) -> Duty:
    """Whether the dealer owes the return, and what became of it. Raises Refused where a lead is none."""
    if reading == "off":
        return Duty("none", cite("return"), "not_required")
    return _Judge(position, reading == "strict", fine).duty()


class _Judge:
    def __init__(self, position: Position, strict: bool, fine: int) -> None:
        self.at, self.strict, self.fine = position, strict, fine
        self.order, self.dealer, self.partner = position.order, position.dealer, position.dealer.partner

    @cached_property
    def leads(self) -> list[tuple[int, Lead]]:
        """The dealer's leads, by trick from 0."""
        return [
            (number, read_lead(self.order, trick[0][1], field=f"tricks[{number}]"))
            for number, trick in enumerate(self.at.tricks)
            if trick and trick[0][0] is self.dealer
        ]

    def duty(self) -> Duty:
        suit = next((lead.category for _, lead in self.leads if not lead.category.is_trumps), None)
        if suit is None:
            return Duty("none", cite("return.first_suit"), "no_side_lead")
        for number, lead in self.leads:
            if lead.category is not suit:
                continue
            if lead.size > 1:
                return Duty("judgement", cite("question"), "several_cards", suit.name, ask=_ASK["several_cards"])
            if not top_of(suit).isdisjoint(lead.cards):
                return self._asked(number, suit)
        return Duty("none", cite("question"), "no_question", suit.name)

    def _asked(self, asked: int, suit: Category) -> Duty:
        """The largest card was led in trick `asked`: what the partner said, and what follows."""
        trick = self.at.tricks[asked]
        answer = next((cards for seat, cards in trick if seat is self.partner), None)
        if answer is None:
            return Duty("open", cite("return"), suit=suit.name, asked_in=asked + 1)
        said = read_answer(self.order, trick[0][1], answer, self.at.direct)
        if said.shows != HELP:
            return self._not_answered(asked, suit, said.because)
        for number, lead in self.leads:
            if number > asked:
                settled = self._settled(asked, suit, number, lead)
                if settled is not None:
                    return settled
        return self._waiting(asked, suit)

    def _not_answered(self, asked: int, suit: Category, because: tuple[Reason, ...]) -> Duty:
        """No duty; a small card of the suit led all the same is a push."""
        later = ((n, lead) for n, lead in self.leads if n > asked and lead.category is suit)
        number, lead = next(later, (None, None))
        if number is None or lead is None or lead.size > 1 or not top_of(suit).isdisjoint(lead.cards):
            return Duty("none", because, "no_signal", suit.name, asked + 1)
        left = self._left(asked + 1, suit)
        push = "reasonable" if left is not None and len(left) == 1 else "judgement"
        ask = _ASK["push"] if push == "judgement" else ()
        because += cite("push")
        return Duty("none", because, "no_signal", suit.name, asked + 1, number + 1, push=push, ask=ask)

    def _settled(self, asked: int, suit: Category, number: int, lead: Lead) -> Duty | None:
        """What a lead after the question makes of the duty; None while it goes on."""

        def told(duty: str, because: tuple[Reason, ...], **more: object) -> Duty:
            known = {"suit": suit.name, "asked_in": asked + 1, "by_trick": number + 1}
            return Duty(duty, because, **known, **more)  # type: ignore[arg-type]

        if lead.category is suit:
            return told("fulfilled", cite("return"))
        proofs = tuple(self._proofs(asked, suit, number))
        if proofs:
            return told("excused", _excusing(proofs), proofs=proofs)
        if self.at.long_suit:
            return told("judgement", cite("return.long_suit"), reason="long_suit", ask=_ASK["long_suit"])
        if self.at.hand is None:
            return told("judgement", cite("return"), reason="hand_unknown", ask=_ASK["hand_unknown"])
        big = False if lead.category.is_trumps else self._is_big(asked, number, lead)
        if big is None:
            because = cite("return.big_first")
            return told("judgement", because, reason="trick_unfinished", ask=_ASK["trick_unfinished"])
        if big:
            return None
        because = cite("return", "return.big_first") + (cite("return.strict") if self.strict else ())
        return told("breach", because + cite("return.fine"), fine=self.fine)

    def _waiting(self, asked: int, suit: Category) -> Duty:
        """The dealer has not led again: what holds now excuses, else the return is still owed."""
        proofs = tuple(self._proofs(asked, suit, len(self.at.tricks)))
        if proofs:
            return Duty("excused", _excusing(proofs), suit=suit.name, asked_in=asked + 1, proofs=proofs)
        return Duty("open", cite("return"), suit=suit.name, asked_in=asked + 1)

    # Excuses

    def _left(self, before: int, suit: Category) -> tuple[Card, ...] | None:
        """The dealer's cards of a suit that are left before a trick; None where his cards are not known."""
        if self.at.hand is None:
            return None
        held = Counter(card for card in self.at.hand if self.order.category(card) is suit)
        for number in range(min(before, len(self.at.tricks))):
            held.subtract(card for card in self._by(number, self.dealer) if card in held)
        return tuple(held.elements())

    def _proofs(self, asked: int, suit: Category, before: int) -> Iterator[Proof]:
        """Every excuse that holds before the trick of that number, with the cards that prove it."""
        left = self._left(asked + 1, suit)
        if left is not None and not self._left(before, suit):
            yield Proof("void", self.dealer, ())
        elif left and self._is_pair_or_tractor(suit, left):
            yield Proof("pair_or_tractor", self.dealer, left)
        for code, found in (
            ("partner_void", self._partner_void),
            ("partner_led", self._partner_led),
            ("partner_discarded", self._partner_discarded),
            ("points_discarded", self._points_discarded),
        ):
            for number in range(min(before, len(self.at.tricks))):
                proof = found(code, number, suit)
                if proof is not None:
                    yield proof
                    break

    def _is_pair_or_tractor(self, suit: Category, left: tuple[Card, ...]) -> bool:
        units = largest_reading(suit, suit.of(self.order.count(left)))
        return len(units) == 1 and units[0].width == 2

    def _led(self, number: int) -> Category:
        (_, (card, *_)), *_ = self.at.tricks[number]
        return self.order.category(card)

    def _by(self, number: int, seat: Seat) -> tuple[Card, ...]:
        return next((cards for one, cards in self.at.tricks[number] if one is seat), ())

    def _partner_void(self, code: str, number: int, suit: Category) -> Proof | None:
        led, cards = self._led(number), self._by(number, self.partner)
        if led.is_trumps or led is suit or all(self.order.category(card) is led for card in cards):
            return None
        return Proof(code, self.partner, cards, number + 1)

    def _partner_led(self, code: str, number: int, suit: Category) -> Proof | None:
        trick = self.at.tricks[number]
        if len(trick) < len(Seat) or self._verdict(number).winner is not self.partner:
            return None
        return Proof(code, self.partner, self._by(number, self.partner), number + 1)

    def _partner_discarded(self, code: str, number: int, suit: Category) -> Proof | None:
        thrown = tuple(card for card in self._by(number, self.partner) if self.order.category(card) is suit)
        if not thrown or self._led(number) is suit:
            return None
        return Proof(code, self.partner, thrown, number + 1)

    def _points_discarded(self, code: str, number: int, suit: Category) -> Proof | None:
        led = self._led(number)
        for played in self._verdict(number).plays:
            if played.part != DISCARDS or side_of(played.seat) is self.dealer.side:
                continue
            thrown = tuple(card for card in played.cards if card.points and self.order.category(card) is not led)
            if thrown:
                return Proof(code, seat_of(played.seat), thrown, number + 1)
        return None

    def _verdict(self, number: int) -> TrickVerdict:
        trick = self.at.tricks[number]
        return judge_trick(read_lead(self.order, trick[0][1], field=f"tricks[{number}]"), list(trick))

    # Big cards first

    def _is_big(self, asked: int, number: int, lead: Lead) -> bool | None:
        """Whether every part of a lead may be played before the return; None while the trick does not tell."""
        verdicts = [self._is_big_part(asked, number, lead, unit) for unit in lead.units]
        return False if False in verdicts else None if None in verdicts else True

    def _is_big_part(self, asked: int, number: int, lead: Lead, unit: Unit) -> bool | None:
        if unit.length > 1:
            return True
        if self._is_certain(lead.category, unit, asked if self.strict else number):
            return True
        if self.strict:
            return False
        trick = self.at.tricks[number]
        others = [cards for seat, cards in trick if seat.side is not self.dealer.side]
        if any(self._beaten_by(lead.category, unit, cards) for cards in others):
            return False
        return True if len(trick) == len(Seat) else None

    def _is_certain(self, suit: Category, unit: Unit, before: int) -> bool:
        """Whether nobody else could hold as many equal cards of a higher rank, as the dealer sees it before a trick."""
        assert self.at.hand is not None
        seen = Counter((*self.at.hand, *self.at.buried))
        for trick in self.at.tricks[:before]:
            for seat, cards in trick:
                if seat is not self.dealer:
                    seen.update(cards)
        decks = self.order.profile.decks
        higher = (suit.faces[node] for rung in suit.nodes[unit.top + 1 :] for node in rung)
        return all(decks - seen[card] < unit.width for card in higher)

    def _beaten_by(self, suit: Category, unit: Unit, cards: Sequence[Card]) -> bool:
        """Whether a play has as many equal cards of a higher rank of that suit."""
        times = Counter(card for card in cards if self.order.category(card) is suit)
        return any(count >= unit.width and self.order.place[card].rung > unit.top for card, count in times.items())


def _excusing(proofs: Sequence[Proof]) -> tuple[Reason, ...]:
    return cite(*dict.fromkeys(f"return.{proof.code}" for proof in proofs))
