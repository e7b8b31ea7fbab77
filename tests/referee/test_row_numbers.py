"""Rows of a new laptop have numbers of a range of its own, longer than 32 bits hold: pages and API take them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.models import Model

from referee.desk.presenters.stages import lots_typed
from tests.api.hall import desk
from tests.referee.table.places import DIG, enter, hall, post
from tests.tournaments.factories import sheet
from tests.tournaments.playing import event, sittings_of
from tournaments.acts.text import row_number
from tournaments.models import EntryStatus, HistoryEntry, LedgerEntry, Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

FIRST = 548_122 * 10_000_000


@pytest.fixture(autouse=True)
def _numbers_of_a_laptop() -> Iterator[None]:
    before = {model: _number_from(model, FIRST) for model in (LedgerEntry, Sitting, HistoryEntry)}
    yield
    for model, last in before.items():
        _number_from(model, last)


def _number_from(model: type[Model], last: int) -> int:
    """The last number that was given out until now."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"SELECT last_value FROM {table}_id_seq")
            (was,) = cursor.fetchone()
            cursor.execute("SELECT setval(%s, %s)", [f"{table}_id_seq", last])
            return int(was)
        cursor.execute("SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = %s", [table])
        (was,) = cursor.fetchone()
        cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
        return int(was)


def test_a_phone_takes_back_sends_back_and_confirms() -> None:
    place = hall()
    entry = enter(place.ns, DIG)
    assert entry.pk > FIRST
    assert post(place.ns, "take-back", {"entry": entry.pk}).status_code == 303
    entry = enter(place.ns, DIG)
    assert post(place.ew, "send-back", {"entry": entry.pk, "what": "points"}).status_code == 303
    again = enter(place.ns, DIG)
    assert post(place.ew, "confirm", {"entry": again.pk, "version": again.version}).status_code == 303
    again.refresh_from_db()
    assert again.status == EntryStatus.EFFECTIVE


def test_many_hands_and_tables_that_change_places() -> None:
    made = event(4)
    first, second = sittings_of(made.running((1, 2), (3, 4)))
    api, path = desk(made.actor), f"events/{made.tournament.slug}"
    one = {"key": "a", "sitting": first.pk, "hand_no": 1, "basis": "watched", "facts": sheet(35, dealer="S")}
    assert api.ok("POST", "hands/", {"hands": [one]})["results"][0]["status"] == 201
    api.ok("POST", f"{path}/rounds/1/swap/", {"sittings": [first.pk, second.pk]})


@pytest.mark.parametrize(
    ("text", "number"), [("5481220000169", 5_481_220_000_169), ("٣", None), ("1" * 17, None), ("-1", None), ("", None)]
)
def test_which_texts_are_numbers_of_rows(text: str, number: int | None) -> None:
    assert row_number(text) == number


def test_a_draw_typed_by_hand_names_entrants_of_a_laptop() -> None:
    first, second = FIRST * 100, FIRST * 100 + 1
    assert lots_typed({f"order-{first}": "2", f"order-{second}": "1"}) == [[second, first]]
    typed = {f"order-{first}": "1", f"group-{first}": "2", f"order-{second}": "1", f"group-{second}": "1"}
    assert lots_typed(typed, grouped=True) == [[second], [first]]
    assert lots_typed({"order-" + "1" * 17: "1"}) == []
