"""Long work that somebody asked for and a worker does (任务)."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q


class Job(models.Model):
    """One piece of long work: what it is about, who asked, and how it ended.

    How far it is stands in the cache, not here. A job that is done has a result, or the refusal that ended it; a file
    that it made stays in `content` for a day. Of one kind and subject at most one is open. Without a tournament it is
    the affair of who asked, and nobody else sees it.
    """

    tournament = models.ForeignKey("Tournament", null=True, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=24)
    subject = models.PositiveBigIntegerField(help_text="the id of what it is about, by kind: a round, an upload")
    arguments = models.JSONField(default=dict)
    asked_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0, help_text="how many workers began it")
    begun_at = models.DateTimeField(null=True, help_text="when the last worker began it")
    done_at = models.DateTimeField(null=True)
    result = models.JSONField(null=True)
    refusal = models.JSONField(null=True, help_text="code and message in en and zh, and findings")
    content = models.BinaryField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject"], condition=Q(done_at__isnull=True), name="one_open_job_a_subject"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.subject}"

    @property
    def due_at(self) -> datetime | None:
        """Not before then, where it waits for a time."""
        due = self.arguments.get("due_at")
        return None if due is None else datetime.fromisoformat(due)
