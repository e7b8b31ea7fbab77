"""Audit: every result of an event worked out again from its ledger, and compared with what is recorded.

It reads an event document (see exchange.events), so it does the same on the machine that keeps the event and on any
other. Nothing is written.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring import profiles
from scoring.cards.record_reading import parse
from scoring.cards.records import write_all
from scoring.cards.replay import replay
from scoring.findings import Refused

from ..exchange.events import FORMAT, OLDER_FORMATS
from ..exchange.text import canonical_json
from ..models import EntryStatus, LedgerEntry, Match, MatchOutcome, Round, Sitting, SittingPhase, Stage, Tournament
from ..queries.games import IndividualState
from ..queries.results import (
    COUNTED_ROUNDS,
    MATCH_COLUMNS,
    PLACE_COLUMNS,
    Results,
    as_result,
    as_table,
    rank,
    who_played,
)
from .ledgers import Ledger
from .results import FORFEITS, cached_state, match_result, place_results, unplayed_result
from .round_steps import bye_hundredths
from .standings import rows_of_question


@dataclass(frozen=True, slots=True)
class Difference:
    """What is recorded somewhere and what follows from the ledger instead."""

    where: str
    what: str
    recorded: Any
    recomputed: Any

    def __str__(self) -> str:
        recorded, recomputed = canonical_json(self.recorded), canonical_json(self.recomputed)
        return f"{self.where}: {self.what}: recorded {recorded}, recomputed {recomputed}"


class NotAnEvent(ValueError):
    """The document is not an event export of a known format, or parts of it are missing."""


def audit(document: Mapping[str, Any]) -> list[Difference]:
    """Every difference of an event document, in order; empty when all is as the rules have it."""
    if not isinstance(document, Mapping) or document.get("format") not in (FORMAT, *OLDER_FORMATS):
        raise NotAnEvent("this is not an event export of a known format")
    try:
        return list(_differences(document))
    except (KeyError, TypeError, AttributeError) as error:
        raise NotAnEvent(f"the export is incomplete: {error}") from error


def _differences(document: Mapping[str, Any]) -> Iterator[Difference]:
    facts = document["tournament"]
    slug = facts["slug"]
    event = Tournament(id=facts["id"], slug=slug, profile_spec=facts["profile_spec"])
    try:
        profile = event.profile
    except profiles.ProfileError as error:
        yield Difference(slug, "profile", facts["profile_spec"], error.code)
        return
    yield from _compare(slug, {"profile_digest": facts["profile_digest"]}, {"profile_digest": profile.digest})
    seed = document.get("lot_seed")
    if seed is not None:
        commitment = hashlib.sha256(seed.encode()).hexdigest()
        yield from _compare(slug, {"lot_commitment": facts["lot_commitment"]}, {"lot_commitment": commitment})
    stages = {row["id"]: Stage(tournament=event, **row) for row in document["stages"]}
    rounds = {
        row["id"]: Round(
            id=row["id"], tournament=event, stage=stages[row["stage_id"]], number=row["number"], status=row["status"]
        )
        for row in document["rounds"]
    }
    yield from _audit_matches(document, rounds)
    yield from _audit_recorded_hands(document, rounds, profile)
    yield from _audit_runs(document, rounds, stages)
    yield from _audit_rule_changes(document)
    yield from _audit_publications(document)


def _compare(where: str, recorded: Mapping[str, Any], recomputed: Mapping[str, Any]) -> Iterator[Difference]:
    for name, value in recomputed.items():
        if recorded.get(name) != value:
            yield Difference(where, name, recorded.get(name), value)


def _audit_matches(document: Mapping[str, Any], rounds: Mapping[int, Round]) -> Iterator[Difference]:
    """Every sitting folded again, every match result worked out from its sitting."""
    tables = {row["id"]: row["number"] for row in document["tables"]}
    entries: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for row in document["ledger"]:
        entries[row["sitting_id"]].append(row)
    by_match: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for row in document["sittings"]:
        by_match[row["match_id"]].append(row)
    places: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for row in document.get("places", ()):
        places[row["match_id"]].append(row)
    for row in document["matches"]:
        round_ = rounds[row["round_id"]]
        match = Match(
            id=row["id"],
            round=round_,
            home_id=row["home_id"],
            away_id=row["away_id"],
            outcome=row["outcome"],
            winner_side=row["winner_side"],
            decided_by=row["decided_by"],
        )
        seats = by_match[row["id"]]
        if not seats:
            yield from _audit_bye(row, round_)
        for seat in seats:
            where = f"round {round_.number} table {tables[seat['table_id']]}"
            yield from _audit_sitting(where, match, row, seat, entries[seat["id"]], places[row["id"]])


def _audit_bye(row: Mapping[str, Any], round_: Round) -> Iterator[Difference]:
    if row["outcome"] == MatchOutcome.BYE:
        where = f"round {round_.number} bye {row['home_id']}"
        yield from _compare(where, row, {"home_hundredths": bye_hundredths(round_.stage)})


def _audit_sitting(
    where: str,
    match: Match,
    result: Mapping[str, Any],
    seat: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    places: Sequence[Mapping[str, Any]],
) -> Iterator[Difference]:
    sitting = Sitting(
        id=seat["id"], match=match, round=match.round, opening=seat["opening"], state=seat["state"], phase=seat["phase"]
    )
    yield from _audit_versions(where, rows)
    ledger = Ledger(sitting, match, [_entry(sitting, row) for row in rows])
    try:
        state = ledger.fold()
    except Refused as refused:
        yield Difference(where, "ledger", "entries that count", refused.code)
        return
    yield from _compare(where, seat["state"], cached_state(state))
    yield from _compare(where, seat, {"hand_no": ledger.next_hand_no()})
    by_entry = not isinstance(state, IndividualState) and state.finished and state.decided_by == "forfeit"
    ruled = match.outcome in FORFEITS and not by_entry
    expected = unplayed_result(ledger.stage, MatchOutcome(match.outcome)) if ruled else match_result(ledger, state)
    yield from _compare(where, result, {name: _text(value) for name, value in expected.items()})
    for place, columns in place_results(state).items():
        recorded = next((one for one in places if one["place"] == place), {})
        yield from _compare(f"{where} place {place}", recorded, columns)
    over = ruled or state.finished
    if over != (seat["phase"] == SittingPhase.FINISHED):
        yield Difference(where, "phase", seat["phase"], "finished" if over else "not finished")


def _text(value: Any) -> Any:
    return str(value) if isinstance(value, str) else value


def _entry(sitting: Sitting, row: Mapping[str, Any]) -> LedgerEntry:
    names = ("id", "position", "version", "kind", "hand_no", "facts", "status")
    return LedgerEntry(sitting=sitting, **{name: row[name] for name in names})


def _audit_versions(where: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Difference]:
    """At most one version of an entry counts, two parties or an official stand behind it, hands are numbered once."""
    positions: dict[int, int] = defaultdict(int)
    hands: dict[int, int] = defaultdict(int)
    for row in rows:
        if row["status"] != EntryStatus.EFFECTIVE:
            continue
        positions[row["position"]] += 1
        if row["hand_no"] is not None:
            hands[row["hand_no"]] += 1
        by_sides = row["entered_side"] and (row["confirmed_side"] or row["confirmed_by_id"] is not None)
        by_official = row["entered_by_id"] is not None and row["basis"]
        if not (by_sides or by_official) or row["confirmed_side"] == row["entered_side"] != "":
            yield Difference(f"{where} entry {row['position']}", "parties", "one", "two, or an official with a basis")
    for position, count in positions.items():
        if count > 1:
            yield Difference(f"{where} entry {position}", "effective versions", count, 1)
    for hand_no, count in hands.items():
        if count > 1:
            yield Difference(f"{where} hand {hand_no}", "effective entries", count, 1)


def _audit_recorded_hands(
    document: Mapping[str, Any], rounds: Mapping[int, Round], profile: profiles.Profile
) -> Iterator[Difference]:
    """Each record of a hand: its digest, its text as it is written, its entry, and that its cards can be judged."""
    tables = {row["id"]: row["number"] for row in document["tables"]}
    places = {row["id"]: f"round {rounds[row['round_id']].number} table {tables[row['table_id']]}"
              for row in document["sittings"]}  # fmt: skip
    counting = {(row["sitting_id"], row["hand_no"]) for row in document["ledger"]
                if row["status"] == EntryStatus.EFFECTIVE}  # fmt: skip
    # documents from before hands had records have none
    for row in document.get("recorded_hands", ()):
        where = f"{places[row['sitting_id']]} hand {row['hand_no']} record {row['number']}"
        yield from _compare(where, row, {"digest": hashlib.sha256(row["text"].encode()).hexdigest()})
        if (row["sitting_id"], row["hand_no"]) not in counting:
            yield Difference(where, "entry", "one that counts", None)
        try:
            hands = parse(row["text"])
            yield from _compare(where, row, {"text": write_all(hands)})
            for hand in hands:
                replay(profile, hand)
        except Refused as refused:
            yield Difference(where, "record", "a hand that can be judged", refused.code)


def _audit_runs(
    document: Mapping[str, Any], rounds: Mapping[int, Round], stages: Mapping[int, Stage]
) -> Iterator[Difference]:
    """The live tables, where they claim to cover everything that happened."""
    counted = {pk for pk, round_ in rounds.items() if round_.status in COUNTED_ROUNDS}
    for run in document["standings"]:
        stage = stages[run["stage_id"]]
        where = f"standings of stage {stage.number}"
        digest = hashlib.sha256(canonical_json(run["rows"]).encode()).hexdigest()
        yield from _compare(where, run, {"digest": digest})
        if run["covers"] != document["tournament"]["stale_number"]:
            yield Difference(where, "covers", run["covers"], document["tournament"]["stale_number"])
            continue
        finished = [
            row
            for row in document["matches"]
            if row["round_id"] in counted
            and rounds[row["round_id"]].stage_id == stage.pk
            and row["superseded_in_id"] is None
            and row["outcome"] != MatchOutcome.PENDING
        ]
        finished.sort(key=lambda row: (rounds[row["round_id"]].number, row["number"]))
        results, penalties = _results(document, finished, rounds, individual=stage.tournament.individual)
        played = who_played(results)
        entrants = [row["id"] for row in document["entrants"] if row["withdrawn_at"] is None or row["id"] in played]
        rows = rank(
            stage.chain,
            entrants,
            results,
            individual=stage.tournament.individual,
            ladder=stage.tournament.profile.ladder,
            penalties=penalties,
        )
        yield from _compare(where, run, {"rows": [row.to_json() for row in rows]})


def _results(
    document: Mapping[str, Any],
    finished: Sequence[Mapping[str, Any]],
    rounds: Mapping[int, Round],
    *,
    individual: bool,
) -> tuple[Results, Mapping[int, int]]:
    """The results of finished matches, and the penalties of single players."""
    if not individual:
        numbers = (rounds[row["round_id"]].number for row in finished)
        return [
            as_result([number, *(row[name] for name in MATCH_COLUMNS[1:])])
            for number, row in zip(numbers, finished, strict=True)
        ], {}
    tables, penalties = [], Counter[int]()
    for row in finished:
        if row["home_id"] is None:
            places = _places(document, row["id"])
            number = rounds[row["round_id"]].number
            tables.append(as_table(number, [[place[name] for name in PLACE_COLUMNS] for place in places]))
            penalties.update({place["entrant_id"]: place["penalties"] for place in places})
    return tables, penalties


def _places(document: Mapping[str, Any], match_id: int) -> list[Mapping[str, Any]]:
    """The places of a match; documents from before single players could play have none."""
    return [row for row in document.get("places", ()) if row["match_id"] == match_id]


def _audit_rule_changes(document: Mapping[str, Any]) -> Iterator[Difference]:
    """Each change leads from the rules before it to those after it, and the last one to the rules of the event."""
    changes, facts = _rule_changes(document), document["tournament"]
    after = [{"spec": change["old_spec"], "digest": change["old_digest"]} for change in changes[1:]]
    after.append({"spec": facts["profile_spec"], "digest": facts["profile_digest"]})
    for change, then in zip(changes, after, strict=False):
        led_to = {"spec": change["new_spec"], "digest": change["new_digest"]}
        if led_to != then:
            yield Difference(f"rule change {change['id']}", "rule changes", led_to, then)


def _rule_changes(document: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The applied changes in order; documents from before events could change their rules have none."""
    return document.get("rule_changes", ())


