"""Idempotency keys at the doors: whose they are, who may repeat, what is kept and for how long."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from tests.api.client import Answer, Api
from tests.api.hall import ApiHall, api_hall, desk
from tests.tournaments import factories, playing
from tournaments.acts.keys import KEPT_FOR
from tournaments.ledger import devices
from tournaments.ledger.codes import party_code_text
from tournaments.models import Device, Entrant, Official, Player, SavedAnswer
from tournaments.people.erasure import erase_person
from tournaments.tasks import sweep

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def nobody_has_tried() -> None:
    cache.clear()


@pytest.fixture
def here(db: None) -> ApiHall:
    return api_hall()


def add(api: Api, event: str, name: str = "Late pair", key: str = "k") -> Answer:
    body = {"name": name, "players": [{"name": f"{name} 1"}, {"name": f"{name} 2"}]}
    return api.call("POST", f"events/{event}/entrants/", body, Idempotency_Key=key)


def test_three_equal_requests_make_one_entrant() -> None:
    made = playing.event(2)
    api = desk(made.actor)
    answers = [add(api, made.tournament.slug) for _ in range(3)]
    assert {(one.status, one.raw) for one in answers} == {(201, answers[0].raw)}
    assert Entrant.objects.filter(name="Late pair").count() == 1
    assert add(api, made.tournament.slug, "Another").error["code"] == "key_reused"
    assert add(api, made.tournament.slug, key="another").status == 409  # its players are namesakes


def test_an_erased_person_is_in_no_repeat() -> None:
    made = playing.event(2)
    api = desk(made.actor)
    add(api, made.tournament.slug)
    for player in Player.objects.filter(entrant__name="Late pair"):
        erase_person(player_id=player.pk, actor=made.actor, at=made.tick())
    assert "Late pair 1" not in add(api, made.tournament.slug).raw.decode()
    assert "Late" not in SavedAnswer.objects.get().answer


def test_who_may_no_longer_do_it_hears_no_repeat() -> None:
    made = playing.event(2)
    api = desk(made.actor)
    assert add(api, made.tournament.slug).status == 201
    Official.objects.filter(tournament=made.tournament).update(revoked_at=timezone.now())
    assert add(api, made.tournament.slug).error["code"] == "forbidden"


def test_answers_end_with_their_term() -> None:
    made = playing.event(2)
    api = desk(made.actor)
    add(api, made.tournament.slug)
    sweep()
    assert SavedAnswer.objects.count() == 1
    SavedAnswer.objects.update(saved_at=timezone.now() - KEPT_FOR - timedelta(minutes=1))
    sweep()
    assert SavedAnswer.objects.count() == 0


def test_a_sign_in_is_done_once_and_its_token_is_kept_nowhere() -> None:
    user = factories.user("keeper")
    user.set_password("quiet-Harbour-77")
    user.save()
    body = {"username": "wrong", "password": "quiet-Harbour-77"}

    def sign_in(**more: Any) -> Answer:
        return Api().call("POST", "tokens/", body | more, Idempotency_Key="k")

    assert sign_in().status == 401  # a refusal frees the key
    made = sign_in(username=user.username)
    again = sign_in(username=user.username)
    assert (made.status, again.status, again.error["code"]) == (201, 409, "shown_once")
    assert user.auth_token_set.count() == 1
    kept = SavedAnswer.objects.get()
    assert kept.scope.startswith("door:")
    assert made.json["token"] not in kept.answer
    assert sign_in(username="other").status == 422


def test_a_place_is_claimed_once(here: ApiHall) -> None:
    made = devices.issue_codes(tournament_id=here.event.pk, actor=here.hall.organiser, at=timezone.now())
    code = next(one for one in made if one.side == "NS" and one.table_id == here.hall.sitting.table_id)
    before = Device.objects.count()
    body = {"code": party_code_text(code), "take_over": True}
    first, again = (Api().call("POST", "devices/", body, Idempotency_Key="k") for _ in range(2))
    assert (first.status, again.status, again.error["code"]) == (201, 409, "shown_once")
    assert Device.objects.count() == before + 1


def test_a_question_takes_no_key(here: ApiHall) -> None:
    for captured in (35, 40):
        here.ns.ok("POST", f"{here.sitting}/preview/", {"facts": here.first(captured)}, Idempotency_Key="k")
    assert here.ns.keyed(f"{here.sitting}/hands/", {"facts": here.first(), "hand_no": 1})["replayed"] is False
