"""Ledger entries of individual games: as values, in and out of JSON, and what one entry can show about itself.

Which fields a hand has follows from the profile's `division`: `alone` (bids, and the total of the others), `ally` (the
player called, and the total of the attackers) or `everyone` (the points of each player).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Literal, TypeVar, cast

from scoring import wording
from scoring.card_checks import check_throw_size
from scoring.entries import Adjustment, HandSheet, ThrowFailure, Treatment, Why, minimal, text_of, why_json
from scoring.findings import Finding, finding
from scoring.profiles import Profile
from scoring.reading import Reader
from scoring.sheets import (
    CARDS,
    KITTY,
    LEVELS,
    TOTAL,
    check_captured,
    check_sheet,
    kind_of,
    off_grain,
    points_taken,
    read_adjustment,
    refuse_unread,
)
from scoring.values import Card, Level, Place, Points, Role, Shape, Trump

PENALTY = {"en": "a penalty", "zh": "处罚"}
GAIN = {"en": "the gain", "zh": "得失"}
ORDINAL = {"en": "the number of the card", "zh": "第几张"}

#: Points, units or levels an official may give or take at once.
MOST_RULED = 1_000

P = TypeVar("P", bound=StrEnum)


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
    ordinal: int = 1

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
            bid=_number(self.bid),
            ally=text_of(self.ally),
            call=None if self.call is None else self.call.to_json(),
            points=_by_place(self.points),
            last_trick_place=text_of(self.last_trick_place),
            captured_in_tricks=_number(self.captured_in_tricks),
            last_trick_winner=text_of(self.last_trick_winner),
            led=[shape.to_json() for shape in self.led],
            kitty_points=_number(self.kitty_points),
            winning_category=self.winning_category,
            throw_failures=[{"place": str(one.place), "cards": one.cards} for one in self.throw_failures],
            adjustments=[one.to_json() for one in self.adjustments],
            total_only=_number(self.total_only),
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
    """The end of a table: time is up, the last hand is played, an official ends it, or a player (`by`) has left."""

    kind: ClassVar[str] = "end"

    reason: Literal["time", "hands", "ruling", "left"]
    why: Why | None = None
    by: Place | None = None

    def to_json(self) -> dict[str, Any]:
        return minimal(self.kind, reason=self.reason, by=self.by, why=why_json(self.why))


IndividualEntry = IndividualHand | IndividualAnnulled | PlacePenalty | IndividualAdjusted | IndividualEnd


def _number(value: int | None) -> int | None:
    return None if value is None else int(value)


def _by_place(rows: Mapping[Place, int]) -> dict[str, int] | None:
    return {str(place): int(value) for place, value in rows.items()} or None


def read_entry(profile: Profile, data: object, path: str = "") -> IndividualEntry:
    """An entry from its JSON form (kinds: hand, annulled, penalty, adjusted, end).

    Strict, and total: any JSON gives an entry or Refused with every finding. A field the game has no use for is
    unknown. When a hand cannot be read whole, what the rest shows about itself is among the findings.
    """
    reader = Reader(data, path)
    entry = _READ[kind_of(reader, _READ)](profile, reader)
    refuse_unread(reader, lambda: () if entry is None else check_entry(profile, entry, path=path))
    assert entry is not None
    return entry


def _place(profile: Profile, reader: Reader, name: str, *, required: bool = False) -> Place | None:
    """A place of this table."""
    word = reader.word(name, [place.value for place in places(profile)], required=required)
    return None if word is None else Place(word)


def _points_by_place(
    profile: Profile, reader: Reader, name: str, what: Mapping[str, str], *, required: bool
) -> dict[Place, Points]:
    """Points by place; `required` asks for every place of the table."""
    if not reader.has(name):
        if required:
            reader.missing(name)
        return {}
    rows = reader.nested(reader.raw(name), f"{reader.path}.{name}" if reader.path else name)
    read = {place: rows.points(place.value, what, required=required) for place in places(profile)}
    rows.done()
    return {place: points for place, points in read.items() if points is not None}


def read_bids(profile: Profile, reader: Reader, players: tuple[P, ...]) -> dict[P, Points]:
    """The bids by player, null or left out where somebody passed: in the steps of the profile, each lower than before.

    Nobody bidding is a finding too, for then nobody deals.
    """
    assert profile.bidding is not None
    high, low, step = (profile.bidding[name] for name in ("high", "low", "step"))
    rows = reader.nested(reader.raw("bids"), f"{reader.path}.bids" if reader.path else "bids")
    before = len(reader.findings)
    bids: dict[P, Points] = {}
    for player in players:
        bid = rows.raw(player.value)
        if bid is None:
            continue
        at = f"{rows.path}.{player.value}"
        if type(bid) not in (int, Points) or not low <= bid <= high or (high - bid) % step:
            said = wording.shown(bid)
            reader.findings.append(
                finding("bid_not_here", at, profile=profile, topic="bid", value=said, low=low, high=high, step=step)
            )
        elif bid in bids.values():
            reader.findings.append(finding("bid_twice", at, profile=profile, topic="bid", value=int(bid)))
        else:
            bids[player] = Points(bid)
    rows.done()
    if not bids and len(reader.findings) == before:
        reader.findings.append(finding("bid_missing", rows.path, profile=profile, topic="all_pass"))
    return bids


def _read_hand(profile: Profile, reader: Reader) -> IndividualHand:
    if profile.division == "everyone":
        return _read_everyone(profile, reader)
    bids = {}
    if profile.division == "alone" and reader.has("bids"):
        bids = read_bids(profile, reader, places(profile))
    allied, taken = profile.division == "ally", points_taken(profile)
    return IndividualHand(
        dealer=_place(profile, reader, "dealer"),
        level=reader.level("level", profile) if allied else None,
        trump=reader.choice("trump", Trump),
        bids=bids,
        bid=None if allied else reader.points("bid", {"en": "the bid", "zh": "叫分"}),
        ally=_place(profile, reader, "ally", required=True) if allied else None,
        call=_read_call(profile, reader) if allied else None,
        captured_in_tricks=reader.points("captured_in_tricks", taken, required=not reader.has("total_only")),
        last_trick_winner=reader.choice("last_trick_winner", Role),
        led=reader.shapes("led"),
        kitty_points=reader.points("kitty_points", KITTY),
        winning_category=cast(Any, reader.word("winning_category", ("trump", "side"))),
        throw_failures=_read_throws(profile, reader),
        adjustments=reader.items("adjustments", lambda data, path: read_adjustment(reader.nested(data, path))),
        total_only=reader.points("total_only", TOTAL),
        treatment=cast(Any, reader.word("treatment", ("recompute", "let_stand"))) if allied else None,
    )


def _read_everyone(profile: Profile, reader: Reader) -> IndividualHand:
    return IndividualHand(
        dealer=_place(profile, reader, "dealer"),
        level=reader.level("level", profile),
        trump=reader.choice("trump", Trump),
        points=_points_by_place(profile, reader, "points", points_taken(profile), required=True),
        last_trick_place=_place(profile, reader, "last_trick_place"),
        kitty_points=reader.points("kitty_points", KITTY),
        throw_failures=_read_throws(profile, reader),
    )


def _read_throws(profile: Profile, reader: Reader) -> tuple[PlaceThrow, ...]:
    def throw(data: object, path: str) -> PlaceThrow | None:
        row = reader.nested(data, path)
        place, cards = _place(profile, row, "place", required=True), row.whole("cards", CARDS, required=True)
        row.done()
        return None if place is None or cards is None else PlaceThrow(place, cards)

    return reader.items("throw_failures", throw)


def _read_call(profile: Profile, reader: Reader) -> Call | None:
    if not reader.has("call"):
        return None
    at = f"{reader.path}.call" if reader.path else "call"
    row = reader.nested(reader.raw("call"), at)
    ordinal = row.whole("ordinal", ORDINAL, low=1, high=profile.decks) if row.has("ordinal") else 1
    card = row.raw("card")
    row.done()
    try:
        return None if ordinal is None else Call(Card.parse(card), ordinal)
    except ValueError:
        reader.findings.append(finding("card_unknown", f"{at}.card", value=wording.shown(card)))
        return None


def _read_annulled(profile: Profile, reader: Reader) -> IndividualAnnulled | None:
    bidding = ("all_passed",) if profile.bidding is not None else ()
    reason = reader.word("reason", (*bidding, "misdeal", "redeal", "ruling"), required=True)
    entry = IndividualAnnulled(cast(Any, reason), _place(profile, reader, "dealer"), reader.why("why"))
    return None if reason is None else entry


def _read_penalty(profile: Profile, reader: Reader) -> PlacePenalty | None:
    place, why = _place(profile, reader, "place", required=True), reader.why("why")
    points = levels = None
    if plays_levels(profile):
        most, name = len(profile.ladder), "levels"
        taken = levels = reader.whole("levels", LEVELS, low=-most, high=most, required=True)
    else:
        name = "points"
        taken = points = reader.whole("points", PENALTY, low=-MOST_RULED, high=MOST_RULED, required=True)
    if taken == 0:
        topic = "level_penalty" if plays_levels(profile) else "penalty"
        reader.findings.append(finding("penalty_of_nothing", name, profile=profile, topic=topic))
    return None if place is None or taken is None else PlacePenalty(place, points, levels, why)


def _read_adjusted(profile: Profile, reader: Reader) -> IndividualAdjusted | None:
    dealer, why = _place(profile, reader, "dealer"), reader.why("why")
    if not reader.has("gains"):
        reader.missing("gains")
        return None
    rows = reader.nested(reader.raw("gains"), f"{reader.path}.gains" if reader.path else "gains")
    levels = plays_levels(profile)
    low, high = (0, len(profile.ladder)) if levels else (-MOST_RULED, MOST_RULED)
    read = {place: rows.whole(place.value, GAIN, low=low, high=high) for place in places(profile)}
    rows.done()
    return IndividualAdjusted({place: read[place] or 0 for place in read}, dealer, why)


def _read_end(profile: Profile, reader: Reader) -> IndividualEnd | None:
    reason, why = reader.word("reason", ("time", "hands", "ruling", "left"), required=True), reader.why("why")
    by = _place(profile, reader, "by", required=True) if reason == "left" else None
    return None if reason is None or (reason == "left" and by is None) else IndividualEnd(cast(Any, reason), why, by)


_READ: Mapping[str, Callable[[Profile, Reader], IndividualEntry | None]] = {
    "hand": _read_hand,
    "annulled": _read_annulled,
    "penalty": _read_penalty,
    "adjusted": _read_adjusted,
    "end": _read_end,
}


def check_entry(profile: Profile, entry: IndividualEntry, *, path: str = "") -> tuple[Finding, ...]:
    """Everything one entry shows about itself; only hands show anything."""
    if not isinstance(entry, IndividualHand):
        return ()
    prefix = f"{path}." if path else ""
    if profile.division == "everyone":
        found = list(_check_everyone(profile, entry, prefix))
    else:
        found = list(check_sheet(profile, entry.sheet(entry.dealer or entry.bidder), path=path))
        found += _check_bids(profile, entry, prefix)
        found += _check_call(profile, entry, prefix)
    if profile.division == "everyone" and entry.trump is Trump.NT and not profile.no_trump_allowed:
        found.append(finding("no_trump_not_here", f"{prefix}trump", profile=profile, topic="no_trump"))
    return tuple(found)


def _check_everyone(profile: Profile, hand: IndividualHand, prefix: str) -> Iterator[Finding]:
    """Each player's points are possible, and together with the kitty they are all points of the decks."""
    total = int(profile.points_max)
    sound = True
    for place in places(profile):
        at, points = f"{prefix}points.{place}", hand.points.get(place)
        if points is None:
            yield finding("missing", at, profile=profile, topic="captured")
            sound = False
            continue
        off = list(off_grain(profile, points, points_taken(profile), at))
        yield from off
        if not 0 <= points <= total:
            yield finding(
                "out_of_range",
                at,
                profile=profile,
                topic="points",
                what=points_taken(profile),
                value=wording.shown(points),
                low=0,
                high=total,
            )
            sound = False
        sound = sound and not off
    if hand.last_trick_place is None:
        yield finding("last_trick_place_missing", f"{prefix}last_trick_place", profile=profile, topic="kitty.dig")
    kitty = hand.kitty_points
    if kitty is None:
        yield finding("kitty_of_all_missing", f"{prefix}kitty_points", profile=profile, topic="kitty.dig")
        return
    wrong = list(check_captured(profile, None, kitty, prefix))
    yield from wrong
    played = sum(hand.points.values())
    if sound and not wrong and played + kitty != total:
        yield finding(
            "points_not_conserved",
            f"{prefix}points",
            profile=profile,
            topic="total",
            decks=wording.decks(profile.decks),
            total=total,
            played=played,
            kitty=int(kitty),
            sum=played + kitty,
        )
    for i, one in enumerate(hand.throw_failures):
        yield from check_throw_size(profile, one.cards, f"{prefix}throw_failures[{i}].cards")


