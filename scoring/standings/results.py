"""Finished matches as standings see them: values with entrant ids, and how the protocol writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple

from scoring.hands.findings import Finding, finding, refusal
from scoring.hands.reading import unknown_fields
from scoring.ladder import Ladder
from scoring.standings.match_scores import PASSED, Outcome

#: An entrant's id, as the caller names it. Ids are ordered numbers first, then texts.
EntrantId = int | str

_DECIMAL = re.compile(r"-?([0-9]{1,12}(\.[0-9]{1,18})?|[0-9]{1,30}/[1-9][0-9]{0,17})", re.ASCII)
_ID_LENGTH = 100
_MOST_ROUNDS = 10_000


class Result(NamedTuple):
    """One finished match. A bye has no `away`. Levels are ranks or "passed", None when nothing was played.

    `winner` is stored apart from the scores: a win by the tie rule may score like a draw.
    """

    round: int
    home: EntrantId
    away: EntrantId | None
    home_score: Fraction
    away_score: Fraction
    home_level: str | None = None
    away_level: str | None = None
    outcome: Outcome = Outcome.PLAYED
    winner: EntrantId | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """The protocol's result object, already known to be sound (see `result_findings`).

        Where `winner` is left out, a forfeit is won by the side present and a match played by the higher score.
        """
        outcome = Outcome(data.get("outcome", "played"))
        home, away = data["home"], data.get("away")
        home_score, away_score = score_of(data.get("home_score") or 0), score_of(data.get("away_score") or 0)
        winner = data.get("winner")
        if outcome is Outcome.HOME_FORFEIT:
            winner = away
        elif outcome is Outcome.AWAY_FORFEIT:
            winner = home
        elif "winner" not in data and outcome is Outcome.PLAYED:
            winner = home if home_score > away_score else away if home_score < away_score else None
        return cls(
            round=data["round"],
            home=home,
            away=away,
            home_score=home_score,
            away_score=away_score,
            home_level=data.get("home_level") or None,
            away_level=data.get("away_level") or None,
            outcome=outcome,
            winner=winner,
        )


class ExtraMatch(NamedTuple):
    """A match played only to decide a tie; it gives no points. `winner` is None when it was drawn."""

    home: EntrantId
    away: EntrantId
    winner: EntrantId | None = None


def with_average_byes(results: Sequence[Result]) -> list[Result]:
    """The results with every bye worth the average of the side's own other rounds, where it has any."""
    got: dict[EntrantId, list[Fraction]] = {}
    for result in results:
        if result.away is not None:
            got.setdefault(result.home, []).append(result.home_score)
            got.setdefault(result.away, []).append(result.away_score)
    return [
        result._replace(home_score=sum(got[result.home], Fraction(0)) / len(got[result.home]))
        if result.away is None and result.home in got
        else result
        for result in results
    ]


@lru_cache(maxsize=4096, typed=True)
def score_of(text: str | int) -> Fraction:
    """An exact score from its text ("16.73", "2", "-0.5", "7/3") or a whole number; ValueError on anything else."""
    if type(text) is not int and not (isinstance(text, str) and _DECIMAL.fullmatch(text)):
        raise ValueError(f"not an exact number: {text!r}")
    return Fraction(text)


@lru_cache(maxsize=4096)
def hundredths(number: int) -> Fraction:
    """A score kept as whole hundredths."""
    return Fraction(number, 100)


def entrant_order(entrant: EntrantId) -> tuple[float, str]:
    """Sort key of entrant ids: whole numbers by value, then other texts by code point."""
    if isinstance(entrant, int):
        return (entrant, "")
    if entrant.isascii() and entrant.isdigit():
        return (int(entrant), entrant)
    return (inf, entrant)


