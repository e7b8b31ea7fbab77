"""Long work: what is asked for at the desk and done by a worker."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0008_match_net"),
    ]

    operations = [
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=24)),
                ("subject", models.PositiveBigIntegerField(help_text="the id of what it is about, by kind: a round")),
                ("arguments", models.JSONField(default=dict)),
                ("asked_at", models.DateTimeField()),
                ("tries", models.PositiveSmallIntegerField(default=0, help_text="how many workers began it")),
                ("begun_at", models.DateTimeField(help_text="when the last worker began it", null=True)),
                ("done_at", models.DateTimeField(null=True)),
                ("result", models.JSONField(null=True)),
                ("refusal", models.JSONField(help_text="code and message in en and zh", null=True)),
                ("content", models.BinaryField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="jobs", to="tournaments.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("done_at__isnull", True)),
                        fields=("kind", "subject"),
                        name="one_open_job_a_subject",
                    )
                ],
            },
        ),
    ]
