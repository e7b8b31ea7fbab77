"""Dealings: the boards of a session dealt from a secret that was committed before play."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q


class Dealing(models.Model):
    """The deals of the boards `first_board` to `last_board` of a stage (发牌): promised, then drawn, then shown.

    `commitment` is published before play; the `lot` is drawn in public after it; the `secret` is written when the
    session is over. Until then no secret stands in the database: it is made of the `nonce` and of the key of the
    installation, which is kept elsewhere. `reader` may see the deals before they are shown.
    """

    stage = models.ForeignKey("Stage", on_delete=models.PROTECT, related_name="dealings")
    number = models.PositiveSmallIntegerField(help_text="in the stage, from 1")
    first_board = models.PositiveIntegerField()
    last_board = models.PositiveIntegerField()
    decks = models.PositiveSmallIntegerField()
    nonce = models.CharField(max_length=64, blank=True, help_text="empty: read from a file, cannot be opened here")
    commitment = models.CharField(max_length=64)
    committed_at = models.DateTimeField()
    committed_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")
    reader = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    lot = models.CharField(max_length=100, blank=True)
    lot_at = models.DateTimeField(null=True)
    lot_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    secret = models.CharField(max_length=64, blank=True)
    shown_at = models.DateTimeField(null=True)
    shown_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="dealing_number_once"),
            models.CheckConstraint(
                condition=Q(first_board__gt=0, last_board__gte=F("first_board")), name="dealing_has_boards"
            ),
            models.CheckConstraint(condition=Q(decks__in=[1, 2, 3]), name="dealing_decks"),
            models.CheckConstraint(
                condition=Q(lot="", lot_at__isnull=True, lot_by__isnull=True)
                | ~Q(lot="") & Q(lot_at__isnull=False, lot_by__isnull=False),
                name="dealing_lot_whole",
            ),
            models.CheckConstraint(
                condition=Q(secret="", shown_at__isnull=True, shown_by__isnull=True)
                | ~Q(secret="") & ~Q(lot="") & Q(shown_at__isnull=False, shown_by__isnull=False),
                name="dealing_shown_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"boards {self.first_board} to {self.last_board} of stage {self.stage_id}"

    @property
    def boards(self) -> range:
        """The numbers of its boards."""
        return range(self.first_board, self.last_board + 1)
