"""The adjudicator on a return that was owed: verdicts in words, fields by their order, rulings that may cite them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from referee.adjudicator.judging import verdict_of
from scoring.profiles import load
from tests.markup import flat
from tests.tournaments import factories
from tournaments.acts.schedule import clause_texts

RULES = load("cn-national-2d")
ASKED = {"level": "2", "trump": "S", "dealer": "S", "hand": "HAH4H6CAC3", "trick1": "HAH3H8H7", "trick2": "C3C4C6C7"}


@pytest.mark.parametrize(
    ("changed", "tone", "said"),
    [
        ({}, "bad", "The lead of trick 2 broke the duty."),
        ({"trick2": "H4H9HJHQ"}, "ok", "The lead of trick 2 returned it."),
        ({"trick1": "HAC10H8H7"}, "ok", "The lead need not be returned."),
        ({"told": "1"}, "open", "The referee judges"),
        ({"hand": ""}, "open", "The referee judges"),
        ({"trick2": ""}, "plain", "nothing is broken yet"),
        ({"trick1": "HA"}, "plain", "nothing is broken yet"),
        ({"trick1": "HAH3H9H7", "ranks": "4 6"}, "plain", "No lead has to be returned."),
        ({"trick1": "HAH3H10H7", "ranks": "10 J Q"}, "plain", "No lead has to be returned."),
        ({"trick1": "HAH3HJH7", "ranks": "10 J Q"}, "bad", "The lead of trick 2 broke the duty."),
        ({"trick1": "HA H3 H8 H7", "trick2": "C4C6C7C3", "trick2_by": "E"}, "plain", "nothing is broken yet"),
    ],
)
def test_the_verdict_in_words(changed: dict[str, str], tone: str, said: str) -> None:
    verdict = verdict_of("return", RULES, ASKED | changed)
    assert verdict.is_judged, verdict.findings
    assert verdict.tone == tone
    assert said in verdict.text["en"]
    assert verdict.clauses


@pytest.mark.parametrize(
    ("changed", "field", "code"),
    [
        ({"trick1": "HAH3H8H7H9"}, "trick1", "trick_uneven"),
        ({"trick2": "CAH4C3C4C5C6C7C8"}, "trick2", "mixed_categories"),
        ({"trick2": "H3H3H3H3"}, "trick2", "card_too_often"),
        ({"ranks": "8 15"}, "ranks", "unknown_rank"),
        ({"hand": "HAXX"}, "hand", "card_unknown"),
    ],
)
def test_what_cannot_be_judged_stands_at_its_field(changed: dict[str, str], field: str, code: str) -> None:
    verdict = verdict_of("return", RULES, ASKED | changed)
    assert not verdict.is_judged
    assert (field, code) in {(one.field, one.code) for one in verdict.findings}


def test_a_point_card_is_no_signal_and_the_verdict_says_so() -> None:
    verdict = verdict_of("return", RULES, ASKED | {"ranks": "5 10 J", "trick1": "HAH3H10H7"})
    assert any("(5, 10)" in one.text["en"] for one in verdict.lines)
    assert "signal.no_points" in {clause.id for clause in verdict.clauses}
    assert "signal.no_points" not in {clause.id for clause in verdict_of("return", RULES, ASKED).clauses}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, []),
        ({"trick2": "CAC4C6C7"}, ["The lead of trick 2 was a big card, which may come first."]),
        (
            {"hand": "HAH4H6CACKC3", "trick2": "CAC4C6C7", "trick3": "CKC8C9CJ", "trick4": "C3C10CQC2"},
            ["The leads of tricks 2 and 3 were big cards, which may come first."],
        ),
        ({"trick1": "HAH3H9H7", "trick2": "CAC4C6C7", "ranks": "4 6"}, []),
    ],
)
def test_leads_before_the_end_of_the_duty_are_called_big(changed: dict[str, str], said: list[str]) -> None:
    lines = [one.text["en"] for one in verdict_of("return", RULES, ASKED | changed).lines]
    assert [line for line in lines if "may come first." in line] == said


SIGNALLED = {"level": "10", "trump": "S", "lead": "HA", "play": "H9"}


@pytest.mark.parametrize(
    ("changed", "shows", "said"),
    [
        ({}, "help", "the other top card of the suit"),
        ({"play": "H7"}, "nothing", "none of the agreed ones"),
        ({"play": "C9"}, "nothing", "of another suit, or a trump"),
        ({"level": "8", "play": "H8"}, "nothing", "of another suit, or a trump"),
        ({"lead": "SA", "play": "S9"}, "nothing", "Trumps were led"),
        ({"lead": "HAHA", "play": "H9HJ"}, "unreadable", "Several cards were led"),
        ({"lead": "H3"}, "nothing", "not the largest of its suit"),
        ({"ranks": "5 9", "play": "H5"}, "nothing", "as an answer it is no signal"),
    ],
)
def test_what_the_partner_answered(changed: dict[str, str], shows: str, said: str) -> None:
    """The worked examples of signals that are read, and a point card, which cannot be agreed."""
    verdict = verdict_of("signal", RULES, SIGNALLED | changed)
    assert verdict.answer.shows == shows
    assert said in " ".join([verdict.text["en"], *(one.text["en"] for one in verdict.lines)])
    assert verdict.clauses


def test_an_answer_that_cannot_be_read_stands_at_its_field() -> None:
    def found(changed: dict[str, str]) -> list[tuple[str, str]]:
        return [(one.field, one.code) for one in verdict_of("signal", RULES, SIGNALLED | changed).findings]

    assert found({"ranks": "8 15"}) == [("ranks", "unknown_rank")]
    assert found({"lead": "H9H9"}) == [("play", "card_too_often")]
    assert found({"play": "H9H8"}) == [("play", "wrong_count")]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("signal", "Enter the card led and what the partner played to it."),
        ("return", "Enter the trick of the question and those after it"),
        ("information", "Choose how something was told."),
        ("flip", "Enter the cards turned, the top card first."),
    ],
)
def test_an_empty_page_asks_for_its_own_facts(kind: str, said: str) -> None:
    page = flat(Client().get(f"/en/adjudicator/{kind}/", {"profile": RULES.id}).content.decode())
    assert said in page.partition('id="verdict"')[2]


def test_the_page_has_room_for_two_more_tricks() -> None:
    def fields(query: dict[str, Any]) -> int:
        page = Client().get("/en/adjudicator/return/", {"profile": RULES.id, **query})
        return page.content.decode().count('data-card-field="trick')

    assert fields({}) == 4
    assert fields(ASKED | {f"trick{number}": "HA" for number in range(1, 6)}) == 7
    assert fields(ASKED | {f"trick{number}": "HA" for number in range(1, 9)}) == 8


@pytest.mark.django_db
def test_a_ruling_may_cite_the_clauses_and_they_can_be_read() -> None:
    texts = clause_texts(factories.hall().event)
    verdict = verdict_of("return", RULES, ASKED)
    page = flat(Client().get(f"/en/rules/{RULES.id}/").content.decode())
    for clause in verdict.clauses:
        assert texts[clause.id] == dict(clause.text)
        assert f'id="{clause.id}"' in page


def test_a_void_is_told_once() -> None:
    asked = {"level": "10", "trump": "S", "dealer": "S", "hand": "HACKD3S5", "trick1": "HAH3H8H7", "trick2": "D3D4D6D9"}
    verdict = verdict_of("return", RULES, asked)
    assert verdict.lines[0].text["en"] == "South has no card of the suit left."
    assert verdict.clauses[0].id == "signal.return.void"
