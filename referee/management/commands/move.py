"""``manage.py move``: an event goes on at another installation."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from secrets import SystemRandom
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from referee.management.database import refuse_unmigrated
from tournaments.acts.admission import SYSTEM
from tournaments.acts.errors import Refusal
from tournaments.following import moving


class Command(BaseCommand):
    help = "Move an event: `move EVENT --to ADDRESS --file FILE` where it ends, `move --file FILE` where it goes on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", help="address of the event that leaves")
        parser.add_argument("--to", help="the address at which it goes on, https://cup.example.org")
        parser.add_argument("--file", type=Path, help="the file that is carried over")
        parser.add_argument("--slug", default="", help="its address where it is taken in, where its own is taken")
        parser.add_argument("--stay", action="store_true", help="the file was taken in nowhere: it goes on here")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unmigrated()
        slug, to, file = options["slug"], options["to"], options["file"]
        try:
            if slug and options["stay"]:
                moving.stay(slug, actor=SYSTEM, at=timezone.now())
                self.stdout.write(f"{slug}: it goes on here. Destroy the file: the event must not begin anywhere else.")
            elif slug and to and file:
                acts = moving.move_out(slug, to, file, at=timezone.now())
                self.stdout.write(f"{slug}: {acts} acts are in {file}. Nothing is written to it here any more.")
            elif file and not slug:
                try:
                    sent = file.read_bytes()
                except OSError as error:
                    raise CommandError(f"{file}: {error.strerror}") from None
                term, renamed = moving.move_in(
                    sent, actor=SYSTEM, at=timezone.now(), chance=SystemRandom(), slug=options["slug"]
                )
                self.stdout.write(
                    f"{term.tournament.slug}: term {term.number} begins here, after {term.head_size} acts under a head"
                )
                for name, new in renamed.items():
                    self.stdout.write(f"The name {name} is somebody else's here: that official signs in as {new}.")
            else:
                raise CommandError("Say EVENT --to ADDRESS --file FILE, or --file FILE alone, or EVENT --stay.")
        except Refusal as refusal:
            raise CommandError(refusal.message["en"]) from None
