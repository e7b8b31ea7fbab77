"""All shared parts on one page, for the tests only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from django.template import engines
from django.utils.translation import gettext as _

from referee.parts import states
from referee.pictures import plots
from scoring.profiles import load
from tests.referee.parts import samples

if TYPE_CHECKING:
    from django.http import HttpRequest

PAGE = Path(__file__).parent / "pages" / "styleguide.html"
NOW = datetime(2026, 5, 16, 6, 30, tzinfo=UTC)


def render(request: HttpRequest) -> str:
    """The page in the active language, with the reader's look."""
    icons = sorted({state.icon for state in states.STATES.values()})
    return (
        engines["django"]
        .from_string(PAGE.read_text())
        .render(
            {
                "states": list(states.STATES),
                "suits": ["S", "H", "C", "D", "JS", "JB"],
                "icons": icons,
                "now": NOW,
                "then": NOW - timedelta(minutes=4),
                "minus": -30,
                "profile": load("scn2-2013"),
                "fine": load("scn2-2013-step20"),
                "wide": load("cn-national-3d"),
                "below": load("cn-national-2d"),
                "counts": {0: 18, 35: 7, 60: 14, 80: 20, 85: 22, 120: 9, 165: 3, 240: 1},
                "levels": plots.levels_plot(
                    samples.LADDER, samples.START, samples.told_match(_("hook"), _("void")), ("10", "K")
                ),
                "places": plots.places_plot(samples.PLACES, ("R1", "R2", "R3")),
            },
            request,
        )
    )
