"""Standings of individual games: finished tables of single players through the same chain of tie-breaks.

A table gives every player a score. There are no opponents to compare with: the tie-breaks that need them are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, Unpack

from scoring.hands.findings import Finding, Refused, finding, refusal
from scoring.hands.reading import unknown_fields
from scoring.individual.states import PlaceResult
from scoring.ladder import Ladder
from scoring.standings.field import Facts, Field
from scoring.standings.match_scores import PASSED, STANDARD_LADDER
from scoring.standings.ranked import NOTHING_AT_STAKE, RankedRow, Stakes
from scoring.standings.ranking import rank_field
from scoring.standings.results import EntrantId, is_id, is_round, is_score, score_of
from scoring.standings.tables import chain_answer, facts_of, question_findings, stakes_of
from scoring.values import Place

#: The tie-breaks that need no opponents.
INDIVIDUAL_TIEBREAKS = (
    "points",
    "wins",
    "hands_won",
    "sum_levels",
    "last_round_back",
    "best_scores",
    "penalties",
    "lots",
)


class IndividualResult(NamedTuple):
    """One finished table: scores by entrant, final levels where levels are kept (a rank, or "passed"), who won it.

    Several winners share the table. An entrant without a score did not play there.
    """

    round: int
    scores: Mapping[EntrantId, Fraction]
    levels: Mapping[EntrantId, str]
    winners: tuple[EntrantId, ...]
    hands_won: Mapping[EntrantId, int]

    @classmethod
    def of(cls, number: int, players: Mapping[Place, EntrantId], results: Iterable[PlaceResult]) -> IndividualResult:
        """A table of round `number` whose places were taken by these entrants."""
        rows = {players[one.place]: one for one in results if one.place in players}
        return cls(
            round=number,
            scores={entrant: one.score for entrant, one in rows.items()},
            levels={entrant: one.level_text for entrant, one in rows.items() if one.level_text is not None},
            winners=tuple(entrant for entrant, one in rows.items() if one.winner),
            hands_won={entrant: one.hands_won for entrant, one in rows.items()},
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> IndividualResult:
        """The protocol's result object, already known to be sound (see `individual_findings`).

        Where `winners` is left out, the highest score of two players or more wins the table.
        """
        scores = {entrant: score_of(score) for entrant, score in data["scores"].items()}
        winners = data.get("winners")
        if winners is None:
            most = max(scores.values())
            winners = [entrant for entrant, score in scores.items() if score == most and len(scores) > 1]
        return cls(
            round=data["round"],
            scores=scores,
            levels=dict(data.get("levels") or {}),
            winners=tuple(winners),
            hands_won=dict(data.get("hands_won") or {}),
        )


class IndividualField(Field):
    """Players and the tables they finished, prepared for the tie-breaks."""

    def __init__(
        self, entrants: Sequence[EntrantId], tables: Sequence[IndividualResult], **facts: Unpack[Facts]
    ) -> None:
        super().__init__(entrants, (), **facts)
        self.tables = tables

    def _denominators(self) -> set[int]:
        return {score.denominator for table in self.tables for score in table.scores.values()}

    @cached_property
    def scores(self) -> list[int]:
        own = self._summed(
            (entrant, self.scaled(score)) for table in self.tables for entrant, score in table.scores.items()
        )
        return [score + brought for score, brought in zip(own, self.brought, strict=True)]

    @cached_property
    def rounds_back(self) -> list[int]:
        return sorted({table.round for table in self.tables}, reverse=True)

    @property
    def wins(self) -> list[int]:
        return self._summed((entrant, 1) for table in self.tables for entrant in table.winners)

    @property
    def sum_levels(self) -> list[int]:
        steps = self.steps
        return self._summed((entrant, steps[level]) for table in self.tables for entrant, level in table.levels.items())

    @property
    def scores_back(self) -> list[tuple[int, ...]]:
        column = {number: i for i, number in enumerate(self.rounds_back)}
        scores = [[0] * len(column) for _ in self.entrants]
        for table in self.tables:
            for entrant, score in table.scores.items():
                scores[self.index[entrant]][column[table.round]] += self.scaled(score)
        return [tuple(row) for row in scores]

    @property
    def hands_won(self) -> list[int]:
        return self._summed(row for table in self.tables for row in table.hands_won.items())

    def _summed(self, rows: Iterable[tuple[EntrantId, int]]) -> list[int]:
        total = [0] * len(self.entrants)
        for entrant, number in rows:
            total[self.index[entrant]] += number
        return total


def rank_individuals(
    chain: Sequence[str],
    entrants: Sequence[EntrantId],
    results: Sequence[IndividualResult],
    *,
    stakes: Stakes = NOTHING_AT_STAKE,
    **facts: Unpack[Facts],
) -> tuple[RankedRow, ...]:
    """The table of these players after these tables, best first; rows as for pairs and teams.

    Refused when the chain names a tie-break that is unknown or needs opponents, or a result names no entrant.
    """
    wrong = [one for i, code in enumerate(chain) for one in _opponent_findings(code, i)]
    if wrong:
        raise Refused(wrong)
    return rank_field(chain, IndividualField(entrants, results, **facts), stakes)


def _opponent_findings(code: object, i: int) -> list[Finding]:
    if code in INDIVIDUAL_TIEBREAKS:
        return []
    text = "This tie-break compares opponents, or is unknown; single players have none."
    return [refusal("tiebreak_not_here", f"chain.{i}", text, "个人赛没有对阵双方，不能用这个小分项。")]


def answer_individual_standings(question: Mapping[str, Any], ladder: Ladder = STANDARD_LADDER) -> dict[str, Any]:
    """The protocol's `standings` for results with `scores`; Refused with all findings on bad input.

    Scores stand under their entrants, so ids are texts; whole numbers are taken as such.
    """
    entrants = question.get("entrants")
    if isinstance(entrants, list):
        entrants = [str(one) if type(one) is int else one for one in entrants]
        question = {**question, "entrants": entrants}
    findings, chain = question_findings(question), question.get("chain")
    if not findings and isinstance(chain, list):
        findings += [one for i, code in enumerate(chain) for one in _opponent_findings(code, i)]
    if isinstance(entrants, list) and not any(one.field.startswith("entrants") for one in findings):
        findings += individual_findings(question.get("results"), entrants, ladder)
    for name in ("board_points", "extra_matches", "byes"):
        if question.get(name) is not None:
            text = "Single players have no opponents: no boards, extra matches or byes."
            findings.append(
                refusal("tiebreak_not_here", name, text, "个人赛没有对阵双方，也就没有牌副净分、加赛和轮空。")
            )
    if findings:
        raise Refused(findings)
    rows = rank_individuals(
        question["chain"],
        question["entrants"],
        [IndividualResult.from_json(row) for row in question["results"]],
        stakes=stakes_of(question),
        **facts_of(question, ladder),
    )
    return chain_answer(question["chain"], rows)


def individual_findings(results: object, entrants: Sequence[EntrantId], ladder: Ladder) -> list[Finding]:
    """What is wrong with a list of results of individual games, all at once."""
    if not isinstance(results, list | tuple):
        return [refusal("wrong_type", "results", "Results must be a list.", "成绩应是列表。")]
    known = set(entrants)
    levels = {level.rank for level in ladder} | {PASSED}
    met: set[tuple[int, EntrantId]] = set()
    found: list[Finding] = []
    for i, result in enumerate(results):
        if not isinstance(result, Mapping):
            found.append(refusal("wrong_type", f"results.{i}", "A result must be an object.", "成绩应是一个对象。"))
            continue
        at = f"results.{i}"
        found += unknown_fields(result, IndividualResult._fields, at)
        number = result.get("round")
        if not is_round(number):
            text = "A round is a whole number from 1."
            found.append(refusal("wrong_type", f"{at}.round", text, "轮次应是从 1 起的整数。"))
        scores = result.get("scores")
        if not isinstance(scores, Mapping) or not scores:
            text = "The scores of a table are given by entrant."
            found.append(refusal("wrong_type", f"{at}.scores", text, "成绩应按参赛方给出。"))
            continue
        found += _scores(scores, at, known, number, met)
        found += _by_player(result, at, scores, levels)
    return found


def _scores(
    scores: Mapping[Any, Any], at: str, known: set[EntrantId], number: object, met: set[tuple[int, EntrantId]]
) -> list[Finding]:
    found = []
    for entrant, score in scores.items():
        where = f"{at}.scores.{str(entrant)[:40]}"
        if not is_id(entrant) or entrant not in known:
            found.append(finding("unknown_entrant", where))
        elif isinstance(number, int) and (number, entrant) in met:
            text = f"{entrant} is in round {number} twice."
            found.append(refusal("twice_in_a_round", where, text, f"{entrant} 在第 {number} 轮出现了两次。"))
        elif isinstance(number, int):
            met.add((number, entrant))
        if not is_score(score, optional=False):
            text = "A score is an exact decimal text."
            found.append(refusal("wrong_type", where, text, "场分应是精确的小数文字。"))
    return found


def _by_player(result: Mapping[str, Any], at: str, scores: Mapping[Any, Any], levels: set[str]) -> list[Finding]:
    """Levels, hands won and winners speak of those who have a score."""
    found = []
    for name in ("levels", "hands_won"):
        rows = result.get(name)
        if rows is None:
            continue
        if not isinstance(rows, Mapping):
            found.append(refusal("wrong_type", f"{at}.{name}", "This is given by entrant.", "这一栏应按参赛方给出。"))
            continue
        for entrant, value in rows.items():
            where = f"{at}.{name}.{str(entrant)[:40]}"
            if entrant not in scores:
                found.append(refusal("unknown_entrant", where, "This is not an entrant here.", "这不是本桌的参赛方。"))
            elif name == "levels" and not (isinstance(value, str) and value in levels):
                found.append(finding("unknown_level", where))
            elif name == "hands_won" and (type(value) is not int or value < 0):
                text = "Hands won are a whole number from 0."
                found.append(refusal("wrong_type", where, text, "胜副应是从 0 起的整数。"))
    winners = result.get("winners")
    if winners is not None and not (
        isinstance(winners, list)
        and all(is_id(winner) and winner in scores for winner in winners)
        and len(set(winners)) == len(winners)
    ):
        text = "Winners are a list of different entrants who played here."
        found.append(refusal("unknown_winner", f"{at}.winners", text, "胜者应是本桌参赛方，不得重复。"))
    return found
