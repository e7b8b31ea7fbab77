"""Chains of stages, draws that are kept, duplicate boards, check-in; the database guards what was drawn.

SQLite makes a table anew to change it, and triggers that stand on it or speak of it do not survive that: there all
triggers are put aside before the changes and set up again after them.
"""

# ruff: noqa: S608 - statements are put together from the constants of this file

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")
Guard = guards.Guard

OF_STAGE = "(SELECT s.tournament_id FROM tournaments_stage s WHERE s.id = {stage})"
GUARDS = [
    *guards.kept("tournaments_draw", guards.OF_ROUND.format(row="OLD"), noun="a draw", no_update=True),
    Guard(
        "stageentrant_in_its_tournament",
        "tournaments_stageentrant",
        "INSERT",
        f"{guards.OF_ENTRANT.format(entrant='NEW.entrant_id')} <> {OF_STAGE.format(stage='NEW.stage_id')}",
        "an entrant of a stage belongs to its tournament",
    ),
    Guard(
        "checkin_in_its_tournament",
        "tournaments_checkin",
        "INSERT",
        f"{guards.OF_ENTRANT.format(entrant='NEW.entrant_id')} <> {guards.OF_ROUND.format(row='NEW')}",
        "an entrant checks in for a round of its tournament",
    ),
    Guard(
        "boardresult_in_its_tournament",
        "tournaments_boardresult",
        "INSERT",
        f"{guards.OF_SITTING.format(sitting='NEW.sitting_id')} <>"
        " (SELECT s.tournament_id FROM tournaments_board b JOIN tournaments_stage s ON s.id = b.stage_id"
        " WHERE b.id = NEW.board_id)",
        "a board belongs to the tournament of its sitting",
    ),
]

#: SQL of the triggers that are put aside while tables are made anew.
ASIDE: list[str] = []


def put_aside(apps, schema_editor):
    if schema_editor.connection.vendor != "sqlite":
        return
    ASIDE.clear()
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
        found = cursor.fetchall()
    for name, statement in found:
        ASIDE.append(statement)
        schema_editor.execute(f"DROP TRIGGER {name}")


def put_back(apps, schema_editor):
    if schema_editor.connection.vendor != "sqlite":
        return
    for statement in ASIDE:
        schema_editor.execute(statement, params=None)
    ASIDE.clear()


def set_up(apps, schema_editor):
    for guard in GUARDS:
        schema_editor.execute(guards.sql(guard, schema_editor.connection.vendor), params=None)


