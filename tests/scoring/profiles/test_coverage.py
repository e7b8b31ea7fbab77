"""Every rule of the sources is a clause of some profile, and every option in force is spoken of.

`tests/cases/inventory.json` lists the items of the five source documents (S0 to S4) with their sections, the points on
which the sources disagree (D) and those that had to be interpreted (A).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import scoring.profiles
from scoring.profiles import OPTIONS, individual_ids, load, loader, option_checks, profile_ids
from scoring.profiles.clause_files import clauses_beside

ROOT = Path(__file__).resolve().parents[3]
RULES = Path(scoring.profiles.__file__).parent / "rules"
INVENTORY: dict[str, str] = json.loads((ROOT / "tests" / "cases" / "inventory.json").read_text("utf-8"))
FILES = sorted(path.stem for path in RULES.glob("*.json"))
ALL = (*profile_ids(), *individual_ids())
CJK = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
MOST_UNCITED = 15


def rows_of(file: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((RULES / f"{file}.json").read_text("utf-8"))["clauses"]
    return rows


def cited() -> Iterator[str]:
    """Items that a clause of some profile, or the clause of an option an event may set, rests on."""
    for file in FILES:
        for row in rows_of(file):
            yield from row.get("items", ())
    for option in OPTIONS.values():
        yield from option.items


def excused() -> set[str]:
    """Items that docs/uncited.md lists, each in a row with its reason."""
    text = (ROOT / "docs" / "uncited.md").read_text("utf-8")
    rows = re.findall(r"^\| ((?:S[0-4]-[A-Z]{2}|[AD])-\d\d) \| (.+) \|$", text, flags=re.MULTILINE)
    assert all(len(reason) > 20 for _, reason in rows)
    return {item for item, _ in rows}


def test_the_inventory_is_whole():
    sections = Counter(section for item, section in INVENTORY.items() if item[0] == "S")
    assert sum(sections.values()) == 297
    assert sections == Counter(item[3:5] for item in INVENTORY if item[0] == "S")
    assert sum(section == "D" for section in INVENTORY.values()) == 32
    assert sum(section == "A" for section in INVENTORY.values()) == 20
    for item in INVENTORY:
        number = int(item[-2:])
        assert number == 1 or f"{item[:-2]}{number - 1:02d}" in INVENTORY


@pytest.mark.parametrize("section", sorted(set(INVENTORY.values())))
def test_every_item_is_cited_or_excused(section):
    items = {item for item, of in INVENTORY.items() if of == section}
    assert items - set(cited()) == items & excused()


def test_few_items_are_excused():
    assert len(excused()) <= MOST_UNCITED
    assert excused() <= set(INVENTORY)


@pytest.mark.parametrize("file", FILES)
def test_no_clause_cites_an_unknown_item(file):
    for row in rows_of(file):
        items = row.get("items", [])
        assert set(items) <= set(INVENTORY), row["topic"]
        assert len(set(items)) == len(items), row["topic"]


def test_no_option_cites_an_unknown_item():
    assert {item for option in OPTIONS.values() for item in option.items} <= set(INVENTORY)


#: The source documents by the titles that the profiles give them.
TITLES = {
    "80分, SCN V2.0 (2013)": "S0",
    "双升的游戏规则": "S1",
    "80 Points, English V3.0 (2026)": "S2",
    "升級 (撲克牌遊戲)": "S3",
    "升级, on 中国升级竞赛规则 (2003)": "S4",
    "升级, variants and regional games": "S4",
}


@pytest.mark.parametrize("profile_id", ALL)
def test_a_stated_clause_rests_on_an_item_of_its_source(profile_id):
    for clause in load(profile_id, individual=True).clauses.values():
        document = TITLES.get(clause.source["title"])
        if clause.stated:
            assert document is not None, clause.id
            assert any(item.startswith(f"{document}-") for item in clause.source["items"]), clause.id
            assert clause.source["section"], clause.id


@pytest.mark.parametrize("file", FILES)
def test_every_text_is_in_its_language(file):
    for row in rows_of(file):
        assert row["text"]["en"].strip(), row["topic"]
        assert not CJK.search(row["text"]["en"]), row["topic"]
        assert CJK.search(row["text"]["zh"]), row["topic"]
        assert not re.search(r"[a-z]{3,}", re.sub(r"{\w+}", "", row["text"]["zh"])), row["topic"]


@pytest.mark.parametrize("profile_id", ALL)
def test_every_clause_in_force_is_in_its_language(profile_id):
    for clause in load(profile_id, individual=True).clauses.values():
        assert not CJK.search(clause.text["en"]), clause.id
        assert CJK.search(clause.text["zh"]), clause.id


def in_force(profile_id: str) -> list[dict[str, Any]]:
    profile = load(profile_id, individual=True)
    return [row for row in loader._read_file(profile_id)["clauses"] if row["id"] in profile.clauses]


def dropped(file: str) -> set[str]:
    """Topics that a file, or one that it extends, declares to have no place in its game."""
    data = json.loads((RULES / f"{file}.json").read_text("utf-8"))
    return set(data.get("drop", ())) | (dropped(data["extends"]) if "extends" in data else set())


def names_of(rows: list[dict[str, Any]]) -> set[str]:
    """Options that clauses speak of: on one of their topics, in the text, or as the condition of the clause."""
    topics = {row["topic"] for row in rows}
    named = {name for row in rows for name in (*row.get("params", ()), row.get("when"), row.get("unless")) if name}
    return named | {name for name, one in OPTIONS.items() if topics & set(one.topics)}


@pytest.mark.long
@pytest.mark.parametrize("profile_id", ALL)
def test_every_option_that_decides_something_is_spoken_of(profile_id):
    profile = load(profile_id, individual=True)
    house = json.loads((RULES / "_referee.json").read_text("utf-8"))
    idle = option_checks.without_effect(loader._read_options(dict(profile.options)))
    out_of_place = names_of([row for row in house["clauses"] if row["topic"] in dropped(profile_id)])
    as_the_house = {name for name in out_of_place if profile.options[name] == house["options"].get(name)}
    silent = [name for name in OPTIONS if name not in names_of(in_force(profile_id)) | as_the_house]
    beside = {name for name, one in OPTIONS.items() if {clause.topic for clause in clauses_beside()} & set(one.topics)}
    assert set(silent) - beside <= set(idle)


@pytest.mark.parametrize("profile_id", ALL)
def test_no_topic_is_spoken_of_twice(profile_id):
    profile = load(profile_id, individual=True)
    spoken = [
        row["topic"]
        for row in loader._read_file(profile_id)["clauses"]
        if ("when" not in row or profile.options[row["when"]])
        and ("unless" not in row or not profile.options[row["unless"]])
    ]
    assert [topic for topic, times in Counter(spoken).items() if times > 1] == []


@pytest.mark.parametrize("file", ["_referee", "_individual"])
def test_what_the_house_adds_is_marked_as_not_stated(file):
    rows = rows_of(file)
    assert [row["topic"] for row in rows if row.get("stated", True)] == []
