"""What a match on boards came to for the away entrant, where scores were split."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_origins")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="away_net_hundredths",
            field=models.BigIntegerField(
                help_text="the same of the away entrant: not the opposite where scores were split", null=True
            ),
        ),
    ]
