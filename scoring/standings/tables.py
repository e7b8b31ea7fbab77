"""The question `standings` of the protocol: what is wrong with it, all at once, and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from scoring.hands.findings import Finding, Refused, finding, refusal
from scoring.hands.reading import unknown_fields
from scoring.ladder import Ladder
from scoring.standings.chains import POINTS_ARE, chain_findings, title_of
from scoring.standings.field import Facts
from scoring.standings.match_scores import STANDARD_LADDER
from scoring.standings.ranked import RankedRow, Stakes
from scoring.standings.ranking import rank
from scoring.standings.results import EntrantId, ExtraMatch, entrant_findings, is_score, result_findings, score_of
from scoring.standings.scales import SCALES

_NUMBERS = ("penalties", "board_points", "fines", "carried")
_FIELDS = (
    *("chain", "entrants", "results", "scale", "seed", "drawn", "byes", "points_are"),
    *("extra_matches", "excluded", "lines", "prizes", *_NUMBERS),
)


def answer_standings(question: Mapping[str, Any], ladder: Ladder = STANDARD_LADDER) -> dict[str, Any]:
    """The protocol's `standings`: `rows` in order; Refused with all findings on bad input."""
    findings, entrants = question_findings(question), question.get("entrants")
    if isinstance(entrants, list) and not entrant_findings(entrants):
        findings += result_findings(question.get("results"), entrants, ladder)
        findings += _extra_findings(question.get("extra_matches"), entrants)
    if findings:
        raise Refused(findings)
    rows = rank(
        question["chain"],
        question["entrants"],
        question["results"],
        stakes=stakes_of(question),
        board_points=numbers_of(question, "board_points") if question.get("board_points") is not None else None,
        extra_matches=[ExtraMatch(one["home"], one["away"], one.get("winner")) for one in _extras(question)],
        average_byes=question.get("byes") == "average",
        points_are=question.get("points_are"),
        **facts_of(question, ladder),
    )
    return chain_answer(question["chain"], rows, question.get("points_are"))


def chain_answer(chain: Sequence[str], rows: Iterable[RankedRow], points_are: str | None = None) -> dict[str, Any]:
    """The rows as the protocol has them, and the tie-breaks they rest on."""
    return {
        "rows": [row.to_json() for row in rows],
        "because": [{"clause": f"tiebreak.{code}", "text": dict(title_of(code, points_are))} for code in chain],
    }


def question_findings(question: Mapping[str, Any]) -> list[Finding]:
    """What is wrong with chain, entrants, seed, stakes and the numbers by entrant; the results are looked at apart."""
    chain, entrants, seed = question.get("chain"), question.get("entrants"), question.get("seed")
    found = unknown_fields(question, _FIELDS)
    scale = question.get("scale")
    if scale is not None and not (isinstance(scale, str) and scale in SCALES):
        found.append(finding("unknown_scale", "scale"))
        scale = None
    if not isinstance(chain, list) or not chain:
        found.append(refusal("missing", "chain", "The chain of tie-breaks is missing.", "缺少小分次序。"))
    else:
        found += chain_findings(chain, None if scale is None else SCALES[scale])
    points_are = question.get("points_are")
    if points_are is not None and not (isinstance(points_are, str) and points_are in POINTS_ARE):
        text = f"Points are match scores, or one of: {', '.join(POINTS_ARE)}."
        found.append(refusal("unknown_value", "points_are", text, f"积分是场分，或 {'、'.join(POINTS_ARE)} 之一。"))
    known = entrant_findings(entrants)
    found += known
    if seed is not None and not (isinstance(seed, str) and 0 < len(seed) <= 200):
        found.append(refusal("wrong_type", "seed", "A seed is a text.", "种子应是文字。"))
    ids = {str(one) for one in entrants} if isinstance(entrants, list) and not known else None
    for name in _NUMBERS:
        found += _numbers_findings(name, question.get(name), ids)
    if question.get("byes") not in (None, "average"):
        text = "Byes are as scored, or `average`."
        found.append(refusal("unknown_bye", "byes", text, "轮空按所计场分，或写 average。"))
    found += _drawn_findings(question.get("drawn"), seed, entrants if ids is not None else None)
    found += excluded_findings(question.get("excluded"), entrants if ids is not None else None)
    return found + stakes_findings(question.get("lines"), question.get("prizes"))


def numbers_of(question: Mapping[str, Any], name: str) -> dict[EntrantId, Fraction]:
    """Exact numbers by entrant. The keys of an object are texts, so entrants are known by their ids as texts."""
    given = {str(entrant): score_of(number) for entrant, number in (question.get(name) or {}).items()}
    return {entrant: given[str(entrant)] for entrant in question["entrants"] if str(entrant) in given}


