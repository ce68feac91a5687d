"""The Django app, and `boot`, which sets Django up in a process."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from django.apps import AppConfig

from gamesmaster.host.site import places

LOG = logging.getLogger("gamesmaster.host")


def boot() -> None:
    """Set Django up with this room's settings; calling it again is harmless.

    From now on, files that this process writes are readable by their owner only. Files in the data folder are made so
    as well, because they contain secret orders.

    Raise Django's `ImproperlyConfigured` without a secret key.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gamesmaster.host.settings")
    os.umask(0o077)
    import django
    from django.conf import settings

    django.setup()
    assert settings.SECRET_KEY  # Django reads it late; fail at the start instead
    base = settings.DATABASES["default"]
    sqlite = [Path(base["NAME"])] if base["ENGINE"].endswith("sqlite3") else []
    for wrong in places.close_to_others(settings.DATA, sqlite):
        LOG.warning(wrong, extra={"event": "data"})


class HostConfig(AppConfig):
    """The only app of the project; its label is `host`."""

    name = "gamesmaster.host"
    label = "host"

    def ready(self) -> None:
        """Connect the handlers that record sign-ins."""
        from gamesmaster.host.accounts import signing_in

        signing_in.connect()
