"""Work every result out again from the ledger and print each difference.

Exit code 0: nothing differs; 1: something does; 2: what was asked for cannot be audited.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from django.utils import timezone

from referee.management.database import refuse_unmigrated
from tournaments.acts.text import canonical_json
from tournaments.audit.audit import NotAnEvent, certify
from tournaments.audit.certificate import Certificate
from tournaments.audit.record import event_document
from tournaments.log import checking
from tournaments.models import LogLeaf, Tournament
from tournaments.transfer.paper.certificate import Heading, certificate_pdf

CANNOT = 2


class Command(BaseCommand):
    help = "Recompute all sittings, results, draws, standings and digests of events and print every difference."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", help="address of one event; all events when left out")
        parser.add_argument("--export", metavar="FILE", help="audit an exported event instead of the database")
        parser.add_argument(
            "--certificate", metavar="FILE", help="write the certificate of one event there: .json or .pdf"
        )
        parser.add_argument(
            "--copy", action="store_true", help="of a copy: acts that had no number yet when it was made may have none"
        )
        parser.add_argument("--lines", action="store_true", help="print every line of the certificate")

    def handle(self, *args: Any, **options: Any) -> None:
        documents = [_read(options["export"])] if options["export"] else self._events(options["slug"])
        if options["certificate"] and len(documents) != 1:
            raise _cannot("A certificate is of one event; name it.")
        found = 0
        for document in documents:
            certificate = self._audited(document, every_line=options["lines"])
            found += len(certificate.differences)
            if options["certificate"]:
                _write(certificate, document, Path(options["certificate"]))
        if not options["export"]:
            at = None if options["copy"] else timezone.now()
            found += sum(self._log_checked(event, at) for event in _chosen(options["slug"]))
        if found:
            sys.exit(1)

    def _audited(self, document: dict[str, Any], *, every_line: bool) -> Certificate:
        try:
            certificate = certify(document)
        except NotAnEvent as error:
            raise _cannot(str(error)) from None
        slug = certificate.event
        if every_line:
            for line in certificate.lines:
                self.stdout.write(f"{slug}: {line.verdict}: {line.title['en']} {line.digest}".rstrip())
        for difference in certificate.differences:
            self.stdout.write(f"{slug}: {difference}")
        entries, publications = len(document["ledger"]), len(document["publications"])
        counts = ", ".join(f"{count} {verdict.word['en']}" for verdict, count in certificate.counts.items())
        self.stdout.write(f"{slug}: {counts}; record {certificate.digest}")
        self.stdout.write(
            f"{slug}: {len(document['sittings'])} sittings, {entries} entries, {publications} publications, "
            f"{len(certificate.differences)} differences"
        )
        return certificate

    def _events(self, slug: str | None) -> list[dict[str, Any]]:
        refuse_unmigrated(CANNOT)
        events = _chosen(slug)
        if slug is not None and not events:
            raise _cannot(f"There is no event {slug}.")
        return [event_document(event, official=True, names=True) for event in events]

    def _log_checked(self, event: Tournament, at: datetime | None) -> int:
        """Hold the database against the event's log; how much the log does not explain."""
        found = checking.check(event, at=at)
        for one in found:
            self.stdout.write(f"{event.slug}: log: {one}")
        acts = LogLeaf.objects.filter(tournament=event).count()
        self.stdout.write(f"{event.slug}: log of {acts} acts, {len(found)} not explained")
        return len(found)


def _chosen(slug: str | None) -> QuerySet[Tournament]:
    events = Tournament.objects.order_by("pk")
    return events if slug is None else events.filter(slug=slug)


def _cannot(why: str) -> CommandError:
    return CommandError(why, returncode=CANNOT)


def _read(path: str) -> dict[str, Any]:
    try:
        document = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise _cannot(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise _cannot(f"{path} is not JSON.") from None
    if not isinstance(document, dict):
        raise _cannot(f"{path} is not an event export.")
    return document


def _write(certificate: Certificate, document: dict[str, Any], path: Path) -> None:
    if path.suffix == ".json":
        path.write_bytes(canonical_json(certificate.to_json()).encode())
        return
    if path.suffix != ".pdf":
        raise _cannot("A certificate is written as .json or .pdf.")
    names = document.get("names", {}).get("tournament", {})
    first = "en" if document["tournament"].get("language", "").startswith("en") else "zh"
    heading = Heading(names.get("name") or certificate.event, names.get("name_latin", ""), first)
    path.write_bytes(certificate_pdf(certificate.to_json(), heading, timezone.now()))
