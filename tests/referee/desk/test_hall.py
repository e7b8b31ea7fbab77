"""The hall at the desk: the page that arranges it, without scripts, and the board as a map."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.markup import flat
from tests.tournaments import factories
from tests.tournaments.factories import AT, Hall, sheet
from tournaments.ledger import calls, scorekeeping
from tournaments.models import HallFixture, Sitting, SittingPhase, TablePlace


@pytest.fixture
def chief(hall: Hall) -> Client:
    return factories.signed_in(hall.chief)


def at(hall: Hall, part: str = "hall/") -> str:
    return f"/desk/{hall.event.slug}/{part}"


def spots(page: str) -> dict[int, str]:
    """What the map says of every table, by number."""
    found = re.findall(r'class="spot ([a-z_]*)(?: marked)?"\s+data-key="spot-(\d+)"', page)
    return {int(number): state for state, number in found}


def test_tables_are_set_in_rows_by_one_number(hall: Hall, chief: Client) -> None:
    page = chief.get(at(hall)).content.decode()
    assert 'name="row-1"' in page
    assert "data-hall" in page
    assert not TablePlace.objects.exists()
    assert chief.post(at(hall, "hall/rows/"), {"width": "1", "snake": "1"}).status_code == 303
    places = TablePlace.objects.order_by("table__number").values_list("table__number", "row", "column")
    assert list(places) == [(one.number, one.number, 1) for one in hall.event.tables.order_by("number")]


def test_the_plan_is_printed_for_the_door(hall: Hall, referee: Client) -> None:
    assert at(hall, "hall/plan.pdf") in referee.get(at(hall)).content.decode()
    assert referee.get(at(hall, "hall/plan.pdf")).content.startswith(b"%PDF-")


def test_a_table_is_moved_by_two_fields(hall: Hall, chief: Client) -> None:
    assert chief.post(at(hall), {"row-1": "5", "column-1": "7"}).status_code == 303
    place = TablePlace.objects.get(table__number=1)
    assert (place.row, place.column) == (5, 7)
    assert "Tables placed" in flat(chief.get(at(hall, "history/")).content.decode())


def test_a_door_is_set_by_two_fields_and_taken_away_by_emptying_them(hall: Hall, chief: Client) -> None:
    page = chief.get(at(hall)).content.decode()
    assert 'name="row-door-1"' in page
    assert "row-door-2" not in page
    assert page.count('name="row-pillar-') == 3
    sent = {
        "row-door-1": "5",
        "column-door-1": "1",
        "row-desk-1": "",
        "column-desk-1": "",
        "row-pillar-2": "5",
        "column-pillar-2": "4",
    }
    assert chief.post(at(hall), sent).status_code == 303
    assert list(HallFixture.objects.values_list("kind", "row", "column")) == [("door", 5, 1), ("pillar", 5, 4)]
    page = flat(chief.get(at(hall)).content.decode())
    assert 'class="thing door"' in page
    assert 'name="row-door-2"' in page
    assert "What else is in the hall" in flat(chief.get(at(hall, "history/")).content.decode())
    assert 'class="thing pillar"' in chief.get(at(hall, "?view=map")).content.decode()
    assert chief.post(at(hall), {"row-1": "2", "column-1": "2"}).status_code == 303
    assert HallFixture.objects.count() == 2
    answer = chief.post(at(hall), {"row-door-1": "2", "column-door-1": "2"})
    assert answer.status_code == 422
    assert 'id="wrong-door-1"' in answer.content.decode()
    assert chief.post(at(hall), {"row-door-1": "", "column-door-1": ""}).status_code == 303
    assert not HallFixture.objects.exists()


def test_what_is_refused_stays_as_typed_and_is_told_at_its_table(hall: Hall, chief: Client) -> None:
    answer = chief.post(at(hall), {"row-1": "5", "column-1": "front"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert 'value="front"' in page
    assert 'id="wrong-1"' in page
    answer = chief.post(at(hall, "hall/rows/"), {"width": "many"})
    assert answer.status_code == 400
    assert 'value="many"' in answer.content.decode()


def test_a_referee_sees_the_plan_and_may_not_change_it(hall: Hall, referee: Client) -> None:
    page = referee.get(at(hall)).content.decode()
    assert "data-hall=" not in page
    assert 'name="row-1"' in page
    assert "disabled" in page
    assert referee.post(at(hall), {"row-1": "5", "column-1": "5"}).status_code == 403
    assert not TablePlace.objects.exists()


def test_the_board_as_a_map_says_every_state(hall: Hall, referee: Client) -> None:
    def shown() -> dict[int, str]:
        return spots(referee.get(at(hall, "live/?view=map")).content.decode())

    number = hall.sitting.table.number
    assert shown()[number] == "playing"
    hall.event.tables.create(number=77)
    assert shown()[77] == "empty"
    scorekeeping.record_hand(sitting_id=hall.sitting.pk, actor=hall.ns, at=AT, facts=sheet(95), hand_no=1)
    assert shown()[number] == "waiting"
    calls.call_referee(sitting_id=hall.sitting.pk, actor=hall.ns, at=AT, note="a revoke")
    assert shown()[number] == "call"
    Sitting.objects.filter(pk=hall.sitting.pk).update(phase=SittingPhase.DISPUTED)
    assert shown()[number] == "dispute"


def test_the_map_has_shapes_and_words_for_those_who_see_no_colours(hall: Hall, referee: Client) -> None:
    Sitting.objects.filter(pk=hall.sitting.pk).update(phase=SittingPhase.DISPUTED)
    page = referee.get(at(hall, "?view=map")).content.decode()
    number = hall.sitting.table.number
    assert f'aria-label="Table {number}: Dispute"' in page
    assert 'href="#i-diamond"' in page
    assert "data-fragment-url" in page
    assert "/live/?view=map" in page
    assert 'class="tiles"' not in page
