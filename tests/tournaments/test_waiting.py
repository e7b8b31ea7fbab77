"""A publication that waits a minute: done by a worker when it is over, at once when somebody says so, or stopped."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.tournaments.playing import Event, colleague, event, sittings_of
from tournaments.acts import jobs
from tournaments.acts.doorbell import stale_number
from tournaments.acts.errors import Forbidden, Refusal
from tournaments.models import HistoryEntry, Job, Office, Official, Publication, Round
from tournaments.standings.runs import publish
from tournaments.standings.waiting import WAIT, publish_later, publish_now, stop, waiting_in
from tournaments.transfer.job_kinds import KINDS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def played() -> tuple[Event, Round]:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [35])
    made.now = timezone.now()
    return made, round_


def of(made: Event, round_: Round, **more: Any) -> dict[str, Any]:
    return {"stage_id": round_.stage_id, "round_id": round_.pk, "actor": made.actor, "at": made.now, **more}


def later(made: Event, round_: Round, **more: Any) -> Job:
    return publish_later(**of(made, round_, expected_number=stale_number(made.tournament.pk)) | more)


def worked(job: Job, at: Any) -> Job:
    """What a worker makes of it at that time."""
    jobs.run(job_id=job.pk, kinds=KINDS, at=at)
    return Job.objects.get(pk=job.pk)


def test_it_is_published_when_the_minute_is_over_and_not_before() -> None:
    made, round_ = played()
    job = later(made, round_)
    assert job.due_at == made.now + WAIT
    assert waiting_in(made.tournament) == [job]
    before = job.due_at - timedelta(milliseconds=1)
    assert jobs.sweep(at=before) == []
    assert worked(job, before).done_at is None
    assert not Publication.objects.exists()
    done = worked(job, job.due_at)
    one = Publication.objects.get()
    assert done.result == {
        "publication": 1,
        "round": 1,
        "words": {"en": "Published as no. 1.", "zh": "已公布为第 1 号。"},
    }
    assert (one.round, one.published_by) == (round_, made.actor.user)
    assert waiting_in(made.tournament) == []
    assert not jobs.run(job_id=job.pk, kinds=KINDS, at=job.due_at)


def test_asked_twice_it_waits_once() -> None:
    made, round_ = played()
    job = later(made, round_)
    made.now += timedelta(seconds=30)
    assert later(made, round_).pk == job.pk
    assert Job.objects.get(pk=job.pk).due_at == job.due_at


def test_stopped_nothing_is_published_and_who_stopped_it_is_told() -> None:
    made, round_ = played()
    job = later(made, round_)
    ended = stop(job_id=job.pk, actor=made.actor, at=made.now)
    assert ended.refusal == {
        "code": "stopped",
        "message": {"en": "It was stopped: nothing was published.", "zh": "已停止，没有公布。"},
    }
    assert worked(job, made.now + 2 * WAIT).result is None
    publish_now(job_id=job.pk, actor=made.actor, at=made.now)
    assert not Publication.objects.exists()
    line = HistoryEntry.objects.order_by("-pk")[0]
    assert (line.act, line.round, line.user) == ("stop_publishing", round_, made.actor.user)
    with pytest.raises(Refusal, match="too_late_to_stop"):
        stop(job_id=job.pk, actor=made.actor, at=made.now)
    assert later(made, round_).pk != job.pk, "it may be asked for again"


def test_nobody_has_to_wait_and_what_is_published_stays() -> None:
    made, round_ = played()
    job = later(made, round_)
    other = colleague(made, Office.ORGANISER)
    done = publish_now(job_id=job.pk, actor=other, at=made.now + timedelta(seconds=3))
    assert (done.result or {})["publication"] == 1
    one = Publication.objects.get()
    assert (one.published_by, one.published_at) == (other.user, made.now + timedelta(seconds=3))
    with pytest.raises(Refusal, match="too_late_to_stop"):
        stop(job_id=job.pk, actor=other, at=made.now)
    publish_now(job_id=job.pk, actor=other, at=made.now)
    assert Publication.objects.count() == 1


def test_what_would_refuse_it_is_said_at_once() -> None:
    made, round_ = played()
    with pytest.raises(Refusal, match="stale"):
        publish_later(**of(made, round_, expected_number=0))
    publish(**of(made, round_))
    with pytest.raises(Refusal, match="already_published"):
        later(made, round_)
    with pytest.raises(Refusal, match="reason_required"):
        later(made, round_, supersedes=Publication.objects.get().pk)
    assert not Job.objects.exists()


@pytest.mark.parametrize("now", [False, True])
def test_what_was_counted_meanwhile_stops_it(now: bool) -> None:
    """The organiser has not seen that table."""
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    made.hand(sittings_of(round_)[0], 35)
    job = later(made, round_)
    made.hand(sittings_of(round_)[1], 35)
    made.end(sittings_of(round_)[1])
    if now:
        with pytest.raises(Refusal, match="stale"):
            publish_now(job_id=job.pk, actor=made.actor, at=made.now)
    else:
        worked(job, made.now + WAIT)
    ended = Job.objects.get(pk=job.pk)
    assert ended.done_at is not None
    assert (ended.refusal or {})["code"] == "stale"
    assert not Publication.objects.exists()


def test_only_an_organiser_asks_hurries_and_stops() -> None:
    made, round_ = played()
    chief = colleague(made, Office.CHIEF_REFEREE)
    with pytest.raises(Forbidden):
        later(made, round_, actor=chief)
    job = later(made, round_)
    for act in (publish_now, stop):
        with pytest.raises(Forbidden):
            act(job_id=job.pk, actor=chief, at=made.now)
    assert waiting_in(made.tournament) == [job], "it still waits"
    # who asked for it has no office any more when the minute is over
    Official.objects.filter(tournament=made.tournament, user=made.actor.user).update(revoked_at=made.now)
    assert (worked(job, made.now + WAIT).refusal or {})["code"] == "forbidden"
    assert not Publication.objects.exists()


def test_a_real_worker_publishes_what_the_sweep_sends(celery_worker: None, until: Callable[..., None]) -> None:
    """Nobody looks at a page: the sweep finds that the minute is over."""
    made, round_ = played()
    made.now -= WAIT
    job = later(made, round_)
    assert jobs.sweep(at=made.now + WAIT) == [job.pk]
    until(lambda: Job.objects.get(pk=job.pk).done_at)
    assert Publication.objects.get().number == 1
