"""The glossary names what is in the code, and nothing that moved away."""

from __future__ import annotations

import copy

import pytest

from tools import glossary


def test_every_word_lives_where_the_page_says() -> None:
    assert glossary.problems(glossary.words(), glossary.PAGE.read_text("utf-8")) == []


@pytest.mark.parametrize("place", ["scoring.sheets", "scoring.cards.throwing:judge_dump", "scoring.cards:judge_throw"])
def test_a_place_that_is_not_there_is_named(place: str) -> None:
    entries = copy.deepcopy(glossary.words())
    entries[0]["where"] = [place]
    assert glossary.problems(entries, glossary.page(entries)) == [f"profile: {place} is not in the code."]


def test_a_page_that_lags_behind_is_told() -> None:
    entries = glossary.words()
    (said,) = glossary.problems(entries, glossary.page(entries[1:]))
    assert "make glossary" in said


def test_a_throw_is_found_as_a_dump() -> None:
    (throw,) = [entry for entry in glossary.words() if "dump" in entry["also"]]
    assert throw["word"] == "throw"
