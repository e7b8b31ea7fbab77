"""What the adjudicator's pages show: the form of one position with its cards, the choice of a question."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.utils.text import format_lazy
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from referee.adjudicator.card_text import typed
from referee.adjudicator.cases import Case
from referee.adjudicator.deal_verdicts import PASSES
from referee.adjudicator.judging import by_other_rules, judge
from referee.adjudicator.offence_verdicts import FOUND, guilty, offences, schedules
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
    SHOWN,
    SIGNAL,
    THROW,
    TOLD,
    TRICK,
    TRICKS,
    bid_fields,
    first_player,
    kinds_of,
    level_fields,
)
from referee.adjudicator.signal_verdicts import USUAL
from referee.adjudicator.tricks import led_by
from referee.parts.navigation import changes_written
from referee.parts.words import PLAYERS as PLAYER_WORDS
from referee.parts.words import in_language, page_language
from referee.public.positions import positions
from referee.public.presenters.card_pictures import drawn
from referee.public.presenters.rules import families
from scoring.cards.bids import candidates
from scoring.cards.deck import FACES, check_cards
from scoring.cards.leads import read_lead
from scoring.cards.order import order_of
from scoring.cards.plays import can_lead_to
from scoring.hands.findings import Refused
from scoring.profiles.loader import TWO_TEAMS
from scoring.signals.information import CHANNEL_WORDS
from scoring.values import RANKS, SUITS, Place, Side, Trump
from scoring.wording import PLACES, SIDES, TRUMPS, cards_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import QueryDict

    from referee.adjudicator.verdicts import Verdict
    from referee.parts.words import Word
    from referee.public.positions import Position
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


def _trick_label(number: int) -> Word:
    return format_lazy(_("Trick {n}, in order of play"), n=number)


def _shown_label(number: int) -> Word:
    return _("Declared") if number == 1 else format_lazy(_("Shown as no. {n}"), n=number)


_LABELS: Final[Mapping[str, Word]] = {
    **PLAYER_WORDS,
    "lead": _("Cards led"),
    "hand": _("The hand before the play"),
    "play": _("Cards played"),
    "cards": _("Cards"),
    "declared": _("Declared"),
    "counter1": _("First counter"),
    "counter2": _("Second counter"),
    "counter3": _("Third counter"),
    "kitty": _("Kitty, top card first"),
    "buried": _("Cards buried"),
    "call": _("Card called"),
    **{name: _shown_label(number) for number, name in enumerate(SHOWN, start=1)},
    **{name: _trick_label(number) for number, name in enumerate(TRICKS, start=1)},
}
#: Cards that other fields of the form may hold again: the dealer plays to the tricks out of the hand.
_SHARED: Final = {ALLY: ("call",), RETURN: ("hand",)}
#: Fields that are empty where nobody knows the cards.
_OFTEN_UNKNOWN: Final = {ALLY: ("buried",), BURIAL: ("hand",), RETURN: ("hand",)}
#: Fields for tricks that a page begins with.
_TRICKS_FIRST: Final = 4
_RANKS_SHOWN: Final = tuple(reversed(RANKS))


@dataclass(frozen=True, slots=True)
class CardField:
    """One field of cards: its label, the value as typed, the cards read, what is wrong with it, who shows them."""

    name: str
    label: Word
    value: str
    by: str
    by_name: str
    errors: tuple[Any, ...]
    unknown_allowed: bool


@dataclass(frozen=True, slots=True)
class BidField:
    """One call of a bidding: who made it where that was said, and the points, `pass`, or nothing yet."""

    name: str
    number: int
    by: str
    value: str


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


def trumps(profile: Profile) -> list[str]:
    return [trump.value for trump in Trump if trump is not Trump.NT or profile.no_trump_allowed]


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
        "own_levels": _own_levels(case),
        "copies": range(1, profile.decks + 1),
        "bids": bids(case),
        "bids_offered": _bids_offered(profile),
        "fixed_trumps": trumps(profile),
        "told": told_acts(case),
        "told_offered": _told_offered(case),
        "offences": [(one.code, in_language(one.title)) for one in offences(case)],
        "schedules": _schedules(case),
        "guilty": [(one, _party(one)) for one in guilty(profile)],
        "found_when": [(code, in_language(words)) for code, words in FOUND.items()],
        "channels": [(code, in_language(words)) for code, words in CHANNEL_WORDS.items()],
        "page_errors": [one for one in verdict.findings if one.field not in case.card_fields],
    }


def _schedules(case: Case) -> list[tuple[str, str]]:
    """The penalties that can be asked for: those of the event first, then every schedule by its id."""
    named = [(one.id, in_language(one.title)) for one in schedules(case.profile)]
    return [("", gettext("Those of the event")), *named] if case.penalties else named


def fields(case: Case, verdict: Verdict) -> list[CardField]:
    """The card fields of the form, the leader's and whoever follows in the order of play."""
    names: Sequence[str] = case.card_fields
    if case.kind in (TRICK, THROW):
        names = [player.value for player in case.in_turn]
    elif case.kind in (ALLY, RETURN):  # the tricks there are, and room for two more
        shown = max(_TRICKS_FIRST, sum(bool(case.get(name)) for name in TRICKS) + 2)
        names = [name for name in names if name not in TRICKS[shown:]]
    told = []
    for name in names:
        by_name, by = _shown_by(case, name)
        told.append(
            CardField(
                name,
                _label(case, name),
                case.get(name),
                by,
                by_name,
                tuple(one for one in verdict.findings if one.field == name),
                _may_be_unknown(case, name),
            )
        )
    return told


