"""Individual games: players at numbered places, matches without sides, results of each player.

SQLite makes a table anew to change it, and triggers that stand on it or speak of it do not survive that: all guards
are taken down first and set up again afterwards, with those of the new table.
"""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")
Guard = guards.Guard

OF_PLACE = "(SELECT m.{column} FROM tournaments_match m WHERE m.id = NEW.match_id)"

GUARDS = [
    Guard(
        "matchplace_in_its_tournament",
        "tournaments_matchplace",
        "INSERT",
        f"NEW.round_id <> {OF_PLACE.format(column='round_id')} OR {OF_PLACE.format(column='home_id')} IS NOT NULL OR "
        f"{guards.OF_ENTRANT.format(entrant='NEW.entrant_id')} <> {guards.OF_ROUND.format(row='NEW')}",
        "a place belongs to the round of its match, a match of single players of one tournament",
    ),
    Guard(
        "matchplace_seating_stays",
        "tournaments_matchplace",
        "UPDATE",
        guards.changed("match_id", "round_id", "place", "entrant_id") + " OR (NEW.active AND NOT OLD.active)",
        "who sits where is not edited: a later pairing replaces the match",
    ),
    Guard(
        "matchplace_sits_out_or_plays",
        "tournaments_matchplace",
        "INSERT",
        "NEW.active AND EXISTS (SELECT 1 FROM tournaments_match m WHERE m.round_id = NEW.round_id"
        " AND m.superseded_in_id IS NULL AND m.home_id = NEW.entrant_id)",
        "who sits out has no place in the same round",
    ),
    Guard(
        "match_sits_out_or_plays",
        "tournaments_match",
        "INSERT",
        "NEW.home_id IS NOT NULL AND EXISTS (SELECT 1 FROM tournaments_matchplace p"
        " WHERE p.round_id = NEW.round_id AND p.active AND p.entrant_id IN (NEW.home_id, NEW.away_id))",
        "who has a place does not sit out in the same round",
    ),
    Guard(
        "match_played_by_all_places",
        "tournaments_match",
        "UPDATE",
        "NEW.home_id IS NULL AND NEW.outcome = 'played' AND NOT (EXISTS (SELECT 1 FROM tournaments_matchplace p"
        " WHERE p.match_id = NEW.id) AND NOT EXISTS (SELECT 1 FROM tournaments_matchplace p"
        " WHERE p.match_id = NEW.id AND p.hundredths IS NULL))",
        "a match is played when every place has its result",
    ),
]


def set_up(apps, schema_editor):
    for guard in [*guards.GUARDS, *GUARDS]:
        schema_editor.execute(guards.sql(guard, schema_editor.connection.vendor), params=None)


