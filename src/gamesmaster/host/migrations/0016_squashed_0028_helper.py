from datetime import timedelta
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

import gamesmaster.host.tables.models
from gamesmaster.host.accounts.likeness import likeness
from gamesmaster.host.games.ratings import public_rating

NOT_OVER = ['forming', 'running', 'paused', 'quarantined']
PARTS = {'phase': ['phase'], 'deadline': ['deadline'], 'press': ['press'], 'table': ['table', 'game', 'seats']}
# Django and allauth look people up by `iexact`, which is `UPPER` on PostgreSQL. SQLite needs `NOCASE` for its `LIKE`.
LOOKED_UP = [('auth_user', 'username'), ('auth_user', 'email'), ('account_emailaddress', 'email')]


def remind(apps: Any, schema_editor: Any) -> None:
    Table = apps.get_model('host', 'Table')
    running = Table.objects.filter(state='running', deadline__isnull=False, phase_began__isnull=False)
    changed = []
    for table in running.exclude(reminded=models.F('ordinal')).only('settings', 'phase_began', 'deadline').iterator(500):
        notice = timedelta(minutes=table.settings.get('absent', {}).get('notice', 6 * 60))
        if notice and table.deadline - table.phase_began >= 2 * notice:
            table.remind_at = table.deadline - notice
            changed.append(table)
    Table.objects.bulk_update(changed, ['remind_at'], batch_size=200)


def name_threads(apps: Any, schema_editor: Any) -> None:
    Message = apps.get_model('host', 'Message')
    letters = []
    for letter in Message.objects.exclude(to=[]).only('shown_as', 'to').iterator(500):
        names = {letter.shown_as, *letter.to} - {''}
        letter.thread = ','.join(sorted(names, key=lambda name: (name == 'Gamesmaster', name)))
        letters.append(letter)
        if len(letters) == 500:
            Message.objects.bulk_update(letters, ['thread'])
            letters.clear()
    Message.objects.bulk_update(letters, ['thread'])


def compare_names(apps: Any, schema_editor: Any) -> None:
    Rating = apps.get_model('host', 'Rating')
    ratings = list(Rating.objects.all())
    for rating in ratings:
        rating.shown = public_rating(rating.mu, rating.sigma)
    Rating.objects.bulk_update(ratings, ['shown'], batch_size=200)
    Likeness = apps.get_model('host', 'Likeness')
    names = apps.get_model('auth', 'User').objects.filter(likeness=None).values_list('pk', 'username')
    Likeness.objects.bulk_create([Likeness(user_id=user, name=likeness(name)) for user, name in names], batch_size=200)


def index_people(apps: Any, schema_editor: Any) -> None:
    for table, column in LOOKED_UP:
        by = f'UPPER({column})' if schema_editor.connection.vendor == 'postgresql' else f'{column} COLLATE NOCASE'
        schema_editor.execute(f'CREATE INDEX host_{table}_{column} ON {table} ({by})')


def unindex_people(apps: Any, schema_editor: Any) -> None:
    for table, column in LOOKED_UP:
        schema_editor.execute(f'DROP INDEX host_{table}_{column}')


def go_on(apps: Any, schema_editor: Any) -> None:
    if apps.get_model('host', 'Outage').objects.exclude(step='done').exists():
        apps.get_model('host', 'Job').objects.create(kind='deadlines', due=timezone.now())


def wait_on(apps: Any, schema_editor: Any) -> None:
    """Games that have been agreed upon go on waiting for ever where they have no clock."""
    tables = apps.get_model('host', 'Table').objects.filter(state__in=NOT_OVER, sandbox=False).only('settings')
    changed = []
    for table in tables.iterator(500):
        table.settings.setdefault('longest', 0)
        changed.append(table)
    tables.model.objects.bulk_update(changed, ['settings'], batch_size=200)


def choose_channels(apps: Any, schema_editor: Any) -> None:
    """Mails that were stopped stay stopped."""
    Profile = apps.get_model('host', 'Profile')
    changed = []
    for profile in Profile.objects.iterator(500):
        stopped = [kind for flag, kinds in PARTS.items() if not getattr(profile, f'notify_{flag}') for kind in kinds]
        if stopped:
            profile.notices = dict.fromkeys(stopped, 'none')
            changed.append(profile)
    Profile.objects.bulk_update(changed, ['notices'], batch_size=200)


