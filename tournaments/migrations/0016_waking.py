"""Where the phones of players are woken."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0015_webhooks"),
    ]

    operations = [
        migrations.CreateModel(
            name="WakeAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(max_length=1000)),
                ("digest", models.CharField(help_text="SHA-256 of the address", max_length=64, unique=True)),
                ("public_key", models.CharField(max_length=88)),
                ("secret", models.CharField(max_length=24)),
                ("language", models.CharField(help_text="in which it is told: en, zh-hans", max_length=8)),
                ("asked_at", models.DateTimeField()),
                (
                    "code",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="wake_addresses",
                        to="tournaments.entrantcode",
                    ),
                ),
            ],
            options={
                "ordering": ["asked_at", "pk"],
            },
        ),
    ]
