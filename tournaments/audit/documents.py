"""The frozen documents of an event in its audit: lots, draws, pairings and publications, each made again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from scoring import profiles
from scoring.cards import dealing
from scoring.hands.findings import Refused
from scoring.standings.results import EntrantId
from scoring.values import Text
from scoring.wording import both

from ..acts.text import canonical_json, digest_of, text_digest
from ..draws import documents, knockout
from ..draws.apart import Apart, Wish
from ..draws.lots import by_lot
from ..models import DrawMethod
from ..plans.plan import Force, Order, Plan
from ..standings.publications import same_placing, tables_in
from ..standings.runs import commitment_of, seed_before_the_last
from ..standings.stage_order import seeding
from ..standings.tables import rows_of_question
from .certificate import CheckedLine, Difference, Verdict
from .publications import PublishedResults
from .ruled_before import ladder_differences
from .standings import rule_changes

Row = Mapping[str, Any]


def compare(where: str, recorded: Row, recomputed: Row) -> Iterator[Difference]:
    """What of the recomputed values is recorded otherwise."""
    for name, value in recomputed.items():
        if recorded.get(name) != value:
            yield Difference(where, name, recorded.get(name), value)


def lots_lines(document: Row) -> Iterator[CheckedLine]:
    """The lots: the seed against what was said of it before play, and lots that people drew."""
    facts, seed = document["tournament"], document.get("lot_seed")
    title = both("Seed of the lots", "抽签种子")
    if seed is None:
        note = both("not shown yet: only its commitment is known", "尚未公开，只知其承诺值")
        yield CheckedLine("lots", title, facts["lot_commitment"], Verdict.RECORDED, note)
    else:
        found = tuple(compare(facts["slug"], facts, {"lot_commitment": commitment_of(seed)}))
        yield CheckedLine("lots", title, facts["lot_commitment"], Verdict.REPRODUCED, differences=found)
    stages = {row["id"]: row["number"] for row in document["stages"]}
    for row in document.get("drawn_lots", ()):
        number = stages[row["stage_id"]]
        yield CheckedLine(
            "drawn_lots",
            both(f"Lots {row['number']} of stage {number}, drawn by hand", f"第 {number} 阶段人工抽签 {row['number']}"),
            digest_of(row["order"]),
            Verdict.RECORDED,
            both(row["reason"], row["reason"]),
        )


def deal_lines(document: Row) -> Iterator[CheckedLine]:
    """The deals of boards: each secret that is shown against what was promised of it before play."""
    stages = {row["id"]: row["number"] for row in document["stages"]}
    for row in document.get("deals", ()):
        number, first, last = stages[row["stage_id"]], row["first_board"], row["last_board"]
        title = both(
            f"Deals of boards {first} to {last}, stage {number}", f"第 {number} 阶段第 {first} 至 {last} 号牌的发牌"
        )
        if not row["secret"]:
            note = both("not shown yet: only the promise is known", "尚未公开，只知其承诺值")
            yield CheckedLine("deals", title, row["commitment"], Verdict.RECORDED, note)
            continue
        where = f"deals {row['number']} of stage {number}"
        found = tuple(compare(where, row, {"commitment": _promised(row["secret"])}))
        yield CheckedLine("deals", title, row["commitment"], Verdict.REPRODUCED, differences=found)


def _promised(secret: str) -> str:
    """The promise that a secret opens; empty where the text is no secret."""
    try:
        found = bytes.fromhex(secret)
    except ValueError:
        return ""
    return dealing.commitment(found) if len(found) == dealing.SEED_BYTES else ""


def draw_lines(document: Row) -> Iterator[CheckedLine]:
    """Each draw, made again from its question; by hand it is judged again."""
    rounds = {row["id"]: row["number"] for row in document["rounds"]}
    for round_id, rows in groupby(document.get("draws", ()), key=lambda row: row["round_id"]):
        for expected, row in enumerate(rows, start=1):
            number = rounds[round_id]
            where = f"round {number} draw {row['number']}"
            by_hand = row["method"] == DrawMethod.HAND
            yield CheckedLine(
                "draw",
                both(f"Round {number}, draw {row['number']}", f"第 {number} 轮抽签 {row['number']}"),
                row["digest"],
                Verdict.JUDGED if by_hand else Verdict.REPRODUCED,
                both("paired by hand", "人工编排") if by_hand else None,
                tuple(_draw_differences(where, row, expected, number)),
            )


def _draw_differences(where: str, row: Row, expected: int, round_number: int) -> Iterator[Difference]:
    yield from compare(where, row, {"digest": text_digest(row["document"]), "number": expected})
    drawn = json.loads(row["document"])
    yield from compare(where, drawn, {"method": row["method"], "round": round_number})
    try:
        again = documents.document_again(drawn)
    except Refused as refused:
        yield Difference(where, "question", "one that can be answered", refused.code)
        return
    for name in {**drawn, **again}:
        yield from compare(where, drawn, {name: again.get(name)})
    if canonical_json(again) != row["document"] and canonical_json(drawn) != row["document"]:
        yield Difference(where, "document", "another spelling", "canonical JSON")


def pairing_lines(document: Row) -> Iterator[CheckedLine]:
    """Each published pairing against its draw and against the matches that stood with it."""
    rounds = {row["id"]: row["number"] for row in document["rounds"]}
    draws = {row["id"]: row for row in document.get("draws", ())}
    numbers = {row["id"]: row["number"] for row in document["pairings"]}
    for round_id, rows in groupby(document["pairings"], key=lambda row: row["round_id"]):
        number = rounds[round_id]
        for expected, row in enumerate(rows, start=1):
            title = both(f"Round {number}, pairing {row['number']}", f"第 {number} 轮编排 {row['number']}")
            where = f"round {number} pairing {row['number']}"
            found = list(compare(where, row, {"number": expected}))
            if not row.get("document"):
                note = both("published by an older version, without a document", "由旧版公布，没有文件")
                yield CheckedLine("pairing", title, "", Verdict.RECORDED, note, tuple(found))
                continue
            draw = draws.get(row["draw_id"])
            frozen = json.loads(row["document"])
            stood = [
                match
                for match in document["matches"]
                if match["round_id"] == round_id and _stood(match, row["number"], numbers)
            ]
            found += compare(where, row, {"digest": text_digest(row["document"])})
            found += _pairing_differences(where, row, frozen, draw, stood)
            drawn = draw is not None and draw["method"] != DrawMethod.HAND
            yield CheckedLine(
                "pairing",
                title,
                row["digest"],
                Verdict.REPRODUCED if drawn else Verdict.JUDGED,
                None if drawn else both("made by hand", "人工所定"),
                tuple(found),
            )


def _stood(match: Row, number: int, numbers: Mapping[int, int]) -> bool:
    """Whether a match stood when its round's pairing of this number was published."""
    published, replaced = match["published_in_id"], match["superseded_in_id"]
    return published is not None and numbers[published] <= number and (replaced is None or numbers[replaced] > number)


