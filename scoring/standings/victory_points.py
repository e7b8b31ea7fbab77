"""Victory points (胜利分): the margin of a match over so many boards as 20 points shared by both sides."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction


def victory_points(
    margin: int | Fraction, *, boards: int, factor: Fraction = Fraction(15)
) -> tuple[Fraction, Fraction]:
    """20 victory points shared by a margin over a number of boards, in hundredths; a negative margin loses.

    Continuous and concave: 10 + 10 (1 − R^(margin / X)) / (1 − R) with R = √5 − 2 and X = factor · √boards, where the
    winner has all 20. The factor belongs to the measure: 15 is for IMPs.
    """
    full = factor * factor * boards
    if margin * margin >= full:
        better = Fraction(20)
    else:
        with localcontext() as context:
            context.prec = 50
            blitz = (Decimal(full.numerator) / Decimal(full.denominator)).sqrt()
            ratio = Decimal(5).sqrt() - 2
            ahead = abs(Fraction(margin))
            part = Decimal(ahead.numerator) / Decimal(ahead.denominator) / blitz
            gained = 10 * (1 - ratio**part) / (1 - ratio)
            better = Fraction((10 + gained).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))
    return (better, 20 - better) if margin >= 0 else (20 - better, better)
