"""Computed tables (runs) and frozen, numbered ones (publications)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Recalculation(models.Model):
    """How far a tournament's standings have caught up. Its row is the lock that makes recalculation single-flight."""

    tournament = models.OneToOneField("Tournament", on_delete=models.CASCADE, related_name="recalculation")
    covered_number = models.PositiveBigIntegerField(default=0)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.tournament_id} covers {self.covered_number}"


class StaleCount(models.Model):
    """How often acts at some of an event's tables moved what counts. It only grows, and stays when a table goes.

    Tables that enter at the same time raise rows of their own, so none waits for another. The acts of the desk are
    counted by `Tournament.stale_number`.
    """

    #: The tables of an event are spread over so many rows.
    SLOTS = 16

    tournament = models.ForeignKey("Tournament", on_delete=models.CASCADE, related_name="stale_counts", db_index=False)
    slot = models.PositiveSmallIntegerField(help_text="id of the sitting, modulo SLOTS")
    number = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "slot"], name="one_stale_count_a_slot")]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.slot}: {self.number}"


class StandingsRun(models.Model):
    """The live table of a stage. `rows` are scoring.standings rows as JSON: entrant ids, never names."""

    stage = models.OneToOneField("Stage", on_delete=models.CASCADE, related_name="run")
    covers = models.PositiveBigIntegerField(help_text="the tournament's stale number that it covers")
    rows = models.JSONField()
    digest = models.CharField(max_length=64)
    provisional = models.BooleanField(default=True, help_text="something it counts is unfinished or in dispute")
    computed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"run of stage {self.stage_id}"


class Publication(models.Model):
    """A published table: numbered, frozen, with its digest. A new one supersedes; nothing changes an old one.

    `document` is canonical JSON text (ids, never names); `digest` is its SHA-256.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="publications")
    stage = models.ForeignKey("Stage", on_delete=models.PROTECT, related_name="publications")
    round = models.ForeignKey("Round", on_delete=models.PROTECT, related_name="publications")
    number = models.PositiveIntegerField()
    supersedes = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="superseded_by")
    reason = models.CharField(max_length=300, blank=True)
    provisional = models.BooleanField()
    document = models.TextField()
    digest = models.CharField(max_length=64)
    published_at = models.DateTimeField()
    published_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="publication_number_once"),
            models.CheckConstraint(
                condition=Q(supersedes__isnull=True) | ~Q(reason=""), name="superseding_publication_has_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} no. {self.number}"


class DrawnLots(models.Model):
    """Lots drawn by hand among entrants that are tied: the first of `order` (entrant ids) goes first. Rows only grow.

    The newest draw holds for whoever is in it.
    """

    stage = models.ForeignKey("Stage", on_delete=models.PROTECT, related_name="drawn_lots")
    number = models.PositiveSmallIntegerField(help_text="in the stage, from 1")
    order = models.JSONField()
    reason = models.CharField(max_length=300)
    drawn_at = models.DateTimeField()
    drawn_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="drawn_lots_number_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="drawn_lots_have_reason"),
        ]

    def __str__(self) -> str:
        return f"lots {self.number} of stage {self.stage_id}"
