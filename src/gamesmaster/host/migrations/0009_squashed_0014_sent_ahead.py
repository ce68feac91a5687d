import datetime
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('host', '0009_outages'), ('host', '0010_accounts'), ('host', '0011_sign_up'), ('host', '0012_dialect'), ('host', '0013_outage_steps'), ('host', '0014_sent_ahead')]

    dependencies = [
        ('host', '0007_squashed_0008_editions'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='pulse',
            name='seconds',
            field=models.BigIntegerField(default=0),
        ),
        migrations.CreateModel(
            name='SharedValue',
            fields=[
                ('key', models.CharField(max_length=255, primary_key=True, serialize=False)),
                ('value', models.TextField()),
                ('ends', models.BigIntegerField(db_index=True)),
            ],
            options={
                'db_table': 'host_shared',
            },
        ),
        migrations.CreateModel(
            name='SignIn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('method', models.CharField(blank=True, max_length=24)),
                ('device', models.CharField(blank=True, max_length=80)),
                ('network', models.CharField(blank=True, max_length=48)),
                ('known', models.BooleanField(default=False)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_ins', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'at'], name='sign_in_time')],
            },
        ),
        migrations.AddField(
            model_name='onetimelink',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='links_made', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='onetimelink',
            name='expires',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='profile',
            name='waiting',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='profile',
            name='dialect',
            field=models.CharField(default='house', max_length=24),
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=24)),
                ('began', models.DateTimeField()),
                ('ended', models.DateTimeField(db_index=True)),
                ('moved', models.JSONField(default=dict)),
                ('lasted', models.DurationField(default=datetime.timedelta(0))),
                ('step', models.CharField(choices=[('moving', 'moving'), ('notices', 'notices'), ('mails', 'mails'), ('done', 'done')], db_index=True, default='done', max_length=8)),
                ('upto', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.AddField(
            model_name='table',
            name='ahead',
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name='sheet',
            name='ahead',
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name='phaserow',
            name='ahead',
            field=models.JSONField(default=dict),
        ),
        migrations.AlterField(
            model_name='sheet',
            name='channel',
            field=models.CharField(choices=[('web', 'web'), ('mail', 'mail'), ('api', 'api'), ('bot', 'bot'), ('gm', 'gm'), ('ahead', 'ahead')], max_length=8),
        ),
        migrations.AlterField(
            model_name='receipt',
            name='channel',
            field=models.CharField(choices=[('web', 'web'), ('mail', 'mail'), ('api', 'api'), ('bot', 'bot'), ('gm', 'gm'), ('ahead', 'ahead')], max_length=8),
        ),
    ]
