"""Whole events sent as files: kept in pieces by who sends them, read by a worker, taken once, forgotten in time."""

from __future__ import annotations

import json
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest

from tests.tournaments.factories import AT, user
from tests.tournaments.test_event_imports import everything, exported, written
from tournaments.acts import jobs
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Forbidden, NotFound, Refusal
from tournaments.models import EventUpload, EventUploadPiece, Job, Office, Official, Tournament
from tournaments.transfer import uploads as event_uploads
from tournaments.transfer import whole_events
from tournaments.transfer.job_kinds import KINDS

pytestmark = pytest.mark.django_db


class Watched(BytesIO):
    """A file that notes how much was asked of it at a time."""

    most = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.most = max(self.most, len(self.getbuffer()) if size is None or size < 0 else size)
        return super().read(size)


def someone(name: str = "keeper") -> Actor:
    made = user(name)
    made.set_password("quiet-Harbour-77")
    made.save()
    return Actor(user=made)


def sent(actor: Actor, data: bytes | None = None, slug: str = "kept", **more: Any) -> Job:
    file = BytesIO(exported() if data is None else data)
    return event_uploads.send(file=file, slug=slug, actor=actor, at=AT, **more)


def done(job: Job) -> Job:
    """The job, after a worker had it."""
    jobs.run(job_id=job.pk, kinds=KINDS, at=AT)
    return Job.objects.get(pk=job.pk)


def taken(actor: Actor, checked: Job) -> Job:
    return event_uploads.take(job_id=checked.pk, actor=actor, at=AT)


@pytest.mark.long
def test_a_file_is_checked_by_a_worker_and_then_taken_by_a_worker() -> None:
    actor, data = someone(), exported()
    before = everything()
    asked = sent(actor, data)
    assert everything() == before
    assert (asked.tournament_id, asked.asked_by, asked.done_at) == (None, actor.user, None)
    checked = done(asked)
    assert checked.refusal is None
    assert (checked.result["slug"], checked.result["imported"]) == ("kept", False)
    assert checked.result["record_digest"] == json.loads(exported())["digest"]
    assert checked.result["certificate"]["clean"] is True
    assert everything() == before, "the check writes nothing"
    kept = done(taken(actor, checked))
    assert (kept.result["slug"], kept.result["imported"]) == ("kept", True)
    made = Tournament.objects.get(slug="kept")
    assert Official.objects.filter(tournament=made, user=actor.user, office=Office.ORGANISER).exists()
    assert not EventUploadPiece.objects.exists(), "what was taken is not kept twice"


def test_the_request_holds_one_piece_of_the_file_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_events, "PIECE", 10_000)
    monkeypatch.setattr(event_uploads, "PIECE", 10_000)
    actor, file = someone(), Watched(exported())
    job = event_uploads.send(file=file, slug="kept", actor=actor, at=AT)
    assert file.most == 10_000
    pieces = [bytes(one) for one in EventUploadPiece.objects.values_list("content", flat=True)]
    assert {len(one) for one in pieces[:-1]} == {10_000}
    assert b"".join(pieces) == exported()
    assert done(job).result["slug"] == "kept", "and the worker reads what was cut anywhere"


@pytest.mark.long
def test_asked_for_twice_it_is_one_job_and_one_event() -> None:
    actor = someone()
    first, second = sent(actor), sent(actor)
    assert first.pk == second.pk
    assert EventUpload.objects.count() == 1
    assert sent(actor, slug="elsewhere").pk != first.pk
    assert sent(someone("other")).pk != first.pk, "of another person it is another"
    checked = done(first)
    take = taken(actor, checked)
    assert taken(actor, checked).pk == take.pk
    done(take)
    assert taken(actor, checked).pk == take.pk
    assert not jobs.run(job_id=take.pk, kinds=KINDS, at=AT)
    assert Tournament.objects.filter(slug="kept").count() == 1


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not_json"),
        (b" PK\x03\x04", "not_json"),
        (b"nonsense", "not_json"),
        (b"[]", "not_an_event"),
        (b"{}", "unknown_format"),
        (b'{"format": "referee/event/1"}', "unknown_format"),
        (b'{"names": {"format": "referee/entrants/1"}}', "unknown_format"),
    ],
)
def test_what_is_plainly_no_event_is_refused_before_anything_is_kept(data: bytes, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        sent(someone(), data)
    assert refused.value.code == code
    assert not EventUpload.objects.exists()
    assert not Job.objects.exists()


def test_what_is_too_large_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_events, "LARGEST_FILE", 1_000)
    with pytest.raises(Refusal, match="file_too_large"):
        sent(someone())
    assert not EventUpload.objects.exists()


