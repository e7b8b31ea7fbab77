"""Lists of entrants as people have them: what is read of each, and what is guessed from heads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tournaments.people.heads import guess, whole_number
from tournaments.people.lists import read_file, tidy
from tournaments.people.spreadsheets import read_cells

CASES = Path(__file__).parent.parent / "cases" / "imports"
COLUMNS = ("row", "number", "name", "players", "unit", "category", "seed", "external_id")
LISTS = json.loads((CASES / "cases.json").read_text("utf-8"))


@pytest.mark.parametrize("name", LISTS)
def test_a_list_as_it_comes_is_read_whole(name: str) -> None:
    found = read_file((CASES / name).read_bytes(), name)
    assert not found.problems
    rows = [[getattr(row, name) for name in COLUMNS] for row in found.rows]
    for row in rows:
        row[3] = [one.name for one in row[3]]
    assert {
        "rows": rows,
        "skipped": {str(line): kind for line, kind in sorted(found.skipped.items())},
        "lonely": list(found.lonely),
        "not_taken": list(found.not_taken),
    } == LISTS[name]


def test_every_list_is_a_case() -> None:
    files = {path.name for path in CASES.iterdir() if path.suffix in (".csv", ".txt", ".xlsx")}
    assert files == set(LISTS)
    assert len(files) == 14


@pytest.mark.parametrize(
    ("heads", "fields"),
    [
        (
            "external_id,number,name,name_latin,unit,category,seed",
            "external_id,number,name,name_latin,unit,category,seed",
        ),
        ("player1,player1_latin,player1_id,player2", "player1,player1_latin,player1_id,player2"),
        ("姓名,联系电话,姓名,联系电话", "player1,,player2,"),
        ("选手一姓名,选手二姓名,选手三,选手四", "player1,player2,player3,player4"),
        ("姓名*,拼音,搭档*,拼音", "player1,player1_latin,player2,player2_latin"),
        ("1号选手,2号选手,第3名队员", "player1,player2,player3"),
        ("选手甲,选手乙,备注", "player1,player2,"),
        ("Name,Partner,Club (if any)", "player1,player2,unit"),
        ("Name,Club", "name,unit"),
        ("Player 1,Player 2,School", "player1,player2,unit"),
        ("name 1,name 2", "player1,player2"),
        ("xuhao,xingming,dadang,danwei", "number,player1,player2,unit"),
        ("姓 名,所在单位（全称）,台号", "player1,unit,"),
        ("name,name", "name,"),
        ("unit,colour", "unit,"),
    ],
)
def test_heads_are_guessed(heads: str, fields: str) -> None:
    assert ",".join(guess([heads.split(","), ["1"] * 9]).fields[: heads.count(",") + 1]) == fields


def test_all_unknown_columns_are_named_at_once_and_stop_nothing() -> None:
    found = read_file("姓名,电话,饮食,单位,备注\n林晓,1,素,东区,无\n".encode(), "x.csv")
    assert (found.not_taken, found.problems) == (("电话", "饮食", "备注"), ())
    assert [row.unit for row in found.rows] == ["东区"]


def test_line_numbers_that_are_taken_are_not_taken_over() -> None:
    cells = [["序号", "姓名"], ["1", "林晓"], ["2", "周航"]]
    assert guess(cells).fields == ("number", "player1")
    assert guess(cells, taken={2, 9}).fields == ("", "player1")
    assert guess([["number", "name"], ["1", "林晓"]], taken={1}).fields == ("number", "name")


def test_a_stated_layout_beats_the_guess() -> None:
    data = "甲,乙\n林晓,周航\n".encode()
    assert read_file(data, "x.csv").problems == ()
    found = read_file("姓名,部门\n林晓,东区\n".encode(), "x.csv", fields=["player1", "unit"])
    assert [(row.name, row.unit) for row in found.rows] == [("林晓", "东区")]
    twice = read_file(data, "x.csv", fields=["player1", "player1"])
    assert [problem.code for problem in twice.problems] == ["column_twice"]
    nobody = read_file(data, "x.csv", fields=["unit", ""])
    assert [problem.code for problem in nobody.problems] == ["no_name_column"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("０７", 7), ("7号", 7), ("No. 7", 7), ("7.", 7), ("7、", 7), ("第7对", 7), ("", None), ("x", False),
     ("0", False), ("12345", False), ("7.5", False), ("²", 2), ("９" * 5_000, False)],
)  # fmt: skip
def test_numbers_as_lists_write_them(text: str, number: object) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    ("text", "tidied"),
    [
        ("林　晓", "林晓"),
        ("欧阳 修", "欧阳 修"),
        ("Ａｎｎ　Ｌｅｅ", "Ann Lee"),
        ("\ufeff王\u200b芳", "王芳"),
        ("１２", "12"),
    ],
)
def test_what_typing_leaves_behind_is_put_right(text: str, tidied: str) -> None:
    assert tidy(text) == tidied


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("3. 何川 宋雨 139 0000 0003", ["3", "何川", "宋雨", "13900000003"]),
        ("3. 何川/宋雨 139-0000-0003", ["3", "何川", "宋雨", "13900000003"]),
        ("3. 赵 敏 周芷若", ["3", "赵敏", "周芷若"]),
        ("3. 赵 敏/高\u3000峰", ["3", "赵敏", "高峰"]),
        ("3. 猫 狗", ["3", "猫", "狗"]),
        ("3. 何川—宋雨 +86 139 0000 0003", ["3", "何川", "宋雨", "13900000003"]),
        ("3. 何川-宋雨 +86-139-0000-0003", ["3", "何川", "宋雨", "13900000003"]),
        ("3. Ann Smith-Jones – Bob Lee", ["3", "Ann Smith-Jones", "Bob Lee"]),
    ],
)
def test_names_and_telephones_that_were_pulled_apart_are_one_cell(line: str, cells: list[str]) -> None:
    assert read_cells(line.encode(), "list.txt") == [cells]


def test_one_missing_number_joins_nobody() -> None:
    found = read_file("序号,姓名\n1,林晓\n,周航\n3,何川\n".encode(), "x.csv")
    assert [(row.number, row.name) for row in found.rows] == [(1, "林晓"), (None, "周航"), (3, "何川")]


#: As a chat has it: one without a partner but with a telephone, a remark here and there.
CHAT = """1. 何川 + 宋雨 13900000003
2. 林晓
3. 周航 13900000005
4. 马骁/沈青 微信 maxiao88
5. 赵敏 周芷若 请假半小时
6. 陈默、王芳
"""


def test_a_remark_or_a_telephone_in_a_few_lines_moves_no_column() -> None:
    found = read_file(CHAT.encode(), "list.txt")
    assert found.layout.fields == ("number", "player1", "player2", "", "")
    assert [row.name for row in found.rows[2:]] == ["马骁 / 沈青", "赵敏 / 周芷若", "陈默 / 王芳"]
    assert [problem.code for problem in found.problems] == ["number_for_name"]


@pytest.mark.parametrize("number", ["13900000005", "+86 139 0000 0005", "139-0000-0005", "027 8765 4321"])
def test_a_telephone_is_nobodys_name(number: str) -> None:
    found = read_file(f"选手1,选手2\n林晓,{number}\n何川,Player 10000001\n".encode(), "x.csv")
    assert [(one.row, one.code, one.field) for one in found.problems] == [(2, "number_for_name", "player2")]
    assert [row.name for row in found.rows] == ["何川 / Player 10000001"]
