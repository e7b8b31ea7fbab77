"""The ladder of a ruling in the audit: how often a side had done it before, and the evidence that must stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..rulings.cases import EVIDENCE_NEEDED, INFORMATION
from .certificate import Difference

Row = Mapping[str, Any]


def ladder_differences(document: Row, rulings: Sequence[Row]) -> Iterator[Difference]:
    """Where a proposal counts other times than the rulings before it give, in the stage or in the whole event as it
    says; and illegal information without its evidence. Of exports of officials only, for facts stand in no other."""
    if "ruling_acts" not in document:
        return
    steps = _steps(document["ruling_acts"])
    doers = {row["id"]: _doers(document, row) for row in rulings}
    for row in rulings:
        where, facts, proposal = f"ruling {row['number']}", row["facts"], row["proposal"]
        if row["source"] == "irregularity" and facts.get("irregularity") == INFORMATION:
            for name in EVIDENCE_NEEDED:
                if not facts.get(name):
                    yield Difference(where, name, None, "evidence")
        if row["source"] != "irregularity" or proposal is None or "memory" not in proposal:
            continue
        earlier = [
            other
            for other in rulings
            if other["number"] < row["number"]
            and other["facts"].get("irregularity") == facts["irregularity"]
            and (proposal["memory"] == "event" or doers[other["id"]].stage == doers[row["id"]].stage)
        ]
        count = 1 + _times(row, earlier, doers, steps)
        if count != proposal["count"]:
            yield Difference(where, "count", proposal["count"], count)


class _Doers:
    """Whose act a ruling is about: one entrant, both of the table where no side is named."""

    def __init__(self, stage: int, entrants: Sequence[int]) -> None:
        self.stage, self.entrants = stage, entrants


def _doers(document: Row, row: Row) -> _Doers:
    sitting = next(one for one in document["sittings"] if one["id"] == row["sitting_id"])
    match = next(one for one in document["matches"] if one["id"] == sitting["match_id"])
    stage = next(one["stage_id"] for one in document["rounds"] if one["id"] == sitting["round_id"])
    if not row["side"]:
        return _Doers(stage, [match["home_id"], match["away_id"]])
    return _Doers(stage, [match["home_id"] if row["side"] == sitting["home_side"] else match["away_id"]])


def _steps(acts: Sequence[Row]) -> Mapping[int, Mapping[str, int]]:
    """Ruling → its steps, each with its place in the order of all acts on rulings."""
    found: dict[int, dict[str, int]] = {}
    for act in acts:
        found.setdefault(act["ruling_id"], {})[act["step"]] = act["id"]
    return found


def _times(
    row: Row, earlier: Sequence[Row], doers: Mapping[int, _Doers], steps: Mapping[int, Mapping[str, int]]
) -> int:
    """How many of the earlier rulings stood when this one was proposed, for the entrant with most of them."""
    proposed = steps.get(row["id"], {}).get("propose", 0)

    def stood(other: Row) -> bool:
        taken = {step for step, place in steps.get(other["id"], {}).items() if place < proposed}
        return "decide" in taken and not taken & {"cancel", "uphold"}

    standing = [other for other in earlier if stood(other)]
    return max(sum(one in doers[other["id"]].entrants for other in standing) for one in doers[row["id"]].entrants)
