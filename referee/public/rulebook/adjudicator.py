"""What the adjudicator's pages show: the form of one position with its cards, the choice of a question."""

from __future__ import annotations

import json
import re
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from referee.adjudicator.judging import by_other_rules, judge
from referee.adjudicator.offence_verdicts import FOUND, guilty, offences
from referee.adjudicator.questions import (
    ALLY,
    BIDS,
    BURIAL,
    CONTEST,
    COUNTER,
    DECLARE,
    FLIP,
    FOLLOW,
    INFORMATION,
    OFFENCE,
    ORDER,
    RETURN,
    SHAPES,
    SIGNAL,
    THROW,
    TRICK,
    first_player,
    kinds_of,
    level_fields,
)
from referee.adjudicator.signal_verdicts import USUAL
from referee.parts.navigation import changes_written
from referee.parts.words import in_language, page_language
from referee.public.rulebook.adjudicator_form import (
    bids,
    bids_offered,
    fields,
    own_levels,
    party,
    schedules_offered,
    told_acts,
    told_offered,
    trumps,
)
from referee.public.rulebook.card_picker import state
from referee.public.rulebook.card_pictures import drawn
from referee.public.rulebook.positions import positions
from referee.public.rulebook.rules import families
from scoring.profiles.loader import TWO_TEAMS
from scoring.signals.information import CHANNEL_WORDS
from scoring.values import RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import QueryDict

    from referee.adjudicator.cases import Case
    from referee.adjudicator.verdicts import Verdict
    from referee.parts.words import Word
    from referee.public.rulebook.positions import Position
    from scoring.profiles import Profile

#: What each kind asks: as the title of its page, in short for the row of links, and the icon of its key.
QUESTIONS: Final[Mapping[str, tuple[Word, Word]]] = {
    TRICK: (_("Who wins this trick?"), _("Who wins")),
    FOLLOW: (_("Was this follow legal?"), _("Follow")),
    THROW: (_("Does the throw stand?"), _("Throw")),
    SHAPES: (_("What do these cards make?"), _("Shapes")),
    ORDER: (_("Which card is larger?"), _("Larger")),
    BIDS: (_("Who plays alone, and for how much?"), _("Bidding")),
    CONTEST: (_("Who deals this hand?"), _("Deal contested")),
    COUNTER: (_("May this counter be made?"), _("Counter")),
    FLIP: (_("What does the kitty turn up?"), _("Kitty turned")),
    BURIAL: (_("May these cards be buried?"), _("Burial")),
    ALLY: (_("Who is on whose side?"), _("Ally")),
    SIGNAL: (_("What did this card say?"), _("Signal")),
    RETURN: (_("Was a return owed?"), _("Return")),
    DECLARE: (_("Who declares at a board?"), pgettext_lazy("in the adjudicator", "Board")),
    INFORMATION: (_("Was this illegal information?"), _("Information")),
    OFFENCE: (_("What does an irregularity cost?"), _("Penalty")),
}
#: What a question is about, in cards.
PICTURES: Final[Mapping[str, str]] = {
    TRICK: "S10 SA* S5 SK",
    FOLLOW: "S8 S8 - S5* S5*",
    THROW: "HA HQ* HQ* - HK HK",
    SHAPES: "S6* S6* S7* S7*",
    ORDER: "HA - JS*",
    BIDS: "? ? ? - JB*",
    CONTEST: "H2* - S2",
    COUNTER: "H2 - S2* S2*",
    FLIP: "? ? C9* ?",
    BURIAL: "H5* HK* ? ?",
    ALLY: "SA* - ? ?",
    SIGNAL: "D8 D3*",
    RETURN: "D3 - D7*",
    DECLARE: "? ? H2* ?",
    INFORMATION: "? SK* ? ?",
    OFFENCE: "S9 S6 - H4*",
    "hand": "S9* S9* - HK H10",
}
GROUPS: Final[Mapping[str, Word]] = {
    "trap": _("Traps of the game"),
    "dispute": _("Where rules differ"),
    "single": _("Games of single players"),
}


_RANKS_SHOWN: Final = tuple(reversed(RANKS))


def chooser(profile: Profile, event: str) -> dict[str, Any]:
    """The first page: the questions, the rules, the worked positions."""
    language = page_language()
    grouped = [(name, list(found)) for name, found in groupby(positions(), lambda one: one.group)]
    if profile.game != TWO_TEAMS:
        grouped.sort(key=lambda named: named[0] != "single")
    return {
        "profile": profile,
        "event": event,
        "families": families(),
        "kinds": [(kind, QUESTIONS[kind][0], drawn(PICTURES[kind])) for kind in kinds_of(profile)],
        "hand": drawn(PICTURES["hand"]),
        "levels": [str(level) for level in profile.ladder],
        "trumps": trumps(profile),
        "groups": [(GROUPS[name], [_worked(one, language) for one in found]) for name, found in grouped],
    }


def _worked(position: Position, language: str) -> dict[str, Any]:
    short = QUESTIONS[position.kind][1] if position.kind in QUESTIONS else _("Explain a hand")
    return {"position": position, "address": position.address(language), "kind": short}


