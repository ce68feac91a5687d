"""The home page with a board to try, help, and the link for the first admin.

Help has a topic for every kind of page. The scripts' texts are served here in every language.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from datetime import timedelta
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import ResolverMatch, URLPattern, path, reverse
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe
from django.views.i18n import JavaScriptCatalog
from pydantic import TypeAdapter

from gamesmaster.host.accounts import sign_up
from gamesmaster.host.games import hosting
from gamesmaster.host.games.forms import SandboxOptions
from gamesmaster.host.games.hosting import cards
from gamesmaster.host.site import clock, limits
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import editions, shelf
from gamesmaster.host.tables.requests import FOR_EVER, person, respond
from gamesmaster.host.tables.settings import Words

SHOWN = 6
"""Number of cards per list on the home page."""
DEMO = "standard"
SECURITY_HOLDS = timedelta(days=90)
"""Validity of `security.txt`, which is generated for each request."""
SANDBOXES = limits.Limit("sandbox", 30, 3600)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what the site is, a board to try, games to join, and the variants."""
    user = person(request)
    context = {
        "variants": cards()[:SHOWN],
        "many": len(cards()),
        "demo": DEMO,
        "open_games": hosting.find_tables("open", user, most=SHOWN),
        "running_games": hosting.find_tables("running", user, most=SHOWN),
    }
    return render(request, "home/front.html", context)


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return `security.txt` (RFC 9116); 404 without a configured contact."""
    if not settings.SECURITY_CONTACTS:
        raise Http404
    expires = clock.now() + SECURITY_HOLDS
    lines = [*(f"Contact: {contact}" for contact in settings.SECURITY_CONTACTS)]
    lines += [f"Expires: {expires:%Y-%m-%dT00:00:00Z}", "Preferred-Languages: en"]
    lines += [f"Canonical: {settings.BASE_URL}/.well-known/security.txt"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_http_methods(["GET", "POST"])
def new_sandbox(request: HttpRequest) -> HttpResponse:
    """Create a sandbox, also for visitors; with GET ask for the variant."""
    if request.method != "POST":
        return render(request, "home/sandbox_new.html", {"variants": cards()})
    family = request.POST.get("variant", DEMO)
    if not shelf.may_begin(family, person(request)):
        raise Http404
    variant = editions.find_variant(family)
    options = SandboxOptions(variant, request.POST)
    if not options.is_valid():
        messages.error(request, gettext("These options are not offered: %(names)s") % {"names": ", ".join(
            str(options[name].label) for name in options.errors)})  # fmt: skip
        return redirect("variant", family)
    try:
        limits.check(SANDBOXES, request)
        made = hosting.sandbox(
            options.variant_name(), person(request), name=gettext("{name}: a board to try").format(name=variant.name)
        )
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("variant", family)
    return redirect("table", key=made.key)


@require_http_methods(["GET", "POST"])
def first_admin(request: HttpRequest, token: str) -> HttpResponse:
    """Show the form behind the one-time link; with POST create the first admin."""
    if not sign_up.link_holds(token):
        raise Http404
    form: UserCreationForm[User] = UserCreationForm(request.POST or None)
    for name, label in (("username", _("Name")), ("password1", _("Password")), ("password2", _("Password again"))):
        form.fields[name].label, form.fields[name].help_text = label, ""
    if request.method == "POST" and form.is_valid():
        user = sign_up.first_admin(token, form.save(commit=False), clock.now())
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        UserSession.objects.create_from_request(request)
        return redirect("home")
    return render(request, "home/first_admin.html", {"form": form})


# -- help --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of help. Its text is the template `home/help/<name>.html`, with underscores for hyphens."""

    name: str  # as in the address
    title: Words
    pages: tuple[str, ...] = ()  # names of the pages it explains, or patterns of names

    @property
    def address(self) -> str:
        """Return the address of its page."""
        return reverse("help-topic", args=[self.name])

    @property
    def template(self) -> str:
        """Return the template with its text."""
        return f"home/help/{self.name.replace('-', '_')}.html"


class Group(NamedTuple):
    """A group of topics."""

    title: Words
    topics: tuple[Topic, ...]


_HELP = tomllib.loads(Path(__file__).with_name("help.toml").read_text(encoding="utf-8"))
GROUPS = TypeAdapter(tuple[Group, ...]).validate_python(_HELP["groups"])
"""All topics, in the groups of the index."""
TOPICS = {topic.name: topic for _title, topics in GROUPS for topic in topics}


def topic_of(page: str) -> Topic | None:
    """Return the topic that explains the page with this name; None without one."""
    return next((one for one in TOPICS.values() if any(fnmatchcase(page, name) for name in one.pages)), None)


def help_address(match: ResolverMatch | None) -> str:
    """Return the address of the help for a page: its topic, else the index."""
    topic = topic_of(match.view_name) if match else None
    return topic.address if topic else reverse("help")


@require_safe
def help_index(request: HttpRequest) -> HttpResponse:
    """Show all topics."""
    return render(request, "home/help.html", {"groups": GROUPS})


@require_safe
def help_topic(request: HttpRequest, topic: str) -> HttpResponse:
    """Show the page of one topic."""
    found = TOPICS.get(topic)
    if found is None:
        raise Http404
    return render(request, found.template, {"topic": found})


@cache
def catalogue(language: str) -> bytes:
    """Return Django's functions for scripts (`gettext`, `ngettext`, `interpolate`) with their texts in a language."""
    request = HttpRequest()
    request.method = "GET"
    with translation.override(language):
        response = JavaScriptCatalog.as_view()(request)
    assert isinstance(response, HttpResponse)
    return response.content


def words_address() -> str:
    """Return the address of the scripts' texts in the current language; it contains a digest of the texts."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    return reverse("words", args=[language, _digest(language)])


@cache
def _digest(language: str) -> str:
    return hashlib.sha256(catalogue(language)).hexdigest()[:12]


@require_safe
def words(request: HttpRequest, language: str, digest: str) -> HttpResponseBase:
    """Return the scripts' texts in a language; raise 404 for one that the site does not have."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    return respond(request, catalogue(language), "text/javascript; charset=utf-8", keep=FOR_EVER)


urlpatterns: list[URLPattern] = [
    path("sandbox/new", new_sandbox, name="new-sandbox"),
    path("", home, name="home"),
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path("first/<str:token>", first_admin, name="first-admin"),
    path("words/<slug:language>.<slug:digest>.js", words, name="words"),
    path("help/", help_index, name="help"),
    path("help/<slug:topic>/", help_topic, name="help-topic"),
]
