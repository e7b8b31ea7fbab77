"""What the columns of a list of entrants hold, guessed from their heads as clubs and schools write them.

A guess is only a proposal: the page shows it and lets it be changed. A head that nobody knows is not taken over.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..acts.text import same_reading

MAX_PLAYERS = 12
#: What a column may hold beside players; "players" is all of them in one cell.
FIELDS: Final = ("number", "name", "name_latin", "unit", "category", "seed", "external_id", "players")
#: Of one player: his name has no ending.
PLAYER_PARTS: Final[Mapping[str, str]] = {"": "name", "_latin": "name_latin", "_id": "external_id"}
PLAYER_FIELD: Final = re.compile(r"player([1-9]|1[0-2])(_latin|_id)?")

#: The first line of the columns is looked for among so many lines.
SEARCHED: Final = 25

_KNOWN: Final[Mapping[str, frozenset[str]]] = {
    field: frozenset(words.split())
    for field, words in {
        "external_id": "externalid id 外部编号 报名编号 报名号 registration registrationno registrationid",
        "number": "number no no. nr nr. # 序号 编号 号码 号 参赛号 参赛号码 参赛编号 参赛序号 队号 对号 "
        "xuhao bianhao pairno pair# pairnumber",
        "name": "name entrant team teamname pair pairname 名称 参赛方 队名 队伍 队伍名称 参赛队 参赛队伍 "
        "组合 组合名称 对名 duiming",
        "name_latin": "namelatin latinname latin 拉丁名 拼音 英文名 pinyin englishname",
        "unit": "unit club organisation organization school company affiliation 单位 代表单位 所在单位 所属单位 "
        "参赛单位 工作单位 单位名称 代表队 俱乐部 所属俱乐部 学校 公司 协会 danwei",
        "category": "category division class 组别 类别 参赛组别 zubie",
        "seed": "seed seeding 种子 种子号 种子序号 种子排位 zhongzi",
        "players": "players members 选手名单 队员名单 参赛队员 成员 全部选手",
        "player": "player playername fullname 姓名 名字 选手 队员 参赛选手 参赛者 运动员 选手姓名 "
        "队员姓名 参赛人员 xingming xuanshou duiyuan",
        "partner": "partner partnername 搭档 搭档姓名 同伴 拍档 搭子 搭挡 dadang",
    }.items()
}  # fmt: skip
#: Where lines are only counted, such a head may stand over what is no number of an entrant.
_LOOSE_NUMBERS: Final = _KNOWN["number"] - {"number"}
_FIGURES: Final = {
    sign: number for signs in ("一二三四五六七八九", "甲乙丙丁", "abcdef") for number, sign in enumerate(signs, start=1)
}
_NUMBERED: Final = re.compile(
    r"第?(?:player|name|选手|队员|运动员|参赛选手|参赛者|姓名|成员|xuanshou|duiyuan|xingming)"
    r"([1-9][0-9]?|[一二三四五六七八九甲乙丙丁a-f])(?:号)?(姓名|名字|name|latin|拉丁名|拼音|英文名|id|编号)?"
)
_NUMBERED_BEFORE: Final = re.compile(
    r"第?([1-9]|[一二三四五六七八九])号?(?:名|位)?(?:选手|队员|运动员|player)(?:姓名|name)?"
)
_PART: Final = {"latin": "_latin", "拉丁名": "_latin", "拼音": "_latin", "英文名": "_latin", "id": "_id", "编号": "_id"}
#: How a line begins that only counts.
TOTAL_LINE: Final = re.compile(
    r"(合\s*计|总\s*计|共\s*计|小\s*计|总数|总人数|人数|以上共|共\s*[0-9]+|(sub)?total\b|sum\b)", re.IGNORECASE
)
#: Several players in one cell.
BETWEEN_PLAYERS: Final = re.compile(r"\s*[/、，,&+;；|\n／＋＆]\s*")


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is to be read: the line of the heads (from 1; None: there is none), and the field of each column.

    A column without a field is not taken over.
    """

    head: int | None
    fields: tuple[str, ...]

    @property
    def first(self) -> int:
        """The first line that may hold an entrant."""
        return (self.head or 0) + 1


def is_field(text: str) -> bool:
    return text in FIELDS or PLAYER_FIELD.fullmatch(text) is not None


def guess(cells: Sequence[Sequence[str]], taken: Collection[int] = (), head: int | None = None) -> Layout:
    """How the table is most likely meant. `taken`: numbers of entrants that are there already; `head`: the line of the
    heads where somebody says which it is, 0 for none."""
    width = max((len(row) for row in cells), default=0)
    best, known = head, 0
    for line, row in enumerate(cells[:SEARCHED] if head is None else (), start=1):
        fields = _of_heads(row)
        count = sum(1 for field in fields if field)
        count += any(_names(field) for field in fields)
        # of two lines of heads the lower one says more
        if count > known or (count == known and best == line - 1):
            best, known = line, count
    if not best:
        return Layout(None, _of_contents(_entries(cells), width))
    fields = [*_of_heads(cells[best - 1]), *[""] * width][:width]
    heads = [*(_key(head) for head in cells[best - 1]), *[""] * width]
    body = _entries(cells[best:])
    for column, field in enumerate(fields):
        if field == "number" and heads[column] in _LOOSE_NUMBERS and not _numbers_entrants(body, column, taken):
            fields[column] = ""
        if field == "player1" and "player2" not in fields and _many_in_a_cell(body, column):
            fields[column] = "players"
    return Layout(best, tuple(fields))