def _may_be_unknown(case: Case, name: str) -> bool:
    """Whether an empty field says that these cards are not known."""
    return (case.kind == THROW and name != case.leader.value) or (name in _OFTEN_UNKNOWN.get(case.kind, ()))


def bids(case: Case) -> list[BidField]:
    """The calls of a bidding, one field each."""
    names = bid_fields(case.profile) if case.kind == BIDS else ()
    return [
        BidField(name, number, case.get(f"{name}_by"), case.get(name)) for number, name in enumerate(names, start=1)
    ]


def told_acts(case: Case) -> list[BidField]:
    """The acts of declaring in turn, and room for two more."""
    if case.kind != DECLARE:
        return []
    used = sum(bool(case.get(name)) for name in TOLD)
    return [
        BidField(name, number, case.get(f"{name}_by"), case.get(name))
        for number, name in enumerate(TOLD[: max(4, used + 2)], start=1)
    ]


def _told_offered(case: Case) -> list[tuple[str, str]]:
    """What can be done in turn: cards that can be shown at this level, a suit that can be named."""
    level = next((level for level in case.profile.ladder if str(level) == case.get("level")), None)
    if case.kind != DECLARE or level is None:
        return []
    bids = candidates(case.profile, level)
    shown = [(typed(cards), in_language(cards_named(cards))) for cards in bids]
    named = [(f"={suit}", gettext("names %(suit)s") % {"suit": in_language(TRUMPS[Trump(suit)])}) for suit in SUITS]
    return [(PASSES, _passes()), *shown, *named]


def _party(code: str) -> str:
    return in_language(SIDES[Side(code)] if code in Side.__members__ else PLACES[Place(code)])


def _bids_offered(profile: Profile) -> list[tuple[str, str]]:
    """What can be called, the first bids first, and how it is said."""
    if profile.bidding is None:
        return []
    low, high, step = (profile.bidding[name] for name in ("low", "high", "step"))
    return [*((str(bid), str(bid)) for bid in range(high, low - 1, -step)), (PASSES, _passes())]


def _passes() -> str:
    return pgettext("in a bidding", "passes")


def _own_levels(case: Case) -> list[tuple[str, str, str]]:
    """The field, the player and the level of each who has a level of his own in this question."""
    names = level_fields(case.profile)
    if not set(names) <= set(case.values) or len(names) < len(case.profile.seats):
        return []
    return [(name, player.value, case.get(name)) for name, player in zip(names, case.profile.seats, strict=True)]


def _label(case: Case, name: str) -> Word:
    if case.kind == COUNTER and name == "cards":
        return _("The counter in question")
    if name == "hand" and case.kind == BURIAL:
        return _("The hand with the kitty")
    return _("The dealer before the first trick") if case.kind == RETURN and name == "hand" else _LABELS[name]


def _shown_by(case: Case, name: str) -> tuple[str, str]:
    """The field that says who showed the cards of a field, and its value; empty where the field has no such one."""
    if case.kind == COUNTER:
        by_name = {"declared": "declared_by", "cards": "by"}.get(name, f"{name}_by")
        return by_name, case.get(by_name)
    if name in SHOWN:
        return f"{name}_by", case.get(f"{name}_by") or first_player(case.profile).value
    return (f"{name}_by", led_by(case, name)) if name in TRICKS else ("", "")


def state(case: Case, verdict: Verdict) -> dict[str, Any]:
    """What the card picker has to know: the cards of each field, how many are left, which can still be legal."""
    read = {name: [str(card) for card in case.cards(name)] for name in case.card_fields}
    taken = _taken_from(case)
    apart = (*taken, *_SHARED.get(case.kind, ()))
    used = Counter(code for name, codes in read.items() if name not in apart for code in codes)
    said: dict[str, Any] = {
        "fields": read,
        "left": {str(face): case.profile.decks - used[str(face)] for face in FACES},
        "errors": {one.field: one.message[page_language()] for one in verdict.findings},
        "from": taken,
    }
    if case.kind == FOLLOW and read["lead"] and read["hand"]:
        said["next"] = _next(case)
    said["fits"] = _fitting(case)
    return said


def _taken_from(case: Case) -> dict[str, str]:
    """Which field's cards another one is chosen from: a play and a burial come out of the hand, where it is known."""
    if case.kind == FOLLOW:
        return {"play": "hand"}
    return {"buried": "hand"} if case.kind == BURIAL and case.cards("hand") else {}


def _fitting(case: Case) -> dict[str, list[str]]:
    """The faces that matter in a field, where not all do: what can be bid; the category that was thrown."""
    level = next((level for level in case.profile.ladder if str(level) == case.get("level")), None)
    if level is None and case.profile.ladder:
        return {}
    if case.kind == COUNTER and level is not None:
        faces = {str(card) for cards in candidates(case.profile, level) for card in cards}
        return dict.fromkeys(case.card_fields, sorted(faces))
    if case.kind == THROW and case.get("trump") in trumps(case.profile):
        order = order_of(case.profile, Trump(case.get("trump")), level)
        category = order.only_category(case.cards(case.leader.value))
        if category is not None:
            faces = {str(card) for card in category.faces}
            return dict.fromkeys((seat.value for seat in case.in_turn[1:]), sorted(faces))
    return {}


def _next(case: Case) -> list[str] | None:
    """The cards of the hand that still lead to a legal play, by what is already taken up; None where it is too much."""
    taken = case.cards("play")
    try:
        order, declared = case.ground("lead", "hand", wrong=check_cards(case.profile, [("play", taken)]))
        lead = read_lead(order, case.cards("lead"), declared)
        fitting = can_lead_to(lead, order.count(case.cards("hand")), order.count(taken))
        return [str(card) for card in fitting]
    except Refused:
        return None


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
