"""Rulings at a sitting: a penalty, the end at time, a forfeit, and taking back an end that was no end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal

from scoring.hands.entries import End
from scoring.individual.entries import plays_levels
from scoring.individual.states import IndividualState
from scoring.profiles import Profile
from scoring.sittings.states import SittingState
from scoring.values import Side

from ..acts.access import Act
from ..acts.admission import Actor, Admitted
from ..acts.change import Add, Change, Line, Told, Write, carry_out
from ..acts.errors import BAD_REQUEST, NotFound, RoundClosed, clean_text
from ..acts.schedule import offences_by_clause
from ..boards.reads import marks_of, room_of
from ..models import (
    Basis,
    EntryKind,
    EntryStatus,
    LedgerEntry,
    Match,
    MatchOutcome,
    RoundStatus,
    SideChoice,
    Sitting,
    SittingPhase,
    TieRule,
)
from ..sittings.games import Entry, two_sides
from ..sittings.ledgers import Ledger, as_moved, open_ledger
from ..sittings.next_games import later_games, plays_games
from ..sittings.next_state import NextState
from ..sittings.results import (
    FORFEITS,
    board_match,
    decided_by_lot,
    field_writes,
    hold_scores,
    match_result,
    result_writes,
    ruled_on_match,
    unplayed_result,
)
from .acting import act_on, after, change_at, moved
from .calls import disputes_closed
from .ending import refuse_while_a_hand_is_due
from .judging import (
    MatchOver,
    SittingReplaced,
    admit,
    findings_on,
    read_facts,
    refusal,
    refuse_if_blocked,
    refuse_unless_current,
    refuse_unless_running,
    refuse_while_pending,
)

REASON_LIMIT = 300
CLAUSE_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Ruled:
    """The answer to a ruling: its ledger entry (None for a forfeit ruled on the match itself) and the sitting."""

    entry: LedgerEntry | None
    sitting: Sitting | None
    match: Match
    revision: int


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a ruling takes from (negative `amount`) or gives to one party at the table, after the hand before.

    Of a side (`level_penalty`) it is levels, never below the first one; of a player of an individual game (`penalty`)
    levels where the game keeps them, else points. `clause` is one of the event's rules or of its penalty schedule.
    `why` is the reason in both languages, for the sentence of the record; without it the offence of the schedule, else
    the reason as written.
    """

    kind: Literal[EntryKind.LEVEL_PENALTY, EntryKind.PENALTY]
    party: str
    amount: int
    reason: str
    clause: str
    why: Mapping[str, str] | None = None

    def facts(self, profile: Profile, said: str | dict[str, str]) -> dict[str, Any]:
        """The entry of the record, with the reason that its sentence says."""
        if self.kind == EntryKind.LEVEL_PENALTY:
            return {"kind": str(self.kind), "side": self.party, "levels": self.amount, "why": said}
        measure = "levels" if plays_levels(profile) else "points"
        return {"kind": str(self.kind), "place": self.party, measure: self.amount, "why": said}


def penalised(
    ledger: Ledger, admitted: Admitted, at: datetime, penalty: Penalty, expected_revision: int | None
) -> Change[LedgerEntry]:
    """A penalty is written to the record; the ruling that it belongs to is part of the same change."""
    reason = clean_text(penalty.reason, "reason", limit=REASON_LIMIT, required=True)
    clause = clean_text(penalty.clause, "clause", limit=CLAUSE_LIMIT)
    refuse_unless_running(ledger)
    refuse_unless_current(ledger, expected_revision)
    if ledger.sitting.phase == SittingPhase.FINISHED:
        raise MatchOver()
    if penalty.kind == EntryKind.LEVEL_PENALTY and ledger.sitting.boards is not None:
        raise refusal("no_levels_on_boards")
    offence = _offence_cited(ledger, clause)
    said = dict(penalty.why) if penalty.why is not None else offence or reason
    entry = read_facts(ledger.profile, penalty.facts(ledger.profile, said))
    row = _row(ledger, admitted.actor, at, entry, reason)
    then = after(ledger, [Add(row)], at=at, phase=SittingPhase(ledger.sitting.phase), counts=True)
    line = Line(Act.PENALISE, ("entry", row), reason, new={**row.facts, "clause": clause}, sitting=ledger.sitting)
    return change_at(ledger, admitted, row, then, [line], moved=True)