def take_down(apps, schema_editor):
    for guard in GUARDS:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER {guard.name} ON {guard.table}; DROP FUNCTION guard_{guard.name}()")
        else:
            schema_editor.execute(f"DROP TRIGGER {guard.name}")
    guards.take_down(apps, schema_editor)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0002_guards"),
    ]

    operations = [
        migrations.RunPython(guards.take_down, guards.set_up),
        migrations.CreateModel(
            name="MatchPlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("active", models.BooleanField(default=True)),
                (
                    "place",
                    models.CharField(
                        choices=[
                            ("1", "seat 1"),
                            ("2", "seat 2"),
                            ("3", "seat 3"),
                            ("4", "seat 4"),
                            ("5", "seat 5"),
                        ],
                        max_length=1,
                    ),
                ),
                ("hundredths", models.BigIntegerField(null=True)),
                ("level", models.CharField(blank=True, max_length=8)),
                ("hands_won", models.PositiveIntegerField(null=True)),
                ("penalties", models.PositiveIntegerField(null=True)),
                ("winner", models.BooleanField(help_text="won the table, perhaps with others", null=True)),
            ],
            options={
                "ordering": ["place"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="ledgerentry",
            name="hands_are_numbered",
        ),
        migrations.RemoveConstraint(
            model_name="match",
            name="match_result_complete",
        ),
        migrations.AlterField(
            model_name="call",
            name="side",
            field=models.CharField(
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
                max_length=2,
            ),
        ),
        migrations.AlterField(
            model_name="device",
            name="side",
            field=models.CharField(
                choices=[
                    ("NS", "North-South"),
                    ("EW", "East-West"),
                    ("1", "seat 1"),
                    ("2", "seat 2"),
                    ("3", "seat 3"),
                    ("4", "seat 4"),
                    ("5", "seat 5"),
                ],
                max_length=2,
            ),
        ),
        migrations.AlterField(
            model_name="historyentry",
            name="side",
            field=models.CharField(
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
                max_length=2,
            ),
        ),
        migrations.AlterField(
            model_name="ledgerentry",
            name="confirmed_side",
            field=models.CharField(
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
                max_length=2,
            ),
        ),
        migrations.AlterField(
            model_name="ledgerentry",
            name="entered_side",
            field=models.CharField(
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
                max_length=2,
            ),
        ),
        migrations.AlterField(
            model_name="ledgerentry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("hand", "hand"),
                    ("annulled", "annulled hand"),
                    ("level_penalty", "level penalty"),
                    ("penalty", "penalty of a player"),
                    ("adjusted", "adjusted hand"),
                    ("end", "end"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="home",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="home_matches",
                to="tournaments.entrant",
            ),
        ),
        migrations.AlterField(
            model_name="partycode",
            name="side",
            field=models.CharField(
                choices=[
                    ("NS", "North-South"),
                    ("EW", "East-West"),
                    ("1", "seat 1"),
                    ("2", "seat 2"),
                    ("3", "seat 3"),
                    ("4", "seat 4"),
                    ("5", "seat 5"),
                ],
                max_length=2,
            ),
        ),
        migrations.AlterField(
            model_name="sitting",
            name="opening",
            field=models.JSONField(help_text="the kernel's opening of the game: levels, first dealer"),
        ),
        migrations.AlterField(
            model_name="stage",
            name="format",
            field=models.CharField(
                choices=[
                    ("swiss_timed", "timed Swiss"),
                    ("rr", "round robin"),
                    ("ko_timed", "timed knockout"),
                    ("individual", "evening of single players"),
                ],
                max_length=16,
                verbose_name="format",
            ),
        ),
        migrations.AlterField(
            model_name="stage",
            name="match_score",
            field=models.CharField(
                blank=True,
                help_text="a scale of scoring.match_scores; none: players' own scores",
                max_length=16,
                verbose_name="match score",
            ),
        ),
        migrations.AddConstraint(
            model_name="ledgerentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("hand_no__gt", 0), ("hand_no__isnull", False), ("kind__in", ["hand", "annulled", "adjusted"])
                    ),
                    models.Q(("hand_no__isnull", True), ("kind__in", ["level_penalty", "penalty", "end"])),
                    _connector="OR",
                ),
                name="hands_are_numbered",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("home__isnull", False), ("away__isnull", True), _connector="OR"),
                name="away_meets_home",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("away_hundredths__isnull", True), ("home_hundredths__isnull", True), ("outcome", "pending")
                    ),
                    models.Q(
                        ("away__isnull", True),
                        ("home__isnull", False),
                        ("home_hundredths__isnull", False),
                        ("outcome", "bye"),
                    ),
                    models.Q(
                        ("away_hundredths__isnull", True),
                        ("home__isnull", True),
                        ("home_hundredths__isnull", True),
                        ("outcome", "played"),
                    ),
                    models.Q(
                        ("outcome__in", ["played", "home_forfeit", "away_forfeit", "double_forfeit"]),
                        ("away__isnull", False),
                        ("away_hundredths__isnull", False),
                        ("home_hundredths__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="match_result_complete",
            ),
        ),
        migrations.AddField(
            model_name="matchplace",
            name="entrant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="places", to="tournaments.entrant"
            ),
        ),
        migrations.AddField(
            model_name="matchplace",
            name="match",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="places", to="tournaments.match"
            ),
        ),
        migrations.AddField(
            model_name="matchplace",
            name="round",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="places", to="tournaments.round"
            ),
        ),
        migrations.AddConstraint(
            model_name="matchplace",
            constraint=models.UniqueConstraint(fields=("match", "place"), name="place_once_a_match"),
        ),
        migrations.AddConstraint(
            model_name="matchplace",
            constraint=models.UniqueConstraint(
                condition=models.Q(("active", True)), fields=("round", "entrant"), name="place_once_a_round"
            ),
        ),
        migrations.AddConstraint(
            model_name="matchplace",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("hands_won__isnull", True),
                        ("hundredths__isnull", True),
                        ("level", ""),
                        ("penalties__isnull", True),
                        ("winner__isnull", True),
                    ),
                    models.Q(
                        ("hands_won__isnull", False),
                        ("hundredths__isnull", False),
                        ("penalties__isnull", False),
                        ("winner__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="place_result_complete",
            ),
        ),
        migrations.RunPython(set_up, take_down),
    ]
