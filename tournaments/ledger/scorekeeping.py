"""The ledger's daily work: a hand is entered, confirmed, taken back, sent back, settled. `deciding` says what becomes
of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..acts.access import Act
from ..acts.admission import Actor
from ..acts.errors import clean_text
from ..sittings.ledgers import open_ledger
from . import deciding
from .acting import act_on
from .entry_checks import hand_number, refuse_unless_open
from .entry_path import Asked, carry_out_on
from .pins import typed_pin
from .recorded import Recorded

REASON_LIMIT = 300
NOTE_LIMIT = 200
WHAT_LIMIT = 40


def look_whether_open(*, sitting_id: int) -> None:
    """Refused as an entry would be while no hand can be entered at this table at all. Reads only."""
    refuse_unless_open(open_ledger(sitting_id, lock=False))


def hand_to_enter(
    *,
    facts: Mapping[str, Any],
    hand_no: int,
    basis: str = "",
    reason: str = "",
    device_time: str = "",
) -> Asked:
    """Enter a hand (kinds hand and annulled; officials also adjusted). An official states the basis."""
    number, reason = hand_number(hand_no), clean_text(reason, "reason", limit=REASON_LIMIT)
    return Asked(
        Act.ENTER_HAND,
        lambda ledger, admitted, at: deciding.enter(
            ledger, admitted, at, facts=facts, number=number, basis=basis, reason=reason, device_time=device_time
        ),
    )


def hand_to_confirm(*, entry_id: int, version: int | None = None, pin: str | None = None) -> Asked:
    """Confirm the other side's entry (or, on a shared phone, one's own entry with the other side's PIN)."""
    return Asked(
        Act.CONFIRM_HAND,
        lambda ledger, admitted, at: deciding.confirm(
            ledger, admitted, at, entry_id=entry_id, version=version, typed=typed_pin(ledger, admitted.actor, pin)
        ),
    )


def record_hand(*, sitting_id: int, actor: Actor, at: datetime, **hand: Any) -> Recorded:
    """See `hand_to_enter`."""
    return carry_out_on(sitting_id, hand_to_enter(**hand), actor, at)


def confirm_hand(*, sitting_id: int, actor: Actor, at: datetime, **what: Any) -> Recorded:
    """See `hand_to_confirm`."""
    return carry_out_on(sitting_id, hand_to_confirm(**what), actor, at)


def take_back(*, sitting_id: int, actor: Actor, at: datetime, entry_id: int) -> Recorded:
    """The side that entered a hand takes it back while nobody has answered it."""
    return act_on(
        sitting_id,
        Act.TAKE_BACK,
        actor,
        at,
        lambda ledger, admitted: deciding.take_back(ledger, admitted, at, entry_id=entry_id),
    )


def send_back(*, sitting_id: int, actor: Actor, at: datetime, entry_id: int, what: str, note: str = "") -> Recorded:
    """The other side says what is wrong with a hand; it goes back. The second time a referee is called."""
    what = clean_text(what, "what", limit=WHAT_LIMIT, required=True)
    note = clean_text(note, "note", limit=NOTE_LIMIT)
    return act_on(
        sitting_id,
        Act.SEND_BACK,
        actor,
        at,
        lambda ledger, admitted: deciding.send_back(ledger, admitted, at, entry_id=entry_id, what=what, note=note),
    )


def settle(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    facts: Mapping[str, Any],
    reason: str,
    hand_no: int,
) -> Recorded:
    """An official rules on a hand that waits or is in dispute: these facts count, the sides' claims are overruled."""
    number = hand_number(hand_no)
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)
    return act_on(
        sitting_id,
        Act.SETTLE,
        actor,
        at,
        lambda ledger, admitted: deciding.settle(
            ledger, admitted, at, expected_revision=expected_revision, facts=facts, number=number, reason=reason
        ),
    )
