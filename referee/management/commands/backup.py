"""``manage.py backup``: a copy of the whole database while the service runs, audited before it is called good."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from referee.management.database import refuse_unmigrated
from tournaments.copies.errors import CopyFailed
from tournaments.copies.making import audited, make_copy, manifest_of


class Command(BaseCommand):
    help = "Copy the whole database into a folder, read the copy again and audit it. The service may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?", help="where to; the folder of COPIES when left out")
        parser.add_argument("--no-audit", action="store_true", help="only read the copy through")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unmigrated()
        folder = Path(options["folder"]).expanduser() if options["folder"] else settings.COPIES
        if folder is None:
            raise CommandError("Name a folder, or set COPIES.")
        try:
            made = make_copy(folder.resolve(), timezone.now())
            told = "" if options["no_audit"] else audited(made.path)
        except CopyFailed as failed:
            raise CommandError(failed.message["en"]) from None
        said = manifest_of(made.path)
        self.stdout.write(f"{made.path}: {said.events} events, {said.entries} entries, database {said.digest[:16]}")
        if told is None:
            self.stdout.write("Read through, but not audited: this role may make no database to try it in.")
        else:
            self.stdout.write(told.strip() or "Read through; not audited.")
