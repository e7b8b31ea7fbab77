"""The protocol's draws of one round that leave nothing to choose: Danish, groups, knockouts and movements of duplicate.

Each answers with `meetings` in the order of tables: `home`, `away` (null: a bye), and as far as they matter `group`,
`slot` (its place in the bracket from the top, from 1), `for_place`, `table` and `boards` (which set, from 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.hands.findings import Finding, Refused, refusal
from scoring.hands.reading import Reader
from scoring.standings.results import EntrantId, entrant_findings, is_id
from scoring.values import exact
from tournaments.draws.apart import read_apart
from tournaments.draws.balancing import balanced
from tournaments.draws.danish import danish_round
from tournaments.draws.knockout import by_draw_number, crossed, first_slots, third_place
from tournaments.draws.movements import Balance, Movement, arrow_switched, balance, howell, mitchell, teams_of_four
from tournaments.draws.pairing import Pairing
from tournaments.draws.round_robin import round_robin
from tournaments.draws.swiss_questions import read_rounds
from tournaments.plans.plan import MovementKind

MOST_ENTRANTS, MOST_NUMBER = 4_000, 1_000
_WAYS = ("entrants", "groups", "numbers", "slots")
_ROUND = {"en": "the round", "zh": "轮次"}
#: A balanced movement turns tables by itself.
ARROW_OF_BALANCED = ("A balanced movement turns its tables by itself.", "平衡移位自行换向，不能另设。")
_MOST_SEED = 200
_ROUNDS = {"en": "the number of rounds", "zh": "轮数"}
Meeting = dict[str, Any]


def answer_danish_round(question: Mapping[str, Any]) -> dict[str, Any]:
    """First against second, third against fourth: `entrants` in the order of the standings, `rounds` so far; who of
    them is kept `apart`."""
    reader = Reader(question)
    entrants, rounds = _ids(reader, "entrants"), read_rounds(reader.raw("rounds"), reader.findings)
    apart = read_apart(reader.raw("apart"), entrants, reader.findings)
    _refuse(reader)
    return {"meetings": _written(danish_round(entrants, [one.pairing for one in rounds], apart))}


def answer_groups_round(question: Mapping[str, Any]) -> dict[str, Any]:
    """Round `round` (from 1) of a round robin in each of `groups`, lists of ids in order.

    With `fours` a group of four meets 1–3 2–4, then 1–2 3–4, then 1–4 2–3, else as all others by the Berger table. Who
    meets one of `gone` has a bye, who meets one of `annulled` does not play. A group that is through has no meetings;
    refused when all are.
    """
    reader = Reader(question)
    groups, number, fours = _lists(reader, "groups"), _round(reader), reader.flag("fours")
    gone, annulled = _ids(reader, "gone"), _ids(reader, "annulled")
    reader.findings += entrant_findings([one for group in groups for one in group])
    _refuse(reader)
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
    reader = Reader(question)
    given = [name for name in _WAYS if reader.has(name)]
    if len(given) != 1:
        en, zh = f"Give one of {', '.join(_WAYS)}.", f"{'、'.join(_WAYS)} 只能写一项。"
        reader.findings.append(refusal("one_of", "entrants", en, zh))
    losers, had_bye = _ids(reader, "losers"), _ids(reader, "had_bye")
    entrants, numbers = _ids(reader, "entrants"), _ids(reader, "numbers")
    groups, slots = _lists(reader, "groups"), _slots(reader)
    if not reader.findings:
        still_in = [one for one in (*slots, *(one for group in groups for one in group)) if one is not None]
        reader.findings += entrant_findings([*entrants, *numbers, *still_in, *losers])
    _refuse(reader)
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
    """Round `round` (from 1) of a movement of pairs over boards: `kind` (`mitchell`, `howell`, `balanced`), `entrants`
    in order, `rounds` of the whole (not of a Howell), `arrow` rounds with the arrow switched at its end (not of a
    balanced one, which has a `seed`). Who meets one of `gone` sits out. A balanced one tells its figures."""
    reader = Reader(question)
    kind, number = reader.choice("kind", MovementKind, required=True), _round(reader)
    entrants, gone = _ids(reader, "entrants"), _ids(reader, "gone")
    rounds = reader.whole("rounds", _ROUNDS, low=1, high=MOST_NUMBER)
    arrow = reader.whole("arrow", _ROUNDS, low=0, high=MOST_NUMBER) or 0
    if kind is MovementKind.HOWELL and rounds is not None:
        en, zh = "The number of pairs says how many rounds a Howell has.", "豪威尔移位的轮数由对数决定，不能另写。"
        reader.findings.append(refusal("rounds_of_howell", "rounds", en, zh))
    seed = reader.raw("seed")
    if seed is not None and not (isinstance(seed, str) and len(seed) <= _MOST_SEED):
        reader.findings.append(refusal("wrong_type", "seed", "A seed is a text.", "种子应是文字。"))
    if kind is MovementKind.BALANCED and arrow:
        reader.findings.append(refusal("arrow_of_balanced", "arrow", *ARROW_OF_BALANCED))
    _refuse(reader)
    assert kind is not None
    movement = laid_out(kind, len(entrants), rounds, arrow, seed or "")
    if number > len(movement.rounds):
        en = f"This movement has only {len(movement.rounds)} rounds."
        raise Refused([refusal("too_many_rounds", "round", en, f"这种移位只有 {len(movement.rounds)} 轮。")])
    meetings = {"meetings": _moved(movement, number, entrants, set(gone))}
    return meetings | ({"balance": _figures(balance(movement))} if kind is MovementKind.BALANCED else {})


def laid_out(kind: MovementKind, pairs: int, rounds: int | None, arrow: int, seed: str) -> Movement:
    """The whole movement of a stage. Raises Refused where it does not go."""
    if kind is MovementKind.BALANCED:
        return balanced(pairs, rounds, seed)
    return arrow_switched(howell(pairs) if kind is MovementKind.HOWELL else mitchell(pairs, rounds), arrow)


def _figures(found: Balance) -> dict[str, Any]:
    """How even a movement is, as a document has it."""
    return {
        "meetings": list(found.meetings),
        "influence": list(found.influence),
        "spread": exact(found.spread),
        "shared": found.shared,
        "sit_outs": list(found.sit_outs),
    }


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


def _ids(reader: Reader, name: str) -> list[EntrantId]:
    """A list of ids, each once; none when left out."""
    value = reader.raw(name)
    return [] if value is None else _list_of_ids(value, name, reader.findings)


def _list_of_ids(value: Any, at: str, findings: list[Finding]) -> list[EntrantId]:
    wrong = [replace(one, field=one.field.replace("entrants", at, 1)) for one in entrant_findings(value)]
    if not wrong and len(value) > MOST_ENTRANTS:
        wrong = [refusal("too_many", at, f"At most {MOST_ENTRANTS}.", f"最多 {MOST_ENTRANTS} 个。")]
    findings += wrong
    return [] if wrong else list(value)


def _lists(reader: Reader, name: str) -> list[list[EntrantId]]:
    value = reader.raw(name)
    if value is None:
        return []
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > MOST_NUMBER:
        reader.findings.append(refusal("wrong_type", name, "Groups are lists of ids.", "分组应是编号的列表。"))
        return []
    return [_list_of_ids(one, f"{name}.{i}", reader.findings) for i, one in enumerate(value)]


def _slots(reader: Reader) -> list[EntrantId | None]:
    value = reader.raw("slots")
    if value is None:
        return []
    sound = isinstance(value, Sequence) and not isinstance(value, str) and len(value) <= 2 * MOST_ENTRANTS
    if not sound or not all(one is None or is_id(one) for one in value):
        en, zh = "Slots are ids or null.", "对阵表的位置应是编号或 null。"
        reader.findings.append(refusal("wrong_type", "slots", en, zh))
        return []
    return list(value)


def _round(reader: Reader) -> int:
    """The number of a round, from 1; any with a finding."""
    return reader.whole("round", _ROUND, low=1, high=MOST_NUMBER, required=True) or 1


def _refuse(reader: Reader) -> None:
    reader.done()
    reader.refuse_if_any()
