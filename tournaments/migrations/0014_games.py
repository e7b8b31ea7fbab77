"""Who won a game that ended level, in a match of several games."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_away_net")]

    operations = [
        migrations.AddField(
            model_name="sitting",
            name="decided_side",
            field=models.CharField(
                choices=[("NS", "North-South"), ("EW", "East-West")],
                help_text="several games: who won a game that ended level, by lot or by one more hand",
                max_length=2,
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="sitting",
            name="active",
            field=models.BooleanField(
                default=True, help_text="false once a later pairing replaced it, or another game of its match is due"
            ),
        ),
    ]