def _pairing_differences(
    where: str, row: Row, frozen: Row, draw: Row | None, stood: Sequence[Row]
) -> Iterator[Difference]:
    yield from compare(where, frozen, {"number": row["number"]})
    stated = None if draw is None else {"number": draw["number"], "digest": draw["digest"]}
    yield from compare(where, frozen, {"draw": stated})
    matches = {match["number"]: match for match in frozen["matches"]}
    if sorted(matches) != sorted(match["number"] for match in stood):
        yield Difference(where, "matches", sorted(matches), sorted(match["number"] for match in stood))
        return
    for match in stood:
        one = matches[match["number"]]
        columns = {name: match[name] for name in ("home_id", "away_id", "group", "slot", "for_place")}
        if "players" in one:
            columns = {name: columns[name] for name in ("group", "slot", "for_place")}
        said = {**one, "home_id": one.get("home"), "away_id": one.get("away")}
        yield from compare(f"{where} match {match['number']}", said, columns)
    if draw is not None and draw["document"]:
        yield from _against_draw(where, frozen, json.loads(draw["document"]))
    if canonical_json(frozen) != row["document"]:
        yield Difference(where, "document", "another spelling", "canonical JSON")


def _against_draw(where: str, frozen: Row, drawn: Row) -> Iterator[Difference]:
    """Who meets whom at which table, as it was drawn and as it was published."""

    def meeting(one: Row, table: int | None) -> tuple[Any, ...]:
        return (one["home"], one["away"], table, one.get("group"), one.get("slot"), one.get("for_place"))

    published = {meeting(one, min((at["table"] for at in one["tables"]), default=None)) for one in frozen["matches"]}
    meetings = {meeting(one, one["table"]) for one in drawn["meetings"]}
    if len(meetings) != len(published) or {one[:2] for one in meetings} != {one[:2] for one in published}:
        yield Difference(where, "who meets", sorted(map(str, published)), sorted(map(str, meetings)))


