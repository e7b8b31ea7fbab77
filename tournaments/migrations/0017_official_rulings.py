"""A penalty that an official gives at the table is a ruling of its own kind."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0016_finer_scores")]

    operations = [
        migrations.AlterField(
            model_name="ruling",
            name="source",
            field=models.CharField(
                choices=[
                    ("case", "a position judged by the adjudicator"),
                    ("irregularity", "an irregularity"),
                    ("official", "a penalty given at the table"),
                ],
                max_length=12,
            ),
        ),
    ]
