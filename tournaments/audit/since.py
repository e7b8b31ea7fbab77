"""What happened to an event after one of its tables was published.

Tables say how far the record had been written when they were made (`standings.seen`): what is written further now came
later, whatever the clocks said. Tables from before they did are judged by the times of acts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from ..models import StageFormat
from ..standings.publications import tables_in
from ..standings.seen import UNTOUCHED, fate, mark
from .standings import EventFacts, rows_by, rule_changes

Row = Mapping[str, Any]
#: Round and home entrant: every match has its own.
Key = tuple[int, int]


class Since(Protocol):
    """What happened after a publication."""

    def rules(self) -> Sequence[Any]:
        """The rules that may have been in force at the publication, the likeliest last."""

    def rules_changed(self) -> bool:
        """Whether the event got other rules since."""

    def happened(self, key: Key, parties: Iterable[int | None]) -> bool:
        """Whether something happened to a match, to a table that has one of its boards, or to who plays in it."""


class RecordSince:
    """The record of an event by what may happen to a match; `since` holds a publication against it."""

    def __init__(self, facts: EventFacts) -> None:
        self.facts = facts
        self.changes = rule_changes(facts.document)
        self.spec = facts.document["tournament"]["profile_spec"]
        self.rulings = rows_by(facts.document.get("rulings", ()), "sitting_id")
        own: dict[Key, list[Row]] = defaultdict(list)
        for match in facts.document["matches"]:
            own[facts.rounds[match["round_id"]].number, match["home_id"]].append(match)
        self._own: Mapping[Key, list[Row]] = own
        self._together = _over_boards(facts)

    def since(self, publication: Row, frozen: Row) -> Since:
        """What happened after a publication."""
        if "seen" in frozen:
            return _SinceSeen(self, publication, frozen)
        return _SinceThen(self, publication)

    def matches(self, key: Key) -> Iterable[Row]:
        """The matches on which a result rests: those of the key, and of the tables that have one of their boards."""
        for one in self._together.get(key, {key}):
            yield from self._own.get(one, ())


class _SinceSeen:
    """Since a publication that says what it had seen."""

    def __init__(self, record: RecordSince, publication: Row, frozen: Row) -> None:
        self._record = record
        self._seen = frozen["seen"]
        now = {row["id"] for row in record.facts.document["entrants"] if _annulled(row, publication["stage_id"])}
        then = {one for table in tables_in(frozen) for one in table.get("annulled", ())}
        self._annulled = now ^ then

    def rules(self) -> Sequence[Any]:
        changes = self._record.changes[self._seen["rule_changes"] :]
        return [changes[0]["old_spec"] if changes else self._record.spec]

    def rules_changed(self) -> bool:
        return len(self._record.changes) != self._seen["rule_changes"]

    def happened(self, key: Key, parties: Iterable[int | None]) -> bool:
        return not self._annulled.isdisjoint(parties) or any(map(self._moved, self._record.matches(key)))

    def _moved(self, match: Row) -> bool:
        sittings = sorted(self._record.facts.sittings[match["id"]], key=lambda row: row["id"])
        now = mark(
            replaced=match["superseded_in_id"] is not None,
            finished=match["finished_at"] is not None,
            revisions=[row["revision"] for row in sittings],
        )
        rulings = [ruling for row in sittings for ruling in self._record.rulings[row["id"]]]
        return now != self._seen["matches"].get(str(match["id"]), UNTOUCHED) or any(
            # a ruling that waits for its decision moves nothing
            ruling["decided_at"] is not None
            and self._seen["rulings"].get(str(ruling["number"])) != fate(ruling["status"], ruling["appeal"])
            for ruling in rulings
        )


def _annulled(entrant: Row, stage: int) -> bool:
    # older documents have fewer columns
    return bool(entrant.get("annulled_in_id") == stage)


class _SinceThen:
    """Since a publication of an older version, by the times of acts.

    What happened at the very moment may have come after it; so may what has no time in the document.
    """

    def __init__(self, record: RecordSince, publication: Row) -> None:
        self._record = record
        self._at = _moment(publication["published_at"])
        left = {row["id"]: row["withdrawn_at"] for row in record.facts.document["entrants"]}
        self._gone = {one for one, when in left.items() if when is not None and _moment(when) >= self._at}

    def rules(self) -> Sequence[Any]:
        found = []
        for change in self._record.changes:
            changed = _moment(change["decided_at"])
            if self._at <= changed:
                found.append(change["old_spec"])
            if self._at < changed:
                return found
        return [*found, self._record.spec]

    def rules_changed(self) -> bool:
        return any(_moment(change["decided_at"]) >= self._at for change in self._record.changes)

    def happened(self, key: Key, parties: Iterable[int | None]) -> bool:
        moments = (moment for match in self._record.matches(key) for moment in self._moments(match))
        return not self._gone.isdisjoint(parties) or any(moment is None or moment >= self._at for moment in moments)

    def _moments(self, match: Row) -> Iterable[datetime | None]:
        """When something happened to a match; None: at a time that the document does not tell."""
        facts = self._record.facts
        yield from _times(match, ("finished_at",))
        if match["superseded_in_id"] is not None:
            yield None
        for sitting in facts.sittings[match["id"]]:
            yield from _times(sitting, ("changed_at",))
            for entry in facts.entries[sitting["id"]]:
                yield from _times(entry, ("entered_at", "confirmed_at"))
            for ruling in self._record.rulings[sitting["id"]]:
                # when an appeal was answered, or a ruling cancelled, is told in the export of officials only
                told = ruling["appeal"] == "none" and ruling["status"] == "decided"
                yield from _times(ruling, ("decided_at",)) if told else [None]


def _over_boards(facts: EventFacts) -> Mapping[Key, set[Key]]:
    """Where pairs are compared over all tables of a board: the matches that move the result of each, its own too."""
    homes = {match["id"]: match["home_id"] for match in facts.document["matches"]}
    having: dict[tuple[int, int], set[Key]] = defaultdict(set)
    for sitting in facts.document["sittings"]:
        round_ = facts.rounds[sitting["round_id"]]
        if round_.stage.format == StageFormat.DUPLICATE_PAIRS:
            for number in sitting["boards"]:
                having[round_.stage_id, number].add((round_.number, homes[sitting["match_id"]]))
    found: dict[Key, set[Key]] = defaultdict(set)
    for keys in having.values():
        for key in keys:
            found[key] |= keys
    return found


def _times(row: Row, names: Iterable[str]) -> list[datetime | None]:
    return [_moment(row[name]) for name in names if row[name] is not None]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
