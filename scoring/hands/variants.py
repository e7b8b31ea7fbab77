"""Two ways to play that sources name and leave open: the dealer sets the line, and fixed trump without levels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial

from scoring import wording
from scoring.hands.findings import Finding, Refused, finding
from scoring.hands.outcomes import LevelResult, level_result
from scoring.profiles import Profile, Reason, build
from scoring.profiles.clause_files import cite_from
from scoring.profiles.level_table import GRAIN
from scoring.values import Level, Seat, Side

cite = partial(cite_from, "scoring.hands", "variants.json")

LINES = (5, 100)
LINE = {"en": "the line of the dealer", "zh": "庄家定的上台分数"}


class Scoring(StrEnum):
    """What is counted where no level moves: what attackers took in points, units of a hand by its levels, or wins."""

    POINTS = "points"
    HAND_POINTS = "hand_points"
    WINS = "wins"


SCORINGS = tuple(Scoring)


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
    return result_by_line(profile, line, attackers_total)


@lru_cache(maxsize=256)
def with_line(profile: Profile, line: int) -> Profile:
    """The rules of one hand whose dealer set that line: levels count by the step from it, whatever table there is, and
    a cap may lie below it."""
    spec = profile.spec()
    base, changes = (spec, {}) if isinstance(spec, str) else (spec["base"], spec["set"])
    set_here = {"threshold": line, "level_table": None, "score_cap": None}
    return build({"base": base, "set": {**changes, **set_here}}, individual=True)


def result_by_line(
    profile: Profile, line: int | None, attackers_total: int, *, level: Level | None = None, reasons: bool = True
) -> LevelResult:
    """The result of a hand by the line its dealer set; None: by that of the rules."""
    if line is None:
        return level_result(profile, attackers_total, level=level, reasons=reasons)
    counted = profile.table.settle(attackers_total)
    result = level_result(with_line(profile, line), counted, level=level, reasons=reasons)
    told = profile.cite("own_line") + cite("own_line", "own_line.when", "own_line.levels")
    because = told + result.because if reasons else ()
    return LevelResult(result.winner_role, result.levels, result.deal_changes_hands, because)


def check_line(profile: Profile, line: object, field: str) -> Iterator[Finding]:
    """What is wrong with the line of a hand: not one deck, no multiple of 5, or out of range (so is no number)."""
    if line is None:
        return
    if profile.decks != 1:
        yield finding("one_deck_only", field)
        return
    low, high = LINES
    if line not in range(low, high + GRAIN, GRAIN):
        yield finding("out_of_range", field, what=LINE, value=wording.shown(line), low=low, high=high)


def check_line_set(profile: Profile, line: object, field: str) -> Iterator[Finding]:
    """What the event's rules say against a line that the dealer set, or against none."""
    if profile.decks != 1:
        return
    if line is None and profile.own_line == "must":
        yield finding("line_missing", field, profile=profile, topic="own_line")
    elif line is not None and profile.own_line == "none":
        yield finding("line_not_here", field, profile=profile, topic="own_line")


def fixed_scores(profile: Profile, scoring: str, hands: Iterable[FixedHand]) -> Mapping[Side, int]:
    """What each side has after hands of fixed trump, by one of `SCORINGS`. No level moves."""
    scores = dict.fromkeys(Side, 0)
    for hand in hands:
        result = level_result(profile, hand.attackers_total, reasons=False)
        side, worth = hand_worth(
            scoring,
            hand.dealer.side,
            deal_changes_hands=result.deal_changes_hands,
            levels=result.levels,
            attackers_total=hand.attackers_total,
        )
        scores[side] += worth
    return scores


def hand_worth(
    scoring: str, dealing: Side, *, deal_changes_hands: bool, levels: int, attackers_total: int
) -> tuple[Side, int]:
    """For which side a hand counts where no level moves, and how much, by one of `SCORINGS`.

    `dealing` is the dealer's side; points always count for the attackers, the others for who won the hand.
    """
    if scoring == Scoring.POINTS:
        return dealing.other, attackers_total
    winner = dealing.other if deal_changes_hands else dealing
    return winner, 1 if scoring == Scoring.WINS else levels + deal_changes_hands


def fixed_reasons(scoring: str) -> tuple[Reason, ...]:
    return cite("fixed_trump", f"fixed_trump.{scoring}")
