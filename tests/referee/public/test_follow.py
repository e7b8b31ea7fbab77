"""The page of those whom a reader follows: numbers in the address, as many queries for many as for one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.public.following import MOST, numbers_in, too_many
from referee.public.presenters.follow import LAST
from tests.markup import flat
from tests.referee.public.events import played
from tests.tournaments.individual import alone, evening, sittings_of
from tournaments.models import Tournament
from tournaments.people.withdrawals import withdraw_entrant

if TYPE_CHECKING:
    from django.test import Client

    from tests.tournaments.individual import Evening
    from tests.tournaments.playing import Event


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", []),
        ("3", [3]),
        ("7,3", [7, 3]),
        (" 3 ,3, 4", [3, 4]),
        ("3;4", []),
        ("0,-1,x,²,1e3,9999999999,5", [5]),
        (",".join(map(str, range(1, 99))), list(range(1, MOST + 1))),
    ],
)
def test_numbers_of_an_address(text: str, numbers: list[int]) -> None:
    assert numbers_in(text) == numbers
    assert too_many(text) == (len(text.split(",")) > MOST)


def shown(client: Client, event: Event | Evening, asked: str, language: str = "en") -> dict[str, str]:
    """The words of every card by the number of its entrant, in their order."""
    answer = client.get(f"/{language}/e/{event.tournament.slug}/follow/{asked}")
    assert answer.status_code == 200
    cards = re.findall(r'<section [^>]*id="followed-(\d+)".*?</section>', flat(answer.content.decode()))
    pages = re.findall(r'<section [^>]*id="followed-\d+".*?</section>', flat(answer.content.decode()))
    text = (re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", one)).strip() for one in pages)
    return dict(zip(cards, text, strict=True))


@pytest.mark.django_db
@pytest.mark.long
def test_cards_say_where_they_play_and_what_came_before(client: Client) -> None:
    """After a round with 4 : 2 at one table and 2 : 2 at the other, a second one runs; a hand waits at table 1."""
    event = played()
    cards = shown(client, event, "?n=4,1,99")
    assert list(cards) == ["4", "1"]
    assert cards["1"].startswith(
        "1 Pair 1 1 Round 2, table 1 · N–S against Pair 3 Waiting hand 2 waits for confirmation"
    )
    assert "Place now" in cards["1"]
    assert re.search(r"1 against Pair 2 (won|lost|drawn) Table 1, hand by hand", cards["1"])
    assert re.search(r"table 2 · N–S against Pair 2 Playing hand 2 4 · 2", cards["4"])
    assert shown(client, event, "") == {}
    chinese = shown(client, event, "?n=1", "zh")["1"]
    assert "第 2 轮 1 桌" in chinese
    assert "第 2 副待确认" in chinese


@pytest.mark.django_db
@pytest.mark.long
def test_a_place_is_not_told_where_standings_wait_and_who_left_is_marked(client: Client) -> None:
    event = played()
    Tournament.objects.filter(pk=event.tournament.pk).update(live_public=False)
    assert "Place now" not in shown(client, event, "?n=1")["1"]
    two = event.tournament.entrants.get(number=2)
    withdraw_entrant(entrant_id=two.pk, actor=event.actor, at=event.tick(), reason="left")
    assert "withdrawn" in shown(client, event, "?n=2")["2"]


@pytest.mark.django_db
@pytest.mark.long
def test_a_single_player_has_companions_and_no_side(client: Client) -> None:
    made = evening("I1", 4)
    sitting = sittings_of(made.seated((1, 2, 3, 4)))[0]
    made.enter(sitting, alone("1", 80, 60))
    card = shown(client, made, "?n=2")["2"]
    assert "with 选手1 · 选手3 · 选手4" in card
    assert "Playing hand 2" in card
    made.end(sitting)
    assert "Table 1, hand by hand" in shown(client, made, "?n=2")["2"]


@pytest.mark.django_db
@pytest.mark.long
def test_only_the_last_matches_are_told_and_queries_do_not_grow(client: Client) -> None:
    counts = []
    for size, asked in ((1, "?n=1"), (3, "?n=1,2,3,4,5,6,7,8")):
        event = played(size)
        with CaptureQueriesContext(connection) as queries:
            cards = shown(client, event, asked)
        counts.append(len(queries))
    assert len(cards) == 8
    assert all(one.count("hand by hand") == LAST for one in cards.values())
    assert counts[0] == counts[1]
    page = client.get(f"/en/e/{event.tournament.slug}/follow/?n={','.join(map(str, range(1, MOST + 2)))}")
    assert f"Only the first {MOST} are shown." in page.content.decode()
