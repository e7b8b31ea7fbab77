"""The batch protocol's doors to individual games: a hand, a ledger, and standings of single players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring import wording
from scoring.hands.findings import Finding, Refused, finding
from scoring.hands.reading import Reader
from scoring.individual.entries import IndividualHand
from scoring.individual.fold import UNTIMED, start, step
from scoring.individual.sheets import check_entry, read_entry
from scoring.individual.standings import answer_individual_standings
from scoring.individual.states import IndividualEntryResult, IndividualOpening, IndividualState
from scoring.ladder import Ladder
from scoring.profiles import Profile, Reason
from scoring.questions.asking import Answer, ledger_of
from scoring.sittings.states import Conditions
from scoring.standings.match_scores import STANDARD_LADDER
from scoring.standings.tables import answer_standings


def ask_individual_hand(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """What one hand gives each player, from the levels given (else all at the first)."""
    _individual_only(profile)
    reader = Reader(data)
    hand, levels = reader.raw("hand"), reader.raw("levels")
    if hand is None:
        reader.missing("hand")
    reader.done()
    opening = _opening(profile, {"levels": levels}, reader.findings, path="")
    entry = None
    if hand is not None:
        entry = _read(profile, {"kind": "hand", **hand} if isinstance(hand, Mapping) else hand, "hand", reader.findings)
    reader.refuse_if_any()
    assert opening is not None
    assert entry is not None
    if not isinstance(entry, IndividualHand):
        raise Refused([finding("unknown_value", "hand.kind", value=wording.shown(entry.kind), choices="hand")])
    _, result = _step(profile, UNTIMED, start(profile, opening), entry, "hand")
    said = result.to_json()
    because = said.pop("because")
    levels_after = said["after"]["levels"]
    for name in ("kind", "before", "after", "discrepancies", "scores_sentence"):
        del said[name]
    return {**said, "levels": levels_after, "because": because}


def ask_individual_state(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """The state after a ledger; refused with every finding on its entries."""
    _individual_only(profile)
    reader = Reader(data)
    opening = _opening(profile, reader.raw("opening"), reader.findings)
    conditions = UNTIMED
    if reader.has("conditions"):
        try:
            conditions = Conditions.from_json(reader.raw("conditions"))
        except Refused as refused:
            reader.findings += refused.findings
    ledger = ledger_of(reader)
    reader.done()
    entries = [_read(profile, row, f"ledger[{i}]", reader.findings) for i, row in enumerate(ledger)]
    reader.refuse_if_any()
    assert opening is not None
    state, results = start(profile, opening), list[IndividualEntryResult]()
    cited: dict[str, Reason] = {}
    for i, entry in enumerate(entries):
        assert entry is not None
        state, result = _step(profile, conditions, state, entry, f"ledger[{i}]")
        results.append(result)
        cited.update({reason.clause.id: reason for reason in result.because})
    because = [{"clause": clause, "text": dict(reason.clause.text)} for clause, reason in cited.items()]
    return {**state.to_json(), "entries": [result.to_json() for result in results], "because": because}


def ask_standings(data: Mapping[str, Any], ladder: Ladder = STANDARD_LADDER) -> Answer:
    """Standings of pairs and teams, or of single players where the results give scores by entrant."""
    results = data.get("results")
    single = isinstance(results, list) and any(isinstance(row, Mapping) and "scores" in row for row in results)
    return answer_individual_standings(data, ladder) if single else answer_standings(data, ladder)


def _individual_only(profile: Profile) -> None:
    if profile.division == "sides":
        raise Refused([finding("not_individual", "profile")])


def _opening(
    profile: Profile, data: object, findings: list[Finding], *, path: str = "opening"
) -> IndividualOpening | None:
    """The opening as given; none given, everybody begins at the first level."""
    try:
        return IndividualOpening.from_json({} if data is None else data, profile, path=path)
    except Refused as refused:
        findings += refused.findings
        return None


def _read(profile: Profile, data: object, path: str, findings: list[Finding]) -> Any:
    """An entry that can be accepted as it is; else its findings are noted."""
    try:
        entry = read_entry(profile, data, path)
    except Refused as refused:
        findings += refused.findings
        return None
    findings += [one for one in check_entry(profile, entry, path=path) if one.blocking]
    return entry


def _step(
    profile: Profile, conditions: Conditions, state: IndividualState, entry: Any, path: str
) -> tuple[IndividualState, IndividualEntryResult]:
    """One step with its reasons; what makes it impossible is told with the entry's place in the ledger."""
    try:
        return step(profile, conditions, state, entry, reasons=True)
    except Refused as refused:
        raise Refused(replace(one, field=f"{path}.{one.field}") for one in refused.findings) from None
