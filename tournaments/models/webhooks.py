"""Addresses elsewhere that are told what happens in an event, and what they were told."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class HookKind(models.TextChoices):
    """What of the public feed an address is told: the words of its ``what``."""

    HAND = "hand", _("hands that count")
    ROUND = "round", _("rounds published, started or closed")
    PUBLICATION = "publication", _("standings that are published")


class StoppedBy(models.TextChoices):
    """Why nothing is sent to an address any more."""

    DESK = "desk", _("stopped at the desk")
    FAILING = "failing", _("it failed for days")
    GONE = "gone", _("their server wants no more")


class Webhook(models.Model):
    """An address that is told what is public of an event (推送地址), in the order of its feed.

    `secret` signs what is sent, sealed; `secret_before` the one that it replaced, which signs beside it for a day.
    The machine's own: `after`, the number of the last line of the feed that was handed to a delivery or passed over;
    `held_until`, that a worker is at it; `failing_since`, since when nothing got through.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="webhooks")
    number = models.PositiveSmallIntegerField()
    address = models.CharField(max_length=500)
    kinds: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    secret = models.CharField(max_length=300)
    secret_before = models.CharField(max_length=300, blank=True)
    secret_at = models.DateTimeField()
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    stopped_at = models.DateTimeField(null=True)
    stopped_by = models.CharField(max_length=8, blank=True, choices=StoppedBy.choices)
    after = models.BigIntegerField(default=-1)
    held_until = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="webhook_number_once"),
            models.CheckConstraint(
                condition=Q(stopped_at__isnull=True, stopped_by="") | Q(stopped_at__isnull=False) & ~Q(stopped_by=""),
                name="stopped_with_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"webhook {self.number} of event {self.tournament_id}"


class HookState(models.TextChoices):
    """Where a delivery is."""

    WAITING = "waiting", _("to be sent")
    DONE = "done", _("taken")
    DEAD = "dead", _("given up")


class HookDelivery(models.Model):
    """A line of the feed on its way to an address, or a test (without `number`). What it says is read when it is sent.

    `once`: tried a single time, beside the order: a test, or one that was given up before. `answer`: the status their
    server gave, `trouble` a word for what went wrong.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    number = models.BigIntegerField(null=True)
    message = models.CharField(max_length=64, help_text="the webhook-id")
    once = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=HookState.choices, default=HookState.WAITING)
    made_at = models.DateTimeField()
    due_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)
    answer = models.PositiveSmallIntegerField(null=True)
    trouble = models.CharField(max_length=16, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "number"], condition=Q(number__isnull=False), name="line_delivered_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.webhook_id}: {self.message}"
