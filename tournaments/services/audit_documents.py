"""The frozen documents of an event in its audit: lots, draws, pairings and publications, each made again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from scoring import profiles
from scoring.findings import Refused
from scoring.scales import both

from ..draws import documents as drawing
from ..exchange.text import canonical_json
from ..models import DrawMethod
from ..queries.publications import same_placing, tables_in
from ..queries.rankings import rows_of_question
from .certificate import Difference, Line, Verdict

Row = Mapping[str, Any]


def compare(where: str, recorded: Row, recomputed: Row) -> Iterator[Difference]:
    """What of the recomputed values is recorded otherwise."""
    for name, value in recomputed.items():
        if recorded.get(name) != value:
            yield Difference(where, name, recorded.get(name), value)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def rule_changes(document: Row) -> Sequence[Row]:
    """The applied changes in order; documents from before events could change their rules have none."""
    applied = [row for row in document.get("rule_changes", ()) if row.get("status", "applied") == "applied"]
    return sorted(applied, key=lambda row: (datetime.fromisoformat(row["decided_at"]), row["id"]))


def lots_lines(document: Row) -> Iterator[Line]:
    """The lots: the seed against what was said of it before play, and lots that people drew."""
    facts, seed = document["tournament"], document.get("lot_seed")
    title = both("Seed of the lots", "抽签种子")
    if seed is None:
        note = both("not shown yet: only its commitment is known", "尚未公开，只知其承诺值")
        yield Line("lots", title, facts["lot_commitment"], Verdict.RECORDED, note)
    else:
        found = tuple(compare(facts["slug"], facts, {"lot_commitment": sha(seed)}))
        yield Line("lots", title, facts["lot_commitment"], Verdict.REPRODUCED, differences=found)
    stages = {row["id"]: row["number"] for row in document["stages"]}
    for row in document.get("drawn_lots", ()):
        number = stages[row["stage_id"]]
        yield Line(
            "drawn_lots",
            both(f"Lots {row['number']} of stage {number}, drawn by hand", f"第 {number} 阶段人工抽签 {row['number']}"),
            sha(canonical_json(row["order"])),
            Verdict.RECORDED,
            both(row["reason"], row["reason"]),
        )


def draw_lines(document: Row) -> Iterator[Line]:
    """Each draw, made again from its question; by hand it is judged again."""
    rounds = {row["id"]: row["number"] for row in document["rounds"]}
    for round_id, rows in groupby(document.get("draws", ()), key=lambda row: row["round_id"]):
        for expected, row in enumerate(rows, start=1):
            number = rounds[round_id]
            where = f"round {number} draw {row['number']}"
            by_hand = row["method"] == DrawMethod.HAND
            yield Line(
                "draw",
                both(f"Round {number}, draw {row['number']}", f"第 {number} 轮抽签 {row['number']}"),
                row["digest"],
                Verdict.JUDGED if by_hand else Verdict.REPRODUCED,
                both("paired by hand", "人工编排") if by_hand else None,
                tuple(_draw_differences(where, row, expected, number)),
            )


def _draw_differences(where: str, row: Row, expected: int, round_number: int) -> Iterator[Difference]:
    yield from compare(where, row, {"digest": sha(row["document"]), "number": expected})
    drawn = json.loads(row["document"])
    yield from compare(where, drawn, {"method": row["method"], "round": round_number})
    try:
        again = drawing.document_again(drawn)
    except Refused as refused:
        yield Difference(where, "question", "one that can be answered", refused.code)
        return
    for name in {**drawn, **again}:
        yield from compare(where, drawn, {name: again.get(name)})
    if canonical_json(again) != row["document"] and canonical_json(drawn) != row["document"]:
        yield Difference(where, "document", "another spelling", "canonical JSON")


def publication_lines(document: Row) -> Iterator[Line]:
    """Each frozen table, worked out again from its own questions, by the rules then in force."""
    for expected, row in enumerate(document["publications"], start=1):
        yield Line(
            "publication",
            both(f"Standings no. {row['number']}", f"公布的名次第 {row['number']} 号"),
            row["digest"],
            Verdict.REPRODUCED,
            differences=tuple(_publication_differences(document, row, expected)),
        )


def _publication_differences(document: Row, row: Row, expected: int) -> Iterator[Difference]:
    where = f"publication {row['number']}"
    yield from compare(where, row, {"digest": sha(row["document"]), "number": expected})
    frozen = json.loads(row["document"])
    yield from compare(where, frozen, {"number": row["number"], "provisional": row["provisional"]})
    spec = _spec_at(document, row["published_at"])
    if frozen["profile"]["spec"] != spec:
        yield Difference(where, "rules of publication", frozen["profile"]["spec"], spec)
        return
    profile = profiles.build(spec, individual=True)
    yield from compare(where, frozen["profile"], {"digest": profile.digest})
    commitments = _commitments(document, frozen)
    for table in tables_in(frozen):
        seed = table["question"].get("seed")
        if seed is not None and sha(seed) not in commitments:
            yield Difference(where, "seed of the lots", seed, f"a seed of {' or '.join(sorted(commitments))}")
        yield from compare(where, table, {"rows": rows_of_question(table["question"], profile)})
    if not same_placing(frozen):
        yield Difference(where, "placing", frozen["placing"], "another placing")
    if canonical_json(frozen) != row["document"]:
        yield Difference(where, "document", "another spelling", "canonical JSON")


def _commitments(document: Row, frozen: Row) -> set[str]:
    """What the seed of a published table was committed to: the event's, or that of its stage, which is made of the
    event's seed as soon as that is known."""
    event = document["tournament"]["lot_commitment"]
    stated, seed = frozen["lots"].get("stage_commitment"), document.get("lot_seed")
    if stated is None or stated == event:
        return {event}
    if seed is not None and stated != sha(sha(f"{seed}:stage:{frozen['stage']['number']}")):
        return {event}
    return {event, stated}


def _spec_at(document: Row, when: str) -> Any:
    """The rules that were in force at a time."""
    for change in rule_changes(document):
        if datetime.fromisoformat(when) < datetime.fromisoformat(change["decided_at"]):
            return change["old_spec"]
    return document["tournament"]["profile_spec"]
