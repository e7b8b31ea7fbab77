"""Whole events sent as files: kept in pieces by the request, read by a worker, taken when its sender says so.

A file is sent once. One job checks it as a whole and writes nothing; another, asked for when the sender has seen what
it holds, takes it. Both read the same pieces, which are gone when the event is taken, or a day after they were sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, BinaryIO

from django.db import transaction

from ..acts import jobs
from ..acts.access import Act
from ..acts.admission import Actor, forbidden, require
from ..acts.errors import NotFound, Refusal
from ..acts.jobs import Made, Tell, Work
from ..models import EventUpload, EventUploadPiece, Job, User
from .imports import BadFile, Checked, ImportedEvent, checked, free_slug, keep
from .whole_events import PIECE, Glance, glance, pieces_of

CHECK = "check_event_file"
TAKE = "take_event_file"
#: So many files of one person wait at a time; the oldest makes room for the next.
MOST_UPLOADS = 3

_READING = {"en": "Reading the file (MB)", "zh": "正在读取文件（MB）"}
_AUDITING = {"en": "Working everything out again", "zh": "正在逐项重新核算"}
_TRYING = {"en": "Checking that it comes out again as it went in", "zh": "正在试写，看再导出是否一样"}
_WRITING = {"en": "Writing the event", "zh": "正在写入赛事"}


def send(*, file: BinaryIO, slug: str | None, actor: Actor, at: datetime) -> Job:
    """Keep a file that was sent and ask for its check; the open check where the same file is being checked already.

    Refused at once: what can be seen to be no export of an event, an address that is taken, a fourth file while three
    are being read.
    """
    sender = _sender(actor)
    seen = glance(file)
    if seen.finding is not None:
        raise BadFile([seen.finding])
    address = free_slug(slug) if slug else ""

    with transaction.atomic():
        upload = _keep(file, seen, sender, address, at)
        return _ask(CHECK, upload.pk, actor, at)


def take(*, job_id: int, actor: Actor, at: datetime) -> Job:
    """Ask for the taking of what the check `job_id` found good. Asked again it is the same job, however it stands."""
    require(actor, Act.IMPORT_EVENT, tournament=None)
    with transaction.atomic():
        seen = jobs.own(actor).select_for_update(of=("self",)).filter(pk=job_id, kind=CHECK).first()
        if seen is None:
            raise NotFound()
        if seen.result is None:
            raise _not_checked()
        if (known := taking_of(seen)) is not None:
            return known
        if not EventUpload.objects.filter(pk=seen.subject).exists():
            raise forgotten()
        return _ask(TAKE, seen.subject, actor, at)


def taking_of(seen: Job) -> Job | None:
    """The job that takes, or took, what a check found good; None when it is still to be asked for."""
    return Job.objects.filter(kind=TAKE, subject=seen.subject, refusal__isnull=True).defer("content").first()


def forget(*, at: datetime) -> None:
    """Forget files that were sent long ago."""
    EventUpload.objects.filter(sent_at__lt=at - jobs.KEPT).delete()


def forgotten() -> Refusal:
    """The file is not there any more."""
    return Refusal("file_forgotten")


# Sending


def _sender(actor: Actor) -> User:
    require(actor, Act.IMPORT_EVENT, tournament=None)
    if actor.user is None:
        raise forbidden(Act.IMPORT_EVENT)
    return actor.user


def _keep(file: BinaryIO, seen: Glance, sender: User, slug: str, at: datetime) -> EventUpload:
    """The file in the database, a piece at a time; as it is there already when it was sent before."""
    known = {"sender": sender, "digest": seen.digest, "slug": slug}
    if not EventUpload.objects.filter(**known).update(sent_at=at):
        _make_room(sender)
    upload, new = EventUpload.objects.get_or_create(**known, defaults={"sent_at": at, "size": seen.size})
    if new:
        file.seek(0)
        for number, piece in enumerate(pieces_of(file)):
            EventUploadPiece.objects.create(upload=upload, number=number, content=piece)
    return upload


def _make_room(sender: User) -> None:
    """At most so many files of one person wait, this one included."""
    waiting = EventUpload.objects.filter(sender=sender)
    too_many = waiting.count() - (MOST_UPLOADS - 1)
    if too_many <= 0:
        return
    at_work = Job.objects.filter(kind__in=(CHECK, TAKE), done_at=None).values("subject")
    oldest = list(waiting.exclude(pk__in=at_work).order_by("sent_at").values_list("pk", flat=True)[:too_many])
    if len(oldest) < too_many:
        message = {
            "en": f"{MOST_UPLOADS} files of yours are still being read. Wait until one of them is done.",
            "zh": f"你有 {MOST_UPLOADS} 个文件还在读取，请等其中一个完成。",
        }
        raise Refusal("too_many_files", message=message)
    EventUpload.objects.filter(pk__in=oldest).delete()


def _ask(kind: str, upload_id: int, actor: Actor, at: datetime) -> Job:
    return jobs.ask(tournament_id=None, kind=kind, subject=upload_id, act=Act.IMPORT_EVENT, actor=actor, at=at)


def _not_checked() -> Refusal:
    return Refusal("not_checked")


# Working


def _read(job: Job, tell: Tell) -> tuple[EventUpload, Checked]:
    upload = EventUpload.objects.filter(pk=job.subject).first()
    if upload is None:
        raise forgotten()
    return upload, checked(_stored(upload, tell), lambda: tell(_AUDITING, 0, 0))


def _stored(upload: EventUpload, tell: Tell) -> Iterator[bytes]:
    """The pieces of a file, one at a time."""
    of = -(-upload.size // PIECE)
    for number in range(of):
        tell(_READING, number, of)
        content = EventUploadPiece.objects.values_list("content", flat=True).filter(upload=upload, number=number)
        piece = content.first()
        if piece is None:  # forgotten meanwhile
            raise forgotten()
        yield bytes(piece)


def _check(job: Job, tell: Tell) -> ImportedEvent:
    upload, found = _read(job, tell)
    tell(_TRYING, 0, 0)
    return keep(found, actor=_asker(job), at=job.asked_at, slug=upload.slug, dry_run=True)


def _tell_check(job: Job, found: ImportedEvent, actor: Actor, at: datetime) -> Made:
    return Made(_told(found))


def _prepare_taking(job: Job, tell: Tell) -> tuple[EventUpload, Checked]:
    read = _read(job, tell)
    tell(_WRITING, 0, 0)
    return read


def _take(job: Job, read: tuple[EventUpload, Checked], actor: Actor, at: datetime) -> Made:
    upload, found = read
    made = keep(found, actor=actor, at=at, slug=upload.slug)
    upload.delete()
    return Made(_told(made))


def _asker(job: Job) -> Actor:
    return Actor(user=job.asked_by)


def _told(found: ImportedEvent) -> dict[str, Any]:
    """What a file holds and came to, as a job keeps it."""
    return {
        "slug": found.slug,
        "imported": found.tournament is not None,
        "record_digest": found.digest,
        "counts": dict(found.counts),
        "certificate": found.certificate.to_json(),
    }


CHECKING = Work({"en": "Check of an event file", "zh": "检查赛事文件"}, _check, _tell_check)
TAKING = Work({"en": "Import of an event file", "zh": "导入赛事文件"}, _prepare_taking, _take)
