"""Scores of boards compared over many tables, exact where whole hundredths do not hold them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0015_appeal_members")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="finer_scores",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="exact texts of the scores that hundredths do not hold: home, away, nets",
            ),
        ),
    ]
