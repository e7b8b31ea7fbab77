"""Where the phones of players are woken."""

from __future__ import annotations

from django.db import models

from .entrants import EntrantCode


class WakeAddress(models.Model):
    """Where a push service of a browser's maker takes messages for one phone, asked for with an entrant's own code.

    `address` is a secret: who has it can send. `public_key` and `secret` are the browser's, by which only it can read.
    """

    code = models.ForeignKey(EntrantCode, on_delete=models.PROTECT, related_name="wake_addresses")
    address = models.CharField(max_length=1000)
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the address")
    public_key = models.CharField(max_length=88)
    secret = models.CharField(max_length=24)
    language = models.CharField(max_length=8, help_text="in which it is told: en, zh-hans")
    asked_at = models.DateTimeField()

    class Meta:
        ordering = ["asked_at", "pk"]

    def __str__(self) -> str:
        return f"{self.digest[:16]} of code {self.code_id}"
