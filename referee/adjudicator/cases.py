"""A position of the adjudicator: the fields of its form and its link, read into a question of the batch protocol.

Nothing is judged here. Cards are typed as people type them; a hand left empty is not known, a dash is a hand without
any card of the category led.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from referee.hands.shapes import shape_of
from scoring import wording
from scoring.cards.deck import check_cards
from scoring.cards.order import check_trump, order_of
from scoring.cards.parsing import read_lead
from scoring.hands.findings import Finding, finding
from scoring.hands.reading import Reader
from scoring.values import Role, Seat, Trump

from .card_text import MOST_CARDS, read_typed, typed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoring.cards.parsing import Lead
    from scoring.profiles import Profile
    from scoring.values import Card

TRICK, FOLLOW, THROW, SHAPES, COUNTER, FLIP = "trick", "follow", "throw", "shapes", "counter", "flip"
#: The question of the batch protocol that each kind of position puts.
OPS: Final[Mapping[str, str]] = {
    TRICK: "trick",
    FOLLOW: "follow",
    THROW: "throw",
    SHAPES: "shapes",
    COUNTER: "counter_allowed",
    FLIP: "flip_kitty",
}
KINDS: Final = tuple(OPS)
SEATS: Final = tuple(seat.value for seat in Seat)
#: Counters that may stand before the one in question.
MOST_COUNTERS: Final = 3
#: Characters of one field.
LONGEST: Final = 400

_COUNTERS: Final = tuple(f"counter{i}" for i in range(1, MOST_COUNTERS + 1))
#: The fields that hold cards, in the order of the form.
CARD_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    TRICK: SEATS,
    FOLLOW: ("lead", "hand", "play"),
    THROW: SEATS,
    SHAPES: ("cards",),
    COUNTER: ("declared", *_COUNTERS, "cards"),
    FLIP: ("kitty",),
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
        *(f"{name}_by" for name in _COUNTERS),
        "by",
        "names",
        "first",
        "buried",
    ),
    FLIP: ("level", "first"),
}
NONE_HELD: Final = frozenset("-–—−0无") | {"none", "NONE", "没有"}


@dataclass(frozen=True, slots=True)
class Case:
    """One position: its kind, the rules, and every field as it was typed."""

    kind: str
    profile: Profile
    values: Mapping[str, str] = field(default_factory=dict)

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
        return cls(kind, profile, values)

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
        }.get(self.kind, CARD_FIELDS[self.kind])
        return tuple(name for name in needed if not self.get(name))

    def cards(self, name: str) -> tuple[Card, ...]:
        return () if self.holds_none(name) else read_typed(self.get(name)).cards

    def texts(self, name: str) -> list[str]:
        return [str(card) for card in self.cards(name)]

    def holds_none(self, name: str) -> bool:
        return self.get(name) in NONE_HELD

    def unread(self) -> list[Finding]:
        """What was typed that is no card, field by field."""
        found = []
        for name in CARD_FIELDS[self.kind]:
            if self.holds_none(name):
                continue
            read = read_typed(self.get(name))
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
            read = read_typed(value) if name in CARD_FIELDS[self.kind] else None
            shown = typed(read.cards) if read and read.cards and not read.wrong else value
            if shown:
                pairs.append((name, shown))
        return urlencode(pairs)

    def lead(self, name: str, *beside: str) -> Lead:
        """What the cards of a field lead at the level, the trumps and the shapes that were said.

        `beside` are fields whose cards come out of the same decks. Raises Refused with everything that is wrong.
        """
        reader = Reader(self._at() | self._shapes("shapes"))
        level = reader.level("level", self.profile, required=True)
        trump = reader.choice("trump", Trump, required=True)
        declared = reader.shapes("shapes")
        reader.findings += check_trump(self.profile, trump)
        reader.findings += check_cards(self.profile, [(one, self.cards(one)) for one in (name, *beside)])
        reader.refuse_if_any()
        assert trump is not None
        return read_lead(order_of(self.profile, trump, level), self.cards(name), declared, field=name)

    # --- the question ---

    def question(self) -> dict[str, Any]:
        """The input of the question; only what was typed."""
        put = {
            TRICK: self._trick,
            FOLLOW: self._follow,
            THROW: self._throw,
            SHAPES: lambda: self._at() | {"cards": self.texts("cards")},
            COUNTER: self._counter,
            FLIP: self._flip,
        }
        return put[self.kind]()

    def _at(self) -> dict[str, Any]:
        return self._level() | {"trump": self.get("trump")}

    def _level(self) -> dict[str, str]:
        """The level as a question names it; nothing where the rules have no levels."""
        return {"level": self.values["level"]} if "level" in self.values else {}

    def _shapes(self, name: str) -> dict[str, Any]:
        codes = self.get("shapes").replace(" ", ",").split(",")
        shapes = [shape_of(code) for code in codes if code]
        return {name: shapes} if shapes else {}

    @property
    def dealer(self) -> Seat | None:
        return Seat(self.get("dealer")) if self.get("dealer") in SEATS else None

    def role_of(self, seat: Seat) -> Role | None:
        """Of which side a player is; None where the dealer was not said."""
        if self.dealer is None:
            return None
        return Role.DEALER if seat.side is self.dealer.side else Role.ATTACKERS

    def _trick(self) -> dict[str, Any]:
        plays: list[list[Any]] = []
        for seat in self.in_turn:
            if not self.get(seat.value):
                break
            plays.append([seat.value, self.texts(seat.value)])
        said = self._at() | self._shapes("lead_shapes") | {"plays": plays}
        return said if self.dealer is None else said | {"dealer_side": self.dealer.side.value}

    def _follow(self) -> dict[str, Any]:
        named = {name: self.texts(name) for name in ("lead", "hand", "play")}
        return self._at() | self._shapes("lead_shapes") | named

    def _throw(self) -> dict[str, Any]:
        others = [self.texts(seat.value) if self.get(seat.value) else None for seat in self.in_turn[1:]]
        said = self._at() | self._shapes("thrown_shapes")
        said |= {"thrown": self.texts(self.leader.value), "others": others}
        role = self.role_of(self.leader)
        return said if role is None else said | {"side": role.value}

    def _counter(self) -> dict[str, Any]:
        state: dict[str, Any] = {}
        declared = self.cards("declared")
        if declared:
            state["declared"] = {
                "by": self.get("declared_by") or Seat.S.value,
                "suit": declared[0].suit,
                "reinforced": sum(not card.is_joker for card in declared) > 1,
            }
        state["counters"] = [
            {"by": self.get(f"{name}_by") or Seat.E.value, "cards": self.texts(name)}
            for name in _COUNTERS
            if self.get(name)
        ]
        if self.get("first"):
            state["hand_no"] = 1
        if self.dealer is not None:
            state["dealer"] = self.dealer.value
        if self.get("buried"):
            state["after_burial"] = True
        bid: dict[str, Any] = {"by": self.get("by") or Seat.E.value, "cards": self.texts("cards")}
        if self.get("names"):
            bid["names"] = self.get("names")
        return self._level() | {"state": state, "bid": bid}

    def _flip(self) -> dict[str, Any]:
        hand_no = 1 if self.get("first") else 2
        return self._level() | {"hand_no": hand_no, "kitty_top_first": self.texts("kitty")}

    def field_of(self, path: str) -> str:
        """The field of the form that a finding on the question is about; empty for the position as a whole."""
        head = path.split("[")[0].split(".")[0]
        turn = [seat.value for seat in self.in_turn] if self.kind in (TRICK, THROW) else []
        if head in ("plays", "others"):
            number = next((int(sign) for sign in path if sign.isdigit()), 0)
            return turn[min(number + (head == "others"), 3)]
        if head == "thrown":
            return turn[0]
        if path.startswith("state.counters["):
            return f"counter{int(path[15]) + 1}"
        names = {
            "state.declared": "declared",
            "bid": "cards",
            "kitty_top_first": "kitty",
            "lead_shapes": "shapes",
            "thrown_shapes": "shapes",
            "by": "cards",
            "act": "cards",
        }
        found = next((name for start, name in names.items() if path.startswith(start)), path)
        return found if found in self.values else ""


def seats_named(seats: Iterable[Seat]) -> dict[str, str]:
    """Several players in a sentence of either language."""
    names = [wording.SEATS[seat] for seat in seats]
    return {"en": " and ".join(name["en"] for name in names), "zh": "、".join(name["zh"] for name in names)}
