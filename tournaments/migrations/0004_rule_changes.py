"""An event may change its rules, by a recorded act only: the guard of the tournament asks for that act."""

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")
Guard, changed = guards.Guard, guards.changed

FIXED = "tournament_rules_stay"
CHANGE_FIXED = (
    "tournament_id", "old_spec", "old_digest", "new_spec", "new_digest", "reason", "differences", "needs_second",
    "proposed_by_id", "proposed_at",
)  # fmt: skip
# the newest applied change leads from the rules that stood to the rules that are written
RECORDED = (
    "EXISTS (SELECT 1 FROM tournaments_rulechange c WHERE c.old_digest = OLD.profile_digest"
    " AND c.new_digest = NEW.profile_digest AND c.id = (SELECT MAX(a.id) FROM tournaments_rulechange a"
    " WHERE a.tournament_id = NEW.id AND a.status = 'applied'))"
)
GUARDS = [
    *guards.kept("tournaments_rulechange", "OLD.tournament_id", noun="a change of rules", no_update=False),
    Guard(
        "rulechange_facts_stay",
        "tournaments_rulechange",
        "UPDATE",
        changed(*CHANGE_FIXED) + " OR OLD.status <> 'proposed'",
        "a change of rules is decided once and never edited",
    ),
    Guard(
        FIXED,
        "tournaments_tournament",
        "UPDATE",
        changed("lot_seed", "lot_commitment", "created_at")
        + f" OR ({changed('profile_spec', 'profile_digest')} AND NOT {RECORDED})",
        "the lots of a tournament are fixed when it is created, its rules change by a recorded act only",
    ),
]


def take_down(guard, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP TRIGGER {guard.name} ON {guard.table}; DROP FUNCTION guard_{guard.name}()")
    else:
        schema_editor.execute(f"DROP TRIGGER {guard.name}")


def set_up(guard, schema_editor):
    schema_editor.execute(guards.sql(guard, schema_editor.connection.vendor), params=None)


def forwards(apps, schema_editor):
    for guard in guards.GUARDS:
        if guard.name == FIXED:
            take_down(guard, schema_editor)
    for guard in GUARDS:
        set_up(guard, schema_editor)


def backwards(apps, schema_editor):
    for guard in GUARDS:
        take_down(guard, schema_editor)
    for guard in guards.GUARDS:
        if guard.name == FIXED:
            set_up(guard, schema_editor)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_individual_games")]
    operations = [
        migrations.CreateModel(
            name="RuleChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("old_spec", models.JSONField()),
                ("old_digest", models.CharField(max_length=64)),
                ("new_spec", models.JSONField()),
                ("new_digest", models.CharField(max_length=64)),
                ("reason", models.CharField(max_length=300)),
                ("differences", models.JSONField()),
                ("needs_second", models.BooleanField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("proposed", "proposed, not yet applied"),
                            ("applied", "applied"),
                            ("refused", "refused"),
                            ("overtaken", "overtaken by what happened since"),
                        ],
                        default="proposed",
                        max_length=10,
                    ),
                ),
                ("proposed_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(null=True)),
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
                    "proposed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rule_changes",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="rule_change_has_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("new_digest", models.F("old_digest")), _negated=True),
                        name="rule_change_changes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "applied"), _negated=True),
                            models.Q(
                                ("decided_by__isnull", False),
                                models.Q(
                                    ("needs_second", False),
                                    models.Q(("decided_by", models.F("proposed_by")), _negated=True),
                                    _connector="OR",
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="rule_change_second_is_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at__isnull", True), ("status", "proposed")),
                            models.Q(models.Q(("status", "proposed"), _negated=True), ("decided_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="decided_rule_changes_are_dated",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "proposed")), fields=("tournament",), name="one_open_rule_change"
                    ),
                ],
            },
        ),
        migrations.RunPython(forwards, backwards),
    ]
