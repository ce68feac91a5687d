"""Starting Django in a process."""

from __future__ import annotations

import os


def boot() -> None:
    """Make Django ready, with the settings of this room; more than once does no harm."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gamesmaster.host.settings")
    import django

    django.setup()
