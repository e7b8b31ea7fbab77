"""The entrants' own codes on paper: in order of name, two to a row, to be cut and handed out."""

from __future__ import annotations

from datetime import datetime

from ...ledger.codes import entrant_code_text, grouped
from ...models import EntrantCode, Tournament
from .cards import qr_svg
from .typesetting import by_name, common, moment, name_on_paper, set_pages


def entrant_codes_pdf(event: Tournament, *, address: str, printed_at: datetime) -> bytes:
    """The codes of everybody who has not withdrawn. `address` is how the address that a code opens begins."""
    codes = EntrantCode.objects.filter(
        entrant__tournament=event, entrant__withdrawn_at=None, revoked_at=None
    ).select_related("entrant")
    named = [(name_on_paper(code.entrant, event), code) for code in codes]
    rows = []
    for name, code in sorted(named, key=lambda one: (*by_name(one[0]), one[1].entrant.number)):
        text = entrant_code_text(code)
        rows.append(
            {
                "number": code.entrant.number,
                "name": name,
                "unit": code.entrant.unit,
                "code": grouped(text),
                "qr": qr_svg(f"{address}{text}/")[0],
            }
        )
    data = common(event) | {
        "printed": moment(printed_at, event),
        "host": address.split("//", 1)[-1].rstrip("/"),
        "codes": rows,
    }
    return set_pages("entrant_codes.typ", data, printed_at)
