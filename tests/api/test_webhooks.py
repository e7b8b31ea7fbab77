"""Webhooks over the API: an organiser's program names an address, tries it and reads how it answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from knox.models import get_token_model

from tests.tournaments import playing
from tests.tournaments.receiver import Receiver, receiving, status
from tournaments.models import Webhook
from tournaments.webhooks import telling

pytestmark = pytest.mark.django_db


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_PRIVATE = settings.WEBHOOK_HTTP = True
    with receiving() as made:
        yield made


class Program:
    """A program of an organiser."""

    def __init__(self) -> None:
        self.event = playing.event(4)
        _, token = get_token_model().objects.create(user=self.event.actor.user)
        self.headers = {"Authorization": f"Bearer {token}"}

    def asks(self, method: str, part: str = "", body: Any = None) -> Any:
        address = f"/api/v1/events/{self.event.tournament.slug}/webhooks/{part}"
        return getattr(Client(), method)(address, body, content_type="application/json", headers=self.headers)


def test_from_the_first_address_to_the_last(receiver: Receiver) -> None:
    program = Program()
    made = program.asks("post", body={"address": receiver.address})
    assert made.status_code == 201, made.content
    secret = made.json()["secret"]
    assert made.json()["kinds"] == ["hand", "round", "publication"]
    assert secret not in program.asks("get").content.decode()
    receiver.answers = [status(503), status(204)]
    for answer, trouble in ((503, "status"), (204, "")):
        assert program.asks("post", "1/test/").status_code == 202
        telling.tell_all()
        test = program.asks("get", "1/").json()["test"]
        assert (test["answer"], test["trouble"], test["line"]) == (answer, trouble, None)
    assert all(one.is_signed(secret) for one in receiver.messages)
    renewed = program.asks("post", "1/secret/").json()["secret"]
    assert renewed != secret
    assert program.asks("post", "1/stop/").json()["stopped_by"] == "desk"
    assert program.asks("post", "1/go-on/").json()["stopped_at"] is None
    assert program.asks("post", "1/give-up/").json()["error"]["code"] == "nothing_waits"
    assert program.asks("post", "1/lines/3/again/").status_code == 404
    assert program.asks("delete", "1/").status_code == 204
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"address": "https://10.0.0.1/"}, "bad_webhook_address"),
        ({"address": "http://club.example/"}, "bad_webhook_address"),
        ({"address": "https://club.example/", "kinds": []}, "bad_webhook_kinds"),
    ],
)
def test_what_is_refused(body: Any, code: str) -> None:
    assert Program().asks("post", body=body).json()["error"]["code"] == code
