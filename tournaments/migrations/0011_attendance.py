"""A clock that can be stopped, and codes with which entrants check in from their own phones."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_drawn_lots")]

    operations = [
        migrations.AddField(
            model_name="round",
            name="stopped_at",
            field=models.DateTimeField(help_text="since when the clock of the hall stands", null=True),
        ),
        migrations.CreateModel(
            name="EntrantCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("generation", models.PositiveIntegerField(default=1)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("issued_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="codes",
                        to="tournaments.entrant",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("entrant", "generation"), name="entrant_code_generation_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("revoked_at__isnull", True)),
                        fields=("entrant",),
                        name="one_code_an_entrant",
                    ),
                ],
            },
        ),
    ]
