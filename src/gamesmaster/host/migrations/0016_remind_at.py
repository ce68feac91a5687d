from datetime import timedelta
from typing import Any

from django.db import migrations, models


def fill(apps: Any, schema_editor: Any) -> None:
    Table = apps.get_model('host', 'Table')
    running = Table.objects.filter(state='running', deadline__isnull=False, phase_began__isnull=False)
    changed = []
    for table in running.exclude(reminded=models.F('ordinal')).only('settings', 'phase_began', 'deadline').iterator(500):
        notice = timedelta(minutes=table.settings.get('absent', {}).get('notice', 6 * 60))
        if notice and table.deadline - table.phase_began >= 2 * notice:
            table.remind_at = table.deadline - notice
            changed.append(table)
    Table.objects.bulk_update(changed, ['remind_at'], batch_size=200)


class Migration(migrations.Migration):

    dependencies = [('host', '0015_heartbeat')]

    operations = [
        migrations.AddField(
            model_name='table',
            name='remind_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(fields=['state', 'remind_at'], name='table_remind'),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
