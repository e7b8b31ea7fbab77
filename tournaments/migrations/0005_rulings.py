"""Rulings with their acts, the event's penalty schedule and its time to appeal; the database guards what was ruled."""

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")
Guard, changed = guards.Guard, guards.changed

FIXED = (
    "tournament_id", "number", "sitting_id", "entry_id", "hand_no", "side", "source", "facts", "clause", "clause_text",
    "profile_digest", "verdict", "proposal", "proposed_by_id", "proposed_at",
)  # fmt: skip
DECISION = ("penalty", "decided_by_id", "decided_at", "appeal_until")
OF_RULING = "(SELECT r.tournament_id FROM tournaments_ruling r WHERE r.id = {row}.ruling_id)"
SITTING_OF_ENTRY = "(SELECT l.sitting_id FROM tournaments_ledgerentry l WHERE l.id = NEW.entry_id)"
GUARDS = [
    *guards.kept("tournaments_ruling", "OLD.tournament_id", noun="a ruling", no_update=False),
    *guards.kept("tournaments_rulingact", OF_RULING.format(row="OLD"), noun="an act of a ruling", no_update=True),
    Guard(
        "ruling_facts_stay",
        "tournaments_ruling",
        "UPDATE",
        changed(*FIXED),
        "the facts of a ruling are never edited",
    ),
    Guard(
        "ruling_decided_once",
        "tournaments_ruling",
        "UPDATE",
        changed(*DECISION) + " AND NOT (OLD.status = 'proposed' AND NEW.status = 'decided')",
        "a ruling is decided once",
    ),
    Guard(
        "ruling_moves_lawfully",
        "tournaments_ruling",
        "UPDATE",
        "NOT (NEW.status = OLD.status"
        " OR (OLD.status = 'proposed' AND NEW.status IN ('decided', 'cancelled'))"
        " OR (OLD.status = 'decided' AND NEW.status = 'cancelled' AND OLD.appeal NOT IN ('lodged', 'upheld')))"
        " OR NOT (NEW.appeal = OLD.appeal OR (NEW.status = 'decided' AND OLD.status = 'decided'"
        " AND ((OLD.appeal = 'none' AND NEW.appeal = 'lodged')"
        " OR (OLD.appeal = 'lodged' AND NEW.appeal IN ('upheld', 'rejected')))))",
        "a ruling does not move that way",
    ),
    Guard(
        "ruling_in_its_tournament",
        "tournaments_ruling",
        "INSERT",
        f"{guards.OF_SITTING.format(sitting='NEW.sitting_id')} <> NEW.tournament_id"
        f" OR {SITTING_OF_ENTRY} <> NEW.sitting_id",
        "a ruling belongs to the tournament of its sitting, and its entry to that sitting",
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
        ("tournaments", "0004_rule_changes"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="appeal_minutes",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="none: 30", null=True, verbose_name="minutes to appeal against a ruling"
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="penalties",
            field=models.JSONField(
                help_text="a spec of scoring.penalties; none: standard", null=True, verbose_name="penalties"
            ),
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(help_text="in the event, from 1")),
                ("hand_no", models.PositiveIntegerField(null=True)),
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
                        help_text="whose act it was",
                        max_length=2,
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[("case", "a position judged by the adjudicator"), ("irregularity", "an irregularity")],
                        max_length=12,
                    ),
                ),
                ("facts", models.JSONField()),
                ("clause", models.CharField(max_length=100)),
                ("clause_text", models.JSONField()),
                ("profile_digest", models.CharField(max_length=64)),
                ("verdict", models.JSONField(help_text="the sentence in both languages")),
                ("proposal", models.JSONField(null=True)),
                ("proposed_at", models.DateTimeField()),
                (
                    "status",
                    models.CharField(
                        choices=[("proposed", "proposed"), ("decided", "decided"), ("cancelled", "cancelled")],
                        default="proposed",
                        max_length=10,
                    ),
                ),
                ("penalty", models.JSONField(null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "appeal",
                    models.CharField(
                        choices=[
                            ("none", "no appeal"),
                            ("lodged", "appeal open"),
                            ("upheld", "appeal upheld"),
                            ("rejected", "appeal rejected"),
                        ],
                        default="none",
                        max_length=10,
                    ),
                ),
                ("appeal_until", models.DateTimeField(null=True)),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.ledgerentry",
                    ),
                ),
                (
                    "proposed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "sitting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="rulings", to="tournaments.sitting"
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="rulings", to="tournaments.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="RulingAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "step",
                    models.CharField(
                        choices=[
                            ("propose", "proposed"),
                            ("decide", "decided"),
                            ("cancel", "cancelled"),
                            ("lodge", "appeal lodged"),
                            ("uphold", "appeal upheld"),
                            ("reject", "appeal rejected"),
                        ],
                        max_length=10,
                    ),
                ),
                ("at", models.DateTimeField()),
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
                        help_text="who acted, or for whom",
                        max_length=2,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=1000)),
                (
                    "correction",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ruling_acts",
                        to="tournaments.correction",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ruling_acts",
                        to="tournaments.ledgerentry",
                    ),
                ),
                (
                    "ruling",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="acts", to="tournaments.ruling"
                    ),
                ),
                (
                    "user",
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
        migrations.AddIndex(
            model_name="ruling",
            index=models.Index(fields=["tournament", "clause"], name="rulings_by_clause"),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="ruling_number_once"),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="ruling_number_positive"),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(("clause", ""), _negated=True), name="ruling_cites_a_clause"
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("appeal_until__isnull", True),
                        ("decided_at__isnull", True),
                        ("decided_by__isnull", True),
                        ("penalty__isnull", True),
                    ),
                    models.Q(
                        ("appeal_until__isnull", False), ("decided_at__isnull", False), ("decided_by__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="ruling_decision_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status", "cancelled"),
                    models.Q(("decided_at__isnull", True), ("status", "proposed")),
                    models.Q(("decided_at__isnull", False), ("status", "decided")),
                    _connector="OR",
                ),
                name="decided_rulings_are_dated",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(("appeal", "none"), ("decided_at__isnull", False), _connector="OR"),
                name="only_decided_rulings_are_appealed",
            ),
        ),
        migrations.AddConstraint(
            model_name="rulingact",
            constraint=models.UniqueConstraint(fields=("ruling", "step"), name="ruling_step_once"),
        ),
        migrations.AddConstraint(
            model_name="rulingact",
            constraint=models.CheckConstraint(
                condition=models.Q(("side", ""), ("user__isnull", True), _negated=True), name="ruling_act_has_an_actor"
            ),
        ),
        migrations.AddConstraint(
            model_name="rulingact",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("step__in", ["propose", "decide"]), models.Q(("reason", ""), _negated=True), _connector="OR"
                ),
                name="ruling_act_has_reason",
            ),
        ),
        migrations.RunPython(forwards, backwards),
    ]
