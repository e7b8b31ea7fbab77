"""Whether published tables counted what the record says: each result in them against the match it is of.

A result may differ from the record of today where something happened to its match after the table was published: a
correction, a ruling, a withdrawal, other rules; to pairs whatever happened at a table that has one of their boards.
What differs without any of these was never what was played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from ..models import StageFormat
from ..queries.publications import tables_in
from ..queries.stage_tables import KnockoutTable, result_json
from .audit_standings import EventFacts, rows_by, rule_changes
from .certificate import Difference

Row = Mapping[str, Any]
#: Round and home entrant: every match has its own.
Key = tuple[int, int]


class PublishedResults:
    """The results of an event as its record has them today, to compare published tables with."""

    def __init__(self, facts: EventFacts) -> None:
        self._facts = facts
        self._today: dict[int, dict[Key, Row]] = {}
        self._changed = _last_changes(facts)
        self._rules = [_moment(row["decided_at"]) for row in rule_changes(facts.document)]
        self._gone = {
            row["id"]: _moment(row["withdrawn_at"])
            for row in facts.document["entrants"]
            if row["withdrawn_at"] is not None
        }

    def differences(self, where: str, publication: Row, frozen: Row) -> Iterator[Difference]:
        """What a published table counted otherwise, with nothing that happened since to explain it."""
        at = _moment(publication["published_at"])
        if any(changed >= at for changed in self._rules):
            return
        questions = [table["question"] for table in tables_in(frozen)]
        published = {
            (one["round"], one["home"]): one
            for question in questions
            for one in (*question.get("results", ()), *question.get("matches", ()))
            if one.get("home") is not None
        }
        today = self._results(publication["stage_id"])
        for key in sorted({*published, *today}):
            said, is_now = published.get(key), today.get(key)
            if said == is_now or key[0] > frozen["round"] or self._explained(key, said or is_now or {}, at):
                continue
            yield Difference(f"{where} round {key[0]} entrant {key[1]}", "result", said, is_now)

    def _results(self, stage_id: int) -> dict[Key, Row]:
        if stage_id not in self._today:
            found: dict[Key, Row] = {}
            for table in self._facts.basis(self._facts.stages[stage_id]).tables():
                if isinstance(table, KnockoutTable):
                    rows: Iterable[Any] = [match.to_json() for match in table.matches]
                else:
                    rows = [result_json(result) for result in table.results]
                found |= {(row["round"], row["home"]): row for row in rows if row.get("home") is not None}
            self._today[stage_id] = found
        return self._today[stage_id]

    def _explained(self, key: Key, result: Row, at: datetime) -> bool:
        """Whether something happened to the match, or to who plays in it, after the table was published.

        What happened at the very moment may have come after it.
        """
        parties = (result.get("home"), result.get("away"))
        gone = any(party in self._gone and self._gone[party] >= at for party in parties)
        return gone or any(moment is None or moment >= at for moment in self._changed[key])


def _last_changes(facts: EventFacts) -> Mapping[Key, list[datetime | None]]:
    """When something happened to each match; None: at a time that the document does not tell."""
    rulings = rows_by(facts.document.get("rulings", ()), "sitting_id")
    found: dict[Key, list[datetime | None]] = defaultdict(list)
    for match in facts.document["matches"]:
        key = (facts.rounds[match["round_id"]].number, match["home_id"])
        found[key] += _moments(match, ("finished_at",))
        if match["superseded_in_id"] is not None:
            found[key].append(None)
        for sitting in facts.sittings[match["id"]]:
            found[key] += _moments(sitting, ("changed_at",))
            for entry in facts.entries[sitting["id"]]:
                found[key] += _moments(entry, ("entered_at", "confirmed_at"))
            for ruling in rulings[sitting["id"]]:
                # when an appeal was answered, or a ruling cancelled, is told in the export of officials only
                told = ruling["appeal"] == "none" and ruling["status"] == "decided"
                found[key] += _moments(ruling, ("decided_at",)) if told else [None]
    return _over_boards(found, facts)


def _over_boards(
    changes: Mapping[Key, list[datetime | None]], facts: EventFacts
) -> Mapping[Key, list[datetime | None]]:
    """The same, where pairs are compared over all tables of a board: what happened at one of them moves them all."""
    homes = {match["id"]: match["home_id"] for match in facts.document["matches"]}
    having: dict[tuple[int, int], set[Key]] = defaultdict(set)
    for sitting in facts.document["sittings"]:
        round_ = facts.rounds[sitting["round_id"]]
        if round_.stage.format == StageFormat.DUPLICATE_PAIRS:
            for number in sitting["boards"]:
                having[round_.stage_id, number].add((round_.number, homes[sitting["match_id"]]))
    found: dict[Key, list[datetime | None]] = defaultdict(
        list, {key: list(moments) for key, moments in changes.items()}
    )
    for keys in having.values():
        together = [moment for key in keys for moment in changes[key]]
        for key in keys:
            found[key] += together
    return found


def _moments(row: Row, names: Iterable[str]) -> list[datetime | None]:
    return [_moment(row[name]) for name in names if row[name] is not None]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