def field_lines(document: Row) -> Iterator[CheckedLine]:
    """Who plays in each stage that has begun: the order by seed or by lot, and the places in the stage before."""
    seeds = {row["id"]: seeding(row.get("seed"), row["number"]) for row in document["entrants"]}
    for stage in document["stages"]:
        if stage.get("begun_at") is None:
            continue
        rows = sorted(
            (row for row in document.get("stage_entrants", ()) if row["stage_id"] == stage["id"]),
            key=lambda row: row["order"],
        )
        number = stage["number"]
        where = f"field of stage {number}"
        found = list(_field_differences(where, document, stage, rows))
        came = [row["entrant_id"] for row in rows if row["joined_at"] == stage["begun_at"]]
        checked, note = _order_of(document, stage, came, seeds)
        if (dealt := _groups_of(document, stage, rows, came)) is not None:
            checked, note = (checked, both(f"{note['en']}; {dealt['en']}", f"{note['zh']}；{dealt['zh']}"))
        yield CheckedLine(
            "field",
            both(f"Field of stage {number}: {len(rows)} entrants", f"第 {number} 阶段参赛名单：{len(rows)}"),
            digest_of([[row[name] for name in ("entrant_id", "order", "group")] for row in rows]),
            checked,
            note,
            tuple(found),
        )


def _field_differences(where: str, document: Row, stage: Row, rows: Sequence[Row]) -> Iterator[Difference]:
    orders = [row["order"] for row in rows]
    if orders != list(range(1, len(rows) + 1)):
        yield Difference(where, "order", orders, list(range(1, len(rows) + 1)))
    if len({row["entrant_id"] for row in rows}) != len(rows):
        yield Difference(where, "entrants", "somebody twice", "everybody once")
    noted = _noted_field(document, stage)
    if noted is not None:
        came = {row["entrant_id"]: row for row in rows}
        for entrant, group, from_group, from_rank in noted:
            columns = {"group": group, "from_group": from_group, "from_rank": from_rank}
            yield from compare(f"{where} entrant {entrant}", came.get(entrant, {}), columns)


def _noted_field(document: Row, stage: Row) -> Sequence[Any] | None:
    """The field as the history has it; only officials' exports have one."""
    notes = [
        row["new"]
        for row in document.get("history", ())
        if row["act"] == "begin_stage" and row["subject"] == f"stage:{stage['id']}" and "field" in (row["new"] or {})
    ]
    return notes[-1]["field"] if notes else None


def _order_of(document: Row, stage: Row, came: Sequence[int], seeds: Mapping[int, Any]) -> tuple[Verdict, Text]:
    """Whether the order follows from the seeds of the entrants, or from the seed of the lots."""
    seed = document.get("lot_seed")
    if stage.get("plan", {}).get("order") == Order.DRAWN:
        if seed is None:
            return Verdict.RECORDED, both("by lot; the seed is not shown yet", "抽签；种子尚未公开")
        if list(by_lot(seed, stage["number"], came)) == list(came):
            return Verdict.REPRODUCED, both("by lot, from the seed", "抽签，由种子得出")
        return Verdict.RECORDED, both("drawn by hand", "人工抽签")
    if stage["number"] == min(row["number"] for row in document["stages"]):
        if sorted(came, key=lambda entrant: seeds[entrant]) == list(came):
            return Verdict.REPRODUCED, both("by seed, then by number", "按种子、再按编号")
        return Verdict.RECORDED, both("put in order by hand", "人工排序")
    return Verdict.RECORDED, both("by the places in the stage before", "按上一阶段名次")


def _groups_of(document: Row, stage: Row, rows: Sequence[Row], came: Sequence[int]) -> Text | None:
    """Whether the groups can be dealt again from the order; None in a stage without groups."""
    found = {row["entrant_id"]: row["group"] for row in rows if row["group"] is not None}
    if not found:
        return None
    plan = Plan.from_json(stage["plan"])
    names = document.get("names", {}).get("entrants")
    if plan.units_apart is not Force.OFF and names is None:
        return both("the groups need the units, which stand with the names", "分组要用单位，单位与姓名同列")
    apart = plan.units_apart is not Force.OFF
    units: dict[EntrantId, str] | None = None
    if apart:
        units = {int(entrant): one["unit"] for entrant, one in names.items() if one["unit"]}
    try:
        snake, apart_then = plan.order is Order.SEEDED, _kept_apart(document, stage["begun_at"])
        dealt = knockout.groups(came, max(found.values()), snake=snake, units=units, apart=apart_then)
    except Refused:
        return both("groups made by hand", "人工分组")
    again = {entrant: number for number, group in enumerate(dealt, start=1) for entrant in group}
    if all(found[entrant] == group for entrant, group in again.items()):
        return both("groups dealt again, the same", "重新分组，结果相同")
    return both("groups made by hand", "人工分组")


def _kept_apart(document: Row, at: str) -> Apart:
    """Who was kept apart at that time."""
    then = datetime.fromisoformat(at)
    return {
        frozenset((row["one_id"], row["other_id"])): Wish(row["force"])
        for row in document.get("kept_apart", ())
        if datetime.fromisoformat(row["set_at"]) <= then
        and (row["revoked_at"] is None or datetime.fromisoformat(row["revoked_at"]) > then)
    }


