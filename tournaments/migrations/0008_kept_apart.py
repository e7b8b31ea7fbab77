"""Two entrants whom draws keep apart: said with a reason, taken back once, never edited."""

from __future__ import annotations

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")

TABLE = "tournaments_keptapart"
GUARDS = [
    *guards.kept(TABLE, "OLD.tournament_id", noun="who is kept apart", no_update=False),
    guards.Guard(
        "keptapart_stays",
        TABLE,
        "UPDATE",
        guards.changed("tournament_id", "number", "one_id", "other_id", "force", "reason", "set_at", "set_by_id"),
        "who is kept apart is never edited",
    ),
    guards.Guard(
        "keptapart_revoked_once",
        TABLE,
        "UPDATE",
        "OLD.revoked_at IS NOT NULL AND " + guards.changed("revoked_at", "revoked_by_id", "revoked_why"),
        "that two are kept apart is taken back once",
    ),
]


def set_up(apps, schema_editor):
    for guard in GUARDS:
        schema_editor.execute(guards.sql(guard, schema_editor.connection.vendor), params=None)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0007_log"),
    ]

    operations = [
        migrations.CreateModel(
            name="KeptApart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(help_text="from 1")),
                (
                    "force",
                    models.CharField(
                        choices=[("must", "must never meet"), ("rather", "rather not, where possible")],
                        max_length=6,
                        verbose_name="how much",
                    ),
                ),
                ("reason", models.CharField(max_length=300)),
                ("set_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                ("revoked_why", models.CharField(blank=True, max_length=300)),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.entrant"
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.entrant"
                    ),
                ),
                (
                    "revoked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "set_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="kept_apart",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="kept_apart_number_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("revoked_at__isnull", True)),
                        fields=("one", "other"),
                        name="kept_apart_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("one", models.F("other")), _negated=True), name="kept_apart_are_two"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="kept_apart_has_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("revoked_at__isnull", True), ("revoked_by__isnull", True), ("revoked_why", "")),
                            models.Q(
                                ("revoked_at__isnull", False),
                                ("revoked_by__isnull", False),
                                models.Q(("revoked_why", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="kept_apart_revoked_whole",
                    ),
                ],
            },
        ),
        migrations.RunPython(set_up, migrations.RunPython.noop),
    ]
