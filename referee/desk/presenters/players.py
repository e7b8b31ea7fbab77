"""The desk's sheet of a hand of single players, beside the one of two sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from referee.hands.choices import choices
from referee.hands.forms import PlayersForm, SheetForm
from referee.hands.words import annulled_reasons, opposed
from scoring.individual.entries import places

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import QueryDict

    from scoring.profiles import Profile

Sheet = SheetForm | PlayersForm


def sheet_of(facts: Mapping[str, Any], profile: Profile) -> Sheet:
    """The form that says the same as an entry's facts; an empty one for no facts."""
    if profile.division != "sides":
        return PlayersForm.of_facts(facts, profile)
    return SheetForm.of_facts(facts, profile) if facts else SheetForm({}, profile)


def posted_sheet(data: QueryDict, profile: Profile) -> Sheet:
    """The form as it was typed."""
    return PlayersForm.posted(data, profile) if profile.division != "sides" else SheetForm.posted(data, profile)


def sheet_context(profile: Profile) -> dict[str, Any]:
    """What the sheet of single players offers."""
    kinds = {
        "hand": _("Full sheet"),
        "total": _("Only the total is on the slip"),
        "annulled": _("Void hand"),
        "adjusted": _("Adjusted result"),
    }
    if profile.division == "everyone":
        del kinds["total"]
    return choices(profile) | {
        "sheet": "desk/_players_sheet.html",
        "kinds": list(kinds.items()),
        "seats": [str(place) for place in places(profile)],
        "annulled": [(code, capfirst(word)) for code, word in annulled_reasons(profile).items()],
        "opposed": opposed(profile),
    }
