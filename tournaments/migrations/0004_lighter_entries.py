"""The tables of an entry without indexes that another one serves or that hold mostly nothing.

Only indexes go and come (and, on PostgreSQL, one foreign key that a guard and the sitting's own key hold already), so
no table is made anew and the guards stay. What is left, and why: docs/performance.md.
"""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

#: Columns whose own index goes: the beginning of a wider one, of no use to any question, or replaced by one that
#: leaves out what is empty.
WITHOUT_INDEX = (
    *(
        ("tournaments_ledgerentry", column)
        for column in (
            "tournament_id", "sitting_id", "board_id", "contests_id", "entered_by_id", "confirmed_by_id",
            "entered_device_id", "confirmed_device_id",
        )
    ),
    *(("tournaments_historyentry", column) for column in ("tournament_id", "user_id", "sitting_id", "round_id")),
    ("tournaments_savedanswer", "saved_at"),
    ("tournaments_sitting", "match_id"),
)  # fmt: skip
#: Rows that change in place leave room on their page, so that no index is written: per cent that are filled.
FILLED = {"tournaments_sitting": 70, "tournaments_stalecount": 50}


def drop(apps, schema_editor):
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        for table, column in WITHOUT_INDEX:
            for name, found in connection.introspection.get_constraints(cursor, table).items():
                plain = found["index"] and not found["unique"] and not found["primary_key"]
                if plain and found["columns"] == [column]:
                    schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")
        if connection.vendor != "postgresql":
            return
        for name, found in connection.introspection.get_constraints(cursor, "tournaments_ledgerentry").items():
            if found["foreign_key"] and found["columns"] == ["tournament_id"]:
                quoted = schema_editor.quote_name(name)
                schema_editor.execute(f"ALTER TABLE tournaments_ledgerentry DROP CONSTRAINT {quoted}")
        for table, share in FILLED.items():
            schema_editor.execute(f"ALTER TABLE {table} SET (fillfactor = {share})")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_stale_counts")]
    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(drop, migrations.RunPython.noop)],
            state_operations=[
                migrations.AlterField(
                    model_name="historyentry",
                    name="round",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.round",
                    ),
                ),
                migrations.AlterField(
                    model_name="historyentry",
                    name="sitting",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="history_entries",
                        to="tournaments.sitting",
                    ),
                ),
                migrations.AlterField(
                    model_name="historyentry",
                    name="tournament",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="history_entries",
                        to="tournaments.tournament",
                    ),
                ),
                migrations.AlterField(
                    model_name="historyentry",
                    name="user",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    model_name="ledgerentry",
                    name="board",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="tournaments.board",
                    ),
                ),
                migrations.AlterField(
                    model_name="ledgerentry",
                    name="confirmed_by",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    model_name="ledgerentry",
                    name="confirmed_device",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.device",
                    ),
                ),
                migrations.AlterField(
                    model_name="ledgerentry",
                    name="contests",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="contested_by",
                        to="tournaments.ledgerentry",
                    ),
                ),
                migrations.AlterField(
                    model_name="ledgerentry",
                    name="entered_by",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    model_name="ledgerentry",
                    name="entered_device",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.device",
                    ),
                ),
                migrations.AlterField(
                    model_name="ledgerentry",
                    name="sitting",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="tournaments.sitting",
                    ),
                ),
                migrations.AlterField(
                    model_name="ledgerentry",
                    name="tournament",
                    field=models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        help_text="that of the sitting: a guard holds it",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.tournament",
                    ),
                ),
                migrations.AlterField(
                    model_name="savedanswer",
                    name="saved_at",
                    field=models.DateTimeField(),
                ),
                migrations.AlterField(
                    model_name="sitting",
                    name="match",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sittings",
                        to="tournaments.match",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="historyentry",
            index=models.Index(
                condition=models.Q(("sitting__isnull", False)), fields=["sitting"], name="history_of_sitting"
            ),
        ),
        migrations.AddIndex(
            model_name="ledgerentry",
            index=models.Index(condition=models.Q(("board__isnull", False)), fields=["board"], name="entries_of_board"),
        ),
        migrations.AddIndex(
            model_name="ledgerentry",
            index=models.Index(
                condition=models.Q(("contests__isnull", False)), fields=["contests"], name="entries_that_contest"
            ),
        ),
        migrations.AddIndex(
            model_name="ledgerentry",
            index=models.Index(
                condition=models.Q(("entered_device__isnull", False)),
                fields=["entered_device"],
                name="entries_of_device",
            ),
        ),
        migrations.AddIndex(
            model_name="ledgerentry",
            index=models.Index(
                condition=models.Q(("confirmed_device__isnull", False)),
                fields=["confirmed_device"],
                name="confirmed_by_device",
            ),
        ),
    ]
