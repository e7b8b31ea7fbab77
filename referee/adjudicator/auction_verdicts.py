"""What is said of the auction: whether a counter may be made, and what the kitty turns up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scoring import wording
from scoring.cards.auction_state import Act, Deal
from scoring.cards.countering import counters_on, declaration, judge_counter, standing
from scoring.cards.flip import check_flip, judge_flip
from scoring.values import RANKS, Seat, Trump, seat_of

from .questions import COUNTERS
from .verdicts import (
    BAD,
    CATEGORIES,
    DECIDING,
    DIM,
    OK,
    PLAIN,
    Placed,
    Reading,
    Verdict,
    marked,
    reasons,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoring.cards.auction_state import Auction
    from scoring.values import Card, Text

    from .cases import Case


# --- may this counter be made ---


def is_declaration(case: Case) -> bool:
    """Whether the cards on the table are what a declaration shows: level cards of one suit, jokers beside them or not.

    A level without cards of its own is left to the kernel.
    """
    shown, level = set(_declared(case)), case.get("level")
    return bool(shown) and (level not in RANKS or (len(shown) == 1 and shown.pop().rank == level))


def _declared(case: Case) -> list[Card]:
    """The cards that declare; a joker beside them says nothing of the suit."""
    return [card for card in case.cards("declared") if not card.is_joker]


def counter(case: Case) -> Verdict:
    auction, act = _auction_asked(case)
    verdict = judge_counter(auction, act)
    declared, *counters = auction.bids
    by, cards = wording.SEATS[declared.by], wording.cards_named(case.cards("declared"))
    told = [(say(f"{by['en']} declared {cards['en']}.", f"{by['zh']}家亮 {cards['zh']}。"), "declare")]
    shown = [(declared.by, case.cards("declared"), say("declared", "亮主"))]
    for name, bid in zip(_counters(case), counters, strict=True):
        who, cards = wording.SEATS[bid.by], wording.cards_named(case.cards(name))
        told.append(
            (say(f"{who['en']} countered with {cards['en']}.", f"{who['zh']}家反 {cards['zh']}。"), "counter.what")
        )
        shown.append((bid.by, case.cards(name), say("countered", "反主")))
    lines = [Reading(text, case.profile.topics.get(topic)) for text, topic in told]
    clauses = case.profile.clauses
    lines += [Reading(dict(one.message), clauses.get(one.clause or "")) for one in verdict.problems]
    seen = {line.clause.id for line in lines if line.clause is not None} if verdict.problems else set()
    lines += [Reading(one.clause.text, one.clause) for one in verdict.because if one.clause.id not in seen]
    assert act.by is not None
    who, cards = wording.SEATS[act.by], wording.cards_named(act.cards)
    tone, headline, word = OK, say("The counter may be made.", "可以反。"), say("may counter", "可以反")
    if verdict.problems:
        tone, headline, word = (
            BAD,
            say("The counter may not be made.", "不可以反。"),
            say("may not counter", "不可以反"),
        )
    return Verdict(
        case.kind,
        tone,
        headline,
        (say(f"{who['en']} shows {cards['en']}.", f"{who['zh']}家亮出 {cards['zh']}。"),),
        tuple(lines),
        tuple(_bids_placed([*shown, (act.by, act.cards, word)], DECIDING if verdict.allowed else DIM)),
        answer=verdict,
    )


def _counters(case: Case) -> list[str]:
    """The counters before the one in question that were filled in."""
    return [name for name in COUNTERS if case.get(name)]


def _auction_asked(case: Case) -> tuple[Auction, Act]:
    """The auction as it stands before the counter in question, and that counter. Raises Refused."""
    profile, reader = case.profile, case.reader()
    level = reader.level("level", profile, required=True)
    by, names = reader.choice("by", Seat), reader.choice("names", Trump)
    declared_by = reader.choice("declared_by", Seat) or Seat.S
    acts = [
        (name, Act("counter", reader.choice(f"{name}_by", Seat) or Seat.E, case.cards(name)))
        for name in _counters(case)
    ]
    reader.refuse_if_any()
    assert level is not None
    shown = _declared(case)
    declared = declaration(profile, level, declared_by, shown[0].suit, strong=len(shown) > 1)
    bids = counters_on(profile, level, declared, acts, reader.findings)
    reader.refuse_if_any()
    dealer = None if case.dealer is None else seat_of(case.dealer)
    deal = Deal(profile, level, dealer, first_hand=bool(case.get("first")))
    auction = standing(deal, bids, after_burial=True if case.get("buried") else None)
    return auction, Act("counter", by or Seat.E, case.cards("cards"), names)


def _bids_placed(shown: Sequence[tuple[Seat, tuple[Card, ...], Text]], final: str) -> Iterable[Placed]:
    """Who showed what; a player who bid twice is drawn with the last bid, the one in question in the state `final`."""
    last = {seat: number for number, (seat, _, _) in enumerate(shown, 1)}
    for number, (seat, cards, note) in enumerate(shown, 1):
        if last[seat] == number:
            state = final if number == len(shown) else ""
            yield Placed(seat, tuple((str(card), state) for card in cards), number, note)


# --- what the kitty turns up ---


#: By the place in the order of drawing.
_DRAWERS: Final[Sequence[Text]] = (
    {"en": "who draws first", "zh": "先抓牌的玩家"},
    {"en": "who draws second", "zh": "第二个抓牌的玩家"},
    {"en": "who draws third", "zh": "第三个抓牌的玩家"},
    {"en": "who draws fourth", "zh": "第四个抓牌的玩家"},
)


def flip(case: Case) -> Verdict:
    profile, kitty, first = case.profile, case.cards("kitty"), bool(case.get("first"))
    reader = case.reader()
    level = reader.level("level", profile, required=True)
    reader.findings += check_flip(profile, kitty, first_hand=first, field="kitty")
    reader.refuse_if_any()
    assert level is not None
    said = judge_flip(profile, level, kitty, first_hand=first, field="kitty")
    if said.redeal:
        headline = say("The hand is dealt again; nothing is turned.", "重新发牌，不翻底。")
        lines = reasons(case, said.because, ())
        return Verdict(case.kind, BAD, headline, (), lines, row=marked(kitty, ()), answer=said)
    assert said.trump is not None
    suit = CATEGORIES.get(said.trump)
    headline = (
        say("No-trump.", "打无主。")
        if suit is None
        else say(f"{suit['en'].capitalize()} are trumps.", f"主牌为{suit['zh']}。")
    )
    then = []
    if said.dealer_place is not None:
        place = _DRAWERS[said.dealer_place]
        then.append(say(f"The dealer is {place['en']}.", f"由{place['zh']}坐庄。"))
    turned = said.turned
    card = wording.cards_named(kitty[turned - 1 : turned])
    told = [
        (
            say(f"Card {turned} turned, {card['en']}, settles it.", f"翻到第 {turned} 张 {card['zh']} 为止。"),
            "flip.trump",
        )
    ]
    row = tuple((str(one), DECIDING if i == turned else DIM if i > turned else "") for i, one in enumerate(kitty, 1))
    return Verdict(case.kind, PLAIN, headline, tuple(then), reasons(case, said.because, told), row=row, answer=said)
