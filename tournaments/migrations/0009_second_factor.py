"""A second factor of accounts, what happened to them, and events that ask for it of who runs them."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class AddColumn(migrations.AddField):
    """A column with a default, on SQLite added in place: Django would make the table anew, which the triggers that
    read it refuse."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        field = model._meta.get_field(self.name)
        kind = field.db_parameters(schema_editor.connection)
        default = schema_editor.quote_value(schema_editor.effective_default(field))
        check = f" CHECK ({kind['check']})" if kind["check"] else ""
        schema_editor.execute(
            f"ALTER TABLE {schema_editor.quote_name(model._meta.db_table)} ADD COLUMN"
            f" {schema_editor.quote_name(field.column)} {kind['type']} NOT NULL DEFAULT {default}{check}"
        )


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0008_kept_apart"),
    ]

    operations = [
        AddColumn(
            model_name="tournament",
            name="second_factor",
            field=models.BooleanField(default=False, verbose_name="organisers and chief referees need a second factor"),
        ),
        AddColumn(
            model_name="user",
            name="factor_key",
            field=models.CharField(blank=True, editable=False, max_length=200),
        ),
        migrations.AddField(
            model_name="user",
            name="factor_since",
            field=models.DateTimeField(editable=False, null=True),
        ),
        AddColumn(
            model_name="user",
            name="factor_step",
            field=models.PositiveBigIntegerField(default=0, editable=False),
        ),
        migrations.CreateModel(
            name="AccountEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "kind",
                    models.CharField(
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
                        ],
                        max_length=20,
                    ),
                ),
                ("browser", models.CharField(blank=True, max_length=200)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="account_events",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-id"],
                "indexes": [models.Index(fields=["user", "-at"], name="events_of_account")],
            },
        ),
        migrations.CreateModel(
            name="RecoveryCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recovery_codes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "digest"), name="recovery_code_once")],
            },
        ),
    ]
