"""The opposites of acts on rounds, tables, rulings, the hall, the screens and the settings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from ..acts.access import Act
from ..acts.admission import Actor
from ..acts.errors import NotFound
from ..acts.history import BUILDING
from ..acts.rows import hold_tables, locked_round, locked_sitting
from ..events import setup
from ..hall import acts as hall
from ..ledger import officials_entries
from ..models import Ruling, Sitting, Stage, Table
from ..models.projector import ScreenBoard
from ..projector import acts as projector
from ..projector.reads import projector_of
from ..radar.acts import put_aside
from ..rounds import acts as rounds
from ..rounds import closing
from ..rulings import log as rulings
from ..stages import acts as stages
from .did import Did, Opposite
from .people import DRAWN, hold_event

MINUTE: Final = 60


def _sitting(did: Did) -> Sitting:
    if did.sitting is None:
        raise NotFound()
    return did.sitting


def _hold_round(did: Did) -> None:
    locked_round(did.pk)
    hold_event(did)


def _hold_table(did: Did) -> None:
    sitting = _sitting(did)
    locked_round(sitting.round_id)
    locked_sitting(sitting.pk)
    hold_event(did)


def _hold_stage(did: Did) -> None:
    hold_event(did)
    hold_tables(did.event.pk)


def _clock(did: Did, actor: Actor, at: datetime) -> None:
    """A clock that was stopped goes on, one that went on stops, an end that was moved moves back."""
    by: dict[str, Any] = {"round_id": did.pk, "actor": actor, "at": at}
    if "stopped_at" not in did.new:
        moved = datetime.fromisoformat(did.new["ends_at"]) - datetime.fromisoformat(did.old["ends_at"])
        rounds.extend_round(**by, minutes=-int(moved.total_seconds()) // MINUTE, reason=did.why)
    elif did.new["stopped_at"]:
        rounds.go_on(**by)
    else:
        rounds.stop_clock(**by, reason=did.why)


def _extra_time(did: Did, actor: Actor, at: datetime) -> None:
    minutes = did.old["extra_minutes"] - did.new["extra_minutes"]
    rounds.add_time(sitting_id=did.pk, actor=actor, at=at, minutes=minutes, reason=did.why)


def _scored_by(did: Did, actor: Actor, at: datetime) -> None:
    rounds.set_scored_by(sitting_id=did.pk, actor=actor, at=at, scored_by=did.old["scored_by"])


def _tables(did: Did, actor: Actor, at: datetime) -> None:
    """Two that changed places change again; one that was moved goes back to its table."""
    were = {int(sitting): table for sitting, table in did.old["tables"].items()}
    if len(were) > 1:
        rounds.swap_tables(round_id=did.pk, actor=actor, at=at, sitting_ids=list(were))
        return
    ((sitting, table),) = were.items()
    number = Table.objects.get(pk=table).number
    rounds.move_sitting(sitting_id=sitting, actor=actor, at=at, table=number)


def _reopen(did: Did, actor: Actor, at: datetime) -> None:
    closing.reopen_round(round_id=did.pk, actor=actor, at=at)


def _close(did: Did, actor: Actor, at: datetime) -> None:
    closing.close_round(round_id=did.pk, actor=actor, at=at)


def _play_on(did: Did, actor: Actor, at: datetime) -> None:
    sitting = locked_sitting(_sitting(did).pk)
    seen: dict[str, Any] = {"expected_revision": sitting.revision, "reason": did.why}
    officials_entries.reopen_sitting(sitting_id=sitting.pk, actor=actor, at=at, **seen)


def _cancel(did: Did, actor: Actor, at: datetime) -> None:
    sitting = locked_sitting(Ruling.objects.get(pk=did.pk).sitting_id)
    seen: dict[str, Any] = {"expected_revision": sitting.revision, "reason": did.why}
    rulings.cancel(ruling_id=did.pk, actor=actor, at=at, **seen)


def _arrange(did: Did, actor: Actor, at: datetime) -> None:
    """The tables that were moved stand where they stood, and all else there is; where nothing was saved, in rows by
    their numbers."""
    was = did.old["moved"]
    moved = {int(number): (row, column) for number, (row, column) in was.items()}
    hall.arrange(tournament_id=did.event.pk, actor=actor, at=at, places=moved, fixtures=did.old.get("fixtures"))


def _steer(did: Did, actor: Actor, at: datetime) -> None:
    """The boards in turn, the board alone, the pause, or the ceremony, as it was; at first nothing was chosen."""
    by: dict[str, Any] = {"tournament_id": did.event.pk, "actor": actor, "at": at}
    was = did.old or {"shown": list(ScreenBoard.values), "held": "", "paused": False, "ticker": True}
    if "shown" in did.new or "ticker" in did.new:
        boards = was.get("shown") or projector_of(did.event).boards
        projector.choose(**by, boards=boards, ticker=was.get("ticker"))
    if "held" in did.new:
        projector.show(**by, board=was["held"])
    if "paused" in did.new:
        projector.pause(**by, paused=was["paused"])
    if "ceremony" in did.new:
        projector.end_ceremony(**by)


def _is_steered_back(did: Did) -> bool:
    """A ceremony that was ended begins anew, ball by ball."""
    return "ceremony" not in did.new or did.new["ceremony"] is not None


def _weigh(did: Did, actor: Actor, at: datetime) -> None:
    aside = did.old["aside"]
    known = {"flag": did.new["flag"], "note": did.why, "aside": aside}
    put_aside(tournament_id=did.event.pk, actor=actor, at=at, **known)


def _settings(did: Did, actor: Actor, at: datetime) -> None:
    """What was changed of the event or of a stage has the value before; a stage that was added goes, one that was
    removed from the end is added again."""
    by: dict[str, Any] = {"actor": actor, "at": at}
    if did.kind == "tournament":
        setup.update_tournament(tournament_id=did.event.pk, changes=did.old, **by)
    elif did.old is None:
        stages.remove_stage(stage_id=did.pk, **by)
    elif did.new is None:
        facts = {name: value for name, value in did.old.items() if name != "number"}
        stages.add_stage(tournament_id=did.event.pk, facts=facts, **by)
    else:
        stages.change_stage(stage_id=did.pk, changes=did.old, **by)


def _is_set_back(did: Did) -> bool:
    """Not settings of event and stage in one; and a stage that was removed only from the end of the chain."""
    if did.kind == "tournament":
        return bool(did.old) and "stage" not in did.old
    if did.new is None:
        return bool(did.old["number"] == Stage.objects.filter(tournament=did.event).count() + 1)
    return True


_ENDED: Final = frozenset({Act.CLOSE_ROUND, Act.PUBLISH})
_RULED: Final = frozenset({Act.DECIDE_RULING, Act.CANCEL_RULING, Act.LODGE_APPEAL, Act.DECIDE_APPEAL})
_AT_TABLE: Final = frozenset({Act.END_SITTING, Act.FORFEIT, Act.REOPEN_SITTING, Act.DECIDE_BY_LOT})

OPPOSITES: Final[Mapping[Act, Opposite]] = {
    Act.SET_CLOCK: Opposite(Act.SET_CLOCK, _clock, _hold_round, changed=frozenset({Act.CLOSE_ROUND})),
    Act.EXTRA_TIME: Opposite(Act.EXTRA_TIME, _extra_time, _hold_table, built=frozenset({Act.CLOSE_ROUND})),
    Act.SET_SCORED_BY: Opposite(Act.SET_SCORED_BY, _scored_by, _hold_table),
    Act.SWAP_TABLES: Opposite(
        Act.SWAP_TABLES, _tables, _hold_round, changed=frozenset({Act.SUPERSEDE_PAIRING, Act.RESEAT, Act.CLOSE_ROUND})
    ),
    Act.CLOSE_ROUND: Opposite(
        Act.REOPEN_ROUND, _reopen, _hold_round, changed=frozenset({Act.REOPEN_ROUND}), built=BUILDING
    ),
    Act.REOPEN_ROUND: Opposite(Act.CLOSE_ROUND, _close, _hold_round, changed=frozenset({Act.CLOSE_ROUND})),
    Act.END_SITTING: Opposite(Act.REOPEN_SITTING, _play_on, _hold_table, changed=_AT_TABLE, built=_ENDED),
    Act.FORFEIT: Opposite(
        Act.REOPEN_SITTING,
        _play_on,
        _hold_table,
        lambda did: did.sitting is not None,
        changed=_AT_TABLE,
        built=_ENDED,
    ),
    Act.PROPOSE_RULING: Opposite(Act.CANCEL_RULING, _cancel, _hold_table, changed=_RULED),
    Act.DECIDE_RULING: Opposite(Act.DECIDE_RULING, _cancel, _hold_table, changed=_RULED, built=_ENDED),
    Act.ARRANGE_HALL: Opposite(Act.ARRANGE_HALL, _arrange, hold_event),
    Act.STEER_SCREEN: Opposite(Act.STEER_SCREEN, _steer, hold_event, _is_steered_back),
    Act.PUT_ASIDE: Opposite(Act.PUT_ASIDE, _weigh, hold_event),
    Act.SET_UP: Opposite(
        Act.SET_UP,
        _settings,
        _hold_stage,
        _is_set_back,
        built=DRAWN | {Act.START_ROUND, Act.APPLY_RULES},
    ),
}