def _spec_at(document: Mapping[str, Any], when: str) -> Any:
    """The rules that were in force at a time."""
    for change in _rule_changes(document):
        if datetime.fromisoformat(when) < datetime.fromisoformat(change["decided_at"]):
            return change["old_spec"]
    return document["tournament"]["profile_spec"]


def _audit_publications(document: Mapping[str, Any]) -> Iterator[Difference]:
    """Each frozen table: its digest, its number, the rules then in force, and its rows from its own question."""
    commitment = document["tournament"]["lot_commitment"]
    for expected, publication in enumerate(document["publications"], start=1):
        where = f"publication {publication['number']}"
        digest = hashlib.sha256(publication["document"].encode()).hexdigest()
        yield from _compare(where, publication, {"digest": digest, "number": expected})
        frozen = json.loads(publication["document"])
        spec = _spec_at(document, publication["published_at"])
        if frozen["profile"]["spec"] != spec:
            yield Difference(where, "rules of publication", frozen["profile"]["spec"], spec)
            continue
        profile = profiles.build(spec, individual=True)
        question = frozen["question"]
        seed = question.get("seed")
        if seed is not None and hashlib.sha256(seed.encode()).hexdigest() != commitment:
            yield Difference(where, "seed of the lots", seed, f"a seed of {commitment}")
        yield from _compare(where, frozen, {"rows": rows_of_question(question, profile)})
        yield from _compare(where, frozen["profile"], {"digest": profile.digest})
