"""The rules as pages: all profiles, one of them whole, two side by side, and a hand explained by one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import Http404, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from referee.hands.shapes import shape_choices
from referee.hands.words import CATEGORIES
from referee.parts.downloads import download
from referee.parts.navigation import rules_address
from referee.parts.words import PLACES, ROLES, SPECIALS, page_language
from referee.public.page import FROZEN, event_page, page
from referee.public.rulebook import explaining, explaining_single
from referee.public.rulebook.rules import by_chapter, comparison, families, find_clauses, profile_page, signals_asked
from scoring.conformance.archive import archive
from scoring.hands.regional import special_digs
from scoring.individual.entries import plays_levels
from scoring.profiles import Profile, ProfileError, build
from scoring.profiles.loader import TWO_TEAMS
from scoring.values import Role, Seat, Trump
from tournaments.rounds.progress import totals_of_hands

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament

LONGEST_SET = 2000


@page("rules", cache=FROZEN, kept=True)
def profiles(request: HttpRequest) -> dict[str, Any]:
    known = families()
    first = known[0].profiles[0]
    return {"families": known, "first": first, "by_chapter": by_chapter(first)} | find_clauses(request.GET.get("q", ""))


@page("profile", cache=FROZEN, kept=True)
def profile(request: HttpRequest, profile: str) -> dict[str, Any]:
    """One profile whole; ``?set=`` holds what an event changes, as the JSON of its profile."""
    return profile_page(_built(profile, request.GET.get("set", "")), request.GET.dict())


@page("profile", cache=FROZEN)
def clauses(request: HttpRequest, profile: str) -> HttpResponse:
    """Where the clauses were once on a page of their own; what a link names after ``#`` goes along."""
    return HttpResponseRedirect(rules_address(_built(profile, request.GET.get("set", ""))))


@require_safe
def conformance(request: HttpRequest) -> HttpResponse:
    """The conformance suite of this version, for other programs."""
    name = f"shengji-conformance-{settings.VERSION}.zip"
    return download(archive(settings.VERSION), name, "application/zip")


@event_page("profile", "event_rules", kept=True)
def of_event(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """The rules in force at an event, with its own settings and the totals of its hands."""
    totals = totals_of_hands(tournament)
    return profile_page(tournament.profile, request.GET.dict(), totals) | {"signals": signals_asked(tournament)}


@page("compare", cache=FROZEN)
def compare(request: HttpRequest) -> dict[str, Any]:
    """Two profiles side by side: ``a`` and ``b``, each with what an event changes in ``a_set``, ``b_set``."""
    context: dict[str, Any] = {"families": families()}
    chosen = [request.GET.get(name, "") for name in ("a", "b")]
    if not all(chosen):
        return context
    a, b = (_built(request.GET[name], request.GET.get(f"{name}_set", "")) for name in ("a", "b"))
    return context | {"a": a, "b": b} | comparison(a, b)


@page("explain", cache=FROZEN)
def explain(request: HttpRequest, profile: str) -> dict[str, Any] | HttpResponse:
    """A hand explained: the query is the hand, and the page says every reason, or everything wrong with it."""
    rules = _built(profile, request.GET.get("set", ""))
    if rules.game != TWO_TEAMS:
        context = {"language": page_language()} | _explained_single(request, rules)
        return render(request, "public/explain_single.html", context)
    typed = explaining.Typed.of_link(request.GET, rules)
    explained, findings = explaining.explain(rules, typed) if typed.is_asked else (None, ())
    return {
        "profile": rules,
        "typed": typed,
        "explained": explained,
        "findings": findings,
        "elsewhere": explaining.elsewhere(rules, typed, explained) if explained else (),
        "shapes": shape_choices(rules),
        "seats": [seat.value for seat in Seat],
        "roles": [role.value for role in Role],
        "throwers": list(ROLES.items()),
        "categories": list(CATEGORIES),
        "special_digs": [(event, SPECIALS[event]) for event in special_digs(rules)],
        "declares_red_fives": "pair_H5_declare_or_dig" in rules.level_jumps,
        "dark_bids": [(role.value, typed.get(f"dark_bids_{role}")) for role in Role] if rules.dark_bid_fine else (),
        "trumps": [trump.value for trump in Trump if trump is not Trump.NT or rules.no_trump_allowed],
    }


def _explained_single(request: HttpRequest, rules: Profile) -> dict[str, Any]:
    typed = explaining_single.TypedSingle.of_link(request.GET, rules)
    explained, findings = explaining_single.explain(rules, typed) if typed.is_asked else (None, ())
    return {
        "profile": rules,
        "typed": typed,
        "explained": explained,
        "findings": findings,
        "rows": typed.place_rows(),
        "places": typed.places,
        "throwers": [(place, PLACES[place]) for place in typed.places],
        "plays_levels": plays_levels(rules),
        "shapes": shape_choices(rules),
        "roles": [role.value for role in Role],
        "trumps": [trump.value for trump in Trump if trump is not Trump.NT or rules.no_trump_allowed],
    }


def _built(name: str, changes: str) -> Profile:
    try:
        found = json.loads(changes) if 0 < len(changes) <= LONGEST_SET else {}
        return build({"base": name, "set": found} if found else name, individual=True)
    except (ProfileError, ValueError, RecursionError):
        raise Http404 from None
