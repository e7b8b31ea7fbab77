"""Phones that agree without a network: their keys, and the result codes that came in."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0022_moved_to"),
    ]

    operations = [
        migrations.CreateModel(
            name="DeviceKey",
            fields=[
                (
                    "device",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="key",
                        serialize=False,
                        to="tournaments.device",
                    ),
                ),
                ("public_key", models.CharField(max_length=100)),
                ("enrolled_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="ResultCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hand_no", models.PositiveIntegerField()),
                (
                    "based_on",
                    models.PositiveIntegerField(help_text="the revision of the sitting that the claiming phone saw"),
                ),
                ("once_key", models.CharField(max_length=36)),
                ("digest", models.CharField(help_text="SHA-256 of what was claimed", max_length=64)),
                ("text", models.TextField(help_text="the whole code, so that its signatures can be checked again")),
                ("status", models.CharField(choices=[("counted", "Counted"), ("review", "Review")], max_length=8)),
                ("why", models.CharField(blank=True, help_text="the code of the refusal, under review", max_length=40)),
                (
                    "left_at",
                    models.PositiveIntegerField(help_text="the revision of the sitting after it counted", null=True),
                ),
                ("given_at", models.DateTimeField()),
                (
                    "agreed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.device"
                    ),
                ),
                (
                    "claimed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.device"
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.ledgerentry",
                    ),
                ),
                (
                    "given_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sitting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="result_codes",
                        to="tournaments.sitting",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("sitting", "digest"), name="one_result_code")],
            },
        ),
    ]
