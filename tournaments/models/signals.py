"""Signals: what an event asks of them, and the cards that its entrants file. Rows only grow; the newest holds."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class CardAsked(models.TextChoices):
    FREE = "free", _("free: a card may be filed")
    REQUIRED = "card_required", _("every entrant files a card before play")
    PRESCRIBED = "prescribed", _("one system for all")


class ReturnDuty(models.TextChoices):
    OFF = "off", _("no duty")
    NORMAL = "normal", _("normal: big cards may come first")
    STRICT = "strict", _("strict: only what was certain before the question")


class SignalTerms(models.Model):
    """What an event asks of signals (信号要求): cards, one system, the duty to return a lead and its fine in points."""

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="signal_terms")
    number = models.PositiveSmallIntegerField(help_text="from 1; the last one holds")
    card = models.CharField(_("signal cards"), max_length=16, choices=CardAsked.choices)
    prescribed: models.JSONField[list[str], list[str]] = models.JSONField(
        default=list, blank=True, help_text="the ranks of the direct signal"
    )
    return_duty = models.CharField(_("duty to return"), max_length=8, choices=ReturnDuty.choices)
    return_fine = models.PositiveSmallIntegerField(_("fine in points"))
    reason = models.CharField(max_length=300, blank=True)
    set_at = models.DateTimeField()
    set_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="signal_terms_number_once"),
            models.CheckConstraint(condition=Q(return_fine__lte=200), name="signal_fine_bounded"),
        ]

    def __str__(self) -> str:
        return f"signal terms {self.number} of {self.tournament_id}"


class SignalCard(models.Model):
    """What an entrant has agreed (信号约定卡), for everybody to see.

    `direct` are the ranks of its direct signal; `instead` names the rank that takes over where the first is the level.
    `indirect` are its other signals: ``{"topic", "by", "ranks", "instead", "meaning"}``. `after_start`: filed when the
    entrant had begun to play, which an official does, with a reason. Filed by nobody: by the entrant's own phone.
    """

    entrant = models.ForeignKey("Entrant", on_delete=models.PROTECT, related_name="signal_cards")
    number = models.PositiveSmallIntegerField(help_text="from 1; the last one holds")
    direct: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    instead: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    indirect: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(default=list, blank=True)
    system = models.CharField(max_length=40, blank=True)
    notes = models.CharField(max_length=400, blank=True)
    after_start = models.BooleanField()
    reason = models.CharField(max_length=300, blank=True)
    filed_at = models.DateTimeField()
    filed_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["entrant", "number"], name="signal_card_number_once"),
            models.CheckConstraint(
                condition=Q(after_start=False) | ~Q(reason="") & Q(filed_by__isnull=False),
                name="late_signal_card_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"signal card {self.number} of entrant {self.entrant_id}"
