"""Background work, one line a task: ids in, one service call. Any task may run twice, late or not at all."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from .services import standings


@shared_task(ignore_result=True)
def recalculate(tournament_id: int) -> None:
    """Bring a tournament's live tables up to date."""
    standings.recalculate(tournament_id=tournament_id, at=timezone.now())


@shared_task(ignore_result=True)
def sweep() -> None:
    """Ask again for every tournament whose recalculation was lost."""
    standings.sweep(at=timezone.now())
