"""``manage.py review``: what the disk of the laptop before has that was never received here."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from referee.management.database import refuse_unmigrated
from tournaments.acts.errors import Refusal
from tournaments.following.reviewing import look_through


class Command(BaseCommand):
    help = "List what the laptop before acknowledged and this one never received. Nothing of it is applied."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", help="its data folder, its referee.sqlite3, or a copy of it (referee-….zip)")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unmigrated()
        try:
            found = look_through(Path(options["path"]).expanduser(), timezone.now())
        except Refusal as refusal:
            raise CommandError(refusal.message["en"]) from None
        for one in found:
            self.stdout.write(
                f"{one.event.slug}: {one.missing} acts never received, {one.listed} newly listed for review"
                + (f", {one.not_signed} not signed by any key known here and left out" if one.not_signed else "")
            )
        self.stdout.write("An official looks at them at the desk: Settings, Second laptop.")
