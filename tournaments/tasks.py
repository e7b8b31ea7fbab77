"""Background work, one line a task: ids in, one act called. Any task may run twice, late or not at all."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from .acts import counting, jobs, keys
from .audit import certificates
from .copies import automatic
from .evidence import acts as evidence
from .log import beginning, numbering
from .standings import runs
from .transfer import uploads
from .transfer.job_kinds import KINDS
from .waking import acts as waking
from .waking import sending
from .webhooks import telling


@shared_task(ignore_result=True)
def recalculate(tournament_id: int) -> None:
    """Bring a tournament's live tables up to date."""
    runs.recalculate(tournament_id=tournament_id, at=timezone.now())


@shared_task(ignore_result=True)
def work(job_id: int) -> None:
    """Do a piece of long work."""
    jobs.run(job_id=job_id, kinds=KINDS, at=timezone.now())


@shared_task(ignore_result=True)
def certify(tournament_id: int) -> None:
    """Work out the certificate of an event."""
    certificates.certify_event(tournament_id=tournament_id)


@shared_task(ignore_result=True)
def wake(why: str, about: int) -> None:
    """Wake the phones of players who asked for it."""
    sending.wake(why=why, about=about, at=timezone.now())


@shared_task(ignore_result=True)
def sweep() -> None:
    """Ask again for every recalculation and job that was lost; forget files, counters and answers that are over; number
    the new leaves of the logs; have addresses told what is new in them."""
    runs.sweep(at=timezone.now())
    jobs.sweep(at=timezone.now())
    uploads.forget(at=timezone.now())
    counting.forget(at=timezone.now())
    keys.forget(at=timezone.now())
    waking.forget(at=timezone.now())
    evidence.forget(at=timezone.now())
    beginning.begin_missing(at=timezone.now())
    numbering.number_all(at=timezone.now())
    telling.ask_if_due(timezone.now())


@shared_task(ignore_result=True)
def tell_webhooks() -> None:
    """Tell addresses elsewhere what they have still to be told."""
    telling.tell_all()


@shared_task(ignore_result=True)
def copy() -> None:
    """Copy the database where that is due."""
    automatic.copy_if_due(at=timezone.now())
