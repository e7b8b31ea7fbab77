"""The auction (叫主): who may declare, reinforce, counter, take the kitty, bury and rebel, when, and what comes of it.

A pure state machine: `step(auction, act)` gives the next state or raises Refused with every reason at once;
`problems(auction, act)` gives the reasons alone, `allowed(auction)` what a form may offer.

Only what is entered counts. A record seldom holds every pass: unless it says that it is complete, an act that could
only follow passes or a burial takes them as made. What was entered is never taken back: who passed has passed, and a
window that all have passed is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring import wording
from scoring.cards import duplicate
from scoring.cards.auction_checks import CHECKS, check_rebel_place
from scoring.cards.auction_state import (
    ACTS,
    NO_TRUMP_LEVEL,
    Act,
    Auction,
    Deal,
    Stage,
    around,
    asked,
    is_contested,
    level_for,
    parted,
    strength_against,
    turn,
)
from scoring.cards.bids import Bid, candidates, counters_of, kind_of, reinforced, trump_of
from scoring.cards.declaring import ACTS as ACTS_IN_TURN
from scoring.cards.flip import flip
from scoring.cards.in_turn import begun, check_in_turn, implied_in_turn, told
from scoring.frozen import replace
from scoring.hands.findings import Finding, Refused, finding
from scoring.profiles import Reason
from scoring.values import FLAG, Card, Seat, Trump


@dataclass(frozen=True, slots=True)
class Offer:
    """One act that a player may make now, with each set of cards it may be made with (none: no cards are shown)."""

    by: Seat | None
    act: str
    cards: tuple[tuple[Card, ...], ...] = ()

    def to_json(self) -> dict[str, Any]:
        by = None if self.by is None else self.by.value
        return {"by": by, "act": self.act, "cards": [[str(card) for card in cards] for cards in self.cards]}


#: Acts that find the trumps.
_DECIDING = ("declare", "reinforce", "counter", "pass", "flip", "name")


def begin(deal: Deal) -> Auction:
    """The state before the first card is drawn; where the trumps are set, at a level of no-trump and at the flag nobody
    declares."""
    start = Auction(deal, deal.level, deal.dealer)
    if deal.level == FLAG:
        return replace(start, stage=Stage.PLAY, trump=Trump.NT, because=deal.profile.cite("flag"))
    if deal.level == NO_TRUMP_LEVEL:
        return _to_kitty(replace(start, trump=Trump.NT, because=deal.profile.cite("after_A")))
    if deal.fixed_trump is not None:
        return _to_kitty(replace(start, trump=deal.fixed_trump, because=duplicate.cite("fixed", "prescribed")))
    return begun(start) if deal.in_turn else start


def step(auction: Auction, act: Act) -> Auction:
    """The state after `act`; Refused with every problem when it may not be made."""
    auction, found = _judge(auction, act)
    if found:
        raise Refused(found)
    return _done(auction, act)


def _done(auction: Auction, act: Act) -> Auction:
    """The state after an act that may be made."""
    if auction.stage is not Stage.IN_TURN:
        return _DOING[act.act](auction, act)
    auction = told(auction, act)
    return auction if auction.due is not None else _to_kitty(auction)


def problems(auction: Auction, act: Act) -> tuple[Finding, ...]:
    """Why `act` may not be made now; empty when it may."""
    return _judge(auction, act)[1]


def _judge(auction: Auction, act: Act) -> tuple[Auction, tuple[Finding, ...]]:
    """The state in which `act` is made, after passes and burials that it implies, and what speaks against it."""
    if act.act not in ACTS:
        choices = {"en": ", ".join(ACTS), "zh": "、".join(ACTS)}
        return auction, (finding("unknown_value", "act", value=wording.shown(act.act), choices=choices),)
    if act.by is None and act.act != "flip":
        return auction, (finding("missing", "by"),)
    if auction.stage is Stage.REDEAL:
        return auction, (finding("auction_over", "act"),)
    auction = _implied(auction, act)
    return auction, tuple(_checks(auction, act))


def _checks(auction: Auction, act: Act) -> Iterator[Finding]:
    """What speaks against an act in this state."""
    if auction.deal.fixed_trump is not None and act.act in _DECIDING:
        return iter([duplicate.nothing_to_decide()])
    in_turn = auction.stage is Stage.IN_TURN or (bool(auction.told) and act.act in ACTS_IN_TURN)
    return (check_in_turn if in_turn else CHECKS[act.act])(auction, act)


def _offers(auction: Auction) -> Iterator[Offer]:
    for seat in around(turn(auction) or auction.dealer or auction.deal.first_drawer or Seat.N):
        for name in ("declare", "reinforce", "counter"):
            shown = tuple(cards for cards in _shows(auction, seat, name) if _is_open(auction, _act(name, seat, cards)))
            if shown:
                yield Offer(seat, name, shown)
        for name in ("pass", "take_kitty", "bury", "name"):
            if _is_open(auction, Act(name, seat, names=Trump.S)):
                yield Offer(seat, name)
        if next(check_rebel_place(auction, seat), None) is None:
            yield Offer(seat, "rebel")
    if auction.stage is Stage.TURNING and auction.profile.no_declare != "partner_names":
        yield Offer(None, "flip")


def _is_open(auction: Auction, act: Act) -> bool:
    """Whether nothing speaks against an act; stops at the first thing that does."""
    if auction.stage is Stage.IN_TURN:
        return act.by is auction.due and next(_checks(auction, act), None) is None
    auction = _implied(auction, act)
    if act.act == "pass" and auction.stage in (Stage.EARLY, Stage.LATE) and act.by not in tuple(asked(auction)):
        return False
    return act.by not in auction.passed and next(CHECKS[act.act](auction, act), None) is None


def allowed(auction: Auction) -> tuple[Offer, ...]:
    """What may be done now, seat by seat from the one whose turn it is; for forms."""
    return () if auction.stage is Stage.REDEAL else tuple(_offers(auction))


def _act(name: str, seat: Seat, cards: tuple[Card, ...]) -> Act:
    """An act for trying out; whatever asks for a suit gets one."""
    return Act(name, seat, cards, names=Trump.S)


def _shows(auction: Auction, seat: Seat, name: str) -> Iterator[tuple[Card, ...]]:
    """Sets of cards worth trying: none where cards are not what the act hangs on."""
    if name == "reinforce":
        if auction.declaration is not None and auction.declaration.by is seat:
            yield auction.declaration.cards[:1]
        return
    if (name == "declare") is bool(auction.bids) or auction.flipped:
        return
    level = level_for(auction, seat)
    if level is not None:
        yield from candidates(auction.profile, level)


def _implied(auction: Auction, act: Act) -> Auction:
    """The state with the end of drawing, passes and burials that must have gone before `act`, where none is against."""
    if auction.stage is Stage.IN_TURN:
        auction = implied_in_turn(auction, act)
        return auction if auction.due is not None else _to_kitty(auction)
    if auction.stage is Stage.DRAWING and not _is_drawing_act(auction, act):
        auction = _after_drawing(auction)
    if auction.deal.complete:
        return auction
    if auction.stage is Stage.ASKING and act.act in ("flip", "name"):
        auction = replace(auction, stage=Stage.TURNING, passed=())
    if auction.stage is Stage.EARLY and act.act in ("take_kitty", "bury", "rebel"):
        auction = _to_kitty(auction)
    if auction.stage is Stage.KITTY and auction.holder is not None:
        others = act.act == "rebel" or (act.act == "counter" and (auction.taken or bool(auction.buried)))
        if others and act.by is not auction.holder:
            auction = _after_burial(auction, auction.holder)
    if auction.stage is Stage.LATE and act.act == "rebel":
        auction = replace(auction, stage=Stage.PLAY)
    return auction


def _is_drawing_act(auction: Auction, act: Act) -> bool:
    return act.act in ("declare", "reinforce") or (act.act == "counter" and auction.profile.counter_while_drawing)


def _after_drawing(auction: Auction) -> Auction:
    """All cards are drawn: ask for a declaration, or for counters, or go to the kitty."""
    if not auction.bids:
        return replace(auction, stage=Stage.ASKING)
    if _has_early_window(auction):
        return _closed_if_none(replace(auction, stage=Stage.EARLY))
    auction = _to_kitty(auction)
    return auction if auction.deal.complete else replace(auction, taken=True)


def _has_early_window(auction: Auction) -> bool:
    profile = auction.profile
    return bool(counters_of(profile)) and (profile.early_counter or auction.deal.first_hand)


def _to_kitty(auction: Auction) -> Auction:
    """Countering before the kitty is over: the dealer takes it, where there is one."""
    if not auction.profile.kitty_cards:
        return replace(auction, stage=Stage.PLAY, passed=())
    return replace(auction, stage=Stage.KITTY, holder=auction.dealer, passed=())


def _after_burial(auction: Auction, by: Seat | None) -> Auction:
    buried = auction.buried if by is None else (*auction.buried, by)
    profile, first = auction.profile, auction.deal.first_hand
    again = (
        bool(counters_of(profile))
        and profile.late_counter
        and not auction.flipped
        and not auction.told
        and (profile.first_hand_late_counter or not first)
    )
    again = again and bool(auction.bids)
    stage = Stage.LATE if again else Stage.PLAY
    state = replace(auction, stage=stage, holder=None, taken=False, buried=buried, passed=())
    return _closed_if_none(state)


def _closed_if_none(auction: Auction) -> Auction:
    """Close the window when nobody is left to ask (窗口关闭)."""
    if auction.stage not in (Stage.EARLY, Stage.LATE) or turn(auction) is not None:
        return auction
    if auction.stage is Stage.EARLY:
        return _to_kitty(auction)
    return replace(auction, stage=Stage.PLAY, passed=())


def _cite(auction: Auction, *topics: str) -> tuple[Reason, ...]:
    told = {reason.clause.id for reason in auction.because}
    said = (reason for topic in topics for reason in auction.profile.cite(topic))
    return auction.because + tuple(reason for reason in said if reason.clause.id not in told)


def _declare(auction: Auction, act: Act) -> Auction:
    assert act.by is not None
    profile, level = auction.profile, level_for(auction, act.by)
    assert level is not None
    core, jokers = parted(auction, act.cards)
    kind = kind_of(profile, level, core)
    trump = trump_of(core, kind, act.names)
    assert trump is not None
    bid = Bid(act.by, core, trump, reinforced(profile, level, core), jokers)
    dealer, topics = auction.dealer, ["declare"]
    if is_contested(auction):
        dealer = act.by
        topics.append("declare.first_hand")
    elif level != auction.level or (
        profile.joker_declare != "none" and dealer is not None and act.by.side is not dealer.side
    ):
        dealer = act.by
        topics.append("joker_declare")
    if len(core) > 1:
        topics.append("declare.reinforce" if trump is not Trump.NT else "declare.no_trump")
    # asked for a declaration all have drawn: what follows are counters
    stage = Stage.DRAWING
    if auction.stage is Stage.ASKING:
        stage = Stage.EARLY if _has_early_window(auction) else Stage.KITTY
    state = replace(
        auction,
        level=level,
        dealer=dealer,
        stage=stage,
        trump=trump,
        bids=(bid,),
        passed=(),
        because=_cite(auction, *topics),
    )
    return _to_kitty(state) if stage is Stage.KITTY else _closed_if_none(state)


def _reinforce(auction: Auction, act: Act) -> Auction:
    bid = auction.declaration
    assert bid is not None
    cards = bid.cards + act.cards
    stronger = replace(bid, cards=cards, strength=reinforced(auction.profile, auction.level, cards))
    return replace(auction, bids=(stronger,), because=_cite(auction, "declare.reinforce", "counter.reinforced"))


def _counter(auction: Auction, act: Act) -> Auction:
    assert act.by is not None
    standing = auction.standing
    assert standing is not None
    core, jokers = parted(auction, act.cards)
    kind = kind_of(auction.profile, auction.level, core)
    assert kind is not None
    strength = strength_against(auction, act.by, core, kind)
    named = trump_of(core, kind, act.names)
    assert named is not None
    in_order = strength > standing.strength
    late = auction.stage is Stage.LATE
    bid = Bid(act.by, core, named, strength, jokers, late=late, in_order=in_order)
    topics = ["counter.what", "counter.order"]
    dealer, holder, stage = auction.dealer, None, auction.stage
    if late:
        stage, holder = Stage.KITTY, act.by
        topics.append("counter.late")
    elif auction.deal.first_hand and auction.deal.dealer is None and in_order:
        dealer = act.by
    state = replace(
        auction,
        dealer=dealer,
        stage=stage,
        trump=named if in_order else auction.trump,
        bids=(*auction.bids, bid),
        passed=(),
        holder=holder,
        taken=False,
        because=_cite(auction, *topics),
    )
    return _closed_if_none(state)


def _pass(auction: Auction, act: Act) -> Auction:
    assert act.by is not None
    order = around(auction.deal.first_drawer or auction.dealer or Seat.N)
    if auction.stage in (Stage.EARLY, Stage.LATE):
        order = tuple(asked(auction))
    # without a complete record whoever was to be asked before has passed too
    before = order[: order.index(act.by)] if act.by in order and not auction.deal.complete else ()
    known = auction.stage is not Stage.ASKING or auction.deal.first_drawer is not None or auction.dealer is not None
    passed = (*auction.passed, *(seat for seat in (*(before if known else ()), act.by) if seat not in auction.passed))
    auction = replace(auction, passed=passed)
    if auction.stage is not Stage.ASKING:
        return _closed_if_none(auction)
    if len(auction.passed) < len(Seat):
        return auction
    if is_contested(auction) and auction.profile.no_declare_first == "redeal":
        return replace(auction, stage=Stage.REDEAL, passed=(), because=_cite(auction, "flip.first_hand"))
    return replace(auction, stage=Stage.TURNING, passed=(), because=_cite(auction, "declare.asked"))


def _take(auction: Auction, act: Act) -> Auction:
    dealer = auction.dealer or act.by
    return replace(auction, taken=True, dealer=dealer, holder=act.by, because=_cite(auction, "kitty.bury"))


def _bury(auction: Auction, act: Act) -> Auction:
    state = _after_burial(replace(auction, dealer=auction.dealer or act.by), act.by)
    return replace(state, because=_cite(auction, "kitty.bury"))


def _flip(auction: Auction, act: Act) -> Auction:
    contested = is_contested(auction)
    said = flip(auction.profile, auction.level, act.cards, first_hand=contested)
    first, dealer = auction.deal.first_drawer, auction.dealer
    if contested and first is not None and said.dealer_place is not None:
        dealer = around(first)[said.dealer_place]
    told = {reason.clause.id for reason in auction.because}
    because = auction.because + tuple(reason for reason in said.because if reason.clause.id not in told)
    state = replace(auction, trump=said.trump, dealer=dealer, flipped=act.cards, because=because)
    return _to_kitty(state)


def _name(auction: Auction, act: Act) -> Auction:
    return _to_kitty(replace(auction, trump=act.names, because=_cite(auction, "flip.trump")))


def _rebel(auction: Auction, act: Act) -> Auction:
    because = _cite(auction, "rebellion", "rebellion.proof", "rebellion_redeal")
    return replace(auction, stage=Stage.REDEAL, rebel=act.by, because=because)


_DOING: Mapping[str, Callable[[Auction, Act], Auction]] = {
    "declare": _declare,
    "reinforce": _reinforce,
    "counter": _counter,
    "pass": _pass,
    "take_kitty": _take,
    "bury": _bury,
    "flip": _flip,
    "name": _name,
    "rebel": _rebel,
}


def play_out(auction: Auction, acts: Sequence[Act]) -> tuple[Auction, tuple[tuple[int, Finding], ...]]:
    """The state after all acts in order, and what was refused with the number of its act; a refused act is left out."""
    refused: list[tuple[int, Finding]] = []
    for i, act in enumerate(acts):
        state, found = _judge(auction, act)
        if found:
            refused += [(i, one) for one in found]
        else:
            auction = _done(state, act)
    return auction, tuple(refused)
