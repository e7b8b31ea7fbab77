"""Terms of events that go on elsewhere, and acts of the disk before that are under review."""

from __future__ import annotations

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

AddColumn = import_module("tournaments.migrations.0009_second_factor").AddColumn


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0011_put_aside"),
    ]

    operations = [
        AddColumn(
            model_name="tournament",
            name="elsewhere",
            field=models.CharField(
                blank=True,
                choices=[
                    ("followed", "received from the laptop that writes"),
                    ("over", "goes on elsewhere in a later term"),
                ],
                default="",
                editable=False,
                max_length=12,
            ),
        ),
        migrations.CreateModel(
            name="Term",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(help_text="from 2")),
                ("began_at", models.DateTimeField()),
                ("head_size", models.PositiveBigIntegerField()),
                ("head_root", models.CharField(max_length=64)),
                ("head_signature", models.CharField(max_length=128)),
                ("key", models.CharField(help_text="the public key by which this term is signed", max_length=64)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="terms", to="tournaments.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="term_number_once"),
                    models.CheckConstraint(condition=models.Q(("number__gte", 2)), name="term_after_the_first"),
                ],
            },
        ),
        migrations.CreateModel(
            name="UnderReview",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                ("body", models.TextField()),
                ("signature", models.CharField(max_length=128)),
                ("sitting_id", models.BigIntegerField(help_text="the table whose hands it is about", null=True)),
                ("done_at", models.DateTimeField(help_text="when it was acknowledged")),
                ("what", models.JSONField()),
                ("listed_at", models.DateTimeField()),
                ("settled_at", models.DateTimeField(null=True)),
                ("note", models.CharField(blank=True, max_length=300)),
                (
                    "settled_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="under_review",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["done_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "digest"), name="reviewed_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("settled_at__isnull", True), ("settled_by__isnull", True)),
                            ("settled_at__isnull", False),
                            _connector="OR",
                        ),
                        name="settled_with_its_time",
                    ),
                ],
            },
        ),
    ]
