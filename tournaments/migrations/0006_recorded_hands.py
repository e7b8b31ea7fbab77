"""Records of hands beside ledger entries; the database keeps them as they were attached."""

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")
Guard = guards.Guard

HAND_OF_SITTING = (
    "EXISTS (SELECT 1 FROM tournaments_ledgerentry l WHERE l.sitting_id = NEW.sitting_id AND l.hand_no = NEW.hand_no)"
)
GUARDS = [
    *guards.kept("tournaments_recordedhand", "OLD.tournament_id", noun="the record of a hand", no_update=True),
    Guard(
        "recordedhand_in_its_tournament",
        "tournaments_recordedhand",
        "INSERT",
        f"{guards.OF_SITTING.format(sitting='NEW.sitting_id')} <> NEW.tournament_id OR NOT {HAND_OF_SITTING}",
        "the record of a hand belongs to the tournament of its sitting, and its hand to that sitting",
    ),
]


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
    dependencies = [
        ("tournaments", "0005_rulings"),
    ]

    operations = [
        migrations.CreateModel(
            name="RecordedHand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hand_no", models.PositiveIntegerField()),
                ("number", models.PositiveIntegerField(help_text="from 1, for each hand of a sitting")),
                ("text", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("attached_at", models.DateTimeField()),
                (
                    "attached_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "sitting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="recorded_hands",
                        to="tournaments.sitting",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ["hand_no", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("sitting", "hand_no", "number"), name="recorded_hand_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("hand_no__gt", 0), ("number__gt", 0)), name="recorded_hand_numbers_positive"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="recorded_hand_has_text"
                    ),
                ],
            },
        ),
        migrations.RunPython(forwards, backwards),
    ]
