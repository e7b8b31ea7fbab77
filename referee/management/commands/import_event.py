"""Take a whole event from its export and keep it as a record; without --write nothing is written.

Exit code 0: it can be (or was) taken; 1: it is refused, with every finding; 2: the file cannot be read.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from referee.management.database import refuse_unmigrated
from tournaments.acts.admission import SYSTEM, Actor
from tournaments.acts.errors import Refusal
from tournaments.models import User
from tournaments.transfer.imports import import_event

CANNOT = 2


class Command(BaseCommand):
    help = "Read a whole event from its organiser's export: a dry run, or with --write kept as a record."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the export (JSON, with names)")
        parser.add_argument("--slug", help="its address here; else the one it had")
        parser.add_argument("--organiser", metavar="USERNAME", help="who becomes its organiser here")
        parser.add_argument("--write", action="store_true", help="take it; left out: a dry run")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            data = Path(options["file"]).read_bytes()
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}", returncode=CANNOT) from None
        refuse_unmigrated(CANNOT)
        try:
            made = import_event(
                data=data,
                actor=_actor(options["organiser"]),
                at=timezone.now(),
                slug=options["slug"],
                dry_run=not options["write"],
            )
        except Refusal as refusal:
            for finding in refusal.findings:
                self.stdout.write(f"{finding.field}: {finding.code}: {finding.message['en']}")
            if not refusal.findings:
                self.stdout.write(f"{refusal.field or ''}: {refusal.code}: {refusal.message['en']}")
            sys.exit(1)
        counts = ", ".join(f"{count} {name}" for name, count in made.counts.items() if count)
        self.stdout.write(f"{made.slug}: {counts}; record {made.digest}")
        self.stdout.write("Imported." if made.tournament else "A dry run: nothing was written. Add --write to take it.")


def _actor(username: str | None) -> Actor:
    if username is None:
        return SYSTEM
    person = User.objects.filter(username=username, is_active=True).first()
    if person is None:
        raise CommandError(f"There is no person {username}.", returncode=CANNOT)
    return Actor(user=person)
