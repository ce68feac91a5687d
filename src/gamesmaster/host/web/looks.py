"""How pages look to whoever asks: theme, colours of maps, zone of time."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from gamesmaster.host.accounts import people
from gamesmaster.host.accounts.people import Profile
from gamesmaster.host.operations import health
from gamesmaster.host.site import clock
from gamesmaster.host.tables import outbox
from gamesmaster.host.tables.settings import zones
from gamesmaster.host.web.home import help_address
from gamesmaster.pictures import StyleName

Answer = Callable[[HttpRequest], HttpResponse]


class _InCookie(CookieStorage):
    cookie_name = f"{settings.COOKIE_PREFIX}messages"


class Messages(FallbackStorage):
    """What is said at the top of the next page, in a cookie that is closed as the others are."""

    storage_classes = (_InCookie, SessionStorage)


def profile_of(user: AbstractBaseUser | AnonymousUser | None) -> Profile | None:
    """The profile of a person who is signed in; made when there is none yet."""
    return people.profile(user) if isinstance(user, User) else None


def map_style(profile: Profile | None) -> StyleName:
    """The style of maps for this person; where the theme is left to the browser, the light one."""
    if profile is None:
        return "light"
    if profile.colour_mode == "patterns":
        return "print"
    return "dark" if profile.theme == "dark" else "light"


def map_style_at_night(profile: Profile | None) -> StyleName:
    """The style where the browser wants a dark page; the same as by day unless the person leaves it to the browser."""
    left = profile is None or (profile.theme == "auto" and profile.colour_mode != "patterns")
    return "dark" if left else map_style(profile)


def house(request: HttpRequest) -> dict[str, object]:
    """What the base of every page needs (a context processor)."""
    profile = profile_of(getattr(request, "user", None))
    return {
        "theme": profile.theme if profile else "auto",
        "map_style": map_style(profile),
        "map_style_at_night": map_style_at_night(profile),
        "zone": timezone.get_current_timezone_name(),
        "sends_mail": outbox.sends(),
        "stuck_mails": lambda: health.stuck_mails(clock.now()).count(),  # asked for where a page says so
        "help_address": help_address(request.resolver_match),
        "keeps_order": people.is_moderator(getattr(request, "user", None)),
    }


def own_time(answer: Answer) -> Answer:
    """Tell times in the zone of whoever is signed in (a middleware, after authentication)."""

    def answered(request: HttpRequest) -> HttpResponse:
        user = getattr(request, "user", None)
        profile = getattr(user, "profile", None) if user is not None and user.is_authenticated else None
        if profile is None or profile.time_zone not in zones():
            timezone.deactivate()
            return answer(request)
        with timezone.override(ZoneInfo(profile.time_zone)):
            return answer(request)

    return answered
