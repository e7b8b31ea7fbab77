"""The hands of a round that counted last, over all its tables, with what came of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..models import EntryStatus, LedgerEntry, Round, Sitting
from ..sittings.records import Hand, SittingRecord, records


@dataclass(frozen=True, slots=True)
class LatestHand:
    """A hand that counts, and the record of its table."""

    record: SittingRecord
    hand: Hand


def latest_entries(round_: Round, limit: int, hidden: Collection[int] = ()) -> list[tuple[int, int]]:
    """The hands that were entered last, the newest first, each as its entry and its sitting; none of the `hidden`
    sittings. One query."""
    rows = LedgerEntry.objects.filter(sitting__round=round_, sitting__active=True, status=EntryStatus.EFFECTIVE)
    rows = rows.filter(hand_no__isnull=False).exclude(sitting__in=hidden)
    return list(rows.order_by("-entered_at", "-pk").values_list("pk", "sitting_id")[:limit])


def hands_of(entries: Sequence[tuple[int, int]]) -> list[LatestHand | None]:
    """What came of each of these entries; None for one after the end of its match, which counts for nothing."""
    rows = Sitting.objects.filter(pk__in={sitting for _entry, sitting in entries})
    rows = rows.select_related("table", "match__home", "match__away", "round__tournament", "round__stage")
    found = {
        hand.entry.pk: LatestHand(record, hand)
        for record in records(rows.prefetch_related("match__places__entrant"))
        for hand in record.hands
    }
    return [found.get(entry) for entry, _sitting in entries]
