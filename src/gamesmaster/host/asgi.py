"""The site as an ASGI application, for uvicorn: `gamesmaster.host.asgi:application`."""

from __future__ import annotations

from django.core.asgi import get_asgi_application

from gamesmaster.host.boot import boot

boot()
application = get_asgi_application()
