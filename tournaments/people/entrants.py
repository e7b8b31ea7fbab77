"""Entrants: enter, change, import.

The history names fields and ids, never names: what a name was stands only in the entrant's own (erasable) versions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ..acts import history
from ..acts.access import Act
from ..acts.admission import Actor, Admitted, allowed, require
from ..acts.change import (
    PAGES_MOVED,
    Add,
    Change,
    Forget,
    Line,
    Move,
    MoveAll,
    Remove,
    RemoveAll,
    Write,
    carry_out,
    commit,
)
from ..acts.errors import Refusal, clean_text
from ..acts.rows import find_tournament, locked_entrant
from ..acts.text import TextProblem, clean_line
from ..models import Entrant, Player, Tournament
from .eligibility import Late, join_late, refuse_twins, substitutes
from .imports import (
    CATEGORY_LENGTH,
    EXTERNAL_ID_LENGTH,
    MAX_PLAYERS,
    NAME_LENGTH,
    PLAYER_LENGTH,
    EntrantRow,
    ImportPlan,
    PlayerRow,
    RowProblem,
    entrants_of,
    planned,
)


class BadEntrant(Refusal):
    """A field of an entrant does not hold what it should."""

    def __init__(self, field: str, code: str, message: Mapping[str, str] | None = None, status: int = 400) -> None:
        super().__init__(code, field=field, message=message, status=status)


class ImportRefused(Refusal):
    """The file has problems, all listed in `problems` with their rows; nothing was imported."""

    def __init__(self, problems: Sequence[RowProblem]) -> None:
        first = problems[0]
        super().__init__(first.code, field=first.field or None, message=dict(first.message), status=400)
        self.problems = tuple(problems)


def add_entrant(
    *,
    tournament_id: int,
    actor: Actor,
    at: datetime,
    name: str,
    name_latin: str = "",
    unit: str = "",
    category: str = "",
    seed: int | None = None,
    number: int | None = None,
    external_id: str | None = None,
    players: Iterable[PlayerRow | Mapping[str, str]] = (),
    namesakes: bool = False,
) -> Entrant:
    """Enter an entrant; without a number it gets the next free one.

    `namesakes`: players called like others of the same unit are other people. When rounds were published, it joins
    the next one where the format lets it (`late_entry`).
    """
    facts = _facts(
        {
            "name": name,
            "name_latin": name_latin,
            "unit": unit,
            "category": category,
            "seed": seed,
            "external_id": external_id,
        }
    )
    people, number = _people(players), _number(number)

    def decide() -> Change[Entrant]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.EDIT_ENTRANTS, tournament=event)
        refuse_twins(event, people, facts["unit"], namesakes=namesakes)
        others = list(event.entrants.values(*UNIQUE))
        new_number = number or _next(one["number"] for one in others)
        _refuse_taken({**facts, "number": new_number}, others)
        entrant, writes = entered(event, facts, people, new_number)
        late = _joined(event, admitted, at, [entrant], writes)
        new = {"number": entrant.number} | ({"missed": late.missed} if late.missed else {})
        line = Line(Act.EDIT_ENTRANTS, ("entrant", entrant), new=new)
        return Change(admitted, entrant, late.writes, (*late.lines, line), PAGES_MOVED, stale=True)

    return carry_out(decide, actor, at)


#: What can be changed about an entrant.
FIELDS = ("name", "name_latin", "unit", "category", "seed", "number", "external_id", "players")
#: What no two entrants of an event share.
UNIQUE = frozenset({"number", "seed", "external_id"})


def change_entrant(
    *,
    entrant_id: int,
    actor: Actor,
    at: datetime,
    changes: Mapping[str, Any],
    reason: str = "",
    namesakes: bool = False,
) -> Entrant:
    """Change what FIELDS name. Other players once it has played are substitutes (`no_substitutes`, `plays_now`): of a
    pair the chief referee allows them, with a reason."""
    reason = clean_text(reason, "reason", limit=history.REASON_LIMIT)
    unknown = sorted(set(changes) - set(FIELDS))
    if unknown:
        raise BadEntrant(unknown[0], "unknown_field", {"en": "There is no such field.", "zh": "没有这一项。"})
    facts = _facts({name: value for name, value in changes.items() if name not in ("number", "players")})
    if changes.get("number") is not None:
        facts["number"] = _number(changes["number"])
    people = _people(changes["players"]) if "players" in changes else None

    def decide() -> Change[Entrant]:
        entrant = locked_entrant(entrant_id)
        may_substitute = set(changes) == {"players"} and allowed(actor, Act.SUBSTITUTE, tournament=entrant.tournament)
        act = Act.SUBSTITUTE if may_substitute else Act.EDIT_ENTRANTS
        admitted = require(actor, act, tournament=entrant.tournament)
        before: list[Player] = []
        if people is not None:
            before = list(entrant.players.all())
            unit = facts.get("unit", entrant.unit)
            refuse_twins(entrant.tournament, people, unit, own=entrant, namesakes=namesakes)
            act = Act.SUBSTITUTE if substitutes(entrant, before, people, actor, reason) else Act.EDIT_ENTRANTS
        if facts.keys() & UNIQUE:
            event = find_tournament(entrant.tournament_id, lock=True)
            _refuse_taken(facts, event.entrants.exclude(pk=entrant.pk).values(*UNIQUE))
        new = {"number": facts.get("number", entrant.number), "fields": sorted(changes)}
        line = Line(act, ("entrant", entrant), reason, {"number": entrant.number}, new)
        return Change(admitted, entrant, changed(entrant, facts, people, before), (line,), PAGES_MOVED, stale=True)

    return carry_out(decide, actor, at)


def remove_entrant(*, entrant_id: int, actor: Actor, at: datetime) -> None:
    """Take out an entrant that was entered by mistake, with its players and what was typed of them.

    Refused: `entrant_in_use`, once it was drawn, checked in, given a code, kept apart from somebody or ruled on: then
    it withdraws.
    """

    def decide() -> Change[None]:
        entrant = locked_entrant(entrant_id)
        event = find_tournament(entrant.tournament_id, lock=True)
        admitted = require(actor, Act.EDIT_ENTRANTS, tournament=event)
        if _is_in_use(entrant):
            raise Refusal("entrant_in_use")
        players = list(entrant.players.all())
        writes: list[Write] = [Forget(event.pk, (*players, entrant)), *map(Remove, players), Remove(entrant)]
        writes += [RemoveAll(Player.history.model, {"entrant_id": entrant.pk})]
        writes += [RemoveAll(Entrant.history.model, {"id": entrant.pk})]
        line = Line(Act.EDIT_ENTRANTS, f"entrant:{entrant.pk}", old={"number": entrant.number})
        return Change(admitted, None, tuple(writes), (line,), PAGES_MOVED, stale=True)

    carry_out(decide, actor, at)


def _is_in_use(entrant: Entrant) -> bool:
    """Whether any row but its players refers to it."""
    fields = [one for one in Entrant._meta.related_objects if one.related_model is not Player]
    rows = ((one.related_model, one.field.name) for one in fields)
    return any(model._default_manager.filter(**{name: entrant.pk}).exists() for model, name in rows)


def import_entrants(
    *,
    tournament_id: int,
    actor: Actor,
    at: datetime,
    rows: Sequence[EntrantRow],
    problems: Sequence[RowProblem] = (),
    plan_digest: str | None = None,
    namesakes: Collection[int] = (),
) -> ImportPlan:
    """Import a table as planned: all of it, or nothing when there is any problem.

    `rows` and `problems` come from `people.lists`, `namesakes` are those rows that bring somebody else of
    a name that is there already. With `plan_digest` the plan must still be the one
    that was shown (else `plan_changed`).
    """

    def decide() -> Change[ImportPlan]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.IMPORT_ENTRANTS, tournament=event)
        there = entrants_of(event)
        plan = planned(event, there, rows, problems, namesakes)
        if plan.problems:
            raise ImportRefused(plan.problems)
        if plan_digest is not None and plan_digest != plan.digest:
            raise Refusal("plan_changed", status=412)
        for one in plan.changed:
            if "players" in one.fields:  # a file brings no substitutes into a pair that has played
                substitutes(one.entrant, list(one.entrant.players.all()), one.row.players, actor, "")
        made, writes = imported(event, there, plan)
        late = _joined(event, admitted, at, made, writes)
        changes = [[one.entrant.pk, sorted(one.fields)] for one in plan.changed]
        line = Line(Act.IMPORT_ENTRANTS, new={"new": len(plan.new), "changed": changes, "same": len(plan.same)})
        return Change(admitted, plan, late.writes, (*late.lines, line), PAGES_MOVED, stale=True)

    return carry_out(decide, actor, at)


def _joined(
    event: Tournament, admitted: Admitted, at: datetime, entrants: Sequence[Entrant], writes: Sequence[Write]
) -> Late:
    """Entrants are written as they were entered, for stages read who is there; then what their coming late means."""
    commit(Change(admitted, None, tuple(writes)), admitted.actor, at)
    return join_late(event, entrants, at)


def entered(
    event: Tournament, facts: Mapping[str, Any], people: Sequence[PlayerRow], number: int
) -> tuple[Entrant, list[Write]]:
    """A new entrant with its players."""
    entrant = Entrant(tournament=event, number=number, **facts)
    return entrant, [Add(entrant), *_played_by(entrant, people, ())]


def changed(
    entrant: Entrant, facts: Mapping[str, Any], people: Sequence[PlayerRow] | None, before: Iterable[Player]
) -> tuple[Write, ...]:
    """What changes an entrant; without `people` its players (`before`) stay."""
    players = [] if people is None else _played_by(entrant, people, before)
    return (*([Move(entrant, facts)] if facts else []), *players)


def imported(event: Tournament, there: Iterable[Entrant], plan: ImportPlan) -> tuple[list[Entrant], list[Write]]:
    """The new entrants that a plan brings beside those who are there, and all that it writes."""
    numbers = {one.pk: one.number for one in there}
    # two entrants may swap numbers or seeds in one import: first they are out of the way of each other
    parked = max(numbers.values(), default=0) + 10_000
    renumbered = [one.entrant.pk for one in plan.changed if "number" in one.fields]
    reseeded = [one.entrant.pk for one in plan.changed if "seed" in one.fields]
    writes: list[Write] = [
        *(MoveAll(Entrant, {"pk": pk}, {"number": parked + place}) for place, pk in enumerate(renumbered, start=1)),
        MoveAll(Entrant, {"pk__in": reseeded}, {"seed": None}),
    ]
    for one in plan.changed:
        facts = {name: new for name, (_, new) in one.fields.items() if name != "players"}
        people = one.row.players if "players" in one.fields else None
        writes += changed(one.entrant, facts, people, one.entrant.players.all())
        numbers[one.entrant.pk] = facts.get("number", one.entrant.number)
    # rows that state their number first: the others come after all of them
    new, taken = list[Entrant](), set(numbers.values())
    for row in sorted(plan.new, key=lambda row: (row.number is None, row.row)):
        facts = {name: getattr(row, name) for name in FIELDS if name not in ("number", "players")}
        entrant, added = entered(event, facts, row.players, row.number or _next(taken))
        new.append(entrant)
        taken.add(entrant.number)
        writes += added
    return new, writes


def _played_by(entrant: Entrant, people: Sequence[PlayerRow], before: Iterable[Player]) -> list[Write]:
    """These people play for the entrant, in the places of those before."""
    kept, writes = {player.order: player for player in before}, list[Write]()
    for order, person in enumerate(people, start=1):
        facts = {"name": person.name, "name_latin": person.name_latin, "external_id": person.external_id}
        player = kept.pop(order, None)
        if player is None:
            writes.append(Add(Player(entrant=entrant, order=order, **facts)))
        elif any(getattr(player, name) != value for name, value in facts.items()):
            writes.append(Move(player, facts))
    return [*writes, *map(Remove, kept.values())]


def _next(numbers: Iterable[int]) -> int:
    return max(numbers, default=0) + 1


def _refuse_taken(facts: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> None:
    """Refuse a number, a seed or an id that another entrant has."""
    taken = {name for one in others for name, value in facts.items() if value is not None and one.get(name) == value}
    if "number" in taken:
        number = facts["number"]
        message = {"en": f"Number {number} is taken.", "zh": f"{number} 号已有参赛方。"}
        raise BadEntrant("number", "number_taken", message, 409)
    if "seed" in taken:
        seed = facts["seed"]
        message = {"en": f"Seed {seed} is taken.", "zh": f"种子 {seed} 已有参赛方。"}
        raise BadEntrant("seed", "seed_taken", message, 409)
    if "external_id" in taken:
        raise BadEntrant("external_id", "external_id_taken", status=409)


_LENGTHS = {
    "name": NAME_LENGTH,
    "name_latin": NAME_LENGTH,
    "unit": NAME_LENGTH,
    "category": CATEGORY_LENGTH,
    "external_id": EXTERNAL_ID_LENGTH,
}


def _facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    clean: dict[str, Any] = {}
    for name, value in facts.items():
        if name == "seed":
            clean[name] = _number(value, "seed")
            continue
        try:
            clean[name] = clean_line(value, max_length=_LENGTHS[name], required=name == "name")
        except TextProblem as problem:
            raise BadEntrant(name, problem.code, problem.message) from None
    if "external_id" in clean:
        clean["external_id"] = clean["external_id"] or None
    return clean


def _people(players: object) -> tuple[PlayerRow, ...]:
    if not isinstance(players, Iterable) or isinstance(players, (str, bytes, Mapping)):
        raise BadEntrant("players", "not_a_list", {"en": "Players are a list.", "zh": "选手要是一个列表。"})
    people: list[PlayerRow] = []
    for player in players:
        if isinstance(player, PlayerRow):
            player = {"name": player.name, "name_latin": player.name_latin, "external_id": player.external_id}
        if not isinstance(player, Mapping) or set(player) - {"name", "name_latin", "external_id"}:
            raise BadEntrant(
                "players",
                "unknown_field",
                {"en": "A player has name, name_latin and external_id.", "zh": "选手只有姓名、拉丁名和编号。"},
            )
        try:
            people.append(
                PlayerRow(
                    clean_line(player.get("name"), max_length=PLAYER_LENGTH, required=True),
                    clean_line(player.get("name_latin"), max_length=PLAYER_LENGTH),
                    clean_line(player.get("external_id"), max_length=EXTERNAL_ID_LENGTH),
                )
            )
        except TextProblem as problem:
            raise BadEntrant("players", problem.code, problem.message) from None
    if len(people) > MAX_PLAYERS:
        raise BadEntrant("players", "too_many_players")
    return tuple(people)


def _number(value: object, field: str = "number") -> int | None:
    if value is None:
        return None
    if type(value) is not int or not 1 <= value <= 9_999:
        message = {"en": "A whole number from 1 to 9999.", "zh": "要是 1 到 9999 的整数。"}
        raise BadEntrant(field, f"bad_{field}", message)
    return value
