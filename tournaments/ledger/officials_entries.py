"""Rulings at a sitting: a penalty, the end at time, a forfeit, and taking back an end that was no end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal

from django.db import transaction

from scoring.hands.entries import End
from scoring.individual.entries import plays_levels
from scoring.individual.states import IndividualState
from scoring.profiles import Profile
from scoring.sittings.states import SittingState
from scoring.values import Side

from ..acts.access import Act, Actor
from ..acts.announce import announce
from ..acts.change import write
from ..acts.errors import BAD_REQUEST, NotFound, RoundClosed, clean_text
from ..acts.schedule import offences_by_clause
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
from ..sittings.games import Entry, State
from ..sittings.ledgers import Ledger, open_ledger
from ..sittings.next_games import later_games, plays_games
from ..sittings.results import (
    FORFEITS,
    board_match,
    decided_by_lot,
    field_writes,
    hold_scores,
    match_result,
    place_results,
    result_writes,
    ruled_on_match,
    unplayed_result,
)
from .calls import close_disputes
from .ending import refuse_while_a_hand_is_due
from .judging import (
    MatchOver,
    SittingReplaced,
    admit,
    findings_on,
    finish_act,
    note,
    read_facts,
    refusal,
    refuse_if_blocked,
    refuse_unless_current,
    refuse_unless_running,
    refuse_while_pending,
    write_sitting,
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


def write_penalty(
    penalty: Penalty, *, sitting_id: int, actor: Actor, at: datetime, expected_revision: int | None
) -> LedgerEntry:
    """Write a penalty to the record, in the transaction of the ruling that it belongs to, which the caller keeps."""
    reason = clean_text(penalty.reason, "reason", limit=REASON_LIMIT, required=True)
    clause = clean_text(penalty.clause, "clause", limit=CLAUSE_LIMIT)
    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.PENALISE, ledger)
    refuse_unless_running(ledger)
    refuse_unless_current(ledger, expected_revision)
    if ledger.sitting.phase == SittingPhase.FINISHED:
        raise MatchOver()
    if penalty.kind == EntryKind.LEVEL_PENALTY and ledger.sitting.boards is not None:
        raise refusal("no_levels_on_boards")
    offence = _offence_cited(ledger, clause)
    said = dict(penalty.why) if penalty.why is not None else offence or reason
    entry = read_facts(ledger.profile, penalty.facts(ledger.profile, said))
    row = _add(ledger, actor, at, entry, reason, SittingPhase(ledger.sitting.phase))
    new = {**row.facts, "clause": clause}
    note(ledger, actor, at, Act.PENALISE, f"entry:{row.pk}", reason=reason, new=new)
    finish_act(ledger, moved=True)
    return row


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


@transaction.atomic
def end_sitting(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    reason: str,
    by: str | None = None,
    why: str = "",
) -> Ruled:
    """End a sitting: `time`, `hands`, `lead`, or `forfeit` of the side `by`; a table of single players by `ruling`, or
    because the player `by` has `left`. No hand may wait for an answer."""
    why = clean_text(why, "why", limit=REASON_LIMIT)
    facts: dict[str, Any] = {"kind": "end", "reason": reason}
    facts |= ({"by": by} if by is not None else {}) | ({"why": why} if why else {})

    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.FORFEIT if reason == "forfeit" else Act.END_SITTING, ledger)
    _refuse_unless_endable(actor, ledger)
    refuse_unless_current(ledger, expected_revision)
    if ledger.sitting.phase == SittingPhase.FINISHED:
        raise MatchOver()
    refuse_while_pending(ledger)
    if reason == "forfeit" and ledger.sitting.boards is not None:
        raise refusal("forfeit_of_rooms")
    entry = read_facts(ledger.profile, facts)
    return _rule(ledger, actor, at, Act.END_SITTING, entry, why, SittingPhase.PLAYING)


@transaction.atomic
def reopen_sitting(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    reason: str,
    overturned: bool = False,
) -> Ruled:
    """Take back an end or a forfeit that was ruled by mistake; the sitting goes on where it stood.

    `overturned`: the ruling itself was taken back, which may be in a closed round. Nobody plays on in one: the chief
    referee ends the match with what was played, or rules on it.
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)

    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.REOPEN_SITTING, ledger)
    if overturned and ledger.round.status == RoundStatus.CLOSED and ledger.sitting.active:
        pass
    elif plays_games(ledger) and ledger.match.superseded_in_id is None:
        _refuse_after_later_games(ledger)
    elif ledger.round.status != RoundStatus.PUBLISHED:
        refuse_unless_running(ledger)
    refuse_unless_current(ledger, expected_revision)
    end = next((row for row in ledger.effective if row.kind == EntryKind.END), None)
    if end is not None:
        ledger.move(end, EntryStatus.SUPERSEDED)
    elif not ruled_on_match(ledger):
        raise refusal("not_ended")
    state = ledger.fold()
    hold_scores(ledger)
    write(result_writes(ledger.match, match_result(ledger, state), at=at, places=place_results(state)))
    write_sitting(ledger, at=at, phase=SittingPhase.PLAYING, state=state)
    if end is None:
        for room in other_rooms(ledger):
            write_sitting(room, at=at, phase=SittingPhase.PLAYING, state=room.fold())
            announce(room.tournament.pk, "sitting", room.sitting.pk, room.sitting.revision, public=True)
    return _close(ledger, actor, at, Act.REOPEN_SITTING, end, reason, {})


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