def _offence_cited(ledger: Ledger, clause: str) -> dict[str, str] | None:
    """The offence in both languages that a clause of the penalty schedule is about; None for a clause of the rules.

    Refused (`clause_required`) unless the clause is in force in the event, or a ruling of the event rests on it.
    """
    offences = offences_by_clause(ledger.tournament)
    if clause in offences:
        return dict(offences[clause].title)
    if clause not in ledger.profile.clauses and not ledger.tournament.rulings.filter(clause=clause).exists():
        raise refusal(
            "clause_required",
            "A penalty must cite a clause.",
            "处罚要写明依据哪一条。",
            status=BAD_REQUEST,
            field="clause",
        )
    return None


def end_sitting(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    reason: str,
    by: str | None = None,
    why: str = "",
    award: int | None = None,
) -> Ruled:
    """End a sitting: `time`, `hands`, `lead`, or `forfeit` of the side `by`; a table of single players by `ruling`, or
    because the player `by` has `left` or forfeits, perhaps with an `award` for each of the others. No hand may wait for
    an answer."""
    why = clean_text(why, "why", limit=REASON_LIMIT)
    facts: dict[str, Any] = {"kind": "end", "reason": reason}
    facts |= ({"by": by} if by is not None else {}) | ({"why": why} if why else {})
    facts |= {} if award is None else {"award": award}

    def decide(ledger: Ledger, admitted: Admitted) -> Change[Ruled]:
        _refuse_unless_endable(actor, ledger)
        refuse_unless_current(ledger, expected_revision)
        if ledger.sitting.phase == SittingPhase.FINISHED:
            raise MatchOver()
        refuse_while_pending(ledger)
        if reason == "forfeit" and ledger.sitting.boards is not None:
            raise refusal("forfeit_of_rooms")
        entry = read_facts(ledger.profile, facts)
        return _ruled(ledger, admitted, at, Act.END_SITTING, entry, why)

    return act_on(sitting_id, Act.FORFEIT if reason == "forfeit" else Act.END_SITTING, actor, at, decide)


def reopen_sitting(*, sitting_id: int, actor: Actor, at: datetime, expected_revision: int | None, reason: str) -> Ruled:
    """Take back an end or a forfeit that was ruled by mistake; the sitting goes on where it stood."""
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)

    def decide(ledger: Ledger, admitted: Admitted) -> Change[Ruled]:
        return reopened(ledger, admitted, at, expected_revision, reason)

    return act_on(sitting_id, Act.REOPEN_SITTING, actor, at, decide)


def reopened(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    expected_revision: int | None,
    reason: str,
    *,
    overturned: bool = False,
) -> Change[Ruled]:
    """The end is taken back. `overturned`: the ruling itself was taken back, which may be in a closed round. Nobody
    plays on in one: the chief referee ends the match with what was played, or rules on it."""
    if overturned and ledger.round.status == RoundStatus.CLOSED and ledger.sitting.active:
        pass
    elif plays_games(ledger) and ledger.match.superseded_in_id is None:
        _refuse_after_later_games(ledger)
    elif ledger.round.status != RoundStatus.PUBLISHED:
        refuse_unless_running(ledger)
    refuse_unless_current(ledger, expected_revision)
    end = next((row for row in ledger.effective if row.kind == EntryKind.END), None)
    if end is None and not ruled_on_match(ledger):
        raise refusal("not_ended")
    taken_back = [] if end is None else [moved(end, EntryStatus.SUPERSEDED)]
    rooms = [(room, two_sides(room.fold())) for room in other_rooms(ledger)] if end is None else []
    others = [room_of(room.sitting, state, marks_of(room.sitting)) for room, state in rooms] or None
    then = after(ledger, taken_back, at=at, phase=SittingPhase.PLAYING, counts=True, lifted=True, others=others)
    for room, state in rooms:
        phase = SittingPhase.FINISHED if state.finished else SittingPhase.PLAYING
        then = _with_room(then, room, after(room, [], at=at, phase=phase, counts=False))
    return _close(ledger, admitted, Act.REOPEN_SITTING, end, reason, {}, then)


