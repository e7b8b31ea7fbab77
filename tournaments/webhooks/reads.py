"""What the desk and the API show of the addresses of an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..log.feed import newest_line
from ..models import HookDelivery, HookState, Tournament, Webhook

#: Deliveries that were given up, of one address, shown at once.
MOST_DEAD = 50


@dataclass(frozen=True, slots=True)
class Shown:
    """An address: the delivery whose turn it is, the last ones taken, the last test, those given up and how many they
    are, and how many acts of the feed have not been looked at for it."""

    hook: Webhook
    turn: HookDelivery | None
    last: HookDelivery | None
    test: HookDelivery | None
    dead: Sequence[HookDelivery]
    dead_count: int
    behind: int


def shown_of(event: Tournament, number: int | None = None) -> list[Shown]:
    """The addresses of an event, or the one of that number; some queries each, and there are few."""
    hooks = Webhook.objects.filter(tournament=event)
    last = newest_line(event)
    return [_shown(one, last) for one in (hooks if number is None else hooks.filter(number=number))]


def _shown(hook: Webhook, last: int) -> Shown:
    rows = HookDelivery.objects.filter(webhook=hook)
    dead = rows.filter(state=HookState.DEAD, number__isnull=False).order_by("-number")
    again = rows.filter(state=HookState.WAITING, once=True, number__isnull=False)
    return Shown(
        hook,
        rows.filter(state=HookState.WAITING, once=False).order_by("number").first(),
        rows.filter(state=HookState.DONE, number__isnull=False).order_by("-tried_at").first(),
        rows.filter(number=None).order_by("-pk").first(),
        [*again[:MOST_DEAD], *dead[:MOST_DEAD]],
        dead.count(),
        max(0, last - hook.after),
    )
