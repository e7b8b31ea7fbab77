"""Webhooks: an address, how it answers, and what was given up."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.models import HookDelivery, HookState
from tournaments.models.webhooks import HookKind, StoppedBy
from tournaments.webhooks.reads import Shown

from .base import Answer, Document, a_list, a_text, a_time, a_word, an_int, moment

TROUBLES = (
    "status",
    "redirect",
    "no_name",
    "not_allowed",
    "no_connection",
    "slow",
    "tls",
    "broken",
    "secret",
)


class HookDeliveryAnswer(Answer):
    """A message: its line of the feed (null: a test), where it is, and what came of the last try."""

    line = an_int(null=True)
    message = a_text()
    state = a_word(HookState.choices)
    tries = an_int()
    tried_at = a_time(null=True)
    due_at = a_time()
    answer = an_int(null=True)
    trouble = a_word(TROUBLES, blank=True)


class WebhookAnswer(Answer):
    """An address that is told what happens. `waiting`: the message that the others wait behind; `last`: the last one
    taken; `given_up`: the newest of those; `behind`: acts of the log that were not looked at for it."""

    number = an_int()
    address = a_text()
    kinds = a_list(serializers.ChoiceField(HookKind.values))
    made_at = a_time()
    secret_at = a_time()
    stopped_at = a_time(null=True)
    stopped_by = a_word(StoppedBy.choices, blank=True)
    failing_since = a_time(null=True)
    behind = an_int()
    waiting = HookDeliveryAnswer(allow_null=True)
    last = HookDeliveryAnswer(allow_null=True)
    test = HookDeliveryAnswer(allow_null=True)
    given_up = HookDeliveryAnswer(many=True)


class NewWebhook(WebhookAnswer):
    """With the secret, which is shown once."""

    secret = a_text()


class WebhookList(Answer):
    webhooks = WebhookAnswer(many=True)


def webhook_answer(one: Shown) -> Document:
    hook = one.hook
    return {
        "number": hook.number,
        "address": hook.address,
        "kinds": hook.kinds,
        "made_at": moment(hook.made_at),
        "secret_at": moment(hook.secret_at),
        "stopped_at": moment(hook.stopped_at),
        "stopped_by": hook.stopped_by,
        "failing_since": moment(hook.failing_since),
        "behind": one.behind,
        "waiting": delivery_answer(one.turn) if one.turn else None,
        "last": delivery_answer(one.last) if one.last else None,
        "test": delivery_answer(one.test) if one.test else None,
        "given_up": [delivery_answer(row) for row in one.dead],
    }


def delivery_answer(row: HookDelivery) -> Document:
    return {
        "line": row.number,
        "message": row.message,
        "state": row.state,
        "tries": row.tries,
        "tried_at": moment(row.tried_at),
        "due_at": moment(row.due_at),
        "answer": row.answer,
        "trouble": row.trouble,
    }
