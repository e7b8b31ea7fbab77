"""Acts of the old disk, in words an official can act on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.desk.presenters.history import ACTS
from tournaments.models import Sitting, UnderReview

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.parts.words import Word
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Reviewed:
    """An act under review: what it was called, at which table, for which hand, and all that it wrote, as lines."""

    row: UnderReview
    words: Sequence[Word]
    round: int | None
    table: int | None
    hand: int | None
    facts: str
    wrote: Sequence[str]


def reviewed(event: Tournament) -> list[Reviewed]:
    """The acts of old disks, those nobody has looked at first."""
    rows = UnderReview.objects.filter(tournament=event).select_related("settled_by")
    found = sorted(rows, key=lambda one: (one.settled_at is not None, one.done_at, one.pk))
    ids = [one.sitting_id for one in found if one.sitting_id]
    places = {
        pk: (round_, table)
        for pk, round_, table in Sitting.objects.filter(pk__in=ids, round__tournament=event).values_list(
            "pk", "round__number", "table__number"
        )
    }
    return [_shown(one, places.get(one.sitting_id or 0, (None, None))) for one in found]


def _shown(row: UnderReview, place: tuple[int | None, int | None]) -> Reviewed:
    entry: Mapping[str, Any] = next(
        (columns for table, _, columns in row.what if table == "ledgerentry" and "facts" in columns), {}
    )
    acts = [columns["act"] for table, _, columns in row.what if table == "historyentry"]
    facts = entry.get("facts")
    return Reviewed(
        row=row,
        words=[ACTS.get(one, one) for one in acts],
        round=place[0],
        table=place[1],
        hand=entry.get("hand_no"),
        facts=_line(facts) if isinstance(facts, dict) else "",
        wrote=[f"{table} {columns['id']} {how} {_line(columns)}" for table, how, columns in row.what],
    )


def _line(said: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in said.items()
        if value not in (None, "") and name != "id"
    )
