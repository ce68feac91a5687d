from typing import Any

from django.db import migrations, models

PARTS = {'phase': ['phase'], 'deadline': ['deadline'], 'press': ['press'], 'table': ['table', 'game', 'seats']}


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


class Migration(migrations.Migration):

    dependencies = [('host', '0023_nudge')]

    operations = [
        migrations.AddField(model_name='profile', name='notices', field=models.JSONField(default=dict)),
        migrations.RunPython(choose_channels, restore_flags),
        *(
            migrations.RemoveField(model_name='profile', name=f'notify_{flag}')
            for flag in PARTS
        ),
    ]
