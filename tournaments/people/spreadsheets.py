"""Tables as files: text (CSV, or what is pasted from a spreadsheet) and XLSX, read with limits and written safely."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence

from openpyxl import Workbook

from ..acts.text import from_spreadsheet_cell, spreadsheet_cell
from .workbooks import MAX_COLUMNS, MAX_ROWS, TableProblem, too_large, workbook_rows

MAX_BYTES = 2 * 1024 * 1024
MAX_CELL = 200
#: Characters of one line of a text table: sixty full cells are fewer.
MAX_LINE = 20_000
ENCODINGS = {"utf-8": "utf-8-sig", "gb18030": "gb18030"}
#: The mark at the start of a text says how it is written; longer marks first.
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
#: A number and the sign after it that a chat puts before a line; then the same where one line lacks the sign.
_SIGNED_UP = re.compile(r"\s*\d{1,3}\s*[.\uff0e、)）:\uff1a](?!\d)\s*\S")
_NUMBERED = re.compile(r"\s*(\d{1,3})(?:\s*[.\uff0e、)）:\uff1a]|\s)\s*(\S.*)")
#: A line of a table in which somebody wrote other signs between the cells.
_OTHERWISE = re.compile(r"\s*(\d{1,3})\s*[.\uff0e、)）:\uff1a,\uff0c;\uff1b\s]\s*(\S.*)")
#: What people write between two names; a hyphen only with spaces around it or between Chinese ones, for it may stand in
#: a name.
_BETWEEN = re.compile(
    r"[/\uff0f、,\uff0c;\uff1b&\uff06+\uff0b|\uff5c\u2014]|\s[-\u2013]\s|(?<=[\u4e00-\u9fff])[-\u2013](?=[\u4e00-\u9fff])"
)
#: A telephone in three parts or with the country's number, as people write it; a Chinese name of two characters with a
#: space inside.
_TELEPHONE = re.compile(r"(?<!\d)(?:\+?86[ -]?)?(1\d\d)[ -]?(\d{4})[ -]?(\d{4})(?!\d)")
_PULLED_APART = re.compile(r"(?<![\u4e00-\u9fff])([\u4e00-\u9fff])\s+([\u4e00-\u9fff])(?![\u4e00-\u9fff])")
#: Whether the fee was paid, and the like: no part of the entry.
_PAID = re.compile("[已未](?:缴费|交费|付款|付|缴|交|到)")
_NUMBER = re.compile(r"\d{1,3}")
_ZIP_START = b"PK\x03\x04"


def read_cells(data: bytes, name: str, *, encoding: str | None = None) -> list[list[str]]:
    """All cells of the first sheet as text, rows in order (empty rows kept, so that row numbers hold).

    A text is in `encoding` ("utf-8" with or without a mark, "gb18030"); left out it is found out: by a mark, as UTF-8
    where it is that throughout, else as GB18030. Raises TableProblem above 2 MB, 5,000 rows, 60 columns or 200
    characters a cell; how much is unpacked and read before that is bounded too.
    """
    if len(data) > MAX_BYTES:
        raise too_large("file_too_large", "The file is larger than 2 MB.", "文件超过 2 MB。")
    if data.startswith(_ZIP_START) or name.lower().endswith(".xlsx"):
        rows: Iterable[list[str]] = workbook_rows(data)
    else:
        rows = _text_rows(_decoded(data, encoding))
    cells: list[list[str]] = []
    for number, row in enumerate(rows, start=1):
        if number > MAX_ROWS + 1:
            raise too_large("too_many_rows", "The file has more than 5000 rows.", "文件超过 5000 行。")
        if len(row) > MAX_COLUMNS:
            raise TableProblem(
                "too_many_columns", f"Row {number} has more than 60 columns.", f"第 {number} 行超过 60 列。", row=number
            )
        for cell in row:
            if len(cell) > MAX_CELL:
                raise TableProblem(
                    "cell_too_long",
                    f"Row {number}: a cell holds more than 200 characters.",
                    f"第 {number} 行：有一格超过 200 个字。",
                    row=number,
                )
        cells.append([from_spreadsheet_cell(cell.strip()) for cell in row])
    while cells and not any(cells[-1]):
        cells.pop()
    return cells


def _decoded(data: bytes, encoding: str | None) -> str:
    for text in _readings(data, encoding):
        if "\x00" in text:
            raise TableProblem("not_a_table", "The file is not a text table.", "这不是文本表格。")
        return text
    named = encoding or "UTF-8, GB18030"
    raise TableProblem(
        "wrong_encoding",
        f"The file is not in {named}. Save it again as UTF-8, or as XLSX.",
        f"文件不是 {named} 编码。请另存为 UTF-8 或 XLSX。",
    )


def _readings(data: bytes, encoding: str | None) -> Iterable[str]:
    """The text as each encoding that may be meant has it, the likeliest first."""
    if encoding is not None and encoding.lower() not in ENCODINGS:
        raise TableProblem(
            "unknown_encoding", "The encoding must be utf-8 or gb18030.", "编码只能是 utf-8 或 gb18030。"
        )
    marked = next((codec for mark, codec in _MARKS if data.startswith(mark)), None)
    codecs_ = [marked] if marked else list(ENCODINGS.values())
    for codec in [ENCODINGS[encoding.lower()]] if encoding else codecs_:
        try:
            yield data.decode(codec)
        except UnicodeDecodeError:
            continue


def _text_rows(text: str) -> Iterable[list[str]]:
    """The rows of a text; what stands between cells is what the lines have most of: tab, comma or semicolon."""
    lines = text.splitlines()
    if any(len(line) > MAX_LINE for line in lines):
        raise too_large("line_too_long", "A line of the file is too long for a table.", "文件里有一行太长，不是表格。")
    if _is_numbered(lines[:50]):
        yield from map(_numbered_row, lines)
        return
    separator = max("\t,;，；", key=lambda sign: sum(1 for line in lines[:50] if sign in line))
    if separator not in text and _is_spaced(lines[:50]):
        yield from (line.split() for line in lines)
        return
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    number, last = 0, 0
    while True:
        number += 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            raise TableProblem(
                "broken_quotes",
                f"Row {number}: a quotation mark is missing or misplaced.",
                f"第 {number} 行：引号缺失或位置不对。",
                row=number,
            ) from None
        while row and not row[-1].strip():
            row.pop()
        if len(row) == 1 and (otherwise := _written_otherwise(row[0], last + 1)):
            row = otherwise
        last = int(row[0]) if row and _NUMBER.fullmatch(row[0].strip()) else last
        yield row


def _written_otherwise(line: str, number: int) -> list[str]:
    """The cells of a line that has none of the table's signs between them; empty where it is not plainly the line that
    comes next: the next number and two names at least."""
    found = _OTHERWISE.match(line)
    if found is None or int(found[1]) != number:
        return []
    cells = _numbered_cells(found[1], found[2])
    return cells if len(cells) >= 3 else []


def _is_numbered(lines: Sequence[str]) -> bool:
    """Whether most lines begin with a number and a sign after it, as people sign up one after the other in a chat."""
    filled = [line for line in lines if line.strip()]
    signed = [line for line in filled if _SIGNED_UP.match(line)]
    return not any("\t" in line for line in filled) and len(signed) * 2 > len(filled)


def _numbered_row(line: str) -> list[str]:
    """The number, the names and what else was added to a line; a line without a number is one cell.

    Everybody parts the two names in a way of their own. Spaces part them too, where they are Chinese.
    """
    numbered = _NUMBERED.match(line)
    if numbered is None:
        return [line.strip()] if line.strip() else []
    return _numbered_cells(numbered[1], numbered[2])


def _numbered_cells(number: str, rest: str) -> list[str]:
    whole = _TELEPHONE.sub(r"\1\2\3", rest)
    cells = _parted(number, _PULLED_APART.sub(r"\1\2", whole))
    return cells if len(cells) >= 3 else _parted(number, whole)  # else the two were the names


def _parted(number: str, rest: str) -> list[str]:
    parts = (part.strip() for part in _BETWEEN.split(rest))
    cells = [cell for part in parts for cell in (part.split() if _CHINESE.search(part) else [part])]
    return [number, *(cell for cell in cells if cell and not _PAID.fullmatch(cell))]


def _is_spaced(lines: Sequence[str]) -> bool:
    """Whether spaces stand between the cells, as in a list written in a chat. Only Chinese names have none inside."""
    filled = [line for line in lines if line.strip()]
    spaced = [line for line in filled if len(line.split()) > 1 and _CHINESE.search(line)]
    return len(spaced) * 2 > len(filled)


def write_csv(rows: Iterable[Sequence[object]]) -> bytes:
    """UTF-8 with a mark (spreadsheets need it for Chinese), CRLF, cells that begin like a formula quoted."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    for row in rows:
        writer.writerow([spreadsheet_cell(cell) for cell in row])
    return out.getvalue().encode("utf-8-sig")


def write_xlsx(rows: Iterable[Sequence[object]], *, title: str) -> bytes:
    """One sheet; whole numbers stay numbers, everything else is text and never a formula."""
    book = Workbook(write_only=True)
    forbidden = str.maketrans("", "", "[]:*?/\\'")
    sheet = book.create_sheet(title.translate(forbidden)[:31] or "1")
    for row in rows:
        sheet.append([cell if isinstance(cell, int) else spreadsheet_cell(cell) for cell in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
