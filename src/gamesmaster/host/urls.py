"""Which address leads to which view."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from gamesmaster.host.views import front, health

urlpatterns: list[URLPattern | URLResolver] = [
    path("", front.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("first/<str:token>", front.first_admin, name="first-admin"),
    path("", include("gamesmaster.host.views.table_urls")),
    path("", include("gamesmaster.host.views.mail")),
    path("", include("gamesmaster.host.views.live_urls")),
    path("accounts/", include("allauth.urls")),
    path("", include("gamesmaster.host.views.people_urls")),
]
