"""What is due, through the whole life of an event: before it, in a round, between rounds, after the last."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.referee.public.events import publish, waiting_hand
from tests.tournaments import playing
from tests.tournaments.factories import device, sheet
from tournaments.acts.admission import Actor
from tournaments.ledger import scorekeeping
from tournaments.models import Office
from tournaments.rounds import closing
from tournaments.rounds.due import Due, WhatIsDue, what_is_due

if TYPE_CHECKING:
    from tests.tournaments.playing import Event

pytestmark = pytest.mark.django_db


def due(made: Event) -> WhatIsDue:
    """Both languages are whole, and the Chinese has no Latin word."""
    found = what_is_due(made.tournament)
    for text in (found.title, found.why, found.after):
        if text is not None:
            assert text["en"]
            assert not re.search("[A-Za-z]{2}", text["zh"])
    return found


def test_before_the_first_round() -> None:
    made = playing.event(4)
    assert (due(made).due, due(made).blocked) == (Due.CHIEF, True)
    playing.colleague(made, Office.CHIEF_REFEREE)
    assert (due(made).due, due(made).round, due(made).blocked) == (Due.FIRST_ROUND, 1, False)
    for number in (2, 3, 4):
        made.tournament.entrants.filter(number=number).update(withdrawn_at=made.tick())
    found = due(made)
    assert (found.due, found.blocked) == (Due.ENTRANTS, True)
    assert found.why == {"en": "1 entered; a round needs two.", "zh": "已有 1 方，至少要两方。"}


def test_while_a_round_is_played() -> None:
    made = playing.event(4, stage={"rounds_planned": 2})
    made.published((1, 2), (3, 4))
    assert (due(made).due, due(made).round) == (Due.START, 1)
    made = playing.event(4, stage={"rounds_planned": 2})
    running = made.running((1, 2), (3, 4))
    first, second = playing.sittings_of(running)
    assert due(made).why == {"en": "Tables: 2 play.", "zh": "2 桌在打。"}
    waiting_hand(made, first)
    found = due(made)
    assert (found.due, found.blocked) == (Due.PLAY, False)
    assert found.why == {"en": "Tables: 1 plays, 1 waits for an answer.", "zh": "1 桌在打，1 桌等确认。"}
    first.refresh_from_db()
    scorekeeping.record_hand(
        sitting_id=first.pk,
        actor=Actor(device=device(first, "EW")),
        at=made.tick(),
        facts=sheet(40) | {"dealer": "N"},
        hand_no=first.hand_no,
    )
    found = due(made)
    assert (found.due, found.round, found.table, found.blocked) == (Due.DISPUTE, 1, 1, True)
    assert found.title == {"en": "Table 1 has a dispute", "zh": "1 桌有争议"}
    assert second.pk


def test_from_the_last_result_to_the_end() -> None:
    made = playing.event(4, stage={"rounds_planned": 2})
    running = made.running((1, 2), (3, 4))
    for sitting in playing.sittings_of(running):
        made.hand(sitting, 35)
        made.end(sitting)
    assert (due(made).due, due(made).round) == (Due.CLOSE, 1)
    closing.close_round(round_id=running.pk, actor=made.actor, at=made.tick())
    found = due(made)
    assert (found.due, found.round) == (Due.MAKE_ROUND, 2)
    assert found.why == {"en": "The last standings are not published.", "zh": "上一轮的名次还没公布。"}
    publish(made, running)
    assert due(made).why is None
    last = made.running((1, 3), (2, 4))
    made.play(last, [35], [60])
    assert due(made).due is Due.PUBLISH
    newest = publish(made, last)
    assert (due(made).due, due(made).publication) == (Due.OVER, newest.number)
