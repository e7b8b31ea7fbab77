"""The deals of duplicate boards: promised, drawn and shown, each once."""

from __future__ import annotations

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")

TABLE = "tournaments_dealing"
GUARDS = [
    *guards.kept(TABLE, guards.OF_STAGE.format(row="OLD"), noun="a promise of deals", no_update=False),
    guards.Guard(
        "dealing_promise_stays",
        TABLE,
        "UPDATE",
        guards.changed(
            "stage_id", "number", "first_board", "last_board", "decks", "nonce", "commitment", "committed_at",
            "committed_by_id",
        ),
        "a promise of deals is never edited",
    ),
    guards.Guard(
        "dealing_lot_once",
        TABLE,
        "UPDATE",
        "OLD.lot <> '' AND " + guards.changed("lot", "lot_at", "lot_by_id"),
        "the lot of deals is drawn once",
    ),
    guards.Guard(
        "dealing_shown_once",
        TABLE,
        "UPDATE",
        "OLD.secret <> '' AND " + guards.changed("secret", "shown_at", "shown_by_id", "reader_id"),
        "deals are shown once",
    ),
]  # fmt: skip


def set_up(apps, schema_editor):
    for guard in GUARDS:
        schema_editor.execute(guards.sql(guard, schema_editor.connection.vendor), params=None)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0004_lighter_entries"),
    ]

    operations = [
        migrations.CreateModel(
            name="Dealing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(help_text="in the stage, from 1")),
                ("first_board", models.PositiveIntegerField()),
                ("last_board", models.PositiveIntegerField()),
                ("decks", models.PositiveSmallIntegerField()),
                (
                    "nonce",
                    models.CharField(
                        blank=True, help_text="empty: read from a file, cannot be opened here", max_length=64
                    ),
                ),
                ("commitment", models.CharField(max_length=64)),
                ("committed_at", models.DateTimeField()),
                ("lot", models.CharField(blank=True, max_length=100)),
                ("lot_at", models.DateTimeField(null=True)),
                ("secret", models.CharField(blank=True, max_length=64)),
                ("shown_at", models.DateTimeField(null=True)),
                (
                    "committed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "lot_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reader",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "shown_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="dealings", to="tournaments.stage"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "number"), name="dealing_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("first_board__gt", 0), ("last_board__gte", models.F("first_board"))),
                        name="dealing_has_boards",
                    ),
                    models.CheckConstraint(condition=models.Q(("decks__in", [1, 2, 3])), name="dealing_decks"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("lot", ""), ("lot_at__isnull", True), ("lot_by__isnull", True)),
                            models.Q(
                                models.Q(("lot", ""), _negated=True),
                                ("lot_at__isnull", False),
                                ("lot_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="dealing_lot_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("secret", ""), ("shown_at__isnull", True), ("shown_by__isnull", True)),
                            models.Q(
                                models.Q(("secret", ""), _negated=True),
                                models.Q(("lot", ""), _negated=True),
                                ("shown_at__isnull", False),
                                ("shown_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="dealing_shown_whole",
                    ),
                ],
            },
        ),
        migrations.RunPython(set_up, migrations.RunPython.noop),
    ]
