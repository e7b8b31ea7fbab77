"""The organiser names addresses that are told what happens, stops them, gives them other secrets, tries them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from ..acts.access import Act
from ..acts.admission import SYSTEM, Actor, Admitted, require
from ..acts.change import Add, Change, Line, Move, Remove, RemoveAll, Told, Write, carry_out
from ..acts.errors import BAD_REQUEST, NotFound, Refusal, WrongStep
from ..acts.rows import find_tournament
from ..acts.sealing import sealed
from ..log.feed import newest_line
from ..models import HookDelivery, HookState, Tournament, Webhook
from ..models.webhooks import HookKind, StoppedBy
from .addresses import read

PURPOSE: Final = "webhooks"
#: Addresses of one event.
MOST: Final = 5


@dataclass(frozen=True, slots=True)
class Found:
    """An address of an event, and that the actor may change it."""

    event: Tournament
    admitted: Admitted
    hook: Webhook


def make(*, tournament_id: int, actor: Actor, at: datetime, address: str, kinds: Sequence[str], secret: str) -> Webhook:
    """Tell an address what happens from now on, signed with this secret.

    Refused: `bad_webhook_address`, `bad_webhook_kinds`, `too_many_webhooks`.
    """

    def decide() -> Change[Webhook]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.SET_WEBHOOKS, tournament=event)
        if read(address) is None:
            raise Refusal("bad_webhook_address", field="address", status=BAD_REQUEST)
        wanted = [kind for kind in HookKind.values if kind in kinds]
        if not wanted or len(wanted) != len(kinds):
            raise Refusal("bad_webhook_kinds", field="kinds", status=BAD_REQUEST)
        there = list(Webhook.objects.filter(tournament=event))
        if len(there) >= MOST:
            raise Refusal("too_many_webhooks")
        hook = Webhook(tournament=event, number=max((one.number for one in there), default=0) + 1, address=address)
        hook.kinds, hook.secret, hook.secret_at = wanted, sealed(secret, PURPOSE), at
        hook.made_at, hook.made_by = at, actor.user
        hook.after = newest_line(event)
        line = _line(hook, new={"host": host_of(hook), "kinds": wanted})
        return Change(admitted, hook, (Add(hook),), (line,))

    return carry_out(decide, actor, at)


def remove(*, webhook_id: int, actor: Actor, at: datetime) -> None:
    """An address is told nothing any more, and forgotten with everything that waits for it."""

    def decided(found: Found) -> tuple[Write, ...]:
        return RemoveAll(HookDelivery, {"webhook": found.hook}), Remove(found.hook)

    _changed(webhook_id, actor, at, decided, told={"removed": True})


def renew_secret(*, webhook_id: int, actor: Actor, at: datetime, secret: str) -> Webhook:
    """Another secret; the one before signs beside it for a day."""

    def decided(found: Found) -> tuple[Write, ...]:
        to = {"secret": sealed(secret, PURPOSE), "secret_before": found.hook.secret, "secret_at": at}
        return (Move(found.hook, to),)

    return _changed(webhook_id, actor, at, decided, told={"secret": "new"})


def stop(*, webhook_id: int, actor: Actor, at: datetime) -> Webhook:
    """Nothing is sent until somebody lets it go on; what happens meanwhile waits."""
    return _changed(webhook_id, actor, at, lambda found: _stopped(found.hook, StoppedBy.DESK, at), told={"stopped": 1})


def go_on(*, webhook_id: int, actor: Actor, at: datetime) -> Webhook:
    """Send again, at once and from where it stopped; also where only the next try is far off."""

    def decided(found: Found) -> tuple[Write, ...]:
        at_once = Move(found.hook, {"stopped_at": None, "stopped_by": "", "failing_since": None})
        return at_once, *_tried_at(found.hook, at)

    return _changed(webhook_id, actor, at, decided, told={"stopped": 0})


def try_it(*, webhook_id: int, actor: Actor, at: datetime) -> HookDelivery:
    """Send a test, once, whether the address is stopped or not; one at a time."""

    def decide() -> Change[HookDelivery]:
        found = _find(webhook_id, actor)
        waiting = HookDelivery.objects.filter(webhook=found.hook, number=None, state=HookState.WAITING).first()
        if waiting is not None:
            return Change(found.admitted, waiting)
        row = HookDelivery(webhook=found.hook, message=f"test_{secrets.token_hex(16)}", once=True)
        row.made_at = row.due_at = at
        return Change(found.admitted, row, (Add(row),), told=(Told("job", found.hook.pk),))

    return carry_out(decide, actor, at)


def send_again(*, webhook_id: int, line: int, actor: Actor, at: datetime) -> None:
    """Send once more what was given up, by its number in the feed, beside the order. Refused: `not_found`."""

    def decide() -> Change[None]:
        found = _find(webhook_id, actor)
        row = HookDelivery.objects.filter(webhook=found.hook, number=line, state=HookState.DEAD).first()
        if row is None:
            raise NotFound()
        move = Move(row, {"state": HookState.WAITING, "once": True, "due_at": at}, still={"state": HookState.DEAD})
        return Change(found.admitted, None, (move,), told=(Told("job", found.hook.pk),))

    carry_out(decide, actor, at)


def give_up(*, webhook_id: int, actor: Actor, at: datetime) -> None:
    """Give up the delivery that holds up the others; the next one follows. Refused: `nothing_waits`."""

    def decide() -> Change[None]:
        found = _find(webhook_id, actor)
        turn = HookDelivery.objects.filter(webhook=found.hook, state=HookState.WAITING, once=False)
        row = turn.filter(tries__gt=0).order_by("number").first()
        if row is None:
            raise WrongStep("nothing_waits")
        move = Move(row, {"state": HookState.DEAD}, still={"state": HookState.WAITING})
        return Change(found.admitted, None, (move,), told=(Told("job", found.hook.pk),))

    carry_out(decide, actor, at)


def stop_failing(*, webhook_id: int, why: StoppedBy, at: datetime) -> None:
    """The service stops an address that failed for days, or whose server wants no more."""
    try:
        _changed(webhook_id, SYSTEM, at, lambda found: _stopped(found.hook, why, at), told={"stopped": str(why)})
    except NotFound:  # it was removed meanwhile
        return


def _stopped(hook: Webhook, why: StoppedBy, at: datetime) -> tuple[Write, ...]:
    return (Move(hook, {"stopped_at": at, "stopped_by": why}),) if hook.stopped_at is None else ()


def _tried_at(hook: Webhook, at: datetime) -> list[Write]:
    row = HookDelivery.objects.filter(webhook=hook, state=HookState.WAITING, once=False).order_by("number").first()
    return [] if row is None else [Move(row, {"due_at": at})]


def _find(webhook_id: int, actor: Actor) -> Found:
    hook = Webhook.objects.filter(pk=webhook_id).first()
    if hook is None:
        raise NotFound()
    event = find_tournament(hook.tournament_id, lock=True)
    admitted = require(actor, Act.SET_WEBHOOKS, tournament=event)
    # read again: what was read before the event was held may have moved
    held = Webhook.objects.filter(pk=webhook_id).first()
    if held is None:
        raise NotFound()
    return Found(event, admitted, held)


def _changed(
    webhook_id: int, actor: Actor, at: datetime, decided: Callable[[Found], Sequence[Write]], told: dict[str, Any]
) -> Webhook:
    def decide() -> Change[Webhook]:
        found = _find(webhook_id, actor)
        writes = tuple(decided(found))
        lines = (_line(found.hook, new=told),) if writes else ()
        return Change(found.admitted, found.hook, writes, lines, (Told("job", found.hook.pk),))

    return carry_out(decide, actor, at)


def _line(hook: Webhook, new: dict[str, Any]) -> Line:
    # the address itself may hold a key of theirs; the history is read by every official
    return Line(Act.SET_WEBHOOKS, subject=f"webhook {hook.number}", new=new)


def host_of(hook: Webhook) -> str:
    """The server of an address, without what may be a key in it."""
    return urlsplit(hook.address).hostname or ""
