"""Ties and their lots through the API."""

from __future__ import annotations

import pytest

from tests.api.client import Api
from tests.api.hall import desk
from tests.tournaments import playing
from tournaments.standings.runs import recalculate

pytestmark = pytest.mark.django_db


@pytest.mark.long
def test_lots_drawn_by_hand_settle_a_tie() -> None:
    of = playing.event(4, stage={"rounds_planned": 1, "chain": ["points"], "plan": {"places": [1], "prizes": ["10"]}})
    of.play(of.running((1, 2), (3, 4)), [35], [35])
    recalculate(tournament_id=of.tournament.pk, at=of.tick())
    address = f"events/{of.tournament.slug}/stages/1/"
    rows = Api().ok("GET", f"{address}standings/")["rows"]
    assert [row.get("undecided", {}).get("en", "")[:14] for row in rows] == ["Places 1 and 2"] * 2 + [""] * 2
    assert [row["prize"] for row in rows] == ["5", "5", "0", "0"]
    tied = [row["entrant"]["number"] for row in rows[:2]]
    lots = {"order": list(reversed(tied)), "reason": "Cards were cut"}
    api = desk(of.actor)
    for body in ({**lots, "order": tied[:1]}, {**lots, "order": [1, 99]}, {**lots, "reason": " "}, {"order": tied}):
        assert api.call("POST", f"{address}lots/", body).status == 400
    assert Api().call("POST", f"{address}lots/", lots).status == 403
    assert api.call("POST", f"{address}lots/", lots).status == 201
    assert [row["order"] for row in Api().ok("GET", f"{address}lots/")["results"]] == [lots["order"]]
    recalculate(tournament_id=of.tournament.pk, at=of.tick())
    rows = Api().ok("GET", f"{address}standings/")["rows"]
    assert [(row["entrant"]["number"], row["rank"]) for row in rows[:2]] == list(
        zip(lots["order"], (1, 2), strict=True)
    )
    assert rows[0]["why"]["en"].endswith("lots drawn by hand, draw 1")
