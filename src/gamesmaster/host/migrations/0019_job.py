from typing import Any

from django.db import migrations, models
from django.utils import timezone


def go_on(apps: Any, schema_editor: Any) -> None:
    if apps.get_model('host', 'Outage').objects.exclude(step='done').exists():
        apps.get_model('host', 'Job').objects.create(kind='deadlines', due=timezone.now())


class Migration(migrations.Migration):

    dependencies = [('host', '0018_ratings_and_names')]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=24)),
                ('subject', models.BigIntegerField(default=0)),
                ('due', models.DateTimeField(db_index=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('why', models.CharField(blank=True, max_length=60)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('kind', 'subject'), name='one_job')],
            },
        ),
        migrations.RunPython(go_on, migrations.RunPython.noop),
    ]
