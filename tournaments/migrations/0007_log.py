"""The log of an event: leaves that get a number and lose salts and are never changed else, and heads."""

from __future__ import annotations

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")

LEAF, HEAD = "tournaments_logleaf", "tournaments_loghead"
GUARDS = [
    *guards.kept(LEAF, "OLD.tournament_id", noun="a leaf of the log", no_update=False),
    guards.Guard(
        "logleaf_stays",
        LEAF,
        "UPDATE",
        guards.changed("tournament_id", "sitting_id", "digest", "body", "signature"),
        "a leaf of the log is never edited",
    ),
    guards.Guard(
        "logleaf_numbered_once",
        LEAF,
        "UPDATE",
        "OLD.number IS NOT NULL AND " + guards.changed("number"),
        "a leaf of the log is numbered once",
    ),
    *guards.kept(HEAD, "OLD.tournament_id", noun="a head of the log", no_update=True),
]


def set_up(apps, schema_editor):
    for guard in GUARDS:
        schema_editor.execute(guards.sql(guard, schema_editor.connection.vendor), params=None)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0006_signals"),
    ]

    operations = [
        migrations.CreateModel(
            name="LogHead",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("size", models.PositiveBigIntegerField()),
                ("root", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
                ("signature", models.CharField(max_length=128)),
                (
                    "frontier",
                    models.TextField(help_text="JSON: roots of the whole subtrees, from which the tree grows on"),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="log_heads",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "size"), name="log_head_once"),
                    models.CheckConstraint(condition=models.Q(("size__gt", 0)), name="log_head_has_leaves"),
                ],
            },
        ),
        migrations.CreateModel(
            name="LogLeaf",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "number",
                    models.PositiveBigIntegerField(
                        help_text="place in the tree, from 0; empty: not numbered yet", null=True
                    ),
                ),
                ("sitting_id", models.BigIntegerField(help_text="the table whose hands it is about", null=True)),
                (
                    "digest",
                    models.CharField(
                        help_text="the leaf of the tree: SHA-256 of a zero byte and the body", max_length=64
                    ),
                ),
                ("body", models.TextField()),
                ("signature", models.CharField(max_length=128)),
                (
                    "salts",
                    models.TextField(
                        help_text="JSON: the salt of each row with a name, and under an empty key that of the rest"
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="log_leaves",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("number__isnull", True)), fields=["tournament"], name="log_unnumbered"
                    ),
                    models.Index(
                        condition=models.Q(("sitting_id__isnull", False)), fields=["sitting_id"], name="log_of_sitting"
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("tournament", "number"), name="log_number_once")],
            },
        ),
        migrations.RunPython(set_up, migrations.RunPython.noop),
    ]
