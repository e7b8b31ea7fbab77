"""Logos of an event, shown on a board of the projector too, and hands that run below its boards."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0018_passkeys"),
    ]

    operations = [
        migrations.CreateModel(
            name="Logo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(choices=[("association", "Association"), ("sponsor", "Sponsor")], max_length=12),
                ),
                ("name", models.CharField(max_length=60)),
                ("digest", models.CharField(help_text="SHA-256 of the bytes as they were kept", max_length=64)),
                ("added_at", models.DateTimeField()),
                (
                    "added_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="logos", to="tournaments.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ["kind", "pk"],
            },
        ),
        migrations.AddField(
            model_name="projector",
            name="ticker",
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="projector",
            name="held",
            field=models.CharField(
                blank=True,
                choices=[
                    ("pairings", "Pairings"),
                    ("clock", "The clock alone"),
                    ("standings", "Live standings"),
                    ("bracket", "Bracket"),
                    ("hands", "Latest hands"),
                    ("map", "Map of the hall"),
                    ("sponsors", "Sponsors"),
                ],
                max_length=12,
            ),
        ),
        migrations.CreateModel(
            name="LogoContent",
            fields=[
                (
                    "logo",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="content",
                        serialize=False,
                        to="tournaments.logo",
                    ),
                ),
                ("content", models.BinaryField()),
                ("width", models.PositiveSmallIntegerField()),
                ("height", models.PositiveSmallIntegerField()),
            ],
        ),
        migrations.AddConstraint(
            model_name="logo",
            constraint=models.UniqueConstraint(fields=("tournament", "digest"), name="one_logo_once"),
        ),
    ]
