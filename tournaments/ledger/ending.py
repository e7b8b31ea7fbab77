"""The end of a timed match at the table: both of its sides say that it is over.

The clock only says from when on no hand is begun: the hand in progress is finished, and a match ends when both sides,
or an official, say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from scoring.hands.entries import End
from scoring.sittings.fold import step
from scoring.sittings.states import SittingState

from ..acts.access import Act, Actor
from ..acts.announce import announce
from ..acts.errors import CONFLICT
from ..models import EntryKind, EntryStatus, ScoredBy, Sitting, SittingPhase, TieRule
from ..sittings.clock import table_clock
from ..sittings.games import two_sides
from ..sittings.ledgers import Ledger, current_of, open_ledger
from .judging import (
    MatchOver,
    admit,
    finish_act,
    note,
    refusal,
    refuse_unless_running,
    refuse_while_pending,
    write_sitting,
)


@dataclass(frozen=True, slots=True)
class Agreed:
    """The answer to a side that says the match is over: whether both have said so, and the table's revision."""

    over: bool
    revision: int


@transaction.atomic
def agree_end(*, sitting_id: int, actor: Actor, at: datetime) -> Agreed:
    """A side says that time is over and no hand is in progress; when the other has said so too, the match ends.

    What the other said holds until the record changes. Refused: `time_not_over`, `entry_waits`, `extra_hand_due`,
    `referee_scores`.
    """
    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.AGREE_END, ledger)
    refuse_unless_running(ledger)
    _refuse_unless_over(ledger, at)
    entry = End(reason="time")
    refuse_while_a_hand_is_due(ledger, entry)
    subject = f"sitting:{ledger.sitting.pk}"
    new = {"revision": ledger.sitting.revision}
    note(ledger, actor, at, Act.AGREE_END, subject, new=new)
    said = sides_agreed(ledger.sitting)
    over = bool(said - {actor.side})
    if over:
        _end(ledger, actor, at, entry)
    elif not said:
        sitting = ledger.sitting
        sitting.over_side, sitting.over_at, sitting.over_revision = actor.side or "", at, sitting.revision
        sitting.save(update_fields=["over_side", "over_at", "over_revision"])
    answer = Agreed(over, ledger.sitting.revision)
    if answer.over:
        finish_act(ledger, moved=True)
    else:
        announce(ledger.tournament.pk, "sitting", ledger.sitting.pk, ledger.sitting.revision)
    return answer


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


def _end(ledger: Ledger, actor: Actor, at: datetime, entry: End) -> None:
    row = ledger.add(
        position=ledger.next_position,
        version=1,
        kind=EntryKind.END,
        facts=entry.to_json(),
        status=EntryStatus.EFFECTIVE,
        entered_side=ledger.sitting.over_side,
        entered_at=ledger.sitting.over_at,
        confirmed_side=actor.side or "",
        confirmed_device=actor.device,
        confirmed_at=at,
    )
    write_sitting(ledger, at=at, phase=SittingPhase.PLAYING, state=ledger.fold())
    note(ledger, actor, at, Act.END_SITTING, f"entry:{row.pk}", new=row.facts)
