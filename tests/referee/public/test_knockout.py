"""The knockout in public: levels and end of every match with the way to it, and whose way is marked, in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.markup import flat
from tests.referee.public.events import knockout

if TYPE_CHECKING:
    from django.test import Client

    from tests.tournaments.playing import Event

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def page_of(client: Client, event: Event, path: str, language: str = "en") -> str:
    answer = client.get(f"/{language}/e/{event.tournament.slug}/{path}")
    assert answer.status_code == 200
    return flat(answer.content.decode())


def marked(page: str) -> list[str]:
    """The numbers whose star is shown, match by match."""
    return re.findall(r'<span class="star-mark" data-follows="(\d+)">', page)


def notes(page: str) -> list[str]:
    """What stands below every match, without its sign and link."""
    found = re.findall(r'<p class="how">\s*<span>(.*?)</span>', page)
    return [re.sub(r"<[^>]+>", "", one).strip() for one in found]


def test_every_match_says_how_it_ended_or_how_far_it_is(client: Client) -> None:
    event = knockout()
    page = page_of(client, event, "standings/")
    assert notes(page) == ["net levels +2"] * 6 + ["hand 2 waits for confirmation", "hand 2 is being played"]
    for number in (1, 2, 3):
        assert page.count(f'href="/en/e/{event.tournament.slug}/rounds/{number}/tables/1/"') >= 1
    assert page.count('class="meeting live"') == 2
    assert "for the third place" in page
    assert marked(page) == []
    chinese = page_of(client, event, "standings/", "zh")
    assert notes(chinese) == ["净级 +2"] * 6 + ["第 2 副待确认", "第 2 副进行中"]


@pytest.mark.parametrize(
    ("path", "stars", "said"),
    [
        ("standings/?follow=4", ["4"] * 3, ["beat Pair 5 4 : 2 · lost to Pair 1 2 : 4 · plays Pair 3 for the third"]),
        ("standings/?q=pair 2", ["2"] * 3, ["beat Pair 7 4 : 2 · beat Pair 3 4 : 2 · plays Pair 1"]),
        ("rounds/1/?follow=5,8", ["8", "5"], ["lost to Pair 1 2 : 4", "lost to Pair 4 2 : 4"]),
        ("standings/?follow=99,x,²,", [], []),
    ],
)
def test_the_way_of_who_is_followed_or_found_is_marked(
    client: Client, path: str, stars: list[str], said: list[str]
) -> None:
    page = page_of(client, knockout(), path)
    assert marked(page) == stars
    assert page.count('class="way-of"') == len(said)
    for one in said:
        assert one in page
    if "follow=4" in path:
        assert "follow=4&amp;part=live" in page or "follow=4&part=live" in page


def test_the_winner_and_the_third_are_named(client: Client) -> None:
    page = page_of(client, knockout(3), "standings/")
    assert re.search(r'class="champion">.*?Winner of the knockout</small>\s*<b>Pair 1</b>', page)
    assert 'class="meeting live"' not in page
