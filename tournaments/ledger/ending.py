"""The end of a timed match at the table: both of its sides say that it is over.

The clock only says from when on no hand is begun: the hand in progress is finished, and a match ends when both sides,
or an official, say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scoring.hands.entries import End
from scoring.sittings.fold import step
from scoring.sittings.states import SittingState

from ..acts.access import Act
from ..acts.admission import Actor, Admitted
from ..acts.change import Add, Change, Line, Move
from ..acts.errors import CONFLICT
from ..models import EntryKind, EntryStatus, ScoredBy, Sitting, SittingPhase, TieRule
from ..sittings.clock import table_clock
from ..sittings.games import two_sides
from ..sittings.ledgers import Ledger, current_of
from .acting import act_on, after, change_at, unchanged
from .judging import MatchOver, refusal, refuse_unless_running, refuse_while_pending


@dataclass(frozen=True, slots=True)
class Agreed:
    """The answer to a side that says the match is over: whether both have said so, and the table's revision."""

    over: bool
    revision: int


def agree_end(*, sitting_id: int, actor: Actor, at: datetime) -> Agreed:
    """A side says that time is over and no hand is in progress; when the other has said so too, the match ends.

    What the other said holds until the record changes. Refused: `time_not_over`, `entry_waits`, `extra_hand_due`,
    `referee_scores`.
    """

    def decide(ledger: Ledger, admitted: Admitted) -> Change[Agreed]:
        refuse_unless_running(ledger)
        _refuse_unless_over(ledger, at)
        entry, sitting = End(reason="time"), ledger.sitting
        refuse_while_a_hand_is_due(ledger, entry)
        said = sides_agreed(sitting)
        new = {"revision": sitting.revision}
        line = Line(Act.AGREE_END, f"sitting:{sitting.pk}", new=new, sitting=sitting)
        if said - {actor.side}:
            return _ended(ledger, admitted, at, entry, line)
        says = {"over_side": actor.side or "", "over_at": at, "over_revision": sitting.revision}
        then = unchanged(ledger) if said else unchanged(ledger, Move(sitting, says))
        return change_at(ledger, admitted, Agreed(False, sitting.revision), then, [line], moved=False)

    return act_on(sitting_id, Act.AGREE_END, actor, at, decide)


def _refuse_unless_over(ledger: Ledger, now: datetime) -> None:
    if ledger.sitting.phase == SittingPhase.FINISHED:
        raise MatchOver()
    if ledger.sitting.scored_by == ScoredBy.REFEREE or ledger.match.individual:
        raise refusal("referee_scores")
    clock = table_clock(ledger.sitting)
    if clock is None or not clock.over(now):
        raise refusal("time_not_over", status=CONFLICT)
    refuse_while_pending(ledger)


def refuse_while_a_hand_is_due(ledger: Ledger, entry: End) -> None:
    """Where equal levels call for one more hand, a sitting does not end on them."""
    state, _ = step(ledger.profile, ledger.conditions, two_sides(ledger.fold()), entry)
    if state.undecided == "extra_hand":
        raise refusal("extra_hand_due", current=current_of(ledger))


def one_more_hand(sitting: Sitting, state: SittingState) -> bool:
    """Whether the match would go on by one more hand, because its levels are equal, if it were to end now."""
    stage = sitting.round.stage
    if stage.tie_rule != TieRule.EXTRA_HAND or sitting.boards is not None or stage.directing.fixed:
        return False
    return len({str(level) for level in state.levels.values()}) == 1


def sides_agreed(sitting: Sitting) -> frozenset[str]:
    """The sides that say of the record as it stands that the match is over."""
    return frozenset({sitting.over_side} if sitting.over_revision == sitting.revision else ())


def _ended(ledger: Ledger, admitted: Admitted, at: datetime, entry: End, said: Line) -> Change[Agreed]:
    row = ledger.entry(
        position=ledger.next_position,
        version=1,
        kind=EntryKind.END,
        facts=entry.to_json(),
        status=EntryStatus.EFFECTIVE,
        entered_side=ledger.sitting.over_side,
        entered_at=ledger.sitting.over_at,
        confirmed_side=admitted.actor.side or "",
        confirmed_device=admitted.actor.device,
        confirmed_at=at,
    )
    then = after(ledger, [Add(row)], at=at, phase=SittingPhase.PLAYING, counts=True)
    line = Line(Act.END_SITTING, ("entry", row), new=row.facts, sitting=ledger.sitting)
    return change_at(ledger, admitted, Agreed(True, then.revision), then, [said, line], moved=True)
