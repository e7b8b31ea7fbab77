"""What a decided ruling does to the record of its table, and how that is taken back: always by a new entry.

Each effect is decided as the act that an official would do by hand, and is part of the change of the ruling.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from scoring.hands.entries import LevelPenalty
from scoring.individual.entries import PlacePenalty
from scoring.individual.states import IndividualState
from scoring.penalties.steps import standings_points
from scoring.values import Side

from ..acts.access import Act
from ..acts.admission import Admitted
from ..acts.change import Add, Change, Line, Write, in_turn
from ..acts.errors import BAD_REQUEST, clean_text
from ..ledger.acting import after, change_at, moved
from ..ledger.corrections import corrected, correction_refused
from ..ledger.deciding import enter, settle
from ..ledger.judging import HAND_KINDS, refusal
from ..ledger.officials_entries import (
    REASON_LIMIT,
    Penalty,
    by_ruling,
    forfeited,
    ledger_of_match,
    penalised,
    reopened,
    table_forfeited,
)
from ..models import Basis, Correction, EntryKind, EntryStatus, LedgerEntry, MatchOutcome, Ruling, SittingPhase
from ..sittings.games import Entry, State, parties_of
from ..sittings.ledgers import Ledger
from ..sittings.results import ruled_on_match
from .cases import hand_at

#: Where the measures of a penalty schedule land.
ON: Final[Mapping[str, str]] = {
    "none": "nothing",
    "warning": "nothing",
    "points": "sheet",
    "profile_fine": "sheet",
    "levels": "ledger",
    "result": "ledger",
    "annul": "ledger",
    "forfeit": "ledger",
    "match_points": "standings",
    "exclusion": "standings",
}
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "levels": ("level_penalty", "penalty"),
    "result": ("adjusted",),
    "annul": ("annulled",),
    "forfeit": ("end",),
}
_ON_SHEET = ("adjustments", "throw_failures", "dark_bids")
_MOST_ROWS = 9


@dataclass(frozen=True, slots=True)
class Landed:
    """The entry, or the correction that waits for a second official, which carries an effect; neither: no effect.

    `forfeited`: the match was ended as a forfeit, with or without an entry.
    """

    entry: LedgerEntry | None = None
    correction: Correction | None = None
    forfeited: bool = False


def read_penalty(penalty: object, parties: Collection[str]) -> dict[str, Any] | None:
    """A penalty as it is kept: `unit` and, where it has an effect, `entry`; None for none.

    `parties` are those at the table. An entry of the ledger is judged when it is written.
    """
    if penalty is None:
        return None
    unit = penalty.get("unit") if isinstance(penalty, Mapping) else None
    entry = penalty.get("entry") if isinstance(penalty, Mapping) else None
    if not isinstance(penalty, Mapping) or set(penalty) - {"unit", "entry"} or not isinstance(unit, str):
        raise _bad_penalty()
    where = ON.get(unit)
    if where is None or (where == "nothing") != (entry is None):
        raise _bad_penalty()
    if where == "ledger" and (not isinstance(entry, Mapping) or entry.get("kind") not in _KINDS[unit]):
        raise _bad_penalty()
    if where == "sheet" and not _is_sheet_rows(entry):
        raise _bad_penalty()
    if where == "standings" and not (isinstance(entry, Mapping) and _is_of_standings(unit, entry, parties)):
        raise _bad_penalty()
    return {"unit": unit, **({"entry": dict(entry)} if isinstance(entry, Mapping) else {})}


def _is_sheet_rows(entry: object) -> bool:
    return (
        isinstance(entry, Mapping)
        and bool(entry)
        and not set(entry) - set(_ON_SHEET)
        and all(isinstance(rows, list) and 0 < len(rows) <= _MOST_ROWS for rows in entry.values())
    )


def _is_of_standings(unit: str, entry: Mapping[str, Any], parties: Collection[str]) -> bool:
    """Whom it excludes; or whose points it takes, or to what it sets the match: the same for all `sides`, or `scores`
    by side."""
    sides = entry.get("sides")
    if not isinstance(sides, list) or not sides or not all(side in parties for side in sides):
        return False
    if len(set(sides)) != len(sides):
        return False
    if unit == "exclusion":
        return not set(entry) - {"sides", "excluded", "why"} and entry.get("excluded") is True and len(sides) == 1
    amount, mode = standings_points(entry.get("match_points")), entry.get("mode")
    if set(entry) - {"sides", "match_points", "mode", "scores", "why"} or amount is None:
        return False
    if mode == "add":
        return amount < 0 and "scores" not in entry
    scores = entry.get("scores", {})
    known = isinstance(scores, Mapping) and not set(scores) - set(parties)
    return mode == "set" and known and all(standings_points(text) is not None for text in scores.values())


def _bad_penalty() -> Exception:
    return refusal(
        "bad_penalty",
        "This penalty cannot be read. It states its unit and the entry that carries it.",
        "读不懂这项处罚。要写明单位和相应的记录。",
        status=BAD_REQUEST,
        field="penalty",
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """What an effect is decided from: the record, held; who decides, and when; the reason of its entries; the treatment
    where a changed hand changes what was due later."""

    ledger: Ledger
    admitted: Admitted
    at: datetime
    told: str
    treatment: str

    def nothing(self) -> Change[Landed]:
        return Change(self.admitted, Landed())

    def corrected(self, row: LedgerEntry, facts: Mapping[str, Any]) -> Change[Landed]:
        """A hand has other facts."""
        change = corrected(
            self.ledger, self.admitted, self.at, row, facts=facts, reason=self.told, treatment=self.treatment
        )
        entry, correction = change.answer.entry, change.answer.correction
        return _which(change, Landed(entry, None if entry is not None else correction))

    def ended(self, outcome: MatchOutcome) -> Change[Landed]:
        # a match of several rooms or games ends where it is played now, whichever table the ruling is about
        there = ledger_of_match(self.ledger.match.pk)
        change = forfeited(there, self.admitted, self.at, outcome, self.told)
        return _which(change, Landed(change.answer.entry, forfeited=True))

    def table_ended(self, entry: Mapping[str, Any]) -> Change[Landed]:
        """A single player forfeits the table, which ends with it."""
        change = table_forfeited(self.ledger, self.admitted, self.at, {**entry, "why": self.told}, self.told)
        return _which(change, Landed(change.answer.entry, forfeited=True))


def _which(change: Change[Any], landed: Landed) -> Change[Landed]:
    return in_turn(change, Change(change.admitted, landed))


def _case(ledger: Ledger, admitted: Admitted, at: datetime, told: str, treatment: str) -> _Case:
    told = clean_text(told[:REASON_LIMIT], "reason", limit=REASON_LIMIT, required=True)
    return _Case(ledger, admitted, at, told, treatment)


def land(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    ruling: Ruling,
    penalty: Mapping[str, Any] | None,
    treatment: str,
) -> Change[Landed]:
    """What a penalty does to the record: nothing for a warning, and on the standings only the end of a match that is
    not over."""
    case = _case(ledger, admitted, at, ruling.verdict["en" if ledger.tournament.language == "en" else "zh"], treatment)
    entry = penalty.get("entry") if penalty is not None else None
    where = "nothing" if penalty is None else ON[penalty["unit"]]
    if entry is None or where == "nothing":
        return case.nothing()
    if where == "standings":
        return _end_for_standings(case, entry)
    if where == "sheet":
        return _on_sheet(case, ruling.hand_no, entry)
    kind = entry["kind"]
    if kind in HAND_KINDS:
        return _instead_of_hand(case, ruling.hand_no, entry)
    if kind == "end":
        return _forfeit(case, entry)
    return _penalty(case, ruling.clause, entry)


def _penalty(case: _Case, clause: str, entry: Mapping[str, Any]) -> Change[Landed]:
    if entry["kind"] == EntryKind.LEVEL_PENALTY:
        side, levels, why = entry.get("side", ""), entry.get("levels", 0), entry.get("why")
        why = why if isinstance(why, Mapping) else None
        penalty = Penalty(EntryKind.LEVEL_PENALTY, side, levels, case.told, clause, why)
    else:
        amount = entry.get("levels", entry.get("points", 0))
        penalty = Penalty(EntryKind.PENALTY, entry.get("place", ""), amount, case.told, clause)
    change = penalised(case.ledger, case.admitted, case.at, penalty, case.ledger.sitting.revision)
    return _which(change, Landed(change.answer))


def _end_for_standings(case: _Case, entry: Mapping[str, Any]) -> Change[Landed]:
    """Who is excluded forfeits the match not over yet, or the table; so do both sides whose match is set to the same
    points."""
    match, sides = case.ledger.match, set(entry["sides"])
    if match.outcome != MatchOutcome.PENDING:
        return case.nothing()
    if match.individual:
        (place,) = entry["sides"] if entry.get("excluded") else (None,)
        return case.nothing() if place is None else case.table_ended({"kind": "end", "reason": "forfeit", "by": place})
    if match.away_id is None:
        return case.nothing()
    if entry.get("excluded"):
        at_home = case.ledger.sitting.home_side in sides
        return case.ended(MatchOutcome.HOME_FORFEIT if at_home else MatchOutcome.AWAY_FORFEIT)
    if entry["mode"] == "set" and "scores" not in entry and sides == set(Side):
        return case.ended(MatchOutcome.DOUBLE_FORFEIT)
    return case.nothing()


def _forfeit(case: _Case, entry: Mapping[str, Any]) -> Change[Landed]:
    side = entry.get("by")
    if entry.get("reason") != "forfeit" or side not in parties_of(case.ledger.profile):
        raise _bad_penalty()
    if case.ledger.match.individual:
        return case.table_ended(entry)
    at_home = side == case.ledger.sitting.home_side
    return case.ended(MatchOutcome.HOME_FORFEIT if at_home else MatchOutcome.AWAY_FORFEIT)


def _on_sheet(case: _Case, hand_no: int | None, entry: Mapping[str, Any]) -> Change[Landed]:
    """Add points or a failed throw to the sheet of the hand; a failed throw that stands there is not doubled."""
    row = hand_at(case.ledger, hand_no)
    if row is None:
        raise refusal("hand_not_recorded", field="penalty")
    facts = dict(row.facts)
    for name, rows in entry.items():
        known = facts.get(name, [])
        facts[name] = [*known, *(one for one in rows if name == "adjustments" or one not in known)]
    return case.nothing() if facts == row.facts else case.corrected(row, facts)


def _instead_of_hand(case: _Case, hand_no: int | None, entry: Mapping[str, Any]) -> Change[Landed]:
    """The ruling's result takes the place of the hand: recorded, waiting for an answer, or not entered yet."""
    ledger, row = case.ledger, hand_at(case.ledger, hand_no)
    if row is not None:
        return case.corrected(row, entry)
    how: dict[str, Any] = {"facts": entry, "number": hand_no or ledger.sitting.hand_no, "reason": case.told}
    if ledger.pending:
        change = settle(ledger, case.admitted, case.at, expected_revision=ledger.sitting.revision, **how)
    else:
        change = enter(ledger, case.admitted, case.at, basis=Basis.RULING, **how)
    return _which(change, Landed(change.answer.entry))


