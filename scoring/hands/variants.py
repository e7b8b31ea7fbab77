"""Two ways to play that sources name and leave open: the dealer sets the line, and fixed trump without levels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from scoring.hands.findings import Refused, finding
from scoring.hands.outcomes import LevelResult, level_result
from scoring.profiles import Profile, Reason, build
from scoring.profiles.clause_files import cite_from
from scoring.values import Seat, Side

cite = partial(cite_from, "scoring.hands", "variants.json")

LINES = (5, 100)
SCORINGS = ("points", "hand_points", "wins")


@dataclass(frozen=True, slots=True)
class FixedHand:
    """A hand of fixed trump: who dealt and what the attackers got, in points."""

    dealer: Seat
    attackers_total: int


def own_line(profile: Profile, line: int, attackers_total: int) -> LevelResult:
    """The result of a hand whose dealer set the points that take the deal, a multiple of 5 from 5 to 100.

    Refused but with one deck: `one_deck_only`.
    """
    if profile.decks != 1:
        raise Refused([finding("one_deck_only", "decks")])
    spec = profile.spec()
    base, changes = (spec, {}) if isinstance(spec, str) else (spec["base"], spec["set"])
    lined = build({"base": base, "set": {**changes, "threshold": line}}, individual=True)
    result = level_result(lined, attackers_total)
    because = cite("own_line", "own_line.when", "own_line.levels") + result.because
    return LevelResult(result.winner_role, result.levels, result.deal_changes_hands, because)


def fixed_scores(profile: Profile, scoring: str, hands: Iterable[FixedHand]) -> Mapping[Side, int]:
    """What each side has after hands of fixed trump, by one of `SCORINGS`. No level moves."""
    scores = dict.fromkeys(Side, 0)
    for hand in hands:
        attackers = hand.dealer.right.side
        if scoring == "points":
            scores[attackers] += hand.attackers_total
            continue
        result = level_result(profile, hand.attackers_total, reasons=False)
        winner = attackers if result.deal_changes_hands else hand.dealer.side
        worth = result.levels + result.deal_changes_hands
        scores[winner] += 1 if scoring == "wins" else worth
    return scores


def fixed_reasons(scoring: str) -> tuple[Reason, ...]:
    return cite("fixed_trump", f"fixed_trump.{scoring}")
