"""Entrants kept apart at the desk and over the API: said, shown where a pairing breaks it, and taken back."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.api.hall import desk
from tests.tournaments.factories import signed_in
from tests.tournaments.playing import Event, colleague, event
from tests.tournaments.test_apart import apart
from tournaments.models import Entrant, KeptApart, Office
from tournaments.rounds.acts import create_round
from tournaments.stages.apart import kept_in

pytestmark = pytest.mark.django_db

TYPED = {"one": "1", "other": "3", "force": "must", "reason": "siblings"}


def at(made: Event, part: str = "apart/") -> str:
    return f"/desk/{made.tournament.slug}/{part}"


def page(client: Client, address: str) -> str:
    answer = client.get(address, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return answer.content.decode()


def test_two_are_kept_apart_and_may_meet_again() -> None:
    made = event(4)
    official = signed_in(made.actor)
    assert "Nobody is kept apart." in page(official, at(made))
    assert official.post(at(made), TYPED).status_code == 303
    told = page(official, at(made))
    assert "must never meet" in told
    assert "siblings" in told
    assert 'Kept apart <span class="num">1</span>' in " ".join(page(official, at(made, "entrants/")).split())
    refused = official.post(at(made, "apart/1/end/"), {"reason": ""}, headers={"accept-language": "en"})
    assert refused.status_code == 400
    assert '<details class="more" open>' in refused.content.decode()
    assert official.post(at(made, "apart/1/end/"), {"reason": "settled"}).status_code == 303
    assert kept_in(made.tournament) == []
    assert official.post(at(made, "apart/2/end/"), {"reason": "settled"}).status_code == 404
    history = page(official, at(made, "history/"))
    assert "kept two entrants apart" in history
    assert "let two entrants meet again" in history
    assert "1 – 3" in history


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"other": "1"}, "Name two different entrants of this event."),
        ({"other": "77"}, "Name two different entrants of this event."),
        ({"one": "2", "other": "1"}, "These two are kept apart already."),
        ({"force": "perhaps"}, "Select a valid choice"),
        ({"reason": ""}, "This field is required."),
    ],
)
def test_what_is_wrong_stands_in_the_form(typed: dict[str, str], sentence: str) -> None:
    made = event(4)
    apart(made, 1, 2)
    answer = signed_in(made.actor).post(at(made), TYPED | typed, headers={"accept-language": "en"})
    assert answer.status_code in (400, 409, 422)
    assert sentence in answer.content.decode()
    assert KeptApart.objects.count() == 1


def test_referees_see_it_and_change_nothing() -> None:
    made = event(4)
    apart(made, 1, 2)
    referee = signed_in(colleague(made, Office.REFEREE))
    told = page(referee, at(made))
    assert "siblings" in told
    assert 'name="reason"' not in told
    assert referee.post(at(made), TYPED).status_code == 403
    assert referee.post(at(made, "apart/1/end/"), {"reason": "settled"}).status_code == 403


def test_in_a_large_field_they_are_named_by_number() -> None:
    made = event(4)
    rows = [Entrant(tournament=made.tournament, number=number, name=f"Pair {number}") for number in range(5, 105)]
    Entrant.objects.bulk_create(rows)
    official = signed_in(made.actor)
    assert "The number of the entrant." in page(official, at(made))
    assert official.post(at(made), TYPED | {"other": "104"}).status_code == 303
    assert kept_in(made.tournament)[0].other.number == 104


def test_the_pairing_by_hand_that_breaks_it_says_so() -> None:
    made = event(4)
    apart(made, 1, 2)
    made.paired((1, 2), (3, 4))
    told = page(signed_in(made.actor), at(made, "rounds/1/pair/"))
    assert "1 and 2 must be kept apart." in told
    assert "kept apart\n" in told


def test_over_the_api() -> None:
    made = event(4)
    api = desk(made.actor)
    path = f"events/{made.tournament.slug}/apart/"
    said = {"entrants": [3, 1], "force": "rather", "reason": "siblings"}
    kept = api.ok("POST", path, said)
    assert ([one["number"] for one in kept["entrants"]], kept["force"]) == ([1, 3], "rather")
    assert api.ok("GET", path)["kept"] == [kept]
    assert api.post(path, said).error["code"] == "kept_apart_already"
    create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    drawn = api.ok("POST", f"events/{made.tournament.slug}/rounds/1/draw/", {})["draw"]["document"]
    ids = made.ids
    assert drawn["question"]["apart"] == [[ids[1], ids[3], "rather"]]
    why = api.ok("POST", f"events/{made.tournament.slug}/rounds/1/why-not/", {"one": 1, "other": 3})
    assert (why["dearer_in"], why["total"]["rather_apart"]) == ("rather_apart", 1)
    ended = api.ok("POST", f"{path}1/end/", {"reason": "settled"})
    assert ended["revoked_why"] == "settled"
    assert api.ok("GET", path)["kept"] == []
