"""A finished match becomes a match score (场分): 2 / 1 / 0, 15 ± difference, victory points, or hand points.

A scale is data: what a difference of levels is worth and what the matches that were not played are worth. Differences
count steps of the ladder; `passed` is one step above the last level. Whoever won is kept beside the score, because a
win by the tie rule scores like a draw on the scales that count differences, and tie-breaks count wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, NoReturn

from scoring import wording
from scoring.hands.findings import Finding, Refused
from scoring.hands.reading import unknown_fields
from scoring.ladder import Ladder
from scoring.standings.scales import SCALES, Bye, Net, Party, Scale
from scoring.values import RANKS, Level, Text, exact
from scoring.wording import both

PASSED = "passed"
STANDARD_LADDER = Ladder(tuple(Level(rank) for rank in RANKS))

MINUS = "\u2212"


class Outcome(StrEnum):
    """How a match of the pairing ended; absence has a name."""

    PLAYED = "played"
    HOME_FORFEIT = "home_forfeit"
    AWAY_FORFEIT = "away_forfeit"
    DOUBLE_FORFEIT = "double_forfeit"
    BYE = "bye"


_FIELDS = ("scale", "outcome", "home", "away", "by_tie_rule", "hand_points", "boards", "bye")
_FORFEIT_WINNER = {Outcome.HOME_FORFEIT: Party.AWAY, Outcome.AWAY_FORFEIT: Party.HOME}


@dataclass(frozen=True, slots=True)
class Reason:
    """The clause of a scale that decided, with its text."""

    clause: str
    text: Text

    def to_json(self) -> dict[str, Any]:
        return {"clause": self.clause, "text": dict(self.text)}


@dataclass(frozen=True, slots=True)
class MatchScore:
    """What a match is worth to both sides.

    `winner` is the party that won (also by the tie rule or by forfeit), None for a draw, a double forfeit or a bye.
    `net` is the home side's measure (level steps, or hand points), None when nothing was played.
    """

    scale: str
    home: Fraction
    away: Fraction
    winner: Party | None
    net: Net | None
    because: tuple[Reason, ...]
    sentence: Text

    def to_json(self) -> dict[str, Any]:
        return {
            "home": exact(self.home),
            "away": exact(self.away),
            "winner": self.winner,
            "net": self.net if self.net is None or self.net.denominator > 1 else int(self.net),
            "sentence": dict(self.sentence),
        }


def final_level(ladder: Ladder, level: str | Level) -> Text:
    """A final level in words: a rank or "passed", which names the last level of the ladder (past A, flag held)."""
    if level == PASSED:
        return wording.past(ladder.last)
    return wording.level(level if isinstance(level, Level) else Level(level))


def hand_points(*, deal_changes_hands: bool, levels: int) -> int:
    """The attackers' points for one hand: 1 for the deal and 1 a level, else minus what the dealer side gains."""
    return levels + 1 if deal_changes_hands else -levels


def score(
    scale: str,
    *,
    home: str | Level | None,
    away: str | Level | None,
    outcome: Outcome | str = Outcome.PLAYED,
    by_tie_rule: Party | str | None = None,
    ladder: Ladder = STANDARD_LADDER,
    hand_points: Net | None = None,
    boards: int | None = None,
    bye: Bye | None = None,
) -> MatchScore:
    """The match score of a match with these final levels.

    `home` and `away` are ranks of the ladder or "passed"; they count only when the match was played. `by_tie_rule`
    names the winner of a match with equal levels. `hand_points` is the home side's sum over hands or boards: the
    measure of that scale, and of a match without levels on the scales that count wins only. `boards` is how many boards
    made it, where a scale asks. `bye` is what the event
    gives for a bye, the scale's own value where it says nothing.
    Refused on an unknown scale, levels off the ladder, or parts that contradict one another.
    """
    found = SCALES.get(scale)
    if found is None:
        _refuse("unknown_scale", "scale", f"There is no match score {scale}.", f"没有场分办法 {scale}。", value=scale)
    how = _outcome(outcome)
    if how is not Outcome.PLAYED:
        return _unplayed(found, how, bye)
    by_hands = found.by_hands or (found.counts_wins_only and hand_points is not None and home is None and away is None)
    net = _net_hands(hand_points) if by_hands else _net_levels(home, away, ladder)
    decided = _decided(net, by_tie_rule)
    winner = decided or (Party.HOME if net > 0 else Party.AWAY if net < 0 else None)
    if found.by_boards and boards is None:
        _refuse("boards_missing", "boards", "This scale needs the number of boards.", "这种场分要有牌副数。")
    home_score, away_score = (found.worth if boards is None else found.over(boards)).scores(net, winner)
    return MatchScore(
        scale=found.id,
        home=home_score,
        away=away_score,
        winner=winner,
        net=net,
        because=(Reason(f"score.{found.id}", found.text),),
        sentence=_played_sentence(
            found, net, decided, _result(home_score, away_score), by_hands=by_hands, boards=boards
        ),
    )


