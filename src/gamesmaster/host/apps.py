"""The app, as Django knows it, and starting Django in a process."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from django.apps import AppConfig

from gamesmaster.host.site import places

LOG = logging.getLogger("gamesmaster.host")


def boot() -> None:
    """Make Django ready, with the settings of this room; more than once does no harm.

    What this process writes is for its owner alone from now on, and so is what lies in the data folder, whoever made
    that: secret orders are in it.

    Raises Django's `ImproperlyConfigured` if there is no secret to sign with.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gamesmaster.host.settings")
    os.umask(0o077)
    import django
    from django.conf import settings

    django.setup()
    assert settings.SECRET_KEY  # Django reads it late, and refuses an empty one then: better at the start
    base = settings.DATABASES["default"]
    sqlite = [Path(base["NAME"])] if base["ENGINE"].endswith("sqlite3") else []
    for wrong in places.close_to_others(settings.DATA, sqlite):
        LOG.warning(wrong, extra={"event": "data"})


class HostConfig(AppConfig):
    """The one app of the project; its label is `host`."""

    name = "gamesmaster.host"
    label = "host"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Begin to note who signs in."""
        from gamesmaster.host.accounts import signing_in

        signing_in.connect()
