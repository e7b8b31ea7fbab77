"""The log of an event: every act as a signed leaf, and the signed heads of the tree of leaves (RFC 9162)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class LogLeaf(models.Model):
    """What one act wrote. `body` is never changed: the signature is of its bytes. Texts stand in it as commitments;
    `salts` opens them, and loses the salt of a person whose name is erased."""

    # without a constraint of its own, whose lock would make all tables write the header of one row
    tournament = models.ForeignKey(
        "Tournament", db_index=False, db_constraint=False, on_delete=models.PROTECT, related_name="log_leaves"
    )
    number = models.PositiveBigIntegerField(null=True, help_text="place in the tree, from 0; empty: not numbered yet")
    sitting_id = models.BigIntegerField(null=True, help_text="the table whose hands it is about")
    digest = models.CharField(max_length=64, help_text="the leaf of the tree: SHA-256 of a zero byte and the body")
    body = models.TextField()
    signature = models.CharField(max_length=128)
    salts = models.TextField(
        help_text="JSON: the salt of each row with a name, and under an empty key that of the rest"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="log_number_once")]
        indexes = [
            models.Index(fields=["tournament"], condition=Q(number__isnull=True), name="log_unnumbered"),
            models.Index(fields=["sitting_id"], condition=Q(sitting_id__isnull=False), name="log_of_sitting"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.number}"


class LogHead(models.Model):
    """How the tree of an event stood: so many leaves, this root, signed. The same stands in a file beside the
    database (`HEADS`)."""

    tournament = models.ForeignKey("Tournament", db_index=False, on_delete=models.PROTECT, related_name="log_heads")
    size = models.PositiveBigIntegerField()
    root = models.CharField(max_length=64)
    at = models.DateTimeField()
    signature = models.CharField(max_length=128)
    frontier = models.TextField(help_text="JSON: roots of the whole subtrees, from which the tree grows on")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "size"], name="log_head_once"),
            models.CheckConstraint(condition=Q(size__gt=0), name="log_head_has_leaves"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.size}"
