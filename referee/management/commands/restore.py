"""``manage.py restore``: a copy in the place of the database; it is audited before anything is changed."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournaments.copies.errors import CopyFailed
from tournaments.copies.restoring import restore


class Command(BaseCommand):
    help = "Put a copy made by backup in the place of the database. Stop the service first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the copy: referee-….zip")
        parser.add_argument("--replace", action="store_true", help="though there are events in the database")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            said, told = restore(Path(options["file"]).expanduser(), timezone.now(), replace=options["replace"])
        except CopyFailed as failed:
            raise CommandError(failed.message["en"]) from None
        self.stdout.write(told.strip())
        self.stdout.write(f"Restored as of {said.made_at}: {said.events} events, {said.entries} entries.")
