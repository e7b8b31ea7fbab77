"""The hall: rows where nobody said so, what the organiser saves, what is refused; the log and a file have it."""

from __future__ import annotations

from typing import Any

import pypdfium2
import pytest
from django.db import DatabaseError, transaction

from tests.tournaments.playing import Event, event
from tests.tournaments.test_paper import pages_of
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document, event_json
from tournaments.hall.acts import arrange, arrange_in_rows
from tournaments.hall.layout import Counted, Fixture, Place, Plan, completed, in_rows, out_of_the_way, width_for
from tournaments.hall.reads import plan_of
from tournaments.log import checking
from tournaments.models import HallFixture, HistoryEntry, Table, TablePlace
from tournaments.transfer.imports import import_event
from tournaments.transfer.paper.hall import hall_pdf

pytestmark = pytest.mark.django_db


def hall(pairs: int = 4) -> Event:
    """An event with so many tables."""
    made = event(2 * pairs)
    made.published(*((2 * at + 1, 2 * at + 2) for at in range(pairs)))
    return made


def by(made: Event) -> dict[str, Any]:
    return {"tournament_id": made.tournament.pk, "actor": made.actor, "at": made.tick()}


def drawn(plan: Plan) -> list[str]:
    """The plan as on squared paper."""
    at = {place: number for number, place in plan.places.items()}
    rows, columns = range(1, plan.rows + 1), range(1, plan.columns + 1)
    return [" ".join(str(at.get(Place(row, column), ".")) for column in columns) for row in rows]


@pytest.mark.parametrize(
    ("count", "width"),
    [(0, 1), (1, 1), (2, 2), (3, 3), (4, 2), (5, 3), (6, 3), (8, 4), (10, 5), (12, 4), (24, 6), (100, 13), (500, 27)],
)
def test_rows_are_of_a_sensible_width(count: int, width: int) -> None:
    assert width_for(count) == width


@pytest.mark.parametrize(
    ("numbers", "width", "snake", "shown"),
    [
        ((1, 2, 3, 4, 5), 2, False, ["1 2", "3 4", "5 ."]),
        ((1, 2, 3, 4, 5), 2, True, ["1 2", "4 3", "5 ."]),
        ((1, 2, 3, 4, 5), 3, True, ["1 2 3", ". 5 4"]),
        ((9, 2, 5), 60, False, ["2 5 9"]),
    ],
)
def test_tables_stand_in_rows_by_their_numbers(
    numbers: tuple[int, ...], width: int, snake: bool, shown: list[str]
) -> None:
    assert drawn(Plan(in_rows(numbers, width, snake=snake))) == shown


def test_tables_that_a_plan_lacks_stand_behind_it() -> None:
    known = {1: Place(1, 1), 2: Place(1, 3), 9: Place(7, 7)}
    plan = completed([1, 2, 3, 4, 5, 6], known)
    assert plan.saved
    assert drawn(plan) == ["1 . 2", "3 4 5", "6 . ."]
    assert completed([], {}) == Plan({})


def test_a_place_is_told_as_one_counts_who_walks_there() -> None:
    """Aisles are no rows and no tables."""
    plan = Plan({1: Place(1, 1), 2: Place(1, 4), 3: Place(3, 2)})
    assert [plan.counted(number) for number in (1, 2, 3)] == [Counted(1, 1, 2), Counted(1, 2, 2), Counted(2, 1, 1)]


def test_what_else_is_in_the_hall_goes_back_from_where_tables_come_to_stand() -> None:
    places = in_rows((1, 2, 3, 4), 2)
    there = (Fixture("door", Place(2, 1)), Fixture("pillar", Place(1, 1)), Fixture("desk", Place(1, 3)))
    assert out_of_the_way(there, places) == (
        Fixture("desk", Place(1, 3)), Fixture("pillar", Place(3, 1)), Fixture("door", Place(4, 1))
    )  # fmt: skip


