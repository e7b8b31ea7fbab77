"""Where the cards of a recorded hand can be stepped through; every step has an address of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from referee.parts.words import page_language

if TYPE_CHECKING:
    from tournaments.models import Sitting

#: The steps before the first trick and after the last one, as addresses have them.
DEAL, END = "0", "end"


def steps_address(sitting: Sitting, hand_no: int | None, step: str = "") -> str:
    """The public page of a hand in the language of the page, at the deal or at a `step`. No query.

    Whether there is such a page (a record, a hand that counts, no board kept back) has to be asked apart.
    """
    round_ = sitting.round
    address = reverse(
        "public:tricks",
        kwargs={
            "language": page_language(),
            "event": round_.tournament.slug,
            "number": round_.number,
            "table": sitting.table.number,
            "hand": hand_no,
        },
    )
    asked = {}
    if round_.stage.directing.best_of > 1:
        asked["game"] = str(sitting.game)
    if step:
        asked["trick"] = step
    return f"{address}?{urlencode(asked)}" if asked else address
