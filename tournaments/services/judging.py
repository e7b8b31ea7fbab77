"""The ledger of a sitting as the kernel judges it: rows read once, entries checked and folded, the result cached.

Used by every act that writes to a ledger. A `Ledger` is opened inside the act's transaction with the sitting's row
locked; what it holds is all the act needs to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from scoring import match_scores, sheets, sittings
from scoring.entries import Adjusted, Annulled, Entry, HandSheet
from scoring.findings import Finding, Refused
from scoring.match_scores import Outcome, Party
from scoring.profiles import Profile
from scoring.sittings import Conditions, EntryResult, Opening, SittingState
from scoring.values import Side

from ..access import Act, Actor, allowed, offices
from ..announce import announce
from ..models import (
    EntryKind,
    EntryStatus,
    LedgerEntry,
    Match,
    MatchOutcome,
    RoundStatus,
    Sitting,
    SittingPhase,
    Stage,
    Tournament,
)
from ..models import Round as RoundRow
from ..queries.sittings import conditions_of
from .errors import BAD_REQUEST, CONFLICT, UNPROCESSABLE, Forbidden, NotFound, NotStated, Refusal, RoundClosed, Stale
from .standings import mark_stale

HAND_KINDS = frozenset({EntryKind.HAND, EntryKind.ANNULLED, EntryKind.ADJUSTED})
FORFEITS = frozenset({MatchOutcome.HOME_FORFEIT, MatchOutcome.AWAY_FORFEIT, MatchOutcome.DOUBLE_FORFEIT})
SIDE_NAMES = {"NS": {"en": "N–S", "zh": "南北"}, "EW": {"en": "E–W", "zh": "东西"}}


class SheetRejected(Refusal):
    """A sheet with blocking findings. 400: the sheet itself is wrong; 422: it contradicts the ledger before it."""

    def __init__(self, findings: Sequence[Finding], *, status: int = BAD_REQUEST) -> None:
        first = next((one for one in findings if one.blocking), findings[0])
        super().__init__(
            first.code, field=first.field, message=first.message, status=status, findings=findings, params=first.params
        )


class MatchOver(Refusal):
    """The sitting is finished; nothing more is played at it."""

    def __init__(self) -> None:
        super().__init__(
            "match_over",
            message={"en": "The match is over; nothing can be added.", "zh": "对局已经结束，不能再录。"},
        )


class SittingReplaced(Refusal):
    """A later pairing replaced this sitting."""

    def __init__(self) -> None:
        super().__init__(
            "sitting_replaced",
            message={"en": "A later pairing replaced this match.", "zh": "这场对局已被新的编排替换。"},
        )


class OwnEntry(Refusal):
    """No party confirms or answers its own entry."""

    def __init__(self, entered_side: str) -> None:
        other = SIDE_NAMES["EW" if entered_side == "NS" else "NS"]
        super().__init__(
            "own_entry",
            message={
                "en": f"Your side entered this hand; {other['en']} must confirm it.",
                "zh": f"这副是你们录的，要由{other['zh']}确认。",
            },
        )


@dataclass(slots=True)
class Ledger:
    """A sitting with everything its judging needs. `rows` are all versions of all entries, by position and version."""

    sitting: Sitting
    match: Match
    rows: list[LedgerEntry]

    @property
    def round(self) -> RoundRow:
        return self.match.round

    @property
    def stage(self) -> Stage:
        return self.match.round.stage

    @property
    def tournament(self) -> Tournament:
        return self.match.round.tournament

    @property
    def profile(self) -> Profile:
        return self.tournament.profile

    @property
    def opening(self) -> Opening:
        return Opening.from_json(self.sitting.opening)

    @property
    def conditions(self) -> Conditions:
        return conditions_of(self.stage)

    @property
    def effective(self) -> list[LedgerEntry]:
        return [row for row in self.rows if row.status == EntryStatus.EFFECTIVE]

    @property
    def waiting(self) -> LedgerEntry | None:
        return next((row for row in self.rows if row.status == EntryStatus.WAITING), None)

    @property
    def contesting(self) -> LedgerEntry | None:
        return next((row for row in self.rows if row.status == EntryStatus.CONTESTING), None)

    @property
    def pending(self) -> list[LedgerEntry]:
        return [row for row in self.rows if row.status in (EntryStatus.WAITING, EntryStatus.CONTESTING)]

    def row(self, entry_id: int) -> LedgerEntry:
        for row in self.rows:
            if row.pk == entry_id:
                return row
        raise NotFound()

    def position_of_hand(self, hand_no: int) -> int:
        """Where a new version of this hand stands: its earlier versions keep its place."""
        for row in self.rows:
            if row.hand_no == hand_no:
                return row.position
        return self.next_position

    @property
    def next_position(self) -> int:
        return max((row.position for row in self.rows), default=0) + 1

    def next_version(self, position: int) -> int:
        return max((row.version for row in self.rows if row.position == position), default=0) + 1

    def next_hand_no(self) -> int:
        numbers = {row.hand_no for row in self.effective if row.hand_no is not None}
        return next(number for number in range(1, len(numbers) + 2) if number not in numbers)

    def read(self, row: LedgerEntry) -> Entry:
        return sheets.read_entry(self.profile, row.facts)

    def placed(self, *, without: int | None = None) -> list[tuple[int, Entry]]:
        """Effective entries with their positions, in order; `without` leaves one position out."""
        return [(row.position, self.read(row)) for row in self.effective if row.position != without]

    def fold(self, *, reasons: bool = False) -> SittingState:
        entries = [entry for _, entry in self.placed()]
        return fold_until_over(self.profile, self.opening, entries, self.conditions, reasons=reasons)[0]

    def fold_before(self, position: int) -> SittingState:
        entries = [entry for place, entry in self.placed() if place < position]
        return fold_until_over(self.profile, self.opening, entries, self.conditions)[0]

    def add(self, **fields: Any) -> LedgerEntry:
        """Insert a row and keep it in `rows`, in order."""
        row = LedgerEntry(tournament=self.tournament, sitting=self.sitting, **fields)
        row.save(force_insert=True)
        self.rows.append(row)
        self.rows.sort(key=lambda one: (one.position, one.version))
        return row

    def move(self, row: LedgerEntry, status: EntryStatus, **fields: Any) -> None:
        """Move a row to another status, with what is written on that occasion."""
        row.status = status
        for name, value in fields.items():
            setattr(row, name, value)
        row.save(update_fields=["status", *fields])


def fold_until_over(
    profile: Profile, opening: Opening, entries: Iterable[Entry], conditions: Conditions, *, reasons: bool = False
) -> tuple[SittingState, int]:
    """The state after the entries up to the end of the match, and how many of them count.

    After a correction a match may be over earlier than it was played; what follows then counts for nothing.
    """
    state, results = sittings.start(opening), []
    for entry in entries:
        if state.finished:
            break
        state, result = sittings.step(profile, conditions, state, entry, reasons=reasons)
        results.append(result)
    return replace(state, entries=tuple(results)), len(results)


def open_ledger(sitting_id: int, *, lock: bool) -> Ledger:
    """The ledger of a sitting; with `lock` its row is held until the transaction ends.

    What the act depends on is read after the lock is held, so that it is what stands when the act is judged.
    """
    rows = Sitting.objects.select_for_update(no_key=True) if lock else Sitting.objects
    try:
        sitting = rows.get(pk=sitting_id)
    except (Sitting.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    match = Match.objects.select_related("round__stage", "round__tournament").get(pk=sitting.match_id)
    sitting.match, sitting.round = match, match.round
    entries = list(LedgerEntry.objects.filter(sitting=sitting.pk).order_by("position", "version"))
    return Ledger(sitting, match, entries)


def open_ledger_of_entry(entry_id: int, *, lock: bool) -> tuple[Ledger, LedgerEntry]:
    """The ledger that holds an entry, and the entry."""
    try:
        sitting_id = LedgerEntry.objects.values_list("sitting_id", flat=True).get(pk=entry_id)
    except (LedgerEntry.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    ledger = open_ledger(sitting_id, lock=lock)
    return ledger, ledger.row(entry_id)


def admit(actor: Actor, act: Act, ledger: Ledger) -> None:
    """Refuse who may not: outsiders learn nothing (`NotFound`), insiders are told (`Forbidden`)."""
    if allowed(actor, act, tournament=ledger.tournament, sitting=ledger.sitting):
        return
    outsider = actor.device is not None and actor.device.sitting_id != ledger.sitting.pk
    if outsider or (actor.user is not None and not offices(actor, ledger.tournament)):
        raise NotFound()
    raise Forbidden()


def refuse_unless_running(ledger: Ledger) -> None:
    """Hands are entered and answered while the round runs, at the sitting that its pairing shows."""
    if not ledger.sitting.active:
        raise SittingReplaced()
    status = ledger.round.status
    if status != RoundStatus.RUNNING:
        raise RoundClosed(ledger.round.number, started=status == RoundStatus.CLOSED)


def refuse_unless_current(ledger: Ledger, expected_revision: int | None) -> None:
    """A write that changes what stands must state the revision it saw, and it must be the newest."""
    if expected_revision is None:
        raise NotStated()
    if type(expected_revision) is not int or expected_revision != ledger.sitting.revision:
        raise Stale(current_of(ledger))


def current_of(ledger: Ledger) -> dict[str, Any]:
    """What a refused writer should look at again."""
    return {
        "sitting": ledger.sitting.pk,
        "revision": ledger.sitting.revision,
        "hand_no": ledger.sitting.hand_no,
        "phase": str(ledger.sitting.phase),
        "pending": [row.pk for row in ledger.pending],
    }


def read_facts(profile: Profile, facts: object) -> Entry:
    """The entry that facts describe; `SheetRejected` with every finding when they cannot be read."""
    try:
        return sheets.read_entry(profile, facts)
    except Refused as refused:
        raise SheetRejected(refused.findings) from None


def as_played(entry: Entry, state: SittingState) -> Entry:
    """The entry with dealer and level written down: where the table left them out, they were as due."""
    if not isinstance(entry, HandSheet | Adjusted | Annulled):
        return entry
    dealer = entry.dealer or state.next_dealer
    if dealer is None:
        return entry
    if isinstance(entry, HandSheet):
        return replace(entry, dealer=dealer, level=entry.level or state.levels[dealer.side])
    return replace(entry, dealer=dealer)


def findings_on(ledger: Ledger, state: SittingState, entry: Entry) -> tuple[Finding, ...]:
    """Every finding on a new entry after `state`."""
    return sittings.check_next(ledger.profile, state, entry, ledger.conditions)


def refuse_if_blocked(ledger: Ledger, entry: Entry, findings: Sequence[Finding]) -> None:
    """Raise `SheetRejected` when a finding blocks the entry."""
    blocking = {one.code for one in findings if one.blocking}
    if not blocking:
        return
    if "match_over" in blocking:
        raise MatchOver()
    own = sheets.check_sheet(ledger.profile, entry) if isinstance(entry, HandSheet) else ()
    itself = blocking & {one.code for one in own}
    raise SheetRejected(findings, status=BAD_REQUEST if itself else UNPROCESSABLE)


def cached_state(state: SittingState) -> dict[str, Any]:
    """What a sitting keeps of its fold: the state without the results of single entries."""
    data = state.to_json()
    del data["entries"]
    return data


def write_sitting(ledger: Ledger, *, at: datetime, phase: SittingPhase, state: SittingState | None = None) -> None:
    """Close an act on the ledger: next revision, phase, and with a new `state` the cached fold and the match's result.

    The last write to the sitting; `finish_act` follows.
    """
    sitting = ledger.sitting
    sitting.revision += 1
    sitting.changed_at = at
    fields = ["revision", "phase", "changed_at"]
    if state is not None:
        over = cache_result(ledger, state, at=at)
        sitting.state = cached_state(state)
        sitting.hand_no = ledger.next_hand_no()
        fields += ["state", "hand_no"]
        if over:
            phase = SittingPhase.FINISHED
    sitting.phase = phase
    sitting.save(update_fields=fields)


def finish_act(ledger: Ledger, *, moved: bool) -> None:
    """Tell open pages after commit; `moved`: standings may have moved. The tournament's row is locked last of all."""
    announce(ledger.tournament.pk, "sitting", ledger.sitting.pk, ledger.sitting.revision)
    if moved:
        mark_stale(ledger.tournament.pk)


