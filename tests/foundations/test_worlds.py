"""What tests begin with is the same whether it was done or copied."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.db import transaction

from tests import worlds
from tests.tournaments import factories
from tests.tournaments.playing import Event, event, sittings_of
from tests.worlds import kept, kept_step
from tournaments.models import LedgerEntry, Tournament

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tournaments.factories import Hall

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@contextmanager
def another_test() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_a_copy_has_the_rows_and_the_objects_of_what_was_built() -> None:
    built: list[int] = []

    @kept
    def two_tables(tables: int) -> Hall:
        built.append(tables)
        return factories.hall.__wrapped__(tables=tables)  # type: ignore[attr-defined]

    with another_test():
        first = two_tables(2)
        rows = worlds._rows()
    with another_test():
        again = two_tables(2)
        assert worlds._rows() == rows
        assert again == first
        assert again.event is not first.event
        assert built == [2]
        other = two_tables(2)
        assert other.event.pk != again.event.pk
        assert Tournament.objects.count() == 2
        assert len(two_tables(1).sittings) == 1
        assert built == [2, 2, 1]
    with another_test():
        assert [two_tables(2).event.pk, two_tables(2).event.pk] == [first.event.pk, other.event.pk]


def test_a_step_changes_the_same_rows_and_play_goes_on_from_there() -> None:
    done: list[int] = []

    @kept_step
    def first_hand(of: Event, sitting_id: int, captured: int) -> int:
        done.append(captured)
        of.hand(sittings_of(of.tournament.rounds.get())[0], captured)
        return LedgerEntry.objects.get().pk

    made = event(2)
    (table,) = sittings_of(made.running((1, 2)))
    now = made.now
    found = []
    for _ in range(2):
        with another_test():
            made.now = now
            entry = first_hand(made, table.pk, 35)
            found.append((entry, worlds._rows()))
            table.refresh_from_db()
            assert table.hand_no == 2
            made.now = now.replace(hour=12)
            made.hand(table, 60)
            assert LedgerEntry.objects.count() == 2
    assert found[0] == found[1]
    assert done == [35]
    made.now = now
    made.hand(table, 0)
    # other rows stand: it is done, not copied, and the second hand is no first one
    with another_test(), pytest.raises(LedgerEntry.MultipleObjectsReturned):
        first_hand(made, table.pk, 35)
    assert done == [35, 35]


def test_where_an_argument_is_no_plain_value_it_is_built() -> None:
    built: list[object] = []

    @kept
    def with_something(thing: object) -> Hall:
        built.append(thing)
        return factories.hall()

    for _ in range(2):
        with another_test():
            with_something(object())
    assert len(built) == 2
