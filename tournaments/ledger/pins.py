"""A shared phone: another party confirms with its own PIN. Wrong PINs are counted at the sitting and run out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..acts.admission import Actor, Admitted
from ..acts.change import Change, Line, Move
from ..acts.errors import BAD_REQUEST
from ..models import LedgerEntry, PartyCode
from ..sittings.games import parties_of
from ..sittings.ledgers import Ledger
from .codes import pin_is
from .judging import OwnEntry, others_of, refusal

WRONG_PIN = "wrong_pin"
TRIES = 5


@dataclass(frozen=True, slots=True)
class TypedPin:
    """A PIN typed on the phone of a party, and the codes of the table's parties that it may belong to."""

    text: str
    codes: Sequence[PartyCode]


def typed_pin(ledger: Ledger, actor: Actor, pin: str | None) -> TypedPin | None:
    """What is read to judge a PIN; None where none was typed."""
    if pin is None or actor.side is None:
        return None
    codes = PartyCode.objects.filter(table=ledger.sitting.table_id, revoked_at=None)
    return TypedPin(pin, list(codes.filter(side__in=parties_of(ledger.profile)).order_by("side")))


def side_behind(ledger: Ledger, row: LedgerEntry, typed: TypedPin | None) -> str | None:
    """Who confirms on the phone that entered the hand: the party among the others whose PIN it is; None: of nobody."""
    if typed is None:
        raise OwnEntry(row.entered_side)
    if _tries(ledger, row) >= TRIES:
        raise refusal("pin_locked", field="pin")
    others = (code for code in typed.codes if code.side != row.entered_side)
    return next((code.side for code in others if isinstance(typed.text, str) and pin_is(code, typed.text)), None)


def wrong_pin(ledger: Ledger, row: LedgerEntry, admitted: Admitted) -> Change[None]:
    """The try is counted, then refused."""
    names, sitting = others_of(row.entered_side), ledger.sitting
    return Change(
        admitted,
        None,
        writes=(Move(sitting, {"pin_hand": row.hand_no, "wrong_pins": _tries(ledger, row) + 1}),),
        lines=(Line(WRONG_PIN, f"hand:{row.hand_no}", sitting=sitting),),
        refused=refusal(
            "wrong_pin",
            f"This is not the PIN of {names['en']}. Read it off their card.",
            f"这不是{names['zh']}的密码，请看他们的桌卡。",
            status=BAD_REQUEST,
            field="pin",
        ),
    )


def _tries(ledger: Ledger, row: LedgerEntry) -> int:
    return ledger.sitting.wrong_pins if ledger.sitting.pin_hand == row.hand_no else 0