def _refuse_after_later_games(ledger: Ledger) -> None:
    """An earlier game goes on only while nothing is recorded in a later one."""
    if ledger.round.status not in (RoundStatus.PUBLISHED, RoundStatus.RUNNING):
        raise RoundClosed(ledger.round.number, started=ledger.round.status == RoundStatus.CLOSED)
    begun = later_games(ledger)
    if begun:
        number = begun[0].game
        raise refusal(
            "later_game_begun",
            f"Game {number} has begun; correct a hand of this game instead.",
            f"第 {number} 局已经开始，请改为更正本局的某一副。",
        )


def forfeit(*, match_id: int, actor: Actor, at: datetime, outcome: str, reason: str) -> Ruled:
    """Rule a match lost by absence: home_forfeit, away_forfeit or double_forfeit, begun or not.

    While its sitting is being played one side's forfeit is an entry of the ledger; otherwise it is ruled on the match.
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)
    if outcome not in FORFEITS:
        raise refusal(
            "unknown_outcome",
            "A forfeit is of the home side, the away side or both.",
            "弃权方须是主队、客队或双方。",
            status=BAD_REQUEST,
            field="outcome",
        )

    def decide() -> Change[Ruled]:
        ledger = ledger_of_match(match_id)
        return forfeited(ledger, admit(actor, Act.FORFEIT, ledger), at, MatchOutcome(outcome), reason)

    return carry_out(decide, actor, at)


def forfeited(ledger: Ledger, admitted: Admitted, at: datetime, outcome: MatchOutcome, reason: str) -> Change[Ruled]:
    """The match is lost by absence; `ledger` is that of its sitting that is played (`ledger_of_match`)."""
    actor = admitted.actor
    if ledger.match.individual:
        raise refusal(
            "single_players",
            "Single players do not forfeit a match; end the table instead.",
            "个人赛没有弃权，请提前结束本桌。",
            status=BAD_REQUEST,
            field="outcome",
        )
    if ledger.match.superseded_in_id is not None:
        raise SittingReplaced()
    if ledger.round.status == RoundStatus.DRAFT:
        raise RoundClosed(ledger.round.number, started=False)
    running = ledger.round.status == RoundStatus.RUNNING and ledger.sitting.phase != SittingPhase.FINISHED
    # an entry would give up one game of several; that is the end of its sitting, by forfeit
    running = running and not plays_games(ledger) and ledger.sitting.boards is None
    if running and outcome != MatchOutcome.DOUBLE_FORFEIT:
        side = "NS" if outcome == MatchOutcome.HOME_FORFEIT else "EW"
        entry = read_facts(ledger.profile, {"kind": "end", "reason": "forfeit", "by": side, "why": reason})
        return _ruled(ledger, admitted, at, Act.FORFEIT, entry, reason, _overruled(ledger, actor, at))
    then = given_up(ledger, actor, at, outcome)
    return _close(ledger, admitted, Act.FORFEIT, None, reason, {"outcome": str(outcome)}, then)


def table_forfeited(
    ledger: Ledger, admitted: Admitted, at: datetime, facts: Mapping[str, Any], reason: str
) -> Change[Ruled]:
    """One of several single players is absent or has to forfeit: the table ends, what the others have stays."""
    if ledger.match.superseded_in_id is not None:
        raise SittingReplaced()
    if ledger.round.status not in (RoundStatus.PUBLISHED, RoundStatus.RUNNING):
        raise RoundClosed(ledger.round.number, started=ledger.round.status == RoundStatus.CLOSED)
    if ledger.sitting.phase == SittingPhase.FINISHED:
        raise MatchOver()
    entry = read_facts(ledger.profile, facts)
    return _ruled(ledger, admitted, at, Act.FORFEIT, entry, reason, _overruled(ledger, admitted.actor, at))


def decide_by_lot(*, match_id: int, actor: Actor, at: datetime, reason: str, winner_side: str | None = None) -> Ruled:
    """Decide a match that ended level and that its tie rule leaves open.

    The winner comes from the event's lots, committed before play; `winner_side` records a draw made by hand (or the
    winner of one more hand) instead, and `reason` says which.
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)
    if winner_side is not None and winner_side not in SideChoice.values:
        raise refusal(
            "unknown_side", "A side is NS or EW.", "一方须是南北方或东西方。", status=BAD_REQUEST, field="winner_side"
        )

    def decide() -> Change[Ruled]:
        ledger = ledger_of_match(match_id)
        admitted = admit(actor, Act.DECIDE_BY_LOT, ledger)
        state = ledger.fold()
        if (
            isinstance(state, IndividualState)
            or not left_open(ledger, state)
            or ledger.match.outcome != MatchOutcome.PENDING
        ):
            raise refusal("nothing_left_open")
        winner = Side(winner_side) if winner_side is not None else lot_of(ledger)
        drawn: dict[str, Any] = {}
        if plays_games(ledger):
            # what was drawn is of this game: the match is as its games then come out
            drawn = {"decided_side": str(winner)}
            ledger = replace(ledger, sitting=as_moved(ledger.sitting, drawn))
            result = match_result(ledger, state)
        else:
            result = decided_by_lot(ledger, state, winner)
        decided = tuple(result_writes(ledger.match, result, at=at))
        then = after(ledger, [], at=at, phase=SittingPhase.FINISHED, counts=False, result=decided, more=drawn)
        new = {"winner_side": str(winner), "drawn": "by_hand" if winner_side is not None else "lots"}
        return _close(ledger, admitted, Act.DECIDE_BY_LOT, None, reason, new, then)

    return carry_out(decide, actor, at)


