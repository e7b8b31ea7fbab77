"""What an auditor needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from referee.public.addresses import api_address
from tournaments.rounds.progress import rule_changes
from tournaments.standings.shown import publication_list
from tournaments.transfer.paper.certificate import Heading, certificate_pdf

if TYPE_CHECKING:
    from tournaments.audit.certificate import Certificate
    from tournaments.models import Tournament


def check(tournament: Tournament) -> dict[str, Any]:
    """Digests, the rules in force, and where the whole record can be had."""
    return {
        "publications": publication_list(tournament, timezone.now()),
        "export": api_address("export", slug=tournament.slug),
        "rule_changes": rule_changes(tournament),
    }


def certificate_paper(tournament: Tournament, certificate: Certificate, address: str) -> bytes:
    """The certificate as PDF, with the address of its page as a QR code. The same record gives the same bytes."""
    first = "en" if tournament.language.startswith("en") else "zh"
    heading = Heading(tournament.name, tournament.name_latin, first, address)
    newest = max((one.published_at for one in tournament.publications.all()), default=tournament.created_at)
    return certificate_pdf(certificate.to_json(), heading, newest)
