"""Where an auction stands: what is known before it, the acts, the state, whose right it is to act."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoring.cards.bids import Bid, Strength, rungs, strength_of
from scoring.frozen import quickly_made
from scoring.hands.findings import Finding, finding
from scoring.profiles import Profile, Reason
from scoring.values import Card, Level, Seat, Trump

ACTS = ("declare", "reinforce", "counter", "pass", "take_kitty", "bury", "flip", "name", "rebel")


#: The level at which every hand is played at no-trump (打无主).
NO_TRUMP_LEVEL = Level("no_trump")


class Stage(StrEnum):
    """Where the auction stands. In IN_TURN the partner of the dealer and then the others declare; in KITTY somebody has
    the kitty to bury; in PLAY the dealer may lead."""

    DRAWING = "drawing"
    IN_TURN = "in_turn"
    ASKING = "asking"
    TURNING = "turning"
    EARLY = "early_counter"
    KITTY = "kitty"
    LATE = "late_counter"
    PLAY = "play"
    REDEAL = "redeal"


@dataclass(frozen=True, slots=True)
class Deal:
    """What is known before the first card is drawn.

    `dealer` None: contested, the first hand. `attackers_level`: where a declaration needs a joker, the level an
    attacker declares at. `after_rebellion`: the hand before was one. `complete`: every pass and burial is on record,
    so an act out of turn is refused; `in_order`: every pass of declaring in turn is. `fixed_trump`: the suit that a
    board or the event sets, so that nobody declares.
    """

    profile: Profile
    level: Level
    dealer: Seat | None
    first_hand: bool = False
    first_drawer: Seat | None = None
    attackers_level: Level | None = None
    after_rebellion: bool = False
    complete: bool = False
    in_order: bool = False
    fixed_trump: Trump | None = None

    @property
    def in_turn(self) -> bool:
        """Whether all declare in turn: the dealer is fixed, and the rules say so."""
        return self.profile.declare_order == "partner_first" and self.dealer is not None


@dataclass(frozen=True, slots=True)
class Act:
    """One act. `by` is None for a flip. A rebel shows all cards, or the points and trumps an official counted."""

    act: str
    by: Seat | None = None
    cards: tuple[Card, ...] = ()
    names: Trump | None = None
    hand_points: int | None = None
    trump_count: int | None = None


@quickly_made
@dataclass(frozen=True, slots=True)
class Auction:
    """A state. `bids` are the declaration and all counters in order; `passed` who has passed since the last of them.

    `holder` has the kitty to take (`taken`: has taken it) and bury; `buried` are all who buried, in order. `rebel` is
    who rebelled. `told` are the acts of declaring in turn, `due` whose turn it is in it. `level` is the one that is
    played: an attacker who declares with a joker deals at the own side's.
    """

    deal: Deal
    level: Level
    dealer: Seat | None
    stage: Stage = Stage.DRAWING
    trump: Trump | None = None
    bids: tuple[Bid, ...] = ()
    passed: tuple[Seat, ...] = ()
    holder: Seat | None = None
    taken: bool = False
    buried: tuple[Seat, ...] = ()
    flipped: tuple[Card, ...] = ()
    rebel: Seat | None = None
    told: tuple[Act, ...] = ()
    due: Seat | None = None
    because: tuple[Reason, ...] = ()

    @property
    def naming(self) -> bool:
        """Whether all four have passed in turn, so that the partner of the dealer names the suit."""
        return self.stage is Stage.IN_TURN and not self.bids and len(self.passed) == len(Seat)

    @property
    def profile(self) -> Profile:
        return self.deal.profile

    @property
    def declaration(self) -> Bid | None:
        return self.bids[0] if self.bids else None

    @property
    def standing(self) -> Bid | None:
        """The bid that makes the trumps now: the last one in order."""
        return next((bid for bid in reversed(self.bids) if bid.in_order), None)

    @property
    def is_over(self) -> bool:
        return self.stage in (Stage.PLAY, Stage.REDEAL)


def turn(auction: Auction) -> Seat | None:
    """Whom to ask now: counter-clockwise, while declarations or counters are asked for; None elsewhere."""
    if auction.stage is Stage.IN_TURN:
        return auction.due
    if auction.stage is Stage.ASKING:
        first = auction.deal.first_drawer or auction.dealer
        return None if first is None else next((seat for seat in around(first) if seat not in auction.passed), None)
    if auction.stage in (Stage.EARLY, Stage.LATE):
        return next((seat for seat in asked(auction) if seat not in auction.passed), None)
    return None


def asked(auction: Auction) -> Iterator[Seat]:
    """The players who may counter what stands, in the order of their right (反的权力).

    From the dealer counter-clockwise; after a counter from the right-hand neighbour of who made it.
    """
    last = (
        auction.bids[-1] if len(auction.bids) > 1 and auction.bids[-1].late is (auction.stage is Stage.LATE) else None
    )
    first = auction.dealer if last is None else last.by.right
    for seat in around(first or Seat.N):
        if next(barred(auction, seat), None) is None:
            yield seat


def around(first: Seat) -> tuple[Seat, ...]:
    return (first, first.right, first.partner, first.left)


def barred(auction: Auction, seat: Seat) -> Iterator[tuple[str, str, str]]:
    """Why that player may not counter what stands, whatever the cards: code, topic of the clause and field."""
    profile, bids = auction.profile, auction.bids
    declaration, standing = bids[0], auction.standing
    if bids[-1].by is seat:
        yield ("counter_own", "counter.self", "by") if len(bids) == 1 else ("counter_twice", "counter.twice", "by")
    elif declaration.by is seat and profile.self_protect == "none":
        yield "counter_declarer", "counter.self", "by"
    elif auction.stage is Stage.LATE and auction.buried and auction.buried[-1] is seat:
        yield "counter_own_burial", "counter.twice", "by"
    if profile.joker_counter_final and standing is not None and standing.trump is Trump.NT and len(bids) > 1:
        yield "counter_joker_final", "counter.joker_final", "act"


def refusal(auction: Auction, code: str, topic: str | None, field: str = "act", **words: Any) -> Finding:
    return finding(code, field, profile=auction.profile, topic=topic, **words)


def is_contested(auction: Auction) -> bool:
    return auction.deal.first_hand and auction.dealer is None


def is_level(auction: Auction, card: Card) -> bool:
    return card.rank == auction.level.rank


def level_for(auction: Auction, seat: Seat) -> Level | None:
    """The level whose cards that player may declare with; None when it is not known."""
    if auction.bids or auction.profile.joker_declare == "none" or auction.dealer is None:
        return auction.level
    return auction.level if seat.side is auction.dealer.side else auction.deal.attackers_level


def parted(auction: Auction, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards that count and the jokers shown beside them, where a joker must be shown beside level cards."""
    if auction.profile.joker_declare == "none" or all(card.is_joker for card in cards):
        return cards, ()
    return tuple(card for card in cards if not card.is_joker), tuple(card for card in cards if card.is_joker)


def strength_against(auction: Auction, seat: Seat, core: tuple[Card, ...], kind: str) -> Strength:
    """How high a counter stands, with what its maker showed before."""
    profile, declaration, standing = auction.profile, auction.bids[0], auction.standing
    strength = strength_of(profile, auction.level, core)
    assert strength is not None
    own = declaration.by is seat and set(core) == set(declaration.cards)
    if own and profile.look_back and kind == "level2" and len(declaration.cards) == 1:
        return strength._replace(rung=len(rungs(profile)))
    if own and profile.self_protect == "own_suit" and standing is not None and strength.rung == standing.strength.rung:
        return Strength(strength.rung, standing.strength.place + 1)
    return strength
