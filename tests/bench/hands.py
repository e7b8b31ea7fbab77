"""Hands folded per second on one core: the table of transitions, the whole fold, and a bare loop over whole numbers."""

from __future__ import annotations

import time
from random import Random

from scoring.hands.entries import HandSheet
from scoring.profiles import load
from scoring.sittings.fold import fold
from scoring.sittings.states import Opening
from scoring.sittings.transitions import fold_totals
from scoring.values import Level, Points, Role, Seat, Shape, Side
from tests.bench.report import Figure, in_turn

MATCHES, HANDS = 4_000, 12
# totals at which nobody passes the last level within a match of twelve hands
TOTALS = (45, 60, 75, 80, 85, 95, 110, 115)


def measure() -> list[Figure]:
    profile = load("cn-national-2d")
    opening = Opening({Side.NS: Level("2"), Side.EW: Level("2")}, Seat.S)
    chance = Random(1)
    matches = [[chance.choice(TOTALS) for _ in range(HANDS)] for _ in range(MATCHES)]
    sheets = [[HandSheet(total_only=Points(total)) for total in totals] for totals in matches[: MATCHES // 10]]

    written = [[_in_parts(total, chance) for total in totals] for totals in matches[: MATCHES // 10]]

    def by_table() -> None:
        for totals in matches:
            fold_totals(profile, opening, totals)

    def whole_numbers() -> None:
        """The least Python can do: add up gains found by a lookup."""
        gains = {total: (0 if total >= 80 else 1 if total >= 40 else 2) for total in TOTALS}
        for totals in matches:
            level, other = 0, 0
            for total in totals:
                gain = gains[total]
                if gain:
                    level += gain
                else:
                    level, other = other, level

    def whole_fold() -> None:
        for entries in sheets:
            fold(profile, opening, entries)

    def sheets_in_parts() -> None:
        for entries in written:
            fold(profile, opening, entries)

    by_table()
    acts = (by_table, whole_numbers, whole_fold, sheets_in_parts)
    table, bare, whole, in_parts = in_turn(*acts, clock=time.process_time)
    count = MATCHES * HANDS
    rate, limit, full, parts = count / table, count / bare, count / 10 / whole, count / 10 / in_parts
    return [
        Figure("hands folded per second, by table", _per_second(rate), "10 million", rate / 1e7, 1.0),
        Figure("  the same, beside a bare integer loop", _per_second(rate), _per_second(limit), rate / limit),
        Figure("P5 whole sheets folded with findings", _per_second(full), "300,000/s", full / 300_000, 1.0),
        Figure("  sheets with all their parts", _per_second(parts), "300,000/s", parts / 300_000),
    ]


def _in_parts(total: int, chance: Random) -> HandSheet:
    """A sheet as tables write it: what was captured, who won the last trick with what, and the kitty."""
    dug = Points(chance.choice((0, 5, 10))) if chance.random() < 0.3 else None
    winner = Role.DEALER if dug is None else Role.ATTACKERS
    captured = Points(total - 2 * (dug or 0))
    return HandSheet(captured_in_tricks=captured, last_trick_winner=winner, led=(Shape(1),), kitty_points=dug)


def _per_second(rate: float) -> str:
    return f"{rate:,.0f}/s"
