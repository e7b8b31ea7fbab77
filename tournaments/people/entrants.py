"""Entrants: enter, change, import.

The history names fields and ids, never names: what a name was stands only in the entrant's own (erasable) versions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Max

from ..acts import history
from ..acts.access import Act, Actor, allowed, require
from ..acts.doorbell import mark_stale
from ..acts.errors import Refusal, clean_text
from ..acts.rows import find_tournament, locked_entrant
from ..acts.text import TextProblem, clean_line
from ..models import (
    Entrant,
    Player,
    Tournament,
)
from .eligibility import join_late, refuse_substitutes, refuse_twins
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
    dry_run,
)

Versioned = TypeVar("Versioned", Entrant, Player)


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
    people = _people(players)
    with transaction.atomic():
        event = find_tournament(tournament_id, lock=True)
        require(actor, Act.EDIT_ENTRANTS, tournament=event)
        refuse_twins(event, people, facts["unit"], namesakes=namesakes)
        entrant = _add(event, at, facts, people, _number(number))
        missed = join_late(event, [entrant], actor, at)
        history.record(
            tournament=event,
            actor=actor,
            at=at,
            act=Act.EDIT_ENTRANTS,
            subject=f"entrant:{entrant.pk}",
            new={"number": entrant.number} | ({"missed": missed} if missed else {}),
        )
        mark_stale(event.pk)
    return entrant


#: What can be changed about an entrant.
FIELDS = ("name", "name_latin", "unit", "category", "seed", "number", "external_id", "players")


@transaction.atomic
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

    entrant = locked_entrant(entrant_id)
    may_substitute = set(changes) == {"players"} and allowed(actor, Act.SUBSTITUTE, tournament=entrant.tournament)
    if not may_substitute:
        require(actor, Act.EDIT_ENTRANTS, tournament=entrant.tournament)
    substituted = False
    if people is not None:
        unit = facts.get("unit", entrant.unit)
        refuse_twins(entrant.tournament, people, unit, own=entrant, namesakes=namesakes)
        substituted = refuse_substitutes(entrant, people, actor, reason)
    old_number = entrant.number
    _change(entrant, at, facts, people)
    history.record(
        tournament=entrant.tournament,
        actor=actor,
        at=at,
        act=Act.SUBSTITUTE if substituted else Act.EDIT_ENTRANTS,
        subject=f"entrant:{entrant.pk}",
        reason=reason,
        old={"number": old_number},
        new={"number": entrant.number, "fields": sorted(changes)},
    )
    mark_stale(entrant.tournament_id)
    return entrant


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
    with transaction.atomic():
        event = find_tournament(tournament_id, lock=True)
        require(actor, Act.IMPORT_ENTRANTS, tournament=event)
        plan = dry_run(event, rows, problems, namesakes)
        if plan.problems:
            raise ImportRefused(plan.problems)
        if plan_digest is not None and plan_digest != plan.digest:
            raise Refusal("plan_changed", status=412)
        join_late(event, _apply(event, actor, at, plan), actor, at)
        history.record(
            tournament=event,
            actor=actor,
            at=at,
            act=Act.IMPORT_ENTRANTS,
            new={
                "new": len(plan.new),
                "changed": [[change.entrant_id, sorted(change.fields)] for change in plan.changed],
                "same": len(plan.same),
            },
        )
        mark_stale(event.pk)
    return plan


def _apply(event: Tournament, actor: Actor, at: datetime, plan: ImportPlan) -> list[Entrant]:
    """Write the plan; the new entrants. A file brings no substitutes into a pair that has played."""
    existing = {entrant.pk: entrant for entrant in event.entrants.filter(pk__in=[c.entrant_id for c in plan.changed])}
    renumbered = [change for change in plan.changed if "number" in change.fields]
    _park_numbers(event, [existing[change.entrant_id] for change in renumbered])
    reseeded = [change.entrant_id for change in plan.changed if "seed" in change.fields]
    Entrant.objects.filter(pk__in=reseeded).update(seed=None)
    for change in plan.changed:
        facts = {name: new for name, (_, new) in change.fields.items() if name != "players"}
        people = change.row.players if "players" in change.fields else None
        if people is not None:
            refuse_substitutes(existing[change.entrant_id], people, actor, "")
        _change(existing[change.entrant_id], at, facts, people)
    # rows that state their number first: the others fill the gaps that remain
    made = []
    for row in sorted(plan.new, key=lambda row: (row.number is None, row.row)):
        facts = {name: getattr(row, name) for name in FIELDS if name not in ("number", "players")}
        made.append(_add(event, at, facts, row.players, row.number))
    return made


def _park_numbers(event: Tournament, entrants: Sequence[Entrant]) -> None:
    """Two entrants may swap numbers in one import: move them out of the way of the unique constraint first."""
    highest = event.entrants.aggregate(most=Max("number"))["most"] or 0
    for place, entrant in enumerate(entrants, start=1):
        Entrant.objects.filter(pk=entrant.pk).update(number=highest + 10_000 + place)


def _add(
    event: Tournament, at: datetime, facts: Mapping[str, Any], people: Sequence[PlayerRow], number: int | None
) -> Entrant:
    if number is None:
        number = (event.entrants.aggregate(most=Max("number"))["most"] or 0) + 1
    entrant = dated(Entrant(tournament=event, number=number, **facts), at)
    _save(entrant)
    _set_players(entrant, at, people)
    return entrant


def _change(entrant: Entrant, at: datetime, facts: Mapping[str, Any], people: Sequence[PlayerRow] | None) -> None:
    for name, value in facts.items():
        setattr(entrant, name, value)
    _save(dated(entrant, at))
    if people is not None:
        _set_players(entrant, at, people)


def dated(row: Versioned, at: datetime) -> Versioned:
    """The row, whose next version in its own history will carry this time."""
    row._history_date = at  # type: ignore[attr-defined]
    return row


def _save(entrant: Entrant) -> None:
    try:
        with transaction.atomic():
            entrant.save()
    except IntegrityError:
        if _others(entrant).filter(number=entrant.number).exists():
            raise BadEntrant(
                "number",
                "number_taken",
                {"en": f"Number {entrant.number} is taken.", "zh": f"{entrant.number} 号已有参赛方。"},
                409,
            ) from None
        if entrant.seed is not None and _others(entrant).filter(seed=entrant.seed).exists():
            seed = entrant.seed
            message = {"en": f"Seed {seed} is taken.", "zh": f"种子 {seed} 已有参赛方。"}
            raise BadEntrant("seed", "seed_taken", message, 409) from None
        raise BadEntrant("external_id", "external_id_taken", status=409) from None


def _others(entrant: Entrant) -> Any:
    return Entrant.objects.filter(tournament=entrant.tournament_id).exclude(pk=entrant.pk)


def _set_players(entrant: Entrant, at: datetime, people: Sequence[PlayerRow]) -> None:
    kept = {player.order: player for player in entrant.players.all()}
    for order, person in enumerate(people, start=1):
        player = kept.pop(order, None) or Player(entrant=entrant, order=order)
        facts = (person.name, person.name_latin, person.external_id)
        if player.pk is None or facts != (player.name, player.name_latin, player.external_id):
            player.name, player.name_latin, player.external_id = facts
            dated(player, at).save()
    for player in kept.values():
        dated(player, at).delete()


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