def facts_of(question: Mapping[str, Any], ladder: Ladder) -> Facts:
    """What a sound question says of any entrants, pairs and teams or single players."""
    return {
        "ladder": ladder,
        "penalties": {entrant: int(number) for entrant, number in numbers_of(question, "penalties").items()},
        "fines": numbers_of(question, "fines"),
        "seed": question.get("seed"),
        "drawn": question.get("drawn") or (),
        "carried": numbers_of(question, "carried"),
        "excluded": question.get("excluded") or (),
    }


def stakes_of(question: Mapping[str, Any]) -> Stakes:
    """The lines and prizes of a sound question."""
    lines, prizes = question.get("lines"), question.get("prizes") or ()
    return Stakes(None if lines is None else tuple(lines), tuple(score_of(prize) for prize in prizes))


def _extras(question: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return question.get("extra_matches") or ()


def _numbers_findings(name: str, given: object, ids: set[str] | None) -> list[Finding]:
    """What is wrong with numbers by entrant: whole penalties, fines in half points, exact board points."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        text = f"{name} must give a number by entrant."
        return [refusal("wrong_type", name, text, f"{name} 应按参赛方给出数值。")]
    found = []
    for entrant, number in given.items():
        at = f"{name}.{entrant}"
        if ids is not None and str(entrant) not in ids:
            found.append(finding("unknown_entrant", at))
        if name == "penalties" and type(number) is not int:
            text = "Penalties are a whole number."
            found.append(refusal("wrong_type", name, text, "处罚次数应是整数。"))
        elif not is_score(number, optional=False):
            text = "This is no exact number."
            found.append(refusal("wrong_type", name, text, "应是精确的数。"))
        elif name == "fines" and (score_of(number) * 2).denominator != 1:
            found.append(finding("fine_not_half", at))
    return found


def _extra_findings(given: object, entrants: Sequence[EntrantId]) -> list[Finding]:
    """What is wrong with the extra matches."""
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        return [refusal("wrong_type", "extra_matches", "Extra matches must be a list of objects.", "加赛应是列表。")]
    known: list[object] = list(entrants)
    found: list[Finding] = []
    for i, one in enumerate(given):
        at, parties = f"extra_matches.{i}", [one.get("home"), one.get("away")]
        found += unknown_fields(one, ("home", "away", "winner"), at)
        if parties[0] == parties[1] or not all(party in known for party in parties):
            text = "An extra match is between two entrants."
            found.append(refusal("unknown_entrant", at, text, "加赛须在两个参赛方之间。"))
        elif one.get("winner") is not None and one.get("winner") not in parties:
            text = "The winner did not play here."
            found.append(refusal("unknown_winner", f"{at}.winner", text, "胜方不在本场。"))
    return found


def _drawn_findings(drawn: object, seed: object, entrants: object) -> list[Finding]:
    """What is wrong with lots drawn by hand: entrants in the order drawn, each once, and no seed beside them."""
    if drawn is None:
        return []
    if not isinstance(drawn, list) or not drawn:
        return [refusal("wrong_type", "drawn", "Lots drawn are a list of entrants in order.", "抽签结果应是列表。")]
    known = entrants if isinstance(entrants, list) else drawn
    found = []
    if any(one not in known for one in drawn) or any(one in drawn[:i] for i, one in enumerate(drawn)):
        text = "Lots drawn name entrants, each once."
        found.append(refusal("unknown_entrant", "drawn", text, "抽签结果应是参赛方，各出现一次。"))
    if seed is not None:
        text = "Lots are drawn by hand or from a seed, not both."
        found.append(refusal("drawn_twice", "drawn", text, "当场抽签与种子抽签只能用一种。"))
    return found


def excluded_findings(excluded: object, entrants: object) -> list[Finding]:
    """What is wrong with a list of entrants ruled out of the placing."""
    if excluded is None:
        return []
    if not isinstance(excluded, list):
        text = "Who is excluded is a list of entrants."
        return [refusal("wrong_type", "excluded", text, "取消名次者应是参赛方的列表。")]
    if isinstance(entrants, list) and any(one not in entrants for one in excluded):
        return [finding("unknown_entrant", "excluded")]
    return []


def stakes_findings(lines: object, prizes: object) -> list[Finding]:
    found = []
    if lines is not None and not (
        isinstance(lines, list)
        and all(type(line) is int and line > 0 for line in lines)
        and all(a < b for a, b in pairwise(lines))
    ):
        text = "Lines are numbers of places from 1, each greater than the one before."
        found.append(refusal("wrong_lines", "lines", text, "晋级线应是从 1 起递增的名次数。"))
    if prizes is not None and not (
        isinstance(prizes, list) and all(is_score(prize, optional=False) and score_of(prize) >= 0 for prize in prizes)
    ):
        text = "Prizes are a list of exact numbers from 0, for the places from the first."
        found.append(refusal("wrong_prizes", "prizes", text, "奖金应是从第一名起的非负数列表。"))
    return found