def _key(head: str) -> str:
    """A head without what only decorates it: spaces, stars, what stands in brackets."""
    text = re.sub(r"[(\[【].*?[)\]】]", "", same_reading(head))
    return re.sub(r"[\s_*:：\-、]", "", text)


def _of_heads(heads: Sequence[str]) -> list[str]:
    """The field of each head; the same head again stands for the next player, any other for nothing."""
    keys = [_key(head) for head in heads]
    latins = sum(key in _KNOWN["name_latin"] for key in keys)
    stated = {found for found in map(_numbered, keys) if found}
    partnered = any(key in _KNOWN["partner"] for key in keys) or "player2" in stated
    fields: list[str] = []
    last = 0
    for key in keys:
        field = _numbered(key) or next((name for name, words in _KNOWN.items() if key and key in words), "")
        if field == "name" and partnered and "player1" not in stated and key in ("name", "名称"):
            field = "player"
        if field in ("player", "partner"):
            last = next(
                number
                for number in range(2 if field == "partner" else 1, 99)
                if f"player{number}" not in fields and f"player{number}" not in stated
            )
            field = f"player{last}" if last <= MAX_PLAYERS else ""
        elif field == "name_latin" and last and latins > 1:
            field = f"player{last}_latin"
        elif match := PLAYER_FIELD.fullmatch(field):
            last = int(match[1])
        fields.append("" if field in fields else field)
    return fields


def _numbered(key: str) -> str:
    """The field of a head that says which player it is of; empty for any other."""
    if found := _NUMBERED.fullmatch(key):
        number, part = found[1], _PART.get(found[2] or "", "")
    elif found := _NUMBERED_BEFORE.fullmatch(key):
        number, part = found[1], ""
    else:
        return ""
    order = int(number) if number.isdecimal() else _FIGURES[number]
    return f"player{order}{part}" if order <= MAX_PLAYERS else ""


def _names(field: str) -> bool:
    """Whether a field names who plays."""
    return field in ("name", "players") or (PLAYER_FIELD.fullmatch(field) is not None and "_" not in field)


def names_somebody(fields: Collection[str]) -> bool:
    return any(map(_names, fields))


def _entries(rows: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """The lines that are most likely entrants: no totals, and no lines of one cell where others have more."""
    filled = [row for row in rows if any(row) and not TOTAL_LINE.match(next(filter(None, row)))]
    return [row for row in filled if sum(map(bool, row)) > 1] or filled


def _filled(rows: Sequence[Sequence[str]], column: int) -> list[str]:
    return [row[column] for row in rows if column < len(row) and row[column]]


def _numbers_entrants(rows: Sequence[Sequence[str]], column: int, taken: Collection[int]) -> bool:
    """Whether a column of numbers can be the entrants' own: nearly all are numbers, none is taken."""
    filled = _filled(rows, column)
    numbers = _numbers(filled)
    return len(numbers) * 5 >= len(filled) * 3 and not set(numbers) & set(taken)


def _many_in_a_cell(rows: Sequence[Sequence[str]], column: int) -> bool:
    filled = _filled(rows, column)
    return sum(1 for cell in filled if BETWEEN_PLAYERS.search(cell)) * 2 > len(filled)


def _of_contents(cells: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    """The fields of a table without heads: small numbers first, then names, then the unit. Most lines have names: what
    stands in a few is a remark; and names stay names where a telephone has slipped among them."""
    fields: list[str] = []
    wanted = ["player1", "player2", "unit"]
    for column in range(width):
        filled = _filled(cells, column)
        numbers = _numbers(filled)
        field = ""
        if filled and len(numbers) * 5 >= len(filled) * 4:
            field = "number" if "number" not in fields and len(set(numbers)) == len(numbers) else ""
        elif filled and wanted and _can_be(wanted[0], filled, len(cells)):
            field = wanted.pop(0)
            if field == "player1" and _many_in_a_cell(cells, column):
                field = "players"
                wanted = ["unit"]
        fields.append(field)
    return tuple(fields)


def _can_be(field: str, filled: Sequence[str], lines: int) -> bool:
    telephones = sum(1 for cell in filled if re.search(r"\d{5}", cell))
    most = len(filled) * 2 >= lines
    if field == "unit":  # a few Latin words alone are how to reach somebody
        return not telephones and (most or any(re.search(r"[\u4e00-\u9fff]", cell) for cell in filled))
    return most and telephones * 2 < len(filled)


def _numbers(texts: Iterable[str]) -> list[int]:
    return [number for number in map(whole_number, texts) if number]


def whole_number(text: str) -> int | bool | None:
    """A number from 1 to 9999 as lists write it (7, ０７, 7号, No. 7); None when empty, False when it is none."""
    if not text:
        return None
    plain = unicodedata.normalize("NFKC", text).casefold().strip()
    found = re.fullmatch(r"(?:no\.?|nr\.?|#|第)?\s*([0-9]{1,4})(?:\.0+)?\s*(?:号|对|队|桌|[.、)])?", plain, re.ASCII)
    return False if not found or int(found[1]) == 0 else int(found[1])
