"""The hall on public pages: the seat finder marks a table, the map of a round tells states and no disputes."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.markup import flat
from tests.tournaments.playing import Event, event, sittings_of
from tournaments.hall.acts import arrange, arrange_in_rows
from tournaments.models import SittingPhase

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Event:
    made = event(8)
    made.running((1, 2), (3, 4), (5, 6), (7, 8))
    return made


def text(made: Event, part: str = "", language: str = "en") -> str:
    return flat(Client().get(f"/{language}/e/{made.tournament.slug}/{part}").content.decode())


def spots(page: str) -> dict[int, str]:
    """The classes of every table on the map, by number."""
    found = re.findall(r'class="spot ([a-z_ ]*)"\s+data-key="spot-(\d+)"', page)
    return {int(number): classes.strip() for classes, number in found}


@pytest.mark.parametrize("part", ["?q=3", "rounds/1/?q=3", "rounds/1/?q=3&view=map"])
def test_who_looks_for_a_seat_sees_its_table_marked(made: Event, part: str) -> None:
    assert spots(text(made, part)) == {1: "", 2: "marked", 3: "", 4: ""}


def test_the_way_is_told_in_words_once_the_organiser_has_said_where_tables_stand(made: Event) -> None:
    assert "from the left" not in text(made, "?q=7")
    known = {"tournament_id": made.tournament.pk, "actor": made.actor, "at": made.tick()}
    arrange_in_rows(**known, width=3)
    assert "Round 1: table 4 · row 2, table 1 from the left" in text(made, "?q=7")
    arrange_in_rows(**known, width=2, snake=True)
    assert "第 2 排，左数第 1 桌" in text(made, "?q=7", "zh")


def test_nobody_found_has_no_map(made: Event) -> None:
    assert spots(text(made, "?q=nobody")) == spots(text(made)) == spots(text(made, "rounds/1/")) == {}


def test_the_map_of_a_round_tells_states_and_of_a_dispute_that_a_referee_is_there(made: Event) -> None:
    first, second, third, _fourth = sittings_of(made.tournament.rounds.get().pk)
    type(first).objects.filter(pk=first.pk).update(phase=SittingPhase.DISPUTED)
    type(first).objects.filter(pk=second.pk).update(phase=SittingPhase.WAITING)
    made.hand(third, 80)
    made.end(third)
    made.tournament.tables.create(number=9)
    page = text(made, "rounds/1/?view=map&part=live")
    assert spots(page) == {1: "referee", 2: "waiting", 3: "finished", 4: "playing", 9: "empty"}
    assert "Dispute" not in page
    assert 'aria-label="Table 4: hand 1"' in page


def test_the_projector_shows_the_hall_four_rows_a_page(made: Event) -> None:
    known = {"tournament_id": made.tournament.pk, "actor": made.actor, "at": made.tick()}
    assert spots(text(made, "screen/?show=map")) == dict.fromkeys(range(1, 5), "playing")
    arrange(**known, places={1: (1, 1), 2: (4, 1), 3: (5, 1), 4: (14, 2)})
    page = text(made, "screen/?show=map")
    slides = page.split("data-slide ")[1:]
    assert [list(spots(slide)) for slide in slides] == [[1, 2], [3], [4]]
    assert "2 / 3" in slides[1]
    assert ['class="front"' in slide for slide in slides] == [True, False, False]
    # every page begins at its own front row, the third with its second row
    assert [re.findall(r'<svg x="\d+" y="(\d+)"', slide) for slide in slides] == [["116", "500"], ["116"], ["244"]]
    assert 'id="map-1"' in text(made, "screen/")
