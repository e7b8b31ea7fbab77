"""The worker of one laptop goes on working, whatever befalls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from celery.worker import WorkController

from referee import embedded
from referee.celery import app


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_gives_up_is_followed_by_another(
    monkeypatch: pytest.MonkeyPatch, until: Callable[..., None]
) -> None:
    started: list[WorkController] = []
    start = WorkController.start

    def noted(controller: WorkController) -> Any:
        started.append(controller)
        return start(controller)

    monkeypatch.setattr(WorkController, "start", noted)
    monkeypatch.setattr(embedded, "RESTART_SECONDS", 0.05)
    with embedded.worker(app):
        started[0].stop(exitcode=1)  # what Celery does with an unrecoverable error
        until(lambda: len(started) == 2, seconds=15)
        until(lambda: started[1].consumer is not None, seconds=15)
    assert len(started) == 2
