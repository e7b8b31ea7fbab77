"""The projector: what the desk chooses and steers; the log and a file have it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.playing import Event, event
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document, event_json
from tournaments.log import checking
from tournaments.models import HistoryEntry, Projector
from tournaments.models.projector import ScreenBoard
from tournaments.projector import acts
from tournaments.projector.reads import projector_of
from tournaments.transfer.imports import import_event

pytestmark = pytest.mark.django_db


def by(made: Event) -> dict[str, Any]:
    return {"tournament_id": made.tournament.pk, "actor": made.actor, "at": made.tick()}


def state(made: Event) -> tuple[list[str], str, bool, int]:
    row = projector_of(made.tournament)
    return row.boards, row.held, row.paused, row.turned


def test_where_nobody_chose_everything_is_shown_and_nothing_is_stored() -> None:
    made = event()
    assert state(made) == (list(ScreenBoard.values), "", False, 0)
    assert not Projector.objects.exists()


def test_the_desk_chooses_and_steers() -> None:
    made = event()
    acts.choose(**by(made), boards=["map", "pairings"])
    acts.pause(**by(made), paused=True)
    acts.turn(**by(made))
    assert state(made) == (["map", "pairings"], "", True, 1)
    acts.show(**by(made), board="standings")  # what is to be seen now does not stand still elsewhere
    assert state(made) == (["map", "pairings"], "standings", False, 1)
    acts.show(**by(made), board="")
    acts.show(**by(made), board="")
    told = HistoryEntry.objects.filter(act="steer_screen").order_by("pk").values_list("old", "new")
    assert list(told) == [
        (None, {"shown": ["map", "pairings"]}),
        ({"paused": False}, {"paused": True}),
        ({"held": "", "paused": True}, {"held": "standings", "paused": False}),
        ({"held": "standings"}, {"held": ""}),
    ]


@pytest.mark.parametrize("boards", [[], ["map", "map"], ["map", "weather"]])
def test_what_is_no_set_of_boards_is_refused(boards: list[str]) -> None:
    made = event()
    with pytest.raises(Refusal, match="bad_boards"):
        acts.choose(**by(made), boards=boards)
    with pytest.raises(Refusal, match="bad_boards"):
        acts.show(**by(made), board="weather")
    assert not Projector.objects.exists()


@pytest.mark.both_databases
def test_it_is_in_the_log_and_travels_with_the_event() -> None:
    made = event()
    assert "projectors" not in event_document(made.tournament)
    acts.choose(**by(made), boards=["map", "hands"])
    acts.show(**by(made), board="hands")
    assert checking.check(made.tournament) == []
    document = event_document(made.tournament)
    assert audit(document) == []
    data = event_json(made.tournament, official=True, names=True)
    kept = import_event(data=data, actor=made.actor, at=made.tick(), slug="kept").tournament
    assert kept is not None
    assert (projector_of(kept).boards, projector_of(kept).held) == (["map", "hands"], "hands")
    Projector.objects.filter(tournament=made.tournament).update(held="")
    assert checking.check(made.tournament) != []
