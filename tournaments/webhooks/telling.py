"""Working off what addresses have still to be told: in the order of the feed, nothing lost, given up in the end.

A cursor over the feed says how far each address is; what comes next becomes a delivery in the transaction that moves
the cursor. The next line waits until that one is taken or given up. A worker holds an address while it is at it; where
it dies another goes on, and may send the same once more, under the same name. No transaction is open while it is sent.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from celery import current_app
from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from ..acts.announce import announce
from ..acts.resting import AWAY, asking
from ..acts.sealing import opened
from ..log.feed import feed_of
from ..models import HookDelivery, HookState, LogHead, Tournament, Webhook
from ..models.webhooks import StoppedBy
from .acts import PURPOSE, stop_failing
from .sending import Answered, headers_of, send

TASK: Final = "tournaments.tasks.tell_webhooks"
#: A task that no worker has begun by then is of no use: the next sweep sends another.
EXPIRES: Final = 30.0
#: After each failure it is tried again so much later; after the last one it is given up.
WAITS: Final = tuple(
    timedelta(seconds=one) for one in (5, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600)
)  # 5 s to 6 h, eleven hours in all
#: An address that took nothing for so long is told nothing more.
STOP_AFTER: Final = timedelta(days=3)
#: The secret before signs beside the new one for so long.
BOTH_SECRETS: Final = timedelta(days=1)
#: A worker holds an address for so long at once; longer than a delivery can take.
HELD: Final = timedelta(seconds=60)
#: One task works for so long, and the sweep sends the next; deliveries that were taken are remembered up to so many.
WORK_SECONDS: Final = 25.0
KEPT: Final = 20

Send = Callable[[str, Mapping[str, str], bytes], Answered]

logger = logging.getLogger(__name__)
#: One task of these a process: on a laptop the threads are there for the standings.
_busy: Final = threading.Lock()


def due(at: datetime) -> QuerySet[Webhook]:
    """Addresses for which there may be something to do, those that work first."""
    waiting = HookDelivery.objects.filter(webhook=OuterRef("pk"), state=HookState.WAITING)
    heads = LogHead.objects.filter(tournament=OuterRef("tournament")).order_by().values("tournament")
    rows = Webhook.objects.filter(tournament__elsewhere="").annotate(
        size=heads.annotate(most=Max("size")).values("most"),
        in_turn=Exists(waiting.filter(once=False)),
        once_due=Exists(waiting.filter(once=True)),
        turn_due=Exists(waiting.filter(once=False).filter(_due(at))),
    )
    goes_on = Q(stopped_at=None) & (Q(turn_due=True) | Q(in_turn=False, size__gt=F("after") + 1))
    free = Q(held_until=None) | Q(held_until__lt=at) | Q(held_until__gt=at + HELD)
    return rows.filter(free & (goes_on | Q(once_due=True))).order_by(F("failing_since").asc(nulls_first=True), "pk")


def _due(at: datetime) -> Q:
    # a time further off than any wait was written before the clock was set back
    return Q(due_at__lte=at) | Q(due_at__gt=at + WAITS[-1])


def ask_if_due(at: datetime) -> bool:
    """Send the task where there is something to do; whether it was sent."""
    if not due(at).exists():
        return False
    try:
        with asking():
            current_app.send_task(TASK, retry=False, ignore_result=True, expires=EXPIRES)
    except AWAY as error:
        logger.warning("webhooks not asked for, the sweep will: %s", error, extra={"sparing": "redis"})
        return False
    return True


def tell_all(now: Callable[[], datetime] = timezone.now, to: Send = send) -> int:
    """Work off what is due, for a while; how many messages were sent. Nothing where this process is at it already."""
    if not _busy.acquire(blocking=False):
        return 0
    try:
        over, count = time.monotonic() + WORK_SECONDS, 0
        for hook in list(due(now())):
            count += _tell(hook, now, to, over)
            if time.monotonic() > over:
                break
        return count
    finally:
        _busy.release()


def _tell(hook: Webhook, now: Callable[[], datetime], to: Send, over: float) -> int:
    """Everything that one address is to be told now."""
    held, count = _hold(hook, now()), 0
    try:
        while held is not None and (one := _next(hook, now())) is not None:
            count += _sent(hook, one, now, to)
            if hook.stopped_at is not None or time.monotonic() > over:
                break
            held = _hold(hook, now(), held)
    finally:
        if held is not None:
            Webhook.objects.filter(pk=hook.pk, held_until=held).update(held_until=None)
    return count


def _hold(hook: Webhook, at: datetime, held: datetime | None = None) -> datetime | None:
    """Hold an address, or hold it on; None where another worker does."""
    rows = Webhook.objects.filter(pk=hook.pk)
    free = Q(held_until=None) | Q(held_until__lt=at) | Q(held_until__gt=at + HELD)
    until = at + HELD
    if not rows.filter(free if held is None else Q(held_until=held)).update(held_until=until):
        return None
    hook.refresh_from_db()
    return until


def _next(hook: Webhook, at: datetime) -> HookDelivery | None:
    """The delivery to be made now: what is tried once, else the first in turn, else the next line of the feed."""
    waiting = HookDelivery.objects.filter(webhook=hook, state=HookState.WAITING)
    if (once := waiting.filter(once=True).first()) is not None:
        return once
    if hook.stopped_at is not None:
        return None
    if (turn := waiting.order_by("number").first()) is not None:
        return waiting.filter(_due(at), pk=turn.pk).first()
    return _from_feed(hook, at)


def _from_feed(hook: Webhook, at: datetime) -> HookDelivery | None:
    """The next line with something for this address, as a delivery; the cursor stands on it."""
    event = Tournament.objects.get(pk=hook.tournament_id)
    while lines := feed_of(event, hook.after, 500):
        found = next((one for one in lines if said(hook, one)), None)
        number = (found or lines[-1])["number"]
        with transaction.atomic():
            if not Webhook.objects.filter(pk=hook.pk, after=hook.after).update(after=number):
                return None
            hook.after = number
            if found is not None:
                message = f"msg_{found['digest'][:32]}"
                return HookDelivery.objects.create(webhook=hook, number=number, message=message, made_at=at, due_at=at)
    return None


def said(hook: Webhook, line: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What of a line the address is told."""
    return [one for one in line["public"] if one["what"] in hook.kinds]


