"""What else is in the hall: doors, the organisers' desk, pillars."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0023_result_codes"),
    ]

    operations = [
        migrations.CreateModel(
            name="HallFixture",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(choices=[("door", "Door"), ("desk", "Desk"), ("pillar", "Pillar")], max_length=8),
                ),
                ("row", models.PositiveSmallIntegerField(help_text="from the front, from 1")),
                ("column", models.PositiveSmallIntegerField(help_text="from the left, from 1")),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hall_fixtures",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["row", "column"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "row", "column"), name="one_fixture_at_a_place"),
                    models.CheckConstraint(
                        condition=models.Q(("column__range", (1, 60)), ("row__range", (1, 60))),
                        name="fixture_inside_the_hall",
                    ),
                ],
            },
        ),
    ]
