"""What the projector of an event shows."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class ScreenBoard(models.TextChoices):
    """What a page of the projector can show; in this order where nobody chose."""

    PAIRINGS = "pairings", _("Pairings")
    CLOCK = "clock", _("The clock alone")
    STANDINGS = "standings", _("Live standings")
    BRACKET = "bracket", _("Bracket")
    HANDS = "hands", _("Latest hands")
    MAP = "map", _("Map of the hall")
    SPONSORS = "sponsors", _("Sponsors")


class Projector(models.Model):
    """The boards of the projector (投影) in their order, and how the desk steers it.

    `held`: the board that is shown alone, empty while all take turns. `turned`: how often the desk asked for the next
    page; an open screen turns when it grows. `ticker`: the latest hands are told below the boards, but the map. `draw`:
    the draw whose ceremony is shown instead, since `begun_at`, with so many `balls` of it. An event without a row shows
    everything there is.
    """

    tournament = models.OneToOneField("Tournament", on_delete=models.PROTECT, related_name="projector")
    boards: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    held = models.CharField(max_length=12, blank=True, choices=ScreenBoard.choices)
    paused = models.BooleanField(default=False)
    ticker = models.BooleanField(default=False)
    turned = models.PositiveIntegerField(default=0)
    draw = models.ForeignKey("Draw", null=True, on_delete=models.PROTECT, related_name="+")
    begun_at = models.DateTimeField(null=True)
    balls = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"projector of event {self.tournament_id}"
