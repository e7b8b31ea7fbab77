"""What an event asks of signals is set, and cards are filed: by the entrant's own phone before it plays, by an official
also later, with a reason. A card is checked by the kernel, and what is wrong with it is refused with its clause.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from scoring.hands.findings import Finding
from scoring.signals.convention import CHANNELS, TOPICS, Indirect, SignalRules, check_card
from scoring.signals.convention import SignalCard as AgreedCard
from scoring.signals.returning import USUAL_FINE

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import PAGES_MOVED, Add, Change, Line, carry_out
from ..acts.errors import BAD_REQUEST, UNPROCESSABLE, Refusal, clean_text
from ..acts.rows import find_tournament, locked_entrant
from ..models import CardAsked, Entrant, ReturnDuty, RoundStatus, SignalCard, SignalTerms, Tournament
from ..people.attendance import OWN_CODE, entrant_of_code
from ..people.eligibility import has_played
from ..standings.runs import person_of
from .reads import terms_of

MOST_LINES: Final = 8
MEANING_LENGTH: Final = 120
SYSTEM_LENGTH: Final = 40
NOTES_LENGTH: Final = 400
REASON_LENGTH: Final = 300
MOST_FINE: Final = 200


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a card says, as it is asked to be filed; the texts are as typed."""

    direct: Sequence[str] = ()
    instead: Mapping[str, str] = field(default_factory=dict)
    indirect: Sequence[Mapping[str, Any]] = ()
    system: str = ""
    notes: str = ""


class BadCard(Refusal):
    """A card that may not be filed: every finding with its clause."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        first = findings[0]
        super().__init__(
            first.code, field=first.field, message=first.message, status=UNPROCESSABLE, findings=tuple(findings)
        )


def set_terms(
    *,
    tournament_id: int,
    actor: Actor,
    at: datetime,
    card: str,
    prescribed: Sequence[str] = (),
    return_duty: str = ReturnDuty.OFF,
    return_fine: int = USUAL_FINE,
    reason: str = "",
) -> SignalTerms:
    """Say what the event asks of signals from now on. Once a round has begun it needs a reason.

    Refused: `unknown_value`, `bad_fine`, `no_system`, what is wrong with the prescribed ranks, `reason_missing`.
    """
    ranks = tuple(prescribed) if card == CardAsked.PRESCRIBED else ()
    _among("card", card, CardAsked.values)
    _among("return_duty", return_duty, ReturnDuty.values)
    if type(return_fine) is not int or not 0 <= return_fine <= MOST_FINE:
        raise Refusal("bad_fine", field="return_fine", status=BAD_REQUEST)
    if card == CardAsked.PRESCRIBED and not ranks:
        raise Refusal("no_system", field="prescribed", status=BAD_REQUEST)
    if found := check_card(AgreedCard(ranks), SignalRules()):
        raise BadCard(found)

    def decide() -> Change[SignalTerms]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.SET_SIGNALS, tournament=event)
        began = event.rounds.filter(status__in=(RoundStatus.RUNNING, RoundStatus.CLOSED)).exists()
        why = clean_text(reason, "reason", limit=REASON_LENGTH, required=began)
        before = terms_of(event)
        row = SignalTerms(
            tournament=event,
            number=before.number + 1,
            card=card,
            prescribed=list(ranks),
            return_duty=return_duty,
            return_fine=return_fine,
            reason=why,
            set_at=at,
            set_by=person_of(actor),
        )
        old = {"card": before.card, "return_duty": before.return_duty, "return_fine": before.return_fine}
        new = {"card": card, "prescribed": list(ranks), "return_duty": return_duty, "return_fine": return_fine}
        line = Line(Act.SET_SIGNALS, ("signals", row), why, old if before.number else None, new)
        return Change(admitted, row, (Add(row),), (line,))

    return carry_out(decide, actor, at)


def file_card(*, entrant_id: int, actor: Actor, at: datetime, agreement: Agreement, reason: str = "") -> SignalCard:
    """File a card for an entrant, by an official; when it has begun to play, with a reason."""
    said = _cleaned(agreement)

    def decide() -> Change[SignalCard]:
        entrant = locked_entrant(entrant_id)
        admitted = require(actor, Act.FILE_SIGNALS, tournament=entrant.tournament)
        late = has_played(entrant)
        why = clean_text(reason, "reason", limit=REASON_LENGTH, required=late)
        return _filed(entrant, said, admitted, at, late=late, why=why)

    return carry_out(decide, actor, at)


def file_card_by_code(*, code_text: str, at: datetime, agreement: Agreement) -> SignalCard:
    """File a card by the entrant's own phone, as long as it has not begun to play. Refused: `card_is_fixed`."""
    said = _cleaned(agreement)

    def decide() -> Change[SignalCard]:
        entrant = locked_entrant(entrant_of_code(code_text).pk)
        if has_played(entrant) or entrant.tournament.closed_at is not None:
            raise Refusal("card_is_fixed")
        return _filed(entrant, said, Admitted(OWN_CODE, Act.FILE_SIGNALS, entrant.tournament), at, late=False, why="")

    return carry_out(decide, OWN_CODE, at)


