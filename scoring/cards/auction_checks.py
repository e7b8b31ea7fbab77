"""What speaks against each act of an auction: one check for each kind of act, all problems at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from scoring import wording
from scoring.cards.auction_state import (
    Act,
    Auction,
    Stage,
    asked,
    barred,
    is_contested,
    is_level,
    level_for,
    parted,
    refusal,
    strength_against,
    turn,
)
from scoring.cards.bids import JOKER_OF, Bid, counters_of, kind_of, suit_shown
from scoring.cards.deck import check_cards, points_of
from scoring.cards.flip import flip
from scoring.cards.order import TRUMPS, order_of
from scoring.hands.findings import Finding, finding
from scoring.values import Card, Seat, Trump


def _check_declare(auction: Auction, act: Act) -> Iterator[Finding]:
    assert act.by is not None
    profile = auction.profile
    if auction.flipped or auction.stage is Stage.TURNING:
        yield refusal(auction, "declare_late", "flip.final")
        return
    if auction.declaration is not None:
        yield refusal(auction, "declare_taken", "declare", seat=wording.SEATS[auction.declaration.by])
        return
    if auction.stage not in (Stage.DRAWING, Stage.ASKING):
        yield refusal(auction, "declare_late", "declare")
        return
    if auction.stage is Stage.ASKING:
        yield from _check_turn(auction, act, "declare.asked")
    dealer = auction.dealer
    if profile.joker_declare != "none" and dealer is not None and act.by.side is not dealer.side:
        if dealer not in auction.passed:
            yield refusal(auction, "declare_dealer_first", "joker_declare")
        if auction.deal.attackers_level is None:
            yield finding("missing", "attackers_level")
    level = level_for(auction, act.by)
    if level is None:
        return
    core, _ = parted(auction, act.cards)
    yield from _check_jokers(auction, act.cards)
    kind = kind_of(profile, level, core)
    alike = len(set(core)) == 1 and len(core) <= profile.decks
    if not alike or {card.rank for card in core} != {level.rank}:
        if kind is None or kind.startswith("level"):
            yield refusal(auction, "declare_cards", "declare", "cards", level=str(level))
        elif not profile.declare_no_trump:
            yield refusal(auction, "declare_outright", "declare.no_trump", "cards")
    yield from _check_named(auction, act, kind)
    yield from check_shown(auction, act)


def _check_reinforce(auction: Auction, act: Act) -> Iterator[Finding]:
    declaration = auction.declaration
    if declaration is None:
        yield refusal(auction, "reinforce_nothing", "declare.reinforce")
        return
    if declaration.by is not act.by:
        yield refusal(auction, "reinforce_by_other", "declare.reinforce", "by", seat=wording.SEATS[declaration.by])
        return
    if len(auction.bids) > 1 or auction.stage is not Stage.DRAWING:
        yield refusal(auction, "reinforce_late", "declare.reinforce")
        return
    shown = set(declaration.cards)
    if set(act.cards) != shown or not all(is_level(auction, card) for card in shown):
        due = wording.cards_named(tuple(shown))
        yield refusal(auction, "reinforce_cards", "declare.reinforce", "cards", card=due)
    yield from check_shown(auction, replace(act, cards=declaration.cards + act.cards))


def _check_counter(auction: Auction, act: Act) -> Iterator[Finding]:
    assert act.by is not None
    profile, standing = auction.profile, auction.standing
    if not counters_of(profile):
        yield refusal(auction, "counter_not_here", "counter.what")
        return
    if auction.flipped or auction.stage is Stage.TURNING:
        yield refusal(auction, "counter_flipped", "flip.final")
        return
    if standing is None:
        yield refusal(auction, "counter_nothing", "counter.order")
        return
    closed = _window_problem(auction)
    if closed is not None:
        yield closed
        return
    right = tuple(barred(auction, act.by))
    for code, topic, field in right:
        yield refusal(auction, code, topic, field)
    if not right and auction.stage is not Stage.DRAWING:
        yield from _check_turn(auction, act, "counter.rights")
    core, _ = parted(auction, act.cards)
    yield from _check_jokers(auction, act.cards)
    kind = kind_of(profile, auction.level, core)
    if kind is None:
        yield from _not_a_counter(auction, core)
        return
    yield from _check_named(auction, act, kind)
    yield from _check_height(auction, act.by, core, kind, standing)
    yield from check_shown(auction, act)


def _not_a_counter(auction: Auction, core: tuple[Card, ...]) -> Iterator[Finding]:
    profile = auction.profile
    if core and all(card.is_joker for card in core) and not profile.no_trump_allowed:
        yield refusal(auction, "no_trump_not_here", "no_trump", "cards")
    elif len(set(core)) > 1:
        yield refusal(auction, "counter_not_identical", "counter.what", "cards")
    else:
        yield refusal(auction, "counter_cards", "counter.what", "cards", level=str(auction.level))


def _window_problem(auction: Auction) -> Finding | None:
    """Why nobody may counter at this stage."""
    profile, stage = auction.profile, auction.stage
    if stage in (Stage.DRAWING, Stage.EARLY, Stage.LATE):
        return None
    if stage is Stage.KITTY and profile.late_counter:
        if auction.deal.first_hand and not profile.first_hand_late_counter:
            return refusal(auction, "counter_first_hand", "counter.first_hand")
        return refusal(auction, "counter_before_burial", "counter.late")
    if not profile.late_counter and auction.stage is not Stage.REDEAL:
        return refusal(auction, "counter_after_kitty", "counter.late")
    if auction.deal.first_hand and not profile.first_hand_late_counter:
        return refusal(auction, "counter_first_hand", "counter.first_hand")
    return refusal(auction, "counter_closed", "counter.rights")


def _check_turn(auction: Auction, act: Act, topic: str) -> Iterator[Finding]:
    assert act.by is not None
    due = turn(auction)
    if act.by in auction.passed:
        yield refusal(auction, "passed_before", topic, "by")
    elif auction.deal.complete and due is not None and due is not act.by:
        yield refusal(auction, "not_your_turn", topic, "by", seat=wording.SEATS[due])


def _check_height(auction: Auction, seat: Seat, core: tuple[Card, ...], kind: str, standing: Bid) -> Iterator[Finding]:
    """A counter must be higher than what stands, and of a kind the declarer may use."""
    profile, declaration = auction.profile, auction.bids[0]
    if declaration.by is seat and profile.self_protect != "pair_if_higher":
        restores = profile.self_protect == "own_suit" and set(core) == set(declaration.cards)
        if all(is_level(auction, card) for card in core) and not restores:
            yield refusal(auction, "counter_declarer_cards", "counter.self", "cards")
            return
    if not profile.dark_bids and strength_against(auction, seat, core, kind) <= standing.strength:
        topic = "counter.reinforced" if standing is declaration else "counter.order"
        yield refusal(auction, "counter_too_low", topic, "cards")


def _check_jokers(auction: Auction, cards: tuple[Card, ...]) -> Iterator[Finding]:
    """The joker beside level cards: exactly one, and of the colour where colours must match."""
    profile = auction.profile
    core, jokers = parted(auction, cards)
    if profile.joker_declare == "none" or all(card.is_joker for card in core):
        return
    due = JOKER_OF[suit_shown(core)]
    if len(jokers) != 1:
        yield refusal(auction, "joker_missing", "joker_declare", "cards")
    elif profile.joker_declare == "colour" and jokers != (due,):
        yield refusal(auction, "joker_colour", "joker_declare", "cards", card=wording.cards_named([due]))


def _check_named(auction: Auction, act: Act, kind: str | None) -> Iterator[Finding]:
    """Red fives take a suit that is named; nothing else does."""
    if kind is None or not kind.startswith("red_fives"):
        return
    if act.names is None:
        yield refusal(auction, "name_missing", "counter.what", "names")
    elif act.names is Trump.NT and not auction.profile.no_trump_allowed:
        yield refusal(auction, "no_trump_not_here", "no_trump", "names")


def check_shown(auction: Auction, act: Act) -> Iterator[Finding]:
    """No card may be shown more often than the decks hold it. What a player showed may be shown again."""
    held: dict[Seat, Counter[Card]] = {}
    for bid in auction.bids:
        held[bid.by] = held.get(bid.by, Counter()) | Counter(bid.cards + bid.jokers)
    assert act.by is not None
    own = held.pop(act.by, Counter()) | Counter(act.cards)
    others = [card for one in held.values() for card in one.elements()]
    yield from check_cards(auction.profile, [("bids", others), ("cards", own.elements())])


def _check_pass(auction: Auction, act: Act) -> Iterator[Finding]:
    if auction.stage not in (Stage.ASKING, Stage.EARLY, Stage.LATE):
        yield refusal(auction, "pass_not_now", "counter.rights")
        return
    due = turn(auction)
    if not auction.deal.complete or due is None or due is act.by or act.by in auction.passed:
        return
    # a player without the right to counter may say so at any time
    if auction.stage is Stage.ASKING or act.by in tuple(asked(auction)):
        topic = "declare.asked" if auction.stage is Stage.ASKING else "counter.rights"
        yield refusal(auction, "not_your_turn", topic, "by", seat=wording.SEATS[due])


def _check_take(auction: Auction, act: Act) -> Iterator[Finding]:
    yield from _check_kitty(auction, act)
    if auction.taken and auction.stage is Stage.KITTY and auction.deal.complete:
        yield refusal(auction, "kitty_taken", "kitty.bury")


def _check_kitty(auction: Auction, act: Act) -> Iterator[Finding]:
    if not auction.profile.kitty_cards:
        yield refusal(auction, "kitty_not_here", "deal")
    elif auction.stage is not Stage.KITTY:
        known = auction.bids or auction.flipped or auction.trump is not None
        yield refusal(auction, "kitty_not_now" if known else "kitty_before_trump", "kitty.bury")
    elif auction.holder is not None and auction.holder is not act.by:
        yield refusal(auction, "kitty_of_other", "kitty.bury", "by", seat=wording.SEATS[auction.holder])


def _check_bury(auction: Auction, act: Act) -> Iterator[Finding]:
    yield from _check_kitty(auction, act)
    if auction.deal.complete and auction.stage is Stage.KITTY and not auction.taken:
        yield refusal(auction, "bury_before_taking", "kitty.bury")
    due = auction.profile.kitty_cards
    if act.cards and len(act.cards) != due:
        yield refusal(auction, "bury_count", "deal", "cards", due=due, value=len(act.cards))
    yield from check_cards(auction.profile, [("cards", act.cards)])


def _check_flip(auction: Auction, act: Act) -> Iterator[Finding]:
    profile = auction.profile
    if auction.bids:
        yield refusal(auction, "flip_declared", "flip.trump")
        return
    if profile.no_declare == "partner_names":
        yield refusal(auction, "flip_not_here", "flip.trump")
        return
    if auction.stage is not Stage.TURNING:
        yield refusal(auction, "flip_not_now", "declare.asked")
        return
    yield from check_cards(profile, [("cards", act.cards)])
    if len(act.cards) > profile.kitty_cards:
        yield refusal(auction, "flip_too_many", "deal", "cards", due=profile.kitty_cards, value=len(act.cards))
        return
    said = flip(profile, auction.level, act.cards, first_hand=is_contested(auction))
    if said.redeal:
        yield refusal(auction, "flip_redeal", "flip.first_hand")
    elif not said.is_decided:
        yield refusal(auction, "flip_more", "flip.trump", "cards")


def _check_name(auction: Auction, act: Act) -> Iterator[Finding]:
    profile = auction.profile
    if profile.no_declare != "partner_names" or auction.bids or auction.stage is not Stage.TURNING:
        yield refusal(auction, "name_not_now", "flip.trump")
        return
    if is_contested(auction):
        yield refusal(auction, "flip_redeal", "flip.first_hand")
        return
    if auction.dealer is not None and act.by is not auction.dealer.partner:
        yield refusal(auction, "name_by_other", "flip.trump", "by", seat=wording.SEATS[auction.dealer.partner])
    if act.names is None:
        yield refusal(auction, "name_missing", "flip.trump", "names")
    elif act.names is Trump.NT and not profile.no_trump_allowed:
        yield refusal(auction, "no_trump_not_here", "no_trump", "names")


def _check_rebel(auction: Auction, act: Act) -> Iterator[Finding]:
    assert act.by is not None
    placed = tuple(check_rebel_place(auction, act.by))
    yield from placed
    profile = auction.profile
    if not profile.rebellion or auction.trump is None:
        return
    hand = profile.deal_at(auction.level)[0]
    if act.cards and len(act.cards) != hand:
        yield refusal(auction, "rebel_count", "rebellion.proof", "cards", due=hand, value=len(act.cards))
        return
    yield from check_cards(profile, [("cards", act.cards)])
    points, trumps = _proof(auction, act)
    if points is None and trumps is None:
        yield refusal(auction, "rebel_unproved", "rebellion.proof", "cards")
        return
    few_points = points is not None and points <= profile.rebellion_points
    few_trumps = trumps is not None and trumps <= profile.rebellion_trumps and auction.trump is not Trump.NT
    if not few_points and not few_trumps:
        limits = {"points": profile.rebellion_points, "trumps": profile.rebellion_trumps}
        yield refusal(auction, "rebellion_without_ground", "rebellion", "cards", **limits)


def check_rebel_place(auction: Auction, seat: Seat) -> Iterator[Finding]:
    """Why that player may not rebel now, whatever the hand."""
    profile = auction.profile
    if not profile.rebellion:
        yield refusal(auction, "rebellion_not_here", "no_rebellion")
        return
    if auction.deal.after_rebellion:
        yield refusal(auction, "rebellion_twice", "rebellion_twice")
    if auction.stage is not Stage.PLAY:
        yield refusal(auction, "rebellion_early", "rebellion.proof")
    if auction.dealer is not None and seat.side is auction.dealer.side:
        yield refusal(auction, "rebellion_by_dealer", "rebellion", "by", seat=wording.SEATS[seat])
    elif seat in auction.buried:
        yield refusal(auction, "rebellion_buried", "rebellion", "by")


def _proof(auction: Auction, act: Act) -> tuple[int | None, int | None]:
    """Points and trumps in a rebel's hand: counted from the cards, or as an official counted them."""
    if not act.cards:
        return act.hand_points, act.trump_count
    assert auction.trump is not None
    order = order_of(auction.profile, auction.trump, auction.level)
    trumps = sum(order.place[card].category == TRUMPS for card in act.cards)
    return int(points_of(auction.profile, act.cards)), trumps


CHECKS: Mapping[str, Callable[[Auction, Act], Iterator[Finding]]] = {
    "declare": _check_declare,
    "reinforce": _check_reinforce,
    "counter": _check_counter,
    "pass": _check_pass,
    "take_kitty": _check_take,
    "bury": _check_bury,
    "flip": _check_flip,
    "name": _check_name,
    "rebel": _check_rebel,
}