@transaction.atomic
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

    ledger = _ledger_of_match(match_id)
    admit(actor, Act.FORFEIT, ledger)
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
    for claim in ledger.pending:
        ledger.move(claim, EntryStatus.OVERRULED)
    close_disputes(ledger, actor, at)
    running = ledger.round.status == RoundStatus.RUNNING and ledger.sitting.phase != SittingPhase.FINISHED
    # an entry would give up one game of several; that is the end of its sitting, by forfeit
    running = running and not plays_games(ledger) and ledger.sitting.boards is None
    if running and outcome != MatchOutcome.DOUBLE_FORFEIT:
        side = "NS" if outcome == MatchOutcome.HOME_FORFEIT else "EW"
        entry = read_facts(ledger.profile, {"kind": "end", "reason": "forfeit", "by": side, "why": reason})
        return _rule(ledger, actor, at, Act.FORFEIT, entry, reason, SittingPhase.PLAYING)
    _rule_on_match(ledger, actor, at, MatchOutcome(outcome))
    return _close(ledger, actor, at, Act.FORFEIT, None, reason, {"outcome": outcome})


@transaction.atomic
def decide_by_lot(
    *,
    match_id: int,
    actor: Actor,
    at: datetime,
    reason: str,
    winner_side: str | None = None,
) -> Ruled:
    """Decide a match that ended level and that its tie rule leaves open.

    The winner comes from the event's lots, committed before play; `winner_side` records a draw made by hand (or the
    winner of one more hand) instead, and `reason` says which.
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)
    if winner_side is not None and winner_side not in SideChoice.values:
        raise refusal(
            "unknown_side", "A side is NS or EW.", "一方须是南北方或东西方。", status=BAD_REQUEST, field="winner_side"
        )

    ledger = _ledger_of_match(match_id)
    admit(actor, Act.DECIDE_BY_LOT, ledger)
    state = ledger.fold()
    if (
        isinstance(state, IndividualState)
        or not left_open(ledger, state)
        or ledger.match.outcome != MatchOutcome.PENDING
    ):
        raise refusal("nothing_to_decide")
    winner = Side(winner_side) if winner_side is not None else lot_of(ledger)
    result = _drawn_game(ledger, state, winner) if plays_games(ledger) else decided_by_lot(ledger, state, winner)
    write(result_writes(ledger.match, result, at=at))
    write_sitting(ledger, at=at, phase=SittingPhase.FINISHED)
    new = {"winner_side": str(winner), "drawn": "by_hand" if winner_side is not None else "lots"}
    return _close(ledger, actor, at, Act.DECIDE_BY_LOT, None, reason, new)


def left_open(ledger: Ledger, state: SittingState) -> bool:
    """Whether the match is played and its tie rule names nobody."""
    if ledger.sitting.boards is None:
        return state.undecided is not None
    boards = board_match(ledger, state)
    return boards.complete and boards.home == boards.away == 0 and ledger.stage.tie_rule != TieRule.DRAW


def _drawn_game(ledger: Ledger, state: State, winner: Side) -> dict[str, Any]:
    """The columns of a match of several games once a game that ended level is decided for a side."""
    ledger.sitting.decided_side = str(winner)
    ledger.sitting.save(update_fields=["decided_side"])
    return match_result(ledger, state)


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


def _rule(
    ledger: Ledger,
    actor: Actor,
    at: datetime,
    act: Act,
    entry: Entry,
    reason: str,
    phase: SittingPhase,
) -> Ruled:
    """Add an official's entry at the end of the ledger, and close the act that it was."""
    row = _add(ledger, actor, at, entry, reason, phase)
    return _close(ledger, actor, at, act, row, reason, row.facts)