def _filed(
    entrant: Entrant, said: Agreement, admitted: Admitted, at: datetime, *, late: bool, why: str
) -> Change[SignalCard]:
    _check(said, entrant.tournament)
    card = SignalCard(
        entrant=entrant,
        number=entrant.signal_cards.count() + 1,
        direct=list(said.direct),
        instead=dict(said.instead),
        indirect=[dict(one) for one in said.indirect],
        system=said.system,
        notes=said.notes,
        after_start=late,
        reason=why,
        filed_at=at,
        filed_by=admitted.actor.user,
    )
    new = {"number": card.number, "direct": card.direct, "indirect": len(card.indirect)}
    line = Line(Act.FILE_SIGNALS, ("entrant", entrant), why, new=new)
    return Change(admitted, card, (Add(card),), (line,), PAGES_MOVED)


def _check(said: Agreement, event: Tournament) -> None:
    """Refuse a card that the terms of the event or the rules of signals do not allow; filing it late is allowed."""
    lines = tuple(Indirect(one["topic"], one["by"], tuple(one["ranks"])) for one in said.indirect)
    terms = terms_of(event)
    rules = SignalRules(prescribed=terms.rules.prescribed)
    found = check_card(AgreedCard(tuple(said.direct), lines, said.instead), rules)
    if found:
        raise BadCard(found)


def _cleaned(said: Agreement) -> Agreement:
    """The card with its texts as they may be stored, its ranks as texts."""
    direct = _ranks(said.direct, "direct")
    if len(said.indirect) > MOST_LINES:
        raise Refusal("too_many_signals", field="indirect", status=BAD_REQUEST)
    return Agreement(
        direct=direct,
        instead=_instead(said.instead, "instead"),
        indirect=[_line(one, f"indirect[{at}]") for at, one in enumerate(said.indirect)],
        system=clean_text(said.system, "system", limit=SYSTEM_LENGTH),
        notes=clean_text(said.notes, "notes", limit=NOTES_LENGTH),
    )


def _line(one: Mapping[str, Any], at: str) -> dict[str, Any]:
    topic, by = one.get("topic"), one.get("by")
    _among(f"{at}.topic", topic, TOPICS)
    _among(f"{at}.by", by, CHANNELS)
    return {
        "topic": topic,
        "by": by,
        "ranks": list(_ranks(one.get("ranks", ()), f"{at}.ranks")),
        "instead": _instead(one.get("instead") or {}, f"{at}.instead"),
        "meaning": clean_text(one.get("meaning", ""), f"{at}.meaning", limit=MEANING_LENGTH),
    }


def _ranks(given: object, at: str) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not all(isinstance(one, str) and len(one) <= 2 for one in given):
        raise Refusal("unknown_value", field=at, status=BAD_REQUEST)
    return tuple(given[:26])


def _instead(given: object, at: str) -> dict[str, str]:
    texts = isinstance(given, Mapping) and all(
        isinstance(one, str) and len(one) <= 2 for pair in given.items() for one in pair
    )
    if not texts:
        raise Refusal("unknown_value", field=at, status=BAD_REQUEST)
    assert isinstance(given, Mapping)
    return dict(given)


def _among(field: str, value: object, values: Sequence[str]) -> None:
    if value not in values:
        words = ", ".join(values)
        message = {"en": f"{field} is one of {words}.", "zh": f"{field} 只能是 {words}。"}
        raise Refusal("unknown_value", field=field, message=message, status=BAD_REQUEST)
