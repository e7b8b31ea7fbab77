"""One key sent many times in the same moment, on PostgreSQL."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.client import Answer, Api
from tests.api.hall import api_hall
from tests.tournaments.test_races import at_once
from tournaments.models import Call, LedgerEntry

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


@pytest.mark.long
def test_of_many_at_once_one_is_done_and_all_get_its_answer() -> None:
    here = api_hall()

    def call() -> Answer:
        return Api(here.ns.authorization).call("POST", f"{here.sitting}/calls/", {"note": "here"}, Idempotency_Key="k")

    answers: list[Any] = at_once(*[call] * 8)
    assert {(one.status, one.raw) for one in answers} == {(201, answers[0].raw)}
    assert Call.objects.count() == 1


@pytest.mark.long
def test_of_many_bodies_at_once_one_is_done() -> None:
    here = api_hall()

    def enter(captured: int) -> Answer:
        body = {"facts": here.first(captured), "hand_no": 1}
        return Api(here.ns.authorization).call("POST", f"{here.sitting}/hands/", body, Idempotency_Key="k")

    answers: list[Any] = at_once(*[lambda n=n: enter(5 * n) for n in range(8)])
    assert sorted(one.status for one in answers) == [201] + [422] * 7
    assert LedgerEntry.objects.count() == 1
