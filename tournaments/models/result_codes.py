"""Phones that agree without a network: the keys they sign with, and the result codes that came in."""

from __future__ import annotations

from django.db import models

from .devices import Device
from .seating import Sitting


class DeviceKey(models.Model):
    """The public key of a phone that holds a place: a point of P-256. The other half never leaves the phone."""

    device = models.OneToOneField(Device, on_delete=models.PROTECT, related_name="key", primary_key=True)
    public_key = models.CharField(max_length=100)
    enrolled_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"key of {self.device_id}"


class ResultCode(models.Model):
    """A result code (结果码) with the signatures of two phones, as it came in: it counts, or somebody looks at it.

    `once_key` is the key under which the claiming phone sends the hand itself, so that it counts once.
    """

    class Status(models.TextChoices):
        COUNTED = "counted"
        REVIEW = "review"

    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="result_codes")
    hand_no = models.PositiveIntegerField()
    based_on = models.PositiveIntegerField(help_text="the revision of the sitting that the claiming phone saw")
    once_key = models.CharField(max_length=36)
    digest = models.CharField(max_length=64, help_text="SHA-256 of what was claimed")
    claimed_by = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="+")
    agreed_by = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="+")
    text = models.TextField(help_text="the whole code, so that its signatures can be checked again")
    status = models.CharField(max_length=8, choices=Status.choices)
    why = models.CharField(max_length=40, blank=True, help_text="the code of the refusal, under review")
    entry = models.ForeignKey("LedgerEntry", null=True, on_delete=models.PROTECT, related_name="+")
    left_at = models.PositiveIntegerField(null=True, help_text="the revision of the sitting after it counted")
    given_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sitting", "digest"], name="one_result_code"),
        ]

    def __str__(self) -> str:
        return f"code of hand {self.hand_no} at sitting {self.sitting_id}"
