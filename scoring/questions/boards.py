"""The doors to board scores in the batch protocol: `board_scores` and `victory_points`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NoReturn

from scoring import wording
from scoring.boards.scores import (
    AVERAGES,
    IMPS_OF_TEN_PERCENT,
    Artificial,
    Assigned,
    BoardScale,
    Mark,
    NoWorth,
    TableResult,
    board_against_board,
    cross_imps,
    imps,
    matchpoints,
    neuberg,
    seen_by_ns,
    top_of,
)
from scoring.hands.findings import Finding, Refused, finding, refusal
from scoring.hands.outcomes import level_result
from scoring.hands.reading import Reader
from scoring.hands.sheets import TOTAL, off_grain
from scoring.profiles import Profile
from scoring.questions.asking import MOST_TOTAL, Answer
from scoring.standings.match_scores import hand_points
from scoring.standings.results import EntrantId, is_id, is_score, score_of
from scoring.standings.victory_points import victory_points
from scoring.values import Level, Side, Text, exact
from scoring.wording import both

MOST_TABLES = 500
MOST_OUTCOMES = 10
MOST_BOARDS = 1_000
_EXPECTED = {"en": "the number of results expected", "zh": "应有的成绩数"}
_MARGIN = {"en": "the margin", "zh": "净胜"}
_BOARDS = {"en": "the number of boards", "zh": "牌副数"}


class Method(StrEnum):
    """How the results of a board are compared."""

    MATCHPOINTS = "matchpoints"
    NEUBERG = "neuberg"
    CROSS_IMP = "cross_imp"
    BOARD_AGAINST_BOARD = "board_against_board"


class Measure(StrEnum):
    """What a result is worth before it is compared."""

    ATTACKERS_POINTS = "attackers_points"
    HAND_POINTS = "hand_points"


_TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "matchpoints": both(
            "2 for each pair beaten on the board in the same seats, 1 for each tie; artificial scores are a percentage "
            "of the top.",
            "同方向每胜一对得 2 分，相同得 1 分；人为分按最高分的百分比计。",
        ),
        "neuberg": both(
            "Matchpoints M of n results become (N / n) × (M + 1) − 1 where N were expected; artificial scores are a "
            "percentage of the top of N results.",
            "n 个成绩中的比赛分 M 按应有的 N 个成绩折算为 (N / n) × (M + 1) − 1；人为分按 N 个成绩的最高分的百分比计。",
        ),
        "cross_imp": both(
            "The average over all other results in the same seats of the difference, in international match points "
            "where attackers' points are compared, as it is where hand points are.",
            "与同方向所有其他成绩逐一比较后取平均：比闲家得分时换算为国际比赛分，比各副积分时直接计差。",
        ),
        "difference": both(
            "A team's result as NS in one room less the result of its opponents as NS in the other.",
            "本队在一室南北方的成绩减去对方在另一室南北方的成绩。",
        ),
        "wins": both(
            "The better team of the board gets 2, equal teams 1 each.", "该副成绩好的队得 2 分，相同各得 1 分。"
        ),
        "imp": both("The difference of the two rooms in international match points.", "两室成绩之差换算为国际比赛分。"),
        "attackers_points": both(
            "The attackers' points are compared, seen from NS: negative when NS deal.",
            "以闲家得分比较，从南北方看：南北方坐庄时取负。",
        ),
        "hand_points": both(
            "The levels are compared, taking the deal counted as one, seen from NS.",
            "以级数比较，上台计一级，从南北方看。",
        ),
        "victory_points": both(
            "The two sides share 20: 10 + 10 × (1 − R^(margin / X)) / (1 − R) for the better, R = √5 − 2, X = factor × "
            "√boards, to the nearest hundredth.",
            "双方共 20 分：胜方得 10 + 10 ×（1 − R^(净胜 / X)）/（1 − R），R = √5 − 2，X = 系数 × √牌副数，"
            "取到百分位。",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class _Board:
    """What all results of one board share."""

    measure: Measure
    profile: Profile | None
    level: Level | None
    own_percent: Mapping[str, Fraction]


def ask_board_scores(profile: Profile | None, data: Mapping[str, Any]) -> Answer:
    """The scores of one board by entrant; Refused with every finding."""
    reader = Reader(data)
    method, measure = reader.choice("method", Method, required=True), reader.choice("measure", Measure, required=True)
    scale = reader.choice("scale", BoardScale) or BoardScale.DIFFERENCE
    expected = reader.whole("expected", _EXPECTED, low=1, high=10 * MOST_TABLES)
    ten_percent = _number(reader, "ten_percent")
    level = None if profile is None else reader.level("level", profile)
    rows, own = reader.raw("results"), _own_percent(reader)
    reader.done()
    if measure is Measure.HAND_POINTS and profile is None:
        text = "Hand points come from the level table: the question needs a profile."
        reader.findings.append(refusal("profile_missing", "measure", text, "各副积分要查级数表，须说明用哪种规则。"))
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_TABLES:
        en, zh = f"Give a list of 1 to {MOST_TABLES} results.", f"应给出 1 至 {MOST_TABLES} 个成绩的列表。"
        reader.findings.append(refusal("wrong_type", "results", en, zh))
        rows = []
    reader.refuse_if_any()
    assert method is not None
    assert measure is not None
    board = _Board(measure, profile, level, own)
    results = [_row(reader.nested(row, f"results[{i}]"), board) for i, row in enumerate(rows)]
    reader.findings += _together(results, method, measure, expected)
    reader.refuse_if_any()
    tables = [one[0] for one in results if one is not None]
    try:
        scores = _scores(tables, method, measure, scale, expected, ten_percent)
    except NoWorth:
        en = "An artificial score needs `ten_percent`: what ten per cent over the average are worth here."
        _refuse("average_has_no_worth", "ten_percent", en, "人为分须说明高出平均百分之十计多少分。")
    how = scale.value if method is Method.BOARD_AGAINST_BOARD else method.value
    said: Answer = {"scores": {str(entrant): exact(got) for entrant, got in scores.items()}}
    if method is Method.NEUBERG:
        said["top"] = exact(top_of(expected or len(tables)))
    elif method is Method.MATCHPOINTS:
        said["top"] = exact(top_of(sum(isinstance(one.ns_mark, Assigned) for one in tables)))
    return {**said, "because": [{"clause": f"board.{one}", "text": dict(_TEXTS[one])} for one in (how, measure.value)]}


def ask_victory_points(data: Mapping[str, Any]) -> Answer:
    """20 points shared by the margin of a match over a number of boards."""
    reader = Reader(data)
    margin = reader.whole("margin", _MARGIN, low=-MOST_TOTAL, high=MOST_TOTAL, required=True)
    boards = reader.whole("boards", _BOARDS, low=1, high=MOST_BOARDS, required=True)
    factor = _number(reader, "factor")
    reader.done()
    if factor is not None and not 0 < factor <= MOST_TOTAL:
        en, zh = "The factor is a number above 0.", "系数应大于 0。"
        reader.findings.append(refusal("out_of_range", "factor", en, zh))
    reader.refuse_if_any()
    assert margin is not None
    assert boards is not None
    home, away = victory_points(margin, boards=boards, **({} if factor is None else {"factor": factor}))
    because = [{"clause": "board.victory_points", "text": dict(_TEXTS["victory_points"])}]
    return {"home": exact(home), "away": exact(away), "because": because}


def read_mark(
    data: object, dealer_side: Side, measure: str, profile: Profile | None, level: Level | None, path: str = "mark"
) -> Mark:
    """One side's mark: `attackers_total`, `weighted` or `artificial`, as N–S see it; Refused with every finding."""
    reader = Reader(data, path)
    mark = _mark(reader, dealer_side, _Board(Measure(measure), profile, level, {}), pair="")
    reader.done()
    reader.refuse_if_any()
    assert mark is not None
    return mark


