"""The projector at the desk, without scripts, and the public screen that follows it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.tournaments import factories
from tests.tournaments.factories import Hall
from tournaments.models import Projector


@pytest.fixture
def chief(hall: Hall) -> Client:
    return factories.signed_in(hall.chief)


def at(hall: Hall, part: str = "projector/") -> str:
    return f"/desk/{hall.event.slug}/{part}"


def screen(hall: Hall, asked: str = "") -> str:
    return Client().get(f"/en/e/{hall.event.slug}/screen/{asked}").content.decode()


def slides(page: str) -> list[str]:
    return re.findall(r'data-slide id="([a-z]+)-', page)


def test_the_screen_shows_the_chosen_boards_in_their_order(hall: Hall, chief: Client) -> None:
    assert chief.post(at(hall), {"turn-map": "1", "turn-pairings": "2", "turn-hands": ""}).status_code == 303
    assert slides(screen(hall)) == ["map", "pairings"]
    assert "data-steered" in screen(hall)
    own = screen(hall, "?show=pairings")
    assert slides(own) == ["pairings"]
    assert "data-steered" not in own  # who asks for something is not steered
    page = chief.get(at(hall)).content.decode()
    assert re.findall(r'name="turn-(\w+)"', page)[:2] == ["map", "pairings"]


def test_one_board_is_shown_alone_until_all_take_turns(hall: Hall, chief: Client) -> None:
    assert chief.post(at(hall, "projector/steer/"), {"board": "map"}).status_code == 303
    assert slides(screen(hall)) == ["map"]
    assert "Map of the hall alone" in chief.get(at(hall)).content.decode()
    chief.post(at(hall, "projector/steer/"), {"paused": "1"})
    assert "Paused at the desk." in screen(hall)
    chief.post(at(hall, "projector/steer/"), {"next": "1"})
    assert 'data-turned="1"' in screen(hall)
    chief.post(at(hall, "projector/steer/"), {"board": ""})
    assert "pairings" in slides(screen(hall))


def test_none_at_all_is_refused_and_a_referee_only_looks(hall: Hall, chief: Client, referee: Client) -> None:
    answer = chief.post(at(hall), {"turn-map": ""})
    assert answer.status_code == 400
    assert "at least one" in answer.content.decode()
    assert "disabled" in referee.get(at(hall)).content.decode()
    assert referee.post(at(hall, "projector/steer/"), {"next": "1"}).status_code == 403
    assert not Projector.objects.exists()


def test_the_code_says_where_seats_are_found(hall: Hall) -> None:
    page = screen(hall)
    assert f"http://testserver/en/e/{hall.event.slug}/" in page
    assert 'class="ground"' in page
