"""The projector's pages, and what an auditor needs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from referee.public.addresses import api_address
from referee.public.presenters.round import keeps_levels, rows_of
from referee.public.presenters.standings import table
from tournaments.boards.reads import RESULTS_LATER, kept_back
from tournaments.models import RoundStatus, StageFormat
from tournaments.rounds import public
from tournaments.rounds.progress import rule_changes
from tournaments.standings.results import results_of
from tournaments.standings.shown import live_standings, publication_list
from tournaments.transfer.paper.certificate import Heading, certificate_pdf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.public.presenters.standings import PlaceLine
    from tournaments.audit.certificate import Certificate
    from tournaments.models import Tournament

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
    current = public.current_round(tournament)
    slides: list[Slide] = []
    shown: dict[str, Any] = {"round": current, "show": ",".join(wanted)}
    later = RESULTS_LATER if current is not None and kept_back(current.stage).results else None
    shown["later"] = later
    shown["keeps_levels"] = current is None or keeps_levels(current)
    for kind in dict.fromkeys(wanted):
        if kind == "clock":
            slides += [Slide("clock")] if current is not None and current.status == RoundStatus.RUNNING else []
        elif kind == "pairings":
            slides += _cut(kind, rows_of(current) if current else [])
        elif tournament.live_public and current is not None and later is None:
            stage, standings = current.stage, live_standings(current.stage)
            chain = () if stage.format == StageFormat.KO_TIMED else stage.chain
            made = table(
                chain, standings.rows, results_of(stage), {}, profile=tournament.profile, points_are=stage.points_are
            )
            shown |= {"columns": made["columns"][:FIGURES], "provisional": standings.provisional}
            slides += _cut_by_group(kind, made["lines"])
    return shown | {"slides": slides}


def _cut(kind: str, rows: Sequence[Any]) -> list[Slide]:
    pieces = [rows[start : start + ROWS] for start in range(0, len(rows), ROWS)]
    return [Slide(kind, piece, number, len(pieces)) for number, piece in enumerate(pieces, start=1)]


def _cut_by_group(kind: str, lines: Sequence[PlaceLine]) -> list[Slide]:
    """Groups stay together while a page has room for them; the name of a group takes a row of its own."""
    pieces: list[list[PlaceLine]] = []
    room = 0
    for group, inside in groupby(lines, key=lambda line: line.row.group):
        here, head = list(inside), 0 if group is None else 1
        for start in range(0, len(here), ROWS - head):
            piece = here[start : start + ROWS - head]
            if room < head + len(piece):
                pieces.append([])
                room = ROWS
            pieces[-1] += piece
            room -= head + len(piece)
    return [Slide(kind, piece, number, len(pieces)) for number, piece in enumerate(pieces, start=1)]


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
