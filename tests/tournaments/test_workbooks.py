"""XLSX files that are made to be too much are given up early: what was unpacked and counted by then is bounded."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest

from tournaments.people.workbooks import MAX_CELLS, MAX_UNPACKED, PIECE, Meter, TableProblem, workbook_rows

SHEET = "xl/worksheets/sheet1.xml"
TEXTS = "xl/sharedStrings.xml"
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
BOOK = f'<workbook {MAIN} xmlns:r="{RELATION}"><sheets><sheet name="1" sheetId="1" r:id="a"/></sheets></workbook>'
LINKS = (
    f'<Relationships><Relationship Id="a" Type="{RELATION}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
)
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


def packed(parts: dict[str, str | bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    usual = {"xl/workbook.xml": BOOK, "xl/_rels/workbook.xml.rels": LINKS, SHEET: sheet("")}
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, text in {**usual, **parts}.items():
            archive.writestr(name, text)
    return out.getvalue()


def sheet(rows: str) -> str:
    return f"<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>"


def texts(inside: str) -> str:
    return f"<sst {MAIN}>{inside}</sst>"


HOSTILE: dict[str, Callable[[], bytes]] = {
    "four million empty cells": lambda: packed({SHEET: sheet("<row>" + "<c/>" * 4_000_000 + "</row>")}),
    "cells in as many rows": lambda: packed({SHEET: sheet("<row><c><v>1</v></c></row>" * 150_000)}),
    "very many shared texts": lambda: packed({TEXTS: texts("<si/>" * 500_000)}),
    "one text of very many pieces": lambda: packed({TEXTS: texts("<si>" + "<r><t>a</t></r>" * 300_000 + "</si>")}),
    "a sheet of spaces": lambda: packed({SHEET: sheet(" " * 20_000_000)}),
    "texts of spaces": lambda: packed({TEXTS: texts(" " * 20_000_000)}),
    "a workbook of sheets": lambda: packed({"xl/workbook.xml": BOOK.replace("<sheets>", "<a/>" * 500_000)}),
    "links without end": lambda: packed({"xl/_rels/workbook.xml.rels": "<R>" + "<a/>" * 500_000 + "</R>"}),
    "nested without end": lambda: packed({TEXTS: texts("<t>" * 500_000)}),
    "one attribute of megabytes": lambda: packed({SHEET: sheet(f'<row r="{"9" * 3_000_000}"/>')}),
    "entities in the sheet": lambda: packed({SHEET: LAUGHS + sheet("<row><c><v>&b;</v></c></row>")}),
    "entities in the texts": lambda: packed({TEXTS: LAUGHS + texts("<si><t>&b;</t></si>")}),
    "entities in another encoding": lambda: packed({SHEET: (LAUGHS + sheet("")).encode("utf-16")}),
    "packed in another way": lambda: packed({SHEET: sheet(" " * 900_000)}, method=zipfile.ZIP_BZIP2),
    "too many parts": lambda: packed({f"xl/a{number}": b"" for number in range(1_001)}),
    "a row far below": lambda: packed({SHEET: sheet('<row r="1048576"><c r="A1048576"><v>1</v></c></row>')}),
    "a column far out": lambda: packed({SHEET: sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>')}),
    "a text that is not there": lambda: packed({SHEET: sheet('<row><c t="s"><v>99</v></c></row>')}),
    "no sheet": lambda: packed({"xl/workbook.xml": f"<workbook {MAIN}/>"}),
    "a sheet outside": lambda: packed({"xl/_rels/workbook.xml.rels": LINKS.replace("worksheets/", "../../../etc/")}),
    "cut off": lambda: packed({})[:-40],
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_too_much_is_given_up_early(name: str) -> None:
    meter = Meter()
    with pytest.raises(TableProblem) as refused:
        workbook_rows(HOSTILE[name](), meter)
    assert meter.unpacked <= MAX_UNPACKED + PIECE
    assert meter.cells <= MAX_CELLS + 1
    assert all(refused.value.message.values())


def test_styles_and_drawings_are_never_opened() -> None:
    meter = Meter()
    rows = sheet('<row r="2"><c r="B2" t="inlineStr"><is><t>a</t></is></c></row>')
    bomb = {"xl/styles.xml": "<x>" * 9_000_000, "xl/theme/theme1.xml": LAUGHS, "docProps/app.xml": b"\xff"}
    assert workbook_rows(packed({SHEET: rows, **bomb}), meter) == [[], ["", "a"]]
    assert meter.unpacked < 2_000


@pytest.mark.long
def test_what_spreadsheets_write_is_read() -> None:
    shared = "<si><t>金鑫</t><rPh sb='0' eb='1'><t>jin</t></rPh></si><si><r><t>石</t></r><r><t>磊</t></r></si>"
    rows = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" s="4"/></row>'
        '<row r="3"><c r="A3"><v>2.0</v></c><c r="B3"><f>1+1</f><v>2</v></c><c r="C3"><v>1.38E10</v></c></row>'
        '<row r="4"><c r="B4" t="str"><f>A1</f><v>x</v></c><c t="b"><v>1</v></c></row><row r="1048576" ht="9"/>'
    )
    merged = sheet(rows).replace("</sheetData>", '</sheetData><mergeCells><mergeCell ref="A3:A4"/></mergeCells>')
    assert workbook_rows(packed({SHEET: merged, TEXTS: texts(shared)})) == [
        ["金鑫", "石磊"],
        [],
        ["2", "2", "13800000000"],
        ["2", "x", "1"],
    ]
