"""The list of ASVS requirements in docs/security.md: each of level 1 and 2 once, in order, with where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent.parent

#: How many requirements of levels 1 and 2 each section of version 5.0.0 begins with: those of level 3 stand last. Of
#: the chapters that are not here one row tells of all.
SECTIONS: Final[Mapping[str, int]] = {
    "1.1": 2,
    "1.2": 9,
    "1.3": 11,
    "1.4": 3,
    "1.5": 2,
    "2.1": 3,
    "2.2": 3,
    "2.3": 4,
    "2.4": 1,
    "3.2": 2,
    "3.3": 4,
    "3.4": 6,
    "3.5": 5,
    "3.7": 2,
    "4.1": 3,
    "4.2": 1,
    "4.3": 2,
    "4.4": 4,
    "5.1": 1,
    "5.2": 3,
    "5.3": 2,
    "5.4": 3,
    "6.1": 3,
    "6.2": 12,
    "6.3": 4,
    "6.4": 4,
    "6.5": 5,
    "6.6": 3,
    "6.8": 4,
    "7.1": 3,
    "7.2": 4,
    "7.3": 2,
    "7.4": 5,
    "7.5": 2,
    "7.6": 2,
    "8.1": 2,
    "8.2": 3,
    "8.3": 1,
    "8.4": 1,
    "11.1": 2,
    "11.2": 3,
    "11.3": 3,
    "11.4": 4,
    "11.5": 1,
    "11.6": 1,
    "12.1": 3,
    "12.2": 2,
    "12.3": 4,
    "13.1": 1,
    "13.2": 5,
    "13.3": 2,
    "13.4": 5,
    "14.1": 2,
    "14.2": 4,
    "14.3": 3,
    "15.1": 3,
    "15.2": 3,
    "15.3": 7,
    "16.1": 1,
    "16.2": 5,
    "16.3": 4,
    "16.4": 3,
    "16.5": 3,
}
WHOLE: Final = ("9", "10", "17")


def rows() -> Iterator[tuple[str, str]]:
    """The number of each row, and where it stands."""
    told = (ROOT / "docs" / "security.md").read_text("utf-8")
    part = told.partition("## OWASP ASVS 5.0.0, level 2")[2].partition("\n## ")[0]
    yield from re.findall(r"^\| ([\d.]+) \| [^|]+ \| ([^|]+) \|$", part, re.MULTILINE)


def test_every_requirement_stands_there_once_and_in_order() -> None:
    wanted = [f"{section}.{at}" for section, count in SECTIONS.items() for at in range(1, count + 1)]
    wanted = sorted([*wanted, *WHOLE], key=lambda number: [int(part) for part in number.split(".")])
    assert [number for number, _ in rows()] == wanted


def test_each_is_met_by_a_test_or_says_why_not() -> None:
    for number, stands in rows():
        named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", stands)
        if stands.startswith("met by "):
            assert named, number
            assert re.fullmatch(r"met by (`[^`]+`(, )?)+", stands), number
        else:
            assert re.match(r"(not applicable because|open:) .{5,}", stands), number
        for file, test in named:
            assert f"def {test}(" in (ROOT / file).read_text("utf-8"), f"{number}: {file}::{test}"
