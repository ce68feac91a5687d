"""Pictures and worked cases are kept beside the editions of members' variants."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the field."""

    dependencies = [("host", "0029_packs")]
    operations = [
        migrations.AddField(model_name="ownvariant", name="beside", field=models.BinaryField(default=bytes)),
    ]
