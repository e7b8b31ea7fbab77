"""Sittings as kernel values: the ledger, its fold, and the hands of a match with their reasons and versions."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from scoring.individual.states import IndividualEntryResult
from scoring.profiles import Profile
from scoring.sittings.states import Conditions, EntryResult

from ..acts.text import canonical_json
from ..models import EntryStatus, LedgerEntry, Match, Sitting, Stage, TieRule
from .games import Entry, GameOpening, State, entry_results, game_of

Result = EntryResult | IndividualEntryResult

#: So many entries are remembered as they were read, the last ones asked for.
READ_ENTRIES = 8192

#: Versions that once counted; the others (taken back, sent back, overruled) are for the desk only.
COUNTED = (EntryStatus.EFFECTIVE, EntryStatus.SUPERSEDED)


@dataclass(frozen=True, slots=True)
class Hand:
    """One place in the ledger of a sitting: the version that counts, what it did, and the versions before it."""

    entry: LedgerEntry
    result: Result
    earlier: tuple[LedgerEntry, ...] = ()

    @property
    def corrected(self) -> bool:
        return bool(self.earlier)


@dataclass(frozen=True, slots=True)
class SittingRecord:
    """A sitting with its opening, its hands in order, its state, and the entry that waits (never public).

    `beyond` are entries after the end of the match: played, but a correction ended the match before them.
    """

    sitting: Sitting
    opening: GameOpening
    hands: tuple[Hand, ...]
    state: State
    waiting: LedgerEntry | None
    beyond: tuple[LedgerEntry, ...] = ()


def conditions_of(sitting: Sitting) -> Conditions:
    """How a sitting ends, and what its hands are fixed to by its boards or by the stage.

    A room of a match on boards decides nothing by itself, so equal points there call for no tie rule.
    """
    stage = sitting.round.stage
    form = "timed" if stage.minutes else "fixed_hands" if stage.hands else "first_past"
    if sitting.boards is not None:
        fixed = tuple(stage.deals[number] for number in sitting.boards)
        return Conditions(tie_rule=TieRule.DRAW, format=form, fixed=fixed)
    fixed, scoring = stage.directing.fixed, stage.directing.scoring
    leads = None if fixed else stage.lead_levels
    return Conditions(leads, stage.hands, stage.tie_rule, form, fixed, scoring)


def opening_of(sitting: Sitting) -> GameOpening:
    opening: GameOpening = game_of(sitting.round.tournament.profile).read_opening(sitting.opening)
    return opening


def read_entries(sitting: Sitting, facts: Iterable[Mapping[str, Any]]) -> list[Entry]:
    """What rows of the ledger hold, as kernel values by the rules of the event."""
    profile = sitting.round.tournament.profile
    return [_read_once(profile, canonical_json(one)) for one in facts]


@lru_cache(maxsize=READ_ENTRIES)
def _read_once(profile: Profile, facts: str) -> Entry:
    """An entry from its text. A table's hands are read again with every hand that follows them."""
    entry: Entry = game_of(profile).read_entry(profile, json.loads(facts))
    return entry


def fold_of(sitting: Sitting, entries: Iterable[Entry], *, reasons: bool = False) -> tuple[State, int]:
    """The state of a sitting after these entries up to the end of the match, and how many of them count. No query.

    After a correction a match may be over earlier than it was played; what follows then counts for nothing.
    The sitting carries its round with stage and tournament.
    """
    profile, conditions = sitting.round.tournament.profile, conditions_of(sitting)
    game = game_of(profile)
    state, results = game.start(profile, opening_of(sitting), conditions), []
    for entry in entries:
        if state.finished:
            break
        state, result = game.step(profile, conditions, state, entry, reasons=reasons)
        results.append(result)
    return replace(state, entries=tuple(results)), len(results)


def ledgers_of(sitting_ids: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """The facts that count of several sittings, in the order of each ledger. One query, none for no sittings."""
    ledgers: dict[int, list[dict[str, Any]]] = {pk: [] for pk in sitting_ids}
    if ledgers:
        rows = LedgerEntry.objects.filter(sitting__in=ledgers, status=EntryStatus.EFFECTIVE).order_by("position")
        for pk, facts in rows.values_list("sitting_id", "facts"):
            ledgers[pk].append(facts)
    return ledgers


def records(chosen: Iterable[Sitting]) -> list[SittingRecord]:
    """The records of several sittings of one event, reasons included, in two queries however many there are.

    The sittings carry their round with tournament and stage (select_related).
    """
    chosen = list(chosen)
    _share_stages(chosen)
    wanted = (*COUNTED, EntryStatus.WAITING)
    rows: dict[int, list[LedgerEntry]] = defaultdict(list)
    entries = LedgerEntry.objects.filter(sitting__in=[sitting.pk for sitting in chosen], status__in=wanted)
    for entry in entries.order_by("sitting_id", "position", "version"):
        rows[entry.sitting_id].append(entry)
    return [_record(sitting, rows[sitting.pk]) for sitting in chosen]


def _share_stages(sittings: Iterable[Sitting]) -> None:
    """Let sittings of one stage have it as one object, so that its boards are read once."""
    stages: dict[int, Stage] = {}
    for sitting in sittings:
        sitting.round.stage = stages.setdefault(sitting.round.stage_id, sitting.round.stage)


def _record(sitting: Sitting, rows: Sequence[LedgerEntry]) -> SittingRecord:
    earlier: dict[int, list[LedgerEntry]] = defaultdict(list)
    counted: list[LedgerEntry] = []
    waiting = None
    for row in rows:
        if row.status == EntryStatus.EFFECTIVE:
            counted.append(row)
        elif row.status == EntryStatus.SUPERSEDED:
            earlier[row.position].append(row)
        else:
            waiting = row
    state, played = fold_of(sitting, read_entries(sitting, (row.facts for row in counted)), reasons=True)
    hands = tuple(
        Hand(row, result, tuple(earlier[row.position]))
        for row, result in zip(counted[:played], entry_results(state), strict=True)
    )
    return SittingRecord(sitting, opening_of(sitting), hands, state, waiting, tuple(counted[played:]))


def match_records(match: Match) -> list[SittingRecord]:
    """The records of a match's sittings (two in a match of teams of four), open room first."""
    chosen = Sitting.objects.filter(match=match).select_related("round__tournament", "round__stage", "table")
    return records(chosen.order_by("room"))
