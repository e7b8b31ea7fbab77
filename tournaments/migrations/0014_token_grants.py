"""What an API token may do, and when it was used. Tokens there are keep everything they could do."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


def keep_everything(apps, schema_editor):
    grants = apps.get_model("tournaments", "TokenGrant")
    digests = apps.get_model("knox", "AuthToken").objects.values_list("digest", flat=True)
    grants.objects.bulk_create(grants(token_id=one, scope="direct") for one in digests)


class Migration(migrations.Migration):
    dependencies = [
        ("knox", "0009_extend_authtoken_field"),
        ("tournaments", "0013_projector"),
    ]

    operations = [
        migrations.CreateModel(
            name="TokenGrant",
            fields=[
                (
                    "token",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="grant",
                        serialize=False,
                        to="knox.authtoken",
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("read", "reads"),
                            ("enter", "reads and enters hands"),
                            ("direct", "everything you may do"),
                        ],
                        max_length=6,
                    ),
                ),
                ("used_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.RunPython(keep_everything, migrations.RunPython.noop),
    ]
