"""Pages that say that something cannot be: in the site's own look, with what holds now and a way on."""

from __future__ import annotations

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponseBase
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.views import defaults

from gamesmaster.host.models import Table
from gamesmaster.host.site.refusals import unavailable
from tests.host.conftest import people, running

pytestmark = pytest.mark.django_db


def told(answer: HttpResponseBase, status: int, *words: str) -> str:
    """The page, with these words in it, the site's own navigation and a way on; nothing of Django's own."""
    text = getattr(answer, "content", b"").decode()
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    for word in (*words, 'class="brand"', '<nav aria-label="Main">', "<h1>", 'class="button" href="/'):
        assert word in text
    assert "DEBUG" not in text
    assert "CSRF" not in text
    return text


@pytest.fixture
def quiet() -> Client:
    """A browser that is answered with the page where a view fails, and sends no token unless a test does."""
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


def test_no_such_page(quiet: Client) -> None:
    """An address that there is not, and a table that is hidden, get one and the same page, with the way to sign in."""
    hidden = running(people(1))
    Table.objects.filter(pk=hidden.pk).update(settings=hidden.settings | {"join": "invited", "observers": False})
    pages = {told(quiet.get(url), 404, "There is no such page", "/accounts/login/")
             for url in ("/nowhere", "/t/abcdefghjk/", f"/t/{hidden.key}/")}  # fmt: skip
    assert len(pages) == 1


def test_a_form_without_its_cookie(quiet: Client) -> None:
    """A form that comes without the cookie is refused in words that say what to do, and that nothing was changed."""
    answer = quiet.post("/games/new", {"variant": "standard"})
    told(answer, 403, "Nothing was changed.", "reload the page and try again", "cookie")


def test_a_fault_of_ours(quiet: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a view fails the page says so, asks nothing of the database, and has no say on who is signed in."""

    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("zqsecret")

    user, *_ = people(1)
    table = running([user])
    quiet.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    monkeypatch.setattr("gamesmaster.host.tables.access.view", fails)
    text = told(quiet.get(f"/t/{table.key}/"), 500, "Something went wrong here", "/report")
    assert "zqsecret" not in text
    assert "Sign in" not in text
    with CaptureQueriesContext(connection) as asked:
        defaults.server_error(RequestFactory().get("/"))
    assert not asked.captured_queries


def test_what_cannot_be_read(quiet: Client) -> None:
    """A request that makes no sense, and one to a name that is not ours, get a page that says so."""
    answer = quiet.get("/", headers={"host": "elsewhere.example.org"})
    told(answer, 400, "cannot read", "Nothing was changed")


def test_what_is_not_allowed(rf: RequestFactory) -> None:
    """A view that is closed to somebody says so, and that nothing was changed."""
    told(defaults.permission_denied(rf.get("/"), PermissionError()), 403, "Nothing was changed")


def test_the_database_is_away(quiet: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the database cannot be used browsers get a page for which it is not asked, programs a sentence."""

    def full(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    table = running(people(1))
    monkeypatch.setattr("gamesmaster.host.tables.access.view", full)
    answer = quiet.get(f"/t/{table.key}/")
    told(answer, 503, "Please try again in a minute", "Nothing was changed")
    assert answer.headers["Retry-After"] == "60"
    with CaptureQueriesContext(connection) as asked:
        unavailable(RequestFactory().get("/"))
        sentence = unavailable(RequestFactory().get("/", headers={"accept": "application/json"}))
    assert not asked.captured_queries
    assert sentence.headers["Content-Type"].startswith("text/plain")
    assert sentence.content.startswith(b"The database cannot be reached at the moment. Nothing was changed")
