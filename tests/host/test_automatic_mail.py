"""Mails that programs write, over the wire: delivery reports, notes of absence, mailing lists (E6)."""

from __future__ import annotations

import base64
import unicodedata
from collections.abc import Iterator
from datetime import timedelta
from email.utils import format_datetime

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.accounts.people import MOST_BOUNCES
from gamesmaster.host.mailroom import addresses, delivery
from gamesmaster.host.models import InMail, OutMail, Profile, Table
from gamesmaster.host.site import clock
from gamesmaster.host.tables import notifications, outbox, store
from tests.host.conftest import NOW, holding
from tests.host.mailing import House, World, address, answer, letter, sent, sheet

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mails have the date on which they come."""
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.fixture
def house() -> Iterator[House]:
    """The mail room."""
    with House() as opened:
        yield opened


def another(table: Table, key: str) -> OutMail:
    """One more mail to the player."""
    outbox.tell_seats(table, store.seats_at(table), notifications.Notification("table", "x", "y", key=key), NOW)
    return OutMail.objects.latest("pk")


def answered() -> bool:
    """Whether anything was answered."""
    return OutMail.objects.filter(event="answer").exists()


# -- delivery reports ------------------------------------------------------------------------------------------------

FIELDS = """\
Original-Recipient: rfc822;x@example.org\r
Final-Recipient: rfc822;x@example.org\r
Action: failed\r
Status: 5.1.10\r
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound\r
\r
"""


def report(to: str, fields: str = FIELDS, kind: str = "message/delivery-status", encoding: str = "8bit") -> bytes:
    """A delivery report, as Exchange words it for a German site."""
    own = f"Reporting-MTA: dns;mx.example.org\r\n\r\n{fields}"
    if encoding == "base64":
        own = base64.encodebytes(own.encode()).decode().replace("\n", "\r\n")
    return (
        f"From: <postmaster@mx.example.org>\r\nTo: <{to}>\r\nSubject: Unzustellbar: S1901M\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status;\r\n\tboundary="b"\r\n\r\n'
        '--b\r\nContent-Type: text/plain; charset="utf-8"\r\n\r\nFehler bei der Zustellung.\r\n'
        f"--b\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n{own}"
        "--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nstatus\r\n--b--\r\n"
    ).encode()


@pytest.mark.parametrize(
    "how",
    [
        {"kind": "message/global-delivery-status"},
        {"encoding": "base64"},
        {"fields": FIELDS.replace("Action: ", "Action:\r\n ").replace("Status: ", "Status:\r\n\t")},
        {"fields": FIELDS.upper()},
        {"fields": FIELDS.replace("failed", "failed (bounced)")},
        {"fields": FIELDS.replace("failed", "delayed").replace("5.1.10", "4.4.1") + FIELDS},
    ],
    ids=["addresses in UTF-8", "base64", "folded", "capitals", "remark", "delayed for another"],
)
def test_reports_in_all_their_forms(table: Table, player: User, house: House, how: dict[str, str]) -> None:
    """However a mail server lays out the standard form, the mail has come back, and with which status."""
    mail = OutMail.objects.get()
    back = addresses.returns(mail)
    house.take("", back, report(back, **how))
    mail.refresh_from_db()
    assert (mail.state, mail.why) == (OutMail.FAILED, "5.1.10")
    assert Profile.objects.get(user=player).bounces == 1
    assert not answered()


def test_exim_in_words_of_its_admin(table: Table, player: User, house: House) -> None:
    """Exim's texts can be translated: its header names those for whom a mail was given up, and no delay has it."""
    text = "Ihre Nachricht konnte nicht zugestellt werden.\r\n\r\n  x@example.org\r\n    550 5.1.1 unbekannt\r\n"
    for header, bounces in (("X-Message-Age: 24", 0), ("X-Failed-Recipients: x@example.org", 1)):
        back = addresses.returns(OutMail.objects.get())
        head = f"From: Mailer-Daemon@mx.example.org\r\nTo: {back}\r\n{header}\r\nAuto-Submitted: auto-replied\r\n"
        house.take("", back, f"{head}\r\n{text}".encode())
        assert sum(Profile.objects.values_list("bounces", flat=True)) == bounces
    assert OutMail.objects.get().why == "5.1.1"


def test_five_in_a_row_means_in_a_row(table: Table, player: User) -> None:
    """Mails that come back now and then stop nothing: the count begins again after one that has arrived."""
    with World().open():
        for number in range(2 * MOST_BOUNCES):
            mail = another(table, f"n{number}")
            delivery.deliver(NOW)
            mail.refresh_from_db()
            if number % 2:
                delivery.came_back(mail, "4.2.2")
                assert Profile.objects.get(user=player).bounces == 1
        for number in range(MOST_BOUNCES - 1):
            delivery.came_back(another(table, f"m{number}"), "5.1.1")
        assert Profile.objects.get(user=player).bounces == MOST_BOUNCES


