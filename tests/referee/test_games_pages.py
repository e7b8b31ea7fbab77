"""A match of several games on the pages: the phone goes on to the next game, desk and public show each of them."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.referee.table.places import post, read
from tests.tournaments import test_games
from tests.tournaments.factories import Hall, signed_in
from tournaments.models import LedgerEntry, Sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def here() -> Hall:
    """One game is over, North-South won it."""
    made = test_games.match_hall()
    test_games.game(made, "NS")
    return made


def test_the_phone_plays_on_at_the_next_game(here: Hall) -> None:
    shown = read(here.ns)
    assert "Game 2, best of 3" in shown
    assert "1\u00a0:\u00a00" in shown
    second = test_games.current(here)
    assert f'data-place="{second.pk}-NS"' in shown
    answer = post(here.ns, "enter", {"kind": "hand", "hand_no": "1", "dealer": "S", "trump": "H",
                                     "captured_in_tricks": "35", "last_trick_winner": "dealer"})  # fmt: skip
    assert answer.status_code == 303
    assert LedgerEntry.objects.get(entered_side="NS").sitting_id == second.pk
    assert "第 2 局" in read(here.ew, language="zh")


def test_the_desk_shows_each_game_and_takes_the_end_of_the_first_back(here: Hall) -> None:
    chief, address = signed_in(here.chief, "en"), f"/desk/{here.event.slug}/rounds/1/tables/1/"
    assert "Game 2, best of 3" in chief.get(address).content.decode()
    first = chief.get(f"{address}?game=1").content.decode()
    assert "Game 1, best of 3" in first
    assert "reopen/?game=1" in first
    assert chief.get(f"{address}?game=3").status_code == 404
    revision = Sitting.objects.get(game=1).revision
    chief.post(f"{address}reopen/?game=1", {"reason": "too early", "revision": revision})
    assert test_games.current(here).game == 1


@pytest.mark.long
def test_the_board_tells_games_not_points(here: Hall) -> None:
    chief, address = signed_in(here.chief, "en"), f"/desk/{here.event.slug}/rounds/1/"
    (tile,) = chief.get(address).context["tiles"]
    assert tile.games == "Game 2, best of 3 · 1\u00a0:\u00a00"
    test_games.game(here, "EW")
    test_games.game(here, "NS")
    (tile,) = chief.get(address).context["tiles"]
    assert (tile.word, tile.games) == ("2\u00a0:\u00a01", "")
    assert chief.get(f"{address}tables/1/").context["result_words"] == "2\u00a0:\u00a01"


def test_a_correction_says_what_it_means_for_the_games(here: Hall) -> None:
    test_games.game(here, "NS")
    entry = LedgerEntry.objects.filter(sitting__game=1).order_by("pk")[0]
    seen = signed_in(here.referee, "en").post(
        f"/desk/{here.event.slug}/hands/{entry.pk}/correct/",
        {"kind": "hand", "dealer": "S", "level": "2", "trump": "H", "captured_in_tricks": "120",
         "last_trick_winner": "dealer", "reason": "misread", "look": "1"},
    )  # fmt: skip
    assert "Game 3 has to be played." in seen.content.decode()


def test_the_public_page_of_each_game(here: Hall) -> None:
    address = f"/en/e/{here.event.slug}/rounds/1/tables/1/"
    now, before = (Client().get(one).content.decode() for one in (address, f"{address}?game=1"))
    assert "Game 2, best of 3" in now
    assert "No hand counts yet." in now
    assert "No hand counts yet." not in before
    assert "?game=2" in before
    assert Client().get(f"{address}?game=7").status_code == 404
