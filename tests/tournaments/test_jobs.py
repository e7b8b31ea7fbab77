"""Long work: asked for once, one effect however often it is begun, healed by the sweep, ended when it keeps failing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache

from tests.tournaments.factories import AT, Hall, entrant, hall
from tournaments.acts import jobs
from tournaments.acts.access import Act
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Forbidden, Refusal
from tournaments.acts.jobs import Made, Tell, Work
from tournaments.models import Job

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

STEP = {"en": "counting", "zh": "清点"}


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    cache.clear()


def asked(here: Hall, **more: Any) -> Job:
    facts: dict[str, Any] = {"kind": "count", "subject": here.round.pk, "act": Act.PAIR, "actor": here.organiser}
    return jobs.ask(tournament_id=here.event.pk, at=AT, **{**facts, **more})


def kind(prepare: Any) -> dict[str, Work]:
    """A kind of work whose effect is one more entrant."""

    def finish(job: Job, value: int, actor: Actor, at: Any) -> Made:
        made = entrant(job.tournament, value)
        return Made({"number": made.number}, b"paper")

    return {"count": Work({"en": "Count", "zh": "清点"}, prepare, finish)}


def counted(job: Job, tell: Tell) -> int:
    for done in (0, 40, 100):
        tell(STEP, done, 100)
    return 100 + int(job.arguments.get("plus", 0))


def test_asked_twice_it_is_one_job_and_begun_twice_it_has_one_effect() -> None:
    here = hall()
    first, second = asked(here, plus=1), asked(here, plus=2)
    assert first.pk == second.pk
    assert jobs.run(job_id=first.pk, kinds=kind(counted), at=AT)
    assert not jobs.run(job_id=first.pk, kinds=kind(counted), at=AT)
    done = Job.objects.get(pk=first.pk)
    assert (done.result, bytes(done.content or b""), done.tries) == ({"number": 101}, b"paper", 1)
    assert here.event.entrants.filter(number=101).count() == 1
    assert asked(here).pk != first.pk, "once done, it may be asked for again"


def test_a_worker_that_is_overtaken_leaves_no_effect() -> None:
    here = hall()
    job = asked(here)

    def slow(job: Job, tell: Tell) -> int:
        assert jobs.run(job_id=job.pk, kinds=kind(counted), at=AT), "meanwhile another worker does it"
        return 200

    assert not jobs.run(job_id=job.pk, kinds=kind(slow), at=AT)
    assert Job.objects.get(pk=job.pk).result == {"number": 100}
    assert not here.event.entrants.filter(number=200).exists()


def test_how_far_it_is_can_be_seen_while_it_runs_and_not_after() -> None:
    here = hall()
    job, seen = asked(here), []

    def watched(job: Job, tell: Tell) -> int:
        tell(STEP, 40, 100)
        seen.append(jobs.progress_of(job))
        return 100

    assert jobs.progress_of(job) is None
    jobs.run(job_id=job.pk, kinds=kind(watched), at=AT)
    assert seen == [jobs.Progress(STEP, 40, 100)]
    assert jobs.progress_of(Job.objects.get(pk=job.pk)) is None
    assert jobs.open_jobs(here.event) == []


def test_a_new_step_is_told_at_once_and_more_of_the_same_at_the_pace_of_pages() -> None:
    here = hall()
    job, seen = asked(here), []
    long = {"en": "the long one", "zh": "慢的一步"}

    def stepped(job: Job, tell: Tell) -> int:
        for step, done in ((STEP, 0), (long, 1), (long, 2), (long, 100)):
            tell(step, done, 100)
            seen.append(jobs.progress_of(job))
        return 100

    jobs.run(job_id=job.pk, kinds=kind(stepped), at=AT)
    assert seen == [jobs.Progress(*facts, 100) for facts in ((STEP, 0), (long, 1), (long, 1), (long, 100))]


def test_a_long_step_gives_signs_of_life(monkeypatch: pytest.MonkeyPatch, until: Callable[..., None]) -> None:
    here = hall()
    job = asked(here)
    monkeypatch.setattr(jobs, "SIGN_EVERY", 0.01)

    def long(job: Job, tell: Tell) -> int:
        tell(STEP, 1, 2)
        cache.clear()  # as it would be gone after a while
        until(lambda: jobs.progress_of(job) == jobs.Progress(STEP, 1, 2))
        return 100

    assert jobs.run(job_id=job.pk, kinds=kind(long), at=AT)
    cache.clear()
    assert jobs.progress_of(Job(pk=job.pk)) is None, "and none when it is over"


def test_a_refusal_ends_it_and_nothing_is_written() -> None:
    here = hall()
    job = asked(here)

    def refused(job: Job, tell: Tell) -> int:
        raise Refusal("too_few", message={"en": "Too few.", "zh": "太少。"})

    assert jobs.run(job_id=job.pk, kinds=kind(refused), at=AT)
    ended = Job.objects.get(pk=job.pk)
    assert ended.refusal == {"code": "too_few", "message": {"en": "Too few.", "zh": "太少。"}}
    assert ended.done_at is not None
    assert ended.result is None


def test_what_breaks_is_sent_again_until_it_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    here = hall()
    sent: list[int] = []
    monkeypatch.setattr(jobs, "_send", lambda job_id: sent.append(job_id) or True)
    job = asked(here)

    def broken(job: Job, tell: Tell) -> int:
        raise ZeroDivisionError

    now = AT
    for _ in range(jobs.MOST_TRIES):
        now += timedelta(minutes=1)
        with pytest.raises(ZeroDivisionError):
            jobs.run(job_id=job.pk, kinds=kind(broken), at=now)
        assert jobs.sweep(at=now + timedelta(seconds=1)) == [], "it may still be at work"
        assert jobs.sweep(at=now + timedelta(seconds=30)) == [job.pk]
    assert not jobs.run(job_id=job.pk, kinds=kind(broken), at=now)
    assert Job.objects.get(pk=job.pk).refusal["code"] == "gave_up"
    assert jobs.sweep(at=now + timedelta(hours=1)) == []


def test_the_sweep_leaves_alone_what_gives_signs_of_life_and_forgets_what_is_long_done() -> None:
    here = hall()
    job = asked(here)
    late = AT + timedelta(minutes=5)

    def swept(job: Job, tell: Tell) -> int:
        tell(STEP, 1, 2)
        assert jobs.sweep(at=late) == []
        return 100

    assert jobs.sweep(at=late) == [job.pk], "no worker has taken it"
    set_back = job.asked_at - timedelta(hours=1)
    assert jobs.sweep(at=set_back) == [job.pk], "a time that is still to come does not hold it for an hour"
    jobs.run(job_id=job.pk, kinds=kind(swept), at=AT)
    done = Job.objects.get(pk=job.pk)
    assert done.done_at is not None
    jobs.sweep(at=done.done_at + timedelta(hours=23))
    assert Job.objects.filter(pk=job.pk).exists()
    jobs.sweep(at=done.done_at + timedelta(hours=25))
    assert not Job.objects.exists()


def test_only_who_may_do_it_may_ask_for_it() -> None:
    here = hall()
    with pytest.raises(Forbidden):
        asked(here, actor=here.referee)
    assert not Job.objects.exists()