def _check_bids(profile: Profile, hand: IndividualHand, prefix: str) -> Iterator[Finding]:
    """The bids and the single bid agree with each other, with the dealer and with the steps of bidding."""
    if profile.bidding is None:
        return
    high, low, step = (profile.bidding[name] for name in ("high", "low", "step"))
    at = f"{prefix}bid"
    if hand.lowest_bid is None:
        yield finding("bid_unknown", at, profile=profile, topic="bid")
    if hand.bid is not None and (not low <= hand.bid <= high or (high - hand.bid) % step):
        said = wording.shown(hand.bid)
        yield finding("bid_not_here", at, profile=profile, topic="bid", value=said, low=low, high=high, step=step)
    elif hand.bid is not None and hand.bids and hand.bid != hand.lowest_bid:
        yield finding("bid_and_bids", at, profile=profile, topic="bid", value=int(hand.lowest_bid or 0))
    bidder = hand.bidder
    if bidder is not None and hand.dealer is not None and hand.dealer is not bidder:
        yield finding(
            "dealer_not_bidder",
            f"{prefix}dealer",
            profile=profile,
            topic="bid",
            bidder=wording.PLACES[bidder],
            dealer=wording.PLACES[hand.dealer],
        )


def _check_call(profile: Profile, hand: IndividualHand, prefix: str) -> Iterator[Finding]:
    """The called card is there as often as the call counts."""
    if hand.call is not None and hand.call.ordinal > profile.decks:
        yield finding(
            "card_too_often",
            f"{prefix}call.ordinal",
            profile=profile,
            topic="ally",
            decks=wording.decks(profile.decks),
            card=wording.cards_named([hand.call.card]),
            times=profile.decks,
        )
