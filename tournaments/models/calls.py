"""Calls of a table for a referee."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .seating import PARTIES, Sitting


class CallKind(models.TextChoices):
    CALL = "call", _("call")
    DISPUTE = "dispute", _("dispute")
    OBJECTION = "objection", _("objection")


class Call(models.Model):
    """A table asking for a referee: by a tap, by disagreeing twice, or by objecting to a referee's entry."""

    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="calls")
    kind = models.CharField(max_length=10, choices=CallKind.choices)
    side = models.CharField(max_length=2, choices=PARTIES, blank=True)
    hand_no = models.PositiveIntegerField(null=True)
    entry = models.ForeignKey("LedgerEntry", null=True, on_delete=models.PROTECT, related_name="calls")
    note = models.CharField(max_length=200, blank=True)
    called_at = models.DateTimeField()
    taken_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    taken_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["called_at"]

    def __str__(self) -> str:
        return f"{self.kind} at sitting {self.sitting_id}"
