"""The addresses of press, live updates, feeds, tokens, and the API."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from gamesmaster.host.api.site import api

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", api.urls),
]
