"""Two rooms, or many tables of pairs, ending at the same moment on PostgreSQL: no result is lost, nothing deadlocks."""

from __future__ import annotations

import pytest

from tests.tournaments.test_boards import enter, pairs, rooms, teams
from tests.tournaments.test_races import at_once
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.models import Match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


@pytest.mark.parametrize("turn", range(3))
def test_both_rooms_end_at_once(turn: int) -> None:
    made = teams(2)
    opened, closed = rooms(made.running((1, 2)))
    for sitting in (opened, closed):
        enter(made, sitting, 60)
    last = [lambda: enter(made, opened, 85), lambda: enter(made, closed, 35)]
    results = at_once(*last[:: 1 if turn % 2 else -1])
    assert not [one for one in results if isinstance(one, Exception)]
    match = Match.objects.get(pk=opened.match_id)
    assert (match.outcome, match.net) == ("played", 1)
    assert audit(event_document(made.tournament, official=True)) == []


def test_tables_of_pairs_end_at_once() -> None:
    made = pairs(8)
    round_ = made.running((1, 2), (3, 4), (5, 6), (7, 8))
    tables = list(round_.sittings.order_by("table__number"))
    totals = (35, 60, 85, 120)
    results = at_once(
        *[lambda one=one, total=total: enter(made, one, total) for one, total in zip(tables, totals, strict=True)]
    )
    assert not [one for one in results if isinstance(one, Exception)]
    ranked = sorted((match.net for match in round_.matches.all()), reverse=True)
    assert ranked == [50, ranked[1], -ranked[1], -50]
    assert [match.net for match in round_.matches.order_by("number")] == ranked
    assert audit(event_document(made.tournament, official=True)) == []
