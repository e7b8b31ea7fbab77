"""Addresses that presenters write: of other front ends, and of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import NoReverseMatch, reverse

from referee.parts.words import page_language

if TYPE_CHECKING:
    from tournaments.models import Match


def api_address(name: str, **known: Any) -> str:
    """An address of the JSON front end; empty while it is not served."""
    try:
        return reverse(f"api:{name}", kwargs=known)
    except NoReverseMatch:
        return ""


def match_address(match: Match) -> str:
    """The page of a match in the language of the page (its active `sittings` at hand); empty while it has no table."""
    table = next((sitting.table.number for sitting in match.sittings.all()), None)
    if table is None:
        return ""
    known = {"event": match.round.tournament.slug, "number": match.round.number, "table": table}
    return reverse("public:match", kwargs={"language": page_language(), **known})
