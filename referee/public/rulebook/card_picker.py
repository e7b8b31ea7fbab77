"""What the script of the adjudicator's form has to know: the cards taken up, those left, and those that can follow."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from referee.adjudicator.questions import ALLY, BURIAL, COUNTER, FOLLOW, RETURN, THROW
from referee.parts.words import page_language
from referee.public.rulebook.adjudicator_form import trumps
from scoring.cards.bids import candidates
from scoring.cards.deck import FACES, check_cards
from scoring.cards.leads import read_lead
from scoring.cards.order import order_of
from scoring.cards.plays import can_lead_to
from scoring.hands.findings import Refused
from scoring.values import Trump

if TYPE_CHECKING:
    from referee.adjudicator.cases import Case
    from referee.adjudicator.verdicts import Verdict

#: Cards that other fields of the form may hold again: the dealer plays to the tricks out of the hand.
_SHARED: Final = {ALLY: ("call",), RETURN: ("hand",)}


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
