"""The page of the webhooks at the desk, without scripts: who is told, how they answer, in plain words."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.markup import flat
from tests.tournaments import factories
from tests.tournaments.factories import Hall
from tests.tournaments.receiver import Receiver, receiving, status
from tournaments.models import HookDelivery, HookState, Webhook
from tournaments.models.webhooks import StoppedBy
from tournaments.webhooks import telling

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _allowed(settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = settings.WEBHOOK_HTTP = True


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


def at(hall: Hall, part: str = "") -> str:
    return f"/desk/{hall.event.slug}/webhooks/{part}"


def text(browser: Client, hall: Hall) -> str:
    page = browser.get(at(hall))
    assert page.status_code == 200
    return words(page.content)


def words(content: bytes) -> str:
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", flat(content.decode())).split()))


def make(browser: Client, hall: Hall, address: str) -> str:
    """Name an address; the secret that is shown."""
    answer = browser.post(at(hall, "new/"), {"address": address, "kinds": ["hand", "round"]})
    assert answer.status_code == 200
    found = re.search(r'id="secret">([^<]+)<', answer.content.decode())
    assert found is not None
    return html.unescape(found[1])


def test_an_address_its_secret_shown_once_and_a_test(hall: Hall, organiser: Client, receiver: Receiver) -> None:
    assert "No address is told anything yet." in text(organiser, hall)
    secret = make(organiser, hall, receiver.address)
    shown = organiser.get(at(hall)).content.decode()
    assert receiver.address in html.unescape(shown)
    assert secret not in html.unescape(shown)
    assert organiser.post(at(hall, "1/"), {"do": "test"}).status_code == 303
    assert "Last test: on its way" in text(organiser, hall)
    telling.tell_all()
    (message,) = receiver.messages
    assert message.is_signed(secret)
    assert message.told == {
        "type": "referee.test",
        "timestamp": HookDelivery.objects.get().made_at.isoformat(),
        "data": {"event": hall.event.slug},
    }
    assert re.search(r"Last test: their server took it \(200\), \d+ s ago", text(organiser, hall))
    receiver.answers = [status(302, "Location: http://127.0.0.1:9/")]
    organiser.post(at(hall, "1/"), {"do": "test"})
    telling.tell_all()
    assert "their server said 302 and points elsewhere, which is not followed" in text(organiser, hall)
    other = re.search(r'id="secret">([^<]+)<', organiser.post(at(hall, "1/secret/")).content.decode())
    assert other is not None
    assert html.unescape(other[1]) != secret


@pytest.mark.parametrize(
    ("language", "said", "next_try", "behind"),
    [
        ("en", "their server said 500, 3 min ago", "Next try in 7 min.", "3 acts of the log wait behind it."),
        ("zh-hans", "对方服务器答复 500，3 分前", "7 分后再试。", "后面还有 3 条日志记录等着。"),
    ],
)
def test_how_they_answer_in_plain_words(hall: Hall, language: str, said: str, next_try: str, behind: str) -> None:
    browser, now = factories.signed_in(hall.organiser, language), timezone.now()
    hook = Webhook.objects.create(
        tournament=hall.event, number=1, address="https://club.example/", kinds=["hand"], secret_at=now, made_at=now,
        failing_since=now,
    )  # fmt: skip
    row = HookDelivery.objects.create(
        webhook=hook, number=4, tries=4, tried_at=now - timedelta(minutes=3), answer=500, trouble="status",
        made_at=now, due_at=now + timedelta(minutes=7, seconds=30),
    )  # fmt: skip
    from tournaments.models import LogHead

    size = 8
    hook.after = size - 4
    hook.save()
    LogHead.objects.create(tournament=hall.event, size=size, root="", at=now, signature="", frontier="[]")
    page = text(browser, hall)
    assert said in page
    assert next_try in page
    assert behind in page
    for trouble in ("no_name", "not_allowed", "no_connection", "slow", "tls", "broken", "secret"):
        HookDelivery.objects.update(trouble=trouble, answer=None)
        assert f" {trouble}, 3 " not in text(browser, hall)
    for why in StoppedBy.values:
        Webhook.objects.update(stopped_at=now, stopped_by=why)
        assert text(browser, hall) != page
    row.state = HookState.DEAD
    row.save()
    page = browser.get(at(hall)).content.decode()
    assert 'name="line" value="4"' in page


def test_the_buttons(hall: Hall, organiser: Client, receiver: Receiver) -> None:
    make(organiser, hall, receiver.address)
    now = timezone.now()
    HookDelivery.objects.create(webhook=Webhook.objects.get(), number=1, tries=1, made_at=now, due_at=now, message="m")
    for do in ("give_up", "stop", "go_on"):
        assert organiser.post(at(hall, "1/"), {"do": do}).status_code == 303
    assert organiser.post(at(hall, "1/"), {"do": "give_up"}).status_code == 409
    assert organiser.post(at(hall, "1/"), {"do": "again", "line": "1"}).status_code == 303
    assert "on its way" in text(organiser, hall)
    for wrong in ({}, {"do": "x"}, {"do": "again"}, {"do": "again", "line": "9"}):
        assert organiser.post(at(hall, "1/"), wrong).status_code == 404
    assert organiser.post(at(hall, "7/"), {"do": "stop"}).status_code == 404
    assert organiser.post(at(hall, "1/"), {"do": "remove"}).status_code == 303
    assert not Webhook.objects.exists()


def test_what_is_refused_comes_back_as_typed(hall: Hall, organiser: Client, referee: Client) -> None:
    answer = organiser.post(at(hall, "new/"), {"address": "ftp://club.example/", "kinds": ["round"]})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert 'value="ftp://club.example/"' in page
    assert re.findall(r'value="(\w+)"\s+checked', flat(page)) == ["round"]
    assert "This is no address" in page
    assert organiser.post(at(hall, "new/"), {"address": "https://club.example/"}).status_code == 400
    assert referee.get(at(hall)).status_code == 403
    assert "webhooks/" not in referee.get(f"/desk/{hall.event.slug}/").content.decode()
