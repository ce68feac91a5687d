"""Help: for every kind of page a page that says what it is for; and the texts of the scripts in every language."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import ResolverMatch, URLPattern, path, reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from gamesmaster.host.tables.requests import FOR_EVER, answered


@dataclass(frozen=True, slots=True)
class Topic:
    """A page of help: its name in the address, its title, and the names (or patterns of names) of the pages it is for.

    Its text is the template `host/help/<name>.html`, with underscores for hyphens.
    """

    name: str
    title: str | Promise
    pages: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """Where its page is."""
        return reverse("help-topic", args=[self.name])

    @property
    def template(self) -> str:
        """The template with its text."""
        return f"host/help/{self.name.replace('-', '_')}.html"


GROUPS: tuple[tuple[str | Promise, tuple[Topic, ...]], ...] = (
    (_("Playing"), (
        Topic("first-steps", _("First steps"), ("home", "tutorial")),
        Topic("games", _("The list of games"), ("games",)),
        Topic("seats", _("Seats: joining and leaving a game"), ("lobby", "invited")),
        Topic("board", _("The board: giving orders"), ("table",)),
        Topic("orders", _("Orders as text")),
        Topic("results", _("Results, and the reasons for them"), ("table-past", "table-why")),
        Topic("press", _("Press: writing to other players"), ("press",)),
        Topic("sandboxes", _("Sandboxes and plans"), ("new-sandbox",)),
        Topic("e-mail", _("E-mail"), ("mail-stop",)),
        Topic("receipts", _("Receipts"), ("verify-receipt",)),
    )),
    (_("Creating and running games"), (
        Topic("new-game", _("A new game"), ("new-game", "new-alone")),
        Topic("desk", _("The Gamesmaster's desk"), ("gm", "gm-preview", "gm-do")),
        Topic("remarks", _("Remarks on a game"), ("remarks",)),
        Topic("variants", _("Variants and their rules"), ("variants", "variant", "variant-rules")),
    )),
    (_("You and others"), (
        Topic(
            "account", _("Your account and signing in"),
            ("account_*", "mfa_*", "socialaccount_*", "first-admin", "security"),
        ),
        Topic("settings", _("Your settings"), ("me", "absences", "my-data")),
        Topic("players", _("Players, ratings and reliability"), ("ratings", "person")),
        Topic("programs", _("Tokens and the API"), ("tokens", "api-docs")),
        Topic("report", _("Reporting a problem"), ("report",)),
        Topic("moderation", _("Moderation"), ("moderation", "alike", "audit-log", "roles", "dead-letters")),
    )),
)  # fmt: skip
"""All topics, as the list of them shows them."""
TOPICS = {topic.name: topic for _title, topics in GROUPS for topic in topics}


def topic_of(page: str) -> Topic | None:
    """The topic for the page of this name; None for a page that has none."""
    return next((one for one in TOPICS.values() if any(fnmatchcase(page, name) for name in one.pages)), None)


def help_address(match: ResolverMatch | None) -> str:
    """Where the help is for the page that an address has led to: its own topic, else the list of all."""
    topic = topic_of(match.view_name) if match else None
    return topic.address if topic else reverse("help")


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All topics, and the tutorial."""
    return render(request, "host/help.html", {"groups": GROUPS})


@require_safe
def topic(request: HttpRequest, topic: str) -> HttpResponse:
    """The page of one topic."""
    found = TOPICS.get(topic)
    if found is None:
        raise Http404
    return render(request, found.template, {"topic": found})


@cache
def catalogue(language: str) -> bytes:
    """Django's functions for scripts (`gettext`, `ngettext`, `interpolate`) with their texts in a language."""
    with translation.override(language):
        response = JavaScriptCatalog.as_view()(_request())
    assert isinstance(response, HttpResponse)
    return response.content


def _request() -> HttpRequest:
    request = HttpRequest()
    request.method = "GET"
    return request


def address() -> str:
    """Where the words in the language of this page are; another text has another address."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    return reverse("words", args=[language, _digest(language)])


@cache
def _digest(language: str) -> str:
    return hashlib.sha256(catalogue(language)).hexdigest()[:12]


@require_safe
def words(request: HttpRequest, language: str, digest: str) -> HttpResponseBase:
    """The words in a language; 404 for one that the site does not speak."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    return answered(request, catalogue(language), "text/javascript; charset=utf-8", keep=FOR_EVER)


urlpatterns: list[URLPattern] = [
    path("words/<slug:language>.<slug:digest>.js", words, name="words"),
    path("help/", index, name="help"),
    path("help/<slug:topic>/", topic, name="help-topic"),
]