def undo(
    ledger: Ledger, admitted: Admitted, at: datetime, ruling: Ruling, reason: str, treatment: str
) -> Change[Landed]:
    """What takes back what the decision did to the record: a counter-entry, or the hand as it was, or the match goes
    on.

    Where an official has corrected the hand since, or nothing was written, there is nothing to take back.
    """
    case = _case(ledger, admitted, at, reason, treatment)
    penalty: Mapping[str, Any] = ruling.penalty or {"unit": "none"}
    act = ruling.acts.get(step="decide")
    if act.correction is not None and act.correction.status == Correction.Status.PROPOSED:
        change = correction_refused(ledger, admitted, at, act.correction, case.told)
        return _which(change, Landed(correction=act.correction))
    if act.forfeited:
        return _go_on(case)
    row = act.entry if act.correction is None else _row_of(ledger, act.correction)
    if row is not None and ON[penalty["unit"]] == "sheet":
        return _off_sheet(case, penalty["entry"], row.position)
    if row is None or not any(one.pk == row.pk for one in ledger.effective):
        return case.nothing()
    if row.kind in (EntryKind.LEVEL_PENALTY, EntryKind.PENALTY):
        return _give_back(case, row)
    before = [one for one in ledger.rows if one.position == row.position and one.version < row.version]
    counted = [one for one in before if one.status == EntryStatus.SUPERSEDED]
    if not counted:
        raise refusal("restore_by_hand", current={"entry": row.pk})
    return case.corrected(row, counted[-1].facts)


