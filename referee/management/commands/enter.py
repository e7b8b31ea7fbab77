"""``manage.py enter``: a link that lets somebody in who has no password yet."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from referee.management.database import refuse_unmigrated
from tournaments.acts.errors import Refusal
from tournaments.events import sign_in_links
from tournaments.events.setup import new_secret
from tournaments.models import User
from tournaments.people import accounts

FIRST: Final = "organiser"


class Command(BaseCommand):
    """The way in that only whoever runs this installation has: the first organiser, or one whose session was lost."""

    help = "Print a link that works once, for a day: for the first organiser, or for NAME, who is made if need be."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="the name to sign in with; left out: the first person")
        parser.add_argument("--shown", default="", help="the name to be shown of a new person")
        parser.add_argument("--if-new", action="store_true", help="say nothing once somebody has a password")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unmigrated()
        in_use = accounts.anybody_has_password()
        if options["if_new"] and in_use:
            return
        name = options["name"]
        if name is None and in_use:
            raise CommandError("Somebody has a password already. Say who is to come in: manage.py enter NAME")
        try:
            person = self._person(name, options["shown"])
            secret = new_secret()
            sign_in_links.make_for_operator(person=person, at=timezone.now(), secret=secret)
        except Refusal as refusal:
            hint = ""
            if isinstance(refusal, sign_in_links.HasPassword):
                hint = f" Set another: manage.py changepassword {name}"
            raise CommandError(f"{refusal.message['en']}{hint}") from None
        self.stdout.write(line(f"{person.username} (works once)", reverse("desk:enter", args=[secret])))

    def _person(self, name: str | None, shown: str) -> User:
        """Who is to come in: the one of that name; without a name the first of all, such as the demonstration's."""
        first = None if name else User.objects.filter(is_active=True).order_by("pk").first()
        if first is not None:
            return first
        person, is_new = accounts.make_person(username=name or FIRST, display_name=shown)
        if not person.is_active:
            raise CommandError(f"{name} cannot sign in.")
        if is_new:
            self.stdout.write(f"A new person was made: {person.username}")
        return person


def line(what: str, path: str) -> str:
    """A line with an address to open, as this command and the demonstration print it."""
    here = f"http://{settings.HOST}:{settings.PORT}"
    if settings.TLS != "no":
        here = f"https://{settings.HOST}:{settings.TLS_PORT}"
    base = settings.PUBLIC_URL or here
    return f"  {what + ': ':<24}{base}{path}"
