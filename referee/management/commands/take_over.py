"""``manage.py take_over``: the laptop that followed goes on by itself."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from referee.management.database import refuse_unmigrated
from tournaments.acts.admission import SYSTEM
from tournaments.acts.errors import Refusal
from tournaments.following.taking_over import take_over


class Command(BaseCommand):
    help = "Go on here with what was received from the first laptop. Unplug that one first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--unplugged", action="store_true", help="the first laptop is off or out of the network")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unmigrated()
        try:
            begun = take_over(actor=SYSTEM, at=timezone.now(), unplugged=options["unplugged"])
        except Refusal as refusal:
            raise CommandError(refusal.message["en"]) from None
        for term in begun:
            self.stdout.write(f"{term.tournament.slug}: term {term.number}, after {term.head_size} acts under a head")
        self.stdout.write("This laptop writes now. Give it the address of the first, or let phones open its own.")
