"""Tables as files: CSV (UTF-8, or GB18030 when declared) and XLSX, read with limits and written safely."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence

from openpyxl import Workbook, load_workbook

from .text import from_spreadsheet_cell, spreadsheet_cell

MAX_BYTES = 2 * 1024 * 1024
MAX_ROWS = 5_000
MAX_COLUMNS = 60
MAX_CELL = 200
MAX_UNPACKED = 30 * 1024 * 1024
ENCODINGS = {"utf-8": "utf-8-sig", "gb18030": "gb18030"}
_ZIP_START = b"PK\x03\x04"
_MARKUP_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY")


class TableProblem(ValueError):
    """Why a file cannot be read as a table; `row` counts from 1 as a spreadsheet shows it, None for the file."""

    def __init__(self, code: str, en: str, zh: str, *, row: int | None = None, too_large: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.row = row
        self.too_large = too_large
        self.message = {"en": en, "zh": zh}


def _too_large(code: str, en: str, zh: str) -> TableProblem:
    return TableProblem(code, en, zh, too_large=True)


def _not_a_table() -> TableProblem:
    return TableProblem("not_a_table", "The file is not a readable XLSX table.", "这不是能读的 XLSX 表格。")


def read_cells(data: bytes, name: str, *, encoding: str = "utf-8") -> list[list[str]]:
    """All cells of the first sheet as text, rows in order (empty rows kept, so that row numbers hold).

    `encoding` is declared by who sends the file ("utf-8" with or without a mark, "gb18030"); it is never guessed.
    Raises TableProblem above 2 MB, 5,000 rows, 60 columns or 200 characters a cell, and for formulas.
    """
    if len(data) > MAX_BYTES:
        raise _too_large("file_too_large", "The file is larger than 2 MB.", "文件超过 2 MB。")
    if data.startswith(_ZIP_START) or name.lower().endswith(".xlsx"):
        rows = _xlsx_rows(data)
    else:
        rows = _csv_rows(data, encoding)
    cells: list[list[str]] = []
    for number, row in enumerate(rows, start=1):
        if number > MAX_ROWS + 1:
            raise _too_large("too_many_rows", "The file has more than 5000 rows.", "文件超过 5000 行。")
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


def _csv_rows(data: bytes, encoding: str) -> Iterable[list[str]]:
    codec = ENCODINGS.get(encoding.lower())
    if codec is None:
        raise TableProblem(
            "unknown_encoding", "The encoding must be utf-8 or gb18030.", "编码只能是 utf-8 或 gb18030。"
        )
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        raise TableProblem(
            "wrong_encoding",
            f"The file is not {encoding}. Declare the other encoding, or save it as UTF-8.",
            f"文件不是 {encoding} 编码。请选另一种编码，或另存为 UTF-8。",
        ) from None
    if "\x00" in text:
        raise TableProblem("not_a_table", "The file is not a text table.", "这不是文本表格。")
    first_line = text.split("\n", 1)[0]
    separator = max(",;\t", key=first_line.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    number = 0
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
        yield row


def _xlsx_rows(data: bytes) -> Iterable[list[str]]:
    _check_archive(data)
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
        sheet = book.worksheets[0]
        for number, row in enumerate(sheet.iter_rows(max_col=MAX_COLUMNS + 1), start=1):
            if number > MAX_ROWS + 2:
                break
            yield _without_tail([_cell_text(cell, number) for cell in row])
    except TableProblem:
        raise
    except Exception:
        # openpyxl raises whatever its XML or zip layer raised; for the sender every one of them means the same
        raise _not_a_table() from None


def _check_archive(data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > 1_000 or sum(part.file_size for part in parts) > MAX_UNPACKED:
                raise _too_large("file_too_large", "The unpacked file is too large.", "文件解开后太大。")
            for part in parts:
                if part.filename.endswith((".xml", ".rels")):
                    with archive.open(part) as stream:
                        start = stream.read(4_096)
                    if any(mark in start for mark in _MARKUP_DECLARATIONS):
                        raise TableProblem("not_a_table", "The file declares XML entities.", "文件里有 XML 实体声明。")
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError) as error:
        if isinstance(error, TableProblem):
            raise
        raise _not_a_table() from None


def _cell_text(cell: object, number: int) -> str:
    value = getattr(cell, "value", None)
    if getattr(cell, "data_type", "") == "f" or type(value).__name__ in {"ArrayFormula", "DataTableFormula"}:
        raise TableProblem(
            "formula",
            f"Row {number}: a cell holds a formula. Save the table with values only.",
            f"第 {number} 行：有一格是公式。请只保存数值。",
            row=number,
        )
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _without_tail(row: list[str]) -> list[str]:
    while row and not row[-1]:
        row.pop()
    return row


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
