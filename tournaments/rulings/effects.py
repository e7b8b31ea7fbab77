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
from scoring.penalties.schedule import standings_points
from scoring.values import Side

from ..acts.access import Act, Admitted
from ..acts.change import Add, Change, Line, Write, in_turn
from ..acts.errors import BAD_REQUEST, clean_text
from ..ledger.acting import after, change_at, moved
from ..ledger.corrections import Corrected, corrected, correction_refused
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
)
from ..models import Basis, Correction, EntryKind, EntryStatus, LedgerEntry, MatchOutcome, Ruling, SittingPhase
from ..sittings.games import Entry, State
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
    entry = penalty.get("entry") if penalty is not None else None
    where = "nothing" if penalty is None else ON[penalty["unit"]]
    if entry is None or where == "nothing":
        return Change(admitted, Landed())
    told = _reason(ruling.verdict["en" if ledger.tournament.language == "en" else "zh"])
    if where == "standings":
        return _end_for_standings(ledger, admitted, at, entry, told)
    if where == "sheet":
        return _on_sheet(ledger, admitted, at, ruling, entry, told, treatment)
    kind = entry["kind"]
    if kind in HAND_KINDS:
        return _instead_of_hand(ledger, admitted, at, ruling, entry, told, treatment)
    if kind == "end":
        return _forfeit(ledger, admitted, at, entry, told)
    return _penalty(ledger, admitted, at, ruling, entry, told)


def _reason(told: str) -> str:
    """What was said of a ruling, as the reason of an entry."""
    return clean_text(told[:REASON_LIMIT], "reason", limit=REASON_LIMIT, required=True)


def _penalty(
    ledger: Ledger, admitted: Admitted, at: datetime, ruling: Ruling, entry: Mapping[str, Any], told: str
) -> Change[Landed]:
    if entry["kind"] == EntryKind.LEVEL_PENALTY:
        side, levels, why = entry.get("side", ""), entry.get("levels", 0), entry.get("why")
        why = why if isinstance(why, Mapping) else None
        penalty = Penalty(EntryKind.LEVEL_PENALTY, side, levels, told, ruling.clause, why)
    else:
        amount = entry.get("levels", entry.get("points", 0))
        penalty = Penalty(EntryKind.PENALTY, entry.get("place", ""), amount, told, ruling.clause)
    written = penalised(ledger, admitted, at, penalty, ledger.sitting.revision)
    return _which(written, Landed(written.answer))


def _end_for_standings(
    ledger: Ledger, admitted: Admitted, at: datetime, entry: Mapping[str, Any], told: str
) -> Change[Landed]:
    """Who is excluded forfeits the match not over yet; so do both sides whose match is set to the same points."""
    match, sides = ledger.match, set(entry["sides"])
    if match.individual or match.away_id is None or match.outcome != MatchOutcome.PENDING:
        return Change(admitted, Landed())
    if entry.get("excluded"):
        outcome = MatchOutcome.HOME_FORFEIT if ledger.sitting.home_side in sides else MatchOutcome.AWAY_FORFEIT
    elif entry["mode"] == "set" and "scores" not in entry and sides == set(Side):
        outcome = MatchOutcome.DOUBLE_FORFEIT
    else:
        return Change(admitted, Landed())
    return _ended(ledger, admitted, at, outcome, told)


def _forfeit(ledger: Ledger, admitted: Admitted, at: datetime, entry: Mapping[str, Any], told: str) -> Change[Landed]:
    side = entry.get("by")
    if entry.get("reason") != "forfeit" or side not in ("NS", "EW"):
        raise _bad_penalty()
    outcome = MatchOutcome.HOME_FORFEIT if side == ledger.sitting.home_side else MatchOutcome.AWAY_FORFEIT
    return _ended(ledger, admitted, at, outcome, told)


def _ended(ledger: Ledger, admitted: Admitted, at: datetime, outcome: MatchOutcome, told: str) -> Change[Landed]:
    # a match of several rooms or games ends where it is played now, whichever table the ruling is about
    ended = forfeited(ledger_of_match(ledger.match.pk), admitted, at, outcome, told)
    return _which(ended, Landed(ended.answer.entry, forfeited=True))


def _on_sheet(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    ruling: Ruling,
    entry: Mapping[str, Any],
    told: str,
    treatment: str,
) -> Change[Landed]:
    """Add points or a failed throw to the sheet of the hand; a failed throw that stands there is not doubled."""
    row = hand_at(ledger, ruling.hand_no)
    if row is None:
        raise refusal("hand_not_recorded", field="penalty")
    facts = dict(row.facts)
    for name, rows in entry.items():
        known = facts.get(name, [])
        facts[name] = [*known, *(one for one in rows if name == "adjustments" or one not in known)]
    return _correct(ledger, admitted, at, row, facts, told, treatment)


def _instead_of_hand(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    ruling: Ruling,
    entry: Mapping[str, Any],
    told: str,
    treatment: str,
) -> Change[Landed]:
    """The ruling's result takes the place of the hand: recorded, waiting for an answer, or not entered yet."""
    row = hand_at(ledger, ruling.hand_no)
    if row is not None:
        return _as_landed(corrected(ledger, admitted, at, row, facts=entry, reason=told, treatment=treatment))
    number, revision = ruling.hand_no or ledger.sitting.hand_no, ledger.sitting.revision
    if ledger.pending:
        done = settle(ledger, admitted, at, expected_revision=revision, facts=entry, number=number, reason=told)
    else:
        done = enter(ledger, admitted, at, facts=entry, number=number, basis=Basis.RULING, reason=told)
    return _which(done, Landed(done.answer.entry))


