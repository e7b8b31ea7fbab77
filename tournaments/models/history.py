"""Who did what, when and why. Append-only: the database refuses edits and deletes. Holds ids, never names."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .seating import PARTIES


class HistoryEntry(models.Model):
    """One act (DESIGN: every act names its actor, time, reason, old and new values)."""

    tournament = models.ForeignKey(
        "Tournament", db_index=False, on_delete=models.PROTECT, related_name="history_entries"
    )
    at = models.DateTimeField()
    user = models.ForeignKey("User", null=True, db_index=False, on_delete=models.PROTECT, related_name="+")
    side = models.CharField(max_length=2, choices=PARTIES, blank=True)
    sitting = models.ForeignKey(
        "Sitting", null=True, db_index=False, on_delete=models.PROTECT, related_name="history_entries"
    )
    round = models.ForeignKey("Round", null=True, db_index=False, on_delete=models.PROTECT, related_name="+")
    act = models.CharField(max_length=40, help_text="a verb of tournaments.acts.access.Act")
    subject = models.CharField(max_length=60, blank=True, help_text="what it was done to: entry:12, entrant:3 …")
    reason = models.CharField(max_length=300, blank=True)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)

    class Meta:
        ordering = ["-at", "-id"]
        verbose_name_plural = "history entries"
        indexes = [
            models.Index(fields=["tournament", "-at"], name="history_of_tournament"),
            models.Index(fields=["sitting"], condition=Q(sitting__isnull=False), name="history_of_sitting"),
        ]

    def __str__(self) -> str:
        return f"{self.act} {self.subject}"
