"""Table cards: what opens a party's place at a table, as a code and as text."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

import segno

from ...ledger.codes import grouped, party_code_text, pin_text
from ...models import PartyCode, Round, Sitting
from ...sittings.games import parties_of
from .typesetting import common, moment, set_pages

QR_MILLIMETRES = 40
QUIET_MODULES = 4


def table_cards_pdf(round_: Round, *, address: str, printed_at: datetime, seal: str = "", door: str = "") -> bytes:
    """Cards of every table of a round, A5 portrait, two on each A4 sheet, ordered by table.

    Of single players every place has a card of its own, those of a table on one sheet.
    `address` is the beginning of the address that a code opens (it ends with /t/). Codes must have been issued.
    `seal`: the fingerprint of the authority that phones trust, to compare, and `door`, where they come to; empty for
    none.
    """
    event = round_.tournament
    numbers = list(
        Sitting.objects.filter(round=round_, active=True)
        .order_by("table__number")
        .values_list("table__number", flat=True)
    )
    codes = PartyCode.objects.filter(table__tournament=event, table__number__in=numbers, revoked_at=None)
    by_place = {(code.table.number, code.side): code for code in codes.select_related("table")}
    parties = parties_of(event.profile)
    data = common(event) | {
        "profile": dict(event.profile.title),
        "printed": moment(printed_at, event),
        "host": _typed(address),
        "seal": seal,
        "door": door,
        "cards": [
            {
                "table": number,
                "sides": [_side(by_place[number, party], address) for party in parties],
            }
            for number in numbers
            if all((number, party) in by_place for party in parties)
        ],
    }
    return set_pages("place_cards.typ" if event.individual else "table_cards.typ", data, printed_at)


def _typed(address: str) -> str:
    """What to type by hand. Without ``https://`` a browser would speak plain http to a port that is named."""
    scheme, _, rest = address.partition("//")
    host = rest.partition("/")[0]
    return f"{scheme}//{host}" if scheme == "https:" and ":" in host else host


def _side(code: PartyCode, address: str) -> dict[str, Any]:
    text = party_code_text(code)
    picture, millimetres = qr_svg(f"{address}{text}/")
    return {
        "side": code.side,
        "code": grouped(text),
        "pin": pin_text(code),
        "qr": picture,
        "millimetres": millimetres,
    }


def qr_svg(text: str) -> tuple[str, str]:
    """A QR code as SVG with its quiet zone, and the width at which the code itself is 40 mm."""
    code = segno.make(text, error="m", micro=False)
    modules = code.symbol_size(border=0)[0]
    out = io.BytesIO()
    code.save(out, kind="svg", border=QUIET_MODULES, xmldecl=False, svgns=True, nl=False, light="#fff")
    width = QR_MILLIMETRES * (modules + 2 * QUIET_MODULES) * 100 // modules
    return out.getvalue().decode(), f"{width // 100}.{width % 100:02d}"
