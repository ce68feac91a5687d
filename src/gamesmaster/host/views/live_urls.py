"""The addresses of press, live updates, feeds, tokens, and the API."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from gamesmaster.host.api.site import api
from gamesmaster.host.views import api_page, feeds, live, press, tokens

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/docs", api_page.page, name="api-docs"),
    path("api/", api.urls),
    path("t/<slug:key>/press/", press.page, name="press"),
    path("t/<slug:key>/press/beside", press.beside, name="press-beside"),
    path("t/<slug:key>/press/read", press.read, name="press-read"),
    path("t/<slug:key>/press/mute", press.mute, name="press-mute"),
    path("t/<slug:key>/live", live.stream, name="live"),
    path("t/<slug:key>/live.json", live.poll, name="live-poll"),
    path("feeds/<slug:key>.atom", feeds.table, name="feed"),
    path("me/tokens/", tokens.page, name="tokens"),
    path("me/tokens/<int:number>/drop", tokens.drop, name="token-drop"),
]
