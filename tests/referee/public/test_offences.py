"""What an irregularity costs (犯规怎么罚): asked at the adjudicator, of two sides and of single players."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from referee.adjudicator.cases import Case
from referee.adjudicator.judging import verdict_of
from referee.adjudicator.offence_verdicts import offences
from scoring.profiles import Profile, load
from tests.markup import flat
from tests.tournaments.factories import signed_in
from tests.tournaments.playing import event
from tournaments.models import Tournament

RULES = load("cn-national-2d")
ALONE = load("sandayi", individual=True)


@pytest.mark.parametrize(
    ("rules", "asked", "said", "following"),
    [
        (RULES, {"irregularity": "signal_card_missing"}, "N–S: no signal card: a warning.", "Next time: a warning."),
        (
            RULES,
            {"irregularity": "withdraw", "by": "EW"},
            "E–W: leaves the event: the match is forfeited.",
            "forfeited",
        ),
        (ALONE, {"irregularity": "withdraw", "by": "2"}, "Seat 2: leaves the event: the table is forfeited", "Next"),
        (ALONE, {"irregularity": "take_back", "by": "3", "earlier": "1"}, "second time", "Next time"),
    ],
)
def test_the_schedule_says_what_it_costs(rules: Profile, asked: dict[str, str], said: str, following: str) -> None:
    verdict = verdict_of("offence", rules, asked)
    assert said in verdict.headline["en"]
    assert following in verdict.then[0]["en"]
    lines = [one.text for one in verdict.lines]
    assert f"(penalty.{asked['irregularity']}." in " ".join(one["en"] for one in lines)
    assert all(one["zh"] for one in lines)


@pytest.mark.parametrize("rules", [RULES, ALONE])
def test_every_irregularity_is_judged_or_asks_for_what_it_needs(rules: Profile) -> None:
    facts = {"found": "later", "cards": "3", "minutes": "20", "attackers_total": "60"}
    for one in offences(Case.of("offence", rules, {})):
        verdict = verdict_of("offence", rules, {"irregularity": one.code, **facts})
        assert verdict.is_judged or [found.code for found in verdict.findings] == ["irregularity_unclear"], one.code
        bare = verdict_of("offence", rules, {"irregularity": one.code})
        assert bare.is_judged or all(found.message["zh"] for found in bare.findings), one.code


@pytest.mark.parametrize(
    ("asked", "code"),
    [({"irregularity": "spits"}, "unknown_value"), ({"irregularity": "late", "minutes": "x"}, "wrong_type")],
)
def test_what_is_no_answer_is_told(asked: dict[str, str], code: str) -> None:
    verdict = verdict_of("offence", RULES, asked)
    assert not verdict.is_judged
    assert verdict.findings


def test_the_page_asks_for_what_happened_and_tells_it_in_both_languages() -> None:
    page = flat(Client().get("/en/adjudicator/offence/", {"profile": "sandayi"}).content.decode())
    assert "Choose what happened." in page.partition('id="verdict"')[2]
    assert "tells who the friend is" not in page, "nobody has one there"
    assert "tells who the friend is" in flat(
        Client().get("/en/adjudicator/offence/?profile=zhaopengyou").content.decode()
    )
    assert 'value="illegal_information"' in page
    two = flat(Client().get("/en/adjudicator/offence/", {"profile": RULES.id}).content.decode())
    assert 'value="illegal_information"' not in two, "a question of its own"
    told = flat(
        Client()
        .get("/zh/adjudicator/offence/", {"profile": "sandayi", "irregularity": "withdraw", "by": "2"})
        .content.decode()
    )
    assert "2 号位退赛：该玩家本桌弃权。" in told
    assert "再犯：" in told


def test_the_page_shows_whom_it_takes_for_the_dealer() -> None:
    asked = {"profile": RULES.id, "irregularity": "revoke", "by": "NS", "found": "later"}
    page = flat(Client().get("/en/adjudicator/offence/", asked).content.decode())
    assert re.search(r'name="dealer" value="S"[^>]* checked', page.partition('name="by"')[2])
    assert "Seen later, the dealer side at fault" in page
    other = flat(Client().get("/en/adjudicator/offence/", asked | {"dealer": "E"}).content.decode())
    assert re.search(r'name="dealer" value="E"[^>]* checked', other)
    assert "the dealer side at fault" not in other


@pytest.mark.parametrize(
    ("schedule", "said"),
    [("", "1 level"), ("strict", "3 levels"), ("friendly", "a warning"), ("singles", "1 level"), ("none", "1 level")],
)
def test_other_penalties_can_be_asked_for(schedule: str, said: str) -> None:
    asked = {"irregularity": "take_back", "by": "EW", "schedule": schedule}
    assert said in verdict_of("offence", RULES, asked).headline["en"]


@pytest.mark.django_db
def test_an_event_is_asked_by_its_own_penalties(django_assert_num_queries: Any) -> None:
    made = event(2)
    own = {"base": "friendly", "set": {"take_back.play": [{"unit": "levels", "of": "guilty", "amount": -2}]}}
    Tournament.objects.filter(pk=made.tournament.pk).update(penalties=own)
    asked = {"event": made.tournament.slug, "irregularity": "take_back", "by": "EW"}
    client = Client()
    with django_assert_num_queries(1):  # the event is read once
        page = flat(client.get("/zh/adjudicator/offence/", asked).content.decode())
    assert re.search(r'<option value="" selected> ?本赛事所定 ?</option>', page)
    assert "降 2 级" in page
    assert "这是本赛事所定的处罚。" in page
    assert "赛事可另定处罚" not in page
    other = flat(client.get("/zh/adjudicator/offence/", asked | {"schedule": "strict"}).content.decode())
    assert re.search('<option value="strict" selected> ?从严处罚表 ?</option>', other)
    assert "降 3 级" in other
    assert "赛事可另定处罚。" in other, "of the strict ones that is true"


@pytest.mark.django_db
def test_an_official_makes_it_a_ruling() -> None:
    made = event(2)
    chief = signed_in(made.actor)
    asked = {"event": made.tournament.slug, "irregularity": "take_back", "by": "EW"}
    page = chief.get("/en/adjudicator/offence/", asked).content.decode()
    there = f"/desk/{made.tournament.slug}/rulings/new/?irregularity=take_back&amp;by=EW"
    assert there in page
    ruling = chief.get(there.replace("&amp;", "&"))
    assert ruling.status_code == 200
    assert "take_back" in ruling.content.decode()
