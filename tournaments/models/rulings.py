"""Rulings (判罚): what happened, the clause it rests on, what was decided, and the appeal. Nothing is ever edited.

A ruling is proposed, then decided or cancelled; a decided one can be appealed once. Each step is an act, a row that
only grows; the database itself refuses any other way (migration 0002).
"""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .seating import PARTIES


class RulingSource(models.TextChoices):
    """Where the facts come from: a position of the adjudicator, an irregularity of the penalty schedule, or an official
    who gave the penalty at the table as he stated it."""

    CASE = "case", _("a position judged by the adjudicator")
    IRREGULARITY = "irregularity", _("an irregularity")
    OFFICIAL = "official", _("a penalty given at the table")


class RulingStatus(models.TextChoices):
    PROPOSED = "proposed", _("proposed")
    DECIDED = "decided", _("decided")
    CANCELLED = "cancelled", _("cancelled")


class AppealState(models.TextChoices):
    NONE = "none", _("no appeal")
    LODGED = "lodged", _("appeal open")
    UPHELD = "upheld", _("appeal upheld")
    REJECTED = "rejected", _("appeal rejected")


class Ruling(models.Model):
    """One ruling at a sitting, numbered through the event.

    `facts` is what was put to the rules, and as told; `clause` an id of the profile (`profile_digest`) or of the
    penalty schedule, `clause_text` what it then said; `proposal` and `penalty` what scoring.cards.irregularities
    proposes and what was decided: a ledger entry, another measure, or nothing. `entry` is the hand it is about.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="rulings")
    number = models.PositiveIntegerField(help_text="in the event, from 1")
    sitting = models.ForeignKey("Sitting", on_delete=models.PROTECT, related_name="rulings")
    entry = models.ForeignKey("LedgerEntry", null=True, on_delete=models.PROTECT, related_name="+")
    hand_no = models.PositiveIntegerField(null=True)
    side = models.CharField(max_length=2, choices=PARTIES, blank=True, help_text="whose act it was")
    source = models.CharField(max_length=12, choices=RulingSource.choices)
    facts = models.JSONField()
    clause = models.CharField(max_length=100)
    clause_text = models.JSONField()
    profile_digest = models.CharField(max_length=64)
    verdict = models.JSONField(help_text="the sentence in both languages")
    proposal = models.JSONField(null=True)
    proposed_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField()
    status = models.CharField(max_length=10, choices=RulingStatus.choices, default=RulingStatus.PROPOSED)
    penalty = models.JSONField(null=True)
    decided_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)
    appeal = models.CharField(max_length=10, choices=AppealState.choices, default=AppealState.NONE)
    appeal_until = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="ruling_number_once"),
            models.CheckConstraint(condition=Q(number__gt=0), name="ruling_number_positive"),
            models.CheckConstraint(condition=~Q(clause=""), name="ruling_cites_a_clause"),
            models.CheckConstraint(
                condition=Q(
                    decided_at__isnull=True, decided_by__isnull=True, appeal_until__isnull=True, penalty__isnull=True
                )
                | Q(decided_at__isnull=False, decided_by__isnull=False, appeal_until__isnull=False),
                name="ruling_decision_whole",
            ),
            models.CheckConstraint(
                condition=Q(status="cancelled")
                | Q(status="proposed", decided_at__isnull=True)
                | Q(status="decided", decided_at__isnull=False),
                name="decided_rulings_are_dated",
            ),
            models.CheckConstraint(
                condition=Q(appeal="none") | Q(decided_at__isnull=False), name="only_decided_rulings_are_appealed"
            ),
        ]
        indexes = [models.Index(fields=["tournament", "clause"], name="rulings_by_clause")]

    def __str__(self) -> str:
        return f"ruling {self.number} of {self.tournament_id}"

    @property
    def stands(self) -> bool:
        """Whether it is decided and neither cancelled nor overturned on appeal."""
        return self.status == RulingStatus.DECIDED and self.appeal != AppealState.UPHELD

    def appealable(self, now: datetime) -> bool:
        """Whether a side may still appeal against it."""
        waits = self.status == RulingStatus.DECIDED and self.appeal == AppealState.NONE
        return waits and self.appeal_until is not None and now <= self.appeal_until


class RulingStep(models.TextChoices):
    PROPOSE = "propose", _("proposed")
    DECIDE = "decide", _("decided")
    CANCEL = "cancel", _("cancelled")
    LODGE = "lodge", _("appeal lodged")
    UPHOLD = "uphold", _("appeal upheld")
    REJECT = "reject", _("appeal rejected")


class RulingAct(models.Model):
    """One step of a ruling: who, when, why, and the entry or correction of the record that came with it, or whether it
    ended the match as a forfeit."""

    ruling = models.ForeignKey(Ruling, on_delete=models.PROTECT, related_name="acts")
    step = models.CharField(max_length=10, choices=RulingStep.choices)
    at = models.DateTimeField()
    user = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    side = models.CharField(max_length=2, choices=PARTIES, blank=True, help_text="who acted, or for whom")
    reason = models.CharField(max_length=1000, blank=True)
    entry = models.ForeignKey("LedgerEntry", null=True, on_delete=models.PROTECT, related_name="ruling_acts")
    correction = models.ForeignKey("Correction", null=True, on_delete=models.PROTECT, related_name="ruling_acts")
    forfeited = models.BooleanField(default=False, help_text="it ended the match as a forfeit")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["ruling", "step"], name="ruling_step_once"),
            models.CheckConstraint(condition=~Q(user__isnull=True, side=""), name="ruling_act_has_an_actor"),
            models.CheckConstraint(
                condition=Q(step__in=["propose", "decide"]) | ~Q(reason=""), name="ruling_act_has_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.step} {self.ruling_id}"


class AppealMember(models.Model):
    """Who sat on the committee that decided an appeal (仲裁委员): officials of the event, odd in number."""

    act = models.ForeignKey(RulingAct, on_delete=models.PROTECT, related_name="committee")
    user = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["act", "user"], name="appeal_member_once")]

    def __str__(self) -> str:
        return f"{self.user_id} on act {self.act_id}"
