"""Ledger entries of individual games as values: hands, annulled hands, penalties, adjusted hands and ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from scoring.hands.entries import (
    Adjustment,
    HandSheet,
    ThrowFailure,
    Treatment,
    Why,
    minimal,
    number_of,
    text_of,
    why_json,
)
from scoring.profiles import Profile
from scoring.values import Card, Level, Place, Points, Role, Shape, Trump


def places(profile: Profile) -> tuple[Place, ...]:
    """The places of a table of this game, counter-clockwise."""
    return tuple(Place)[: profile.players]


def plays_levels(profile: Profile) -> bool:
    """Whether every player keeps a level of his own."""
    return profile.division == "ally"


@dataclass(frozen=True, slots=True)
class PlaceThrow:
    """A failed throw: who threw, and the number of cards of the attempted throw."""

    place: Place
    cards: int


@dataclass(frozen=True, slots=True)
class Call:
    """The ally as called (找朋友): whoever plays this card for the time that `ordinal` counts."""

    card: Card
    ordinal: int

    def to_json(self) -> dict[str, Any]:
        return {"card": str(self.card), "ordinal": self.ordinal}


@dataclass(frozen=True, slots=True)
class IndividualHand:
    """What the table writes down of one hand of an individual game.

    `dealer` None means as due, or the lowest of the `bids`; `bid` is for a table that writes down the lowest one only.
    `ally` is the player of the called card, perhaps the dealer himself. `captured_in_tricks` and the fields after it
    are of the attackers together, as on a sheet of two sides, except that a failed throw is a player's. Where everybody
    plays for himself `points` are what each took in tricks, `last_trick_place` who won the last one.
    """

    kind: ClassVar[str] = "hand"

    dealer: Place | None = None
    level: Level | None = None
    trump: Trump | None = None
    bids: Mapping[Place, Points] = field(default_factory=dict)
    bid: Points | None = None
    ally: Place | None = None
    call: Call | None = None
    points: Mapping[Place, Points] = field(default_factory=dict)
    last_trick_place: Place | None = None
    captured_in_tricks: Points | None = None
    last_trick_winner: Role | None = None
    led: tuple[Shape, ...] = ()
    kitty_points: Points | None = None
    winning_category: Literal["trump", "side"] | None = None
    throw_failures: tuple[PlaceThrow, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    total_only: Points | None = None
    treatment: Treatment | None = None

    @property
    def bidder(self) -> Place | None:
        """Who deals by the bids: the lowest of them."""
        return min(self.bids, key=lambda place: self.bids[place]) if self.bids else None

    @property
    def lowest_bid(self) -> Points | None:
        """The points the attackers need."""
        return min(self.bids.values()) if self.bids else self.bid

    def role(self, place: Place, dealer: Place) -> Role:
        """What a player was in this hand when that one dealt."""
        return Role.DEALER if place in (dealer, self.ally) else Role.ATTACKERS

    def sheet(self, dealer: Place | None) -> HandSheet:
        """The parts of the attackers' total as a sheet of two sides, for adding up and checking."""
        thrown = [
            ThrowFailure(Role.ATTACKERS if dealer is None else self.role(one.place, dealer), one.cards)
            for one in self.throw_failures
        ]
        return HandSheet(
            trump=self.trump,
            captured_in_tricks=self.captured_in_tricks,
            last_trick_winner=self.last_trick_winner,
            led=self.led,
            kitty_points=self.kitty_points,
            winning_category=self.winning_category,
            throw_failures=tuple(thrown),
            adjustments=self.adjustments,
            total_only=self.total_only,
        )

    def to_json(self) -> dict[str, Any]:
        return minimal(
            self.kind,
            dealer=text_of(self.dealer),
            level=text_of(self.level),
            trump=text_of(self.trump),
            bids=_by_place(self.bids),
            bid=number_of(self.bid),
            ally=text_of(self.ally),
            call=None if self.call is None else self.call.to_json(),
            points=_by_place(self.points),
            last_trick_place=text_of(self.last_trick_place),
            captured_in_tricks=number_of(self.captured_in_tricks),
            last_trick_winner=text_of(self.last_trick_winner),
            led=[shape.to_json() for shape in self.led],
            kitty_points=number_of(self.kitty_points),
            winning_category=self.winning_category,
            throw_failures=[{"place": str(one.place), "cards": one.cards} for one in self.throw_failures],
            adjustments=[one.to_json() for one in self.adjustments],
            total_only=number_of(self.total_only),
            treatment=self.treatment,
        )


@dataclass(frozen=True, slots=True)
class IndividualAnnulled:
    """A hand that does not count; `all_passed` where nobody bid (三打一)."""

    kind: ClassVar[str] = "annulled"

    reason: Literal["all_passed", "misdeal", "redeal", "ruling"]
    dealer: Place | None = None
    why: Why | None = None

    def to_json(self) -> dict[str, Any]:
        return minimal(self.kind, reason=self.reason, dealer=text_of(self.dealer), why=why_json(self.why))


@dataclass(frozen=True, slots=True)
class PlacePenalty:
    """What a ruling takes from (negative) or gives to one player: `levels` where levels are kept, else `points`."""

    kind: ClassVar[str] = "penalty"

    place: Place
    points: int | None = None
    levels: int | None = None
    why: Why | None = None

    @property
    def amount(self) -> int:
        """What it takes or gives, in levels or points."""
        return sum(filter(None, (self.levels, self.points)))

    def to_json(self) -> dict[str, Any]:
        return minimal(self.kind, place=str(self.place), points=self.points, levels=self.levels, why=why_json(self.why))


@dataclass(frozen=True, slots=True)
class IndividualAdjusted:
    """An official's result in place of a hand: what each player gains, in levels, units or points of the game."""

    kind: ClassVar[str] = "adjusted"

    gains: Mapping[Place, int]
    dealer: Place | None = None
    why: Why | None = None

    def to_json(self) -> dict[str, Any]:
        gains = {str(place): gain for place, gain in self.gains.items()}
        return minimal(self.kind, dealer=text_of(self.dealer), gains=gains, why=why_json(self.why))


@dataclass(frozen=True, slots=True)
class IndividualEnd:
    """The end of a table: time is up, the last hand is played, an official ends it, or for one player (`by`).

    Who has `left` keeps the score; who forfeits (`forfeit`: absent, or ruled so) loses what was gained here. `award` is
    what each of the others then gets beside what they have, in levels, units or points of the game.
    """

    kind: ClassVar[str] = "end"

    reason: Literal["time", "hands", "ruling", "left", "forfeit"]
    why: Why | None = None
    by: Place | None = None
    award: int = 0

    def to_json(self) -> dict[str, Any]:
        award = self.award or None
        return minimal(self.kind, reason=self.reason, by=self.by, award=award, why=why_json(self.why))


IndividualEntry = IndividualHand | IndividualAnnulled | PlacePenalty | IndividualAdjusted | IndividualEnd


def _by_place(rows: Mapping[Place, int]) -> dict[str, int] | None:
    return {str(place): int(value) for place, value in rows.items()} or None