def body_of(hook: Webhook, one: HookDelivery) -> bytes | None:
    """What a delivery says, read now: what is not public any more is not sent; None where nothing is left."""
    event = Tournament.objects.get(pk=hook.tournament_id)
    if one.number is None:
        told = {"type": "referee.test", "timestamp": one.made_at.isoformat(), "data": {"event": event.slug}}
        return _json(told)
    lines = feed_of(event, one.number - 1, 1)
    if not lines or lines[0]["number"] != one.number or not (public := said(hook, lines[0])):
        return None
    line = lines[0]
    data = {"event": event.slug, "number": line["number"], "digest": line["digest"], "public": public}
    return _json({"type": "referee.feed", "timestamp": line["at"], "data": data})


def _json(told: Mapping[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def _sent(hook: Webhook, one: HookDelivery, now: Callable[[], datetime], to: Send) -> int:
    """Make one delivery and write down what came of it."""
    body = body_of(hook, one)
    if body is None:
        one.delete()
        return 0
    keys = _secrets(hook, now())
    began = now()
    answered = to(hook.address, headers_of(keys, one.message, began, body), body) if keys else Answered(None, "secret")
    _note(hook, one, answered, now())
    announce(hook.tournament_id, "job", hook.pk)
    return 1


def _secrets(hook: Webhook, at: datetime) -> list[str]:
    """The secrets that sign now: the present one, and for a day the one before."""
    stored = [hook.secret]
    if hook.secret_before and at < hook.secret_at + BOTH_SECRETS:
        stored.append(hook.secret_before)
    return [text for one in stored if (text := opened(one, PURPOSE)) is not None]


def _note(hook: Webhook, one: HookDelivery, answered: Answered, at: datetime) -> None:
    """Write down what came of a delivery: taken, to be tried again, or given up."""
    one.tries, one.tried_at, one.answer, one.trouble = one.tries + 1, at, answered.status, answered.trouble
    if answered.taken:
        one.state = HookState.DONE
    elif one.once or one.tries > len(WAITS):
        one.state = HookState.DEAD
    else:
        one.due_at = at + WAITS[one.tries - 1]
    with transaction.atomic():
        # who took it off the list meanwhile does not find it there again
        kept = HookDelivery.objects.filter(pk=one.pk, state=HookState.WAITING).update(
            **{name: getattr(one, name) for name in ("tries", "tried_at", "answer", "trouble", "state", "due_at")}
        )
        if not kept:
            return
        if one.number is not None:
            _note_health(hook, answered, at)
        _forget(hook)
    if answered.trouble:
        logger.info("webhook %s not taken: %s %s", hook.pk, answered.trouble, answered.status or "")
    why = _why_stop(hook, answered, at) if one.number is not None else None
    if why is not None:
        stop_failing(webhook_id=hook.pk, why=why, at=at)
        hook.refresh_from_db()


def _note_health(hook: Webhook, answered: Answered, at: datetime) -> None:
    since = None if answered.taken else hook.failing_since or at
    if since != hook.failing_since:
        Webhook.objects.filter(pk=hook.pk).update(failing_since=since)
        hook.failing_since = since


def _why_stop(hook: Webhook, answered: Answered, at: datetime) -> StoppedBy | None:
    if hook.stopped_at is not None or answered.taken:
        return None
    if answered.status == 410:
        return StoppedBy.GONE
    failing = hook.failing_since is not None and at - hook.failing_since >= STOP_AFTER
    return StoppedBy.FAILING if failing else None


def _forget(hook: Webhook) -> None:
    """Of what is over the newest are remembered, of tests one; what was given up stays until somebody looks."""
    rows = HookDelivery.objects.filter(webhook=hook).order_by("-pk")
    for over, kept in (
        (rows.filter(state=HookState.DONE, number__isnull=False), KEPT),
        (rows.filter(number=None).exclude(state=HookState.WAITING), 1),
    ):
        HookDelivery.objects.filter(pk__in=list(over.values_list("pk", flat=True)[kept:])).delete()