def _off_sheet(case: _Case, put_on: Mapping[str, Any], position: int) -> Change[Landed]:
    """Take what the ruling put on the sheet off again, whatever else was corrected on it since."""
    row = next((one for one in case.ledger.effective if one.position == position), None)
    if row is None:
        return case.nothing()
    facts = dict(row.facts)
    for name, written in put_on.items():
        left = list(facts.get(name, []))
        for one in written:
            if one in left:
                left.remove(one)
        facts[name] = left
    facts = {name: value for name, value in facts.items() if value != []}
    return case.nothing() if facts == row.facts else case.corrected(row, facts)


def _row_of(ledger: Ledger, correction: Correction) -> LedgerEntry | None:
    """The version that an approved correction wrote, while it counts."""
    if correction.status != Correction.Status.APPLIED:
        return None
    position = ledger.row(correction.entry_id).position
    return next(
        (row for row in ledger.effective if row.position == position and row.facts == correction.facts),
        None,
    )


def _go_on(case: _Case) -> Change[Landed]:
    ledger = case.ledger
    if not any(row.kind == EntryKind.END for row in ledger.effective) and not ruled_on_match(ledger):
        return case.nothing()
    change = reopened(ledger, case.admitted, case.at, ledger.sitting.revision, case.told, overturned=True)
    return _which(change, Landed(change.answer.entry))