def test_doors_desk_and_pillars_are_saved_with_the_tables() -> None:
    """In one act; where nothing is said of them they stay; new tables come behind them."""
    made = hall()
    there = [("door", 3, 1), ("desk", 1, 3), ("pillar", 2, 3), ("pillar", 3, 3)]
    plan = arrange(**by(made), places={4: (2, 2)}, fixtures=there)
    assert plan == plan_of(made.tournament)
    assert [(kind, *place) for kind, place in plan.fixtures] == [
        ("desk", 1, 3), ("pillar", 2, 3), ("door", 3, 1), ("pillar", 3, 3)
    ]  # fmt: skip
    assert (plan.rows, plan.columns) == (3, 3)
    assert plan.counted(4) == Counted(2, 2, 2)
    (line,) = HistoryEntry.objects.filter(act="arrange_hall")
    assert (line.old["fixtures"], line.new["fixtures"][0]) == ([], ["desk", 1, 3])
    arrange(**by(made), places={1: (5, 1)})
    assert plan_of(made.tournament).fixtures == plan.fixtures
    made.tournament.tables.create(number=5)
    assert plan_of(made.tournament).places[5].row == 6
    arrange(**by(made), places={}, fixtures=[])
    assert plan_of(made.tournament).fixtures == ()
    arrange(**by(made), places={}, fixtures=[])
    assert HistoryEntry.objects.filter(act="arrange_hall").count() == 3


@pytest.mark.parametrize(
    ("there", "code", "field"),
    [
        ([("door", 1, 1)], "place_taken", "fixtures[0]"),
        ([("door", 3, 1), ("pillar", 3, 1)], "place_taken", "fixtures[1]"),
        ([("door", 0, 1)], "bad_place", "fixtures[0]"),
        ([("door", 3, 61)], "bad_place", "fixtures[0]"),
        ([("throne", 3, 1)], "bad_place", "fixtures[0]"),
    ],
)
def test_what_else_is_in_the_hall_is_refused_by_its_field(
    there: list[tuple[str, int, int]], code: str, field: str
) -> None:
    made = hall()
    with pytest.raises(Refusal) as refused:
        arrange(**by(made), places={}, fixtures=there)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert not HallFixture.objects.exists()
    if field == "fixtures[0]" and code == "place_taken":
        assert refused.value.message == {
            "en": "Table 1 and the door would stand at one place.", "zh": "1 桌和入口摆在了同一个位置。"
        }  # fmt: skip


def test_nothing_is_stored_before_somebody_says_so() -> None:
    made = hall()
    assert not plan_of(made.tournament).saved
    assert drawn(plan_of(made.tournament)) == ["1 2", "3 4"]
    assert not TablePlace.objects.exists()


def test_a_table_that_changes_places_is_told_alone() -> None:
    made = hall()
    arrange_in_rows(**by(made), width=4)
    plan = arrange(**by(made), places={2: (3, 2), 3: (1, 2)})
    assert drawn(plan) == drawn(plan_of(made.tournament)) == ["1 3 . 4", ". . . .", ". 2 . ."]
    first, second = HistoryEntry.objects.filter(act="arrange_hall").order_by("pk")
    assert (first.old, first.new) == (
        {"moved": {"1": [1, 1], "2": [1, 2], "3": [2, 1], "4": [2, 2]}},
        {"moved": {"1": [1, 1], "2": [1, 2], "3": [1, 3], "4": [1, 4]}},
    )
    assert (second.old, second.new) == (
        {"moved": {"2": [1, 2], "3": [1, 3]}},
        {"moved": {"2": [3, 2], "3": [1, 2]}},
    )
    arrange(**by(made), places={2: (3, 2)})
    assert HistoryEntry.objects.filter(act="arrange_hall").count() == 2


def test_more_tables_come_to_a_plan_and_stay_there() -> None:
    made = hall()
    arrange_in_rows(**by(made), width=2, snake=True)
    made.tournament.tables.create(number=5)
    assert drawn(plan_of(made.tournament)) == ["1 2", "4 3", "5 ."]
    arrange(**by(made), places={1: (4, 1)})
    assert TablePlace.objects.count() == 5
    assert drawn(plan_of(made.tournament)) == [". 2", "4 3", "5 .", "1 ."]


