"""Flags of the radar that officials put aside: rows only grow."""

from __future__ import annotations

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")

GUARDS = guards.kept("tournaments_putaside", "OLD.tournament_id", noun="what became of a flag", no_update=True)


def set_up(apps, schema_editor):
    for guard in GUARDS:
        schema_editor.execute(guards.sql(guard, schema_editor.connection.vendor), params=None)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_hall"),
    ]

    operations = [
        migrations.CreateModel(
            name="PutAside",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(help_text="in the event, from 1")),
                ("flag", models.CharField(max_length=120)),
                ("aside", models.BooleanField()),
                ("note", models.CharField(max_length=300)),
                ("put_at", models.DateTimeField()),
                (
                    "put_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="put_aside",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "flags put aside",
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="put_aside_number_once"),
                    models.CheckConstraint(condition=models.Q(("note", ""), _negated=True), name="put_aside_has_note"),
                ],
            },
        ),
        migrations.RunPython(set_up, migrations.RunPython.noop),
    ]
