"""``manage.py forget_factor NAME``: turns off the second factor of somebody who lost device and recovery codes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from referee.management.database import refuse_unmigrated
from tournaments.people import accounts, second_factor


class Command(BaseCommand):
    """The way back that only whoever runs this installation has; look first who is asking."""

    help = "Turn off the second factor of NAME, who lost the device and the recovery codes. The password stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name to sign in with")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unmigrated()
        person = accounts.named(options["name"])
        if person is None:
            raise CommandError(f"Nobody signs in as {options['name']}.")
        if not second_factor.is_on(person):
            raise CommandError(f"{person.username} has no second factor.")
        second_factor.forget(person=person, at=timezone.now())
        self.stdout.write(f"{person.username} signs in with the password alone. Every session and API token has ended.")
