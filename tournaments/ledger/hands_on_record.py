"""Records of hands as others read them: which hands have one, and what the cards say beside the entry."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from scoring.cards.record_reading import parse
from scoring.cards.records import HandRecord
from scoring.hands.findings import Finding, Refused

from ..models import EntryStatus, LedgerEntry, RecordedHand, Sitting
from ..sittings.games import HandReplay, disagreements_with, replay_hand


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record judged again beside the entry that counts now.

    `disagreements` are the fields in which the sheet of the entry differs from the cards; none where the entry is no
    sheet (annulled, adjusted).
    """

    recorded: RecordedHand
    entry: LedgerEntry
    record: HandRecord
    replay: HandReplay
    disagreements: tuple[Finding, ...]


def record_of(sitting: Sitting, hand_no: int) -> RecordedHand | None:
    """The newest record of a hand, if there is one."""
    return RecordedHand.objects.filter(sitting=sitting, hand_no=hand_no).order_by("-number").first()


def hands_with_records(sitting: Sitting) -> frozenset[int]:
    """The numbers of the hands that have a record. One query."""
    return frozenset(RecordedHand.objects.filter(sitting=sitting).values_list("hand_no", flat=True))


def records_among(sitting_ids: Collection[int]) -> frozenset[tuple[int, int]]:
    """Sitting and number of each hand of these sittings that has a record. One query."""
    rows = RecordedHand.objects.filter(sitting__in=sitting_ids)
    return frozenset(rows.values_list("sitting_id", "hand_no"))


def entry_of_hand(sitting: Sitting, hand_no: int) -> LedgerEntry | None:
    """The entry of a hand that counts."""
    return LedgerEntry.objects.filter(sitting=sitting, hand_no=hand_no, status=EntryStatus.EFFECTIVE).first()


def replayed(sitting: Sitting, hand_no: int) -> Replayed | None:
    """The newest record of a hand beside the entry that counts. Two queries.

    None where either is missing, or where the event changed its rules for some without the level of the record.
    """
    entry = entry_of_hand(sitting, hand_no)
    recorded = None if entry is None else record_of(sitting, hand_no)
    if entry is None or recorded is None:
        return None
    try:
        return replay_beside(recorded, entry, sitting)
    except Refused:
        return None


def replay_beside(recorded: RecordedHand, entry: LedgerEntry, sitting: Sitting) -> Replayed:
    """The record judged by the rules of the event, and held against the entry. Refused where they lack its level."""
    profile = sitting.round.tournament.profile
    (record,) = parse(recorded.text, profile)
    again = replay_hand(profile, record)
    return Replayed(recorded, entry, record, again, disagreements_with(profile, again, entry.facts))
