"""The attackers' total: tricks, then dig, then fines, then adjustments, then cap, then floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scoring.frozen import quickly_made
from scoring.hands.entries import Adjustment, HandSheet
from scoring.profiles import Profile, Reason
from scoring.profiles.kitty import Factor
from scoring.values import FLAG, Level, Role, Shape

#: A member of an enumeration costs as much as a call.
_ATTACKERS = Role.ATTACKERS


@quickly_made
@dataclass(frozen=True, slots=True)
class Total:
    """Signed points of the attackers.

    `bonus` is what the dig (or a last trick that counts by its cards) gave, `multiplier` its factor (None: neither);
    `fines` (for throws), `dark_bids` (fines for face-down bids) and `adjustments` are signed sums;
    `raw` is the sum of all, `for_levels` what is left of it after cap and floor.
    """

    captured: int
    bonus: int
    multiplier: int | None
    fines: int
    dark_bids: int
    adjustments: int
    raw: int
    for_levels: int
    because: tuple[Reason, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "captured": self.captured,
            "bonus": self.bonus,
            "multiplier": self.multiplier,
            "fines": self.fines,
            "dark_bids": self.dark_bids,
            "adjustments": self.adjustments,
            "raw": self.raw,
            "for_levels": self.for_levels,
        }


@quickly_made
@dataclass(frozen=True, slots=True)
class KittyBonus:
    """What kitty or last trick give the attackers, signed; multiplier None when nothing was dug."""

    bonus: int
    multiplier: int | None
    because: tuple[Reason, ...] = ()


_NO_DIG = KittyBonus(0, None)


def kitty_multiplier(
    profile: Profile, led: Sequence[Shape], winning: Sequence[Shape] | None = None
) -> tuple[int, tuple[str, ...]]:
    """The factor for the shapes led to the last trick and the ids of the clauses that give it.

    `winning` are the shapes that won it (default: as led), for profiles that look at those.
    """
    factor = _factor(profile, led, winning)
    reasons = profile.cite("kitty.decides") + profile.cite(factor.topic)
    return factor.multiplier, tuple(reason.clause.id for reason in reasons)


def _factor(profile: Profile, led: Sequence[Shape], winning: Sequence[Shape] | None) -> Factor:
    return _factor_of(profile, tuple(winning if winning and profile.kitty_pattern == "winning" else led))


@lru_cache(maxsize=4096)
def _factor_of(profile: Profile, shapes: tuple[Shape, ...]) -> Factor:
    return profile.kitty_factor(shapes)


def kitty_bonus(
    profile: Profile,
    *,
    last_trick_winner: Role,
    led: Sequence[Shape],
    kitty_points: int,
    winning: Sequence[Shape] | None = None,
    winning_category: str | None = None,
    reasons: bool = True,
) -> KittyBonus:
    """The dig (抠底): kitty points times the factor when the attackers win the last trick, else nothing."""
    if last_trick_winner is not _ATTACKERS:
        return KittyBonus(0, None, profile.cite("kitty.escape") if reasons else ())
    if profile.dig_trump_only and winning_category == "side":
        return KittyBonus(0, None, profile.cite("kitty.trump_only") if reasons else ())
    factor = _factor(profile, led, winning)
    bonus = kitty_points * factor.multiplier
    if not reasons:
        return KittyBonus(bonus, factor.multiplier)
    because = profile.cite("kitty.dig") + profile.cite("kitty.decides") + profile.cite(factor.topic, bonus)
    return KittyBonus(bonus, factor.multiplier, because)


def last_trick_points(
    profile: Profile, *, cards_led: int, trick_points: int, winner: Role, reasons: bool = True
) -> KittyBonus:
    """Where the last trick counts by its cards: points times cards led, for the attackers or against them.

    A single led multiplies nothing: the attackers keep its points, or get none.
    """
    sign = 1 if winner is Role.ATTACKERS else (-1 if cards_led > 1 else 0)
    bonus = sign * cards_led * trick_points
    return KittyBonus(bonus, cards_led if sign else None, profile.cite("last_trick", bonus) if reasons else ())


def throw_penalty(profile: Profile, failing_side: Role, cards_thrown: int) -> int:
    """Points for the attackers when a throw (a dump, 甩牌) of that many cards fails: negative when they threw it."""
    fined = cards_thrown if profile.throw_fine_per == "card" else cards_thrown - 1
    fine = profile.throw_fine * fined
    return fine if failing_side is Role.DEALER else -fine


def dark_bid_fine(profile: Profile, side: Role, times: int) -> int:
    """Points for the attackers when a side bid face down out of order so often: negative when it was they."""
    fine = profile.dark_bid_fine * times
    return fine if side is Role.DEALER else -fine


def attackers_total(profile: Profile, sheet: HandSheet, *, level: Level | None = None, reasons: bool = True) -> Total:
    """The total of one sheet. A sheet with blocking findings still adds up: what is missing counts nothing.

    `level` is the level of the hand, where it matters: at the flag nothing is dug.
    """
    dark_bids = 0
    if sheet.dark_bids:
        dark_bids = sum(dark_bid_fine(profile, one.side, one.times) for one in sheet.dark_bids)
    adjustments = sum(int(one.points) for one in sheet.adjustments) if sheet.adjustments else 0
    if sheet.total_only is not None:
        captured, fines, dug = int(sheet.total_only), 0, _NO_DIG
        because = profile.cite("total_only", captured) if reasons else ()
    else:
        captured, fines = int(sheet.captured_in_tricks or 0), 0
        if sheet.throw_failures:
            fines = sum(throw_penalty(profile, one.side, one.cards) for one in sheet.throw_failures)
        dug = _NO_DIG if level == FLAG else _dig(profile, sheet, reasons=reasons)
        because = profile.cite("captured", captured) + dug.because if reasons else ()
        if reasons and sheet.throw_failures:
            because += profile.cite("throw_fine", fines)
        if reasons and sheet.dark_bids:
            because += profile.cite("dark_bid", dark_bids)
    if reasons:
        for one in sheet.adjustments:
            because += _ruled(profile, one)
    raw = captured + dug.bonus + fines + dark_bids + adjustments
    for_levels = profile.table.settle(raw)
    if reasons:
        because += settle_reasons(profile, raw, for_levels)
    return Total(captured, dug.bonus, dug.multiplier, fines, dark_bids, adjustments, raw, for_levels, because)


def settle_reasons(profile: Profile, raw: int, for_levels: int) -> tuple[Reason, ...]:
    """Why the total for levels differs from the sum."""
    if for_levels < raw:
        return profile.cite("cap", for_levels)
    if for_levels > raw:
        return profile.cite("floor", for_levels)
    return ()


def _dig(profile: Profile, sheet: HandSheet, *, reasons: bool) -> KittyBonus:
    if profile.last_trick == "cards_times_points":
        return _by_cards(profile, sheet, reasons=reasons)
    if sheet.last_trick_winner is None or (sheet.last_trick_winner is _ATTACKERS and not sheet.led):
        return _NO_DIG
    return kitty_bonus(
        profile,
        last_trick_winner=sheet.last_trick_winner,
        led=sheet.led,
        kitty_points=int(sheet.kitty_points or 0),
        winning_category=sheet.winning_category,
        reasons=reasons,
    )


def _by_cards(profile: Profile, sheet: HandSheet, *, reasons: bool) -> KittyBonus:
    if sheet.last_trick_winner is None or not sheet.led:
        return _NO_DIG
    return last_trick_points(
        profile,
        cards_led=sum(shape.cards for shape in sheet.led),
        trick_points=int(sheet.last_trick_points or 0),
        winner=sheet.last_trick_winner,
        reasons=reasons,
    )


def _ruled(profile: Profile, one: Adjustment) -> tuple[Reason, ...]:
    """An adjustment rests on the clause it names, else on the right to adjust."""
    named = profile.clauses.get(one.clause or "")
    return profile.cite("adjustment" if named is None else named.topic, int(one.points))
