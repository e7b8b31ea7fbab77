"""The adjudicator: worked positions say what they must, refusals stand by their field, links reproduce."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.adjudicator.cases import Case
from referee.adjudicator.judging import judge, verdict_of
from referee.adjudicator.questions import KINDS, card_fields, choices, kinds_of
from referee.adjudicator.verdicts import DECIDING
from referee.hands.shapes import code_of
from referee.public.rulebook.adjudicator import PICTURES, QUESTIONS
from referee.public.rulebook.positions import EXPLAIN, Position, positions
from scoring.cards.flip import DRAWERS
from scoring.cards.following import FollowVerdict
from scoring.profiles import build, individual_ids, load, profile_ids
from scoring.values import RANKS, Seat
from scoring.wording import MINUS
from tests.markup import flat
from tests.tournaments import playing

if TYPE_CHECKING:
    from referee.adjudicator.verdicts import Verdict
    from scoring.profiles import Profile

GUIDE = load("scn2-2013")
NATIONAL = load("cn-national-2d")
#: Nothing of a position is kept, so its pages need no database.
JUDGED = [one for one in positions() if one.kind != EXPLAIN]
EXPLAINED = [one for one in positions() if one.kind == EXPLAIN]
FAILED_THROW = {"level": "7", "trump": "S", "dealer": "S", "leader": "S", "S": "H8H8HJHQHK"}
FAILED_THROW |= {"E": "-", "N": "H9H9H4", "W": "HAH5H3"}


def said(verdict: Verdict, name: str) -> Any:
    """What the kernel answered and the page tells, in the words of `expect`."""
    answer: Any = verdict.answer
    told = {
        "shapes": lambda: [code_of(one.shape) for one in answer.best],
        "readings": lambda: len(answer.all),
        "must_play": lambda: [str(card) for card in answer.forced.must_play],
        "options": lambda: [[str(card) for card in option] for option in answer.forced.options],
        "equals": lambda: bool(answer.forced.equals),
        "fine": lambda: fine_of(verdict),
        "last": lambda: [str(card) for card in answer[-1]],
        "first_dealer": lambda: DRAWERS[answer.dealer_place],
    }
    return told[name]() if name in told else getattr(answer, name)


def fine_of(verdict: Verdict) -> int:
    """The fine that the page names, from the side of the attackers."""
    sentence = verdict.then[-1]["en"]
    if sentence == "No fine.":
        return 0
    return int(sentence.removesuffix(".").rpartition(" ")[2].replace(MINUS, "-"))


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("position", JUDGED, ids=lambda one: one.id)
def test_every_worked_position_says_what_it_must(position: Position, language: str) -> None:
    page = Client().get(position.address(language).partition("#")[0])
    verdict = page.context["verdict"]
    assert not verdict.findings
    assert position.expect
    assert {name: said(verdict, name) for name in position.expect} == dict(position.expect)
    text = page.content.decode()
    assert all(clause.id in text for clause in verdict.clauses)
    assert verdict.clauses
    assert 'id="verdict-title"' in text


@pytest.mark.parametrize("position", EXPLAINED, ids=lambda one: one.id)
def test_positions_that_are_whole_hands_lead_to_their_explanation(position: Position) -> None:
    explained = Client().get(position.address("en").partition("#")[0]).context["explained"]
    told = f"{explained.result.sentence['en']} {explained.result.levels_sentence['en']}"
    assert position.expect["sentence"] in told


def test_positions_are_told_apart_and_all_shown() -> None:
    assert len({one.id for one in positions()}) == len(positions())
    page = Client().get("/zh/adjudicator/").content.decode()
    for one in positions():
        assert one.title["zh"] in page


CASES: list[tuple[str, dict[str, str], str]] = [
    ("throw", FAILED_THROW, "S"),
    ("throw", FAILED_THROW | {"S": "红桃 8 8 J Q K", "N": "♥99 ♥4", "E": "无"}, "S"),
    ("trick", {"level": "7", "trump": "NT", "leader": "W", "W": "大王", "S": "JS", "E": "h7", "N": "S3"}, "W"),
]


@pytest.mark.parametrize(("kind", "params", "field"), CASES)
def test_the_link_of_a_position_gives_the_same_verdict(kind: str, params: dict[str, str], field: str) -> None:
    case = Case.of(kind, GUIDE, params)
    again = {name: value[0] for name, value in parse_qs(case.query).items()}
    assert verdict_of(kind, GUIDE, again) == verdict_of(kind, GUIDE, params)
    assert verdict_of(kind, GUIDE, params).is_judged
    assert again[field].isascii()


REFUSED: list[tuple[str, dict[str, str], str, str]] = [
    ("trick", {"S": "HAXX"}, "S", "card_unknown"),
    ("trick", {"S": "HAHAHA"}, "S", "card_too_often"),
    ("trick", {"S": "HA" * 200}, "S", "cards_too_many"),
    ("trick", {"S": "HA", "E": "H3H4"}, "E", "plays_differ"),
    ("trick", {"leader": "N", "N": "HA", "W": "H3", "S": "H3", "E": "H3"}, "E", "card_too_often"),
    ("throw", {"S": "HAHA", "E": "H3"}, "S", "not_a_throw"),
    ("throw", {"S": "HAHK", "N": "HQHQHQ"}, "N", "card_too_often"),
    ("follow", {"lead": "HASA", "hand": "H3H4", "play": "H3H4"}, "lead", "mixed_categories"),
    ("follow", {"lead": "HAHA", "hand": "H3H4", "play": "H3H5"}, "play", "card_not_held"),
    ("follow", {"lead": "HAHA", "hand": "H3", "play": "H3"}, "hand", "hand_too_small"),
    ("shapes", {"cards": "HASA"}, "cards", "mixed_categories"),
    ("counter", {"declared": "S7", "counter1": "H3H3", "cards": "D7D7", "level": "7"}, "counter1", "counter_cards"),
    ("counter", {"declared": "S3", "cards": "H7H7", "level": "7"}, "declared", "declare_cards"),
    ("counter", {"declared": "S7H7", "cards": "JSJS", "level": "7"}, "declared", "declare_cards"),
    ("counter", {"declared": "-", "cards": "H7H7", "level": "7"}, "declared", "declare_cards"),
    ("counter", {"declared": "JS", "cards": "H7H7", "level": "7"}, "declared", "declare_cards"),
    ("counter", {"declared": "S7", "counter2": "H3H3", "cards": "D7D7", "level": "7"}, "counter2", "counter_cards"),
    ("counter", {"declared": "S7", "cards": "H7H7", "by": "Q", "level": "7"}, "cards", "unknown_value"),
    ("counter", {"declared": "S7", "cards": "H7H7", "level": "17"}, "level", "level_not_on_ladder"),
    ("flip", {"kitty": "JS", "first": "1", "level": "7"}, "kitty", "flip_more"),
    ("trick", {"S": "HA", "level": "17"}, "level", "level_not_on_ladder"),
    ("trick", {"S": "HA", "trump": "X"}, "trump", "unknown_value"),
    ("throw", {"S": "HAHAHK", "shapes": "pair,nothing"}, "shapes", "shape_unknown"),
    ("follow", {"lead": "HAHA", "hand": "H3H4H5", "play": "H3H4", "shapes": "2x2"}, "lead", "reading_not_there"),
]


@pytest.mark.parametrize(("kind", "params", "field", "code"), REFUSED)
def test_what_cannot_be_judged_is_refused_by_its_field(
    kind: str, params: dict[str, str], field: str, code: str
) -> None:
    verdict = verdict_of(kind, GUIDE, params)
    assert not verdict.is_judged
    assert (field, code) in {(one.field, one.code) for one in verdict.findings}
    page = Client().get(f"/en/adjudicator/{kind}/", {"profile": "scn2-2013", **params})
    text = flat(page.content.decode())
    assert page.status_code == 200
    assert "<title>Refused" in text
    for name, value in params.items():
        if name in card_fields(kind, GUIDE):
            assert f'name="{name}" value="{value}"' in text


@pytest.mark.parametrize("kind", kinds_of(GUIDE))
def test_an_empty_position_asks_for_cards(kind: str) -> None:
    verdict = verdict_of(kind, GUIDE, {})
    # who speaks first at a board is known before anybody has
    assert verdict.needs or kind == "declare"
    assert not verdict.findings
    assert Client().get(f"/zh/adjudicator/{kind}/").status_code == 200


def test_every_question_has_a_picture_in_cards() -> None:
    assert set(PICTURES) == {*QUESTIONS, "hand"}
    for name, drawn in PICTURES.items():
        shown = [one.rstrip("*") for one in drawn.split()]
        assert all(one in ("?", "-") or (one in {"JS", "JB"} or one[1:] in RANKS) for one in shown), name
    for profile in (*profile_ids(), *individual_ids()):
        text = Client().get("/en/adjudicator/", {"profile": profile}).content.decode()
        assert text.count('class="question-cards"') == text.count('"btn question"')


def test_a_hand_that_matters_and_is_not_known_is_named() -> None:
    params = {"level": "7", "trump": "S", "leader": "S", "S": "HQHK", "N": "H3", "W": "-"}
    verdict = verdict_of("throw", GUIDE, params)
    assert verdict.unknown == (Seat.E,)
    assert "hearts of East" in verdict.headline["en"]
    assert verdict_of("throw", GUIDE, params | {"E": "-"}).headline["en"] == "The throw stands."


def test_the_drawing_raises_what_decides() -> None:
    verdict = verdict_of("throw", GUIDE, FAILED_THROW)
    raised = {one.seat: [code for code, state in one.cards if state == DECIDING] for one in verdict.placed}
    assert raised == {Seat.S: ["HJ"], Seat.E: [], Seat.N: ["H9", "H9"], Seat.W: ["HA"]}
    assert [one.seat for one in verdict.placed] == [Seat.S, Seat.E, Seat.N, Seat.W]


def test_witnesses_are_raised_in_the_hand() -> None:
    params = {"level": "7", "trump": "S", "lead": "CACACK", "hand": "CJCJC6C6C9", "play": "CJC6C9"}
    verdict = verdict_of("follow", GUIDE, params)
    raised = [code for code, state in verdict.held if state == DECIDING]
    assert isinstance(verdict.answer, FollowVerdict)
    assert sorted(raised) == sorted(map(str, verdict.answer.witness))
    assert (verdict.plays_in_all, len(verdict.plays)) == (4, 4)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"S": "HA", "N": "S3"}, "北家的牌尚未计入：还没有轮在前面的东家的牌。"),
        ({"S": "HA", "N": "S3", "W": "H4"}, "北、西家的牌尚未计入：还没有轮在前面的东家的牌。"),
        ({"S": "HA", "E": "H3", "N": "S3"}, ""),
    ],
)
def test_plays_after_a_gap_are_not_passed_over_in_silence(params: dict[str, str], sentence: str) -> None:
    verdict = verdict_of("trick", GUIDE, {"level": "2", "trump": "S", **params})
    assert "".join(one["zh"] for one in verdict.then if "尚未" in one["zh"]) == sentence


def test_a_play_of_too_few_cards_says_how_many_and_shows_what_was_owed() -> None:
    params = {"level": "2", "trump": "S", "lead": "HAHA", "hand": "H3H4H5", "play": "H3"}
    verdict = verdict_of("follow", GUIDE, params)
    assert "领出 2 张（对子），跟出 1 张，张数须相同。" in [line.text["zh"] for line in verdict.lines]
    raised = tuple(code for code, state in verdict.held if state == DECIDING)
    assert sorted(raised) in [sorted(play) for play in verdict.plays]


def test_cards_of_one_rank_are_told_apart_by_their_suits() -> None:
    params = {"level": "7", "trump": "S", "dealer": "S", "S": "H7H7D7D7", "E": "S7S7", "N": "-", "W": "-"}
    east = next(one for one in verdict_of("throw", GUIDE, params).placed if one.seat is Seat.E)
    assert east.note["zh"] == "♠7 ♠7 大过 ♥7 ♥7"


@pytest.mark.parametrize(
    ("id_", "sentence"),
    [
        ("over-ruff-compares-the-top-class", "只比领出牌型中最高的一种：♠6 ♠6 最大，其余的牌不比。"),
        ("over-ruff-tie", "只比领出牌型中最高的一种：♥7 ♥7 最大，其余的牌不比。"),
        ("best-reading", "只比领出牌型中最高的一种：♣2 ♣2 最大，其余的牌不比。"),
        ("all-components", ""),
        ("pair-under-a-throw", ""),
    ],
)
def test_the_cards_that_decide_an_over_ruff_are_named(id_: str, sentence: str) -> None:
    position = next(one for one in positions() if one.id == id_)
    query = {name: value for name, value in position.query.items() if name != "set"}
    changes = json.loads(position.query.get("set", "{}"))
    verdict = verdict_of("trick", build({"base": position.profile, "set": changes}), query)
    assert "".join(line.text["zh"] for line in verdict.lines if line.text["zh"].startswith("只比")) == sentence


def test_a_joker_beside_a_declaration_says_nothing_of_its_suit() -> None:
    params = {"level": "7", "cards": "H7H7"}
    told = verdict_of("counter", load("cn-national-3d"), params | {"declared": "S7"})
    for declared in ("S7JS", "JSS7"):
        beside = verdict_of("counter", load("cn-national-3d"), params | {"declared": declared})
        assert beside.is_judged
        assert beside.headline == told.headline


def test_a_declared_reading_can_be_chosen() -> None:
    params = {"level": "2", "trump": "S", "leader": "S", "S": "CACACKCKCK", "E": "-", "N": "-", "W": "-"}
    three = load("cn-national-3d")
    verdict = verdict_of("throw", three, params)
    assert verdict.other_readings
    for other in verdict.other_readings:
        declared = verdict_of("throw", three, params | {"shapes": other.codes})
        assert declared.is_judged
        assert not declared.other_readings


def test_other_rules_say_what_they_would_say() -> None:
    page = Client().get("/en/adjudicator/throw/", {"profile": "scn2-2013", **FAILED_THROW})
    told = {one.profile.id: one for one, _address in page.context["elsewhere"]}
    assert set(told) >= {"cn-national-2d", "scn3-2026"}
    assert "scn2-2013" not in told
    assert told["scn3-2026"].same
    assert not told["cn-national-2d"].same
    assert told["cn-national-2d"].verdict == verdict_of("throw", NATIONAL, FAILED_THROW)


def test_the_part_that_moves_brings_what_the_picker_needs() -> None:
    params = {"part": "live", "level": "7", "trump": "S", "lead": "CACACK", "hand": "CJCJC6C6C9", "play": "CJC6"}
    page = Client().get("/zh/adjudicator/follow/", params)
    text = page.content.decode()
    assert "<html" not in text
    state = json.loads(page.context["state"])
    assert state["fields"]["play"] == ["CJ", "C6"]
    assert state["next"] == ["C6", "CJ"]
    assert (state["left"]["CA"], state["left"]["CJ"], state["left"]["C3"]) == (0, 0, 2)


def test_the_chooser_leads_on_to_a_question() -> None:
    gone = Client().get("/zh/adjudicator/", {"kind": "throw", "profile": "cn-national-2d", "level": "7"})
    where = urlsplit(gone["Location"])
    assert where.path == "/zh/adjudicator/throw/"
    assert parse_qs(where.query) == {"profile": ["cn-national-2d"], "level": ["7"]}


@pytest.mark.parametrize(
    "address",
    ["/zh/adjudicator/nothing/", "/zh/adjudicator/throw/?profile=nothing", "/zh/adjudicator/throw/?set={bad"],
)
def test_unknown_kinds_and_rules_are_not_found(address: str) -> None:
    assert Client().get(address).status_code == 404


TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ("", "-", "S", "N", "NT", "2", "A", "7", "H7H7", "SASA", "红桃 8 8", "JBJB", "pair,single", "2x3", "1")
    ),
)
RULES = (NATIONAL, *(load(name, individual=True) for name in individual_ids()))
FORMS = [(kind, one) for one in RULES for kind in KINDS]
NAMES = tuple(dict.fromkeys(name for form in FORMS for name in (*choices(*form), *card_fields(*form))))


@pytest.mark.long
@settings(deadline=None)
@given(kind=st.sampled_from(KINDS), rules=st.sampled_from(RULES), params=st.dictionaries(st.sampled_from(NAMES), TEXTS))
def test_whatever_is_typed_is_judged_or_refused(kind: str, rules: Profile, params: dict[str, str]) -> None:
    """A verdict, or findings that belong to a field of the form or to the whole; never an exception."""
    case = Case.of(kind, rules, params)
    verdict = judge(case)
    assert verdict.is_judged or verdict.findings or verdict.needs
    assert all(one.field in case.values or not one.field for one in verdict.findings)


@pytest.mark.long
@pytest.mark.django_db
def test_an_event_is_asked_by_its_own_rules() -> None:
    tournament = playing.event().tournament
    page = Client().get("/en/adjudicator/throw/", {"event": tournament.slug, **FAILED_THROW})
    assert page.context["profile"].digest == tournament.profile.digest
    assert f"event={tournament.slug}" in page.context["link"]
    assert Client().get("/en/adjudicator/?event=no-such-event").status_code == 404
