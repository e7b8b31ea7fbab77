"""Records of hands (牌谱) laid beside ledger entries: texts that only grow, the newest of an entry is the one shown."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class RecordedHand(models.Model):
    """The record of the hand that a ledger entry is about, in the notation of scoring.cards.records.

    `text` is canonical and holds no names; `digest` is its SHA-256. A better record is another row, with the next
    number.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="+")
    sitting = models.ForeignKey("Sitting", on_delete=models.PROTECT, related_name="recorded_hands")
    hand_no = models.PositiveIntegerField()
    number = models.PositiveIntegerField(help_text="from 1, for each hand of a sitting")
    text = models.TextField()
    digest = models.CharField(max_length=64)
    attached_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")
    attached_at = models.DateTimeField()

    class Meta:
        ordering = ["hand_no", "number"]
        constraints = [
            models.UniqueConstraint(fields=["sitting", "hand_no", "number"], name="recorded_hand_number_once"),
            models.CheckConstraint(condition=Q(hand_no__gt=0, number__gt=0), name="recorded_hand_numbers_positive"),
            models.CheckConstraint(condition=~Q(text=""), name="recorded_hand_has_text"),
        ]

    def __str__(self) -> str:
        return f"hand {self.hand_no} of sitting {self.sitting_id}, record {self.number}"
