from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [('host', '0009_squashed_0014_sent_ahead')]

    operations = [migrations.RenameModel(old_name='Pulse', new_name='Heartbeat')]
