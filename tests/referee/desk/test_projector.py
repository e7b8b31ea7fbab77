"""The projector at the desk, without scripts, and the public screen that follows it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.tournaments import factories
from tests.tournaments.factories import Hall
from tests.tournaments.playing import event
from tournaments.models import HistoryEntry, Projector
from tournaments.projector import acts
from tournaments.projector.reads import balls_of
from tournaments.rounds import drawing


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


@pytest.mark.django_db
def test_the_screen_shows_of_a_draw_what_is_let_out_and_no_more() -> None:
    """The draw is a draft: no other page has it yet."""
    made = event(24)
    round_ = made.drawn()
    draw = round_.draws.get()
    desk, steer = factories.signed_in(made.actor), f"/desk/{made.tournament.slug}/projector/steer/"
    names = dict(made.tournament.entrants.values_list("pk", "name"))

    def seen() -> tuple[str, set[str]]:
        page = Client().get(f"/en/e/{made.tournament.slug}/screen/").content.decode()
        return page, set(re.findall(r"Pair \d+", page))

    assert "Draw of round" not in seen()[0]
    assert desk.post(steer, {"ceremony": "begin"}).status_code == 303
    page, out = seen()
    assert out == set()
    assert all(draw.digest[at : at + 8] in page for at in range(0, 64, 8))
    assert made.tournament.lot_commitment in page
    clock = re.search(
        r'data-ends="(\d+)".*?data-clock-word>The first ball in<.*?data-clock-left\s*>0:(\d\d)<', page, re.DOTALL
    )
    assert clock is not None
    begun = HistoryEntry.objects.filter(act="steer_screen").latest("pk").at
    assert int(clock[1]) == int(begun.timestamp()) + 30
    assert int(clock[2]) <= 30
    balls = balls_of(made.tournament, draw)
    for count in range(1, len(balls) + 1):
        desk.post(steer, {"ceremony": "ball"})
        page, out = seen()
        assert "The first ball in" not in page
        first = 2 if balls[count - 1].meeting >= 10 else 0  # the last page is as full as the one before
        assert out == {names[one.entrant] for one in balls[:count] if one.meeting >= first}, count
        assert f'<p class="ball" aria-label="Number">{balls[count - 1].number}</p>' in page
    assert "becomes public with the pairing" in page
    assert desk.post(steer, {"ceremony": "ball"}).status_code == 303
    made.begun(round_)
    assert "The document is public" in seen()[0]
    desk.post(steer, {"ceremony": "end"})
    assert "pairings" in slides(seen()[0])


@pytest.mark.django_db
def test_a_draw_that_was_drawn_again_is_told() -> None:
    made = event()
    round_ = made.drawn()
    by = {"tournament_id": made.tournament.pk, "actor": made.actor}
    acts.begin_ceremony(**by, at=made.tick())
    drawing.draw_round(round_id=round_.pk, actor=made.actor, at=made.tick(), reason="somebody is missing")
    page = Client().get(f"/en/e/{made.tournament.slug}/screen/").content.decode()
    assert "no longer stands" in page
