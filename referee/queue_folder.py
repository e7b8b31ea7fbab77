"""The broker of one laptop: kombu's folder of messages, made safe for writers and readers at the same time.

Kombu creates a message's file and fills it afterwards; a reader in between takes an empty file, and the worker ends.
Here a message appears whole or not at all; a file that a flat battery cut off is passed over (the sweep sends again).
"""

from __future__ import annotations

import os
import time
import uuid
from pathlib import Path
from typing import Any

import structlog
from kombu.transport import filesystem
from kombu.utils.json import dumps

log = structlog.get_logger(__name__)


class Channel(filesystem.Channel):
    """A folder of messages, one file each."""

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        name = f"{round(time.monotonic() * 1000)}_{uuid.uuid4()}"
        draft = Path(self.data_folder_out, f"{name}.part")
        draft.write_text(dumps(payload), encoding="utf-8")
        os.replace(draft, draft.with_name(f"{name}.{queue}.msg"))

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        while True:
            try:
                return super()._get(queue)
            except ValueError:
                log.warning("A message that was cut off is left out.", queue=queue)


class Transport(filesystem.Transport):
    """The transport with that channel."""

    Channel = Channel
