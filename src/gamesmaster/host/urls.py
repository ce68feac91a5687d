"""The URL configuration; each feature's module lists its own addresses."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from django.views.i18n import set_language

from gamesmaster.host.web.api import api

handler500 = "gamesmaster.host.site.refusals.server_error"

FEATURES = (
    "accounts.signing_in",
    "accounts.views",
    "games.queue_views",
    "games.views",
    "gm.board",
    "gm.desk",
    "gm.post",
    "gm.remarks",
    "mailroom.delivery",
    "maps.downloads",
    "maps.pictures",
    "moderation.club",
    "moderation.oversight",
    "operations.health",
    "notices.views",
    "orders.choices",
    "web.desk",
    "orders.receipts",
    "phases.endgame",
    "phases.votes",
    "practice.sandbox",
    "practice.tutorial",
    "press.live",
    "press.views",
    "profiles.views",
    "variants.own",
    "variants.views",
    "web.home",
    "web.table",
)
"""The modules with `urlpatterns`."""

urlpatterns: list[URLPattern | URLResolver] = [
    *(path("", include(f"gamesmaster.host.{feature}")) for feature in FEATURES),
    path("api/", api.urls),
    path("accounts/sessions/", RedirectView.as_view(pattern_name="security"), name="usersessions_list"),
    path("language", set_language, name="set_language"),
    path("accounts/", include("allauth.urls")),
]
