"""What entries at all tables of a round rest on is counted at the round."""

from __future__ import annotations

from importlib import import_module

from django.db import migrations, models

AddColumn = import_module("tournaments.migrations.0009_second_factor").AddColumn


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0019_logos")]
    operations = [
        AddColumn(
            model_name="round",
            name="grounds",
            field=models.PositiveIntegerField(
                db_default=0, default=0, help_text="raised when what entries at all its tables rest on changes"
            ),
        ),
    ]
