"""The placing of a whole event (总名次): who came into the last stage first, then who was left in the one before it.

In each stage by the rank in its table. Groups stand beside one another: those of the same rank in different groups
share a place. Categories (组别) are the same placing among themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from scoring.hands.findings import Finding, Refused, refusal
from scoring.hands.reading import Reader, unknown_fields
from scoring.standings.results import EntrantId, entrant_order, is_id


class StagePlace(NamedTuple):
    """An entrant's rank in the table of a stage; None where it was ruled out of the placing."""

    entrant: EntrantId
    rank: int | None


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """A place of the whole event: `stage` is the last one the entrant came into, counted from the end (1: the last),
    `stage_rank` its rank there."""

    entrant: EntrantId
    rank: int | None
    shared: bool
    stage: int
    stage_rank: int | None

    def to_json(self) -> dict[str, Any]:
        return {
            "entrant": self.entrant,
            "rank": self.rank,
            "shared": self.shared,
            "stage": self.stage,
            "stage_rank": self.stage_rank,
        }


def place_overall(stages: Sequence[Sequence[StagePlace]]) -> tuple[FinalPlace, ...]:
    """The placing of everybody. `stages` are the tables of the stages, the last one first, groups one after another."""
    found: dict[EntrantId, tuple[int, int | None]] = {}
    for number, rows in enumerate(stages, start=1):
        for row in rows:
            found.setdefault(row.entrant, (number, row.rank))
    return _ranked([(entrant, stage, rank) for entrant, (stage, rank) in found.items()])


def among(places: Sequence[FinalPlace], entrants: Sequence[EntrantId]) -> tuple[FinalPlace, ...]:
    """The same placing among some of the entrants, with places of their own."""
    inside = set(entrants)
    return _ranked([(one.entrant, one.stage, one.stage_rank) for one in places if one.entrant in inside])


def _ranked(rows: Sequence[tuple[EntrantId, int, int | None]]) -> tuple[FinalPlace, ...]:
    placed = sorted(
        ((stage, rank, entrant) for entrant, stage, rank in rows if rank is not None),
        key=lambda row: (row[0], row[1], entrant_order(row[2])),
    )
    made: list[FinalPlace] = []
    for (stage, rank), block in groupby(placed, key=lambda row: row[:2]):
        same = [entrant for _, _, entrant in block]
        place = len(made) + 1
        made += [FinalPlace(entrant, place, len(same) > 1, stage, rank) for entrant in same]
    out = sorted(
        ((entrant, stage) for entrant, stage, rank in rows if rank is None), key=lambda row: entrant_order(row[0])
    )
    return (*made, *(FinalPlace(entrant, None, False, stage, None) for entrant, stage in out))


def answer_placing(question: Mapping[str, Any]) -> dict[str, Any]:
    """The protocol's `overall_placing`: `rows` in order, and those of each category; Refused with all findings."""
    reader = Reader(question)
    stages, categories = reader.raw("stages"), reader.raw("categories")
    reader.done()
    found = [*reader.findings, *_stage_findings(stages)]
    if categories is not None and not (
        isinstance(categories, Mapping) and all(isinstance(one, str) for one in categories.values())
    ):
        text = "Categories are texts by entrant."
        found.append(refusal("wrong_type", "categories", text, "组别应按参赛方给出文字。"))
    if found:
        raise Refused(found)
    assert isinstance(stages, list)
    places = place_overall([[StagePlace(row["entrant"], row.get("rank")) for row in rows] for rows in stages])
    said: dict[str, Any] = {"rows": [one.to_json() for one in places]}
    if categories:
        said["categories"] = {
            name: [one.to_json() for one in among(places, [place.entrant for place in places if
                   categories.get(str(place.entrant)) == name])]
            for name in sorted(set(categories.values()) - {""})
        }  # fmt: skip
    text = "Who came into a later stage goes first; in a stage by its table; equal ranks of groups share a place."
    zh = "进入后一阶段者在前；同一阶段按该阶段名次；各组同名次者并列。"
    return {**said, "because": [{"clause": "placing.stages", "text": {"en": text, "zh": zh}}]}


def _stage_findings(stages: object) -> list[Finding]:
    if not isinstance(stages, list) or not stages or not all(isinstance(rows, list) for rows in stages):
        text = "Stages are a list of tables, the last stage first."
        return [refusal("wrong_type", "stages", text, "各阶段应是名次表的列表，最后阶段在前。")]
    found: list[Finding] = []
    for i, rows in enumerate(stages):
        seen: set[Any] = set()
        for k, row in enumerate(rows):
            at = f"stages.{i}.{k}"
            found += unknown_fields(row, StagePlace._fields, at) if isinstance(row, Mapping) else []
            entrant = row.get("entrant") if isinstance(row, Mapping) else None
            rank = row.get("rank") if isinstance(row, Mapping) else None
            if not is_id(entrant) or not (rank is None or (type(rank) is int and rank > 0)):
                text = "A row names an entrant and its rank."
                found.append(refusal("wrong_type", at, text, "每行应写明参赛方及其名次。"))
            elif entrant in seen:
                found.append(refusal("entrant_twice", at, f"{entrant} is there twice.", f"{entrant} 出现了两次。"))
            else:
                seen.add(entrant)
    return found
