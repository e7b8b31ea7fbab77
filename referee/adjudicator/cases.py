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
from scoring.values import Role, Seat, Shape, Trump

from .card_text import MOST_CARDS, TypedCards, read_typed, typed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoring.cards.order import Order
    from scoring.profiles import Profile
    from scoring.values import Card

TRICK, FOLLOW, THROW, SHAPES, COUNTER, FLIP = "trick", "follow", "throw", "shapes", "counter", "flip"
RETURN = "return"
KINDS: Final = (TRICK, FOLLOW, THROW, SHAPES, COUNTER, FLIP, RETURN)
SEATS: Final = tuple(seat.value for seat in Seat)
#: Counters that may stand before the one in question.
MOST_COUNTERS: Final = 3
#: Tricks from the first on that a return is judged by.
MOST_TRICKS: Final = 8
#: Characters of one field.
LONGEST: Final = 400

COUNTERS: Final = tuple(f"counter{i}" for i in range(1, MOST_COUNTERS + 1))
TRICKS: Final = tuple(f"trick{i}" for i in range(1, MOST_TRICKS + 1))
#: The fields that hold cards, in the order of the form.
CARD_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    TRICK: SEATS,
    FOLLOW: ("lead", "hand", "play"),
    THROW: SEATS,
    SHAPES: ("cards",),
    COUNTER: ("declared", *COUNTERS, "cards"),
    FLIP: ("kitty",),
    RETURN: ("hand", *TRICKS),
}
#: The other fields of each kind; level, trump and dealer belong to all kinds but where they decide nothing.
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    TRICK: ("level", "trump", "dealer", "leader", "shapes"),
    FOLLOW: ("level", "trump", "leader", "by", "shapes"),
    THROW: ("level", "trump", "dealer", "leader", "shapes"),
    SHAPES: ("level", "trump"),
    COUNTER: (
        "level",
        "dealer",
        "declared_by",
        *(f"{name}_by" for name in COUNTERS),
        "by",
        "names",
        "first",
        "buried",
    ),
    FLIP: ("level", "first"),
    RETURN: ("level", "trump", "dealer", "ranks", "reading", "told", "fine", *(f"{name}_by" for name in TRICKS)),
}
NONE_HELD: Final = frozenset("-–—−0无") | {"none", "NONE", "没有"}


@dataclass(frozen=True, slots=True)
class Case:
    """One position: its kind, the rules, every field as it was typed, and the cards read from it."""

    kind: str
    profile: Profile
    values: Mapping[str, str]
    read: Mapping[str, TypedCards]

    @classmethod
    def of(cls, kind: str, profile: Profile, params: Mapping[str, Any]) -> Case:
        """The case that the query of a link or a form describes; fields of other kinds are left out."""
        names = (*CHOICES[kind], *CARD_FIELDS[kind])
        values = {name: str(params.get(name) or "").strip()[:LONGEST] for name in names}
        if profile.ladder:
            values["level"] = values["level"] or str(profile.ladder.first)
        else:
            del values["level"]
        if "trump" in values:
            values["trump"] = values["trump"] or Trump.S.value
        if "leader" in values and values["leader"] not in SEATS:
            values["leader"] = Seat.S.value
        return cls(kind, profile, values, {name: _read(values[name]) for name in CARD_FIELDS[kind]})

    def get(self, name: str) -> str:
        return self.values.get(name, "")

    @property
    def leader(self) -> Seat:
        return Seat(self.get("leader") or Seat.S.value)

    @property
    def follower(self) -> Seat:
        """Who followed: as said, else the next after the leader."""
        by = self.get("by")
        return Seat(by) if by in SEATS and by != self.leader.value else self.leader.right

    @property
    def in_turn(self) -> tuple[Seat, ...]:
        leader = self.leader
        return (leader, leader.right, leader.partner, leader.left)

    @property
    def is_asked(self) -> bool:
        """Whether any card was named."""
        return any(self.get(name) for name in CARD_FIELDS[self.kind])

    @property
    def needs(self) -> tuple[str, ...]:
        """The card fields without which there is no question."""
        needed = {
            TRICK: (self.leader.value,),
            THROW: (self.leader.value,),
            COUNTER: ("declared", "cards"),
            RETURN: TRICKS[:1],
        }.get(self.kind, CARD_FIELDS[self.kind])
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
    def dealer(self) -> Seat | None:
        return Seat(self.get("dealer")) if self.get("dealer") in SEATS else None

    def role_of(self, seat: Seat) -> Role | None:
        """Of which side a player is; None where the dealer was not said."""
        if self.dealer is None:
            return None
        return Role.DEALER if seat.side is self.dealer.side else Role.ATTACKERS

    def field_of(self, path: str) -> str:
        """The field of the form that a finding is shown by; empty for the position as a whole.

        Who showed cards and which suit they name stands by the cards.
        """
        name = path.partition(".")[0]
        if self.kind == RETURN:
            name = name.removesuffix("_by")
        if self.kind == COUNTER:
            name = "cards" if name in ("by", "names") else name.removesuffix("_by")
        return name if name in self.values else ""


def _read(text: str) -> TypedCards:
    return TypedCards() if text in NONE_HELD else read_typed(text)


def seats_named(seats: Iterable[Seat]) -> dict[str, str]:
    """Several players in a sentence of either language."""
    names = [wording.SEATS[seat] for seat in seats]
    return {"en": " and ".join(name["en"] for name in names), "zh": "、".join(name["zh"] for name in names)}