def left_open(ledger: Ledger, state: SittingState) -> bool:
    """Whether the match is played and its tie rule names nobody."""
    if ledger.sitting.boards is None:
        return state.undecided is not None
    boards = board_match(ledger, state)
    return boards.complete and boards.home == boards.away == 0 and ledger.stage.tie_rule != TieRule.DRAW


def lot_of(ledger: Ledger) -> Side:
    """The side that the event's committed seed draws for this match: SHA-256, first byte, even is N–S."""
    text = f"{ledger.tournament.lot_seed}:round {ledger.round.number}:match {ledger.match.number}"
    if plays_games(ledger):
        text += f":game {ledger.sitting.game}"
    return Side.EW if sha256(text.encode()).digest()[0] % 2 else Side.NS


def _refuse_unless_endable(actor: Actor, ledger: Ledger) -> None:
    """While the round runs; in a closed one only a correction leaves a match open, and the chief referee ends it."""
    if ledger.round.status == RoundStatus.CLOSED and ledger.sitting.active:
        admit(actor, Act.PROPOSE_CORRECTION, ledger)
        return
    refuse_unless_running(ledger)


def _ruled(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    act: Act,
    entry: Entry,
    reason: str,
    before: Iterable[Write] = (),
) -> Change[Ruled]:
    """An official's entry at the end of the ledger, after the writes `before` it."""
    row = _row(ledger, admitted.actor, at, entry, reason)
    then = after(ledger, [*before, Add(row)], at=at, phase=SittingPhase.PLAYING, counts=True)
    return _close(ledger, admitted, act, row, reason, row.facts, then)


