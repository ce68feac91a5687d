"""The site as an ASGI application, for uvicorn: `gamesmaster.host.asgi:application`."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gamesmaster.host.settings")
application = get_asgi_application()
