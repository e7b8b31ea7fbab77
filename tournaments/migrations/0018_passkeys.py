"""Passkeys of accounts, beside the codes of the second factor."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0017_evidence"),
    ]

    operations = [
        migrations.AlterField(
            model_name="accountevent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("signed_in", "signed in"),
                    ("token_made", "an API token was made"),
                    ("wrong_password", "wrong password"),
                    ("wrong_code", "right password, wrong code"),
                    ("password_changed", "password changed"),
                    ("factor_on", "second factor turned on"),
                    ("factor_off", "second factor turned off"),
                    ("recovery_used", "recovery code used"),
                    ("recovery_made", "new recovery codes made"),
                    ("passkey_added", "passkey added"),
                    ("passkey_removed", "passkey removed"),
                    ("passkey_copied", "passkey refused: its counter went back"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="Passkey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60)),
                ("rp_id", models.CharField(max_length=253)),
                ("credential", models.CharField(max_length=1400, unique=True)),
                ("public_key", models.TextField()),
                ("sign_count", models.PositiveBigIntegerField(default=0)),
                ("made_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passkeys",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["made_at", "id"]},
        ),
    ]
