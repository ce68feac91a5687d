"""Pages that say that something cannot be: in the site's own look, with what holds now and a way on."""

from __future__ import annotations

import re
from html import escape, unescape

import pytest
from django.core.files.base import ContentFile
from django.db import OperationalError, connection
from django.http import HttpResponseBase
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.views import defaults

from gamesmaster.host.models import Message, Table
from gamesmaster.host.site.refusals import unavailable
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import people, power_of, running

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


def without_token(page: str) -> str:
    """A page without the token of its forms, which is another one each time."""
    return re.sub(r'(name="csrfmiddlewaretoken" value=)"\w+"', r"\1", page)


def test_no_such_page(quiet: Client) -> None:
    """An address that there is not, and a table that is hidden, get one and the same page, with the way to sign in."""
    hidden = running(people(1))
    Table.objects.filter(pk=hidden.pk).update(settings=hidden.settings | {"join": "invited", "observers": False})
    pages = {without_token(told(quiet.get(url), 404, "There is no such page", "/accounts/login/"))
             for url in ("/nowhere", "/t/abcdefghjk/", f"/t/{hidden.key}/")}  # fmt: skip
    assert len(pages) == 1


def test_a_form_without_its_cookie(quiet: Client) -> None:
    """A form that comes without the cookie is refused in words that say what to do, and that nothing was changed."""
    answer = quiet.post("/games/new", {"variant": "standard"})
    told(answer, 403, "Nothing was changed.", "reload the page and try again", "cookie")


ORIGIN = {"Origin": "http://testserver"}


def hidden(page: str) -> dict[str, list[str]]:
    """The hidden fields of the one form on a page, by name."""
    (form,) = re.findall('<form method="post" action="(?:[^"]*)">(.*?)</form>', page.partition("<main")[2], re.DOTALL)
    fields: dict[str, list[str]] = {}
    for name, value in re.findall('<input type="hidden" name="([^"]*)" value="([^"]*)">', form):
        fields.setdefault(name, []).append(unescape(value))
    return fields


def test_a_form_with_an_old_token_can_be_sent_again(quiet: Client) -> None:
    """Whoever has signed in meanwhile loses nothing: all that was sent is there, and one click sends it."""
    users = people(3)
    table = running(users, TableSettings(grey=True))
    quiet.force_login(users[0], backend="django.contrib.auth.backends.ModelBackend")
    address = f"/t/{table.key}/press/?new=1"
    quiet.get(address)
    text = 'Two lines <b>\nand "quotes" & more'
    to = [power_of(table, user) for user in users[1:]]
    form = {"to": to, "text": text, "grey": "on", "csrfmiddlewaretoken": "x" * 32}
    answer = quiet.post(address, form, headers=ORIGIN)
    page = told(answer, 403, "Nothing was changed.", "Send it again", f"<pre>{escape(text)}</pre>")
    assert f'action="{address}"' in page
    fields = hidden(page)
    assert {name: fields[name] for name in ("to", "text", "grey")} == {"to": to, "text": [text], "grey": ["on"]}
    assert not Message.objects.exclude(sender="").exists()
    assert quiet.post(address, fields, headers=ORIGIN).status_code == 302
    made = Message.objects.get(shown_as="anonymous")
    assert (set(made.to), made.text) == (set(to), text)


@pytest.mark.parametrize(
    ("form", "headers"),
    [
        ({"text": "from elsewhere"}, {"Origin": "http://elsewhere.example"}),
        ({"text": "from nowhere"}, {}),
        ({"login": "ann", "password": "zqsecret"}, ORIGIN),
        ({"text": "with a file", "file": ContentFile(b"x", name="x.txt")}, ORIGIN),
    ],
    ids=["another site", "no origin", "password", "file"],
)
def test_what_is_not_repeated(quiet: Client, form: dict[str, object], headers: dict[str, str]) -> None:
    """A form of another site, one with a password and one with a file are not put before the reader again."""
    page = told(quiet.post("/report", form, headers=headers), 403, "reload the page and try again")
    assert "Send it again" not in page
    assert not any(str(value) in page for value in form.values())


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


def test_the_database_is_away_before_a_page_is_made(quiet: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """What middleware asks the database in vain is answered as what a view asks; any other fault stays one."""

    def full(*_: object, **__: object) -> None:
        raise error

    user, *_ = people(1)
    quiet.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", full)
    error: Exception = OperationalError("terminating connection")
    told(quiet.get("/variants/"), 503, "Please try again in a minute", "Nothing was changed")
    error = ZeroDivisionError()
    told(quiet.get("/variants/"), 500, "Something went wrong here", "/report")


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
