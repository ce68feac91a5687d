"""Which address leads to which view."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from gamesmaster.host.views import front, health, table

urlpatterns: list[URLPattern | URLResolver] = [
    path("", front.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("first/<str:token>", front.first_admin, name="first-admin"),
    path("t/<slug:key>/", table.table, name="table"),
    path("t/<slug:key>/map.svg", table.map_svg, name="table-map"),
    path("accounts/", include("allauth.urls")),
]
