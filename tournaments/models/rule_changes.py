"""Changes of an event's rules: every one is a row, and the database lets the rules move by no other way."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class RuleChange(models.Model):
    """A change of the profile an event is judged by (改规则): first proposed with its differences, then applied.

    `differences` is what `events.rule_differences` found (ids, never names); `needs_second`: not by who proposed it.
    Before the first hand a change is applied at once.
    """

    class Status(models.TextChoices):
        PROPOSED = "proposed", _("proposed, not yet applied")
        APPLIED = "applied", _("applied")
        REFUSED = "refused", _("refused")
        OVERTAKEN = "overtaken", _("overtaken by what happened since")

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="rule_changes")
    old_spec = models.JSONField()
    old_digest = models.CharField(max_length=64)
    new_spec = models.JSONField()
    new_digest = models.CharField(max_length=64)
    reason = models.CharField(max_length=300)
    differences = models.JSONField()
    needs_second = models.BooleanField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PROPOSED)
    proposed_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField()
    decided_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="rule_change_has_reason"),
            models.CheckConstraint(condition=~Q(new_digest=F("old_digest")), name="rule_change_changes"),
            models.CheckConstraint(
                condition=~Q(status="applied")
                | Q(decided_by__isnull=False) & (Q(needs_second=False) | ~Q(decided_by=F("proposed_by"))),
                name="rule_change_second_is_another",
            ),
            models.CheckConstraint(
                condition=Q(status="proposed", decided_at__isnull=True)
                | (~Q(status="proposed") & Q(decided_at__isnull=False)),
                name="decided_rule_changes_are_dated",
            ),
            models.UniqueConstraint(fields=["tournament"], condition=Q(status="proposed"), name="one_open_rule_change"),
        ]

    def __str__(self) -> str:
        return f"rule change {self.pk} of {self.tournament_id}"
