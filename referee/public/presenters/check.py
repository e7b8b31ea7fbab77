"""The projector's pages, and what an auditor needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from referee.public.addresses import api_address
from referee.public.presenters.round import keeps_levels, rows_of
from referee.public.presenters.standings import table
from tournaments import queries
from tournaments.exchange.paper import Heading, certificate_pdf
from tournaments.models import RoundStatus
from tournaments.queries import public_pages
from tournaments.queries.results import results_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Tournament
    from tournaments.services.certificate import Certificate

SLIDES: Final = ("pairings", "clock", "standings")
#: Rows that can be read from across the hall.
ROWS: Final = 12
FIGURES: Final = 4


@dataclass(frozen=True, slots=True)
class Slide:
    """One page of the projector: `part` of `parts` of one kind."""

    kind: str
    rows: Sequence[Any] = ()
    part: int = 1
    parts: int = 1


def screen(tournament: Tournament, show: str) -> dict[str, Any]:
    """The pages in the order asked for (``show=pairings,clock``); all three when none is named."""
    wanted = [kind for kind in show.split(",") if kind in SLIDES] or list(SLIDES)
    current = queries.current_round(tournament)
    slides: list[Slide] = []
    shown: dict[str, Any] = {"round": current, "show": ",".join(wanted)}
    shown["keeps_levels"] = current is None or keeps_levels(current)
    for kind in dict.fromkeys(wanted):
        if kind == "clock":
            slides += [Slide("clock")] if current is not None and current.status == RoundStatus.RUNNING else []
        elif kind == "pairings":
            slides += _cut(kind, rows_of(current) if current else [])
        elif tournament.live_public and current is not None:
            standings = queries.live_standings(current.stage)
            made = table(current.stage.chain, standings.rows, results_of(current.stage), {}, profile=tournament.profile)
            shown |= {"columns": made["columns"][:FIGURES], "provisional": standings.provisional}
            slides += _cut(kind, made["lines"])
    return shown | {"slides": slides}


def _cut(kind: str, rows: Sequence[Any]) -> list[Slide]:
    pieces = [rows[start : start + ROWS] for start in range(0, len(rows), ROWS)]
    return [Slide(kind, piece, number, len(pieces)) for number, piece in enumerate(pieces, start=1)]


def check(tournament: Tournament) -> dict[str, Any]:
    """Digests, the rules in force, and where the whole record can be had."""
    return {
        "publications": public_pages.publications(tournament),
        "export": api_address("export", slug=tournament.slug),
        "rule_changes": public_pages.rule_changes(tournament),
    }


def certificate_paper(tournament: Tournament, certificate: Certificate, address: str) -> bytes:
    """The certificate as PDF, with the address of its page as a QR code. The same record gives the same bytes."""
    first = "en" if tournament.language.startswith("en") else "zh"
    heading = Heading(tournament.name, tournament.name_latin, first, address)
    newest = max((one.published_at for one in tournament.publications.all()), default=tournament.created_at)
    return certificate_pdf(certificate.to_json(), heading, newest)
