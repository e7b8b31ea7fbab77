"""The first sheet of an XLSX file as rows of text, read piece by piece and given up as soon as it is too much.

A small archive can unpack to gigabytes, a small sheet hold millions of cells, and XML can name things that grow. So
nothing is unpacked whole, every byte and every cell is counted while it is read, and a declaration of entities ends it.
What does not matter to a list (styles, drawings, formulas themselves) is never opened.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

MAX_ROWS = 5_000
MAX_COLUMNS = 60
#: Cells of the sheet and texts in its list of shared texts that are read at most; 5,000 rows of 20 columns.
MAX_CELLS = 100_000
#: Bytes of XML that are unpacked at most, in all parts together.
MAX_UNPACKED = 16 * 1024 * 1024
#: XML elements that are looked at in one part at most: a cell has three, a text in several fonts a dozen.
MAX_ELEMENTS = 400_000
#: Bytes of one tag at most; the parser goes over an unfinished one again with every piece.
MAX_TOKEN = 256 * 1024
#: Bytes that are unpacked at a time.
PIECE = 64 * 1024
MAX_PARTS = 1_000
MAX_MERGED = 2_000

_PLACE: Final = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_MERGED: Final = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6}):([A-Z]{1,3})([1-9][0-9]{0,6})")


class TableProblem(ValueError):
    """Why a file cannot be read as a table; `row` counts from 1 as a spreadsheet shows it, None for the file."""

    def __init__(self, code: str, en: str, zh: str, *, row: int | None = None, too_large: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.row = row
        self.too_large = too_large
        self.message = {"en": en, "zh": zh}


def too_large(code: str, en: str, zh: str) -> TableProblem:
    return TableProblem(code, en, zh, too_large=True)


def _not_a_table() -> TableProblem:
    return TableProblem("not_a_table", "The file is not a readable XLSX table.", "这不是能读的 XLSX 表格。")


@dataclass(slots=True)
class Meter:
    """How much of a file was read so far."""

    unpacked: int = 0
    cells: int = 0

    def add_bytes(self, count: int) -> None:
        self.unpacked += count
        if self.unpacked > MAX_UNPACKED:
            raise too_large("file_too_large", "The unpacked file is too large.", "文件解开后太大。")

    def add_cell(self) -> None:
        self.cells += 1
        if self.cells > MAX_CELLS:
            raise too_large(
                "too_many_cells",
                f"The table has more than {MAX_CELLS:,} cells. Delete the empty columns and rows.",
                f"表格超过 {MAX_CELLS:,} 格，请删掉空白的行和列。",
            )


Start = Callable[[str, Mapping[str, str]], None]
End = Callable[[str], None]


def workbook_rows(data: bytes, meter: Meter | None = None) -> list[list[str]]:
    """The rows of the first sheet, empty ones kept, without empty cells at their ends. `meter` tells what was read."""
    meter = meter or Meter()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.infolist()) > MAX_PARTS:
                raise too_large("file_too_large", "The unpacked file is too large.", "文件解开后太大。")
            sheet = _Sheet(meter, _shared_texts(archive, meter))
            _parse(archive, _first_sheet(archive, meter), meter, sheet.start, sheet.end, sheet.text)
    except TableProblem:
        raise
    except (zipfile.BadZipFile, expat.ExpatError, zlib.error, LookupError, EOFError, ValueError, NotImplementedError,
            RuntimeError, OSError):  # fmt: skip
        # the layers below raise what they like; for the sender each of them means the same
        raise _not_a_table() from None
    return sheet.table()


def _parse(
    archive: zipfile.ZipFile, part: str, meter: Meter, start: Start, end: End, text: Callable[[str], None]
) -> None:
    """Read a part piece by piece. Names of elements come without their namespace."""
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    elements = fed = 0

    def begin(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal elements
        elements += 1
        if elements > MAX_ELEMENTS:
            raise too_large("file_too_large", "The unpacked file is too large.", "文件解开后太大。")
        start(name.rpartition("}")[2], attributes)

    def declared(*_: object) -> None:
        raise TableProblem("not_a_table", "The file declares XML entities.", "文件里有 XML 实体声明。")

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda name: end(name.rpartition("}")[2])
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = declared
    parser.EntityDeclHandler = declared
    # only these are unpacked by measure; the others give back all that a piece holds
    if archive.getinfo(part).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _not_a_table()
    with archive.open(part) as stream:
        while piece := stream.read(PIECE):
            meter.add_bytes(len(piece))
            fed += len(piece)
            parser.Parse(piece, False)
            if fed - parser.CurrentByteIndex > MAX_TOKEN:
                raise _not_a_table()
    parser.Parse(b"", True)


def _attributes_of(archive: zipfile.ZipFile, part: str, element: str, meter: Meter) -> list[dict[str, str]]:
    """The attributes of every element of a name in a part, their names without a namespace."""
    found: list[dict[str, str]] = []

    def start(name: str, attributes: Mapping[str, str]) -> None:
        if name == element and len(found) < MAX_PARTS:
            found.append({key.rpartition("}")[2]: value for key, value in attributes.items()})

    _parse(archive, part, meter, start, lambda name: None, lambda text: None)
    return found


def _first_sheet(archive: zipfile.ZipFile, meter: Meter) -> str:
    """The part that holds the first sheet which can be seen."""
    sheets = _attributes_of(archive, "xl/workbook.xml", "sheet", meter)
    seen = [one for one in sheets if one.get("state", "visible") == "visible"] or sheets
    relations = _attributes_of(archive, "xl/_rels/workbook.xml.rels", "Relationship", meter)
    targets = {one["Id"]: one["Target"] for one in relations}
    # `id` is the relation; the sheet's own number is called sheetId
    return posixpath.normpath(posixpath.join("/xl", targets[seen[0]["id"]])).lstrip("/")


def _shared_texts(archive: zipfile.ZipFile, meter: Meter) -> list[str]:
    """The texts that cells name by their place in a list; readings of Chinese characters beside them are left out."""
    part = "xl/sharedStrings.xml"
    if part not in archive.namelist():
        return []
    texts: list[str] = []
    pieces: list[str] = []
    inside: list[str] = []

    def start(name: str, attributes: Mapping[str, str]) -> None:
        inside.append(name)
        if len(inside) > 50:
            raise _not_a_table()
        if name == "si":
            meter.add_cell()
            pieces.clear()

    def end(name: str) -> None:
        inside.pop()
        if name == "si":
            texts.append("".join(pieces))

    def text(piece: str) -> None:
        if inside[-1] == "t" and "rPh" not in inside:
            pieces.append(piece)

    _parse(archive, part, meter, start, end, text)
    # texts are counted beside cells, not with them: a cell that names one is counted when it is read
    meter.cells = 0
    return texts


@dataclass(slots=True)
class _Sheet:
    """A sheet while it is read: only cells that hold something are kept."""

    meter: Meter
    shared: list[str]
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merged: list[str] = field(default_factory=list)
    row: int = 0
    column: int = 0
    kind: str = ""
    formula: bool = False
    inside: str = ""
    phonetic: bool = False
    pieces: list[str] = field(default_factory=list)

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "row":
            stated = attributes.get("r", "")
            self.row = int(stated) if stated.isascii() and stated.isdecimal() and len(stated) < 8 else self.row + 1
            self.column = 0
        elif name == "c":
            self.meter.add_cell()
            self.column = _column(attributes.get("r")) or self.column + 1
            self.kind, self.formula = attributes.get("t", "n"), False
            self.pieces.clear()
        elif name == "f":
            self.formula = True
        elif name == "rPh":
            self.phonetic = True
        elif name == "mergeCell" and len(self.merged) < MAX_MERGED:
            self.merged.append(attributes.get("ref", ""))
        self.inside = name

    def text(self, piece: str) -> None:
        if self.inside == "v" or (self.inside == "t" and not self.phonetic):
            self.pieces.append(piece)

    def end(self, name: str) -> None:
        self.inside = ""
        if name == "rPh":
            self.phonetic = False
        elif name == "c":
            self._keep("".join(self.pieces))

    def _keep(self, value: str) -> None:
        if self.formula and not value:
            raise TableProblem(
                "formula",
                f"Row {self.row}: a cell holds a formula without its result. Save the table in a spreadsheet program.",
                f"第 {self.row} 行：有一格是公式，没有结果。请在表格软件里打开并保存一次。",
                row=self.row,
            )
        if self.kind == "s":
            value = self.shared[int(value)] if value else ""
        elif self.kind == "n":
            value = _plain_number(value)
        if not value.strip():
            return
        if self.row > MAX_ROWS + 1:
            raise too_large("too_many_rows", "The file has more than 5000 rows.", "文件超过 5000 行。")
        if self.column > MAX_COLUMNS:
            en, zh = f"Row {self.row} has more than 60 columns.", f"第 {self.row} 行超过 60 列。"
            raise TableProblem("too_many_columns", en, zh, row=self.row)
        self.rows.setdefault(self.row, {})[self.column] = value

    def table(self) -> list[list[str]]:
        self._fill_merged()
        return [
            [row.get(column, "") for column in range(1, max(row, default=0) + 1)]
            for row in (self.rows.get(number, {}) for number in range(1, max(self.rows, default=0) + 1))
        ]

    def _fill_merged(self) -> None:
        """A cell that spans several rows of a column stands in each of them: a unit written once for its pairs."""
        for found in filter(None, map(_MERGED.fullmatch, self.merged)):
            column, first, last = _letters(found[1]), int(found[2]), int(found[4])
            value = self.rows.get(first, {}).get(column)
            if value is None or found[1] != found[3] or last > MAX_ROWS + 1:
                continue
            for row in range(first + 1, last + 1):
                if row in self.rows:
                    self.rows[row].setdefault(column, value)


def _letters(letters: str) -> int:
    """A is 1, Z 26, AA 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _column(place: str | None) -> int:
    """The column of a place such as C7; 0 where none is stated."""
    found = _PLACE.fullmatch(place or "")
    return _letters(found[1]) if found else 0


def _plain_number(text: str) -> str:
    """A number as a person would write it: 12, not 12.0 or 1.2E1."""
    try:
        value = float(text)
    except ValueError:
        return text
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else text
