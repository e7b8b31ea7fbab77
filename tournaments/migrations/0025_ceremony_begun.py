"""When the ceremony that the projector shows was begun: from then it counts down to the first ball."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0024_hall_fixtures"),
    ]

    operations = [
        migrations.AddField(
            model_name="projector",
            name="begun_at",
            field=models.DateTimeField(null=True),
        ),
    ]
