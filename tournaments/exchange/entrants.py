"""A table of entrants, read and planned: what importing it would add, change and leave, before anything is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..models import Entrant, Tournament
from .tables import TableProblem, read_cells, write_csv
from .text import TextProblem, clean_line, digest_of, same_reading

NAME_LENGTH = 80
PLAYER_LENGTH = 60
EXTERNAL_ID_LENGTH = 64
CATEGORY_LENGTH = 40
MAX_PLAYERS = 12

_COLUMNS = {
    "external_id": ("external_id", "id", "外部编号", "报名编号"),
    "number": ("number", "no", "no.", "序号", "编号", "号码"),
    "name": ("name", "entrant", "名称", "参赛方", "队名"),
    "name_latin": ("name_latin", "latin name", "latin", "拉丁名", "拼音", "英文名"),
    "unit": ("unit", "club", "单位", "代表单位"),
    "category": ("category", "组别", "类别"),
    "seed": ("seed", "种子", "种子排位"),
}
_PLAYER_COLUMN = re.compile(r"(?:player|选手)[ _]?([1-9][0-9]?)(?:[ _]?(latin|id|name|拉丁名|拼音|编号))?")
_PLAYER_PART = {None: "name", "name": "name", "latin": "name_latin", "拉丁名": "name_latin", "拼音": "name_latin"}
_PLAYER_PART |= {"id": "external_id", "编号": "external_id"}


@dataclass(frozen=True, slots=True)
class PlayerRow:
    name: str
    name_latin: str = ""
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """One entrant as the file states it; `row` is the spreadsheet's row number, None where a value was not given."""

    row: int
    name: str
    players: tuple[PlayerRow, ...]
    external_id: str | None = None
    number: int | None = None
    name_latin: str = ""
    unit: str = ""
    category: str = ""
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class RowProblem:
    row: int | None
    code: str
    message: Mapping[str, str]
    field: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """An entrant that the file changes: which fields, old and new."""

    entrant_id: int
    row: EntrantRow
    fields: Mapping[str, tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What importing would do. With any problem nothing is imported. `digest` names this very plan."""

    new: tuple[EntrantRow, ...] = ()
    changed: tuple[Change, ...] = ()
    same: tuple[EntrantRow, ...] = ()
    problems: tuple[RowProblem, ...] = ()
    digest: str = field(default="")


def read_table(data: bytes, name: str, *, encoding: str = "utf-8") -> tuple[list[EntrantRow], list[RowProblem]]:
    """The rows of a CSV or XLSX file and every problem found in them, with row numbers.

    The first row names the columns (English or Chinese): external_id, number, name, name_latin, unit, category, seed,
    player1, player1_latin, player1_id, player2 … An entrant without a name is called by its players.
    """
    try:
        cells = read_cells(data, name, encoding=encoding)
        columns = _columns(cells[0] if cells else [])
    except TableProblem as problem:
        return [], [RowProblem(problem.row, problem.code, problem.message)]
    rows: list[EntrantRow] = []
    problems: list[RowProblem] = []
    for number, values in enumerate(cells[1:], start=2):
        if not any(values):
            continue
        row, found = _read_row(number, columns, values)
        problems.extend(found)
        if row is not None:
            rows.append(row)
    if not rows and not problems:
        problems.append(_problem(None, "no_rows", "The file holds no entrants.", "文件里没有参赛方。"))
    return rows, problems


def _problem(row: int | None, code: str, en: str, zh: str, field: str = "") -> RowProblem:
    if row is not None:
        en, zh = f"Row {row}: {en}", f"第 {row} 行：{zh}"
    return RowProblem(row, code, {"en": en, "zh": zh}, field)


def _columns(heads: Sequence[str]) -> dict[int, tuple[str, int | None]]:
    """Column index -> (field, player order or None). Unknown heads are refused: else a misspelt one lost its column."""
    columns: dict[int, tuple[str, int | None]] = {}
    for index, head in enumerate(heads):
        key = same_reading(" ".join(head.split()))
        if not key:
            continue
        target: tuple[str, int | None] | None
        target = next(((name, None) for name, heads_ in _COLUMNS.items() if key in heads_), None)
        match = _PLAYER_COLUMN.fullmatch(key)
        if target is None and match and int(match[1]) <= MAX_PLAYERS:
            target = (_PLAYER_PART[match[2]], int(match[1]))
        if target is None:
            raise TableProblem(
                "unknown_column", f"Row 1: unknown column {head}.", f"第 1 行：不认识“{head}”这一列。", row=1
            )
        if target in columns.values():
            raise TableProblem(
                "column_twice", f"Row 1: column {head} stands twice.", f"第 1 行：“{head}”出现两次。", row=1
            )
        columns[index] = target
    if ("name", None) not in columns.values() and ("name", 1) not in columns.values():
        raise TableProblem(
            "no_name_column",
            "Row 1 must name the columns; one of them name or player1.",
            "第 1 行要写列名，其中要有“名称”或“选手1”。",
            row=1,
        )
    return columns


_LENGTHS = {
    "name": NAME_LENGTH,
    "name_latin": NAME_LENGTH,
    "unit": NAME_LENGTH,
    "category": CATEGORY_LENGTH,
    "external_id": EXTERNAL_ID_LENGTH,
}


def _read_row(
    number: int, columns: Mapping[int, tuple[str, int | None]], values: Sequence[str]
) -> tuple[EntrantRow | None, list[RowProblem]]:
    problems: list[RowProblem] = []
    facts: dict[str, str] = {}
    people: dict[int, dict[str, str]] = {}
    if any(values[index] for index in range(len(values)) if index not in columns):
        problems.append(_problem(number, "cell_without_column", "a cell stands under no column.", "有一格没有列名。"))
    for index, (name, order) in columns.items():
        value = values[index] if index < len(values) else ""
        length = PLAYER_LENGTH if order is not None else _LENGTHS.get(name, EXTERNAL_ID_LENGTH)
        try:
            text = clean_line(value, max_length=length)
        except TextProblem as problem:
            problems.append(_problem(number, problem.code, problem.message["en"], problem.message["zh"], name))
            continue
        if order is None:
            facts[name] = text
        elif text:
            people.setdefault(order, {})[name] = text
    entrant_number = _whole_number(facts.get("number", ""))
    if entrant_number is False:
        problems.append(
            _problem(number, "bad_number", "the number must be from 1 to 9999.", "号码要是 1 到 9999 的整数。")
        )
    seed = _whole_number(facts.get("seed", ""))
    if seed is False:
        problems.append(_problem(number, "bad_seed", "the seed must be from 1 to 9999.", "种子要是 1 到 9999 的整数。"))
    if any(not person.get("name") for person in people.values()):
        problems.append(_problem(number, "player_without_name", "a player has no name.", "有选手没有姓名。"))
    players = tuple(PlayerRow(**people[order]) for order in sorted(people) if people[order].get("name"))
    name = facts.get("name") or " / ".join(player.name for player in players)[:NAME_LENGTH]
    if not name:
        problems.append(_problem(number, "empty", "a name is needed.", "缺少名称。", "name"))
    if problems:
        return None, problems
    row = EntrantRow(
        row=number,
        name=name,
        players=players,
        external_id=facts.get("external_id") or None,
        number=entrant_number or None,
        name_latin=facts.get("name_latin", ""),
        unit=facts.get("unit", ""),
        category=facts.get("category", ""),
        seed=seed or None,
    )
    return row, []


def _whole_number(text: str) -> int | bool | None:
    """None when empty, False when it is not one."""
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) == 0:
        return False
    return int(text)


def dry_run(tournament: Tournament, rows: Iterable[EntrantRow], problems: Iterable[RowProblem] = ()) -> ImportPlan:
    """What importing `rows` into the tournament would do. Reads only.

    A row updates the entrant with its external id; without one it is new. A number in the file is kept; a changed
    entrant keeps its own number unless the file states another.
    """
    rows = list(rows)
    found = list(problems)
    entrants = list(tournament.entrants.prefetch_related("players").order_by("number"))
    by_external_id = {entrant.external_id: entrant for entrant in entrants if entrant.external_id}
    updated = {row.external_id for row in rows if row.external_id in by_external_id}
    kept = [entrant for entrant in entrants if entrant.external_id not in updated or entrant.external_id is None]
    found += _clashes(rows, kept, by_external_id)
    new: list[EntrantRow] = []
    changed: list[Change] = []
    same: list[EntrantRow] = []
    for row in rows:
        entrant = by_external_id.get(row.external_id) if row.external_id else None
        if entrant is None:
            new.append(row)
            continue
        fields = differing_fields(entrant, row)
        if fields:
            changed.append(Change(entrant.pk, row, fields))
        else:
            same.append(row)
    found.sort(key=lambda problem: (problem.row or 0, problem.code))
    digest = _plan_digest(tournament, new, changed, same)
    return ImportPlan(tuple(new), tuple(changed), tuple(same), tuple(found), digest)


def _clashes(
    rows: Sequence[EntrantRow], kept: Sequence[Entrant], by_external_id: Mapping[str, Entrant]
) -> list[RowProblem]:
    """Numbers, ids, names and players that would stand twice after the import."""
    problems: list[RowProblem] = []
    numbers = {entrant.number: entrant.name for entrant in kept}
    names = {same_reading(entrant.name) for entrant in kept}
    seeds = {entrant.seed for entrant in kept if entrant.seed}
    people: dict[tuple[str, ...], str] = {}
    for entrant in kept:
        for player in entrant.players.all():
            people[person_key(player.name, player.external_id, entrant.unit)] = str(entrant.number)
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
        key = same_reading(row.name)
        if key in names:
            problems.append(
                _problem(row.row, "name_taken", f"{row.name} is already entered.", f"{row.name} 已经报名。", "name")
            )
        names.add(key)
        for played_by in row.players:
            person = person_key(played_by.name, played_by.external_id, row.unit)
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
    tournament: Tournament, new: Sequence[EntrantRow], changed: Sequence[Change], same: Sequence[EntrantRow]
) -> str:
    def plain(row: EntrantRow) -> list[Any]:
        players = [[player.name, player.name_latin, player.external_id] for player in row.players]
        facts = [row.name, row.name_latin, row.unit, row.category, row.seed]
        return [row.row, row.external_id, row.number, *facts, players]

    old = {"new": [plain(row) for row in new], "same": [plain(row) for row in same], "tournament": tournament.pk}
    old["changed"] = [[change.entrant_id, sorted(change.fields), plain(change.row)] for change in changed]
    return digest_of(old)


def entrants_table(tournament: Tournament) -> list[list[object]]:
    """The entrants as a table that `read_table` reads back."""
    entrants = list(tournament.entrants.prefetch_related("players").order_by("number"))
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
