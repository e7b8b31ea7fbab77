"""Victory points (胜利分): the margin of a match over so many boards as 20 points shared by both sides."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, DefaultContext, localcontext
from fractions import Fraction


def victory_points(
    margin: int | Fraction, *, boards: int, factor: Fraction = Fraction(15)
) -> tuple[Fraction, Fraction]:
    """20 victory points shared by a margin over a number of boards, in hundredths; a negative margin loses.

    Continuous and concave: 10 + 10 (1 − R^(margin / X)) / (1 − R) with R = √5 − 2 and X = factor · √boards, where the
    winner has all 20. The factor belongs to the measure: 15 is for IMPs.
    """
    margin, full = Fraction(margin), factor * factor * boards
    with localcontext(DefaultContext):
        enough = (Decimal(full.numerator) / Decimal(full.denominator)).sqrt()
        ratio = Decimal(5).sqrt() - 2
        part = min(Decimal(1), abs(Decimal(margin.numerator) / Decimal(margin.denominator)) / enough)
        gained = 10 * (1 - ratio**part) / (1 - ratio)
        home = 10 + gained.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP).copy_sign(Decimal(margin.numerator))
    return Fraction(home), 20 - Fraction(home)
