"""Events that were read from a file: where they came from, and which ids they had there."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0011_attendance")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="imported_at",
            field=models.DateTimeField(help_text="read from a file: kept as it was, not gone on with", null=True),
        ),
        migrations.CreateModel(
            name="Origin",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(help_text="its address where it was played", max_length=60)),
                ("digest", models.CharField(help_text="of the record in the file", max_length=64)),
                ("ids", models.JSONField()),
                ("imported_at", models.DateTimeField()),
                (
                    "imported_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="origin", to="tournaments.tournament"
                    ),
                ),
            ],
        ),
    ]