def entrant_findings(entrants: object) -> list[Finding]:
    """What is wrong with a list of entrant ids."""
    if not isinstance(entrants, Sequence) or isinstance(entrants, str):
        return [refusal("wrong_type", "entrants", "Entrants must be a list of ids.", "参赛方应是编号的列表。")]
    found = []
    seen: set[EntrantId] = set()
    for i, entrant in enumerate(entrants):
        if not is_id(entrant):
            text = "An id is a text or a whole number."
            found.append(refusal("wrong_type", f"entrants.{i}", text, "编号应是文字或整数。"))
        elif entrant in seen:
            found.append(
                refusal("entrant_twice", f"entrants.{i}", f"{entrant} is there twice.", f"{entrant} 出现了两次。")
            )
        else:
            seen.add(entrant)
    return found


def result_findings(results: object, entrants: Sequence[EntrantId], ladder: Ladder) -> list[Finding]:
    """What is wrong with the protocol's list of results, all at once."""
    if not isinstance(results, list | tuple):
        return [refusal("wrong_type", "results", "Results must be a list.", "成绩应是列表。")]
    known = set(entrants)
    levels = {level.rank for level in ladder} | {PASSED}
    met: set[tuple[int, EntrantId]] = set()
    found: list[Finding] = []
    for i, result in enumerate(results):
        if isinstance(result, Mapping):
            found += _one_result(result, f"results.{i}", known, levels, met)
        else:
            found.append(refusal("wrong_type", f"results.{i}", "A result must be an object.", "成绩应是一个对象。"))
    return found


def _one_result(
    result: Mapping[str, Any], at: str, known: set[EntrantId], levels: set[str], met: set[tuple[int, EntrantId]]
) -> list[Finding]:
    found = unknown_fields(result, Result._fields, at)
    number = result.get("round")
    if not is_round(number):
        text = "A round is a whole number from 1."
        found.append(refusal("wrong_type", f"{at}.round", text, "轮次应是从 1 起的整数。"))
    outcome = result.get("outcome", "played")
    if not isinstance(outcome, str) or outcome not in set(Outcome):
        found.append(finding("unknown_outcome", f"{at}.outcome"))
    bye = outcome == Outcome.BYE
    parties = [result.get("home"), result.get("away")]
    for name, party in zip(("home", "away"), parties, strict=True):
        if name == "away" and party is None and bye:
            continue
        if not is_id(party) or party not in known:
            found.append(finding("unknown_entrant", f"{at}.{name}"))
        elif type(number) is int and (number, party) in met:
            text = f"{party} is in round {number} twice."
            found.append(refusal("twice_in_a_round", f"{at}.{name}", text, f"{party} 在第 {number} 轮出现了两次。"))
        elif type(number) is int:
            met.add((number, party))
    if bye and parties[1] is not None:
        found.append(finding("bye_with_opponent", f"{at}.away"))
    winner = result.get("winner")
    if winner is not None and not (is_id(winner) and winner in parties):
        found.append(finding("unknown_winner", f"{at}.winner"))
    for name in ("home_score", "away_score"):
        if not is_score(result.get(name), optional=bye and name == "away_score"):
            text = "A score is an exact decimal text."
            found.append(refusal("wrong_type", f"{at}.{name}", text, "场分应是精确的小数文字。"))
    for name in ("home_level", "away_level"):
        level = result.get(name)
        if level is not None and not (isinstance(level, str) and (level in levels or level == "")):
            found.append(finding("unknown_level", f"{at}.{name}"))
    return found


def is_round(value: object) -> bool:
    """Whether this is the number of a round."""
    return type(value) is int and 1 <= value <= _MOST_ROUNDS


def is_id(value: object) -> bool:
    """Whether this can be the id of an entrant."""
    return type(value) is int or (isinstance(value, str) and 0 < len(value) <= _ID_LENGTH)


def is_score(value: object, *, optional: bool) -> bool:
    """Whether this is an exact score, or absent where that is allowed."""
    if value is None:
        return optional
    return type(value) is int or (isinstance(value, str) and bool(_DECIMAL.fullmatch(value)))