#: Round, table and hand, as the desk writes them into an address: ``2.8.3``; the hand may be missing.
_AT: Final = re.compile(r"([0-9]{1,4}\.[0-9]{1,4})(?:\.([0-9]{1,3}))?")


def at_table(query: QueryDict) -> str:
    """The table and hand that somebody came from, as the address says it; empty where it says none."""
    said = query.get("at", "")
    return said if _AT.fullmatch(said) else ""


def ruled_at(said: str) -> str:
    """The same as further fields of a new ruling's address; empty where there is none."""
    found = _AT.fullmatch(said)
    if found is None:
        return ""
    return "&" + urlencode({"at": found[1]} | ({"hand": found[2]} if found[2] else {}))


def known_of_hand(query: QueryDict, profile: Profile) -> dict[str, str]:
    """What an address says of a hand before the question is chosen."""
    names = ("level", "trump", "dealer", *(one for one in level_fields(profile) if one != "level"))
    known = {name: text for name in names if (text := query.get(name, ""))}
    return known | ({"at": at} if (at := at_table(query)) else {})


def page_of(case: Case, event: str, *, fragment: bool, at: str = "") -> dict[str, Any]:
    """The page of one position, or the part that moves with every card. `at`: the table that it is about."""
    verdict = judge(case)
    profile = case.profile
    rules = rules_query(profile, event)
    elsewhere = _elsewhere(case, verdict)
    context: dict[str, Any] = {
        "case": case,
        "kind": case.kind,
        "profile": profile,
        "event": event,
        "at": at,
        "ruled_at": ruled_at(at),
        "verdict": verdict,
        "asks": set(case.values),
        "trumps": trumps(profile),
        "seats": [player.value for player in profile.seats],
        "first_player": first_player(profile).value,
        "link": _address(case.kind, rules, case.query),
        "readings": [
            (one.name, _address(case.kind, rules, case.query, {"shapes": one.codes})) for one in verdict.other_readings
        ],
        "undeclare": _address(case.kind, rules, case.query, {"shapes": ""}) if case.get("shapes") else "",
        "elsewhere": elsewhere,
        "differing": sum(not one.same for one, _link in elsewhere),
        "state": json.dumps(state(case, verdict), separators=(",", ":")),
    }
    if fragment:
        return context
    title, _short = QUESTIONS[case.kind]
    here = {"at": at} if at else {}
    return context | {
        "title": title,
        "kinds": [(kind, QUESTIONS[kind][1], _other_kind(case, kind, rules | here)) for kind in kinds_of(profile)],
        "families": families(),
        "usual_ranks": " ".join(USUAL),
        "written": changes_written(profile),
        "levels": [str(level) for level in profile.ladder],
        "suits": SUITS,
        "ranks": _RANKS_SHOWN,
        "fields": fields(case, verdict),
        "own_levels": own_levels(case),
        "copies": range(1, profile.decks + 1),
        "bids": bids(case),
        "bids_offered": bids_offered(profile),
        "fixed_trumps": trumps(profile),
        "told": told_acts(case),
        "told_offered": told_offered(case),
        "offences": [(one.code, in_language(one.title)) for one in offences(case)],
        "schedules": schedules_offered(case),
        "guilty": [(one, party(one)) for one in guilty(profile)],
        "found_when": [(code, in_language(words)) for code, words in FOUND.items()],
        "channels": [(code, in_language(words)) for code, words in CHANNEL_WORDS.items()],
        "page_errors": [one for one in verdict.findings if one.field not in case.card_fields],
    }


def _elsewhere(case: Case, verdict: Verdict) -> list[tuple[Any, str]]:
    if not verdict.is_judged:
        return []
    return [
        (one, _address(case.kind, rules_query(one.profile, ""), case.query)) for one in by_other_rules(case, verdict)
    ]


def rules_query(profile: Profile, event: str) -> dict[str, str]:
    """The rules as a link carries them: the event, or the profile and what is changed of it."""
    if event:
        return {"event": event}
    written = changes_written(profile)
    return {"profile": profile.id} | ({"set": written} if written else {})


def _address(kind: str, rules: Mapping[str, str], query: str, changed: Mapping[str, str] | None = None) -> str:
    parts = [urlencode(rules), query, *([urlencode(changed)] if changed else [])]
    return f"/{page_language()}/adjudicator/{kind}/?{'&'.join(part for part in parts if part)}#verdict"


def _other_kind(case: Case, kind: str, rules: Mapping[str, str]) -> str:
    """Another question at the same level and trumps; cards stay behind unless both questions have the same hands."""
    keep: Sequence[str] = ("level", "trump", "dealer", "ally", "leader")
    if {kind, case.kind} == {TRICK, THROW}:
        keep = (*keep, *(player.value for player in case.profile.seats))
    kept = {name: case.get(name) for name in keep if case.get(name)}
    return _address(kind, rules, urlencode(kept)).partition("#")[0]
