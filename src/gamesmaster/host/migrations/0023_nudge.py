from typing import Any

from django.db import migrations, models

NOT_OVER = ['forming', 'running', 'paused', 'quarantined']


def wait_on(apps: Any, schema_editor: Any) -> None:
    """Games that have been agreed upon go on waiting for ever where they have no clock."""
    tables = apps.get_model('host', 'Table').objects.filter(state__in=NOT_OVER, sandbox=False).only('settings')
    changed = []
    for table in tables.iterator(500):
        table.settings.setdefault('longest', 0)
        changed.append(table)
    tables.model.objects.bulk_update(changed, ['settings'], batch_size=200)


class Migration(migrations.Migration):

    dependencies = [('host', '0022_held_letters')]

    operations = [
        migrations.AddField(
            model_name='table',
            name='nudged_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(wait_on, migrations.RunPython.noop),
    ]
