"""Scores of boards compared over many tables, exact where whole hundredths do not hold them.

SQLite is told to add the column by itself: Django would make the table anew for the default, and the guards on it do
not survive that.
"""

from django.db import migrations, models

SQLITE = (
    "ALTER TABLE tournaments_match ADD COLUMN finer_scores text NOT NULL DEFAULT '{}'"
    " CHECK (JSON_VALID(finer_scores) OR finer_scores IS NULL)"
)


class AddInPlace(migrations.AddField):
    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == "sqlite":
            schema_editor.execute(SQLITE, params=None)
        else:
            super().database_forwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0015_appeal_members")]

    operations = [
        AddInPlace(
            model_name="match",
            name="finer_scores",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="exact texts of the scores that hundredths do not hold: home, away, nets",
            ),
        ),
    ]