def _correct(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    row: LedgerEntry,
    facts: Mapping[str, Any],
    told: str,
    treatment: str,
) -> Change[Landed]:
    """The sheet of a hand is corrected to these facts, where they are others."""
    if facts == row.facts:
        return Change(admitted, Landed())
    return _as_landed(corrected(ledger, admitted, at, row, facts=facts, reason=told, treatment=treatment))


def _which(change: Change[Any], landed: Landed) -> Change[Landed]:
    return in_turn(change, Change(change.admitted, landed))


def _as_landed(change: Change[Corrected]) -> Change[Landed]:
    entry, correction = change.answer.entry, change.answer.correction
    return _which(change, Landed(entry, None if entry is not None else correction))


def undo(
    ledger: Ledger, admitted: Admitted, at: datetime, ruling: Ruling, reason: str, treatment: str
) -> Change[Landed]:
    """What takes back what the decision did to the record: a counter-entry, or the hand as it was, or the match goes
    on.

    Where an official has corrected the hand since, or nothing was written, there is nothing to take back.
    """
    told = _reason(reason)
    penalty: Mapping[str, Any] = ruling.penalty or {"unit": "none"}
    act = ruling.acts.get(step="decide")
    if act.correction is not None and act.correction.status == Correction.Status.PROPOSED:
        withdrawn = correction_refused(ledger, admitted, at, act.correction, told)
        return _which(withdrawn, Landed(correction=act.correction))
    if act.forfeited:
        return _go_on(ledger, admitted, at, told)
    row = act.entry if act.correction is None else _row_of(ledger, act.correction)
    if row is not None and ON[penalty["unit"]] == "sheet":
        return _off_sheet(ledger, admitted, at, penalty["entry"], row.position, told, treatment)
    row = next((one for one in ledger.effective if row is not None and one.pk == row.pk), None)
    if row is None:
        return Change(admitted, Landed())
    if row.kind in (EntryKind.LEVEL_PENALTY, EntryKind.PENALTY):
        return _give_back(ledger, admitted, at, row, told)
    before = [one for one in ledger.rows if one.position == row.position and one.version < row.version]
    counted = [one for one in before if one.status == EntryStatus.SUPERSEDED]
    if not counted:
        raise refusal("restore_by_hand", current={"entry": row.pk})
    facts = counted[-1].facts
    return _as_landed(corrected(ledger, admitted, at, row, facts=facts, reason=told, treatment=treatment))


def _off_sheet(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    put_on: Mapping[str, Any],
    position: int,
    told: str,
    treatment: str,
) -> Change[Landed]:
    """Take what the ruling put on the sheet off again, whatever else was corrected on it since."""
    row = next((one for one in ledger.effective if one.position == position), None)
    if row is None:
        return Change(admitted, Landed())
    facts = dict(row.facts)
    for name, written in put_on.items():
        left = list(facts.get(name, []))
        for one in written:
            if one in left:
                left.remove(one)
        facts[name] = left
    facts = {name: value for name, value in facts.items() if value != []}
    return _correct(ledger, admitted, at, row, facts, told, treatment)


def _row_of(ledger: Ledger, correction: Correction) -> LedgerEntry | None:
    """The version that an approved correction wrote, while it counts."""
    if correction.status != Correction.Status.APPLIED:
        return None
    position = ledger.row(correction.entry_id).position
    return next(
        (row for row in ledger.effective if row.position == position and row.facts == correction.facts),
        None,
    )


def _go_on(ledger: Ledger, admitted: Admitted, at: datetime, told: str) -> Change[Landed]:
    ended = any(row.kind == EntryKind.END for row in ledger.effective)
    if not ended and not ruled_on_match(ledger):
        return Change(admitted, Landed())
    done = reopened(ledger, admitted, at, ledger.sitting.revision, told, overturned=True)
    return _which(done, Landed(done.answer.entry))


def _give_back(ledger: Ledger, admitted: Admitted, at: datetime, row: LedgerEntry, told: str) -> Change[Landed]:
    """A counter-entry of what the penalty really moved: less than it says where the ladder stopped it.

    Before an end that an official entered: the end is entered again after it. Nothing where nothing moved, or where the
    match was over before anything could be given back.
    """
    state = ledger.fold()
    counter = _counter(ledger, row, state)
    end = next((one for one in ledger.effective if one.kind == EntryKind.END), None)
    if counter is None or (state.finished and end is None):
        return Change(admitted, Landed())
    actor = admitted.actor
    entry = by_ruling(ledger, actor, at, EntryKind(counter.kind), counter.to_json(), told)
    writes: list[Write] = [Add(entry)]
    if end is not None:
        again = by_ruling(ledger.after(*writes), actor, at, EntryKind.END, end.facts, end.reason or told)
        writes = [moved(end, EntryStatus.SUPERSEDED), *writes, Add(again)]
    phase = SittingPhase(ledger.sitting.phase)
    phase = SittingPhase.PLAYING if phase == SittingPhase.FINISHED else phase
    then = after(ledger, writes, at=at, phase=phase, counts=True)
    line = Line(Act.PENALISE, ("entry", entry), told, row.facts, entry.facts, ledger.sitting)
    return change_at(ledger, admitted, Landed(entry), then, [line], moved=True)


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
    levels = _levels_moved(ledger, result, entry.side)
    return LevelPenalty(Side(entry.side), -levels, _TAKEN_BACK) if levels else None


def _levels_moved(ledger: Ledger, result: Any, party: Any) -> int:
    index = ledger.profile.ladder.index
    return int(index(result.after.levels[party]) - index(result.before.levels[party]))
