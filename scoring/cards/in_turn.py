"""Declaring in turn (依次亮主) as a part of the auction: the partner of the dealer first, then in playing order.

`scoring.cards.declaring` has the rules; here its state is one of the auction, so that records, forms and the simulator
know one auction. Passes that a record leaves out are taken as made, unless it writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scoring.cards.auction_checks import check_rebel_place, check_shown
from scoring.cards.auction_state import Act, Auction, Stage, refusal
from scoring.cards.bids import Bid, strength_of, suit_shown
from scoring.cards.declaring import ACTS, Declaring, declare_in_turn
from scoring.hands.findings import Finding
from scoring.values import Seat

_AFTER = ("take_kitty", "bury", "rebel")


def begun(start: Auction) -> Auction:
    """The state before anybody has spoken: the partner of the dealer is to."""
    return _as_told(replace(start, stage=Stage.IN_TURN))


def told(auction: Auction, act: Act) -> Auction:
    """The state after an act that nothing speaks against; nobody is due when it has settled the suit."""
    return _as_told(replace(auction, told=(*auction.told, act)))


def _declaring(auction: Auction) -> Declaring:
    assert auction.deal.dealer is not None
    return declare_in_turn(auction.profile, auction.level, auction.deal.dealer, auction.told)


def _as_told(auction: Auction) -> Auction:
    state = _declaring(auction)
    bids, passed = list[Bid](), list[Seat]()
    for act in auction.told:
        assert act.by is not None
        if act.act == "pass":
            passed.append(act.by)
        elif act.act != "name":
            strength = strength_of(auction.profile, auction.level, act.cards)
            assert strength is not None
            bids.append(Bid(act.by, act.cards, suit_shown(act.cards), strength))
            passed.clear()
    return replace(
        auction,
        bids=tuple(bids),
        passed=tuple(passed),
        trump=state.trump,
        due=state.turn,
        because=tuple(state.because),
    )


def implied_in_turn(auction: Auction, act: Act) -> Auction:
    """The state with the passes that must have gone before `act`, where the record writes none of them.

    Before cards are shown or a pass is made those of the players in between; before the suit is named, or the kitty
    taken, those of all who are left.
    """
    if auction.deal.complete or auction.deal.in_order:
        return auction
    if act.act == "name" or act.act in _AFTER:
        return _passed_on(auction, None)
    return auction if act.by is None else _passed_on(auction, act.by)


def _passed_on(auction: Auction, to: Seat | None) -> Auction:
    """With passes until it is that player's turn, else until nobody is left to pass; as it is where none comes."""
    passed = auction
    for _ in Seat:
        if passed.due is None or passed.naming or passed.due is to:
            break
        passed = told(passed, Act("pass", passed.due))
    return passed if to is None or passed.due is to else auction


def check_in_turn(auction: Auction, act: Act) -> Iterator[Finding]:
    """What speaks against an act while all declare in turn."""
    if act.act in ACTS:
        state = _declaring(auction)
        state.act(1, act)
        yield from (found for _, found in state.problems)
        if act.cards and not state.problems:
            yield from check_shown(auction, act)
    elif act.act == "reinforce":
        yield refusal(auction, "reinforce_late", "declare.reinforce")
    elif act.act == "flip":
        yield refusal(auction, "flip_not_here", "flip.trump")
    elif act.act == "rebel":
        assert act.by is not None
        yield from check_rebel_place(auction, act.by)
    else:
        yield refusal(auction, "kitty_not_now" if auction.bids else "kitty_before_trump", "kitty.bury")