@pytest.mark.long
@pytest.mark.parametrize(("width", "lying"), [(12, True), (6, True), (3, False), (2, False)])
def test_the_plan_for_the_door_is_one_page_with_every_table(width: int, lying: bool) -> None:
    made = hall()
    Table.objects.bulk_create([Table(tournament=made.tournament, number=number) for number in range(5, 37)])
    arrange_in_rows(**by(made), width=width)
    data = hall_pdf(made.tournament)
    (page,) = pages_of(data)
    numbers = [word for word in page.split() if word.isdigit()]
    assert {int(word) for word in numbers} >= set(range(1, 37))
    assert "场地图" in page
    ((wide, high),) = [one.get_size() for one in pypdfium2.PdfDocument(data)]
    assert (wide > high) is lying
    assert data == hall_pdf(made.tournament)


@pytest.mark.long
def test_a_hall_of_hundreds_of_tables_fits_the_page_too() -> None:
    made = hall()
    Table.objects.bulk_create([Table(tournament=made.tournament, number=number) for number in range(5, 1001)])
    (page,) = pages_of(hall_pdf(made.tournament))
    assert "1000" in page


@pytest.mark.parametrize(
    ("places", "code", "field"),
    [
        ({1: (0, 1)}, "bad_place", "tables[1]"),
        ({1: (1, 61)}, "bad_place", "tables[1]"),
        ({1: (1, "2")}, "bad_place", "tables[1]"),
        ({99: (9, 9)}, "unknown_table", "tables[99]"),
        ({3: (5, 5), 4: (5, 5)}, "place_taken", "tables[4]"),
        ({4: (1, 1)}, "place_taken", "tables[4]"),
    ],
)
def test_what_is_no_plan_is_refused_whole(places: dict[int, Any], code: str, field: str) -> None:
    made = hall()
    with pytest.raises(Refusal) as refused:
        arrange(**by(made), places={2: (8, 8), **places})
    assert (refused.value.code, refused.value.field) == (code, field)
    assert not TablePlace.objects.exists()


@pytest.mark.parametrize("width", [0, 61, "4", True])
def test_a_row_has_one_to_sixty_tables(width: Any) -> None:
    with pytest.raises(Refusal, match="bad_width"):
        arrange_in_rows(**by(hall()), width=width)


def test_a_plan_that_runs_out_of_the_hall_is_refused() -> None:
    made = hall()
    Table.objects.bulk_create([Table(tournament=made.tournament, number=number) for number in range(5, 80)])
    with pytest.raises(Refusal, match="bad_width"):
        arrange_in_rows(**by(made), width=1)
    arrange_in_rows(**by(made), width=2)
    with pytest.raises(Refusal, match="bad_place"):
        arrange(**by(made), places={1: (61, 1)})


@pytest.mark.both_databases
def test_the_database_keeps_two_tables_apart_and_all_inside() -> None:
    made = hall()
    arrange_in_rows(**by(made), width=2)
    one, *_others = TablePlace.objects.all()
    for bent in ({"row": 1, "column": 2}, {"row": 0}, {"column": 61}):
        with pytest.raises(DatabaseError), transaction.atomic():
            TablePlace.objects.filter(pk=one.pk).update(**bent)


@pytest.mark.both_databases
def test_the_log_has_the_plan_and_finds_a_table_that_nobody_moved() -> None:
    made = hall()
    arrange_in_rows(**by(made), width=2)
    arrange(**by(made), places={1: (9, 1)})
    assert checking.check(made.tournament) == []
    TablePlace.objects.filter(table__number=1).update(column=5)
    assert checking.check(made.tournament) != []


@pytest.mark.both_databases
def test_the_plan_travels_with_the_event() -> None:
    made = hall()
    assert "table_places" not in event_document(made.tournament)
    arrange(**by(made), places={1: (9, 1)})
    assert "hall_fixtures" not in event_document(made.tournament)
    arrange(**by(made), places={}, fixtures=[("door", 3, 1)])
    document = event_document(made.tournament)
    assert [(row["kind"], row["row"], row["column"]) for row in document["hall_fixtures"]] == [("door", 3, 1)]
    assert [(row["row"], row["column"]) for row in document["table_places"]] == [(9, 1), (1, 2), (2, 1), (2, 2)]
    assert audit(document) == []
    data = event_json(made.tournament, official=True, names=True)
    kept = import_event(data=data, actor=made.actor, at=made.tick(), slug="kept").tournament
    assert kept is not None
    assert plan_of(kept) == plan_of(made.tournament)
    assert event_json(kept, official=True, names=True).count(b"table_id") >= 4
