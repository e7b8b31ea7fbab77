"""``manage.py demo``: a made-up event to look around in, and the links that open it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from referee.management.commands.enter import line
from referee.management.database import refuse_unmigrated
from tournaments.demo import event, removal
from tournaments.events import setup
from tournaments.ledger.codes import party_code_text
from tournaments.models import Device, RoundStatus, Sitting, Tournament, User
from tournaments.rounds import board

SEED: Final = "referee"


class Command(BaseCommand):
    """Into an empty database only. Prints a sign-in link until somebody has a password, and the links of one table."""

    help = "Make a demonstration event in an empty database, or remove it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="say nothing when the database is in use")
        parser.add_argument("--remove", action="store_true", help="remove the demonstration")
        parser.add_argument("--seed", default=SEED, help="another seed makes another event")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unmigrated()
        if options["remove"]:
            self._remove()
        elif not Tournament.objects.exists() and not (options["if_empty"] and User.objects.exists()):
            event.build(at=timezone.now(), seed=options["seed"], secrets=setup.new_secret)
            self.stdout.write("A demonstration event was made. Remove it with: manage.py demo --remove")
        elif not options["if_empty"]:
            raise CommandError("This database is in use; the demonstration goes into an empty one only.")
        if User.objects.exists():
            call_command("enter", "--if-new", stdout=self.stdout)
        self._print_table_links()

    def _remove(self) -> None:
        removed = removal.remove()
        if not removed:
            raise CommandError("There is no demonstration here.")
        self.stdout.write("The demonstration was removed.")

    def _print_table_links(self) -> None:
        """Both sides of a table of the demonstration that nobody holds yet."""
        running = Sitting.objects.filter(round__tournament__demo=True, round__status=RoundStatus.RUNNING, active=True)
        taken = Device.objects.filter(released_at=None).values("sitting")
        places = running.select_related("table__tournament").order_by("table__number")
        place = places.exclude(pk__in=taken).exclude(entries=None).first() or places.first()
        if place is None:
            return
        for code in board.codes_of(place.table.tournament):
            if code.table_id == place.table_id:
                side = "N-S" if code.side == "NS" else "E-W"
                address = reverse("table:land", args=[party_code_text(code)])
                self.stdout.write(line(f"Table {place.table.number}, {side}", address))
