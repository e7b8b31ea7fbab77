"""The Celery app. Its settings are the CELERY_ block of the project's settings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import beat_init, before_task_publish, heartbeat_sent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")

app = Celery("referee")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["tournaments"])


# A worker and beat have no port to ask. Each touches a file while it does its work; `python -m referee.alive` reads it.


def mark_alive(name: str) -> None:
    """Touch the sign of life of ``worker`` or ``beat`` in the data folder."""
    from django.conf import settings

    Path(settings.DATA_DIR, f"{name}.alive").touch()


@heartbeat_sent.connect
def _worker_lives(**_: Any) -> None:
    mark_alive("worker")


@beat_init.connect
def _beat_begins(**_: Any) -> None:
    before_task_publish.connect(_beat_lives)


def _beat_lives(**_: Any) -> None:
    mark_alive("beat")
