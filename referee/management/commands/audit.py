"""Work every result out again from the ledger and print each difference; exit code 1 when there is any."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.exchange.events import event_document
from tournaments.models import Tournament
from tournaments.services.audit import NotAnEvent, audit


class Command(BaseCommand):
    help = "Recompute all sittings, match results, standings and digests from the ledger and print every difference."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", help="address of one event; all events when left out")
        parser.add_argument("--export", metavar="FILE", help="audit an exported event instead of the database")

    def handle(self, *args: Any, **options: Any) -> None:
        documents = [_read(options["export"])] if options["export"] else self._events(options["slug"])
        found = 0
        for document in documents:
            try:
                differences = audit(document)
            except NotAnEvent as error:
                raise CommandError(str(error)) from None
            slug = document["tournament"]["slug"]
            for difference in differences:
                self.stdout.write(f"{slug}: {difference}")
            entries, publications = len(document["ledger"]), len(document["publications"])
            self.stdout.write(
                f"{slug}: {len(document['sittings'])} sittings, {entries} entries, {publications} publications, "
                f"{len(differences)} differences"
            )
            found += len(differences)
        if found:
            sys.exit(1)

    def _events(self, slug: str | None) -> list[dict[str, Any]]:
        events = Tournament.objects.order_by("pk")
        if slug is not None:
            events = events.filter(slug=slug)
            if not events:
                raise CommandError(f"There is no event {slug}.")
        return [event_document(event, official=True) for event in events]


def _read(path: str) -> dict[str, Any]:
    try:
        document = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise CommandError(f"{path} is not JSON.") from None
    if not isinstance(document, dict):
        raise CommandError(f"{path} is not an event export.")
    return document
