"""Events that go on elsewhere: the terms in which they were written, and acts that only another disk had."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Elsewhere(models.TextChoices):
    """Why nothing is written to an event here."""

    FOLLOWED = "followed", _("received from the laptop that writes")
    OVER = "over", _("goes on elsewhere in a later term")


class Term(models.Model):
    """An event went on at another installation (接手): from here on that one wrote. The first term has no row.

    `head_size`, `head_root` and `head_signature` are the last signed head it held of the one before.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="terms")
    number = models.PositiveSmallIntegerField(help_text="from 2")
    began_at = models.DateTimeField()
    head_size = models.PositiveBigIntegerField()
    head_root = models.CharField(max_length=64)
    head_signature = models.CharField(max_length=128)
    key = models.CharField(max_length=64, help_text="the public key by which this term is signed")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="term_number_once"),
            models.CheckConstraint(condition=Q(number__gte=2), name="term_after_the_first"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}, term {self.number}"


class UnderReview(models.Model):
    """An act that the installation before had acknowledged and nobody else received: found on its disk, applied by
    nobody. An official looks at it and says what was done about it.

    `what` is what the act wrote, as JSON: ``[table, how, {column: value}]`` for each row, with texts where the old
    disk still had them.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="under_review")
    digest = models.CharField(max_length=64)
    body = models.TextField()
    signature = models.CharField(max_length=128)
    sitting_id = models.BigIntegerField(null=True, help_text="the table whose hands it is about")
    done_at = models.DateTimeField(help_text="when it was acknowledged")
    what = models.JSONField()
    listed_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["done_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "digest"], name="reviewed_once"),
            models.CheckConstraint(
                condition=Q(settled_at__isnull=True, settled_by__isnull=True) | Q(settled_at__isnull=False),
                name="settled_with_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.digest[:16]}"
