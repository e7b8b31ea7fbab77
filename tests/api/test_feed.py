"""The feed of an event: every act in its order, and nothing that is not public anyway."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from knox.models import get_token_model

from tests.tournaments import playing
from tournaments.acts.leaves import digest_of
from tournaments.log.numbering import number_all
from tournaments.models import LogLeaf, Tournament
from tournaments.rounds.acts import create_round

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _heads_of_this_test(tmp_path: Any, settings: Any) -> None:
    settings.HEADS = tmp_path / "heads"


def lines(slug: str, query: str = "", **headers: str) -> list[dict[str, Any]]:
    answer = Client().get(f"/api/v1/events/{slug}/feed/{query}", headers=headers)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(one) for one in answer.content.decode().splitlines()]


def played() -> playing.Event:
    made = playing.event(4)
    made.running((1, 2), (3, 4))
    made.hand(playing.sittings_of(made.tournament.rounds.get())[0], 35)
    number_all(at=timezone.now())
    return made


def test_every_act_under_a_head_in_its_order_with_what_is_public_of_it() -> None:
    made = played()
    found = lines(made.tournament.slug)
    assert [one["number"] for one in found] == list(range(LogLeaf.objects.filter(tournament=made.tournament).count()))
    public = [said for one in found for said in one["public"]]
    assert [said["status"] for said in public if said["what"] == "round"] == ["published", "running"]
    assert {"what": "hand", "round": 1, "table": 1, "hand": 1} in public
    names = [one.name for one in made.tournament.entrants.all()]
    assert not any(name in json.dumps(found, ensure_ascii=False) for name in names)
    assert found[-2:] == lines(made.tournament.slug, f"?after={found[-3]['number']}")
    assert found[:2] == lines(made.tournament.slug, "?limit=2")
    assert lines(made.tournament.slug, f"?after={found[-1]['number']}") == []


def test_what_is_kept_back_says_nothing() -> None:
    made = played()
    hand = {"what": "hand", "round": 1, "table": 1, "hand": 1}
    Tournament.objects.filter(pk=made.tournament.pk).update(live_public=False)
    number_all(at=timezone.now() + timedelta(seconds=1))
    found = [said for one in lines(made.tournament.slug) for said in one["public"]]
    assert hand not in found  # hidden live standings
    assert not any(said.get("round") == 2 for said in found)


def test_a_draft_is_not_in_it() -> None:
    made = playing.event(4)
    create_round(tournament_id=made.tournament.pk, actor=made.actor, at=timezone.now())
    number_all(at=timezone.now())
    assert not any(one["public"] for one in lines(made.tournament.slug))


def test_what_acts_wrote_is_for_organisers() -> None:
    made = played()
    address = f"/api/v1/events/{made.tournament.slug}/feed/?acts=1"
    assert Client().get(address).status_code == 403
    _, token = get_token_model().objects.create(user=made.actor.user)
    found = lines(made.tournament.slug, "?acts=1", Authorization=f"Bearer {token}")
    assert all(digest_of(one["body"]) == one["digest"] for one in found)


@pytest.mark.parametrize("query", ["?after=x", "?after=-1", f"?after={2**63}", "?limit=0", "?limit=501", "?limit=a"])
def test_what_cannot_be_read(query: str) -> None:
    made = playing.event(4)
    assert Client().get(f"/api/v1/events/{made.tournament.slug}/feed/{query}").status_code == 400


def test_it_asks_the_database_as_often_however_much_happened() -> None:
    counts = []
    for hands in (1, 3):
        made = playing.event(4)
        made.running((1, 2), (3, 4))
        for sitting in playing.sittings_of(made.tournament.rounds.get()):
            for _ in range(hands):
                made.hand(sitting, 35)
        number_all(at=timezone.now())
        with CaptureQueriesContext(connection) as asked:
            lines(made.tournament.slug)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 7