def answer_match_score(question: Mapping[str, Any], ladder: Ladder = STANDARD_LADDER) -> dict[str, Any]:
    """The protocol's `match_score`: the answer with its `because`; Refused on bad input."""
    unknown = unknown_fields(question, _FIELDS)
    if unknown:
        raise Refused(unknown)
    scale, outcome = question.get("scale"), question.get("outcome", Outcome.PLAYED.value)
    if not isinstance(scale, str):
        _refuse("required", "scale", "The match score scale is missing.", "缺少场分办法。")
    if not isinstance(outcome, str):
        _refuse("unknown_outcome", "outcome", "The outcome is not one of the known ones.", "没有这种结果。")
    points, bye = question.get("hand_points"), question.get("bye")
    if bye is not None and bye not in tuple(Bye):
        choices = ", ".join(Bye)
        _refuse("unknown_bye", "bye", f"A bye is worth one of: {choices}.", f"轮空只能按这几种计：{choices}。")
    if points is not None and type(points) is not int:
        _refuse("not_a_whole_number", "hand_points", "Hand points are a whole number.", "各副积分必须是整数。")
    boards = question.get("boards")
    if boards is not None and (type(boards) is not int or boards < 1):
        _refuse("not_a_whole_number", "boards", "Boards are a whole number from 1.", "牌副数必须是正整数。")
    result = score(
        scale,
        home=_level_named(question, "home"),
        away=_level_named(question, "away"),
        outcome=outcome,
        by_tie_rule=_party(question.get("by_tie_rule")),
        ladder=ladder,
        hand_points=points,
        boards=boards,
        bye=None if bye is None else Bye(bye),
    )
    return {**result.to_json(), "because": [reason.to_json() for reason in result.because]}


def _steps(ladder: Ladder, level: str | Level) -> int:
    if level == PASSED:
        return ladder.index(None)
    try:
        return ladder.index(level if isinstance(level, Level) else Level(level))
    except ValueError:
        raise KeyError(level) from None


def _net_hands(hand_points: Net | None) -> Net:
    if hand_points is None:
        _refuse("hand_points_missing", "hand_points", "This scale needs the hand points.", "这种场分要有各副积分。")
    return hand_points


def _net_levels(home: str | Level | None, away: str | Level | None, ladder: Ladder) -> int:
    steps = []
    for field, level in (("home", home), ("away", away)):
        if level is None:
            _refuse("required", field, "The final level is missing.", "缺少最终级别。")
        try:
            steps.append(_steps(ladder, level))
        except KeyError:
            _refuse("unknown_level", field, f"There is no level {level}.", f"没有 {level} 这一级。", value=str(level))
    if steps[0] == steps[1] == ladder.index(None):
        _refuse("both_passed", "away", "Both sides cannot have passed the last level.", "不可能双方都打过最后一级。")
    return steps[0] - steps[1]


