"""The site as an ASGI application, for uvicorn: `gamesmaster.host.asgi:application`."""

from __future__ import annotations

from django.core.asgi import get_asgi_application

from gamesmaster.host.apps import boot

boot()

from django.conf import settings  # noqa: E402

from gamesmaster.host.phases.downtime import WEB, with_heartbeats  # noqa: E402
from gamesmaster.host.web.middleware import with_refusals  # noqa: E402

application = with_heartbeats(with_refusals(get_asgi_application(), settings.MOST_BODY), WEB)