def restore_flags(apps: Any, schema_editor: Any) -> None:
    Profile = apps.get_model('host', 'Profile')
    for profile in Profile.objects.exclude(notices={}):
        for flag in PARTS:
            setattr(profile, f'notify_{flag}', profile.notices.get(flag) != 'none')
        profile.save()


def forget_pushes(apps: Any, schema_editor: Any) -> None:
    apps.get_model('host', 'HookCall').objects.filter(hook=None).delete()



class Migration(migrations.Migration):

    replaces = [('host', '0016_remind_at'), ('host', '0017_message_thread'), ('host', '0018_ratings_and_names'), ('host', '0019_job'), ('host', '0020_mail_replaced'), ('host', '0021_processes'), ('host', '0022_held_letters'), ('host', '0023_nudge'), ('host', '0024_notices'), ('host', '0025_inbox'), ('host', '0026_own_variants'), ('host', '0027_queue'), ('host', '0028_helper')]

    dependencies = [
        ('host', '0015_heartbeat'),
        ('auth', '0012_alter_user_first_name_max_length'),
        ('account', '0009_emailaddress_unique_primary_email'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

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
        migrations.AddField(
            model_name='message',
            name='thread',
            field=models.CharField(blank=True, editable=False, max_length=2500),
        ),
        migrations.RemoveIndex(
            model_name='message',
            name='message_time',
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(fields=['table', 'thread', 'id'], name='message_thread'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(fields=['table', 'sender', 'sent_at'], name='message_sender'),
        ),
        migrations.AddField(
            model_name='rating',
            name='shown',
            field=models.IntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(fields=['scope', '-shown'], name='rating_order'),
        ),
        migrations.CreateModel(
            name='Likeness',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='likeness', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('name', models.CharField(db_index=True, max_length=255)),
            ],
        ),
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
        migrations.AlterField(
            model_name='outmail',
            name='state',
            field=models.CharField(choices=[('queued', 'queued'), ('sent', 'sent'), ('failed', 'failed'), ('held', 'held'), ('replaced', 'replaced')], default='queued', max_length=8),
        ),
        migrations.CreateModel(
            name='Process',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=24)),
                ('host', models.CharField(max_length=64)),
                ('pid', models.PositiveIntegerField()),
                ('pulse', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='phaserow',
            name='late',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddIndex(
            model_name='phaserow',
            index=models.Index(fields=['processed_at'], name='phase_processed'),
        ),
        migrations.AddConstraint(
            model_name='process',
            constraint=models.UniqueConstraint(fields=('kind', 'host', 'pid'), name='one_process'),
        ),
        migrations.CreateModel(
            name='HeldLetter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveIntegerField()),
                ('sender', models.CharField(blank=True, max_length=60)),
                ('shown_as', models.CharField(max_length=60)),
                ('to', models.JSONField(default=list)),
                ('text', models.TextField(max_length=10000)),
                ('sent_at', models.DateTimeField()),
                ('until', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='message',
            name='struck',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(condition=models.Q(('struck__isnull', False)), fields=['table'], name='message_struck'),
        ),
        migrations.AddField(
            model_name='heldletter',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='held_letters', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='heldletter',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='held_letters', to='host.table'),
        ),
        migrations.AddField(
            model_name='table',
            name='nudged_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='profile',
            name='notices',
            field=models.JSONField(default=dict),
        ),
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
        migrations.CreateModel(
            name='Wish',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('variant', models.CharField(blank=True, max_length=120)),
                ('pace', models.CharField(blank=True, max_length=40)),
                ('press', models.CharField(blank=True, max_length=40)),
                ('min_reliability', models.PositiveSmallIntegerField(default=0)),
                ('bots_from', models.DateTimeField(null=True)),
                ('since', models.DateTimeField(db_index=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='wish', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Helper',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('named', models.DateTimeField()),
                ('ended', models.DateTimeField(null=True)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='helpers', to='host.table')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='helping', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'user'), name='one_helper_each')],
            },
        ),
        migrations.RunPython(migrations.RunPython.noop, forget_pushes),
        migrations.RunPython(remind, migrations.RunPython.noop),
        migrations.RunPython(name_threads, migrations.RunPython.noop),
        migrations.RunPython(index_people, unindex_people),
        migrations.RunPython(compare_names, migrations.RunPython.noop),
        migrations.RunPython(go_on, migrations.RunPython.noop),
        migrations.RunPython(wait_on, migrations.RunPython.noop),
        migrations.RunPython(choose_channels, restore_flags),
        *(migrations.RemoveField(model_name='profile', name=f'notify_{flag}') for flag in PARTS),
    ]
