import django.db.models.deletion
import gamesmaster.host.tables.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('host', '0025_inbox'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='OwnVariant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=gamesmaster.host.tables.models.new_key, editable=False, max_length=16, unique=True)),
                ('name', models.CharField(blank=True, max_length=32)),
                ('title', models.CharField(blank=True, max_length=80)),
                ('shown', models.CharField(default='private', max_length=8)),
                ('edition', models.CharField(blank=True, max_length=36)),
                ('digest', models.CharField(blank=True, max_length=64)),
                ('number', models.PositiveIntegerField(default=1)),
                ('parent_address', models.CharField(blank=True, max_length=60)),
                ('removed', models.BooleanField(default=False)),
                ('made', models.DateTimeField()),
                ('file', models.CharField(blank=True, max_length=100)),
                ('upload', models.BinaryField(default=bytes)),
                ('sent', models.DateTimeField(null=True)),
                ('checked', models.DateTimeField(null=True)),
                ('findings', models.JSONField(default=list)),
                ('remarks', models.JSONField(default=list)),
                ('owner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='variants', to=settings.AUTH_USER_MODEL)),
                ('parent', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='forks', to='host.ownvariant')),
            ],
            options={
                'indexes': [models.Index(fields=['sent'], name='own_variant_sent')],
            },
        ),
    ]
