"""Packs of several variants, of which their owners choose."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("host", "0016_squashed_0028_helper")]

    operations = [
        migrations.AddField("ownvariant", "only", models.CharField(blank=True, max_length=32)),
        migrations.AddField("ownvariant", "pack", models.JSONField(default=list)),
    ]
