"""The codes on table cards, and the devices that took a place with them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .seating import PARTIES, Sitting, Table


class PartyCode(models.Model):
    """The code on a table card that opens one party's place. Only its digest is kept; the text is derived."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="codes")
    side = models.CharField(max_length=2, choices=PARTIES)
    generation = models.PositiveIntegerField(default=1)
    digest = models.CharField(max_length=64, unique=True)
    issued_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "side", "generation"], name="code_generation_once"),
            models.UniqueConstraint(
                fields=["table", "side"], condition=Q(revoked_at__isnull=True), name="one_code_a_side"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.side}"


class Device(models.Model):
    """A phone that holds one side's place at a sitting until the round ends or another takes over."""

    public_id = models.CharField(max_length=12, unique=True)
    code = models.ForeignKey(PartyCode, on_delete=models.PROTECT, related_name="devices")
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="devices")
    side = models.CharField(max_length=2, choices=PARTIES)
    token_digest = models.CharField(max_length=64, unique=True)
    claimed_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    released_at = models.DateTimeField(null=True)
    released_why = models.CharField(max_length=16, blank=True, help_text="taken_over, reissued, round_closed, desk")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sitting", "side"], condition=Q(released_at__isnull=True), name="one_device_a_place"
            ),
        ]

    def __str__(self) -> str:
        return self.public_id
