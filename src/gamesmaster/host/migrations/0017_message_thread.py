from typing import Any

from django.db import migrations, models


def fill(apps: Any, schema_editor: Any) -> None:
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


class Migration(migrations.Migration):

    dependencies = [('host', '0016_remind_at')]

    operations = [
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
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
