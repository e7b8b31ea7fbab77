"""A position of the adjudicator: the fields of its form and its link, read into values of the kernel.

Nothing is judged here. Cards are typed as people type them; a hand left empty is not known, a dash is a hand without
any card of the category led.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from referee.hands.shapes import shape_of
from scoring import wording
from scoring.cards.deck import check_cards
from scoring.cards.order import check_trump, order_of
from scoring.hands.findings import Finding, finding
from scoring.hands.reading import Reader
from scoring.values import Role, Shape, Trump, in_turn, side_of

from .card_text import MOST_CARDS, TypedCards, read_typed, typed
from .questions import (
    ALLY,
    BIDS,
    BURIAL,
    CONTEST,
    COUNTER,
    DECLARE,
    INFORMATION,
    OFFENCE,
    RETURN,
    SHOWN,
    THROW,
    TRICK,
    TRICKS,
    bid_fields,
    card_fields,
    choices,
    first_player,
    level_fields,
    player_named,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoring.cards.order import Order
    from scoring.penalties.schedule import Schedule
    from scoring.profiles import Profile
    from scoring.values import Card, Player

#: Characters of one field.
LONGEST: Final = 400
NONE_HELD: Final = frozenset("-–—−0无") | {"none", "NONE", "没有"}


@dataclass(frozen=True, slots=True)
class Case:
    """One position: its kind, the rules, every field as it was typed, and the cards read from it."""

    kind: str
    profile: Profile
    values: Mapping[str, str]
    read: Mapping[str, TypedCards]
    #: The penalties of the event that it is about.
    penalties: Schedule | None = None

    @classmethod
    def of(cls, kind: str, profile: Profile, params: Mapping[str, Any]) -> Case:
        """The case that the query of a link or a form describes; fields of other kinds are left out."""
        cards = card_fields(kind, profile)
        values = {name: str(params.get(name) or "").strip()[:LONGEST] for name in (*choices(kind, profile), *cards)}
        for name in {"level", *level_fields(profile)} & set(values):
            if profile.ladder:
                values[name] = values[name] or str(profile.ladder.first)
            else:
                del values[name]
        if "trump" in values:
            values["trump"] = values["trump"] or Trump.S.value
        if kind in (ALLY, DECLARE):
            values["dealer"] = values["dealer"] or first_player(profile).value
        if "leader" in values and player_named(profile, values["leader"]) is None:
            values["leader"] = first_player(profile).value
        return cls(kind, profile, values, {name: _read(values[name]) for name in cards})

    def get(self, name: str) -> str:
        return self.values.get(name, "")

    @property
    def leader(self) -> Player:
        return self.player("leader") or first_player(self.profile)

    @property
    def follower(self) -> Player:
        """Who followed: as said, else the next after the leader."""
        by = self.player("by")
        return self.in_turn[1] if by is None or by is self.leader else by

    @property
    def in_turn(self) -> tuple[Player, ...]:
        return in_turn(self.profile.seats, self.leader)

    def player(self, name: str) -> Player | None:
        """The player whom a field names; None where it is empty, or names nobody of this table."""
        return player_named(self.profile, self.get(name))

    @property
    def card_fields(self) -> tuple[str, ...]:
        return card_fields(self.kind, self.profile)

    @property
    def is_asked(self) -> bool:
        """Whether any card was named, or anything bid, or a way to tell something was, or an irregularity."""
        if self.kind == DECLARE:  # who is to speak is told before anybody has
            return True
        return any(self.get(name) for name in (*self.card_fields, *bid_fields(self.profile), "channel", "irregularity"))

    @property
    def needs(self) -> tuple[str, ...]:
        """The fields without which there is no question."""
        needed = {
            TRICK: (self.leader.value,),
            THROW: (self.leader.value,),
            COUNTER: ("declared", "cards"),
            BIDS: ("bid1",),
            CONTEST: SHOWN[:1],
            BURIAL: ("buried",),
            ALLY: ("call",),
            RETURN: TRICKS[:1],
            INFORMATION: ("channel",),
            OFFENCE: ("irregularity",),
        }.get(self.kind, self.card_fields)
        return tuple(name for name in needed if not self.get(name))

    def cards(self, name: str) -> tuple[Card, ...]:
        return self.read[name].cards

    def holds_none(self, name: str) -> bool:
        return self.get(name) in NONE_HELD

    def unread(self) -> list[Finding]:
        """What was typed that is no card, field by field."""
        found = []
        for name, read in self.read.items():
            if read.wrong and len(read.cards) >= MOST_CARDS:
                found.append(finding("cards_too_many", name, most=MOST_CARDS))
            elif read.wrong:
                found.append(finding("card_unknown", name, value=wording.shown(read.wrong)))
        return found

    @property
    def query(self) -> str:
        """The position as a link carries it, cards in the notation of records."""
        pairs = []
        for name, value in self.values.items():
            read = self.read.get(name)
            shown = typed(read.cards) if read and read.cards and not read.wrong else value
            if shown:
                pairs.append((name, shown))
        return urlencode(pairs)

    def ground(self, *names: str, wrong: Iterable[Finding] = ()) -> tuple[Order, tuple[Shape, ...]]:
        """What cards are judged by: their order at the level and trumps that were said, and the shapes declared.

        The cards of the fields `names` come out of the same decks. Raises Refused with everything that is wrong, with
        what was found `wrong` before.
        """
        reader = self.reader()
        level = reader.level("level", self.profile, required=True)
        trump = reader.choice("trump", Trump, required=True)
        reader.findings += check_trump(self.profile, trump)
        declared = self._declared(reader.findings)
        reader.findings += wrong
        reader.findings += check_cards(self.profile, [(name, self.cards(name)) for name in names])
        reader.refuse_if_any()
        assert trump is not None
        return order_of(self.profile, trump, level), declared

    def reader(self) -> Reader:
        """The fields that were filled in."""
        return Reader({name: value for name, value in self.values.items() if value})

    def _declared(self, found: list[Finding]) -> tuple[Shape, ...]:
        shapes = []
        for code in self.get("shapes").replace(" ", ",").split(","):
            try:
                shapes += [Shape.from_json(shape_of(code))] if code else []
            except ValueError:
                found.append(finding("shape_unknown", "shapes"))
        return tuple(shapes)

    @property
    def dealer(self) -> Player | None:
        return self.player("dealer")

    def role_of(self, player: Player) -> Role | None:
        """Of which side a player is; None where the dealer was not said, or not who is with him."""
        dealer, division = self.dealer, self.profile.division
        if dealer is None:
            return None
        if division == "sides":
            return Role.DEALER if side_of(player) is side_of(dealer) else Role.ATTACKERS
        ally = self.player("ally")
        if player in (dealer, ally):
            return Role.DEALER
        return None if division == "ally" and ally is None else Role.ATTACKERS

    def field_of(self, path: str) -> str:
        """The field of the form that a finding is shown by; empty for the position as a whole.

        Who showed cards and which suit they name stands by the cards.
        """
        name = path.partition(".")[0]
        if self.kind in (RETURN, ALLY, CONTEST, BIDS, DECLARE):
            name = name.removesuffix("_by")
        if self.kind == COUNTER:
            name = "cards" if name in ("by", "names") else name.removesuffix("_by")
        return name if name in self.values else ""


def _read(text: str) -> TypedCards:
    return TypedCards() if text in NONE_HELD else read_typed(text)


def seats_named(seats: Iterable[Player]) -> dict[str, str]:
    """Several players in a sentence of either language."""
    names = [wording.PLAYERS[seat] for seat in seats]
    return {"en": " and ".join(name["en"] for name in names), "zh": "、".join(name["zh"] for name in names)}