def _give_back(case: _Case, row: LedgerEntry) -> Change[Landed]:
    """A counter-entry of what the penalty really moved: less than it says where the ladder stopped it.

    Before an end that an official entered: the end is entered again after it. Nothing where nothing moved, or where the
    match was over before anything could be given back.
    """
    ledger, actor, at = case.ledger, case.admitted.actor, case.at
    state = ledger.fold()
    counter = _counter(ledger, row, state)
    end = next((one for one in ledger.effective if one.kind == EntryKind.END), None)
    if counter is None or (state.finished and end is None):
        return case.nothing()
    entry = by_ruling(ledger, actor, at, EntryKind(counter.kind), counter.to_json(), case.told)
    writes: list[Write] = [Add(entry)]
    if end is not None:
        again = by_ruling(ledger.after(*writes), actor, at, EntryKind.END, end.facts, end.reason or case.told)
        writes = [moved(end, EntryStatus.SUPERSEDED), *writes, Add(again)]
    # a match that was over may go on now; where the new fold says that it is over, it is finished again
    over = ledger.sitting.phase == SittingPhase.FINISHED
    phase = SittingPhase.PLAYING if over else SittingPhase(ledger.sitting.phase)
    then = after(ledger, writes, at=at, phase=phase, counts=True)
    line = Line(Act.PENALISE, ("entry", entry), case.told, row.facts, entry.facts, ledger.sitting)
    return change_at(ledger, case.admitted, Landed(entry), then, [line], moved=True)


_TAKEN_BACK = {"en": "gets a penalty back", "zh": "处罚被撤销"}


def _counter(ledger: Ledger, row: LedgerEntry, state: State) -> LevelPenalty | PlacePenalty | None:
    """The entry that undoes a penalty: as many levels as it moved, or its points; None where it moved nothing."""
    entry: Entry = ledger.read(row)
    places = [place for place, _ in ledger.placed()]
    results = dict(zip(places, state.entries, strict=False))
    result = results.get(row.position)
    if result is None:
        return None
    if isinstance(entry, PlacePenalty):
        if entry.points is not None:
            return replace(entry, points=-entry.points, why=_TAKEN_BACK)
        levels = _levels_moved(ledger, result, entry.place)
        return replace(entry, levels=-levels, why=_TAKEN_BACK) if levels else None
    assert isinstance(entry, LevelPenalty)
    assert not isinstance(state, IndividualState)
    # where hands are fixed it counted in hand points, all of it
    levels = entry.levels if state.fixed else _levels_moved(ledger, result, entry.side)
    return LevelPenalty(Side(entry.side), -levels, _TAKEN_BACK) if levels else None


def _levels_moved(ledger: Ledger, result: Any, party: Any) -> int:
    index = ledger.profile.ladder.index
    return int(index(result.after.levels[party]) - index(result.before.levels[party]))
