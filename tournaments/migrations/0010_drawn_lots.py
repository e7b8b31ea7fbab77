"""Lots drawn by hand for ties; the database keeps them as they were drawn."""

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")
OF_STAGE = "(SELECT s.tournament_id FROM tournaments_stage s WHERE s.id = OLD.stage_id)"
GUARDS = guards.kept("tournaments_drawnlots", OF_STAGE, noun="a draw of lots", no_update=True)


def forwards(apps, schema_editor):
    for guard in GUARDS:
        schema_editor.execute(guards.sql(guard, schema_editor.connection.vendor), params=None)


def backwards(apps, schema_editor):
    for guard in GUARDS:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER {guard.name} ON {guard.table}; DROP FUNCTION guard_{guard.name}()")
        else:
            schema_editor.execute(f"DROP TRIGGER {guard.name}")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_jobs")]

    operations = [
        migrations.CreateModel(
            name="DrawnLots",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(help_text="in the stage, from 1")),
                ("order", models.JSONField()),
                ("reason", models.CharField(max_length=300)),
                ("drawn_at", models.DateTimeField()),
                (
                    "drawn_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="drawn_lots", to="tournaments.stage"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "number"), name="drawn_lots_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="drawn_lots_have_reason"
                    ),
                ],
            },
        ),
        migrations.RunPython(forwards, backwards),
    ]
