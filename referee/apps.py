"""What happens once when the service, a worker or a command starts."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings


class RefereeConfig(AppConfig):
    name = "referee"

    def ready(self) -> None:
        from referee import static_files

        if not settings.DEBUG:
            static_files.collect()
