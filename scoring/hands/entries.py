"""Ledger entries as values: hand sheets, annulled hands, level penalties, adjusted hands and ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from scoring.values import Card, Level, Points, Role, Seat, Shape, Side, Text, Trump

Treatment = Literal["recompute", "let_stand"]
SpecialEvent = Literal["red_fives_declared", "red_fives_dug", "dug_510K"]
Why = str | Text


def minimal(kind: str, **fields: Any) -> dict[str, Any]:
    """JSON without what says nothing (None and empty lists)."""
    return {"kind": kind, **{name: value for name, value in fields.items() if value is not None and value != []}}


def text_of(value: object) -> str | None:
    """The text form of a value; None stays None."""
    return None if value is None else str(value)


def number_of(points: Points | None) -> int | None:
    """Points as a plain number; None stays None."""
    return None if points is None else int(points)


def why_json(why: Why | None) -> Any:
    """A reason as JSON: a text, or one in each language."""
    return dict(why) if why is not None and not isinstance(why, str) else why


@dataclass(frozen=True, slots=True)
class ThrowFailure:
    """A failed throw: the role of the side that threw and the number of cards of the attempted throw."""

    side: Role
    cards: int


@dataclass(frozen=True, slots=True)
class Special:
    """A play that sets levels of its own (炒地皮): a pair of red fives declared, or dug with, or 510K dug with.

    `by` is the role of the side that made it; only attackers dig.
    """

    event: SpecialEvent
    by: Role

    def to_json(self) -> dict[str, Any]:
        return {"event": self.event, "by": str(self.by)}


@dataclass(frozen=True, slots=True)
class DarkBids:
    """Face-down bids out of order (暗炒乱序): how many the side in that role made."""

    side: Role
    times: int

    def to_json(self) -> dict[str, Any]:
        return {"side": str(self.side), "times": self.times}


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points ruled to the attackers (negative: taken from them), with the reason and the clause it rests on."""

    points: Points
    why: Why
    clause: str | None = None

    def to_json(self) -> dict[str, Any]:
        row = {"points": int(self.points), "why": why_json(self.why)}
        return row if self.clause is None else {**row, "clause": self.clause}


@dataclass(frozen=True, slots=True)
class HandSheet:
    """What the table writes down of one hand (记分表的一行).

    Dealer and level None mean as due. Points are of the attackers. `led` are the shapes led to the last trick,
    `winning_play` the cards that won it, where they matter. Where the last trick counts by its cards (no kitty),
    `last_trick_points` are the points in it and `captured_in_tricks` those of the tricks before. `total_only` is a
    total from a paper slip: it excludes the parts. `declared_by` made the trump where a declaration needs a joker: an
    attacker who did deals at his own side's level. `specials` and `dark_bids` belong to rules that have
    them. `line` are the points to take the deal that the dealer set for this hand (one deck). Facts as played; what
    was due is worked out by the fold.
    """

    kind: ClassVar[str] = "hand"

    dealer: Seat | None = None
    declared_by: Seat | None = None
    level: Level | None = None
    trump: Trump | None = None
    captured_in_tricks: Points | None = None
    last_trick_winner: Role | None = None
    led: tuple[Shape, ...] = ()
    kitty_points: Points | None = None
    last_trick_points: Points | None = None
    throw_failures: tuple[ThrowFailure, ...] = ()
    winning_play: tuple[Card, ...] = ()
    winning_category: Literal["trump", "side"] | None = None
    specials: tuple[Special, ...] = ()
    dark_bids: tuple[DarkBids, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    total_only: Points | None = None
    treatment: Treatment | None = None
    line: Points | None = None

    def to_json(self) -> dict[str, Any]:
        return minimal(
            self.kind,
            line=number_of(self.line),
            dealer=text_of(self.dealer),
            declared_by=text_of(self.declared_by),
            level=text_of(self.level),
            trump=text_of(self.trump),
            captured_in_tricks=number_of(self.captured_in_tricks),
            last_trick_winner=text_of(self.last_trick_winner),
            led=[shape.to_json() for shape in self.led],
            kitty_points=number_of(self.kitty_points),
            last_trick_points=number_of(self.last_trick_points),
            throw_failures=[{"side": str(one.side), "cards": one.cards} for one in self.throw_failures],
            winning_play=[str(card) for card in self.winning_play],
            winning_category=self.winning_category,
            specials=[one.to_json() for one in self.specials],
            dark_bids=[one.to_json() for one in self.dark_bids],
            adjustments=[one.to_json() for one in self.adjustments],
            total_only=number_of(self.total_only),
            treatment=self.treatment,
        )


@dataclass(frozen=True, slots=True)
class Annulled:
    """A hand that does not count. For a rebellion `by` is the rebel, with the points and trumps in that hand."""

    kind: ClassVar[str] = "annulled"

    reason: Literal["rebellion", "misdeal", "redeal", "ruling"]
    dealer: Seat | None = None
    by: Seat | None = None
    hand_points: Points | None = None
    trump_count: int | None = None
    why: Why | None = None

    def to_json(self) -> dict[str, Any]:
        return minimal(
            self.kind,
            reason=self.reason,
            dealer=text_of(self.dealer),
            by=text_of(self.by),
            hand_points=number_of(self.hand_points),
            trump_count=self.trump_count,
            why=why_json(self.why),
        )


@dataclass(frozen=True, slots=True)
class LevelPenalty:
    """Levels taken from (negative) or given to (positive) a side by a ruling, after the hand before it."""

    kind: ClassVar[str] = "level_penalty"

    side: Side
    levels: int
    why: Why | None = None

    def to_json(self) -> dict[str, Any]:
        return minimal(self.kind, side=str(self.side), levels=self.levels, why=why_json(self.why))


@dataclass(frozen=True, slots=True)
class Adjusted:
    """An official's result in place of a hand: which side gains how many levels, and whether the deal changes."""

    kind: ClassVar[str] = "adjusted"

    levels: int
    deal_changes_hands: bool
    side: Side | None = None
    dealer: Seat | None = None
    why: Why | None = None

    def to_json(self) -> dict[str, Any]:
        return minimal(
            self.kind,
            dealer=text_of(self.dealer),
            side=text_of(self.side),
            levels=self.levels,
            deal_changes_hands=self.deal_changes_hands,
            why=why_json(self.why),
        )


@dataclass(frozen=True, slots=True)
class End:
    """The end of a sitting. `by` is the side that forfeits, or that leads."""

    kind: ClassVar[str] = "end"

    reason: Literal["time", "hands", "forfeit", "lead"]
    by: Side | None = None
    why: Why | None = None

    def to_json(self) -> dict[str, Any]:
        return minimal(self.kind, reason=self.reason, by=text_of(self.by), why=why_json(self.why))


Entry = HandSheet | Annulled | LevelPenalty | Adjusted | End
