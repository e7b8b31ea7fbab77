"""How far live standings are behind what was done."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from django.db.models import DateTimeField, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce

from ..acts import doorbell
from ..models import HistoryEntry, Tournament

_NEVER: Final = Value(datetime(1970, 1, 1, tzinfo=UTC), output_field=DateTimeField())


def behind_since(event: Tournament | None = None) -> list[datetime]:
    """Since when the live tables of each event that is behind are so, or of this one if it is; at the earliest.

    Nobody writes down when a table goes stale: it was not before the first act after the last recalculation.
    """
    rows = doorbell.stale() if event is None else doorbell.stale().filter(tournament=event)
    done_after = HistoryEntry.objects.filter(
        tournament=OuterRef("tournament"), at__gt=Coalesce(OuterRef("finished_at"), _NEVER)
    )
    first = Subquery(done_after.order_by("at").values("at")[:1])
    since = Coalesce(first, "finished_at", "tournament__created_at")
    return list(rows.annotate(since=since).values_list("since", flat=True))
