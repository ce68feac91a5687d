from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('host', '0007_life'), ('host', '0008_editions')]

    dependencies = [
        ('host', '0001_squashed_0006_standbys'),
    ]

    operations = [
        migrations.AddField(
            model_name='phaserow',
            name='seats',
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name='seat',
            name='statement',
            field=models.TextField(blank=True, max_length=4000),
        ),
        migrations.AddField(
            model_name='table',
            name='late_since',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='table',
            name='paused_why',
            field=models.CharField(blank=True, max_length=12),
        ),
        migrations.AlterField(
            model_name='ballot',
            name='kind',
            field=models.CharField(choices=[('end', 'end'), ('extend', 'extend'), ('pause', 'pause'), ('resume', 'resume'), ('cancel', 'cancel')], default='end', max_length=8),
        ),
        migrations.CreateModel(
            name='KeptEdition',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('family', models.CharField(db_index=True, max_length=40)),
                ('archive', models.BinaryField()),
                ('kept', models.DateTimeField()),
            ],
        ),
    ]