def _row(ledger: Ledger, actor: Actor, at: datetime, entry: Entry, reason: str) -> LedgerEntry:
    """An official's entry for the end of the ledger; refused where it cannot stand there."""
    refuse_if_blocked(ledger, entry, findings_on(ledger, ledger.fold(), entry))
    if isinstance(entry, End) and entry.reason != "forfeit":
        refuse_while_a_hand_is_due(ledger, entry)
    return by_ruling(ledger, actor, at, EntryKind(entry.kind), entry.to_json(), reason)


def by_ruling(
    ledger: Ledger, actor: Actor, at: datetime, kind: EntryKind, facts: Mapping[str, Any], reason: str
) -> LedgerEntry:
    """A row at the end of the ledger that rests on a ruling."""
    return ledger.entry(
        position=ledger.next_position,
        version=1,
        kind=kind,
        facts=facts,
        status=EntryStatus.EFFECTIVE,
        entered_by=actor.user,
        entered_at=at,
        basis=Basis.RULING,
        reason=reason,
    )


def _overruled(ledger: Ledger, actor: Actor, at: datetime) -> list[Write]:
    """Claims that wait are overruled, and nobody waits for a referee because of them."""
    claims = [moved(claim, EntryStatus.OVERRULED) for claim in ledger.pending]
    return [*claims, disputes_closed(ledger, actor, at)]


def given_up(ledger: Ledger, actor: Actor, at: datetime, outcome: MatchOutcome) -> NextState:
    """A match lost by absence is over in both its rooms; a pair that did is compared with nobody."""
    hold_scores(ledger)
    rooms = other_rooms(ledger)
    result = result_writes(ledger.match, unplayed_result(ledger.stage, outcome), at=at) + field_writes(ledger, None)
    phase = SittingPhase.FINISHED
    then = after(ledger, _overruled(ledger, actor, at), at=at, phase=phase, counts=False, result=tuple(result))
    for room in rooms:
        then = _with_room(then, room, after(room, _overruled(room, actor, at), at=at, phase=phase, counts=False))
    return then


def _with_room(then: NextState, room: Ledger, state: NextState) -> NextState:
    """The same with what becomes of another room of the match."""
    told = Told("sitting", room.sitting.pk, state.revision, public=True)
    moves = then.moves_standings or state.moves_standings
    return NextState((*then.writes, *state.writes), (*then.told, *state.told, told), then.revision, moves)


def other_rooms(ledger: Ledger) -> list[Ledger]:
    """The ledgers of the other rooms of a match on boards, held until the transaction ends."""
    if ledger.sitting.boards is None:
        return []
    rooms = Sitting.objects.filter(match=ledger.match, active=True, boards__isnull=False).exclude(pk=ledger.sitting.pk)
    return [open_ledger(pk, lock=True) for pk in rooms.order_by("pk").values_list("pk", flat=True)]


def ledger_of_match(match_id: int) -> Ledger:
    try:
        sittings = Sitting.objects.filter(match=match_id).order_by("-active", "pk")
        sitting_id = sittings.values_list("pk", flat=True)[:1].get()
    except (Sitting.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    return open_ledger(sitting_id, lock=True)


def _close(
    ledger: Ledger,
    admitted: Admitted,
    act: Act,
    row: LedgerEntry | None,
    reason: str,
    new: dict[str, Any],
    then: NextState,
) -> Change[Ruled]:
    named = ("match", ledger.match) if row is None else ("entry", row)
    line = Line(act, named, reason, new=new, sitting=ledger.sitting)
    ruled = Ruled(row, ledger.sitting, ledger.match, then.revision)
    return change_at(ledger, admitted, ruled, then, [line], moved=True)