def _add(ledger: Ledger, actor: Actor, at: datetime, entry: Entry, reason: str, phase: SittingPhase) -> LedgerEntry:
    """Add an official's entry at the end of the ledger; `phase` is the sitting's unless the entry ends it."""
    refuse_if_blocked(ledger, entry, findings_on(ledger, ledger.fold(), entry))
    if isinstance(entry, End) and entry.reason != "forfeit":
        refuse_while_a_hand_is_due(ledger, entry)
    row = ledger.add(
        position=ledger.next_position,
        version=1,
        kind=EntryKind(entry.kind),
        facts=entry.to_json(),
        status=EntryStatus.EFFECTIVE,
        entered_by=actor.user,
        entered_at=at,
        basis=Basis.RULING,
        reason=reason,
    )
    write_sitting(ledger, at=at, phase=phase, state=ledger.fold())
    return row


def _rule_on_match(ledger: Ledger, actor: Actor, at: datetime, outcome: MatchOutcome) -> None:
    """A match lost by absence is over in both its rooms; a pair that did is compared with nobody."""
    hold_scores(ledger)
    write(result_writes(ledger.match, unplayed_result(ledger.stage, outcome), at=at))
    write_sitting(ledger, at=at, phase=SittingPhase.FINISHED)
    write(field_writes(ledger, None))
    for room in other_rooms(ledger):
        for claim in room.pending:
            room.move(claim, EntryStatus.OVERRULED)
        close_disputes(room, actor, at)
        write_sitting(room, at=at, phase=SittingPhase.FINISHED)
        announce(room.tournament.pk, "sitting", room.sitting.pk, room.sitting.revision, public=True)


def other_rooms(ledger: Ledger) -> list[Ledger]:
    """The ledgers of the other rooms of a match on boards, held until the transaction ends."""
    if ledger.sitting.boards is None:
        return []
    rooms = Sitting.objects.filter(match=ledger.match, active=True, boards__isnull=False).exclude(pk=ledger.sitting.pk)
    return [open_ledger(pk, lock=True) for pk in rooms.order_by("pk").values_list("pk", flat=True)]


def _ledger_of_match(match_id: int) -> Ledger:
    try:
        sittings = Sitting.objects.filter(match=match_id).order_by("-active", "pk")
        sitting_id = sittings.values_list("pk", flat=True)[:1].get()
    except (Sitting.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    return open_ledger(sitting_id, lock=True)


def _close(
    ledger: Ledger,
    actor: Actor,
    at: datetime,
    act: Act,
    row: LedgerEntry | None,
    reason: str,
    new: dict[str, Any],
) -> Ruled:
    subject = f"match:{ledger.match.pk}" if row is None else f"entry:{row.pk}"
    note(ledger, actor, at, act, subject, reason=reason, new=new)
    ruled = Ruled(row, ledger.sitting, ledger.match, ledger.sitting.revision)
    finish_act(ledger, moved=True)
    return ruled
