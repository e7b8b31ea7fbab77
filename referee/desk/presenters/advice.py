"""A report of advice as the page shows it: sentences first, then shares as bars with their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.parts.words import in_language
from referee.pictures.bars import Bars, bars, percent
from scoring.standings.chains import title_of
from scoring.standings.scales import SCALES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Places of the strongest side that have a bar of their own; the others are counted together.
_PLACES = 4


@dataclass(frozen=True, slots=True)
class Option:
    """What one number of rounds comes to: the figures of the table, and the pictures."""

    title: str
    facts: tuple[tuple[str, str], ...]
    pictures: tuple[Bars, ...]


def report_shown(report: Mapping[str, Any]) -> dict[str, Any]:
    """The report for ``desk/advice.html``."""
    return {
        "events": report["events"],
        "entrants": report["entrants"],
        "findings": [in_language(one) for one in report["findings"]],
        "options": [
            _option(
                one,
                advance=report.get("through") is not None,
                boards=report.get("boards", False),
                singles=report.get("singles", False),
            )
            for one in report["options"]
        ],
        "singles": report.get("singles", False),
    }


def _option(one: Mapping[str, Any], *, advance: bool, boards: bool, singles: bool) -> Option:
    hands, last, minutes = one["hands"], one["last_table"], one["minutes"]
    facts = [
        (_("The strongest wins"), percent(one["strongest_wins"])),
        (_("Of the three strongest among the first three"), f"{one['best_three'] / 10:.1f}"),
        (
            _("Of two players the stronger is placed higher")
            if singles
            else _("Of two sides the stronger is placed higher"),
            percent(one["in_order"]),
        ),
        (_("Hands at a table") if singles else _("Hands a match"), _range(hands)),
        *(() if boards or singles else [(_("Matches over before their time"), percent(one["full"]))]),
        *(() if singles else [(_("Drawn matches"), percent(one["drawn"]))]),
        (_("Minutes until the last table of a round is done"), _range(last)),
        (_("Minutes in all, ten between rounds"), _range(minutes)),
        (_("Several have the most points"), percent(one["tied_first"])),
    ]
    pictures = [_strongest(one["strongest"], singles=singles), _finish(one["finish"])]
    if one["first_by"]:
        pictures.append(_ties(one["first_by"]))
    if one["otherwise"]:
        kinds = ("without",) if singles else ("scale", "without")
        pictures += [_otherwise(one["otherwise"], kind, advance=advance) for kind in kinds]
    title = ngettext("%(n)s round", "%(n)s rounds", one["rounds"]) % {"n": one["rounds"]}
    return Option(title, tuple(facts), tuple(pictures))


def _strongest(places: Mapping[str, int], *, singles: bool) -> Bars:
    rows = [(_("place %(n)s") % {"n": place}, places.get(str(place), 0)) for place in range(1, _PLACES + 1)]
    rows.append((_("lower"), sum(share for place, share in places.items() if int(place) > _PLACES)))
    title = _("Where the strongest player ends") if singles else _("Where the strongest side ends")
    return bars(title, _("Of all events, by place."), rows)


def _finish(spans: Sequence[Sequence[int]]) -> Bars:
    rows = [(_("%(low)s to %(high)s min") % {"low": low, "high": high}, share) for low, high, share in spans]
    return bars(_("When all is over"), _("Of all events, minutes after the first start."), rows)


def _ties(codes: Mapping[str, int]) -> Bars:
    rows = [(in_language(title_of(code)), share) for code, share in codes.items()]
    return bars(_("What decides a shared first place"), _("Of all events."), rows)


def _otherwise(otherwise: Mapping[str, Mapping[str, int]], kind: str, *, advance: bool) -> Bars:
    """Another match score, or without a tie-break: how often the winner is another one, or others `advance`."""
    found = [(what.partition(":")[2], by["other_winner"]) for what, by in otherwise.items() if what.startswith(kind)]
    if kind == "scale":
        rows = [(in_language(SCALES[code].title), share) for code, share in found]
        title = _("Others advance by another match score") if advance else _("Another winner by another match score")
        return bars(title, _("The same matches, counted otherwise."), sorted(rows, key=lambda row: -row[1]))
    rows = [(in_language(title_of(code)), share) for code, share in found]
    title = _("Others advance without a tie-break") if advance else _("Another winner without a tie-break")
    return bars(title, _("The same matches, with that tie-break left out."), sorted(rows, key=lambda row: -row[1]))


def _range(spread: Mapping[str, int]) -> str:
    """Half of the values do not pass the first number; eight of ten lie within the others."""
    return _("about %(half)s (%(one)s to %(nine)s)") % spread
