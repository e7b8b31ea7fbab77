"""``manage.py migrate``: as Django has it, but for a look first at whether it may touch the database; serve runs it."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate

from referee.management.database import refuse_unreleased


class Command(migrate.Command):
    """Brings the database up to date; exit code 1 with a sentence, and nothing changed, where it cannot be."""

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unreleased()
        super().handle(*args, **options)
