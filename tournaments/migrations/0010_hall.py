"""Where the tables of an event stand in the hall."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0009_second_factor"),
    ]

    operations = [
        migrations.CreateModel(
            name="TablePlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("row", models.PositiveSmallIntegerField(help_text="from the front, from 1")),
                ("column", models.PositiveSmallIntegerField(help_text="from the left, from 1")),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="place", to="tournaments.table"
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="table_places",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["row", "column"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "row", "column"), name="one_table_at_a_place"),
                    models.CheckConstraint(
                        condition=models.Q(("column__range", (1, 60)), ("row__range", (1, 60))),
                        name="table_inside_the_hall",
                    ),
                ],
            },
        ),
    ]
