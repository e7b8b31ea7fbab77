"""Draws through the API: drawn, asked about, drawn again, published, read by everybody."""

from __future__ import annotations

import pytest

from tests.api import hall
from tests.api.client import Api
from tests.tournaments.playing import Event, event
from tournaments.draws.documents import document_again

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Event:
    return event(5, units={1: "Harbour", 2: "Harbour"})


@pytest.fixture
def desk(made: Event) -> Api:
    return hall.desk(made.actor)


@pytest.mark.long
def test_a_round_is_drawn_and_questioned_and_published(made: Event, desk: Api) -> None:
    here = f"events/{made.tournament.slug}/rounds/1"
    assert desk.post(f"events/{made.tournament.slug}/rounds/", {}).status == 201
    assert desk.post(f"{here}/why-not/", {"one": 1, "other": 2}).status == 404
    drawn = desk.post(f"{here}/draw/", {"first_table": 5}).json["draw"]
    assert (drawn["number"], drawn["method"], drawn["reason"]) == (1, "swiss", "")
    assert [one["table"] for one in drawn["document"]["meetings"]] == [5, 6, None]

    said = desk.post(f"{here}/why-not/", {"one": 1, "other": 2}).json
    assert (said["feasible"], said["dearer_in"]) == (True, "unit")
    assert "1 号对 2 号" in said["sentence"]["zh"]
    assert desk.post(f"{here}/why-not/", {"one": 1, "other": 77}).error["code"] == "unknown_entrant"

    assert Api().get(f"{here}/draw/").status == 404
    again = desk.post(f"{here}/draw/", {})
    assert (again.status, again.error["code"]) == (400, "reason_required")
    redrawn = desk.post(f"{here}/draw/", {"reason": "other hall", "first_table": 5}).json["draw"]
    assert (redrawn["number"], redrawn["digest"]) == (2, drawn["digest"])

    assert desk.post(f"{here}/publish/", {"accept": False}).status == 200
    own = Api().get(f"events/{made.tournament.slug}/matches/?entrant=1").json["results"]
    assert [(one["round"], one["outcome"]) for one in own] == [(1, "pending")]
    assert 1 in (own[0]["home"]["number"], (own[0]["away"] or own[0]["home"])["number"])
    read = Api().get(f"{here}/draw/").json
    assert document_again(read["draw"]["document"]) == read["draw"]["document"]
    assert read["pairings"][0]["document"]["draw"] == {"number": 2, "digest": drawn["digest"]}
    assert "Harbour" in str(read["draw"]["document"]["question"]["entrants"])
    assert "Pair 1" not in str(read)


@pytest.mark.long
def test_what_the_check_finds_is_published_only_when_accepted(made: Event, desk: Api) -> None:
    here = f"events/{made.tournament.slug}/rounds/1"
    desk.post(f"events/{made.tournament.slug}/rounds/", {})
    pairs = [{"home": 1, "away": 2}, {"home": 3, "away": 4}, {"home": 5, "away": None}]
    assert [one["code"] for one in desk.post(f"{here}/pair/", {"pairs": pairs}).json["findings"]] == ["same_unit"]
    for body in ({}, {"accept": False}):
        refused = desk.post(f"{here}/publish/", body).error
        assert refused["code"] == "findings_not_accepted"
        assert refused["findings"]
    assert desk.post(f"{here}/publish/", {"accept": True}).status == 200
    said = Api().get(f"{here}/draw/").json["draw"]["document"]["judged"]
    assert said["dearer_in"] == "unit"
    assert (said["total"]["unit"], said["best"]["unit"]) == (1, 0)


@pytest.mark.parametrize(
    "body",
    [
        {"first_table": 0},
        {"first_table": "one"},
        {"first_dealer": "X"},
        {"method": "lots"},
    ],
)
def test_bad_input_is_refused(made: Event, desk: Api, body: dict[str, object]) -> None:
    desk.post(f"events/{made.tournament.slug}/rounds/", {})
    answer = desk.post(f"events/{made.tournament.slug}/rounds/1/draw/", body)
    assert answer.status == 400
    assert Api().get(f"events/{made.tournament.slug}/rounds/1/draw/").status == 404
