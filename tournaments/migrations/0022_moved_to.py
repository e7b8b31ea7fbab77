"""The address at which an event goes on that was moved from here."""

from __future__ import annotations

from importlib import import_module

from django.db import migrations, models

AddColumn = import_module("tournaments.migrations.0009_second_factor").AddColumn


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0021_keys_of_the_event"),
    ]

    operations = [
        AddColumn(
            model_name="tournament",
            name="moved_to",
            field=models.CharField(blank=True, default="", editable=False, max_length=200),
        ),
    ]
