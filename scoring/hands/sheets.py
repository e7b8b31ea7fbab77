"""Entries in and out of JSON, and what one sheet can show about itself, all findings at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

from scoring import wording
from scoring.hands.card_checks import check_shapes, check_specials, check_throws, check_winning_play
from scoring.hands.entries import (
    Adjusted,
    Adjustment,
    Annulled,
    DarkBids,
    End,
    Entry,
    HandSheet,
    LevelPenalty,
    Special,
    ThrowFailure,
)
from scoring.hands.findings import Finding, Refused, finding
from scoring.hands.reading import Reader
from scoring.hands.regional import JUMPS
from scoring.hands.variants import LINE, check_line, check_line_set
from scoring.profiles import Profile
from scoring.profiles.level_table import GRAIN
from scoring.values import FLAG, Level, Points, Role, Seat, Shape, Side, Text, Trump

TRICKS = {"en": "points in tricks", "zh": "闲家得分"}
KITTY = {"en": "kitty points", "zh": "底牌分"}
IN_HAND = {"en": "the points in that hand", "zh": "该家分数"}
LAST_TRICK = {"en": "points in the last trick", "zh": "末圈分数"}
TOTAL = {"en": "the total", "zh": "总分"}
CARDS = {"en": "the number of cards", "zh": "张数"}
ADJUSTMENT = {"en": "an adjustment", "zh": "判罚分"}
LEVELS = {"en": "the number of levels", "zh": "级数"}
DARK_BIDS = {"en": "the number of bids out of order", "zh": "乱序次数"}

#: More face-down bids than one hand can have: each one must beat the one before.
MOST_DARK_BIDS = 20
#: More characters than the name of any clause has.
MOST_CLAUSE = 100


def points_taken(profile: Profile) -> Text:
    """Whose points in tricks a sheet of this game writes down: of the attackers, of all but the dealer, of each."""
    if profile.division == "alone":
        many = wording.number(profile.players - 1)
        return {"en": f"points in tricks of the {many['en']}", "zh": f"{many['zh']}家得分"}
    return TRICKS if profile.division != "everyone" else {"en": "points in tricks", "zh": "得分"}


def read_entry(profile: Profile, data: object, *, path: str = "") -> Entry:
    """An entry from its JSON form (kinds: hand, annulled, level_penalty, adjusted, end).

    Strict, and total: any JSON gives an entry or Refused with every finding; when something cannot be read, what
    the rest of a hand sheet shows about itself is among them.
    """
    reader = Reader(data, path)
    entry = _READ[kind_of(reader, _READ)](profile, reader)
    refuse_unread(reader, lambda: check_sheet(profile, entry, path=path) if isinstance(entry, HandSheet) else ())
    assert entry is not None
    return entry


def kind_of(reader: Reader, kinds: Iterable[str]) -> str:
    """Which of the `kinds` an entry says it is; Refused when there is nothing to go on with."""
    reader.refuse_if_any()
    kind = reader.word("kind", kinds, required=True)
    if kind is None:
        raise Refused(reader.findings)
    return kind


def refuse_unread(reader: Reader, own: Callable[[], Iterable[Finding]]) -> None:
    """Refuse an entry that could not be read whole, with every finding.

    Among them is what the rest shows about itself (`own`), except at fields that were not read.
    """
    reader.done()
    if reader.findings:
        unread = {one.field for one in reader.findings}
        reader.findings += [one for one in own() if not any(field.startswith(one.field) for field in unread)]
        raise Refused(reader.findings)


def _read_hand(profile: Profile, reader: Reader) -> HandSheet:
    def throw(data: object, path: str) -> ThrowFailure | None:
        row = reader.nested(data, path)
        side, cards = row.choice("side", Role, required=True), row.whole("cards", CARDS, required=True)
        row.done()
        return None if side is None or cards is None else ThrowFailure(side, cards)

    line = reader.points("line", LINE)
    # a hand cannot be counted by such a line at all
    reader.findings += check_line(profile, line, f"{reader.path}.line" if reader.path else "line")
    return HandSheet(
        dealer=reader.choice("dealer", Seat),
        declared_by=reader.choice("declared_by", Seat),
        level=reader.level("level", profile),
        trump=reader.choice("trump", Trump),
        captured_in_tricks=reader.points("captured_in_tricks", TRICKS, required=not reader.has("total_only")),
        last_trick_winner=reader.choice("last_trick_winner", Role),
        led=reader.shapes("led"),
        kitty_points=reader.points("kitty_points", KITTY),
        last_trick_points=reader.points("last_trick_points", LAST_TRICK),
        throw_failures=reader.items("throw_failures", throw),
        winning_play=reader.cards("winning_play"),
        winning_category=cast(Any, reader.word("winning_category", ("trump", "side"))),
        specials=reader.items("specials", lambda data, path: _read_special(reader.nested(data, path))),
        dark_bids=reader.items("dark_bids", lambda data, path: _read_dark_bids(reader.nested(data, path))),
        adjustments=reader.items("adjustments", lambda data, path: read_adjustment(reader.nested(data, path))),
        total_only=reader.points("total_only", TOTAL),
        treatment=cast(Any, reader.word("treatment", ("recompute", "let_stand"))),
        line=line,
    )


def _read_special(row: Reader) -> Special | None:
    event = row.word("event", JUMPS, required=True)
    digs = event is not None and event != "red_fives_declared"
    by = row.choice("by", Role, required=not digs)
    row.done()
    if event is None or (by is None and row.data.get("by") is not None):
        return None
    role = by or (Role.ATTACKERS if digs else None)
    return None if role is None else Special(cast(Any, event), role)


def _read_dark_bids(row: Reader) -> DarkBids | None:
    side = row.choice("side", Role, required=True)
    times = row.whole("times", DARK_BIDS, low=1, high=MOST_DARK_BIDS, required=True)
    row.done()
    return None if side is None or times is None else DarkBids(side, times)


def read_adjustment(row: Reader) -> Adjustment | None:
    """Points ruled to the attackers, with why and perhaps the clause; None with findings when it cannot be read."""
    points, why = row.points("points", ADJUSTMENT, required=True), row.why("why")
    clause = row.text("clause", MOST_CLAUSE)
    if why is None and row.data.get("why") is None:
        row.missing("why")
    row.done()
    return None if points is None or why is None else Adjustment(points, why, clause)


def _read_annulled(profile: Profile, reader: Reader) -> Annulled | None:
    reason = reader.word("reason", ("rebellion", "misdeal", "redeal", "ruling"), required=True)
    entry = Annulled(
        reason=cast(Any, reason),
        dealer=reader.choice("dealer", Seat),
        by=reader.choice("by", Seat),
        hand_points=_as_points(reader.whole("hand_points", IN_HAND, low=0, high=profile.points_max)),
        trump_count=reader.whole("trump_count", CARDS, low=0, high=profile.hand_cards),
        why=reader.why("why"),
    )
    return entry if reason is not None else None


def _read_penalty(profile: Profile, reader: Reader) -> LevelPenalty | None:
    most = len(profile.ladder)
    side = reader.choice("side", Side, required=True)
    levels = reader.whole("levels", LEVELS, low=-most, high=most, required=True)
    why = reader.why("why")
    if levels == 0:
        reader.findings.append(finding("penalty_zero", "levels", profile=profile, topic="level_penalty"))
    return None if side is None or levels is None else LevelPenalty(side, levels, why)


def _read_adjusted(profile: Profile, reader: Reader) -> Adjusted | None:
    levels = reader.whole("levels", LEVELS, low=0, high=len(profile.ladder), required=True)
    changes = reader.flag("deal_changes_hands", required=True)
    side, dealer, why = reader.choice("side", Side), reader.choice("dealer", Seat), reader.why("why")
    if levels and side is None and reader.data.get("side") is None:
        reader.findings.append(finding("gain_without_side", "side", profile=profile, topic="adjusted"))
    return None if levels is None or changes is None else Adjusted(levels, changes, side, dealer, why)


def _read_end(profile: Profile, reader: Reader) -> End | None:
    reason = reader.word("reason", ("time", "hands", "forfeit", "lead"), required=True)
    by, why = reader.choice("by", Side), reader.why("why")
    if reason == "forfeit" and by is None and reader.data.get("by") is None:
        reader.missing("by")
    return None if reason is None else End(cast(Any, reason), by, why)


_READ: Mapping[str, Callable[[Profile, Reader], Entry | None]] = {
    "hand": _read_hand,
    "annulled": _read_annulled,
    "level_penalty": _read_penalty,
    "adjusted": _read_adjusted,
    "end": _read_end,
}


def _as_points(value: int | None) -> Points | None:
    return None if value is None else Points(value)


def check_sheet(
    profile: Profile, sheet: HandSheet, *, path: str = "", level: Level | None = None
) -> tuple[Finding, ...]:
    """Everything one sheet shows about itself: multiples of 5, what decks, kitty and hands can hold, missing parts.

    `level` is the level of the hand as counted (default: the sheet's own); some levels have a deal of their own.
    """
    prefix = f"{path}." if path else ""
    level = level or sheet.level
    found = [
        *_check_points(profile, sheet, prefix),
        *(
            _check_total_only(profile, sheet, prefix)
            if sheet.total_only is not None
            else _check_parts(profile, sheet, prefix, level)
        ),
        *check_shapes(profile, sheet.led, f"{prefix}led", level),
        *check_throws(profile, sheet, prefix, level),
        *check_winning_play(profile, sheet, prefix),
        *_check_trump(profile, sheet, prefix, level),
        *check_specials(profile, sheet, prefix, level),
        *check_line_set(profile, sheet.line, f"{prefix}line"),
    ]
    if sheet.declared_by is not None and profile.joker_declare == "none":
        found.append(finding("declarer_not_here", f"{prefix}declared_by", profile=profile, topic="declare"))
    return tuple(found)


def _check_trump(profile: Profile, sheet: HandSheet, prefix: str, level: Level | None) -> Iterator[Finding]:
    field = f"{prefix}trump"
    if level is not None and level.has_no_trump_suit:
        if sheet.trump not in (None, Trump.NT):
            topic = "flag" if level == FLAG else "after_A"
            yield finding("no_trump_suit", field, profile=profile, topic=topic, level=wording.level(level))
    elif sheet.trump is Trump.NT and not profile.no_trump_allowed:
        yield finding("no_trump_not_here", field, profile=profile, topic="no_trump")


def off_grain(profile: Profile, points: int, what: Text, field: str) -> Iterator[Finding]:
    """The finding that points are no multiple of 5."""
    if points % GRAIN:
        yield finding(
            "not_a_multiple_of_5", field, profile=profile, topic="grain", what=what, value=wording.shown(points)
        )


def check_captured(profile: Profile, captured: int | None, kitty: int | None, prefix: str = "") -> Iterator[Finding]:
    """Points in tricks and in the kitty: whole fives, within the decks, the kitty within its cards."""
    for name, points, what in (("captured_in_tricks", captured, points_taken(profile)), ("kitty_points", kitty, KITTY)):
        if points is None:
            continue
        yield from off_grain(profile, points, what, prefix + name)
        if points < 0:
            yield finding(
                "out_of_range",
                prefix + name,
                profile=profile,
                topic="points",
                what=what,
                value=wording.shown(points),
                low=0,
                high=int(profile.points_max),
            )
    if kitty is not None and kitty > profile.kitty_max:
        cards = profile.kitty_cards
        yield finding(
            "kitty_too_rich",
            f"{prefix}kitty_points",
            profile=profile,
            topic="points",
            cards={"en": wording.number(cards, capital=True)["en"], "zh": str(cards)},
            most=int(profile.kitty_max),
            value=wording.shown(kitty),
        )
    total, words = int(profile.points_max), wording.decks(profile.decks)
    if captured is None:
        return
    if captured > total:
        yield finding(
            "above_deck_total",
            f"{prefix}captured_in_tricks",
            profile=profile,
            topic="points",
            wording_code="above_deck_total:alone",
            decks=words,
            total=total,
            value=wording.shown(captured),
        )
    elif kitty is not None and kitty <= profile.kitty_max and captured + kitty > total:
        yield finding(
            "above_deck_total",
            f"{prefix}captured_in_tricks",
            profile=profile,
            topic="points",
            decks=words,
            total=total,
            captured=int(captured),
            kitty=int(kitty),
            over=captured + kitty - total,
        )


def _check_points(profile: Profile, sheet: HandSheet, prefix: str) -> Iterator[Finding]:
    yield from check_captured(profile, sheet.captured_in_tricks, sheet.kitty_points, prefix)
    for i, one in enumerate(sheet.adjustments):
        field = f"{prefix}adjustments[{i}].points"
        yield from off_grain(profile, one.points, ADJUSTMENT, field)
        if one.points == 0:
            yield finding("adjustment_zero", field, profile=profile, topic="adjustment")
        most = int(profile.points_max)
        if abs(one.points) > most:
            yield finding(
                "out_of_range",
                field,
                profile=profile,
                topic="adjustment",
                what=ADJUSTMENT,
                value=wording.shown(one.points),
                low=wording.shown(-most),
                high=most,
            )


def _check_parts(profile: Profile, sheet: HandSheet, prefix: str, level: Level | None) -> Iterator[Finding]:
    if sheet.captured_in_tricks is None:
        yield finding("missing", f"{prefix}captured_in_tricks", profile=profile, topic="captured")
    if sheet.last_trick_winner is None and level != FLAG:
        yield finding("last_trick_missing", f"{prefix}last_trick_winner", profile=profile, topic="kitty.dig")
    if level == FLAG:
        if sheet.kitty_points is not None:
            yield finding("kitty_at_flag", f"{prefix}kitty_points", profile=profile, topic="flag")
        return
    if profile.last_trick == "kitty":
        if sheet.last_trick_points is not None:
            yield finding("last_trick_not_here", f"{prefix}last_trick_points", profile=profile, topic="kitty.dig")
        yield from _check_dig(profile, sheet, prefix)
    else:
        yield from _check_last_trick(profile, sheet, prefix)


def _check_last_trick(profile: Profile, sheet: HandSheet, prefix: str) -> Iterator[Finding]:
    """Where the last trick counts by its cards: what was led, the points in it, and what the decks can hold."""
    if not sheet.led:
        yield finding("last_led_missing", f"{prefix}led", profile=profile, topic="last_trick")
    points = sheet.last_trick_points
    if points is None:
        yield finding("last_points_missing", f"{prefix}last_trick_points", profile=profile, topic="last_trick")
        return
    yield from check_trick_points(
        profile, points, sum(shape.cards for shape in sheet.led), f"{prefix}last_trick_points"
    )
    total, captured = int(profile.points_max), sheet.captured_in_tricks or 0
    together = captured + points
    if 0 <= captured <= total < together:
        yield finding(
            "above_deck_total",
            f"{prefix}captured_in_tricks",
            profile=profile,
            topic="points",
            wording_code="above_deck_total:alone",
            decks=wording.decks(profile.decks),
            total=total,
            value=wording.shown(together),
        )


def check_trick_points(profile: Profile, points: int, cards_led: int, field: str) -> Iterator[Finding]:
    """Points of one trick to which each player gives `cards_led` cards (0: not known), at most ten for each card."""
    yield from off_grain(profile, points, LAST_TRICK, field)
    most = min(40 * cards_led, profile.points_max) if cards_led else int(profile.points_max)
    if not 0 <= points <= most:
        yield finding(
            "out_of_range",
            field,
            profile=profile,
            topic="points",
            what=LAST_TRICK,
            value=wording.shown(points),
            low=0,
            high=int(most),
        )


def _check_dig(profile: Profile, sheet: HandSheet, prefix: str) -> Iterator[Finding]:
    if sheet.last_trick_winner is not Role.ATTACKERS:
        return
    if not sheet.led:
        yield finding("shape_missing", f"{prefix}led", profile=profile, topic="kitty.decides")
    if sheet.kitty_points is None:
        yield finding("kitty_missing", f"{prefix}kitty_points", profile=profile, topic="kitty.dig")
    if profile.dig_trump_only and sheet.winning_category is None:
        yield finding(
            "winning_category_missing", f"{prefix}winning_category", profile=profile, topic="kitty.trump_only"
        )


def _check_total_only(profile: Profile, sheet: HandSheet, prefix: str) -> Iterator[Finding]:
    assert sheet.total_only is not None
    for name in ("captured_in_tricks", "kitty_points", "last_trick_points", "led", "throw_failures", "dark_bids"):
        if getattr(sheet, name) not in (None, ()):
            yield finding("total_and_parts", prefix + name, profile=profile, topic="total_only")
    yield from off_grain(profile, sheet.total_only, TOTAL, f"{prefix}total_only")
    low, high = total_limits(profile)
    if not low <= sheet.total_only <= high:
        yield finding(
            "total_out_of_reach",
            f"{prefix}total_only",
            profile=profile,
            topic="total",
            value=wording.shown(sheet.total_only),
            low=wording.shown(low),
            high=high,
        )


def total_limits(profile: Profile) -> tuple[int, int]:
    """The least and the greatest total a hand can end with: every fine there can be, and the richest dig."""
    hand, most = profile.hand_cards, int(profile.points_max)
    fines = profile.throw_fine * hand * hand + profile.dark_bid_fine * MOST_DARK_BIDS
    if profile.last_trick == "cards_times_points":
        return -hand * most - fines, hand * most + fines
    longest = [Shape(1)] + [Shape(width, hand // width) for width in range(2, profile.decks + 1)]
    factor = max(profile.kitty_factor((shape,)).multiplier for shape in longest)
    return -fines, most - profile.kitty_max + profile.kitty_max * factor + fines