def _decided(net: Net, by_tie_rule: Party | str | None) -> Party | None:
    """Who won by the tie rule, which only decides what is level."""
    winner = _party(by_tie_rule)
    if winner is not None and net:
        _refuse(
            "levels_not_equal",
            "by_tie_rule",
            "The tie rule decides only when the levels are equal.",
            "只有级数相同才按平级规定判胜。",
        )
    return winner


def _unplayed(scale: Scale, outcome: Outcome, bye: Bye | None) -> MatchScore:
    winner = _FORFEIT_WINNER.get(outcome)
    if outcome is Outcome.BYE:
        home, away = scale.bye_worth(bye), Fraction(0)
        result = both(f"points {_signed(home)}", f"场分 {_signed(home)}")
    else:
        home = away = scale.both_absent
        if winner is not None:
            home, away = (scale.present, scale.absent) if winner is Party.HOME else (scale.absent, scale.present)
        result = _result(home, away)
    head = _UNPLAYED_TEXT[outcome]
    return MatchScore(
        scale=scale.id,
        home=home,
        away=away,
        winner=winner,
        net=None,
        because=(Reason(f"score.{scale.id}", scale.text),),
        sentence=both(f"{head['en']} → {result['en']}", f"{head['zh']} → {result['zh']}"),
    )


_UNPLAYED_TEXT = {
    Outcome.HOME_FORFEIT: both("Home side forfeits", "主队弃权"),
    Outcome.AWAY_FORFEIT: both("Away side forfeits", "客队弃权"),
    Outcome.DOUBLE_FORFEIT: both("Both sides forfeit", "双方弃权"),
    Outcome.BYE: both("Bye", "轮空"),
}


def _played_sentence(
    scale: Scale, net: Net, decided: Party | None, result: Text, *, by_hands: bool, boards: int | None
) -> Text:
    if scale.in_imps:
        en, zh = f"{_signed(net)} IMPs over {boards} boards", f"{boards} 副共 {_signed(net)} IMP"
    elif scale.by_boards:
        en, zh = f"Hand points {_signed(net)} over {boards} boards", f"{boards} 副积分共 {_signed(net)}"
    elif by_hands:
        en, zh = f"Hand points {_signed(net)}", f"各副积分 {_signed(net)}"
    else:
        en, zh = f"Net {_signed(net)} {'level' if abs(net) == 1 else 'levels'}", f"净级 {_signed(net)}"
    counted = scale.worth.capped(net)
    if counted != net:
        en, zh = f"{en}, counts as {_signed(counted)}", f"{zh}，按 {_signed(counted)} 计"
    if decided is not None:
        side = both("home side win", "主队胜") if decided is Party.HOME else both("away side win", "客队胜")
        en, zh = f"{en}, {side['en']} by the tie rule", f"{zh}，按平级规定{side['zh']}"
    return both(f"{en} → {result['en']}", f"{zh} → {result['zh']}")


def _result(home: Fraction, away: Fraction) -> Text:
    return both(f"points {_signed(home)} : {_signed(away)}", f"场分 {_signed(home)} : {_signed(away)}")


def _signed(number: Fraction | int) -> str:
    return exact(number).replace("-", MINUS)


def _outcome(value: Outcome | str) -> Outcome:
    try:
        return Outcome(value)
    except ValueError:
        _refuse("unknown_outcome", "outcome", f"There is no outcome {value}.", f"没有 {value} 这种结果。", value=value)


def _party(value: object) -> Party | None:
    if value is None:
        return None
    try:
        return Party(value)  # type: ignore[arg-type]
    except ValueError:
        _refuse("unknown_party", "by_tie_rule", "The tie rule names home or away.", "平级规定只能判主队或客队胜。")


def _level_named(question: Mapping[str, Any], field: str) -> str | None:
    value = question.get(field)
    if value is None or isinstance(value, str):
        return value
    _refuse("unknown_level", field, "A final level is a rank or passed.", "最终级别须是一个级别或打过。")


def _refuse(code: str, field: str, en: str, zh: str, **params: Any) -> NoReturn:
    message = both(en, zh)
    raise Refused((Finding(code=code, field=field, blocking=True, clause=None, message=message, params=params),))
