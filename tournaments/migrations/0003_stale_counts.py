"""What makes standings stale is counted by table, so that those which enter at once share no row."""

from __future__ import annotations

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")

TABLE = "tournaments_stalecount"
GUARDS = [
    *guards.kept(TABLE, "OLD.tournament_id", noun="a count of acts", no_update=False),
    guards.Guard(
        "stalecount_only_grows",
        TABLE,
        "UPDATE",
        guards.changed("tournament_id", "slot") + " OR NEW.number < OLD.number",
        "a count of acts only grows",
    ),
]


def set_up(apps, schema_editor):
    for guard in GUARDS:
        schema_editor.execute(guards.sql(guard, schema_editor.connection.vendor), params=None)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_guards")]
    operations = [
        migrations.AlterField(
            model_name="tournament",
            name="stale_number",
            field=models.PositiveBigIntegerField(
                default=0, help_text="raised by acts of the desk that may move standings"
            ),
        ),
        migrations.CreateModel(
            name="StaleCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slot", models.PositiveSmallIntegerField(help_text="id of the sitting, modulo SLOTS")),
                ("number", models.PositiveBigIntegerField(default=0)),
                (
                    "tournament",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stale_counts",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("tournament", "slot"), name="one_stale_count_a_slot")]
            },
        ),
        migrations.RunPython(set_up, migrations.RunPython.noop),
    ]
