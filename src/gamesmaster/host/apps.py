"""The app, as Django knows it."""

from __future__ import annotations

from django.apps import AppConfig


class HostConfig(AppConfig):
    """The one app of the project; its label is `host`."""

    name = "gamesmaster.host"
    label = "host"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Begin to note who signs in."""
        from gamesmaster.host.accounts import signing_in

        signing_in.connect()
