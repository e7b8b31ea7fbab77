"""The opposites of acts on entrants and officials."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from ..acts.access import Act
from ..acts.admission import Actor
from ..acts.errors import NotFound
from ..acts.rows import find_tournament, locked_entrant, locked_sitting
from ..events import officials
from ..models import Entrant, Invitation, KeptApart, Official, Player, Sitting
from ..people import attendance, entrants, withdrawals
from ..stages import apart
from .did import Did, Opposite

#: What takes the entrants as they are: a draw, a field, a list that went out.
DRAWN: Final = frozenset({Act.PAIR, Act.PUBLISH_PAIRING, Act.SUPERSEDE_PAIRING, Act.CREATE_ROUND, Act.BEGIN_STAGE})
_ERASED: Final = frozenset({Act.ERASE_PERSON})


def hold_event(did: Did) -> None:
    find_tournament(did.event.pk, lock=True)


def _hold_entrant(did: Did) -> None:
    locked_entrant(did.pk)
    hold_event(did)


def _check(did: Did, actor: Actor, at: datetime) -> None:
    act = attendance.undo_check_in if did.new["there"] else attendance.check_in
    act(entrant_id=did.pk, actor=actor, at=at, round_id=did.round_id)


def _change_back(did: Did, actor: Actor, at: datetime) -> None:
    """One that was entered goes; of one that was changed, what was changed gets the value before."""
    if "fields" not in did.new:
        entrants.remove_entrant(entrant_id=did.pk, actor=actor, at=at)
        return
    before: dict[str, Any] = {}
    fields = set(did.new["fields"])
    if "players" in fields:
        before["players"] = _players_before(did)
    if fields - {"players"}:
        row = _before(Entrant.history.filter(id=did.pk), did)
        before |= {name: getattr(row, name) for name in fields - {"players"}}
    entrants.change_entrant(entrant_id=did.pk, actor=actor, at=at, changes=before, reason=did.why, namesakes=True)


def _before(versions: Any, did: Did) -> Any:
    """The version before the one that the act made; the newer ones are its own."""
    row = versions.exclude(history_date=did.at).order_by("-history_id").first()
    if row is None:
        raise NotFound()
    return row


def _players_before(did: Did) -> list[Mapping[str, str]]:
    """Who played for the entrant before the act, in their order."""
    last: dict[int, Any] = {}
    for row in Player.history.filter(entrant_id=did.pk).exclude(history_date=did.at).order_by("history_id"):
        last[row.id] = row
    there = sorted((row for row in last.values() if row.history_type != "-"), key=lambda row: row.order)
    return [{"name": row.name, "name_latin": row.name_latin, "external_id": row.external_id} for row in there]


def _is_one_entrant(did: Did) -> bool:
    """An entrant that was entered or changed; not one that was taken out again or came late."""
    return did.new is not None and "missed" not in did.new


def _hold_forfeited(did: Did) -> None:
    locked_entrant(did.pk)
    for pk in Sitting.objects.filter(match__in=did.new["forfeited"]).order_by("pk").values_list("pk", flat=True):
        locked_sitting(pk)
    hold_event(did)


def _readmit(did: Did, actor: Actor, at: datetime) -> None:
    forfeited = did.new["forfeited"]
    withdrawals.readmit(entrant_id=did.pk, actor=actor, at=at, reason=did.why, forfeited=forfeited)


def _withdraw(did: Did, actor: Actor, at: datetime) -> None:
    withdrawals.withdraw_entrant(entrant_id=did.pk, actor=actor, at=at, reason=did.why)


def _let_meet(did: Did, actor: Actor, at: datetime) -> None:
    apart.let_meet(kept_id=did.pk, actor=actor, at=at, reason=did.why)


def _keep_apart(did: Did, actor: Actor, at: datetime) -> None:
    row = KeptApart.objects.get(pk=did.pk)
    pair: dict[str, Any] = {"one": row.one_id, "other": row.other_id, "force": row.force, "reason": row.reason}
    apart.keep_apart(tournament_id=did.event.pk, actor=actor, at=at, **pair)


def _is_office(did: Did) -> bool:
    """An office given or asked for just then, or taken back; not a sign-in link, nor other tables of one who serves."""
    if did.new is None:
        return True
    if "office" not in did.new:
        return False
    if did.kind == "official":
        return Official.objects.filter(pk=did.pk, appointed_at=did.at).exists()
    return Invitation.objects.filter(pk=did.pk, invited_at=did.at).exists()


def _other_office(did: Did, actor: Actor, at: datetime) -> None:
    """Who was appointed serves no more, who was asked is asked no more, whose office was taken back has it again."""
    by: dict[str, Any] = {"actor": actor, "at": at}
    if did.kind == "official":
        act = officials.revoke if did.new is not None else officials.give_back
        act(official_id=did.pk, **by)
    elif did.new is not None:
        officials.withdraw(invitation_id=did.pk, **by)
    else:
        row = Invitation.objects.select_related("user").get(pk=did.pk)
        tables = list(row.tables.values_list("number", flat=True))
        asked: dict[str, Any] = {"username": row.user.username, "office": row.office, "tables": tables}
        officials.appoint(tournament_id=did.event.pk, **asked, **by)


_OF_ENTRANT: Final = frozenset({Act.EDIT_ENTRANTS, Act.SUBSTITUTE, Act.WITHDRAW, Act.READMIT})

OPPOSITES: Final[Mapping[Act, Opposite]] = {
    Act.CHECK_IN: Opposite(Act.CHECK_IN, _check, _hold_entrant),
    Act.EDIT_ENTRANTS: Opposite(
        Act.EDIT_ENTRANTS,
        _change_back,
        _hold_entrant,
        _is_one_entrant,
        _OF_ENTRANT,
        DRAWN | _ERASED | {Act.IMPORT_ENTRANTS},
    ),
    Act.SUBSTITUTE: Opposite(
        Act.SUBSTITUTE, _change_back, _hold_entrant, _is_one_entrant, _OF_ENTRANT, _ERASED | {Act.IMPORT_ENTRANTS}
    ),
    Act.WITHDRAW: Opposite(
        Act.READMIT,
        _readmit,
        _hold_forfeited,
        changed=_OF_ENTRANT,
        built=DRAWN | {Act.CLOSE_ROUND, Act.PUBLISH, Act.FORFEIT, Act.REOPEN_SITTING},
    ),
    Act.READMIT: Opposite(Act.WITHDRAW, _withdraw, _hold_entrant, changed=_OF_ENTRANT, built=DRAWN),
    Act.KEEP_APART: Opposite(Act.LET_MEET, _let_meet, hold_event, changed=frozenset({Act.LET_MEET}), built=DRAWN),
    Act.LET_MEET: Opposite(Act.KEEP_APART, _keep_apart, hold_event, built=DRAWN),
    Act.MANAGE_OFFICIALS: Opposite(
        Act.MANAGE_OFFICIALS,
        _other_office,
        hold_event,
        _is_office,
        frozenset({Act.ACCEPT_INVITATION, Act.DECLINE_INVITATION}),
    ),
}
