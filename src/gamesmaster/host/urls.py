"""Which address leads to which view."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from django.views.i18n import set_language

from gamesmaster.host.views import front, health, sign_up

urlpatterns: list[URLPattern | URLResolver] = [
    path("", front.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("metrics", health.metrics, name="metrics"),
    path(".well-known/security.txt", front.security_txt, name="security-txt"),
    path("first/<str:token>", front.first_admin, name="first-admin"),
    path("", include("gamesmaster.host.views.table_urls")),
    path("", include("gamesmaster.host.views.mail")),
    path("", include("gamesmaster.host.views.live_urls")),
    path("", include("gamesmaster.host.views.help")),
    path("accounts/signup/", sign_up.signup, name="account_signup"),
    path("invited/<str:token>/", sign_up.invited, name="invited-to-site"),
    path("accounts/sessions/", RedirectView.as_view(pattern_name="security"), name="usersessions_list"),
    path("", include("gamesmaster.host.views.words")),
    path("language", set_language, name="set_language"),
    path("accounts/", include("allauth.urls")),
    path("", include("gamesmaster.host.views.people_urls")),
]
