"""The adjudicator: a disputed play, throw or bid judged from its link. Nothing is kept, nobody has to log in."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from referee.adjudicator.cases import Case
from referee.adjudicator.questions import KINDS, OFFENCE, kinds_of
from referee.parts.words import page_language
from referee.public.page import page
from referee.public.rulebook import adjudicator
from scoring import profiles
from scoring.profiles import ProfileError
from tournaments.models import Tournament

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LONGEST_SET = 2000
#: The rules of the first page before any were chosen.
FIRST_RULES = "scn2-2013"


@page("adjudicator/chooser", kept=True)
def chooser(request: HttpRequest) -> dict[str, Any] | HttpResponse:
    """Which question, by which rules; ``?kind=`` goes on to the page of that question, if they have it."""
    profile, tournament = _rules(request)
    event = tournament.slug if tournament else ""
    kind = request.GET.get("kind", "")
    if kind in kinds_of(profile):
        kept = adjudicator.known_of_hand(request.GET, profile)
        address = reverse("public:adjudicate", kwargs={"language": page_language(), "kind": kind})
        return HttpResponseRedirect(f"{address}?{urlencode(adjudicator.rules_query(profile, event) | kept)}")
    unknown = adjudicator.QUESTIONS[kind][0] if kind in KINDS else ""
    known = {"known": adjudicator.known_of_hand(request.GET, profile)}
    return adjudicator.chooser(profile, event) | {"asked": request.GET.dict(), "unknown": unknown} | known


@page("adjudicator/case", kept=True)
def case(request: HttpRequest, kind: str) -> dict[str, Any] | HttpResponse:
    """One position: the query is the position. ``?part=live`` is the part that moves with every card.

    Rules that do not know the question lead back to those that they leave.
    """
    if kind not in KINDS:
        raise Http404
    profile, tournament = _rules(request)
    event = tournament.slug if tournament else ""
    if kind not in kinds_of(profile):
        rules = urlencode({**adjudicator.rules_query(profile, event), "kind": kind})
        return HttpResponseRedirect(f"{reverse('public:adjudicator', kwargs={'language': page_language()})}?{rules}")
    fragment = request.GET.get("part") == "live"
    at = adjudicator.at_table(request.GET)
    position = Case.of(kind, profile, request.GET)
    if tournament and kind == OFFENCE:
        position = replace(position, penalties=tournament.penalty_schedule)
    context = adjudicator.page_of(position, event, fragment=fragment, at=at)
    if fragment:
        return render(request, "public/adjudicator/_judged.html", {"language": page_language()} | context)
    return context


def _rules(request: HttpRequest) -> tuple[profiles.Profile, Tournament | None]:
    """The rules asked for: those of an event, with the event; or a profile with changes."""
    event = request.GET.get("event", "")
    if event:
        tournament = get_object_or_404(Tournament, slug=event)
        return tournament.profile, tournament
    changes = request.GET.get("set", "")
    name = request.GET.get("profile", "") or FIRST_RULES
    try:
        found = json.loads(changes) if 0 < len(changes) <= LONGEST_SET else {}
        return profiles.build({"base": name, "set": found} if found else name, individual=True), None
    except (ProfileError, ValueError, RecursionError):
        raise Http404 from None
