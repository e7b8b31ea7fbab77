"""Counters of tries (计次) while the cache that usually keeps them is away."""

from __future__ import annotations

from django.db import models


class Counter(models.Model):
    """How often something was tried; it begins anew after `ends_at`."""

    key = models.CharField(max_length=255, unique=True)
    number = models.PositiveIntegerField(default=0)
    ends_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.key}: {self.number}"
