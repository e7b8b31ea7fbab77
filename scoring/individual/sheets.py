"""Ledger entries of individual games, read from JSON, and what one entry can show about itself.

Which fields a hand has follows from the profile's `division`: `alone` (bids, and the total of the others), `ally` (the
player called, and the total of the attackers) or `everyone` (the points of each player).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any, TypeVar, cast

from scoring import wording
from scoring.hands.card_checks import check_throw_size
from scoring.hands.findings import Finding, finding
from scoring.hands.reading import Reader
from scoring.hands.sheets import (
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
from scoring.individual.entries import (
    Call,
    IndividualAdjusted,
    IndividualAnnulled,
    IndividualEnd,
    IndividualEntry,
    IndividualHand,
    PlacePenalty,
    PlaceThrow,
    places,
    plays_levels,
)
from scoring.profiles import Profile
from scoring.values import Card, Place, Points, Role, Trump

PENALTY = {"en": "a penalty", "zh": "处罚"}
GAIN = {"en": "the gain", "zh": "得失"}
ORDINAL = {"en": "the number of the card", "zh": "第几张"}

#: Points, units or levels an official may give or take at once.
MOST_RULED = 1_000

P = TypeVar("P", bound=StrEnum)


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
    reasons = ("time", "hands", "ruling", "left", "forfeit")
    reason, why = reader.word("reason", reasons, required=True), reader.why("why")
    by = _place(profile, reader, "by", required=True) if reason in ("left", "forfeit") else None
    most = len(profile.ladder) if plays_levels(profile) else MOST_RULED
    award = reader.whole("award", GAIN, low=0, high=most) if reason == "forfeit" else None
    if reason is None or (reason in ("left", "forfeit") and by is None):
        return None
    return IndividualEnd(cast(Any, reason), why, by, award or 0)


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
        found = list(check_sheet(profile, entry.sheet(None), path=path))
        found += _check_bids(profile, entry, prefix)
        found += _check_call(profile, entry, prefix)
    if profile.division == "everyone" and entry.trump is Trump.NT and not profile.no_trump_allowed:
        found.append(finding("no_trump_not_here", f"{prefix}trump", profile=profile, topic="no_trump"))
    return tuple(found)


def _check_everyone(profile: Profile, hand: IndividualHand, prefix: str) -> Iterator[Finding]:
    """Each player's points are possible, and together with the kitty they are all points of the decks."""
    low, total = 0, int(profile.points_max)
    sound = True
    for place in places(profile):
        at, points = f"{prefix}points.{place}", hand.points.get(place)
        if points is None:
            yield finding("missing", at, profile=profile, topic="captured")
            sound = False
            continue
        off = list(off_grain(profile, points, points_taken(profile), at))
        yield from off
        if not low <= points <= total:
            yield finding(
                "out_of_range",
                at,
                profile=profile,
                topic="points",
                what=points_taken(profile),
                value=wording.shown(points),
                low=low,
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
    together = played + kitty
    if sound and not wrong and together != total:
        yield finding(
            "points_not_conserved",
            f"{prefix}points",
            profile=profile,
            topic="total",
            decks=wording.decks(profile.decks),
            total=total,
            played=played,
            kitty=int(kitty),
            sum=together,
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
        yield finding("bid_and_bids", at, profile=profile, topic="bid", value=int(min(hand.bids.values())))
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