def _scores(
    tables: list[TableResult],
    method: Method,
    measure: Measure,
    scale: BoardScale,
    expected: int | None,
    ten_percent: Fraction | None,
) -> Mapping[EntrantId, Fraction]:
    in_imps = measure is Measure.ATTACKERS_POINTS if method is Method.CROSS_IMP else scale is BoardScale.IMP
    if ten_percent is None and in_imps:
        ten_percent = IMPS_OF_TEN_PERCENT
    if method is Method.MATCHPOINTS:
        return matchpoints(tables)
    if method is Method.NEUBERG:
        return neuberg(tables, expected=expected)
    if method is Method.CROSS_IMP:
        return cross_imps(tables, imps if in_imps else int, ten_percent=ten_percent)
    return board_against_board((tables[0], tables[1]), scale, ten_percent=ten_percent)


def _row(reader: Reader, board: _Board) -> tuple[TableResult, Side | None] | None:
    """One result, with its dealer side; None when it cannot be read, with findings."""
    before = len(reader.findings)
    pairs = [reader.raw(name) for name in ("ns", "ew")]
    for name, pair in zip(("ns", "ew"), pairs, strict=True):
        if not is_id(pair):
            text = "An id is a text or a whole number."
            reader.findings.append(refusal("wrong_type", f"{reader.path}.{name}", text, "编号应是文字或整数。"))
    dealer_side = reader.choice("dealer_side", Side)
    if sum(reader.has(name) for name in _FORMS) != 1:
        reader.findings.append(_one_of(reader.path))
        return None
    if reader.has("split"):
        halves = reader.nested(reader.raw("split"), f"{reader.path}.split")
        marks = [
            _mark(reader.nested(halves.raw(name), f"{halves.path}.{name}"), dealer_side, board, str(pair))
            for name, pair in zip(("ns", "ew"), pairs, strict=True)
        ]
        halves.done()
    elif isinstance(reader.raw("artificial"), Mapping):
        halves = reader.nested(reader.raw("artificial"), f"{reader.path}.artificial")
        marks = [_artificial(halves, name, board, str(pair)) for name, pair in zip(("ns", "ew"), pairs, strict=True)]
        halves.done()
    else:
        mark = _mark(reader, dealer_side, board, None)
        marks = [mark, mark]
    reader.done()
    if len(reader.findings) > before:
        return None
    (ns, ew), (ns_mark, ew_mark) = map(str, pairs), marks
    assert ns_mark is not None
    assert ew_mark is not None
    return TableResult(ns, ew, ns_mark, ew_mark), dealer_side


