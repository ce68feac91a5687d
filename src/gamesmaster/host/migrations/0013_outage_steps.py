from datetime import timedelta
from typing import Any

from django.db import migrations, models
from django.db.models import F


def measure(apps: Any, schema_editor: Any) -> None:
    """Fill in how long known outages lasted."""
    apps.get_model("host", "Outage").objects.update(lasted=F("ended") - F("began"))


class Migration(migrations.Migration):
    dependencies = [
        ("host", "0012_dialect"),
    ]

    operations = [
        migrations.AddField(
            model_name="outage",
            name="lasted",
            field=models.DurationField(default=timedelta(0)),
        ),
        migrations.AddField(
            model_name="outage",
            name="step",
            field=models.CharField(
                choices=[("moving", "moving"), ("notices", "notices"), ("mails", "mails"), ("done", "done")],
                db_index=True,
                default="done",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="outage",
            name="upto",
            field=models.BigIntegerField(default=0),
        ),
        migrations.RunPython(measure, migrations.RunPython.noop),
    ]
