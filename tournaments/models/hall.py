"""Where the tables stand in the hall, and what else one finds there."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

#: Rows of a hall, and places in a row; empty ones are aisles.
MOST_PLACES: Final = 60


class TablePlace(models.Model):
    """Where a table stands (摆位): rows from the front of the hall, columns from the left, both from 1.

    An event whose tables have no rows here has said nothing: they stand in rows by their numbers.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="table_places")
    table = models.OneToOneField("Table", on_delete=models.PROTECT, related_name="place")
    row = models.PositiveSmallIntegerField(help_text="from the front, from 1")
    column = models.PositiveSmallIntegerField(help_text="from the left, from 1")

    class Meta:
        ordering = ["row", "column"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "row", "column"], name="one_table_at_a_place"),
            models.CheckConstraint(
                condition=Q(row__range=(1, MOST_PLACES), column__range=(1, MOST_PLACES)), name="table_inside_the_hall"
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.table_id} at {self.row}, {self.column}"


class FixtureKind(models.TextChoices):
    """What stands in a hall besides tables."""

    DOOR = "door", _("Door")
    DESK = "desk", _("Desk")
    PILLAR = "pillar", _("Pillar")


class HallFixture(models.Model):
    """What else is in the hall, on the same squares as the tables: so that who looks for one knows where he is."""

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="hall_fixtures")
    kind = models.CharField(max_length=8, choices=FixtureKind.choices)
    row = models.PositiveSmallIntegerField(help_text="from the front, from 1")
    column = models.PositiveSmallIntegerField(help_text="from the left, from 1")

    class Meta:
        ordering = ["row", "column"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "row", "column"], name="one_fixture_at_a_place"),
            models.CheckConstraint(
                condition=Q(row__range=(1, MOST_PLACES), column__range=(1, MOST_PLACES)), name="fixture_inside_the_hall"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.row}, {self.column}"
