"""Stages and forms of events through the API."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.api.client import Api
from tests.api.hall import desk
from tests.tournaments import playing
from tests.tournaments.factories import user
from tournaments.acts.admission import Actor
from tournaments.models import Tournament
from tournaments.plans.presets import PRESETS
from tournaments.stages.forms import Form

pytestmark = pytest.mark.django_db

NEW = {"name": "Open", "slug": "open"}


def somebody() -> Api:
    return desk(Actor(user=user()))


@pytest.mark.long
def test_an_event_is_made_again_from_its_form() -> None:
    api = somebody()
    for preset in api.ok("GET", "presets/")["results"]:
        first = api.ok("POST", "events/", NEW | {"slug": f"a-{preset['id'].lower()}", "preset": preset["id"]})
        form = Api().get(f"events/{first['slug']}/form/")
        assert (json.loads(form.raw), form.raw.decode()) == (
            preset["form"],
            Form.of_preset(PRESETS[preset["id"]]).text(),
        )
        again = api.ok("POST", "events/", NEW | {"slug": f"b-{preset['id'].lower()}", "form": json.loads(form.raw)})
        assert again["stages"] == first["stages"]
        assert api.get(f"events/{again['slug']}/form/").raw == form.raw


def test_a_form_keeps_what_the_regulation_says_and_forgets_the_event() -> None:
    of = playing.event(8, preset="F7")
    api, address = desk(of.actor), f"events/{of.tournament.slug}/"
    api.ok("PATCH", address, {"appeal_minutes": 20})
    before = api.get(f"{address}form/").raw
    api.ok("POST", f"{address}stages/1/begin/", {})
    assert api.get(f"{address}form/").raw == before
    assert json.loads(before)["appeal_minutes"] == 20
    assert b"Pair" not in before
    assert of.tournament.slug.encode() not in before


@pytest.mark.parametrize(
    ("form", "codes"),
    [
        ([], ["wrong_type"]),
        ({"format": "referee/form/2", "profile": "x", "stages": [{"format": "rr"}]}, ["unknown_value"]),
        (
            {"format": "referee/form/1", "stages": [{"colour": 1}, 2], "name": "x"},
            ["missing", "missing", "unknown_field", "wrong_type", "unknown_field"],
        ),
        ({"format": "referee/form/1", "profile": "cn-national-2d", "stages": []}, ["missing"]),
        ({"format": "referee/form/1", "profile": "nobody", "stages": [{"format": "rr"}]}, ["unknown_profile"]),
        (
            {"format": "referee/form/1", "profile": "cn-national-2d", "penalties": "x", "stages": [{"format": "rr"}]},
            ["unknown_value"],
        ),
    ],
)
def test_a_form_is_read_strictly(form: Any, codes: list[str]) -> None:
    answer = somebody().post("events/", NEW | {"form": form})
    assert answer.status == 400
    found = [one["code"] for one in answer.error["findings"]] or [answer.error["code"]]
    assert sorted(found) == sorted(codes), answer.error
    assert not Tournament.objects.exists()


def test_what_is_wrong_in_several_stages_is_told_with_their_numbers() -> None:
    stages = [{"format": "groups_rr"}, {"format": "rr"}, {"format": "ko_timed", "tie_rule": "draw"}]
    form = {"format": "referee/form/1", "profile": "cn-national-2d", "stages": stages}
    error = somebody().post("events/", NEW | {"form": form}).error
    assert [(one["code"], one["params"]["stage"]) for one in error["findings"]] == [
        ("groups_missing", 1),
        ("knockout_draw", 3),
    ]


def test_a_form_or_a_preset_not_both() -> None:
    form = Form.of_preset(PRESETS["F1"]).to_json()
    answer = somebody().post("events/", NEW | {"form": form, "preset": "F1"})
    assert (answer.status, answer.error["code"]) == (400, "two_forms")


def test_stages_are_set_up_and_begun() -> None:
    of = playing.event(6, preset=None)
    api, address = desk(of.actor), f"events/{of.tournament.slug}/"
    knockout = {"format": "ko_timed", "plan": {"qualify": 2, "crossed": True}}
    refused = api.post(f"{address}stages/", knockout)
    assert (refused.status, refused.error["code"], refused.error["field"]) == (
        400,
        "nothing_to_cross",
        "stage.plan.crossed",
    )
    groups = {"format": "groups_rr", "plan": {"groups": 2}, "rounds_planned": None}
    assert api.ok("PATCH", f"{address}stages/1/", groups)["plan"] == {"groups": 2, "rounds_by_field": True}
    assert api.ok("POST", f"{address}stages/", knockout)["number"] == 2
    wanted = [[6, 1, 2], [5, 3, 4]]
    begun = api.ok("POST", f"{address}stages/1/begin/", {"groups": wanted})
    assert (begun["rounds_planned"], begun["begun_at"] is not None) == (3, True)
    assert [(one["entrant"], one["group"]) for one in begun["field"]] == [
        (6, 1),
        (5, 2),
        (1, 1),
        (3, 2),
        (2, 1),
        (4, 2),
    ]
    assert Api().ok("GET", f"{address}stages/1/")["field"] == begun["field"]
    answer = api.post(f"{address}stages/1/begin/", {"order": [99], "reason": "x"})
    assert (answer.status, answer.error["code"]) == (400, "unknown_entrant")
    early = api.post(f"{address}rounds/", {"stage": 2})
    assert (early.status, early.error["code"]) == (409, "stage_not_begun")
    api.ok("DELETE", f"{address}stages/2/")
    assert [one["number"] for one in api.ok("GET", address)["stages"]] == [1]
    assert [one["number"] for one in api.ok("GET", f"{address}stages/")["results"]] == [1]
    assert api.ok("POST", f"{address}rounds/", {})["extra"] is False
