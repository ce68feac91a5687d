from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from gamesmaster.host.accounts.likeness import likeness
from gamesmaster.host.games.ratings import public_rating


def fill(apps: Any, schema_editor: Any) -> None:
    Rating = apps.get_model('host', 'Rating')
    ratings = list(Rating.objects.all())
    for rating in ratings:
        rating.shown = public_rating(rating.mu, rating.sigma)
    Rating.objects.bulk_update(ratings, ['shown'], batch_size=200)
    Likeness = apps.get_model('host', 'Likeness')
    names = apps.get_model('auth', 'User').objects.filter(likeness=None).values_list('pk', 'username')
    Likeness.objects.bulk_create([Likeness(user_id=user, name=likeness(name)) for user, name in names], batch_size=200)


# Django and allauth look people up by `iexact`, which is `UPPER` on PostgreSQL. SQLite needs `NOCASE` for its `LIKE`.
LOOKED_UP = [('auth_user', 'username'), ('auth_user', 'email'), ('account_emailaddress', 'email')]


def index_people(apps: Any, schema_editor: Any) -> None:
    for table, column in LOOKED_UP:
        by = f'UPPER({column})' if schema_editor.connection.vendor == 'postgresql' else f'{column} COLLATE NOCASE'
        schema_editor.execute(f'CREATE INDEX host_{table}_{column} ON {table} ({by})')


def unindex_people(apps: Any, schema_editor: Any) -> None:
    for table, column in LOOKED_UP:
        schema_editor.execute(f'DROP INDEX host_{table}_{column}')


class Migration(migrations.Migration):

    dependencies = [
        ('host', '0017_message_thread'),
        ('auth', '0012_alter_user_first_name_max_length'),
        ('account', '0009_emailaddress_unique_primary_email'),
    ]

    operations = [
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
        migrations.RunPython(index_people, unindex_people),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
