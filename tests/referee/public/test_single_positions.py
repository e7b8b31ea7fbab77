"""The adjudicator for games of single players: places instead of seats, bids, the contest for the deal, burials."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from referee.adjudicator.cases import Case
from referee.adjudicator.judging import by_other_rules, judge, verdict_of
from referee.adjudicator.questions import (
    ALLY,
    BIDS,
    BURIAL,
    CONTEST,
    COUNTER,
    DECLARE,
    FLIP,
    FOLLOW,
    INFORMATION,
    KINDS,
    OFFENCE,
    ORDER,
    RETURN,
    SHAPES,
    SIGNAL,
    THROW,
    TRICK,
    kinds_of,
)
from referee.adjudicator.verdicts import DECIDING
from referee.pictures.trick_drawing import draw
from scoring.profiles import build, individual_ids, load
from scoring.values import Place
from scoring.wording import MINUS
from tests.markup import flat
from tests.tournaments.individual import evening

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.profiles import Profile


def rules(name: str) -> Profile:
    return load(name, individual=True)


ALONE, EVERYONE, FRIENDS = rules("sandayi"), rules("ersibai"), rules("zhaopengyou")
TWO_SIDES = load("scn2-2013")


def fining(name: str) -> Profile:
    return build({"base": name, "set": {"throw_fine": 10}}, individual=True)


OF_EVERY_GAME = {TRICK, FOLLOW, THROW, SHAPES, ORDER, BURIAL, OFFENCE}


@pytest.mark.parametrize(
    ("profile", "besides"),
    [
        (ALONE, {BIDS}),
        (EVERYONE, {CONTEST}),
        (FRIENDS, {CONTEST, ALLY}),
        (TWO_SIDES, {COUNTER, DECLARE, FLIP, INFORMATION, RETURN, SIGNAL}),
    ],
)
def test_the_questions_follow_from_the_rules(profile: Profile, besides: set[str]) -> None:
    assert set(kinds_of(profile)) == OF_EVERY_GAME | besides


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", individual_ids())
def test_every_question_has_a_page_with_the_places_of_the_table(name: str, language: str) -> None:
    profile = rules(name)
    for kind in kinds_of(profile):
        page = Client().get(f"/{language}/adjudicator/{kind}/", {"profile": name})
        assert page.status_code == 200, kind
        html = page.content.decode()
        assert 'value="N"' not in html
        assert ('name="level"' in html) is (bool(profile.ladder) and "level" in page.context["asks"])
        if kind in (TRICK, THROW):
            assert [one.name for one in page.context["fields"]] == [place.value for place in profile.seats]


def test_rules_without_the_question_lead_to_those_that_they_have() -> None:
    gone = Client().get("/en/adjudicator/counter/", {"profile": "sandayi"})
    where = urlsplit(gone["Location"])
    assert (where.path, parse_qs(where.query)) == (
        "/en/adjudicator/",
        {"profile": ["sandayi"], "kind": ["counter"]},
    )
    page = flat(Client().get(gone["Location"]).content.decode())
    assert "These rules do not know the question" in page
    assert 'value="bids"' in page
    assert 'value="counter"' not in page


SECOND_ACE = {"dealer": "1", "call": "SA", "ordinal": "2", "trick1": "SAS3S4SAS6"}

SAID: list[tuple[Profile, str, Mapping[str, str], str, str]] = [
    (ALONE, TRICK, {"dealer": "3", "1": "HA", "2": "H3", "3": "D7", "4": "HK"}, "Seat 3 wins the trick.", "庄家方"),
    (ALONE, TRICK, {"dealer": "1", "1": "HK", "2": "HA", "3": "H5", "4": "H3"}, "attackers gain 15", "2 号家赢得"),
    (ALONE, TRICK, {"leader": "3", "3": "HA", "4": "HK"}, "Seat 3 is winning so far.", "到此为止3 号家最大"),
    (EVERYONE, TRICK, {"1": "JS", "2": "S5", "3": "JB", "4": "S10"}, "Seat 3 takes 35 points.", "3 号家得 35 分"),
    (FRIENDS, TRICK, {"1": "HA", "2": "H3", "3": "H4", "4": "H5", "5": "HA"}, "Seat 1 wins", "1 号家赢得"),
    (FRIENDS, TRICK, {"dealer": "2", "1": "HA", "2": "H3", "3": "H4", "4": "H5", "5": "H9"}, "5 points on the", "5 分"),
    (
        FRIENDS,
        TRICK,
        {"dealer": "2", "ally": "1", "1": "HA", "2": "H3", "3": "H4", "4": "H5", "5": "H9"},
        "The dealer side wins 5",
        "庄家方赢得 5 分",
    ),
    (
        FRIENDS,
        TRICK,
        {"dealer": "2", "ally": "2", "1": "HA", "2": "H3", "3": "H4", "4": "H5", "5": "H9"},
        "The attackers gain 5",
        "闲家得 5 分",
    ),
    (
        fining("sandayi"),
        THROW,
        {"dealer": "1", "1": "HAHK", "2": "HA", "3": "-", "4": "-"},
        "attackers +20.",
        "闲家 +20",
    ),
    (
        fining("sandayi"),
        THROW,
        {"dealer": "4", "1": "HAHK", "2": "HA", "3": "-", "4": "-"},
        f"attackers {MINUS}20.",
        "闲家",
    ),
    (fining("ersibai"), THROW, {"1": "HAHK", "2": "HA", "3": "-", "4": "-"}, f"Seat 1 {MINUS}20.", "1 号家 "),
    (FRIENDS, THROW, {"1": "HAHK", "2": "-", "3": "-", "4": "-", "5": "HA"}, "The throw fails.", "不成立"),
    (ALONE, THROW, {"dealer": "2", "1": "HAHK", "2": "HA", "3": "-", "4": "-"}, "No fine.", "不罚分"),
    (FRIENDS, THROW, {"1": "HAHK", "2": "-", "3": "-", "4": "-"}, "without the hearts of Seat 5", "5 号的红桃"),
    (ALONE, FOLLOW, {"lead": "H9", "hand": "H7D7C3", "play": "C3"}, "The play is legal.", "跟牌合法"),
    (ALONE, FOLLOW, {"lead": "S3", "hand": "C2H9", "play": "H9"}, "The play is not legal.", "跟牌不合法"),
    (ALONE, SHAPES, {"cards": "H6H6H8H8"}, "2-pair tractor", "两连对"),
    (ALONE, ORDER, {"cards": "SAC2S2H7JS"}, "The largest is small joker.", "小王"),
    (ALONE, ORDER, {"cards": "H7D7SA"}, "Largest, and equal", "同样大"),
    (TWO_SIDES, ORDER, {"level": "7", "cards": "SAH7S7"}, "The largest is ♠7.", "♠7"),
    (
        ALONE,
        BIDS,
        {"bid1": "120", "bid2": "110", "bid3": "pass", "bid4": "pass", "bid5": "pass"},
        "Seat 2 plays alone for 110.",
        "2 号家以 110 分坐庄",
    ),
    (ALONE, BIDS, {"first": "3", "bid1": "80"}, "Seat 3 plays alone for 80.", "3 号家以 80 分"),
    (ALONE, BIDS, {"bid1": "115"}, "115 stands. It is the turn of Seat 2.", "轮到 2 号家叫分"),
    (ALONE, BIDS, {"bid1": "pass"}, "Nobody has bid yet.", "还没有人叫分"),
    (ALONE, BIDS, dict.fromkeys(("bid1", "bid2", "bid3", "bid4"), "pass"), "dealt again", "重新发牌"),
    (
        EVERYONE,
        CONTEST,
        {"shown1": "H10", "shown1_by": "4"},
        "Seat 4 deals. The hand is played at level 10. Hearts",
        "红桃",
    ),
    (
        FRIENDS,
        CONTEST,
        {"shown1": "H2", "shown1_by": "3", "shown2": "C2C2", "shown2_by": "5"},
        "Seat 5 deals.",
        "5 号家",
    ),
    (FRIENDS, CONTEST, {"shown1": "JSJS", "shown1_by": "3"}, "No-trump.", "打无主"),
    (FRIENDS, CONTEST, {"shown1": "JB"}, "Nobody has declared yet.", "还没有人亮主"),
    (FRIENDS, ALLY, {"call": "SA"}, "Whoever plays the first ♠A is the ally.", "谁打出第 1 张 ♠A"),
    (
        FRIENDS,
        ALLY,
        SECOND_ACE,
        "Seat 4 is the ally of Seat 1, who deals. Against: Seat 2 and Seat 3 and Seat 5.",
        "闲家：2",
    ),
    (
        FRIENDS,
        ALLY,
        SECOND_ACE | {"ordinal": "1"},
        "Seat 1 deals and plays alone. The dealer played the first ♠A.",
        "自己",
    ),
    (FRIENDS, ALLY, SECOND_ACE | {"ordinal": "3"}, "Nobody knows yet. Whoever plays the third", "还不知道"),
    (FRIENDS, ALLY, SECOND_ACE | {"ordinal": "3", "over": "1"}, "plays alone. Nobody can play the third", "不会再打出"),
    (FRIENDS, ALLY, SECOND_ACE | {"ordinal": "3", "buried": "SA"}, "plays alone. Nobody can play", "独自"),
    (FRIENDS, ALLY, {"call": "大王", "dealer": "3", "trick1": "JSJBH3H4H5"}, "Seat 4 is the ally of Seat 3", "4 号家"),
    (FRIENDS, ALLY, {"call": "SA", "trick1": "S3", "trick2": "SA", "trick2_by": "5"}, "Seat 5 is the ally", "盟友"),
    (ALONE, BURIAL, {"buried": "H3H4H5H6C3C4C5C6"}, "The burial stands. 10 points", "埋底有效"),
    (FRIENDS, BURIAL, {"buried": "H3H4H5H6C3C4C5C6"}, "may not be buried", "不能这样埋底"),
    (ALONE, BURIAL, {"buried": "H3H4H5H6C3C4C5C8", "hand": "H3H4H5H6C3C4C5C6"}, "may not be buried", "不能"),
]


@pytest.mark.parametrize(("profile", "kind", "params", "en", "zh"), SAID)
def test_what_is_said(profile: Profile, kind: str, params: Mapping[str, str], en: str, zh: str) -> None:
    verdict = verdict_of(kind, profile, params)
    assert verdict.is_judged, verdict.findings
    assert en in verdict.text["en"]
    assert zh in verdict.text["zh"]
    assert verdict.clauses
    assert all(clause.id in profile.clauses for clause in verdict.clauses)
    query = {"profile": profile.id, "set": json.dumps(dict(profile.changed)) if profile.changed else "", **params}
    for language in ("en", "zh"):
        page = Client().get(f"/{language}/adjudicator/{kind}/", query).content.decode()
        assert all(clause.id in page for clause in verdict.clauses)


PROBLEMS: list[tuple[Profile, str, Mapping[str, str], str, str]] = [
    (ALONE, BIDS, {"bid1": "115", "bid2": "75"}, "bid_not_here", "sandayi.bid"),
    (ALONE, BIDS, {"bid1": "110", "bid2": "115"}, "not_lower", "sandayi.bid"),
    (ALONE, BIDS, {"bid1": "120", "bid2": "110", "bid2_by": "3"}, "out_of_turn", "sandayi.bid"),
    (ALONE, BIDS, {"bid1": "80", "bid2": "pass"}, "bidding_over", "sandayi.bid"),
    (FRIENDS, CONTEST, {"level3": "7", "shown1": "H5", "shown1_by": "3"}, "not_own_level", "zhaopengyou.ladder"),
    (FRIENDS, CONTEST, {"shown1": "JB", "shown1_by": "3"}, "single_joker", "referee.declare.no_trump"),
    (FRIENDS, CONTEST, {"shown1": "H2H2", "shown2": "S2S2", "shown2_by": "2"}, "not_higher", "referee.counter.order"),
    (FRIENDS, CONTEST, {"shown1": "H2", "shown1_by": "1", "shown2": "S2", "shown2_by": "1"}, "not_identical", ""),
]


@pytest.mark.parametrize(("profile", "kind", "params", "code", "clause"), PROBLEMS)
def test_what_does_not_count_is_told_with_its_clause(
    profile: Profile, kind: str, params: Mapping[str, str], code: str, clause: str
) -> None:
    verdict = verdict_of(kind, profile, params)
    assert verdict.tone == "bad"
    told = verdict.answer.problems  # type: ignore[union-attr]
    assert [found.code for _, found in told] == [code]
    (line,) = [line for line in verdict.lines if "It does not count." in line.text["en"]]
    assert line.clause is not None
    assert line.clause.id == (clause or line.clause.id)
    assert "不算" in line.text["zh"]


@pytest.mark.parametrize(
    ("profile", "kind", "params", "field", "code"),
    [
        (ALONE, BIDS, {"bid1": "cheap"}, "bid1", "bid_not_here"),
        (ALONE, BIDS, {"bid1": "120", "bid1_by": "5"}, "bid1", "unknown_value"),
        (FRIENDS, CONTEST, {"shown1": "H2", "level4": "17"}, "level4", "level_not_on_ladder"),
        (FRIENDS, CONTEST, {"shown1": "H2H2H2H2"}, "shown1", "card_too_often"),
        (FRIENDS, CONTEST, {"shown1": "H2", "shown1_by": "N"}, "shown1", "unknown_value"),
        (ALONE, TRICK, {"1": "HA", "2": "H3H4"}, "2", "plays_differ"),
        (ALONE, TRICK, {"trump": "NT", "1": "HA"}, "trump", "no_trump_not_here"),
        (ALONE, ORDER, {"cards": "HAC3"}, "cards", "not_comparable"),
        (ALONE, BURIAL, {"buried": "H3H3H3"}, "buried", "card_too_often"),
        (FRIENDS, ALLY, {"call": "SASA"}, "call", "call_unclear"),
        (FRIENDS, ALLY, {"call": "SA", "ordinal": "4"}, "ordinal", "unknown_value"),
        (FRIENDS, ALLY, {"call": "SA", "trick1": "S3S4S5S6S8S9"}, "trick1", "trick_uneven"),
        (FRIENDS, ALLY, {"call": "SA", "trick1": "SASASAS3S4", "buried": "SA"}, "buried", "card_too_often"),
    ],
)
def test_what_cannot_be_judged_stands_at_its_field(
    profile: Profile, kind: str, params: Mapping[str, str], field: str, code: str
) -> None:
    verdict = verdict_of(kind, profile, params)
    assert not verdict.is_judged
    assert (field, code) in {(one.field, one.code) for one in verdict.findings}
    assert Client().get(f"/zh/adjudicator/{kind}/", {"profile": profile.id, **params}).status_code == 200


def test_the_declarer_adds_a_card_and_all_are_drawn() -> None:
    shown = {"shown1": "H2", "shown1_by": "3", "shown2": "H2", "shown2_by": "3"}
    verdict = verdict_of(CONTEST, FRIENDS, shown)
    assert "adds ♥2" in verdict.lines[1].text["en"]
    (placed,) = verdict.placed
    assert placed.cards == (("H2", DECIDING), ("H2", DECIDING))


def test_the_called_card_is_raised_in_its_trick() -> None:
    verdict = verdict_of(ALLY, FRIENDS, SECOND_ACE)
    assert [one.seat for one in verdict.placed] == list(Place)
    assert [one.cards for one in verdict.placed if DECIDING in dict(one.cards).values()] == [(("SA", DECIDING),)]
    assert [line.text["en"] for line in verdict.lines[:2]] == ["♠A no. 1: Seat 1.", "♠A no. 2: Seat 4."]
    assert "zhaopengyou.ally" in {clause.id for clause in verdict.clauses}
    assert "zhaopengyou.ally.unplayed" in {
        clause.id for clause in verdict_of(ALLY, FRIENDS, SECOND_ACE | {"ordinal": "3", "over": "1"}).clauses
    }


@pytest.mark.parametrize(("profile", "others"), [(ALONE, ["ersibai"]), (EVERYONE, ["sandayi"]), (FRIENDS, [])])
def test_other_rules_are_those_with_such_a_table(profile: Profile, others: list[str]) -> None:
    case = Case.of(TRICK, profile, {"1": "SA", "2": "C7"})
    verdict = judge(case)
    found = by_other_rules(case, verdict)
    assert [one.profile.id for one in found] == others
    assert all(not one.same for one in found), "a seven is a trump in one of the two games"


def test_the_rules_of_an_event_with_changes_are_asked() -> None:
    own = fining("sandayi")
    params = {"dealer": "1", "1": "HAHK", "2": "HA", "3": "-", "4": "-"}
    changed = json.dumps({"throw_fine": 10})
    page = Client().get("/en/adjudicator/throw/", {"profile": "sandayi", "set": changed, **params})
    assert page.context["verdict"].text == verdict_of(THROW, own, params).text
    assert "attackers +20." in page.content.decode()


@pytest.mark.parametrize(
    ("ally", "said"), [("", "Say who the ally is"), ("3", "dealer side: 20"), ("4", "attackers: 20")]
)
def test_whom_a_fine_is_for_hangs_on_the_ally(ally: str, said: str) -> None:
    params = {"dealer": "2", "ally": ally, "leader": "3", "3": "HAHK", "4": "HA", "5": "-", "1": "-", "2": "-"}
    verdict = verdict_of(THROW, fining("zhaopengyou"), params)
    assert any(said in line.text["en"] for line in verdict.lines)
    assert ("Fine" in verdict.text["en"]) is bool(ally)


@pytest.mark.parametrize("players", [4, 5])
def test_all_places_are_drawn_around_the_table(players: int) -> None:
    profile = FRIENDS if players == 5 else ALONE
    cards = ("HA", "H3", "H4", "H5", "H6")
    plays = dict(zip(("1", "2", "3", "4", "5")[:players], cards, strict=False))
    verdict = verdict_of(TRICK, profile, plays)
    drawing = draw(verdict.placed, profile.seats)
    assert [one.placed.seat for one in drawing.seats] == list(Place)[:players]
    first, second = drawing.seats[:2]
    assert first.label_y > second.label_y, "the first place sits in front"
    assert second.x > first.x, "turns go to the right"
    assert len({(one.x, one.label_y) for one in drawing.seats}) == players


@pytest.mark.long
@pytest.mark.django_db
def test_an_event_of_single_players_is_asked_by_its_own_rules() -> None:
    made = evening("I3", 5)
    page = Client().get("/en/adjudicator/trick/", {"event": made.tournament.slug, "1": "HA"})
    assert page.context["profile"].digest == made.tournament.profile.digest
    assert "ruling" in page.content.decode()
    assert "/adjudicator/" in Client().get(f"/en/e/{made.tournament.slug}/").content.decode()


def test_every_kind_has_a_place_in_the_order_of_pages() -> None:
    asked = {kind for profile in (ALONE, EVERYONE, FRIENDS, TWO_SIDES) for kind in kinds_of(profile)}
    assert asked == set(KINDS)


@pytest.mark.parametrize(
    ("name", "first"), [("ersibai", "Games of single players"), ("scn2-2013", "Traps of the game")]
)
def test_the_first_page_begins_with_positions_of_that_game_and_leads_to_the_count(name: str, first: str) -> None:
    page = flat(Client().get("/en/adjudicator/", {"profile": name}).content.decode())
    assert f'id="group-1">{first}' in page
    assert f"/en/rules/{name}/explain/" in page
