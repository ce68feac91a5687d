"""Orders sent ahead: with the set, at the table while they wait, and with a phase that is over."""

from __future__ import annotations

from django.db import migrations, models

CHANNELS = [(c, c) for c in ("web", "mail", "api", "bot", "gm", "ahead")]


class Migration(migrations.Migration):
    """Three columns and a channel."""

    dependencies = [("host", "0013_outage_steps")]
    operations = [
        migrations.AddField("table", "ahead", models.JSONField(default=dict)),
        migrations.AddField("sheet", "ahead", models.JSONField(default=dict)),
        migrations.AddField("phaserow", "ahead", models.JSONField(default=dict)),
        migrations.AlterField("sheet", "channel", models.CharField(choices=CHANNELS, max_length=8)),
        migrations.AlterField("receipt", "channel", models.CharField(choices=CHANNELS, max_length=8)),
    ]
