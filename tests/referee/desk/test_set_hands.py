"""Hands that are set, as an organiser writes them: level, dealer, trump, and how many alike."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from referee.desk.set_hands import read, written
from referee.parts.stage_words import fixed_words
from tests.referee.desk.test_stages import made, typed
from tests.tournaments.factories import AT
from tournaments.models import Stage
from tournaments.plans.plan import Plan

WRITTEN = [
    ("", []),
    ("2, 3", [{"level": "2"}, {"level": "3"}]),
    ("5N", [{"level": "5", "dealer": "N"}]),
    ("5N/S", [{"level": "5", "dealer": "N", "trump": "S"}]),
    ("10/NT", [{"level": "10", "trump": "NT"}]),
    ("A/H, KE/D", [{"level": "A", "trump": "H"}, {"level": "K", "dealer": "E", "trump": "D"}]),
    ("3x2/C", [{"level": "2", "trump": "C"}] * 3),
    ("2, 2, 3x5W", [{"level": "2"}, {"level": "2"}, *[{"level": "5", "dealer": "W"}] * 3]),
]
READ = [
    ("5n/s", "5N/S"),
    ("5N♠ 3♥", "5N/S, 3/H"),
    ("5♠\ufe0f", "5/S"),
    ("5N／黑桃，6/无主", "5N/S, 6/NT"),
    ("3×2/h；4*Q", "3x2/H, 4xQ"),
]


@pytest.mark.parametrize(("text", "hands"), WRITTEN)
def test_hands_are_written_as_they_are_read(text: str, hands: list[dict[str, Any]]) -> None:
    assert read(text) == hands
    assert written(Plan.from_json({"fixed": hands}).fixed) == text


@pytest.mark.parametrize(("typed_so", "text"), READ)
def test_a_phone_types_them_its_own_way(typed_so: str, text: str) -> None:
    assert written(Plan.from_json({"fixed": read(typed_so)}).fixed) == text


@pytest.mark.django_db
def test_trumps_set_over_the_api_stay_when_the_form_is_saved(somebody: Client) -> None:
    event = made(somebody, "F19")
    hands = [{"level": "2", "dealer": "N", "trump": "S"}, {"level": "5", "trump": "NT"}, *[{"level": "7"}] * 6]
    Stage.objects.filter(tournament=event).update(plan={"order": "drawn", "fixed": hands})
    answer = somebody.post("/desk/autumn/stages/1/", typed(somebody))
    assert answer.status_code == 303, answer.context["form"].errors
    assert Stage.objects.get().plan["fixed"] == hands
    page = somebody.get("/desk/autumn/setup/").content.decode()
    assert "2 North spades" in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "said"),
    [("2/Q, 7x3", "Q"), ("2/, 7x3", "trump"), ("/S, 7x3", ""), ("0x2, 7x3", "0x2"), ("9999x2", "9999x2")],
)
def test_what_cannot_be_read_is_said_at_its_field(somebody: Client, text: str, said: str) -> None:
    made(somebody, "F19")
    answer = somebody.post("/desk/autumn/stages/1/", typed(somebody) | {"fixed": text})
    assert answer.status_code == 400
    assert said in str(answer.context["form"].errors["fixed"])


def test_equal_hands_are_told_once() -> None:
    plan = Plan.from_json({"fixed": [{"level": "2", "trump": "H"}] * 4 + [{"level": "3", "dealer": "W"}]})
    assert fixed_words(plan) == "4\u00a0×\u00a02 hearts, 3 West"


@pytest.mark.django_db
@pytest.mark.parametrize("scoring", ["points", "wins"])
def test_what_of_a_hand_counts_is_chosen_and_told(somebody: Client, scoring: str) -> None:
    made(somebody, "F19")
    page = somebody.get("/desk/autumn/stages/1/").content.decode()
    assert 'value="hand_points" checked' in page.replace("\n", " ")
    answer = somebody.post("/desk/autumn/stages/1/", typed(somebody) | {"fixed": "8x2N/S", "scoring": scoring})
    assert answer.status_code == 303, answer.context["form"].errors
    assert Stage.objects.get().directing.scoring == scoring
    assert f'value="{scoring}" checked' in somebody.get("/desk/autumn/stages/1/").content.decode()
    told = somebody.get("/desk/autumn/setup/").content.decode()
    assert {"points": "it took as attackers", "wins": "A hand that is won counts 1"}[scoring] in told
    assert {"points": "how many points it is ahead", "wins": "how many hands it is ahead"}[scoring] in told


@pytest.mark.django_db
@pytest.mark.parametrize(("preset", "said"), [("F1", None), ("F20", "Points taken")])
def test_a_begun_stage_tells_what_counts_only_where_hands_are_set(
    somebody: Client, preset: str, said: str | None
) -> None:
    event = made(somebody, preset)
    Stage.objects.filter(tournament=event).update(begun_at=AT)
    form = somebody.get("/desk/autumn/stages/1/").context["form"]
    words = {str(label): str(text) for _title, _fields, fixed in form.sections for label, text in fixed}
    assert words.get("What counts of each hand") == said


@pytest.mark.django_db
def test_what_counts_goes_back_with_the_hands(somebody: Client) -> None:
    made(somebody, "F20")
    sent = typed(somebody) | {"hands": ""}
    del sent["fixed"]
    answer = somebody.post("/desk/autumn/stages/1/", sent)
    assert "every hand has its level" in str(answer.context["form"].errors["scoring"])
    assert 'class="field-error"' in answer.content.decode()
    answer = somebody.post("/desk/autumn/stages/1/", sent | {"scoring": "hand_points"})
    assert answer.status_code == 303, answer.context["form"].errors
    assert "scoring" not in Stage.objects.get().plan