def test_only_the_address_that_failed_is_marked(table: Table, player: User) -> None:
    """What comes back from an address that the player has given up says nothing of the new one."""
    with World().open() as world:
        delivery.deliver(NOW)
        old = OutMail.objects.get()
        player.email = "new@example.org"
        player.save()
        EmailAddress.objects.filter(user=player).update(email=player.email)
        delivery.came_back(old, "5.1.1")
        assert not Profile.objects.filter(bounces__gt=0).exists()
        waiting = another(table, "second")
        OutMail.objects.filter(pk=waiting.pk).update(to="old@example.org")  # written before the address changed
        delivery.deliver(NOW)
        assert world.envelopes[-1][1] == [player.email]
        delivery.came_back(OutMail.objects.get(pk=waiting.pk), "5.1.1")
    assert Profile.objects.get(user=player).bounces == 1


def test_the_page_of_addresses_says_that_mails_came_back(table: Table, player: User) -> None:
    """Who plays on the site alone learns there why no mails come, and how they come again."""
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    for bounces, told in ((MOST_BOUNCES - 1, False), (MOST_BOUNCES, True)):
        Profile.objects.update_or_create(user=player, defaults={"bounces": bounces})
        page = client.get("/accounts/email/").content.decode()
        assert ("The last e-mails came back from your address" in page) is told


def test_who_replies_to_the_address_for_reports_is_helped(table: Table, player: User, house: House) -> None:
    """Some mail programs answer the sender on the envelope: nothing is done, and the player learns where to write."""
    back = addresses.returns(OutMail.objects.get())
    order = holding(table, player)
    for headers in ({"Auto_Submitted": "auto-replied"}, {"Subject": "Out of office"}):
        house.take(player.email, back, letter(player, back, "I am away.", **headers).as_bytes())
    assert not answered()
    for _ in range(2):
        house.take(player.email, back, letter(player, back, order).as_bytes())
    assert "Nothing in your mail was done" in answer(player)
    assert OutMail.objects.filter(event="answer").count() == 1
    assert sheet(table, player) == []


# -- notes of absence ------------------------------------------------------------------------------------------------

SUBJECTS = (
    "Réponse automatique ", "Respuesta automática", "Automatisk svar", "Răspuns automat",
    "Automaattinen vastaus", "Automatická odpoveď", "Automatikus válasz", "Otomatik Yanıt",
    "Αυτόματη απάντηση", "Автоматична відповідь", "Samodejni odgovor", "Automātiskā atbilde",
    "Sjálfvirkt svar", "תשובה אוטומטית", "رد تلقائي", "自動返信", "자동 회신",
    "การตอบกลับอัตโนมัติ", "Trả lời tự động", "Nicht im Büro", "Je suis en congé", "Auto: S1901M", "Vacation",
)  # fmt: skip


def test_notes_of_absence_in_many_languages(table: Table, player: User, house: House) -> None:
    """By the subject, encoded or not, with accents of their own or not; whatever the date says."""
    to = address(table, player)
    told = []
    for subject in SUBJECTS:
        InMail.objects.all().delete()  # nobody may send so many in an hour
        headers = [subject.encode(), unicodedata.normalize("NFD", subject).encode()]
        headers.append(b"=?utf-8?b?" + base64.b64encode(subject.encode()) + b"?=")
        if subject.encode("cp1252", "replace").decode("cp1252") == subject:
            headers.append(subject.encode("cp1252"))
        for header in headers:
            mail = letter(player, to, "I shall read your mail on Monday.", Subject="SUBJECT", Date="")
            house.take(player.email, to, mail.as_bytes().replace(b"SUBJECT", header))
        late = letter(player, to, "On Monday.", Subject=subject, Date=format_datetime(NOW - timedelta(days=30)))
        house.take(player.email, to, late.as_bytes())
        told += [subject] if OutMail.objects.filter(event="answer").delete()[0] else []
    assert told == []


@pytest.mark.parametrize(
    "note",
    [
        "I am away until Monday.\n\nA colleague will read your mail.\n",
        "Je suis absent jusqu'au 12.\n\nA bientôt\n",
        "A warm thank you for your mail.\n",
    ],
)
def test_words_of_notes_that_are_no_units(table: Table, player: User, house: House, note: str) -> None:
    """A sentence that begins with the letter of a unit is no order, and so is not answered."""
    to = address(table, player)
    house.take(player.email, to, letter(player, to, note, Subject="Out of office").as_bytes())
    assert not answered()


@pytest.mark.parametrize(
    "header",
    [
        "List-Unsubscribe: <https://x.example.org>", "List-Post: <mailto:x@example.org>", "X-BeenThere: x@example.org",
        "Mailing-List: list x@example.org", "X-Mailing-List: <x@example.org>", "From: no-reply@example.org",
        "From: Do-Not-Reply <donotreply@example.org>", "Auto-Submitted: auto-replied (vacation)",
    ],
)  # fmt: skip
def test_more_that_programs_write(table: Table, player: User, house: House, header: str) -> None:
    """What comes by a mailing list or from an address without a person is neither done nor answered."""
    to, (name, _, value) = address(table, player), header.partition(": ")
    mail = letter(player, to, f"status\n{holding(table, player)}", **{name.replace("-", "_"): value})
    house.take(player.email, to, mail.as_bytes())
    assert sheet(table, player) == []
    assert not answered()


def test_a_person_who_says_so_is_a_person(table: Table, player: User) -> None:
    """The header that says that no program wrote a mail may have a remark."""
    order = holding(table, player)
    assert sent(player, address(table, player), order, Auto_Submitted="no (written by hand)").verdict == "done"
    assert sheet(table, player) == [order]
