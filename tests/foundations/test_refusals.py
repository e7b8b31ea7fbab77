"""The tables of refusals and what asks about them."""

from __future__ import annotations

import ast

import pytest
from drf_spectacular.generators import SchemaGenerator

from tools import refusals
from tournaments.acts.errors import Refusal


@pytest.mark.long
def test_the_tables_hold_every_code_once_and_the_page_is_of_now() -> None:
    assert not refusals.problems(refusals.tables(), refusals.PAGE.read_text("utf-8"))


@pytest.mark.parametrize(
    "source",
    [
        'raise Refusal("not_declared_anywhere", status=404)',
        'finding("not_declared_anywhere", "field")',
        'raise refusal(auction, "not_declared_anywhere" if late else "stale", "topic")',
        'BadSetting("field", code="not_declared_anywhere")',
    ],
)
def test_a_code_is_found_where_it_is_named(source: str) -> None:
    assert "not_declared_anywhere" in set(refusals.named(ast.parse(source)))


@pytest.mark.long
def test_what_is_lacking_is_told() -> None:
    declared = refusals.tables()
    acts, *_ = (codes for name, codes in declared.items() if name.startswith("Acts"))
    lacking = {code: said for code, said in acts.items() if code != "last_organiser"}
    more = {name: lacking if codes is acts else codes for name, codes in declared.items()}
    more["Twice"] = {"stale": {"en": "Twice.", "zh": ""}, "nobody_says_this": {"en": "Unused.", "zh": "无。"}}
    told = refusals.problems(more, refusals.page(more))
    assert "last_organiser is in no table of refusals." in told
    assert "stale is declared in two tables." in told
    assert "stale lacks a language." in told
    assert "nobody_says_this is declared, and nothing names it." in told


@pytest.mark.long
def test_the_schema_lists_the_codes() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    listed = schema["components"]["schemas"]["RefusalCodeEnum"]["enum"]
    assert listed == sorted(code for codes in refusals.tables().values() for code in codes if ":" not in code)


def test_a_refusal_says_the_sentence_of_its_code() -> None:
    assert Refusal("last_organiser").message == {
        "en": "An event keeps at least one organiser.",
        "zh": "赛事至少要有一名主办方。",
    }
