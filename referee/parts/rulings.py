"""Rulings in the words of the page: what a penalty is, how a ruling stands, where its clause can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from referee.parts.formats import signed
from referee.parts.kept import shown
from referee.parts.navigation import clause_address
from referee.parts.words import SIDES_SHORT, in_language, page_language
from scoring.penalties.steps import nth_time
from scoring.profiles import titles
from scoring.values import Place
from tournaments.rulings.reads import clause_names
from tournaments.transfer.paper.rulings import RulingWords

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.models import Ruling, Tournament

#: Clauses of a penalty schedule begin so; all others are of the profile.
PENALTY = "penalty."


def penalty_words(penalty: Mapping[str, Any] | None) -> str:
    """A decided or proposed penalty in a few words: ``N–S −1 level``, ``a warning``."""
    if penalty is None or penalty["unit"] == "none":
        return _("no penalty")
    if penalty["unit"] == "warning":
        return _("a warning")
    entry = penalty.get("entry")
    if entry is None:
        return _("no penalty")
    return _IN_WORDS[penalty["unit"]](entry)


def _levels(entry: Mapping[str, Any]) -> str:
    who = str(SIDES_SHORT.get(entry.get("side") or entry.get("place", ""), ""))
    if "points" in entry:
        return _points_of(who, entry["points"])
    words = ngettext("%(who)s %(n)s level", "%(who)s %(n)s levels", abs(entry["levels"]))
    return words % {"who": who, "n": signed(entry["levels"])}


def _points_of(who: str, points: int) -> str:
    return ngettext("%(who)s %(n)s point", "%(who)s %(n)s points", abs(points)) % {"who": who, "n": signed(points)}


def _result(entry: Mapping[str, Any]) -> str:
    who = str(SIDES_SHORT.get(entry.get("side", ""), ""))
    if "gains" in entry:
        gains = [f"{SIDES_SHORT[place]} {signed(gain)}" for place, gain in entry["gains"].items() if gain]
        return _("adjusted result: %(scores)s") % {"scores": pgettext("joins items of a list", ", ").join(gains)}
    if not who:
        return _("an adjusted result")
    return _("adjusted result: %(who)s %(n)s") % {"who": who, "n": signed(entry.get("levels", 0))}


def _annul(entry: Mapping[str, Any]) -> str:
    return _("the hand does not count")


def _forfeit(entry: Mapping[str, Any]) -> str:
    if entry["by"] in tuple(Place):
        return _("%(who)s forfeits the table") % {"who": SIDES_SHORT[entry["by"]]}
    return _("%(who)s forfeit the match") % {"who": SIDES_SHORT[entry["by"]]}


def _on_sheet(entry: Mapping[str, Any]) -> str:
    points = sum(row["points"] for row in entry.get("adjustments", ()))
    if points:
        return _points_of(_("attackers"), points)
    return _("the fine of the rules, on the sheet")


def _match_points(entry: Mapping[str, Any]) -> str:
    who = pgettext("between two sides", " and ").join(str(SIDES_SHORT[side]) for side in entry["sides"])
    if "scores" in entry:
        given = [(side, entry["scores"][side]) for side in SIDES_SHORT if side in entry["scores"]]
        scores = (f"{SIDES_SHORT[side]} {points.replace('-', '−')}" for side, points in given)
        return _("the match counts %(scores)s") % {"scores": pgettext("joins items of a list", ", ").join(scores)}
    if entry["mode"] == "set":
        return _("%(who)s: the match counts %(n)s") % {"who": who, "n": entry["match_points"]}
    return _("%(who)s %(n)s in the standings") % {"who": who, "n": entry["match_points"].replace("-", "−")}


def _exclusion(entry: Mapping[str, Any]) -> str:
    who = SIDES_SHORT[entry["sides"][0]]
    if entry["sides"][0] in tuple(Place):
        return _("%(who)s leaves the event") % {"who": who}
    return _("%(who)s leave the event") % {"who": who}


_IN_WORDS = {
    "levels": _levels,
    "result": _result,
    "annul": _annul,
    "forfeit": _forfeit,
    "points": _on_sheet,
    "profile_fine": _on_sheet,
    "match_points": _match_points,
    "exclusion": _exclusion,
}


def stands(ruling: Ruling) -> tuple[str, str]:
    """The state of a ruling: a name of referee.parts.states, and its words."""
    if ruling.status == "cancelled":
        return "void", _("Cancelled")
    if ruling.status == "proposed":
        return "second_official", _("Waits for the chief referee")
    if ruling.appeal == "lodged":
        return "appeal", _("Under appeal")
    if ruling.appeal == "upheld":
        return "void", _("Overturned on appeal")
    return "ruled", _("Appeal rejected") if ruling.appeal == "rejected" else _("Decided")


def overturned(ruling: Ruling | None) -> str:
    """That a ruling stands no more, for what its penalty wrote to a record; empty for one that does, and for none."""
    state, words = ("", "") if ruling is None else stands(ruling)
    return words if state == "void" else ""


def on_paper(ruling: Ruling) -> RulingWords:
    """What a printed digest says of a ruling, in the present language."""
    return RulingWords(state=stands(ruling)[1], penalty=penalty_words(ruling.penalty))


def case_address(tournament: Tournament, kind: str, query: str) -> str:
    """The adjudicator's page of a position, by the rules of the event; empty where that page is not there."""
    try:
        address = reverse("public:adjudicate", kwargs={"language": page_language(), "kind": kind})
    except NoReverseMatch:
        return ""
    return f"{address}?{urlencode({'event': tournament.slug})}&{query}"


def clause_page(tournament: Tournament, clause: str) -> str:
    """Where a clause of a ruling can be read: on the event's page of rulings, or in its rules."""
    if clause.startswith(PENALTY):
        known = {"language": page_language(), "event": tournament.slug}
        return f"{reverse('public:rulings', kwargs=known)}#{clause}"
    return clause_address(tournament.profile, clause)


def reason_words(reason: str, tournament: Tournament) -> str:
    """Why something was recorded, as its author wrote it. The reason of what a ruling did is its verdict, kept in the
    language of the event like the words of buttons: both are shown in the language of the page."""
    return in_language(tournament.verdicts.get(reason)) or shown(reason)


def clause_name(tournament: Tournament, clause: str) -> str:
    """A clause on a chip or in a line: what a clause of the rules is called, of a penalty the offence in words."""
    if not clause.startswith(PENALTY):
        found = tournament.profile.clauses.get(clause) or titles.beside(clause)
        return clause if found is None else in_language(titles.title_of(found))
    return in_language(clause_names(tournament).get(clause)) or _("Penalties")


def scheduled_otherwise(ruling: Ruling) -> str:
    """What the event's penalties say of this time, where another penalty was given; "" where it is the same."""
    proposal, penalty = ruling.proposal, ruling.penalty or {}
    if proposal is None or (proposal["unit"], proposal["entry"]) == (penalty.get("unit"), penalty.get("entry")):
        return ""
    said = _("This is %(nth_time)s in this stage; the penalties of the event say: %(what)s.")
    if proposal.get("memory") == "event":
        said = _("This is %(nth_time)s in this event; the penalties of the event say: %(what)s.")
    return said % {"nth_time": in_language(nth_time(proposal["count"])), "what": penalty_words(proposal)}
