"""The projector: what the desk chooses and steers; the log and a file have it."""

from __future__ import annotations

import json
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
from tournaments.projector.reads import balls_of, projector_of
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


def test_a_draw_is_let_out_ball_by_ball() -> None:
    made = event()
    with pytest.raises(Refusal, match="nothing_drawn"):
        acts.begin_ceremony(**by(made))
    with pytest.raises(Refusal, match="no_ceremony"):
        acts.next_ball(**by(made))
    draw = made.drawn().draws.get()
    balls = balls_of(made.tournament, draw)
    meetings = json.loads(draw.document)["meetings"]
    assert [one.entrant for one in balls] == [one[side] for one in meetings for side in ("home", "away")]
    row = acts.begin_ceremony(**by(made))
    assert (row.draw_id, row.balls) == (draw.pk, 0)
    for count in (1, 2, 3, 4, 4):
        acts.next_ball(**by(made))
        assert projector_of(made.tournament).balls == count
    assert checking.check(made.tournament) == []
    data = event_json(made.tournament, official=True, names=True)
    kept = import_event(data=data, actor=made.actor, at=made.tick(), slug="kept").tournament
    assert kept is not None
    there = projector_of(kept)
    assert there.draw is not None
    assert [one.number for one in balls_of(kept, there.draw)] == [one.number for one in balls]
    acts.end_ceremony(**by(made))
    assert projector_of(made.tournament).draw_id is None


def test_a_bye_is_one_ball_without_a_table() -> None:
    made = event(5)
    balls = balls_of(made.tournament, made.drawn().draws.get())
    assert len(balls) == 5
    assert [one.table for one in balls] == [1, 1, 2, 2, None]
