"""Rounds with their pairings and results, and one match hand by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse

from referee.public import find
from referee.public.page import event_page, pdf
from referee.public.presenters import round, share
from referee.public.presenters import tricks as steps
from referee.public.presenters.match import hand_page, page
from tournaments.transfer.paper.lists import finder_pdf, pairing_pdf

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Tournament


@event_page("rounds", "rounds", live=True)
def rounds(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return round.overview(tournament)


@event_page("round", "rounds", live=True)
def round_(request: HttpRequest, tournament: Tournament, number: int) -> dict[str, Any]:
    return round.pairings(find.round_numbered(tournament, number), request.GET)


@event_page("round")
def pairing_paper(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The pairing as it hangs in the hall."""
    return pdf(pairing_pdf(find.round_numbered(tournament, number)), f"{tournament.slug}-round-{number}")


@event_page("round")
def finder(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Where everybody sits, by name."""
    return pdf(finder_pdf(find.round_numbered(tournament, number)), f"{tournament.slug}-round-{number}-seats")


@event_page("round")
def draw_document(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """How the standing pairing was drawn: the question and its answer, byte for byte as the digest has it."""
    pairing = find.pairing(tournament, number)
    if pairing.draw is None:
        raise Http404
    return HttpResponse(pairing.draw.document, content_type="application/json; charset=utf-8")


@event_page("round")
def pairing_document(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The standing pairing as its digest has it."""
    return HttpResponse(find.pairing(tournament, number).document, content_type="application/json; charset=utf-8")


@event_page("match", "rounds", live=True)
def match(request: HttpRequest, tournament: Tournament, number: int, table: int) -> dict[str, Any]:
    sitting = find.sitting_at(tournament, number, table, request.GET.get("game"))
    shown = page(sitting)
    return shown | {"share": share.later(share.of_match, sitting, shown)}


@event_page("played_hand", "rounds")
def hand(request: HttpRequest, tournament: Tournament, number: int, table: int, hand: int) -> dict[str, Any]:
    shown = hand_page(find.sitting_at(tournament, number, table, request.GET.get("game")), hand)
    if shown is None:
        raise Http404
    return shown


@event_page("tricks", "rounds", live=True)
def tricks(request: HttpRequest, tournament: Tournament, number: int, table: int, hand: int) -> dict[str, Any]:
    """The same hand in steps; ``?part=live`` is what a script puts in place of the step before."""
    sitting = find.sitting_at(tournament, number, table, request.GET.get("game"))
    shown = steps.page(sitting, hand, request.GET.get("trick"))
    if shown is None:
        raise Http404
    return shown
