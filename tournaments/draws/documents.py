"""Draws as documents: the question, its answer, the meetings with their tables, and what the checker found.

A document follows from its question (and, where a pairing was made by hand, from what was given), so anybody can draw
again and compare. It holds ids; `numbers` tells the numbers on paper, by which findings call entrants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scoring.hands.findings import Finding
from scoring.standings.results import EntrantId
from tournaments.draws.apart import Wish
from tournaments.draws.checker import check_pairing
from tournaments.draws.pairing import Pairing
from tournaments.draws.round_questions import (
    answer_danish_round,
    answer_groups_round,
    answer_knockout_round,
    answer_movement_round,
)
from tournaments.draws.swiss_questions import answer_swiss_round, judge

FORMAT = "referee/draw/1"
HAND = "hand"

Document = dict[str, Any]

OPS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "swiss_round": answer_swiss_round,
    "danish_round": answer_danish_round,
    "groups_round": answer_groups_round,
    "knockout_round": answer_knockout_round,
    "movement_round": answer_movement_round,
}
#: What a meeting keeps besides its sides and table.
PLACES = ("group", "slot", "for_place", "boards")


def answer_of(question: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to the question of a draw (`op` names which); without a question there is none.

    Refused when the question cannot be read.
    """
    asked = {name: value for name, value in question.items() if name != "op"}
    return OPS[question["op"]](asked) if question else {}


def document_again(document: Mapping[str, Any]) -> Document:
    """The whole document made anew from what was put in; equal to it when nobody tampered with either."""
    given = document["meetings"] if document["method"] == HAND else None
    kept = {name: document[name] for name in ("round", "stage", "method", "numbers", "question", "check")}
    return draw_document(kept, first_table=document["first_table"], given=given)


def draw_document(
    head: Mapping[str, Any],
    *,
    first_table: int = 1,
    given: Sequence[Mapping[str, Any]] | None = None,
    answer: Mapping[str, Any] | None = None,
) -> Document:
    """A draw as a document.

    `head`: `round`, `stage` (numbers), `method`, `numbers` (id as text to number), `question` (empty where the format
    has none), and `check`: what the checker needs (`entrants`, `rounds`, `units`, `groups`, `out`, `byes`, and where
    some are kept apart `apart`). `given`: the meetings as made by hand, with their tables; else those of the answer, at
    tables from `first_table` on. `answer` is the answer to the question where it is known already.
    Refused when the question cannot be answered; an answer that is not feasible has no meetings.
    """
    question = head["question"]
    answer = answer_of(question) if answer is None else dict(answer)
    meetings = [dict(one) for one in given] if given is not None else tabled(meetings_of(answer), first_table)
    document = {"format": FORMAT, **head, "first_table": first_table, "answer": answer, "meetings": meetings}
    if given is not None and question.get("op") == "swiss_round":
        document["judged"] = judge(
            {name: value for name, value in question.items() if name != "op"}, pairing_of(meetings), answer
        )
    found = findings_of(meetings, head["check"], head["numbers"]) if meetings else ()
    return document | {"findings": [one.to_json() for one in found]}


def meetings_of(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The meetings of an answer, byes last."""
    if "meetings" in answer:
        return [dict(one) for one in answer["meetings"]]
    pairs = [{"home": home, "away": away} for home, away in answer.get("pairs", ())]
    bye = answer.get("bye")
    return pairs if bye is None else [*pairs, {"home": bye, "away": None}]


def tabled(meetings: Sequence[Mapping[str, Any]], first_table: int) -> list[dict[str, Any]]:
    """Meetings with a table each, in order; byes have none, a movement's tables only move up."""
    made: list[dict[str, Any]] = []
    following = first_table
    for one in meetings:
        if one["away"] is None:
            made.append({**one, "table": None})
        elif one.get("table") is not None:
            made.append({**one, "table": one["table"] + first_table - 1})
        else:
            made.append({**one, "table": following})
            following += 1
    return made


def pairing_of(meetings: Sequence[Mapping[str, Any]]) -> Pairing:
    pairs = tuple((one["home"], one["away"]) for one in meetings if one["away"] is not None)
    return Pairing(pairs, tuple(one["home"] for one in meetings if one["away"] is None))


def findings_of(
    meetings: Sequence[Mapping[str, Any]], check: Mapping[str, Any], numbers: Mapping[str, int]
) -> tuple[Finding, ...]:
    """What the checker finds about meetings of ids, entrants called by their numbers."""

    def called(id: EntrantId) -> EntrantId:
        return numbers.get(str(id), id)

    def renamed(pairs: Sequence[Sequence[EntrantId]], byes: Sequence[EntrantId]) -> Pairing:
        return Pairing(tuple((called(a), called(b)) for a, b in pairs), tuple(called(one) for one in byes))

    made = pairing_of(meetings)
    return check_pairing(
        renamed(made.pairs, made.byes),
        entrants=[called(one) for one in check["entrants"]],
        earlier=[renamed(one["pairs"], one["bye"]) for one in check["rounds"]],
        units={called(id): unit for id, unit in check["units"].items()},
        groups={called(id): group for id, group in check["groups"].items()},
        out={called(one) for one in check["out"]},
        byes=check["byes"],
        apart={frozenset((called(one), called(other))): Wish(wish) for one, other, wish in check.get("apart", ())},
    )
