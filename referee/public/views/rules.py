"""The rules as data: every profile, and all clauses of one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponseRedirect

from referee.parts.navigation import rules_address
from referee.public.page import FROZEN, page
from scoring import profiles as known
from scoring.profiles import ProfileError

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LONGEST_SET = 2000


@page("rules", cache=FROZEN)
def profiles(request: HttpRequest) -> dict[str, Any]:
    return {"profiles": [known.load(name) for name in known.profile_ids()]}


@page("rules", cache=FROZEN)
def profile(request: HttpRequest, profile: str) -> HttpResponse:
    return HttpResponseRedirect(rules_address(_built(profile, "")))


@page("clauses", cache=FROZEN)
def clauses(request: HttpRequest, profile: str) -> dict[str, Any]:
    """All clauses in order; ``?set=`` holds what an event changes, as the JSON of its profile."""
    return {"profile": _built(profile, request.GET.get("set", ""))}


def _built(name: str, changes: str) -> known.Profile:
    try:
        found = json.loads(changes) if 0 < len(changes) <= LONGEST_SET else {}
        return known.build({"base": name, "set": found} if found else name)
    except (ProfileError, ValueError, RecursionError):
        raise Http404 from None
