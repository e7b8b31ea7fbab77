"""What events ask of signals, and the cards of entrants; both only grow."""

from __future__ import annotations

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")

GUARDS = [
    *guards.kept("tournaments_signalterms", "OLD.tournament_id", noun="what is asked of signals", no_update=True),
    *guards.kept(
        "tournaments_signalcard",
        guards.OF_ENTRANT.format(entrant="OLD.entrant_id"),
        noun="a signal card",
        no_update=True,
    ),
]


def set_up(apps, schema_editor):
    for guard in GUARDS:
        schema_editor.execute(guards.sql(guard, schema_editor.connection.vendor), params=None)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_dealings"),
    ]

    operations = [
        migrations.CreateModel(
            name="SignalCard",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(help_text="from 1; the last one holds")),
                ("direct", models.JSONField(blank=True, default=list)),
                ("instead", models.JSONField(blank=True, default=dict)),
                ("indirect", models.JSONField(blank=True, default=list)),
                ("system", models.CharField(blank=True, max_length=40)),
                ("notes", models.CharField(blank=True, max_length=400)),
                ("after_start", models.BooleanField()),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("filed_at", models.DateTimeField()),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signal_cards",
                        to="tournaments.entrant",
                    ),
                ),
                (
                    "filed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("entrant", "number"), name="signal_card_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("after_start", False),
                            models.Q(models.Q(("reason", ""), _negated=True), ("filed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="late_signal_card_has_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SignalTerms",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(help_text="from 1; the last one holds")),
                (
                    "card",
                    models.CharField(
                        choices=[
                            ("free", "free: a card may be filed"),
                            ("card_required", "every entrant files a card before play"),
                            ("prescribed", "one system for all"),
                        ],
                        max_length=16,
                        verbose_name="signal cards",
                    ),
                ),
                ("prescribed", models.JSONField(blank=True, default=list, help_text="the ranks of the direct signal")),
                (
                    "return_duty",
                    models.CharField(
                        choices=[
                            ("off", "no duty"),
                            ("normal", "normal: big cards may come first"),
                            ("strict", "strict: only what was certain before the question"),
                        ],
                        max_length=8,
                        verbose_name="duty to return",
                    ),
                ),
                ("return_fine", models.PositiveSmallIntegerField(verbose_name="fine in points")),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("set_at", models.DateTimeField()),
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
                        related_name="signal_terms",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="signal_terms_number_once"),
                    models.CheckConstraint(condition=models.Q(("return_fine__lte", 200)), name="signal_fine_bounded"),
                ],
            },
        ),
        migrations.RunPython(set_up, migrations.RunPython.noop),
    ]