def cache_result(ledger: Ledger, state: SittingState, *, at: datetime) -> bool:
    """Write the match's result as the fold gives it; whether the match is over.

    A forfeit ruled on the match itself stays: the ledger does not know of it.
    """
    match = ledger.match
    if ruled_on_match(ledger):
        return True
    result = match_result(ledger, state)
    if result["outcome"] == MatchOutcome.PENDING and match.outcome == MatchOutcome.PENDING:
        return state.finished
    finished_at = None if result["outcome"] == MatchOutcome.PENDING else match.finished_at or at
    for name, value in {**result, "finished_at": finished_at}.items():
        setattr(match, name, value)
    match.save(update_fields=[*result, "finished_at"])
    return state.finished


def ruled_on_match(ledger: Ledger) -> bool:
    """Whether a forfeit was ruled on the match rather than entered in the ledger."""
    return ledger.match.outcome in FORFEITS and ledger.sitting.state.get("end_reason") != "forfeit"


def match_result(ledger: Ledger, state: SittingState) -> dict[str, Any]:
    """The columns of a match's result as the fold gives it; pending while it is not over or lots have to decide."""
    if not state.finished or state.undecided is not None:
        return {
            "outcome": MatchOutcome.PENDING,
            "home_level": "",
            "away_level": "",
            "winner_side": "",
            "decided_by": "",
            "home_hundredths": None,
            "away_hundredths": None,
        }
    if state.decided_by == "forfeit":
        outcome = MatchOutcome.AWAY_FORFEIT if state.winner is Side.NS else MatchOutcome.HOME_FORFEIT
        return unplayed_result(ledger.stage, outcome)
    levels = {side: final_level(state, side) for side in Side}
    by_tie_rule = _party(state.winner) if state.decided_by == "tie_rule" else None
    return played_result(
        ledger, levels, by_tie_rule=by_tie_rule, decided_by=state.decided_by or "", hand_points=hand_points_of(state)
    )


