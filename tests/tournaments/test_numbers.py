"""Which numbers rows of a laptop get, so that its events are free to move."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from django.db import connection

from tests.tournaments.factories import entrant, tournament
from tournaments.following import numbers
from tournaments.models import Entrant, Tournament, User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def _new_laptop(transactional_db: None) -> Iterator[None]:
    """A database in which no row was ever made."""
    if connection.vendor != "sqlite":
        pytest.skip("a federation counts from 1")
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence")
        before = cursor.fetchall()
        cursor.execute("DELETE FROM sqlite_sequence")
        yield
        # what is prepared once for many tests must not have numbers that others are given later
        cursor.execute("DELETE FROM sqlite_sequence")
        cursor.executemany("INSERT INTO sqlite_sequence VALUES (%s, %s)", before)


def test_a_federation_and_a_laptop_in_use_count_on() -> None:
    before = tournament()
    numbers.begin(Random(1))
    assert tournament().pk == before.pk + 1
    assert numbers.own_range() == 0


@pytest.mark.usefixtures("_new_laptop")
def test_a_new_laptop_draws_its_range() -> None:
    numbers.begin(Random(1))
    own = numbers.own_range()
    assert numbers.FIRST <= own <= numbers.LAST
    assert tournament().pk == own * numbers.RANGE + 1
    numbers.begin(Random(2))
    assert (numbers.own_range(), tournament().pk) == (own, own * numbers.RANGE + 2)


@pytest.mark.usefixtures("_new_laptop")
def test_a_table_that_an_upgrade_brings_begins_in_the_range_of_the_others() -> None:
    numbers.begin(Random(1))
    event = tournament()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [Entrant._meta.db_table])
    numbers.begin(Random(2))
    assert entrant(event, 1).pk == numbers.own_range() * numbers.RANGE + 1


@pytest.mark.usefixtures("_new_laptop")
@pytest.mark.parametrize(("came_in", "moves_on"), [(17, False), (20_000_000 * numbers.RANGE + 17, True)])
def test_rows_of_others_never_share_a_range_with_those_to_come(came_in: int, moves_on: bool) -> None:
    """Those of a federation lie below; behind those of another laptop SQLite would count on."""
    numbers.begin(Random(1))
    own = numbers.own_range()
    tournament(pk=came_in)
    numbers.leave(own, Random(3))
    assert (numbers.own_range() != own) is moves_on
    assert Tournament.objects.latest("pk").pk // numbers.RANGE != numbers.own_range() or not moves_on
    assert tournament().pk == numbers.own_range() * numbers.RANGE + 1
    assert numbers.own_range() * numbers.RANGE < 2**53
    assert User.objects.create_user("somebody").pk // numbers.RANGE == numbers.own_range()
