"""What a side reads at the table: its page, the pulse that tells of changes, the record, the preview of an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.csrf import ensure_csrf_cookie

from referee.parts.offline import keep
from referee.parts.words import in_language
from referee.table import individual
from referee.table.individual import IndividualScreen
from referee.table.places import at_place
from referee.table.presenters import (
    entry_context,
    field_of,
    refused_context,
    result_words,
    rulings_of,
    screen_context,
    sentence_of,
)
from referee.table.screens import Screen, View
from scoring.sittings import step_table
from tournaments.acts.errors import Refusal
from tournaments.ledger import previewing

if TYPE_CHECKING:
    from django.http import HttpRequest

    from referee.table.places import HeldPlace
    from tournaments.ledger.previewing import Preview


@ensure_csrf_cookie
@at_place("GET")
def place(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """The one page of a side: whatever it must do now. ``?own=1`` enters its own figures against the other side's."""
    screen = screen_of(place, own=request.GET.get("own") == "1")
    return keep(page(request, screen), "own")


def screen_of(place: HeldPlace, *, own: bool = False) -> Screen:
    """The page of a place: a side's, or a single player's."""
    return IndividualScreen(place, own=own) if place.tournament.individual else Screen(place, own=own)


def page(request: HttpRequest, screen: Screen, *, status: int = 200, refusal: Refusal | None = None) -> HttpResponse:
    """The page of a screen, with what was refused, if anything."""
    context = screen_context(screen) | refused_context(refusal)
    context["opened"] = request.headers.get("Sec-Fetch-Dest", "document") == "document"
    if screen.view is View.ENTER:
        context |= individual.entry_context(screen) if isinstance(screen, IndividualScreen) else entry_context(screen)
    elif screen.view in (View.CONFIRM, View.SENT) and screen.waiting is not None:
        seen = previewing.preview(
            sitting_id=screen.sitting.pk,
            actor=screen.place.actor,
            facts=screen.waiting.facts,
            hand_no=screen.waiting.hand_no,
        )
        context |= _result_words(screen, seen)
    return render(request, "table/page.html", context, status=status)


@at_place("GET")
def now(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """The pulse: which page this side should be seeing, and the calls that are open."""
    screen = screen_of(place, own=request.GET.get("own") == "1")
    return render(request, "table/pulse.html", screen_context(screen))


@at_place("GET")
def steps(request: HttpRequest, place: HeldPlace, digest: str) -> HttpResponse:
    """The table by which a phone works out what a hand does; its address names what it says, so it never changes."""
    if digest != step_table.digest(place.tournament.profile):
        raise Http404
    return keep(HttpResponse(step_table.written(place.tournament.profile), content_type="application/json"), "own")


@at_place("GET")
def record(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """All hands of the match so far, with their reasons, and the rulings at this table."""
    return record_page(request, place)


def record_page(
    request: HttpRequest, place: HeldPlace, *, refusal: Refusal | None = None, appealed: int = 0, written: str = ""
) -> HttpResponse:
    """The record; an appeal that was refused comes back as it was `written`, against the ruling of that number."""
    shown = {"rulings": rulings_of(screen_of(place).rulings, place.now), "appealed": appealed, "written": written}
    context = screen_context(screen_of(place)) | refused_context(refusal) | shown
    return render(request, "table/record.html", context, status=refusal.status if refusal else 200)


def ruled_here(place: HeldPlace, number: int) -> int:
    """The id of the ruling of that number at this table; none has the id 0."""
    return next((one.pk for one in screen_of(place).rulings if one.number == number), 0)


@at_place("POST")
def preview(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """What an entry would do, before it is sent: the sums in words, and every finding."""
    screen = screen_of(place, own=True)
    screen.read(request.POST)
    facts = screen.facts(annulled=request.POST.get("kind") == "annulled")
    try:
        seen = previewing.preview(sitting_id=place.sitting.pk, actor=place.actor, facts=facts, hand_no=screen.hand_no)
    except Refusal as refusal:
        return JsonResponse({"html": "", "findings": [], "message": in_language(refusal.message)})
    words = _result_words(screen, seen)
    return JsonResponse(
        {
            "html": render_to_string("table/result.html", words, request=request),
            "total": words.get("total"),
            "spoken": words.get("spoken", ""),
            "findings": findings_json(seen.findings),
        }
    )


def _result_words(screen: Screen, seen: Preview) -> dict[str, Any]:
    return individual.result_words(screen, seen) if isinstance(screen, IndividualScreen) else result_words(screen, seen)


def findings_json(findings: Any) -> list[dict[str, Any]]:
    """Findings for the page's script: the form's field, the sentence in the page's language."""
    return [
        {
            "code": one.code,
            "field": field_of(one.field),
            "blocking": one.blocking,
            "clause": one.clause,
            "message": sentence_of(one),
        }
        for one in findings
    ]
