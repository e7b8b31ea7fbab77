"""The pages people come in by: what is on now, the closest tables, who leads, who has won."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from referee.public.presenters import home
from referee.public.presenters.round import rows_of
from referee.public.presenters.tiles import tiles_of
from tests.markup import flat
from tests.referee.public.events import played, publish
from tests.tournaments import factories, playing
from tournaments.models import Entrant, Sitting, Tournament
from tournaments.rounds.public import current_round
from tournaments.standings.runs import publication_document, recalculate

if TYPE_CHECKING:
    from django.test import Client

    from tests.tournaments.playing import Event
    from tournaments.models import Round

pytestmark = pytest.mark.django_db


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return flat(answer.content.decode())


def tables_in(page: str) -> list[str]:
    """The numbers of the tables shown as tiles, in their order."""
    return re.findall(r'<a class="spread" href="[^"]*/tables/(\d+)/"', page)


def running(made: Event) -> Round:
    found = current_round(made.tournament)
    assert found is not None
    return found


def three_tables() -> Event:
    """Table 1: the attackers took the deal, levels 2 and 2; table 2: 4 and 2; table 3: one level ahead."""
    made = playing.event(pairs=6)
    round_ = made.running((1, 2), (3, 4), (5, 6))
    first, second, third = playing.sittings_of(round_)
    made.hand(first, 80)
    made.hand(second, 35)
    made.hand(third, 75)
    return made


def test_the_closest_tables_come_first_with_the_way_of_their_levels(client: Client) -> None:
    made = three_tables()
    page = text_of(client, f"/en/e/{made.tournament.slug}/")
    assert tables_in(page) == ["1", "3", "2"]
    round_ = running(made)
    found = {tile.table: tile for tile in tiles_of(round_, rows_of(round_), 6)}
    assert [(one.level, one.ahead) for one in found[1].parties] == [("2", False), ("2", False)]
    assert [(one.level, one.ahead) for one in found[2].parties] == [("4", True), ("2", False)]
    way = found[2].way
    assert way is not None
    assert (way.first, way.second) == ("M5 33H95V19", "M5 33H95V33")
    assert "Levels 4 and 2" in page


def test_a_tile_keeps_names_and_levels_together_where_the_home_side_sits_east_west(client: Client) -> None:
    made = three_tables()
    table = playing.sittings_of(running(made))[1]
    Sitting.objects.filter(pk=table.pk).update(home_side="EW")
    (row,) = [one for one in rows_of(running(made)) if one.table == 2]
    assert row.levels == ("2", "4")
    (tile,) = tiles_of(running(made), [row], 1)
    assert [(one.name, one.level) for one in tile.parties] == [("Pair 3", "2"), ("Pair 4", "4")]
    assert tile.way is not None
    assert tile.way.second_end == ("95", "19")


def test_an_event_shows_its_last_hands_its_first_places_and_how_it_came_to_that(client: Client) -> None:
    made = played(2)
    page = text_of(client, f"/zh/e/{made.tournament.slug}/")
    for said in ("刚刚", "到现在为止", "全部 8 个名次", "在打", "第 3 轮，共"):
        assert said in page, said
    assert page.count('data-key="hand-') == 5
    assert page.count('data-key="first-') == 5


def test_hidden_standings_are_not_on_the_way_in_either(client: Client) -> None:
    made = played(2)
    made.tournament.live_public = False
    made.tournament.save(update_fields=["live_public"])
    for address in (f"/en/e/{made.tournament.slug}/", "/en/"):
        page = text_of(client, address)
        assert "Leading" not in page
        assert 'id="first"' not in page
        assert 'id="so-far"' not in page


def test_the_front_page_has_what_is_on_now_on_top(client: Client) -> None:
    made = three_tables()
    page = text_of(client, "/en/")
    assert "Round 1 of" in page
    assert tables_in(page) == ["1", "3", "2"]
    assert f'href="/en/e/{made.tournament.slug}/#q"' in page
    assert "Also today" not in page


def test_the_front_page_without_any_event(client: Client) -> None:
    page = text_of(client, "/zh/")
    for said in ("还没有赛事", "我在桌边", "这牌怎么判", "规则"):
        assert said in page
    assert page.count("<h1") == 1


def test_events_that_come_and_that_are_over_have_a_line_each(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    made = playing.event(pairs=2)
    round_ = made.running((1, 2))
    made.play(round_, [35])
    publish(made, round_)
    Tournament.objects.filter(pk=made.tournament.pk).update(closed_at=timezone.now())
    later = factories.tournament(starts_on=timezone.now().date() + timedelta(days=30))
    factories.entrant(later, 1)
    page = text_of(client, "/en/")
    assert later.name in page
    assert "1 entrant ·" in page
    assert "Won by Pair 1" in re.sub(r"<[^>]+>", "", page)
    past = [factories.tournament(starts_on=timezone.now().date() - timedelta(days=day)) for day in range(2, 5)]
    monkeypatch.setattr(home, "LINES", 2)
    assert "2 more" in text_of(client, "/en/")
    everything = text_of(client, "/en/?past=all")
    assert all(one.slug in everything for one in past)


def test_final_places_and_their_winner_are_shown_as_soon_as_they_are_published(client: Client) -> None:
    """Who was tied in the live table is where the lots of the final publication put him."""
    made = playing.event(4, stage={"rounds_planned": 1})
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [35])
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    event = f"/en/e/{made.tournament.slug}/"
    before = re.sub(r"<[^>]+>", " ", text_of(client, event))
    assert "Won by" not in before
    assert "Leading" not in before
    newest = publish(made, round_)
    first = Entrant.objects.get(pk=publication_document(newest)["tables"][0]["rows"][0]["entrant"])
    for address in (event, "/en/"):
        assert f"Won by {first.name}" in " ".join(re.sub(r"<[^>]+>", " ", text_of(client, address)).split())
    page = text_of(client, event)
    places = re.findall(r'<li data-key="first-(\d+)">\s*<b class="num">(\d)', page)
    assert [rank for _, rank in places] == ["1", "2", "3", "4"]
    assert places[0][0] == str(first.pk)
    assert "Final standings" in page
    assert page.count(f'href="{event}standings/{newest.number}/"') == 2  # from the places, and from the publication
    live = text_of(client, f"{event}standings/?part=live")
    assert "The final standings are published." in live
    assert f'href="{event}standings/{newest.number}/"' in live
    board = text_of(client, f"{event}screen/?show=standings")
    assert "Final standings" in board
    assert re.findall(r'<td class="num">\s*<b>(\S+)</b>', board) == ["1", "2", "3", "4"]


@pytest.mark.long
def test_the_front_page_asks_as_much_for_many_events_as_for_few(client: Client) -> None:
    three_tables()
    counts = []
    for _ in range(2):
        for day in (-2, 30):
            factories.tournament(starts_on=timezone.now().date() + timedelta(days=day))
        with CaptureQueriesContext(connection) as queries:
            text_of(client, "/en/")
        counts.append(len(queries))
    # of an event that is over, the newest table is looked for
    assert counts[1] <= counts[0] + 2
    assert counts[0] <= 22
