"""A site without a mail server: nothing pretends to have sent, admins are warned, and nobody is locked out for good."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client, override_settings

from gamesmaster.host.accounts import sign_up
from gamesmaster.host.mailroom import delivery
from gamesmaster.host.models import AuditLine, OutMail
from gamesmaster.host.operations import serving
from tests.host.conftest import DAY, NOW, confirmed, people, running
from tests.host.test_tables import refused

pytestmark = pytest.mark.django_db

PASSWORD = "one-long-pass-9"
CLAIMS = re.compile(r"(?i)(have sent|email sent|we'll send|is on its way)")
"""What no page says that sends nothing."""


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    """Nobody has said where mails go out."""
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend"):
        yield


def signed_in(user: User) -> Client:
    """A browser with this person before it."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_no_page_says_that_a_mail_was_sent() -> None:
    """Sign-up, an address added or confirmed again, and a lost password claim no mail, and say that there is none."""
    client = Client()
    form = {"username": "zoe", "email": "zoe@example.org", "password1": PASSWORD, "password2": PASSWORD}
    pages = [client.get("/accounts/signup/"), client.post("/accounts/signup/", form, follow=True)]
    assert User.objects.filter(username="zoe").exists()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/me"})
    for told in ({"action_add": "", "email": "z@example.org"}, {"action_send": "", "email": "zoe@example.org"}):
        pages.append(client.post("/accounts/email/", told, follow=True))
        assert pages[-1].content.decode().count("This site sends no e-mail. Addresses are kept") == 1
        assert "so it cannot be confirmed." in pages[-1].content.decode()
        assert "receive notifications" not in pages[-1].content.decode()
    assert pages[0].content.decode().count("This site sends no e-mail") == 1
    pages.append(Client().get("/accounts/password/reset/"))
    pages.append(Client().post("/accounts/password/reset/", {"email": "zoe@example.org"}, follow=True))
    for page in pages:
        assert page.status_code == 200
        assert not CLAIMS.search(page.content.decode())
    for page in pages[-2:]:
        assert "Ask an admin of this site" in page.content.decode()
    assert mail.outbox == []


def test_admins_are_warned_and_nobody_else() -> None:
    """An admin reads on the first page and at the moderation that the site sends no mail; others do not."""
    admin = User.objects.create_superuser("admin")
    for path in ("/", "/moderation/", "/moderation/people"):
        assert "GAMESMASTER_MAIL_HOST" in signed_in(admin).get(path).content.decode()
    assert "GAMESMASTER_MAIL_HOST" not in signed_in(people(1)[0]).get("/").content.decode()
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        assert "GAMESMASTER_MAIL_HOST" not in signed_in(admin).get("/").content.decode()


def test_a_profile_says_that_its_choices_have_no_effect() -> None:
    """Beside the choice of notices the page says that there are none."""
    assert "This site sends no e-mail" in signed_in(people(1)[0]).get("/me/notices").content.decode()


def test_the_first_words_say_it() -> None:
    """Whoever starts the site reads in one line that it sends no mail."""
    said = [line for line in serving.first_words("http://x", demo=False) if "e-mail" in line]
    assert said == ["This site sends no e-mail: set GAMESMASTER_MAIL_HOST to let it send some."]
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        assert not any("e-mail" in line for line in serving.first_words("http://x", demo=False))


def test_the_outbox_does_not_grow_for_ever() -> None:
    """Mails that nobody sends are given up after some days, and taken away after some weeks."""
    running(people(2))
    written = OutMail.objects.count()
    assert written
    delivery.tidy(NOW + delivery.TOO_OLD - DAY)
    assert OutMail.objects.filter(state=OutMail.QUEUED).count() == written
    delivery.tidy(NOW + delivery.TOO_OLD + DAY)
    assert OutMail.objects.filter(state=OutMail.FAILED, why="too old").count() == written
    delivery.tidy(NOW + delivery.KEPT + DAY)
    assert not OutMail.objects.exists()


def test_a_password_link_from_an_admin() -> None:
    """An admin makes a link with which a person sets a new password, once; it is in the log without the link."""
    admin, user = User.objects.create_superuser("admin"), people(1)[0]
    boss = confirmed(signed_in(admin), admin)
    page = boss.post("/moderation/people", {"name": user.username, "what": "password"}).content.decode()
    (link,) = re.findall(r"/accounts/password/reset/key/[^<\s]+/", page)
    client = Client()
    form = client.get(link, follow=True)
    done = client.post(form.redirect_chain[-1][0], {"password1": PASSWORD, "password2": PASSWORD}, follow=True)
    assert done.status_code == 200
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    assert 'name="password1"' not in Client().get(link, follow=True).content.decode()
    line = AuditLine.objects.get(what__contains="password link")
    assert (line.who, line.what) == (admin, f"made a password link for {user.username}")


def test_password_links_are_for_those_who_need_them() -> None:
    """Nobody but an admin makes password links, none for an admin, and none for whom the site can send a mail."""
    admin, other = User.objects.create_superuser("admin"), User.objects.create_superuser("other")
    user, keeper = people(2)
    with refused("not-admin"):
        sign_up.password_link(user, keeper, NOW)
    with refused("not-that-one"):
        sign_up.password_link(other, admin, NOW)
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"), refused("not-that-one"):
        sign_up.password_link(user, admin, NOW)
    assert sign_up.password_link(user, admin, NOW)
