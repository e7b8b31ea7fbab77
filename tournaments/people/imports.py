"""What importing a list of entrants would add, change and leave, before anything is written; and the list going out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..acts.text import digest_of, same_reading
from ..models import Entrant, Tournament
from .heads import MAX_PLAYERS as MAX_PLAYERS
from .lists import CATEGORY_LENGTH as CATEGORY_LENGTH
from .lists import EXTERNAL_ID_LENGTH as EXTERNAL_ID_LENGTH
from .lists import NAME_LENGTH as NAME_LENGTH
from .lists import PLAYER_LENGTH as PLAYER_LENGTH
from .lists import EntrantRow as EntrantRow
from .lists import PlayerRow as PlayerRow
from .lists import RowProblem as RowProblem
from .lists import read_table as read_table
from .lists import row_problem as _problem
from .spreadsheets import write_csv

#: The question whether a name that is there twice means two.
NAMESAKE = "namesake"


@dataclass(frozen=True, slots=True)
class ChangedEntrant:
    """An entrant that the file changes: which fields, old and new."""

    entrant: Entrant
    row: EntrantRow
    fields: Mapping[str, tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What importing would do. With any problem nothing is imported. `digest` names this very plan.

    `namesakes` are the questions that were answered: the row brings somebody else of the same name.
    """

    new: tuple[EntrantRow, ...] = ()
    changed: tuple[ChangedEntrant, ...] = ()
    same: tuple[EntrantRow, ...] = ()
    problems: tuple[RowProblem, ...] = ()
    namesakes: tuple[RowProblem, ...] = ()
    digest: str = field(default="")


def dry_run(
    tournament: Tournament,
    rows: Iterable[EntrantRow],
    problems: Iterable[RowProblem] = (),
    namesakes: Collection[int] = (),
) -> ImportPlan:
    """What importing `rows` into the tournament would do. Reads only."""
    return planned(tournament, entrants_of(tournament), rows, problems, namesakes)


def entrants_of(tournament: Tournament) -> list[Entrant]:
    """The entrants by number, with their players read."""
    return list(tournament.entrants.prefetch_related("players").order_by("number"))


def planned(
    tournament: Tournament,
    entrants: Sequence[Entrant],
    rows: Iterable[EntrantRow],
    problems: Iterable[RowProblem] = (),
    namesakes: Collection[int] = (),
) -> ImportPlan:
    """What importing `rows` beside these entrants would do.

    `namesakes` are rows that somebody has looked at: who is called there like somebody else is another one.

    A row updates the entrant with its external id; without one it is new. A number in the file is kept; a changed
    entrant keeps its own number unless the file states another.
    """
    rows = list(rows)
    found = list(problems)
    by_external_id = {entrant.external_id: entrant for entrant in entrants if entrant.external_id}
    updated = {row.external_id for row in rows if row.external_id in by_external_id}
    kept = [entrant for entrant in entrants if entrant.external_id not in updated or entrant.external_id is None]
    asked = list(_same_names(rows, kept))
    found += [*_clashes(rows, kept, by_external_id), *(one for one in asked if one.row not in namesakes)]
    new: list[EntrantRow] = []
    changed: list[ChangedEntrant] = []
    same: list[EntrantRow] = []
    for row in rows:
        entrant = by_external_id.get(row.external_id) if row.external_id else None
        if entrant is None:
            new.append(row)
            continue
        fields = differing_fields(entrant, row)
        if fields:
            changed.append(ChangedEntrant(entrant, row, fields))
        else:
            same.append(row)
    found.sort(key=lambda problem: (problem.row or 0, problem.code))
    digest = _plan_digest(tournament, new, changed, same)
    settled = tuple(one for one in asked if one.row in namesakes)
    return ImportPlan(tuple(new), tuple(changed), tuple(same), tuple(found), settled, digest)


def _clashes(
    rows: Sequence[EntrantRow], kept: Sequence[Entrant], by_external_id: Mapping[str, Entrant]
) -> list[RowProblem]:
    """Numbers, ids and seeds that would stand twice after the import, and players who would, by their ids."""
    problems: list[RowProblem] = []
    numbers = {entrant.number: entrant.name for entrant in kept}
    seeds = {entrant.seed for entrant in kept if entrant.seed}
    people: dict[str, str] = {}
    for entrant in kept:
        people |= {player.external_id: str(entrant.number) for player in entrant.players.all() if player.external_id}
    ids: set[str] = set()
    for row in rows:
        existing = by_external_id.get(row.external_id) if row.external_id else None
        number = row.number or (existing.number if existing else None)
        place = str(number) if number else f"row {row.row}"
        if row.external_id and row.external_id in ids:
            problems.append(
                _problem(row.row, "id_twice", f"id {row.external_id} is there twice.", f"编号 {row.external_id} 重复。")
            )
        ids.add(row.external_id or "")
        if number is not None and number in numbers:
            problems.append(_problem(row.row, "number_taken", f"number {number} is taken.", f"{number} 号已有参赛方。"))
        if number is not None:
            numbers[number] = row.name
        seed = row.seed or (existing.seed if existing else None)
        if seed is not None and seed in seeds:
            problems.append(_problem(row.row, "seed_taken", f"seed {seed} is taken.", f"种子 {seed} 已有参赛方。"))
        seeds |= {seed} if seed is not None else set()
        for played_by in row.players:
            person = played_by.external_id
            if not person:
                continue
            if person in people:
                problems.append(
                    _problem(
                        row.row,
                        "import_row",
                        f"{played_by.name} is already in entrant {people[person]}. Nothing was imported.",
                        f"{played_by.name} 已在 {people[person]} 号参赛方。整份文件都没有导入。",
                    )
                )
            people[person] = place
    return problems