def take_down(apps, schema_editor):
    for guard in GUARDS:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER {guard.name} ON {guard.table}; DROP FUNCTION guard_{guard.name}()")
        else:
            schema_editor.execute(f"DROP TRIGGER {guard.name}")


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0006_recorded_hands"),
    ]

    operations = [
        migrations.RunPython(put_aside, put_back),
        migrations.CreateModel(
            name="BoardResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "dealer_side",
                    models.CharField(blank=True, choices=[("NS", "North-South"), ("EW", "East-West")], max_length=2),
                ),
                ("hand_points", models.IntegerField(null=True)),
                ("attackers_points", models.IntegerField(null=True)),
                ("ns_mark", models.JSONField(null=True)),
                ("ew_mark", models.JSONField(null=True)),
            ],
            options={
                "ordering": ["board__number"],
            },
        ),
        migrations.CreateModel(
            name="CheckIn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("arrived_at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["arrived_at"],
            },
        ),
        migrations.CreateModel(
            name="Draw",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "method",
                    models.CharField(
                        choices=[
                            ("swiss", "Swiss draw"),
                            ("danish", "Danish draw"),
                            ("round_robin", "table of the round robin"),
                            ("knockout", "knockout"),
                            ("movement", "movement"),
                            ("seats", "seats"),
                            ("hand", "by hand"),
                        ],
                        max_length=12,
                    ),
                ),
                ("document", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("reason", models.CharField(blank=True, help_text="why it was drawn again", max_length=200)),
                ("drawn_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="StageEntrant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("order", models.PositiveIntegerField(help_text="from 1")),
                (
                    "group",
                    models.PositiveSmallIntegerField(help_text="from 1; none in a stage without groups", null=True),
                ),
                ("from_group", models.PositiveSmallIntegerField(help_text="its group in the stage before", null=True)),
                ("from_rank", models.PositiveIntegerField(help_text="its rank in the stage before", null=True)),
                ("joined_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["order"],
            },
        ),
        migrations.AlterModelOptions(
            name="sitting",
            options={"ordering": ["table__number", "game"]},
        ),
        migrations.RemoveConstraint(
            model_name="sitting",
            name="one_sitting_a_room",
        ),
        migrations.RemoveConstraint(
            model_name="sitting",
            name="table_once_a_round",
        ),
        migrations.AddField(
            model_name="entrant",
            name="annulled_in",
            field=models.ForeignKey(
                help_text="withdrew before half of this round robin: its results in it do not count",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="annulled_entrants",
                to="tournaments.stage",
            ),
        ),
        migrations.AddField(
            model_name="entrant",
            name="category",
            field=models.CharField(blank=True, max_length=40, verbose_name="category"),
        ),
        migrations.AddField(
            model_name="entrant",
            name="excluded_at",
            field=models.DateTimeField(help_text="ruled out of the placing", null=True),
        ),
        migrations.AddField(
            model_name="entrant",
            name="seed",
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name="seed"),
        ),
        migrations.AddField(
            model_name="historicalentrant",
            name="annulled_in",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                help_text="withdrew before half of this round robin: its results in it do not count",
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="tournaments.stage",
            ),
        ),
        migrations.AddField(
            model_name="historicalentrant",
            name="category",
            field=models.CharField(blank=True, max_length=40, verbose_name="category"),
        ),
        migrations.AddField(
            model_name="historicalentrant",
            name="excluded_at",
            field=models.DateTimeField(help_text="ruled out of the placing", null=True),
        ),
        migrations.AddField(
            model_name="historicalentrant",
            name="seed",
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name="seed"),
        ),
        migrations.AddField(
            model_name="match",
            name="for_place",
            field=models.PositiveSmallIntegerField(help_text="3: the match for the third place", null=True),
        ),
        migrations.AddField(
            model_name="match",
            name="group",
            field=models.PositiveSmallIntegerField(
                help_text="the group it belongs to, in a stage with groups", null=True
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="slot",
            field=models.PositiveIntegerField(help_text="its place in the bracket from the top, from 1", null=True),
        ),
        migrations.AddField(
            model_name="pairing",
            name="digest",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="pairing",
            name="document",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="round",
            name="extra",
            field=models.BooleanField(
                default=False, help_text="only decides ties (加赛): gives no points, plans no round"
            ),
        ),
        migrations.AddField(
            model_name="sitting",
            name="boards",
            field=models.JSONField(help_text="duplicate: numbers of its boards in the order of play", null=True),
        ),
        migrations.AddField(
            model_name="sitting",
            name="extra_minutes",
            field=models.SmallIntegerField(default=0, help_text="extra time of this table, in minutes"),
        ),
        migrations.AddField(
            model_name="sitting",
            name="game",
            field=models.PositiveSmallIntegerField(default=1, help_text="which game of the match, from 1"),
        ),
        migrations.AddField(
            model_name="sitting",
            name="home_side",
            field=models.CharField(
                choices=[("NS", "North-South"), ("EW", "East-West")],
                default="NS",
                help_text="where the home entrant sits",
                max_length=2,
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="begun_at",
            field=models.DateTimeField(help_text="when its field of entrants was fixed", null=True),
        ),
        migrations.AddField(
            model_name="stage",
            name="plan",
            field=models.JSONField(default=dict, help_text="a tournaments.plans.Plan, what is usual left out"),
        ),
        migrations.AlterField(
            model_name="stage",
            name="format",
            field=models.CharField(
                choices=[
                    ("swiss_timed", "timed Swiss"),
                    ("danish", "Danish"),
                    ("rr", "round robin"),
                    ("groups_rr", "round robin in groups"),
                    ("ko_timed", "knockout"),
                    ("dup_teams", "duplicate, teams of four"),
                    ("dup_pairs", "duplicate, pairs"),
                    ("individual", "evening of single players"),
                ],
                max_length=16,
                verbose_name="format",
            ),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.UniqueConstraint(
                condition=models.Q(("seed__isnull", False)), fields=("tournament", "seed"), name="entrant_seed_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="sitting",
            constraint=models.UniqueConstraint(fields=("match", "room", "game"), name="one_sitting_a_room_and_game"),
        ),
        migrations.AddConstraint(
            model_name="sitting",
            constraint=models.UniqueConstraint(
                condition=models.Q(("active", True)),
                fields=("round", "table", "game"),
                name="table_once_a_round_and_game",
            ),
        ),
        migrations.AddField(
            model_name="boardresult",
            name="board",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="results", to="tournaments.board"
            ),
        ),
        migrations.AddField(
            model_name="boardresult",
            name="sitting",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="board_results", to="tournaments.sitting"
            ),
        ),
        migrations.AddField(
            model_name="checkin",
            name="entrant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="check_ins", to="tournaments.entrant"
            ),
        ),
        migrations.AddField(
            model_name="checkin",
            name="noted_by",
            field=models.ForeignKey(
                help_text="none: by the player's own code",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="checkin",
            name="round",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="check_ins", to="tournaments.round"
            ),
        ),
        migrations.AddField(
            model_name="checkin",
            name="undone_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="draw",
            name="drawn_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="draw",
            name="round",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="draws", to="tournaments.round"
            ),
        ),
        migrations.AddField(
            model_name="pairing",
            name="draw",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="pairings", to="tournaments.draw"
            ),
        ),
        migrations.AddField(
            model_name="stageentrant",
            name="entrant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="stages", to="tournaments.entrant"
            ),
        ),
        migrations.AddField(
            model_name="stageentrant",
            name="stage",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="field", to="tournaments.stage"
            ),
        ),
        migrations.AddConstraint(
            model_name="boardresult",
            constraint=models.UniqueConstraint(fields=("sitting", "board"), name="board_once_a_sitting"),
        ),
        migrations.AddConstraint(
            model_name="boardresult",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("attackers_points__isnull", True), ("hand_points__isnull", True)),
                    models.Q(
                        ("attackers_points__isnull", False),
                        ("hand_points__isnull", False),
                        models.Q(("dealer_side", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="board_result_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="boardresult",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ew_mark__isnull", True), ("ns_mark__isnull", True)),
                    models.Q(("ew_mark__isnull", False), ("ns_mark__isnull", False)),
                    _connector="OR",
                ),
                name="board_marks_of_both",
            ),
        ),
        migrations.AddConstraint(
            model_name="checkin",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undone_at__isnull", True)),
                fields=("entrant", "round"),
                name="check_in_once_a_round",
            ),
        ),
        migrations.AddConstraint(
            model_name="checkin",
            constraint=models.UniqueConstraint(
                condition=models.Q(("round__isnull", True), ("undone_at__isnull", True)),
                fields=("entrant",),
                name="check_in_once_for_the_event",
            ),
        ),
        migrations.AddConstraint(
            model_name="draw",
            constraint=models.UniqueConstraint(fields=("round", "number"), name="draw_number_once"),
        ),
        migrations.AddConstraint(
            model_name="draw",
            constraint=models.CheckConstraint(
                condition=models.Q(("number", 1), models.Q(("reason", ""), _negated=True), _connector="OR"),
                name="redraw_has_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="stageentrant",
            constraint=models.UniqueConstraint(fields=("stage", "entrant"), name="stage_entrant_once"),
        ),
        migrations.AddConstraint(
            model_name="stageentrant",
            constraint=models.UniqueConstraint(fields=("stage", "order"), name="stage_order_once"),
        ),
        migrations.RunPython(put_back, put_aside),
        migrations.RunPython(set_up, take_down),
    ]
