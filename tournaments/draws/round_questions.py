"""The protocol's draws of one round that leave nothing to choose: Danish, groups, knockouts and movements of duplicate.

Each answers with `meetings` in the order of tables: `home`, `away` (null: a bye), and as far as they matter `group`,
`slot` (its place in the bracket from the top, from 1), `for_place`, `table` and `boards` (which set, from 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.findings import Finding, Refused
from scoring.reading import unknown_fields
from scoring.results import EntrantId, entrant_findings, is_id, refusal
from tournaments.draws.danish import danish_round
from tournaments.draws.knockout import by_draw_number, crossed, first_slots, third_place
from tournaments.draws.movements import Movement, arrow_switched, howell, mitchell, teams_of_four
from tournaments.draws.pairing import Pairing
from tournaments.draws.round_robin import round_robin
from tournaments.draws.swiss_questions import read_rounds
from tournaments.plans import MovementKind

MOST_ENTRANTS, MOST_NUMBER = 4_000, 1_000
Meeting = dict[str, Any]


def answer_danish_round(question: Mapping[str, Any]) -> dict[str, Any]:
    """First against second, third against fourth: `entrants` in the order of the standings, `rounds` so far."""
    findings = unknown_fields(question, {"entrants", "rounds"})
    entrants = _ids(question, "entrants", findings)
    rounds = read_rounds(question.get("rounds"), findings)
    _refuse(findings)
    return {"meetings": _written(danish_round(entrants, [one.pairing for one in rounds]))}


def answer_groups_round(question: Mapping[str, Any]) -> dict[str, Any]:
    """Round `round` (from 1) of a round robin in each of `groups`, lists of ids in order.

    With `fours` a group of four meets 1–3 2–4, then 1–2 3–4, then 1–4 2–3, else as all others by the Berger table. Who
    meets one of `gone` has a bye, who meets one of `annulled` does not play. A group that is through has no meetings;
    refused when all are.
    """
    findings = unknown_fields(question, {"groups", "round", "fours", "gone", "annulled"})
    groups = _lists(question, "groups", findings)
    number = _whole(question, "round", findings)
    gone, annulled = _ids(question, "gone", findings), _ids(question, "annulled", findings)
    fours = _flag(question, "fours", findings)
    findings += entrant_findings([one for group in groups for one in group])
    _refuse(findings)
    meetings: list[Meeting] = []
    for group, entrants in enumerate(groups, start=1):
        rounds = teams_of_four(entrants) if fours and len(entrants) == 4 else round_robin(entrants)
        if number > len(rounds):
            continue
        here = _without(rounds[number - 1], set(gone), set(annulled))
        meetings += [one if len(groups) == 1 else one | {"group": group} for one in _written(here)]
    if not meetings:
        raise Refused([refusal("all_have_met", "round", "Everybody has met everybody.", "所有参赛方都已经相互赛过。")])
    return {"meetings": sorted(meetings, key=lambda one: one["away"] is None)}


def _without(drawn: Pairing, gone: set[EntrantId], annulled: set[EntrantId]) -> Pairing:
    """A round after some have left: their opponents have a bye, or do not play where the results are annulled."""
    out = gone | annulled
    pairs = tuple(pair for pair in drawn.pairs if not out & set(pair))
    alone = [(set(pair) - out, set(pair) & out) for pair in drawn.pairs if len(out & set(pair)) == 1]
    byes = [next(iter(here)) for here, left in alone if not left & annulled]
    return Pairing(pairs, (*byes, *(one for one in drawn.byes if one not in out)))


def answer_knockout_round(question: Mapping[str, Any]) -> dict[str, Any]:
    """A round of a knockout, by one of: `entrants` in seeding order (the first round of a bracket), `groups` that cross
    over (the first two of each), `slots` (the winners of the last round from top to bottom, null: nobody is left), or
    `numbers` (those still in, by draw number; `had_bye`). `losers` play for the third place beside a final.
    """
    ways = {"entrants", "groups", "slots", "numbers"}
    findings = unknown_fields(question, {*ways, "had_bye", "losers"})
    given = [name for name in sorted(ways) if question.get(name) is not None]
    if len(given) != 1:
        en, zh = f"Give one of {', '.join(sorted(ways))}.", "entrants、groups、slots、numbers 只能写一项。"
        findings.append(refusal("one_of", "entrants", en, zh))
    losers, had_bye = _ids(question, "losers", findings), _ids(question, "had_bye", findings)
    entrants, numbers = _ids(question, "entrants", findings), _ids(question, "numbers", findings)
    groups, slots = _lists(question, "groups", findings), _slots(question, findings)
    if not findings:
        still_in = [one for one in (*slots, *(one for group in groups for one in group)) if one is not None]
        findings += entrant_findings([*entrants, *numbers, *still_in, *losers])
    _refuse(findings)
    if given == ["numbers"]:
        meetings = _written(by_draw_number(numbers, had_bye))
    elif given == ["groups"]:
        meetings = _in_slots([one for pair in _crossed(groups).pairs for one in pair])
    else:
        meetings = _in_slots(first_slots(entrants) if given == ["entrants"] else slots)
    if losers:
        meetings += [one | {"for_place": 3} for one in _written(third_place(losers))]
    return {"meetings": sorted(meetings, key=lambda one: one["away"] is None)}


def _crossed(groups: Sequence[Sequence[EntrantId]]) -> Pairing:
    if len(groups) & (len(groups) - 1):
        en = f"{len(groups)} groups do not make a bracket: 2, 4, 8 and so on do."
        zh = f"{len(groups)} 个组不能组成对阵表，要 2、4、8……个组。"
        raise Refused([refusal("groups_do_not_cross", "groups", en, zh)])
    return crossed(groups)


def _in_slots(slots: Sequence[EntrantId | None]) -> list[Meeting]:
    """Neighbours in the bracket meet; who has no neighbour has a bye."""
    if len(slots) < 2 or len(slots) & (len(slots) - 1):
        en = f"A bracket has 2, 4, 8 and so on slots, not {len(slots)}."
        zh = f"对阵表的位置应是 2、4、8……个，不是 {len(slots)} 个。"
        raise Refused([refusal("odd_bracket", "slots", en, zh)])
    meetings: list[Meeting] = []
    for slot, (one, other) in enumerate(zip(slots[::2], slots[1::2], strict=True), start=1):
        home, away = (one, other) if one is not None else (other, None)
        if home is not None:
            meetings.append({"home": home, "away": away, "slot": slot})
    if not meetings:
        raise Refused([refusal("too_few_entrants", "slots", "Nobody is left.", "没有剩下的参赛方。")])
    return meetings


def answer_movement_round(question: Mapping[str, Any]) -> dict[str, Any]:
    """Round `round` (from 1) of a movement of pairs over boards: `kind` (`mitchell`, `howell`), `entrants` in order,
    `rounds` of the whole (Mitchell), `arrow` rounds with the arrow switched at its end. Who meets one of `gone` sits
    out."""
    findings = unknown_fields(question, {"kind", "entrants", "rounds", "arrow", "round", "gone"})
    kind = question.get("kind")
    if kind == MovementKind.HOWELL and question.get("rounds") is not None:
        en, zh = "The number of pairs says how many rounds a Howell has.", "豪威尔移位的轮数由对数决定，不能另写。"
        findings.append(refusal("rounds_of_howell", "rounds", en, zh))
    if not isinstance(kind, str) or kind not in tuple(MovementKind):
        findings.append(refusal("unknown_value", "kind", "A movement is mitchell or howell.", "移位法不对。"))
    entrants = _ids(question, "entrants", findings)
    number = _whole(question, "round", findings)
    rounds = None if question.get("rounds") is None else _whole(question, "rounds", findings)
    gone = _ids(question, "gone", findings)
    arrow = 0 if question.get("arrow") is None else _whole(question, "arrow", findings, low=0)
    _refuse(findings)
    movement = mitchell(len(entrants), rounds) if kind == MovementKind.MITCHELL else howell(len(entrants))
    movement = arrow_switched(movement, arrow)
    if number > len(movement.rounds):
        en = f"This movement has only {len(movement.rounds)} rounds."
        raise Refused([refusal("too_many_rounds", "round", en, f"这种移位只有 {len(movement.rounds)} 轮。")])
    return {"meetings": _moved(movement, number, entrants, set(gone))}


def _moved(movement: Movement, number: int, entrants: Sequence[EntrantId], gone: set[EntrantId]) -> list[Meeting]:
    meetings: list[Meeting] = []
    alone = [entrants[pair] for pair in movement.sits_out[number - 1]]
    for play in movement.rounds[number - 1]:
        home, away = entrants[play.ns], entrants[play.ew]
        if {home, away} & gone:
            alone += [home, away]
        else:
            meetings.append({"home": home, "away": away, "table": play.table + 1, "boards": play.boards + 1})
    return meetings + [{"home": one, "away": None} for one in alone if one not in gone]


def _written(drawn: Pairing) -> list[Meeting]:
    return [{"home": home, "away": away} for home, away in drawn.pairs] + [
        {"home": entrant, "away": None} for entrant in drawn.byes
    ]


def _ids(question: Mapping[str, Any], name: str, findings: list[Finding]) -> list[EntrantId]:
    """A list of ids, each once; none when left out."""
    value = question.get(name)
    if value is None:
        return []
    return _list_of_ids(value, name, findings)


def _list_of_ids(value: Any, at: str, findings: list[Finding]) -> list[EntrantId]:
    wrong = [replace(one, field=one.field.replace("entrants", at, 1)) for one in entrant_findings(value)]
    if not wrong and len(value) > MOST_ENTRANTS:
        wrong = [refusal("too_many", at, f"At most {MOST_ENTRANTS}.", f"最多 {MOST_ENTRANTS} 个。")]
    findings += wrong
    return [] if wrong else list(value)


def _lists(question: Mapping[str, Any], name: str, findings: list[Finding]) -> list[list[EntrantId]]:
    value = question.get(name)
    if value is None:
        return []
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > MOST_NUMBER:
        findings.append(refusal("wrong_type", name, "Groups are lists of ids.", "分组应是编号的列表。"))
        return []
    return [_list_of_ids(one, f"{name}.{i}", findings) for i, one in enumerate(value)]


def _slots(question: Mapping[str, Any], findings: list[Finding]) -> list[EntrantId | None]:
    value: Any = question.get("slots")
    if value is None:
        return []
    sound = isinstance(value, Sequence) and not isinstance(value, str) and len(value) <= 2 * MOST_ENTRANTS
    if not sound or not all(one is None or is_id(one) for one in value):
        findings.append(refusal("wrong_type", "slots", "Slots are ids or null.", "对阵表的位置应是编号或 null。"))
        return []
    return list(value)


def _whole(question: Mapping[str, Any], name: str, findings: list[Finding], low: int = 1) -> int:
    value = question.get(name)
    if type(value) is int and low <= value <= MOST_NUMBER:
        return value
    en, zh = f"A whole number from {low} to {MOST_NUMBER}.", f"要是 {low} 到 {MOST_NUMBER} 的整数。"
    findings.append(refusal("out_of_range", name, en, zh))
    return low


def _flag(question: Mapping[str, Any], name: str, findings: list[Finding]) -> bool:
    value = question.get(name)
    if value is None or isinstance(value, bool):
        return bool(value)
    findings.append(refusal("wrong_type", name, "True or false.", "要写 true 或 false。"))
    return False


def _refuse(findings: Sequence[Finding]) -> None:
    if findings:
        raise Refused(findings)
