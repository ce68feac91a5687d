"""Starting Django in a process."""

from __future__ import annotations

import os


def boot() -> None:
    """Make Django ready, with the settings of this room; more than once does no harm.

    Raises Django's `ImproperlyConfigured` if there is no secret to sign with.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gamesmaster.host.settings")
    import django
    from django.conf import settings

    django.setup()
    assert settings.SECRET_KEY  # Django reads it late, and refuses an empty one then: better at the start
