"""The lists of entrants of the import tests, as people have them; each with what is to come of it (cases.json).

Run by hand when a list is to change: ``python tests/cases/imports/make.py``. All names are made up.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from openpyxl import Workbook

HERE = Path(__file__).resolve().parent


def text(name: str, rows: Sequence[Sequence[Any]] | str, *, encoding: str = "utf-8", separator: str = ",") -> None:
    if not isinstance(rows, str):
        rows = "\r\n".join(separator.join(map(str, row)) for row in rows) + "\r\n"
    (HERE / name).write_bytes(rows.encode(encoding))


def workbook(name: str, rows: Sequence[Sequence[Any]], *, merged: Sequence[str] = (), hidden: bool = False) -> None:
    book = Workbook()
    sheet = book.active
    if hidden:
        sheet.title, sheet.sheet_state = "字典", "hidden"
        sheet.append(["单位", "锦江文体"])
        sheet = book.create_sheet("报名表")
        book.active = 1
    for row in rows:
        sheet.append(list(row))
    for place in merged:
        sheet.merge_cells(place)
    out = io.BytesIO()
    book.save(out)
    (HERE / name).write_bytes(out.getvalue())


def club() -> None:
    """A registration form: title, merged units, phones, remarks, blank and total lines, full-width figures."""
    head = ["序号", "姓名", "搭档", "所在单位", "联系电话", "备注"]
    rows: list[list[Any]] = [["2026 年澄湖杯双升公开赛报名表"], ["截止日期：4 月 20 日"], head]
    rows += [[1, "金　鑫", "石磊", "锦江文体", 13800002210, ""]]
    rows += [[2, "Harris", "Okafor", "国际学院", 13900007781, "素食"]]
    rows += [["３", "韩冰", "曹 阳", "锦江文体", 13600000415, ""], []]
    rows += [[4, "马骁", "", "春熙社区", 13700009002, "搭档待定"]]
    rows += [[5, "王芳", "谢宁", "成电校友会", 13500006120, ""], [6, None, None, None, None, None]]
    rows += [["合计", "5 对", "9 人"], ["填表人：李老师"]]
    workbook("club.xlsx", rows, merged=["A1:F1"])


def gb18030() -> None:
    """CSV as an old Excel saves it, with heads in words, a phone each and the units' own category."""
    rows = [["选手一", "联系电话", "选手二", "联系电话", "代表队", "组别"]]
    rows += [["林晓", "13811110001", "周航", "13811110002", "东区", "公开组"]]
    rows += [["何川", "13811110003", "宋雨", "13811110004", "西区", "公开组"]]
    rows += [["吴桐", "13811110005", "郑一鸣", "13811110006", "东区", "长青组"], ["", "", "", "", "", ""]]
    text("gb18030.csv", [*rows, ["总计", "", "3 对", "", "", ""]], encoding="gb18030")


def pasted() -> None:
    """Cells copied out of a spreadsheet: tabs, no heads."""
    rows = [[1, "林晓", "周航", "东区"], [2, "何川", "宋雨", "西区"], [3, "吴桐", "郑一鸣", "北区"]]
    text("pasted.txt", rows, separator="\t")


def chat_numbered() -> None:
    """A list out of a chat where everybody signed up in a way of their own."""
    lines = (
        "群接龙 周日升级赛（双人）",
        "1. 张伟 李娜",
        "2、王芳/刘洋  城西队",
        "3 陈静 & 杨磊",
        "4. 赵敏,周杰",
        "5）吴刚、郑爽",
        "6.孙丽+朱军",
        "7. 胡斌 高翔 已缴费",
        "8. 林涛 何洁",
        "",
        "9. 郭峰 马丽",
        "10. 罗勇 - 梁静",
        "11. 宋佳 谢军",
        "12. Tom Smith / Anna Lee",
        "13. 唐亮 许晴",
        "14. 韩雪 冯刚",
        "15. 邓超 曹颖",
        "16. 彭飞\u3000曾黎",
    )
    text("chat-numbered.txt", "\n".join(lines) + "\n")


def chat() -> None:
    """A list out of a chat: one line a pair, both names in one cell."""
    text("chat.txt", "报名接龙\n1. 林晓/周航 东区\n2. 何川/宋雨 西区\n3. 吴桐、郑一鸣 北区\n\n共3对\n")


def mixed_signs() -> None:
    """A table in which people wrote a line by hand, each with other signs between the names."""
    lines = (
        "City Cup, list of pairs",
        "",
        "No.\tPlayer 1\tPlayer 2\tClub\tPhone",
        "1\t王芳\t李明\tClub 1\t0170-1",
        "2,张伟,刘洋,Tsinghua",
        "3) Anna Schmidt / Bernd Meyer (Berlin)",
        "4;陈静;赵磊;",
        "5\t 孙丽\t周强 \tClub 1\t0170-5",
        "6. O'Brien & Nguyễn",
        "7  吴刚　郑爽",
        "8\tJohn Smith\tJane Doe\tClub 0\t0170-8",
        "9\tP9A\tP9B\tClub 1\t",
        "10\tP10A\tP10B\tClub 2\t",
        "11\tP11A\tP11B\tClub 2\t",
        "12\tP12A\tP12B\tClub 2\t",
        "",
        "16 pairs may come, please be on time",
        "Total\t\t12 pairs",
    )
    text("mixed-signs.txt", "\n".join(lines) + "\n")


