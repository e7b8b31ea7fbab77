"""For the hall and for auditors: the projector, and how anybody checks the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import timezone

from referee.parts.printed import public_address
from referee.public.page import event_page, pdf
from referee.public.presenters.check import certificate_paper as paper_of_certificate
from referee.public.presenters.check import check as shown_check
from referee.public.presenters.screen import screen as shown_screen
from tournaments.acts.text import canonical_json
from tournaments.audit.certificates import certificate_of

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.audit.certificate import Certificate
    from tournaments.models import Tournament


@event_page("screen", live=True)
def screen(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    path = reverse("public:event", kwargs={"language": request.path.split("/")[1], "event": tournament.slug})
    finder = public_address(request, path)
    show, reel = request.GET.get("show", ""), request.GET.get("reel", "")
    return shown_screen(tournament, show, reel, now=timezone.now(), finder=finder)


@event_page("check")
def check(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return shown_check(tournament)


@event_page("certificate")
def certificate(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """What the audit of the public record came to; a large event says that a worker is at it."""
    return {"certificate": certificate_of(tournament)}


@event_page("certificate")
def certificate_document(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    made = _made(tournament)
    return HttpResponse(canonical_json(made.to_json()).encode(), content_type="application/json; charset=utf-8")


@event_page("certificate")
def certificate_paper(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    path = reverse("public:certificate", kwargs={"language": request.path.split("/")[1], "event": tournament.slug})
    data = paper_of_certificate(tournament, _made(tournament), public_address(request, path))
    return pdf(data, f"{tournament.slug}-certificate")


def _made(tournament: Tournament) -> Certificate:
    made = certificate_of(tournament)
    if made is None:
        raise Http404
    return made
