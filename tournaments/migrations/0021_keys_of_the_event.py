"""The unique keys of the ledger name the event too, last, so that it can be split by event (deploy/partition.sql).

They say what they said: a sitting belongs to one event (`ledgerentry_in_its_tournament`). SQLite has no partitions, and
would make its table anew; its keys stay as they are.
"""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

COUNTS = Q(status="effective")
#: Each key: the columns it had, and of which rows.
KEYS = {
    "entry_version_once": (["sitting", "position", "version"], None),
    "one_effective_version": (["sitting", "position"], COUNTS),
    "one_effective_hand": (["sitting", "hand_no"], Q(status="effective", hand_no__isnull=False)),
    "one_entry_waits": (["sitting"], Q(status="waiting")),
    "one_entry_contests": (["sitting"], Q(status="contesting")),
}


def _key(name, *more):
    fields, condition = KEYS[name]
    return models.UniqueConstraint(fields=[*fields, *more], condition=condition, name=name)


def widen(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    model = apps.get_model("tournaments", "LedgerEntry")
    for name in KEYS:
        schema_editor.remove_constraint(model, _key(name))
        schema_editor.add_constraint(model, _key(name, "tournament"))


def narrow(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    model = apps.get_model("tournaments", "LedgerEntry")
    for name in KEYS:
        schema_editor.remove_constraint(model, _key(name, "tournament"))
        schema_editor.add_constraint(model, _key(name))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0020_grounds")]
    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(widen, narrow)],
            state_operations=[
                step
                for name in KEYS
                for step in (
                    migrations.RemoveConstraint(model_name="ledgerentry", name=name),
                    migrations.AddConstraint(model_name="ledgerentry", constraint=_key(name, "tournament")),
                )
            ],
        )
    ]
