"""What a match measured by hands or boards came to, beside its score."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_stages")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="net_hundredths",
            field=models.BigIntegerField(
                help_text="hand or board points the home entrant is ahead; none where levels are counted", null=True
            ),
        ),
    ]
