"""The line of every desk page: what is due now, and the way there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse

from tournaments.rounds.due import Due, WhatIsDue, what_is_due

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.models import Tournament

#: Where that is done which is due; those with a table, stage or publication of their own come below.
_PAGES: Final[Mapping[Due, str]] = {
    Due.ENTRANTS: "entrants",
    Due.CHIEF: "officials",
    Due.FIRST_ROUND: "pairing",
    Due.START: "board",
    Due.PLAY: "board",
    Due.CLOSE: "board",
    Due.PAIR: "pairing",
    Due.MAKE_ROUND: "pairing",
    Due.EXTRA_MATCH: "standings",
    Due.PUBLISH: "publish",
}


def line(event: Tournament) -> dict[str, Any]:
    """What is due, with the address of the page on which it is done."""
    due = what_is_due(event)
    return {"due": due, "address": _address(event, due)}


def _address(event: Tournament, due: WhatIsDue) -> str:
    known: dict[str, Any] = {"event": event.slug}
    if due.table is not None:
        return reverse("desk:table", kwargs=known | {"number": due.round, "table": due.table})
    if due.due is Due.BEGIN_STAGE:
        return reverse("desk:stage_begin", kwargs=known | {"number": due.stage})
    if due.publication is not None:
        return reverse("desk:publication", kwargs=known | {"number": due.publication})
    return reverse(f"desk:{_PAGES[due.due]}", kwargs=known)