def test_an_address_that_is_taken_is_refused_at_once() -> None:
    actor = someone()
    done(taken(actor, done(sent(actor))))
    with pytest.raises(Refusal, match="slug_taken"):
        sent(actor)
    with pytest.raises(Refusal, match="bad_setting"):
        sent(actor, slug="no address")


def test_who_may_not_sends_nothing_and_nobody_takes_what_is_anothers() -> None:
    nobody, actor = Actor(), someone()
    with pytest.raises(Forbidden):
        sent(nobody)
    checked = done(sent(actor))
    for other in (someone("other"), nobody):
        with pytest.raises((NotFound, Forbidden)):
            taken(other, checked)
        assert not jobs.own(other).exists()
    assert list(jobs.own(actor)) == [checked]


def test_a_bad_file_is_refused_with_every_place() -> None:
    actor, document = someone(), json.loads(exported())
    document["matches"][2]["number"] = "three"
    document["matches"][3]["slot"] = "four"
    refused = done(sent(actor, written(document)))
    assert refused.result is None
    assert [one["field"] for one in refused.refusal["findings"]] == ["matches[2].number", "matches[3].slot"]
    assert all(one["message"]["zh"] for one in refused.refusal["findings"])
    with pytest.raises(Refusal, match="not_checked"):
        taken(actor, refused)


def test_what_is_not_checked_yet_or_was_checked_too_long_ago_is_not_taken() -> None:
    actor = someone()
    job = sent(actor)
    with pytest.raises(Refusal, match="not_checked"):
        taken(actor, job)
    checked = done(job)
    event_uploads.forget(at=AT + timedelta(hours=23))
    assert EventUploadPiece.objects.exists()
    event_uploads.forget(at=AT + timedelta(hours=25))
    assert not EventUploadPiece.objects.exists()
    with pytest.raises(Refusal, match="file_forgotten"):
        taken(actor, checked)
    other = sent(actor)
    event_uploads.forget(at=AT + timedelta(hours=25))
    assert done(other).refusal["code"] == "file_forgotten"


@pytest.mark.long
def test_the_address_may_be_taken_between_the_check_and_the_taking() -> None:
    one, other = someone(), someone("other")
    checked = done(sent(one))
    done(taken(other, done(sent(other))))
    take = done(taken(one, checked))
    assert take.refusal["code"] == "slug_taken"
    assert Tournament.objects.filter(slug="kept").count() == 1
    assert taken(one, checked).pk != take.pk, "what was refused may be tried again"


@pytest.mark.long
def test_a_fourth_file_takes_the_place_of_the_oldest_that_nobody_works_at() -> None:
    actor = someone()
    first = sent(actor, slug="one")
    for slug in ("two", "three"):
        sent(actor, slug=slug)
    with pytest.raises(Refusal, match="too_many_files"):
        sent(actor, slug="four")
    assert sent(actor, slug="one").pk == first.pk, "the same once more is no other file"
    done(first)
    sent(actor, slug="four")
    assert set(EventUpload.objects.values_list("slug", flat=True)) == {"two", "three", "four"}


def test_the_sweep_sends_again_what_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []
    monkeypatch.setattr(jobs, "_send", lambda job_id: found.append(job_id) or True)
    job = sent(someone())
    assert jobs.sweep(at=AT + timedelta(minutes=1)) == [job.pk]
    done(job)
    assert jobs.sweep(at=AT + timedelta(minutes=2)) == []