def played_result(
    ledger: Ledger, levels: Mapping[Side, str], *, by_tie_rule: Party | None, decided_by: str, hand_points: int
) -> dict[str, Any]:
    """The columns of a match that was played to these final levels."""
    by_hands = match_scores.SCALES[ledger.stage.match_score].by_hands
    score = match_scores.score(
        ledger.stage.match_score,
        home=levels[Side.NS],
        away=levels[Side.EW],
        by_tie_rule=None if by_hands else by_tie_rule,
        ladder=ledger.profile.ladder,
        hand_points=hand_points if by_hands else None,
    )
    winner = {Party.HOME: Side.NS, Party.AWAY: Side.EW}.get(score.winner) if score.winner is not None else None
    return {
        "outcome": MatchOutcome.PLAYED,
        "home_level": levels[Side.NS],
        "away_level": levels[Side.EW],
        "winner_side": "" if winner is None else str(winner),
        "decided_by": decided_by,
        "home_hundredths": int(score.home * 100),
        "away_hundredths": int(score.away * 100),
    }


def unplayed_result(stage: Stage, outcome: MatchOutcome) -> dict[str, Any]:
    """The columns of a match that a side did not play."""
    score = match_scores.score(stage.match_score, home=None, away=None, outcome=Outcome(str(outcome)))
    winner = {MatchOutcome.HOME_FORFEIT: "EW", MatchOutcome.AWAY_FORFEIT: "NS"}.get(outcome, "")
    return {
        "outcome": outcome,
        "home_level": "",
        "away_level": "",
        "winner_side": winner,
        "decided_by": "forfeit",
        "home_hundredths": int(score.home * 100),
        "away_hundredths": int(score.away * 100),
    }


def final_level(state: SittingState, side: Side) -> str:
    """A side's level at the end: a rank, or "passed"."""
    return match_scores.PASSED if state.passed is side else str(state.levels[side])


def hand_points_of(state: SittingState) -> int:
    """The home side's sum of hand points over the hands that count."""
    return sum(_home_points(result) for result in state.entries if result.winner_role is not None)


def _home_points(result: EntryResult) -> int:
    points = match_scores.hand_points(deal_changes_hands=result.deal_changes_hands, levels=result.levels_won)
    dealing = result.dealer.side if result.dealer is not None else None
    return points if dealing is Side.EW else -points


def _party(side: Side | None) -> Party | None:
    return None if side is None else Party.HOME if side is Side.NS else Party.AWAY


def refusal(code: str, en: str, zh: str, *, status: int = CONFLICT, **more: Any) -> Refusal:
    """A refusal with its own sentence in both languages."""
    return Refusal(code, message={"en": en, "zh": zh}, status=status, **more)
