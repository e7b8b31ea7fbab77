"""The record of an event by what belongs together, and the tables worked out from it alone: the same facts of stages
that the database gives."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from scoring.individual.standings import IndividualResult
from scoring.standings.results import Result
from scoring.standings.scales import Bye

from ..models import AppealState, MatchOutcome, Round, RoundStatus, RulingStatus, SittingPhase, Stage
from ..plans.plan import Carry
from ..standings.penalised import Penalised, as_penalised, seated
from ..standings.rankings import Net, StageFacts, excluded_by, make_basis, rounds_over
from ..standings.results import COUNTED_ROUNDS, MATCH_COLUMNS, PLACE_COLUMNS, as_result, as_table
from ..standings.tables import Basis, Competitor

Document = Mapping[str, Any]
Row = Mapping[str, Any]


def rows_by(rows: Iterable[Row], name: str) -> Mapping[Any, list[Row]]:
    """Rows by the value of a column; none for a value that no row has."""
    found: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        found[row[name]].append(row)
    return found


def rule_changes(document: Document) -> Sequence[Row]:
    """The applied changes in order; documents from before events could change their rules have none."""
    applied = [row for row in document.get("rule_changes", ()) if row.get("status", "applied") == "applied"]
    return sorted(applied, key=lambda row: (datetime.fromisoformat(row["decided_at"]), row["id"]))


class EventFacts:
    """The facts of all stages of a document, read once for everything that looks at them: `sittings` and `places` by
    match, `entries` by sitting. Sections that older documents do not have count as empty."""

    def __init__(self, document: Document, stages: Mapping[int, Stage], rounds: Mapping[int, Round]) -> None:
        self.document = document
        self.stages = stages
        self.rounds = rounds
        self.sittings = rows_by(document["sittings"], "match_id")
        self.entries = rows_by(document["ledger"], "sitting_id")
        self.places = rows_by(self._section("places"), "match_id")
        self._chain = sorted(stages.values(), key=lambda stage: stage.number)
        self._ruled = list(self._penalised())
        self._known: dict[int, Basis] = {}

    def basis(self, stage: Stage) -> Basis:
        """What the tables of a stage follow from."""
        if stage.pk not in self._known:
            at = self._chain.index(stage)
            facts = [self._facts(stage)]
            for before in reversed(self._chain[:at]):
                if facts[-1].stage.directing.carry is Carry.NONE:
                    break
                facts.append(self._facts(before))
            following = self._chain[at + 1] if at + 1 < len(self._chain) else None
            self._known[stage.pk] = make_basis(facts, self._ruled, following)
        return self._known[stage.pk]

    def _section(self, name: str) -> Sequence[Row]:
        return self.document.get(name, ())

    def _facts(self, stage: Stage) -> StageFacts:
        finished = self._finished(stage)
        counted = [row for row in finished if not self.rounds[row["round_id"]].extra]
        individual = stage.tournament.individual
        lots = [row for row in self._section("drawn_lots") if row["stage_id"] == stage.pk]
        averaged = stage.directing.bye is Bye.AVERAGE
        return StageFacts(
            stage=stage,
            competitors=self._competitors(stage),
            results=self._tables(finished) if individual else [self._result(row) for row in counted],
            extra=[self._result(row) for row in finished if self.rounds[row["round_id"]].extra],
            for_place={
                (self.rounds[row["round_id"]].number, row["home_id"]): row["for_place"]
                for row in counted
                if row.get("for_place") is not None
            },
            nets=[self._net(row) for row in counted],
            penalties=self._penalties(finished) if individual else {},
            draws=[row["order"] for row in sorted(lots, key=lambda row: row["number"])],
            over=averaged and self._is_over(stage),
        )

    def _finished(self, stage: Stage) -> list[Row]:
        rows = [
            row
            for row in self.document["matches"]
            if self.rounds[row["round_id"]].stage_id == stage.pk
            and self.rounds[row["round_id"]].status in COUNTED_ROUNDS
            and row["superseded_in_id"] is None
            and row["outcome"] != MatchOutcome.PENDING
        ]
        return sorted(rows, key=lambda row: (self.rounds[row["round_id"]].number, row["number"]))

    def _result(self, row: Row) -> Result:
        # older documents have fewer columns
        return as_result([self.rounds[row["round_id"]].number, *(row.get(name) for name in MATCH_COLUMNS[1:])])

    @staticmethod
    def _net(row: Row) -> Net:
        nets = row.get("net_hundredths"), row.get("away_net_hundredths")
        return Net(row["home_id"], row["away_id"], *nets, row.get("finer_scores"))

    def _tables(self, finished: Iterable[Row]) -> list[IndividualResult]:
        return [
            as_table(self.rounds[row["round_id"]].number, [[place[name] for name in PLACE_COLUMNS] for place in places])
            for row, places in self._played(finished)
        ]

    def _penalties(self, finished: Iterable[Row]) -> dict[int, int]:
        found = Counter[int]()
        for _, places in self._played(finished):
            found.update({place["entrant_id"]: place["penalties"] for place in places})
        return {entrant: count for entrant, count in found.items() if count}

    def _played(self, finished: Iterable[Row]) -> list[tuple[Row, list[Row]]]:
        """Tables of single players that give points, with their places; who sits out has none."""
        rows = [row for row in finished if row["home_id"] is None and not self.rounds[row["round_id"]].extra]
        return [(row, self.places[row["id"]]) for row in rows]

    def _competitors(self, stage: Stage) -> tuple[Competitor, ...]:
        out = excluded_by(self._ruled)
        known = {row["id"]: row for row in self.document["entrants"]}
        field = [row for row in self._section("stage_entrants") if row["stage_id"] == stage.pk]
        groups = {row["entrant_id"]: row["group"] for row in field}
        if not field and stage is self._chain[0]:
            groups = dict.fromkeys(known)
        inside = sorted((known[entrant] for entrant in groups), key=lambda row: row["number"])
        return tuple(
            Competitor(
                entrant=row["id"],
                number=row["number"],
                group=groups[row["id"]],
                withdrawn=row["withdrawn_at"] is not None,
                annulled=row.get("annulled_in_id") == stage.pk,
                excluded=row["id"] in out,
            )
            for row in inside
        )

    def _penalised(self) -> Iterable[Penalised]:
        sittings = {row["id"]: row for row in self.document["sittings"]}
        matches = {row["id"]: row for row in self.document["matches"]}
        for ruling in sorted(self._section("rulings"), key=lambda row: row["number"]):
            stands = ruling["status"] == RulingStatus.DECIDED and ruling["appeal"] != AppealState.UPHELD
            if not stands or ruling["penalty"] is None:
                continue
            sitting = sittings[ruling["sitting_id"]]
            match = matches[sitting["match_id"]]
            round_ = self.rounds[match["round_id"]]
            sat = seated(sitting.get("home_side", "NS"), match["home_id"], match["away_id"])
            if match["home_id"] is None:
                sat = {place["place"]: place["entrant_id"] for place in self.places[match["id"]]}
            yield as_penalised(round_.stage_id, round_.number, sat, ruling["side"], ruling["penalty"])

    def _is_over(self, stage: Stage) -> bool:
        """As `rankings.is_over`."""
        rounds = [one for one in self.rounds.values() if one.stage_id == stage.pk]
        if not rounds_over(((one.status, one.extra) for one in rounds), stage.rounds_planned):
            return False
        closed = {one.pk for one in rounds if one.status == RoundStatus.CLOSED}
        pending = {row["id"] for row in self.document["matches"] if row["outcome"] == MatchOutcome.PENDING}
        here = [row for row in self.document["sittings"] if row["round_id"] in closed]
        playing = any(
            row["active"] and row["phase"] != SittingPhase.FINISHED and row["match_id"] in pending for row in here
        )
        appealed = {row["sitting_id"] for row in self._section("rulings") if row["appeal"] == AppealState.LODGED}
        return not playing and not any(row["id"] in appealed for row in here)
