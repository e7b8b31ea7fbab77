"""Who is ruled out of the placing follows from the rulings that stand; nothing wrote the column."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0017_official_rulings")]

    operations = [
        migrations.RemoveField(model_name="entrant", name="excluded_at"),
        migrations.RemoveField(model_name="historicalentrant", name="excluded_at"),
    ]
