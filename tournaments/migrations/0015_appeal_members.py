"""Who sat on the committee that decided an appeal; the database keeps them as they were noted."""

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("tournaments.migrations.0002_guards")
OF_ACT = (
    "(SELECT r.tournament_id FROM tournaments_ruling r"
    " JOIN tournaments_rulingact a ON a.ruling_id = r.id WHERE a.id = OLD.act_id)"
)
GUARDS = guards.kept("tournaments_appealmember", OF_ACT, noun="who decided an appeal", no_update=True)


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
    dependencies = [("tournaments", "0014_games")]

    operations = [
        migrations.CreateModel(
            name="AppealMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "act",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="committee",
                        to="tournaments.rulingact",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("act", "user"), name="appeal_member_once")],
            },
        ),
        migrations.RunPython(forwards, backwards),
    ]
