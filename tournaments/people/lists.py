"""A list of entrants as people have it: title and total lines, blanks and full-width signs, one or two lines a pair.

`read_list` makes rows of it by a layout (see heads) and says of every line what became of it. What is wrong is told
by line, all of it at once; what was only put right is counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..acts.text import TextProblem, clean_line
from .heads import (
    BETWEEN_PLAYERS,
    MAX_PLAYERS,
    PLAYER_FIELD,
    PLAYER_PARTS,
    TOTAL_LINE,
    Layout,
    guess,
    is_field,
    names_somebody,
    whole_number,
)
from .spreadsheets import TableProblem, read_cells

NAME_LENGTH = 80
PLAYER_LENGTH = 60
EXTERNAL_ID_LENGTH = 64
CATEGORY_LENGTH = 40
_LENGTHS = {
    "name": NAME_LENGTH,
    "name_latin": NAME_LENGTH,
    "unit": NAME_LENGTH,
    "category": CATEGORY_LENGTH,
}

#: What a line can be that brings no entrant.
TITLE, HEADS, BLANK, TOTAL, NOTE, LEFT_OUT = "title", "heads", "blank", "total", "note", "left_out"

_NOTE = re.compile(r"[^:：]{1,12}[:：]|注意|说明|备注|note\b|remarks?\b", re.I)
_UNSEEN = re.compile("[\u200b\ufeff\u00ad]")
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: " ", 0xA0: " "}
#: A telephone, whatever stands between its figures: published as a name it could not be taken back.
_TELEPHONE = re.compile(r"[+(]?\d(?:[ ()-]{0,2}\d){6,}")
_SPACED_NAME = re.compile(r"[\u3400-\u9fff]( +[\u3400-\u9fff]){1,3}")


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
class Reading:
    """A list as read: its rows, all problems, what each other line is, and what was put right.

    `lonely` are lines with one player where the others have more; `not_taken` the heads that are not taken over.
    """

    layout: Layout
    rows: tuple[EntrantRow, ...] = ()
    problems: tuple[RowProblem, ...] = ()
    skipped: Mapping[int, str] = field(default_factory=dict)
    lonely: tuple[int, ...] = ()
    not_taken: tuple[str, ...] = ()
    put_right: int = 0


def read_table(
    data: bytes, name: str, *, encoding: str | None = None, fields: Sequence[str] | None = None
) -> tuple[list[EntrantRow], list[RowProblem]]:
    """The rows of a CSV or XLSX file and every problem found in them, with row numbers. See `read_file`."""
    found = read_file(data, name, encoding=encoding, fields=fields)
    return list(found.rows), list(found.problems)


def read_file(
    data: bytes,
    name: str,
    *,
    encoding: str | None = None,
    fields: Sequence[str] | None = None,
    taken: Collection[int] = (),
) -> Reading:
    """A file of entrants as read. `fields` says what the columns hold, in order; else their heads are guessed."""
    try:
        cells = read_cells(data, name, encoding=encoding)
    except TableProblem as problem:
        refused = RowProblem(problem.row, problem.code, problem.message)
        return Reading(Layout(None, ()), problems=(refused,))
    layout = guess(cells, taken)
    if fields is not None:
        layout = replace(layout, fields=tuple(fields))
    return read_list(cells, layout)


def row_problem(row: int | None, code: str, en: str, zh: str, field: str = "") -> RowProblem:
    if row is not None:
        en, zh = f"Row {row}: {en}", f"第 {row} 行：{zh}"
    return RowProblem(row, code, {"en": en, "zh": zh}, field)


def read_list(cells: Sequence[Sequence[str]], layout: Layout, left_out: Collection[int] = ()) -> Reading:
    """The rows of a table by a layout; lines in `left_out` are not read."""
    if found := _misfit(cells, layout):
        return Reading(layout, problems=(found,), not_taken=_not_taken(cells, layout))
    skipped = {line: kind for line, kind in _skipped(cells, layout) if kind}
    skipped |= dict.fromkeys(left_out, LEFT_OUT)
    heads = cells[layout.head - 1] if layout.head else ()
    lines: list[_Line] = []
    problems: list[RowProblem] = []
    put_right = 0
    for number, values in enumerate(cells, start=1):
        if number in skipped:
            continue
        if values == heads:  # a head repeated on every printed page
            skipped[number] = HEADS
            continue
        line = _Line(number)
        problems += line.read(layout, values)
        if not line.problems and line.says_nothing:
            skipped[number] = BLANK
            continue
        put_right += line.put_right
        lines.append(line)
    rows: list[EntrantRow] = []
    for line in _of_one_entrant(lines):
        row = line.entrant()
        if isinstance(row, RowProblem):
            problems.append(row)
        elif row is not None:
            rows.append(row)
    if not rows and not problems:
        problems.append(row_problem(None, "no_rows", "The file holds no entrants.", "文件里没有参赛方。"))
    usual = Counter(len(row.players) for row in rows).most_common(1)
    lonely = tuple(row.row for row in rows if usual and len(row.players) == 1 < usual[0][0])
    return Reading(layout, tuple(rows), tuple(problems), skipped, lonely, _not_taken(cells, layout), put_right)


def _misfit(cells: Sequence[Sequence[str]], layout: Layout) -> RowProblem | None:
    """Why nothing can be read by this layout."""
    fields = [one for one in layout.fields if one]
    twice = next((one for one, count in Counter(fields).items() if count > 1 or not is_field(one)), None)
    if not any(map(any, cells)):
        return row_problem(None, "no_rows", "The file holds no entrants.", "文件里没有参赛方。")
    if twice is not None:
        en, zh = f"Two columns are taken for the same: {twice}.", f"有两列都当作同一项：{twice}。"
        return RowProblem(None, "column_twice", {"en": en, "zh": zh}, twice)
    if not names_somebody(fields):
        en = "Say which column holds the names: no head of a column says so."
        return RowProblem(layout.head or 1, "no_name_column", {"en": en, "zh": "看不出哪一列是姓名，请选一下。"})
    return None


def _not_taken(cells: Sequence[Sequence[str]], layout: Layout) -> tuple[str, ...]:
    """The heads of all columns that hold something and are not taken over; a column without a head by its letter."""
    heads = cells[layout.head - 1] if layout.head and layout.head <= len(cells) else ()
    filled = {at for row in cells[layout.first - 1 :] for at, value in enumerate(row) if value}
    return tuple(
        head_of(heads, at)
        for at, name in enumerate(layout.fields)
        if not name and (at in filled or (at < len(heads) and heads[at]))
    )


def head_of(heads: Sequence[str], at: int) -> str:
    """The head of a column as people name it: what stands there, else its letter."""
    if at < len(heads) and heads[at]:
        return heads[at]
    return ("" if at < 26 else chr(64 + at // 26)) + chr(65 + at % 26)


def _skipped(cells: Sequence[Sequence[str]], layout: Layout) -> Iterator[tuple[int, str]]:
    """Lines that hold no entrant, and what they are; an empty word for the others."""
    naming = [at for at, name in enumerate(layout.fields) if names_somebody((name,))]
    begun = layout.head is not None or sum(map(bool, layout.fields)) == 1
    for number, values in enumerate(cells, start=1):
        filled = [at for at, value in enumerate(values) if value]
        first = values[filled[0]] if filled else ""
        if number < layout.first:
            yield number, HEADS if number == layout.head else TITLE if filled else BLANK
        elif not filled:
            yield number, BLANK
        elif not begun and len(filled) == 1:
            yield number, TITLE
        elif TOTAL_LINE.match(first):
            yield number, TOTAL
        elif len(filled) == 1 and filled[0] not in naming:
            yield number, BLANK if whole_number(first) else NOTE
        elif _NOTE.match(first):
            yield number, NOTE
        else:
            begun = True


class _Line:
    """A line of the list while it is read."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.facts: dict[str, str] = {}
        self.people: dict[int, dict[str, str]] = {}
        self.problems = False
        self.put_right = 0

    def read(self, layout: Layout, values: Sequence[str]) -> list[RowProblem]:
        problems: list[RowProblem] = []
        for at, name in enumerate(layout.fields):
            value = values[at] if at < len(values) else ""
            if not name or not value:
                continue
            try:
                self._take(name, value)
            except TextProblem as problem:
                problems.append(
                    row_problem(self.number, problem.code, problem.message["en"], problem.message["zh"], name)
                )
        for name, code in (("number", "bad_number"), ("seed", "bad_seed")):
            if whole_number(self.facts.get(name, "")) is False:
                word, zh = ("the seed", "种子") if name == "seed" else ("the number", "号码")
                en = f"{word} must be from 1 to 9999."
                problems.append(row_problem(self.number, code, en, f"{zh}要是 1 到 9999 的整数。", name))
        for order, person in self.people.items():
            if _TELEPHONE.fullmatch(person.get("name", "")):
                en, zh = "a telephone stands where a name should be.", "姓名处写的是电话号码。"
                problems.append(row_problem(self.number, "number_for_name", en, zh, f"player{order}"))
        self.problems = bool(problems)
        return problems

    def _take(self, name: str, value: str) -> None:
        tidied = tidy(value)
        if name == "players":
            names = [one for one in BETWEEN_PLAYERS.split(tidied) if one]
            for order, one in enumerate(names[: MAX_PLAYERS + 1], start=1):
                self.people.setdefault(order, {})["name"] = clean_line(one, max_length=PLAYER_LENGTH)
        elif match := PLAYER_FIELD.fullmatch(name):
            part = PLAYER_PARTS[match[2] or ""]
            length = EXTERNAL_ID_LENGTH if part == "external_id" else PLAYER_LENGTH
            self.people.setdefault(int(match[1]), {})[part] = clean_line(tidied, max_length=length)
        else:
            self.facts[name] = clean_line(tidied, max_length=_LENGTHS.get(name, EXTERNAL_ID_LENGTH))
        self.put_right += tidied != value

    @property
    def says_nothing(self) -> bool:
        """A line that was numbered beforehand and never filled in."""
        return not self.people and not set(self.facts) - {"number"}

    @property
    def key(self) -> tuple[str, str]:
        return self.facts.get("number", ""), self.facts.get("name", "")

    def joined(self, others: Sequence[_Line]) -> _Line:
        """This line with the players of the following ones."""
        for order, other in enumerate(others, start=2):
            self.people[order] = other.people.get(1, {})
            self.facts = {**other.facts, **self.facts}
        return self

    def entrant(self) -> EntrantRow | RowProblem | None:
        """The entrant of the line; a problem when it names nobody, None where a problem was told already."""
        if self.problems:
            return None
        people = [self.people[order] for order in sorted(self.people) if self.people[order]]
        if any(not person.get("name") for person in people):
            return row_problem(self.number, "player_without_name", "a player has no name.", "有选手没有姓名。")
        if len(people) > MAX_PLAYERS:
            return row_problem(self.number, "too_many_players", "too many players.", "选手太多。")
        players = tuple(PlayerRow(**person) for person in people)
        name = self.facts.get("name") or " / ".join(player.name for player in players)[:NAME_LENGTH]
        if not name:
            return row_problem(self.number, "empty", "a name is needed.", "缺少姓名。", "name")
        return EntrantRow(
            row=self.number,
            name=name,
            players=players,
            external_id=self.facts.get("external_id") or None,
            number=whole_number(self.facts.get("number", "")) or None,
            name_latin=self.facts.get("name_latin", ""),
            unit=self.facts.get("unit", ""),
            category=self.facts.get("category", ""),
            seed=whole_number(self.facts.get("seed", "")) or None,
        )


def _of_one_entrant(lines: Sequence[_Line]) -> list[_Line]:
    """Lists with a line for each player: lines that follow one another with the same number or team, or with none
    under one that has it, are one entrant. Only where most entrants of the list are written so."""
    if any(set(line.people) - {1} for line in lines) or not any(any(line.key) for line in lines):
        return list(lines)
    groups: list[list[_Line]] = []
    for line in lines:
        follows = groups and (line.key == groups[-1][0].key or not any(line.key)) and any(groups[-1][0].key)
        if follows:
            groups[-1].append(line)
        else:
            groups.append([line])
    many = sum(1 for group in groups if len(group) > 1)
    if many * 2 <= len(groups) or max(map(len, groups)) > MAX_PLAYERS:
        return list(lines)
    return [group[0].joined(group[1:]) for group in groups]


def tidy(text: str) -> str:
    """A cell without what typing leaves behind: full-width signs, spaces inside a name, unseen characters."""
    plain = _UNSEEN.sub("", text).translate(_WIDE).strip()
    return plain.replace(" ", "") if _SPACED_NAME.fullmatch(plain) else plain