def _mark(reader: Reader, dealer_side: Side | None, board: _Board, pair: str | None) -> Mark | None:
    """What a result, or one side's part of a split one, comes to: exactly one of its three forms."""
    given = [name for name in _FORMS[:3] if reader.has(name)]
    if len(given) != 1 or (given == ["artificial"] and pair is None):
        reader.findings.append(_one_of(reader.path))
        return None
    if given == ["artificial"]:
        assert pair is not None
        return _artificial(reader, "artificial", board, pair)
    if dealer_side is None:
        en, zh = "A result needs the dealer side.", "成绩须说明哪方坐庄。"
        reader.findings.append(refusal("missing", f"{reader.path}.dealer_side", en, zh))
        return None
    if given == ["attackers_total"]:
        value = _value(reader, dealer_side, board)
        return None if value is None else Assigned(((value, Fraction(1)),))
    return _weighted(reader, dealer_side, board)


_FORMS = ("attackers_total", "weighted", "artificial", "split")


def _one_of(path: str) -> Finding:
    en = "Give one of: the attackers' total, weighted results, artificial scores for ns and ew, a split score."
    zh = "应给出闲家得分、加权成绩、南北方与东西方的人为分、分别判分中的一项。"
    return refusal("one_of", path, en, zh)


def _weighted(reader: Reader, dealer_side: Side, board: _Board) -> Assigned | None:
    """Several results with their weights in per cent, which make 100."""
    rows, at = reader.raw("weighted"), f"{reader.path}.weighted"
    outcomes: list[tuple[int, Fraction]] = []
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_OUTCOMES:
        en, zh = f"Give 1 to {MOST_OUTCOMES} results with weights.", f"应给出 1 至 {MOST_OUTCOMES} 个带权重的成绩。"
        reader.findings.append(refusal("wrong_type", at, en, zh))
        return None
    for i, row in enumerate(rows):
        one = reader.nested(row, f"{at}[{i}]")
        value, weight = _value(one, dealer_side, board), _number(one, "weight", required=True)
        one.done()
        if weight is not None and weight <= 0:
            reader.findings.append(
                refusal("out_of_range", f"{at}[{i}].weight", "A weight is above 0.", "权重应大于 0。")
            )
        if value is None or weight is None:
            return None
        outcomes.append((value, weight / 100))
    if sum(weight for _, weight in outcomes) != 1:
        reader.findings.append(finding("weights_not_100", at))
    return Assigned(tuple(outcomes))


