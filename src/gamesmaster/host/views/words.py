"""The words of the site's scripts, as a script of its own that comes before them."""

from __future__ import annotations

import hashlib
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import translation
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from gamesmaster.host.views.table_answers import FOR_EVER, answered


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


urlpatterns: list[URLPattern] = [path("words/<slug:language>.<slug:digest>.js", words, name="words")]
