from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def forget_pushes(apps: Any, schema_editor: Any) -> None:
    apps.get_model('host', 'HookCall').objects.filter(hook=None).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('host', '0024_notices'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.CharField(max_length=24)),
                ('text', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
                ('read', models.BooleanField(default=False)),
                ('dedupe', models.CharField(max_length=160, unique=True)),
            ],
        ),
        migrations.AddField(
            model_name='profile',
            name='feed',
            field=models.IntegerField(default=0),
        ),
        migrations.AddField(
            model_name='table',
            name='owing',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='webhook',
            name='form',
            field=models.CharField(choices=[('json', 'json'), ('discord', 'discord')], default='json', max_length=8),
        ),
        migrations.AlterField(
            model_name='hookcall',
            name='hook',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='host.webhook'),
        ),
        migrations.RunPython(migrations.RunPython.noop, forget_pushes),
        migrations.AlterField(
            model_name='hookcall',
            name='what',
            field=models.CharField(max_length=160),
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('endpoint', models.CharField(max_length=500, unique=True)),
                ('key', models.CharField(max_length=100)),
                ('auth', models.CharField(max_length=32)),
                ('name', models.CharField(blank=True, max_length=60)),
                ('made', models.DateTimeField()),
                ('failures', models.PositiveSmallIntegerField(default=0)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='hookcall',
            name='device',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='host.device'),
        ),
        migrations.AddConstraint(
            model_name='hookcall',
            constraint=models.UniqueConstraint(fields=('device', 'what'), name='one_push'),
        ),
        migrations.AddField(
            model_name='notice',
            name='message',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='host.message'),
        ),
        migrations.AddField(
            model_name='notice',
            name='table',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='host.table'),
        ),
        migrations.AddField(
            model_name='notice',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['user', '-id'], name='notice_newest'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('read', False)), fields=['user', 'table'], name='notice_unread'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['at'], name='notice_at'),
        ),
    ]
