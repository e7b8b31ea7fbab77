"""Who is ranked, and the players who play for them. Names live only here: documents join them when shown."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords


class Entrant(models.Model):
    """A pair, or in individual games one player, entered in a tournament (参赛方)."""

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="entrants")
    number = models.PositiveIntegerField(_("number"))
    external_id = models.CharField(_("external id"), max_length=64, null=True, blank=True)
    name = models.CharField(_("name"), max_length=80)
    name_latin = models.CharField(_("Latin name"), max_length=80, blank=True)
    unit = models.CharField(_("unit"), max_length=80, blank=True)
    withdrawn_at = models.DateTimeField(null=True)

    history = HistoricalRecords()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="entrant_number_once"),
            models.UniqueConstraint(
                fields=["tournament", "external_id"],
                condition=Q(external_id__isnull=False),
                name="entrant_external_id_once",
            ),
            models.CheckConstraint(condition=Q(number__gt=0), name="entrant_number_positive"),
            models.CheckConstraint(condition=~Q(name=""), name="entrant_has_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """A person who plays for an entrant (选手)."""

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="players")
    order = models.PositiveSmallIntegerField()
    external_id = models.CharField(_("external id"), max_length=64, blank=True)
    name = models.CharField(_("name"), max_length=60)
    name_latin = models.CharField(_("Latin name"), max_length=60, blank=True)

    history = HistoricalRecords()

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["entrant", "order"], name="player_order_once")]

    def __str__(self) -> str:
        return self.name
