"""A shared phone: another party confirms with its own PIN. Wrong PINs are counted at the sitting and run out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ..acts import history
from ..acts.access import Actor
from ..acts.errors import BAD_REQUEST, Refusal
from ..models import LedgerEntry, PartyCode
from ..sittings.games import parties_of
from ..sittings.ledgers import Ledger
from .codes import pin_is
from .judging import OwnEntry, others_of, refusal

WRONG_PIN = "wrong_pin"
TRIES = 5


@dataclass(frozen=True, slots=True)
class SharedPhone:
    """The side that stands behind a PIN, or why it does not (then the caller commits the try before refusing)."""

    side: str | None
    refusal: Refusal | None = None


def shared_phone(ledger: Ledger, row: LedgerEntry, actor: Actor, at: datetime, pin: str | None) -> SharedPhone:
    """Who confirms on the phone that entered the hand: the party among the others whose PIN `pin` is."""
    names = others_of(row.entered_side)
    if pin is None:
        raise OwnEntry(row.entered_side)
    sitting = ledger.sitting
    tries = sitting.wrong_pins if sitting.pin_hand == row.hand_no else 0
    if tries >= TRIES:
        raise refusal("pin_locked", field="pin")
    others = PartyCode.objects.filter(table=ledger.sitting.table_id, revoked_at=None).exclude(side=row.entered_side)
    for code in others.filter(side__in=parties_of(ledger.profile)).order_by("side"):
        if isinstance(pin, str) and pin_is(code, pin):
            return SharedPhone(code.side)
    sitting.pin_hand, sitting.wrong_pins = row.hand_no, tries + 1
    sitting.save(update_fields=["pin_hand", "wrong_pins"])
    history.record(
        tournament=ledger.tournament, actor=actor, at=at, act=WRONG_PIN, subject=f"hand:{row.hand_no}", sitting=sitting
    )
    wrong = refusal(
        "wrong_pin",
        f"This is not the PIN of {names['en']}. Read it off their card.",
        f"这不是{names['zh']}的密码，请看他们的桌卡。",
        status=BAD_REQUEST,
        field="pin",
    )
    return SharedPhone(None, wrong)