def _value(reader: Reader, dealer_side: Side, board: _Board) -> int | None:
    """What a total is worth to NS by the measure of the board."""
    total = reader.whole("attackers_total", TOTAL, low=-MOST_TOTAL, high=MOST_TOTAL, required=True)
    if total is None:
        return None
    if board.profile is None or board.measure is Measure.ATTACKERS_POINTS:
        return seen_by_ns(dealer_side, total)
    wrong = list(off_grain(board.profile, total, TOTAL, f"{reader.path}.attackers_total"))
    reader.findings += wrong
    if wrong:
        return None
    result = level_result(board.profile, total, level=board.level, reasons=False)
    points = hand_points(deal_changes_hands=result.deal_changes_hands, levels=result.levels)
    return seen_by_ns(dealer_side, points)


def _artificial(reader: Reader, name: str, board: _Board, pair: str) -> Artificial | None:
    """A percentage, or the name of one. A pair's own percentage lifts its average plus and lowers its average minus."""
    value = reader.raw(name)
    if isinstance(value, str) and value in AVERAGES:
        percent = AVERAGES[value]
        own = board.own_percent.get(pair, percent)
        if value == "average_plus":
            percent = max(percent, own)
        elif value == "average_minus":
            percent = min(percent, own)
        return Artificial(percent)
    if not is_score(value, optional=False) or not 0 <= score_of(value) <= 100:
        en = f"An artificial score is a percentage from 0 to 100, or one of {', '.join(AVERAGES)}."
        zh = f"人为分是 0 至 100 的百分比，或 {'、'.join(AVERAGES)} 之一。"
        reader.findings.append(refusal("not_a_percentage", f"{reader.path}.{name}", en, zh))
        return None
    return Artificial(score_of(value))


def _own_percent(reader: Reader) -> Mapping[str, Fraction]:
    """What pairs have on their other boards, in per cent."""
    given = reader.raw("own_percent")
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(
        is_score(value, optional=False) and 0 <= score_of(value) <= 100 for value in given.values()
    ):
        en, zh = "Own percentages are numbers from 0 to 100 by pair.", "各对的得分率应是 0 至 100 的数。"
        reader.findings.append(refusal("not_a_percentage", "own_percent", en, zh))
        return {}
    return {str(pair): score_of(value) for pair, value in given.items()}


def _number(reader: Reader, name: str, *, required: bool = False) -> Fraction | None:
    """An exact number; whole, or as a decimal text."""
    value = reader.raw(name)
    if value is None and not required:
        return None
    if value is None:
        reader.missing(name)
        return None
    if not is_score(value, optional=False):
        at = f"{reader.path}.{name}" if reader.path else name
        en, zh = f"{wording.shown(value)} is no exact number.", f"{wording.shown(value)} 不是精确的数。"
        reader.findings.append(refusal("wrong_type", at, en, zh))
        return None
    return score_of(value)


def _together(
    results: list[tuple[TableResult, Side | None] | None], method: Method, measure: Measure, expected: int | None
) -> list[Finding]:
    """What is wrong with the results as a whole; nothing is said while single ones cannot be read."""
    tables = [one[0] for one in results if one is not None]
    if len(tables) < len(results):
        return []
    found: list[Finding] = []
    sides = {one[1] for one in results if one is not None and one[1] is not None}
    if measure is Measure.ATTACKERS_POINTS and len(sides) > 1:
        en = "Attackers' points compare only where the same side deals at every table."
        found.append(refusal("dealer_side_differs", "results", en, "各桌坐庄方相同才能比较闲家得分。"))
    if method is Method.BOARD_AGAINST_BOARD:
        if (
            len(tables) != 2
            or (tables[0].ns, tables[0].ew) != (tables[1].ew, tables[1].ns)
            or tables[0].ns == tables[0].ew
        ):
            en = "Board against board takes two rooms with the same two teams the other way round."
            found.append(refusal("not_two_rooms", "results", en, "须有开室、闭室两个成绩，两队方向互换。"))
        return found
    seen: set[EntrantId] = set()
    for i, one in enumerate(tables):
        for name, pair in (("ns", one.ns), ("ew", one.ew)):
            if pair in seen:
                en, zh = f"{pair} has this board twice.", f"{pair} 这副牌出现了两次。"
                found.append(refusal("board_twice", f"results[{i}].{name}", en, zh))
            seen.add(pair)
    if expected is not None and expected < len(tables):
        en, zh = "More results than were expected.", "成绩多于应有的个数。"
        found.append(refusal("more_than_expected", "expected", en, zh))
    return found


def _refuse(code: str, field: str, en: str, zh: str) -> NoReturn:
    raise Refused([refusal(code, field, en, zh)])
