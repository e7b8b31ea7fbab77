"""The closing of a round and its taking back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.tournaments.factories import device
from tests.tournaments.playing import Event, colleague, event, sittings_of
from tests.worlds import kept
from tournaments.acts.doorbell import stale_number
from tournaments.acts.errors import Forbidden, Refusal
from tournaments.events import rule_changes
from tournaments.models import Device, HistoryEntry, Office, Round, RoundStatus
from tournaments.rounds import closing
from tournaments.rounds.acts import stop_clock
from tournaments.stages.acts import add_stage, begin_stage
from tournaments.standings import runs

pytestmark = pytest.mark.django_db

SECONDS = timedelta(seconds=1)


@kept
def played(pairs: int = 4, **more: object) -> tuple[Event, Round]:
    """An event whose first round was closed just now."""
    made = event(pairs, **more)
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [85])
    round_.refresh_from_db()
    return made, round_


def reopen(made: Event, round_: Round, after: timedelta = 20 * SECONDS) -> Round:
    assert round_.closed_at is not None
    return closing.reopen_round(round_id=round_.pk, actor=made.actor, at=round_.closed_at + after)


def test_a_closing_is_taken_back_and_the_phones_hold_their_places_again() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    first = sittings_of(round_)[0]
    held, lost = device(first, "NS"), device(first, "EW")
    Device.objects.filter(pk=lost.pk).update(released_at=made.now, released_why="desk")
    ended = round_.ends_at
    made.play(round_, [35], [85])
    round_.refresh_from_db()
    assert round_.status == RoundStatus.CLOSED
    stale = stale_number(made.tournament.pk)
    again = reopen(made, round_)
    round_.refresh_from_db()
    made.tournament.refresh_from_db()
    assert (again.status, round_.status, round_.closed_at) == (RoundStatus.RUNNING, RoundStatus.RUNNING, None)
    assert (round_.ends_at, round_.stopped_at) == (ended, None)
    assert stale_number(made.tournament.pk) > stale
    # who was signed out by the closing is back, who was signed out by the desk is not
    assert list(Device.objects.filter(released_at=None)) == [held]
    act = HistoryEntry.objects.filter(round=round_).latest("pk")
    assert (act.act, act.user) == ("reopen_round", made.actor.user)
    # a second tap is the same act, and the round can be closed again
    reopen(made, Round(pk=round_.pk, closed_at=made.now))
    assert HistoryEntry.objects.filter(act="reopen_round").count() == 1
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())


def test_a_clock_that_stood_stands_again() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    stop_clock(round_id=round_.pk, actor=made.actor, at=made.tick(), reason="alarm")
    stood_since = made.now
    made.play(round_, [35], [85])
    round_.refresh_from_db()
    assert round_.stopped_at is None
    assert reopen(made, round_).stopped_at == stood_since


def test_after_a_minute_it_stays_closed() -> None:
    made, round_ = played()
    with pytest.raises(Refusal, match="too_late_to_reopen"):
        reopen(made, round_, 61 * SECONDS)
    assert reopen(made, round_, 60 * SECONDS).status == RoundStatus.RUNNING


def publish(made: Event, round_: Round) -> None:
    runs.publish(stage_id=round_.stage_id, round_id=round_.pk, actor=made.actor, at=made.now)


def draw(made: Event, round_: Round) -> None:
    made.paired((1, 3), (2, 4))


def begin(made: Event, round_: Round) -> None:
    stage = add_stage(
        tournament_id=made.tournament.pk, actor=made.actor, at=made.now, facts={"format": "rr", "rounds_planned": 3}
    )
    begin_stage(stage_id=stage.pk, actor=made.actor, at=made.now)


def change_rules(made: Event, round_: Round) -> None:
    change = rule_changes.propose(
        tournament_id=made.tournament.pk, actor=made.actor, at=made.now, spec="scn2-2013", reason="misprint"
    )
    rule_changes.apply(change_id=change.pk, actor=made.actor, at=made.now)


@pytest.mark.parametrize("build", [publish, draw, begin, change_rules])
def test_what_was_built_on_it_keeps_it_closed(build: object) -> None:
    made, round_ = played(stage={"rounds_planned": 1 if build is begin else 3})
    build(made, round_)  # type: ignore[operator]
    with pytest.raises(Refusal, match="built_on_round"):
        reopen(made, round_)


def test_a_table_published_before_the_closing_was_not_built_on_it() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    publish(made, round_)
    made.play(round_, [35], [85])
    round_.refresh_from_db()
    assert reopen(made, round_).status == RoundStatus.RUNNING


@pytest.mark.long
def test_only_a_closed_round_is_reopened_and_only_by_who_may_close_it() -> None:
    made = event(4)
    round_ = made.published((1, 2), (3, 4))
    with pytest.raises(Refusal, match="round_not_closed"):
        closing.reopen_round(round_id=round_.pk, actor=made.actor, at=made.now)
    made, round_ = played(name="Other")
    with pytest.raises(Forbidden):
        closing.reopen_round(round_id=round_.pk, actor=colleague(made, Office.REFEREE), at=made.now)
