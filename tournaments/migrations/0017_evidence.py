"""Photos given as evidence with a call, and their bytes."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0016_waking"),
    ]

    operations = [
        migrations.CreateModel(
            name="Photo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "side",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("NS", "North-South"),
                            ("EW", "East-West"),
                            ("1", "seat 1"),
                            ("2", "seat 2"),
                            ("3", "seat 3"),
                            ("4", "seat 4"),
                            ("5", "seat 5"),
                        ],
                        help_text="none: an official",
                        max_length=2,
                    ),
                ),
                ("added_at", models.DateTimeField()),
                ("digest", models.CharField(help_text="SHA-256 of the bytes as they were kept", max_length=64)),
                ("removed_at", models.DateTimeField(null=True)),
                (
                    "added_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="photos", to="tournaments.call"
                    ),
                ),
                (
                    "removed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="PhotoContent",
            fields=[
                (
                    "photo",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="content",
                        serialize=False,
                        to="tournaments.photo",
                    ),
                ),
                ("content", models.BinaryField()),
                ("width", models.PositiveSmallIntegerField()),
                ("height", models.PositiveSmallIntegerField()),
            ],
        ),
        migrations.AddConstraint(
            model_name="photo",
            constraint=models.UniqueConstraint(
                condition=models.Q(("removed_at__isnull", True)),
                fields=("call", "side", "digest"),
                name="one_photo_a_party",
            ),
        ),
        migrations.AddConstraint(
            model_name="photo",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("removed_at__isnull", True), ("removed_by__isnull", True)),
                    models.Q(("removed_at__isnull", False), ("removed_by__isnull", False)),
                    _connector="OR",
                ),
                name="photo_removed_by_somebody",
            ),
        ),
    ]