def players() -> None:
    """A line for each player: the number and the unit are written once and merged over both."""
    rows: list[list[Any]] = [["参赛队员登记表"], ["编号", "姓名", "性别", "身份证号", "单位"]]
    people = [("林晓", "女"), ("周航", "男"), ("何川", "男"), ("宋雨", "女"), ("吴桐", "男"), ("郑一鸣", "男")]
    for at, (name, gender) in enumerate(people):
        first = at % 2 == 0
        unit = ["东区", "西区", "北区"][at // 2]
        rows.append([at // 2 + 1 if first else None, name, gender, f"5101{at}2000010100{at}", unit if first else None])
    merged = [place for row in (3, 5, 7) for place in (f"A{row}:A{row + 1}", f"E{row}:E{row + 1}")]
    workbook("a-line-a-player.xlsx", rows, merged=["A1:E1", *merged])


def two_heads() -> None:
    """Heads on two lines, the upper ones merged; the first sheet is hidden and holds something else."""
    upper = ["号码", "第一选手", None, "第二选手", None, "单位"]
    lower = [None, "姓名", "电话", "姓名", "电话", None]
    rows: list[list[Any]] = [["社区双升邀请赛"], upper, lower]
    rows += [[1, "林晓", 13811110001, "周航", 13811110002, "东区"], [2, "何川", 13811110003, "宋雨", "", "西区"]]
    workbook("two-heads.xlsx", rows, merged=["A2:A3", "B2:C2", "D2:E2", "F2:F3"], hidden=True)


def english() -> None:
    """An English club list: names and partners, an address of mail, seeds, a total."""
    rows = [["Harbour Club Spring Pairs", "", "", "", ""], ["No.", "Name", "Partner", "Club", "Seed", "E-mail"]]
    rows += [["1", "Alice Harris", "Bob Okafor", "Harbour", "2", "alice@club.example"]]
    rows += [["2", "Wei Zhang", "Mary O'Neill", "Mill", "1", "wei@club.example"]]
    rows += [["3", "José Álvarez", "Zoë Li", "Harbour", "", ""], ["Total", "3 pairs", "", "", "", ""]]
    text("english.csv", rows, separator=";")


def unicode_text() -> None:
    """What a spreadsheet calls Unicode text: UTF-16 with a mark, and tabs."""
    rows = [["编号", "队名", "队员1", "队员2", "学校"], ["01", "东风队", "林晓", "周航", "一中"]]
    rows += [["02", "西江队", "何川", "宋雨", "二中"], ["03", "北斗队", "吴桐", "郑一鸣", "一中"]]
    text("unicode.txt", rows, encoding="utf-16", separator="\t")


def wide() -> None:
    """Typed on a phone: full-width everything, unseen signs, a head repeated on the second page, notes below."""
    head = "报名编号，姓名１，姓名２，单位（全称），饮食"
    lines = ["澄湖杯（第二批）", head, "Ａ－０１，林　晓，\u200b周航，东区，"]
    lines += [
        "Ａ－０２，Ｈａｒｒｉｓ，宋雨，西区，素食",
        head,
        "Ａ－０３，吴桐，郑一鸣，北区，",
        "注意：以上名单以现场签到为准",
    ]
    text("wide.csv", "\n".join(lines))


def formulas() -> None:
    """Numbers by a formula with its result, as spreadsheets save it; a total by a formula; styled empty columns."""
    rows = [["=ROW()-1", "林晓", "周航"], ["=ROW()-1", "何川", "宋雨"]]
    workbook("formulas.xlsx", [["序号", "选手A", "选手B"], *rows, ["合计", "=COUNTA(B2:B3)", None]])
    _with_results(HERE / "formulas.xlsx", {"A2": "1", "A3": "2", "B4": "2"})


def _with_results(path: Path, results: dict[str, str]) -> None:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    # the library that writes the file works nothing out
    sheet = parts["xl/worksheets/sheet1.xml"].decode()
    for place, value in results.items():
        sheet = re.sub(rf'(<c r="{place}"[^>]*><f>[^<]*</f>)<v ?/>', rf"\1<v>{value}</v>", sheet)
        sheet = re.sub(rf'(<c r="{place}"[^>]*><f>[^<]*</f>)<v></v>', rf"\1<v>{value}</v>", sheet)
    parts["xl/worksheets/sheet1.xml"] = sheet.encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def teams() -> None:
    """Teams in English: a line a player under the name of the team, no numbers."""
    rows = [["Team", "Player", "School", "T-shirt"]]
    for team, school, names in (
        ("North Stars", "City High", ["Ann Lee", "Ben Wu", "Cara Ng", "Dan Ho"]),
        ("River Hawks", "Lake High", ["Eva Sun", "Finn Ma", "Gia Lu", "Hal Xu"]),
    ):
        rows += [[team if at == 0 else "", name, school if at == 0 else "", "M"] for at, name in enumerate(names)]
    text("teams.csv", rows)


def pinyin() -> None:
    """Heads in pinyin and two units, GB18030 with tabs, a subtotal for each unit."""
    rows = [["xuhao", "xingming1", "xingming2", "danwei", "shouji"]]
    rows += [["1", "林晓", "周航", "东区", "13811110001"], ["2", "何川", "宋雨", "东区", "13811110003"]]
    rows += [["小计", "2对", "", "", ""], ["3", "吴桐", "郑一鸣", "西区", ""], ["小计", "1对", "", "", ""]]
    text("pinyin.txt", [*rows, ["合计", "3对", "", "", ""]], encoding="gb18030", separator="\t")


ALL = (
    club,
    gb18030,
    pasted,
    chat,
    chat_numbered,
    mixed_signs,
    players,
    two_heads,
    english,
    unicode_text,
    wide,
    formulas,
    teams,
    pinyin,
)


def main() -> None:
    for make in ALL:
        make()
    cases = json.loads((HERE / "cases.json").read_text("utf-8"))
    assert len(cases) == len(ALL)


if __name__ == "__main__":
    main()
