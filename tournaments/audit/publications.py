"""Whether published tables counted what the record says: each result in them against the match it is of.

A result may differ from the record of today where something happened to its match after the table was published: a
correction, a ruling, a withdrawal, other rules; to pairs whatever happened at a table that has one of their boards.
What differs without any of these was never what was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..standings.publications import tables_in
from ..standings.tables import KnockoutTable, result_json
from .certificate import Difference
from .since import Key, RecordSince, Row
from .standings import EventFacts


class PublishedResults:
    """The results of an event as its record has them today, to compare published tables with."""

    def __init__(self, facts: EventFacts) -> None:
        self._facts = facts
        self._today: dict[int, dict[Key, Row]] = {}
        self._record = RecordSince(facts)

    def rules(self, publication: Row, frozen: Row) -> Sequence[Any]:
        """The rules that may have been in force when a table was published, the likeliest last."""
        return self._record.since(publication, frozen).rules()

    def differences(self, where: str, publication: Row, frozen: Row) -> Iterator[Difference]:
        """What a published table counted otherwise, with nothing that happened since to explain it."""
        since = self._record.since(publication, frozen)
        if since.rules_changed():
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
            if said == is_now or key[0] > frozen["round"]:
                continue
            result = said or is_now or {}
            if not since.happened(key, (result.get("home"), result.get("away"))):
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
