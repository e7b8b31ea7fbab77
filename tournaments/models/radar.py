"""What officials made of the questions of the radar. Rows only grow; the newest of a flag holds."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q

FLAG_LENGTH: Final = 120
NOTE_LENGTH: Final = 300


class PutAside(models.Model):
    """A flag of the radar put aside with a note, or (`aside` false) taken up again.

    Flags are worked out from what stands and stored nowhere; `flag` is the name that one has for good.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="put_aside")
    number = models.PositiveIntegerField(help_text="in the event, from 1")
    flag = models.CharField(max_length=FLAG_LENGTH)
    aside = models.BooleanField()
    note = models.CharField(max_length=NOTE_LENGTH)
    put_at = models.DateTimeField()
    put_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "flags put aside"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="put_aside_number_once"),
            models.CheckConstraint(condition=~Q(note=""), name="put_aside_has_note"),
        ]

    def __str__(self) -> str:
        return f"{self.flag} of {self.tournament_id}"