def _same_names(rows: Sequence[EntrantRow], kept: Sequence[Entrant]) -> Iterator[RowProblem]:
    """At most one question a row: who is called like somebody before is perhaps the same one, entered twice.

    Of players, those of the same unit count, whose ids do not tell them apart; of entrants, the name.
    """
    people: dict[tuple[str, ...], tuple[str, str]] = {}
    names: dict[str, tuple[str, str]] = {}
    for entrant in kept:
        where = f"entrant {entrant.number}", f" {entrant.number} 号参赛方"
        names[same_reading(entrant.name)] = where
        for player in entrant.players.all():
            people[person_key(player.name, player.external_id, entrant.unit)] = where
    for row in rows:
        where = f"row {row.row}", f"第 {row.row} 行"
        found = None
        for one in row.players:
            key = person_key(one.name, one.external_id, row.unit)
            if key in people and key[0] == "name":
                found = found or _same_person(row, one.name, people[key])
            people[key] = where
        key_of_name = same_reading(row.name)
        if found is None and key_of_name in names:
            alone = len(row.players) <= 1
            found = (_same_person if alone else _same_entrant)(row, row.name, names[key_of_name])
        names[key_of_name] = where
        if found is not None:
            yield found


def _same_person(row: EntrantRow, name: str, where: tuple[str, str]) -> RowProblem:
    en, zh = f"{name} is also in {where[0]}.", f"{name} 也在{where[1]}。"
    if where[0] == f"row {row.row}":
        en, zh = f"{name} appears twice.", f"{name} 写了两次。"
    return _problem(row.row, NAMESAKE, f"{en} One person, or two?", f"{zh}是同一人，还是同名的两个人？", "players")


def _same_entrant(row: EntrantRow, name: str, where: tuple[str, str]) -> RowProblem:
    en = f"{where[0]} is also called {name}. One entrant, or two?"
    return _problem(row.row, NAMESAKE, en, f"{name} 与{where[1]}同名。是同一参赛方，还是两个？", "name")


def person_key(name: str, external_id: str, unit: str) -> tuple[str, ...]:
    """Two people may share a name; they count as one when their id, or else their unit, is also the same."""
    return ("id", external_id) if external_id else ("name", same_reading(name), same_reading(unit))


def differing_fields(entrant: Entrant, row: EntrantRow) -> dict[str, tuple[Any, Any]]:
    """Field -> (old, new) for what the row changes; columns that the row leaves empty change nothing but players do."""
    fields: dict[str, tuple[Any, Any]] = {}
    for name in ("name", "name_latin", "unit", "category"):
        new = getattr(row, name)
        if new and new != getattr(entrant, name):
            fields[name] = (getattr(entrant, name), new)
    for name in ("number", "seed"):
        new = getattr(row, name)
        if new is not None and new != getattr(entrant, name):
            fields[name] = (getattr(entrant, name), new)
    old_players = tuple(PlayerRow(p.name, p.name_latin, p.external_id) for p in entrant.players.all())
    if row.players and row.players != old_players:
        fields["players"] = (old_players, row.players)
    return fields


def _plan_digest(
    tournament: Tournament, new: Sequence[EntrantRow], changed: Sequence[ChangedEntrant], same: Sequence[EntrantRow]
) -> str:
    def plain(row: EntrantRow) -> list[Any]:
        players = [[player.name, player.name_latin, player.external_id] for player in row.players]
        facts = [row.name, row.name_latin, row.unit, row.category, row.seed]
        return [row.row, row.external_id, row.number, *facts, players]

    old = {"new": [plain(row) for row in new], "same": [plain(row) for row in same], "tournament": tournament.pk}
    old["changed"] = [[change.entrant.pk, sorted(change.fields), plain(change.row)] for change in changed]
    return digest_of(old)


def entrants_table(tournament: Tournament) -> list[list[object]]:
    """The entrants as a table that `read_table` reads back."""
    entrants = entrants_of(tournament)
    most = max((len(entrant.players.all()) for entrant in entrants), default=0)
    heads: list[object] = ["external_id", "number", "name", "name_latin", "unit", "category", "seed"]
    for order in range(1, most + 1):
        heads += [f"player{order}", f"player{order}_latin", f"player{order}_id"]
    table = [heads]
    for entrant in entrants:
        line: list[object] = [
            entrant.external_id or "",
            entrant.number,
            entrant.name,
            entrant.name_latin,
            entrant.unit,
            entrant.category,
            entrant.seed or "",
        ]
        for player in entrant.players.all():
            line += [player.name, player.name_latin, player.external_id]
        table.append(line)
    return table


def entrants_csv(tournament: Tournament) -> bytes:
    """The entrants as CSV that can be imported again."""
    return write_csv(entrants_table(tournament))
