"""The plan of the hall for the door, as it is saved or as tables stand by their numbers."""

from __future__ import annotations

from typing import Any, Final

from ...hall.layout import Plan
from ...hall.reads import plan_of
from ...models import Tournament
from .typesetting import common, set_pages

#: Millimetres for the tables on A4, lying and standing: the page without its margins, its head and the strip in front.
LYING: Final = (266, 148)
STANDING: Final = (179, 234)


def hall_pdf(event: Tournament) -> bytes:
    """One page, lying or standing as the hall is wide or deep."""
    return set_pages("hall.typ", hall_data(event, plan_of(event)), event.created_at)


def hall_data(event: Tournament, plan: Plan) -> dict[str, Any]:
    wide = plan.columns >= plan.rows
    width, height = LYING if wide else STANDING
    return common(event) | {
        "time": "",
        "digest": "",
        "wide": wide,
        "width": width,
        "height": height,
        "rows": max(plan.rows, 1),
        "columns": max(plan.columns, 1),
        "tables": [
            {"number": number, "row": place.row, "column": place.column}
            for number, place in sorted(plan.places.items())
        ],
        "fixtures": [{"kind": kind, "row": place.row, "column": place.column} for kind, place in plan.fixtures],
    }