def ruling_lines(document: Row) -> Iterator[CheckedLine]:
    """The rulings: numbered without gaps, each by rules that were in force, each act at its own table."""
    rulings = document.get("rulings", ())
    if not rulings:
        return
    found = (*_ruling_differences(document, rulings), *ladder_differences(document, rulings))
    count = len(rulings)
    title = both(f"Rulings: {count}", f"判罚：{count}")
    yield CheckedLine("rulings", title, digest_of(rulings), Verdict.JUDGED, differences=found)


def _ruling_differences(document: Row, rulings: Sequence[Row]) -> Iterator[Difference]:
    digests = {document["tournament"]["profile_digest"], *(one["old_digest"] for one in rule_changes(document))}
    entries = {row["id"]: row for row in document["ledger"]}
    acts: dict[int, list[Row]] = {}
    for act in document.get("ruling_acts", ()):
        acts.setdefault(act["ruling_id"], []).append(act)
    official = "ruling_acts" in document
    for expected, row in enumerate(rulings, start=1):
        where = f"ruling {row['number']}"
        if official:
            yield from compare(where, row, {"number": expected})
        if row["profile_digest"] not in digests:
            yield Difference(where, "profile_digest", row["profile_digest"], sorted(digests))
        steps = [act["step"] for act in acts.get(row["id"], ())]
        if official:
            yield from compare(where, {"acts": steps}, {"acts": _steps_of(row, steps)})
        for act in acts.get(row["id"], ()):
            entry = entries.get(act["entry_id"]) if act["entry_id"] is not None else None
            if entry is not None and entry["sitting_id"] != row["sitting_id"]:
                yield Difference(where, "entry", entry["sitting_id"], row["sitting_id"])


def _steps_of(row: Row, steps: Sequence[str]) -> Sequence[str]:
    """The steps that a ruling must have gone through to be what it is."""
    wanted = ["propose"]
    if row["decided_at"] is not None:
        wanted.append("decide")
    if row["appeal"] != "none":
        wanted.append("lodge")
        wanted += {"upheld": ["uphold"], "rejected": ["reject"]}.get(row["appeal"], [])
    if row["status"] == "cancelled":
        wanted.append("cancel")
    # a ruling may be decided as it is proposed, and cancelled before or after an appeal
    return steps if sorted(wanted) == sorted(steps) else wanted


def publication_lines(document: Row, results: PublishedResults) -> Iterator[CheckedLine]:
    """Each frozen table: its results against the matches, its rows from its questions by the rules then in force."""
    for expected, row in enumerate(document["publications"], start=1):
        yield CheckedLine(
            "publication",
            both(f"Standings no. {row['number']}", f"公布的名次第 {row['number']} 号"),
            row["digest"],
            Verdict.REPRODUCED,
            differences=tuple(_publication_differences(document, row, expected, results)),
        )


def _publication_differences(document: Row, row: Row, expected: int, results: PublishedResults) -> Iterator[Difference]:
    where = f"publication {row['number']}"
    yield from compare(where, row, {"digest": text_digest(row["document"]), "number": expected})
    frozen = json.loads(row["document"])
    yield from compare(where, frozen, {"number": row["number"], "provisional": row["provisional"]})
    spec, in_force = frozen["profile"]["spec"], results.rules(row, frozen)
    if spec not in in_force:
        yield Difference(where, "rules of publication", spec, in_force[-1])
        return
    profile = profiles.build(spec, individual=True)
    if not profile.is_known_as(frozen["profile"]["digest"]):
        yield from compare(where, frozen["profile"], {"digest": profile.digest})
    commitments = _commitments(document, frozen)
    for table in tables_in(frozen):
        seed = table["question"].get("seed")
        if seed is not None and commitment_of(seed) not in commitments:
            yield Difference(where, "seed of the lots", seed, f"a seed of {' or '.join(sorted(commitments))}")
        try:
            yield from compare(where, table, {"rows": rows_of_question(table["question"], profile)})
        except Refused as refused:
            yield Difference(where, "question", "one that can be answered", refused.code)
    if not same_placing(frozen):
        yield Difference(where, "placing", frozen["placing"], "another placing")
    yield from results.differences(where, row, frozen)
    if canonical_json(frozen) != row["document"]:
        yield Difference(where, "document", "another spelling", "canonical JSON")


def _commitments(document: Row, frozen: Row) -> set[str]:
    """What the seed of a published table was committed to: the event's, or that of its stage, which is made of the
    event's seed as soon as that is known."""
    event = document["tournament"]["lot_commitment"]
    stated, seed = frozen["lots"].get("stage_commitment"), document.get("lot_seed")
    if stated is None or stated == event:
        return {event}
    if seed is not None and stated != commitment_of(seed_before_the_last(seed, frozen["stage"]["number"])):
        return {event}
    return {event, stated}
