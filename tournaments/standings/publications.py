"""Published tables: what is in a document of any version, and the placing of the whole event."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.individual.standings import IndividualResult
from scoring.standings.knockout import KnockoutMatch
from scoring.standings.placing import FinalPlace, StagePlace, among, answer_placing, place_overall
from scoring.standings.results import Result

from ..acts.origins import document_of
from ..models import Publication, Stage, Tournament
from .rankings import basis_of
from .tables import rows_json


def tables_in(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The tables of a published document: `group`, `question`, `rows`. Version 1 has one, without a group."""
    if "tables" in document:
        return list(document["tables"])
    return [{"group": None, "question": document["question"], "rows": document["rows"]}]


def rows_in(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All rows of a published document one after another; in a stage with groups each says its group."""
    return [
        row if table["group"] is None else {**row, "group": table["group"]}
        for table in tables_in(document)
        for row in table["rows"]
    ]


def chain_in(document: Mapping[str, Any]) -> list[str]:
    """The tie-breaks a published table rests on; a knockout has none."""
    return list(tables_in(document)[0]["question"].get("chain", ()))


def points_in(document: Mapping[str, Any]) -> str | None:
    """What the points of a published table are, where they have a name of their own."""
    named: str | None = tables_in(document)[0]["question"].get("points_are")
    return named


def seeds_in(document: Mapping[str, Any]) -> set[str]:
    """The seeds of lots that a published document shows."""
    return {table["question"]["seed"] for table in tables_in(document) if "seed" in table["question"]}


def results_in(document: Mapping[str, Any]) -> list[Result | IndividualResult]:
    """The results that a published table counts; those of a knockout say who won, without points."""
    found: list[Result | IndividualResult] = []
    for table in tables_in(document):
        question = table["question"]
        for one in question.get("results", ()):
            found.append(IndividualResult.from_json(one) if "scores" in one else Result.from_json(one))
        for one in question.get("matches", ()):
            found.append(KnockoutMatch.from_json(one).result())
    return found


def is_final(publication: Publication) -> bool:
    """Whether it is the last table of its stage, whatever time for corrections is left."""
    return bool(json.loads(publication.document)["final"])


def settled_rows(stage: Stage) -> list[dict[str, Any]]:
    """The rows of a stage as far as they are settled: of its newest publication when that is final, with its lots,
    else as they are now."""
    newest = stage.publications.filter(superseded_by=None).order_by("-round__number", "-number").first()
    if newest is not None:
        document = document_of(stage.tournament, newest)
        if document["final"]:
            return rows_in(document)
    return rows_json(basis_of(stage).tables())


def placing_question(event: Tournament, last: Stage, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The protocol's question for the placing of an event whose last stage has these rows."""
    stages = event.stages.select_related("tournament").filter(number__lt=last.number).order_by("-number")
    tables = [rows, *(settled_rows(stage) for stage in stages)]
    question: dict[str, Any] = {
        "op": "overall_placing",
        "stages": [[{"entrant": int(row["entrant"]), "rank": row["rank"]} for row in table] for table in tables],
    }
    categories = event.entrants.exclude(category="").order_by("number").values_list("pk", "category")
    if categories:
        question["categories"] = {str(pk): category for pk, category in categories}
    return question


def same_placing(document: Mapping[str, Any]) -> bool:
    """Whether the placing of the event in a published document follows from its question; True when it has none."""
    placing = document.get("placing")
    if placing is None:
        return True
    answer = answer_placing({name: value for name, value in placing["question"].items() if name != "op"})
    return all(placing.get(name) == answer.get(name) for name in ("rows", "categories"))


@dataclass(frozen=True, slots=True)
class Placing:
    """The placing of an event: of everybody, and of each category among themselves."""

    places: tuple[FinalPlace, ...]
    categories: Mapping[str, tuple[FinalPlace, ...]]


def final_placing(event: Tournament) -> Placing:
    """The placing of the whole event as things stand: who came into a later stage first, then the others by theirs."""
    stages = [
        (stage, rows)
        for stage in event.stages.select_related("tournament").order_by("-number")
        if (rows := settled_rows(stage))
    ]
    places = place_overall([[StagePlace(int(row["entrant"]), row["rank"]) for row in rows] for _, rows in stages])
    inside: dict[str, list[int]] = {}
    for pk, category in event.entrants.exclude(category="").order_by("number").values_list("pk", "category"):
        inside.setdefault(category, []).append(pk)
    return Placing(places, {name: among(places, members) for name, members in sorted(inside.items())})
