"""Hands folded per second on one core: the table of transitions, the whole fold, and a bare loop over whole numbers."""

from __future__ import annotations

import time
from random import Random

from scoring.hands.entries import HandSheet
from scoring.profiles import load
from scoring.sittings.fold import fold
from scoring.sittings.states import Opening
from scoring.sittings.transitions import fold_totals
from scoring.values import Level, Points, Seat, Side
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

    by_table()
    table, bare, whole = in_turn(by_table, whole_numbers, whole_fold, clock=time.process_time)
    count = MATCHES * HANDS
    rate, limit, full = count / table, count / bare, count / 10 / whole
    return [
        Figure("hands folded per second, by table", _per_second(rate), "10 million", rate / 1e7, 1.0),
        Figure("  the same, beside a bare integer loop", _per_second(rate), _per_second(limit), rate / limit),
        Figure("  whole sheets with findings, beside that loop", _per_second(full), _per_second(limit), full / limit),
    ]


def _per_second(rate: float) -> str:
    return f"{rate:,.0f}/s"
