"""What the projector of an event shows."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0012_terms"),
    ]

    operations = [
        migrations.CreateModel(
            name="Projector",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("boards", models.JSONField(default=list)),
                (
                    "held",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("pairings", "Pairings"),
                            ("clock", "The clock alone"),
                            ("standings", "Live standings"),
                            ("bracket", "Bracket"),
                            ("hands", "Latest hands"),
                            ("map", "Map of the hall"),
                        ],
                        max_length=12,
                    ),
                ),
                ("paused", models.BooleanField(default=False)),
                ("turned", models.PositiveIntegerField(default=0)),
                ("balls", models.PositiveIntegerField(default=0)),
                (
                    "draw",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.draw",
                    ),
                ),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="projector",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
    ]
