from __future__ import annotations

import socket
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from threading import Event, Thread
from time import monotonic

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings

from gamesmaster.host.accounts.people import MOST_BOUNCES
from gamesmaster.host.games import seats
from gamesmaster.host.mailroom import addresses, compose, delivery, intake
from gamesmaster.host.models import Job, OutMail, Profile, Table
from gamesmaster.host.operations import health, serving
from gamesmaster.host.phases import processing
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.site import clock
from gamesmaster.host.site.jobs import Kind
from gamesmaster.host.tables import notifications, outbox, store
from tests.host.conftest import DAY, HOUR, NOW, holding, person, power_of, running
from tests.host.mailing import House, World, address, letter, sent, sheet
from tests.host.test_operations import figures
from tests.patience import PATIENCE, await_that

pytestmark = pytest.mark.django_db


def only() -> OutMail:
    """The one mail there is."""
    return OutMail.objects.get()


def test_a_mail_on_the_wire(table: Table, player: User) -> None:
    """A mail names its thread, a reply address of its own, how to get no more, and that a program wrote it."""
    with World().open() as world:
        assert delivery.deliver(NOW) == delivery.Sent(sent=1)
    (mail,) = world.mails
    assert mail["To"] == player.email
    assert mail["Reply-To"] == address(table, player)
    assert mail["Message-ID"] == only().message_id
    assert mail["References"] == mail["In-Reply-To"] == compose.thread_of(table)
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "stop%20game" in mail["List-Unsubscribe"]
    ((envelope, readers),) = world.envelopes
    assert (envelope, readers) == (addresses.returns(only()), [player.email])
    assert mail.get_content_type() == "text/plain"
    assert only().state == OutMail.SENT


def test_nothing_is_sent_twice(table: Table, player: User) -> None:
    """What was sent is not sent again, and what tells the same is not written twice."""
    game = notifications.Notification("table", "x", "y", key="same")
    for _ in range(3):
        outbox.tell_seats(table, store.seats_at(table), game, NOW)
    with World().open() as world:
        delivery.deliver(NOW)
        delivery.deliver(NOW + DAY)
    assert len(world.mails) == 2


def test_two_that_send_at_once(table: Table, player: User) -> None:
    """A mail that one worker has claimed is not sent by another; if that one dies, it is sent later (A13)."""
    number = only().pk
    assert delivery._claim(number, NOW) is not None
    assert delivery._claim(number, NOW) is None
    with World().open() as world:
        delivery.deliver(NOW)
        assert world.mails == []
        delivery.deliver(NOW + delivery.CLAIM_LASTS)
    assert len(world.mails) == 1


def test_no_mail_server(table: Table, player: User) -> None:
    """While the mail server cannot be reached nothing counts as an attempt, and no phase waits (A13)."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and nobody listens
        port = taken.getsockname()[1]
        backend = "django.core.mail.backends.smtp.EmailBackend"
        with override_settings(EMAIL_BACKEND=backend, EMAIL_HOST="127.0.0.1", EMAIL_PORT=port):
            assert delivery.deliver(NOW).down
            assert (only().tries, only().state) == (0, OutMail.QUEUED)
            Table.objects.filter(pk=table.pk).update(graced=0)
            assert table.deadline is not None
            over = processing.process(table, 0, now=table.deadline + timedelta(seconds=1))
    assert over is processing.Done.PROCESSED
    with World().open() as world:
        delivery.deliver(NOW + 4 * DAY)
    assert len(world.mails) == 2


@pytest.mark.django_db(transaction=True)
def test_a_slow_mail_server_holds_up_nobody(table: Table, player: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Phases and other jobs go on while the mail server still says nothing at all (A13)."""
    at, begun, other = NOW + DAY, monotonic(), list[datetime]()
    monkeypatch.setattr(clock, "now", lambda: at + timedelta(seconds=monotonic() - begun))
    kinds = {"mail": serving.KINDS["mail"], "other": Kind("other", other.append, every=1.0)}
    monkeypatch.setattr(serving, "KINDS", kinds)
    worker = serving.Worker(Event())
    thread = Thread(target=worker.run, daemon=True)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(PATIENCE)
        backend = "django.core.mail.backends.smtp.EmailBackend"
        port = silent.getsockname()[1]
        with override_settings(EMAIL_BACKEND=backend, EMAIL_HOST="127.0.0.1", EMAIL_PORT=port, EMAIL_TIMEOUT=PATIENCE):
            thread.start()
            asking, _ = silent.accept()
            done = len(other)
            Table.objects.filter(pk=table.pk).update(deadline=at - timedelta(seconds=1), graced=0)
            await_that(lambda: len(other) > done and Table.objects.get(pk=table.pk).ordinal > 0)
            silent.close()
            asking.close()
            await_that(lambda: Job.objects.get(kind="mail").why == "NotNow")
            worker.stop.set()
            thread.join(PATIENCE)
    assert OutMail.objects.filter(tries__gt=0).count() == 0


def test_refused_for_now(table: Table, player: User) -> None:
    """What is refused for now is tried again, later and later, with the same Message-ID (A13)."""
    world, now, waits = World(refuse="451 4.3.0 later"), NOW, []
    with world.open():
        for _ in range(3):
            assert delivery.deliver(now).again == 1
            waits.append(only().next_try - now)
            now = only().next_try
        world.refuse = ""
        delivery.deliver(now)
    assert [wait.total_seconds() for wait in waits] == [60, 300, 1200]
    assert len({mail["Message-ID"] for mail in world.mails}) == 1
    assert only().state == OutMail.SENT


def test_dead_letters(table: Table, player: User) -> None:
    """After the last attempt a mail is given up; an admin sees that, not its text, and may have it sent after all."""
    admin = User.objects.create_superuser("admin", "admin@example.org")
    world = World(refuse="451 4.3.0 later")
    with world.open():
        for _ in range(len(delivery.WAITS) + 1):
            OutMail.objects.update(next_try=NOW)
            delivery.deliver(NOW)
        assert (only().state, only().why) == (OutMail.FAILED, "451")
        client = Client()
        assert client.get("/mail/dead").status_code == 404
        client.force_login(admin)
        page = client.get("/mail/dead").content.decode()
        assert player.email in page
        assert "SHA-256" in only().body
        assert "SHA-256" not in page
        assert client.post("/mail/dead").status_code == 302
        world.refuse = ""
        assert delivery.deliver(clock.now() + HOUR).sent == 1


def test_what_is_old_is_not_sent(table: Table, player: User) -> None:
    """Nobody is told on Friday what was due on Sunday."""
    with World().open() as world:
        delivery.deliver(NOW + delivery.TOO_OLD + HOUR)
    assert world.mails == []
    assert only().why == "too old"


@pytest.mark.django_db(transaction=True)
def test_bounces_are_counted(table: Table, player: User) -> None:
    """Each mail that comes back counts once; after five the person gets no more, until a mail comes from there (E6)."""
    with World().open() as world, House() as house:
        for number in range(MOST_BOUNCES):
            outbox.tell_seats(
                table, store.seats_at(table), notifications.Notification("table", "x", "y", key=f"n{number}"), NOW
            )
            delivery.deliver(NOW)
            back = world.envelopes[-1][0]
            for _ in range(2):
                house.take("", back, _report(player, back))
        assert Profile.objects.get(user=player).bounces == MOST_BOUNCES
        outbox.tell_seats(table, store.seats_at(table), notifications.Notification("table", "x", "y", key="last"), NOW)
        before = len(world.mails)
        delivery.deliver(NOW)
        assert len(world.mails) == before
        assert OutMail.objects.get(dedupe__contains=":last:").state == OutMail.HELD
        sent(player, address(table, player), "status")
        assert delivery.deliver(NOW + 400 * DAY).sent == 0  # too old by then
        assert Profile.objects.get(user=player).bounces == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("lmtp", [False, True])
def test_a_mail_from_the_null_sender_is_never_answered(table: Table, player: User, lmtp: bool) -> None:
    """Programs write with no sender on the envelope: delivery reports, notes of absence; nobody answers them (E6)."""
    own, back, public = address(table, player), addresses.returns(only()), f"gamesmaster@{settings.MAIL_DOMAIN}"
    absence = letter(player, own, f"status\n{holding(table, player)}", Date=format_datetime(clock.now()))
    with House(lmtp=lmtp) as house:
        for to in (own, addresses.person(player), back, public):
            house.take("", to, absence.as_bytes())
        assert not Profile.objects.filter(bounces__gt=0).exists()
        house.take("", back, _report(player, back))
        house.take("", own, _report(player, own))
    assert Profile.objects.get(user=player).bounces == 1
    assert (only().state, only().why) == (OutMail.FAILED, "5.1.1")
    assert sheet(table, player) == []
    assert not OutMail.objects.filter(event="answer").exists()


QMAIL = (
    "Hi. This is the qmail-send program at mx.example.org.\r\nI'm afraid I wasn't able to deliver your message to the"
    " following addresses.\r\nThis is a permanent error; I've given up. Sorry it didn't work out.\r\n\r\n"
    "<x@example.org>:\r\nSorry, no mailbox here by that name. (#5.1.1)\r\n\r\n--- Below this line is a copy.\r\n"
)
EXIM = (
    "This message was created automatically by mail delivery software.\r\n\r\nA message that you sent could not be"
    " delivered to one or more of its\r\nrecipients. This is a permanent error. The following address(es) failed:\r\n"
    "\r\n  x@example.org\r\n    host mx.example.org [192.0.2.1]\r\n    550 5.1.1 unknown user\r\n"
)
EXIM_DELAY = (
    "This message was created automatically by mail delivery software.\r\n\r\nA message that you sent has not yet been"
    " delivered to one or more of its\r\nrecipients after more than 24 hours on the queue on mx.example.org.\r\n"
)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("text", "status"),
    [
        (["delayed", "failed"], "5.1.1"),
        (["delivered", "failed", "delayed"], "5.1.1"),
        (["delayed", "delayed"], ""),
        (["relayed"], ""),
        (QMAIL, "5.1.1"),
        (f"{EXIM}{'x' * 70}\r\n" + f"{'x' * 70}\r\n" * 1_500, "5.1.1"),
        (EXIM_DELAY, ""),
        ("I am away. Your mail could not be read.", ""),
    ],
)
def test_reports_of_many_mail_servers(table: Table, player: User, text: list[str] | str, status: str) -> None:
    """A mail has come back if it failed for one of its readers, also where the report is plain text (E6)."""
    back = addresses.returns(only())
    head = f"From: MAILER-DAEMON@example.org\r\nTo: {back}\r\nSubject: failure notice\r\n\r\n"
    with House() as house:
        house.take("", back, f"{head}{text}".encode() if isinstance(text, str) else _report(player, back, *text))
    assert (only().state, only().why) == ((OutMail.FAILED, status) if status else (OutMail.QUEUED, ""))
    assert Profile.objects.filter(user=player, bounces=1).exists() is bool(status)


def _report(player: User, to: str, *actions: str) -> bytes:
    of_each = "".join(
        f"Final-Recipient: rfc822; {player.email}\r\nAction: {action}\r\nStatus: {status}\r\n\r\n"
        for action in actions or ("failed",)
        for status in ("4.4.1" if action == "delayed" else "5.1.1",)
    )
    return (
        f"From: MAILER-DAEMON@example.org\r\nTo: {to}\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nIt could not be delivered.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; example.org\r\n\r\n"
        f"{of_each}--b--\r\n"
    ).encode()


def test_what_is_no_bounce(table: Table, player: User) -> None:
    """A report of a delay, a note of absence and a mail with a sender count for nothing."""
    back = addresses.returns(only())
    assert intake.take(_report(player, back, "delayed"), "", back, NOW).verdict == "bounce"
    assert intake.take(_report(player, back), "somebody@example.org", back, NOW).verdict == "bounce"
    note = EmailMessage()
    note["Auto-Submitted"] = "auto-replied"
    note.set_content("I am away.")
    intake.take(note.as_bytes(), "", back, NOW)
    assert not Profile.objects.filter(bounces__gt=0).exists()


def test_refused_for_good_by_the_server(table: Table, player: User) -> None:
    """An address that the mail server does not know is a bounce at once."""

    class Choosy(World):
        async def handle_RCPT(self, *_: object) -> str:  # noqa: N802
            return "550 5.1.1 nobody here"

    with Choosy().open():
        assert delivery.deliver(NOW).failed == 1
    assert (only().state, only().why) == (OutMail.FAILED, "550")
    assert Profile.objects.get(user=player).bounces == 1


def test_who_has_left_gets_no_press(table: Table, player: User) -> None:
    """Press that was on its way to a player who has left meanwhile is not sent; nor to an address given up (D8)."""
    other = person("other")
    table = running([player, other])
    OutMail.objects.all().delete()
    correspondence.send(
        table,
        power_of(table, player),
        Press("secret canary", [power_of(table, other)]),
        user=player,
        now=NOW,
    )
    assert OutMail.objects.filter(event="press", user=other).count() == 1
    seats.leave(table, other, now=NOW)
    with World().open() as world:
        delivery.deliver(NOW)
    assert not world.of(other)


def test_a_new_address_gets_what_waits(table: Table, player: User) -> None:
    """What waits for somebody goes to the address that he or she has when it is sent."""
    player.email = "new@example.org"
    player.save()
    EmailAddress.objects.filter(user=player).update(email=player.email)
    with World().open() as world:
        delivery.deliver(NOW)
    assert world.envelopes[0][1] == ["new@example.org"]


def test_a_mail_that_cannot_be_made_holds_up_no_other(
    table: Table, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One mail's fault is not the others'."""
    outbox.tell_seats(table, store.seats_at(table), notifications.Notification("table", "bad", "y", key="bad"), NOW)
    real = compose.compose_mail

    def compose_others(mail: OutMail) -> object:
        if mail.subject == "bad":
            raise ValueError("secret canary")
        return real(mail)

    monkeypatch.setattr(delivery, "compose_mail", compose_others)
    with World().open() as world:
        done = delivery.deliver(NOW)
    assert (done.sent, done.again, len(world.mails)) == (1, 1, 1)
    assert OutMail.objects.get(subject="bad").why == "ValueError"


def test_no_more_of_a_kind(table: Table, player: User) -> None:
    """The link in a mail asks, and posting to it says yes, without signing in; a changed link is none (E3)."""
    token, client = compose.stop_token(player, "press"), Client(enforce_csrf_checks=True)
    link = f"/mail/stop/{token}"
    assert client.get(link).status_code == 200
    assert not Profile.objects.filter(user=player, notices__press="none").exists()
    assert client.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert Profile.objects.get(user=player).notices == {"press": "none"}
    assert client.get(f"/mail/stop/{token[:-1]}x").status_code == 404
    other = compose.stop_token(User(pk=player.pk), "everything")
    assert client.post(f"/mail/stop/{other}").status_code == 404


def test_old_mails_are_taken_away(table: Table, player: User) -> None:
    """What went out or came in long ago is forgotten; what waits is not."""
    sent(player, address(table, player), "status")
    OutMail.objects.filter(event="answer").update(state=OutMail.SENT)
    assert delivery.tidy(NOW + delivery.KEPT + HOUR) == 2
    assert only().state == OutMail.QUEUED


# -- stuck -----------------------------------------------------------------------------------------------------------


def test_admins_are_told_of_stuck_mails(table: Table, player: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mails that no server takes are told to admins on the site, by the health page and in numbers; it stays well."""
    admin = Client()
    admin.force_login(User.objects.create_superuser("boss"), backend="django.contrib.auth.backends.ModelBackend")

    def told(at: datetime) -> tuple[bool, int, float]:
        monkeypatch.setattr(clock, "now", lambda: at)
        warned = "should have been sent long ago" in admin.get("/").content.decode()
        return warned, admin.get("/healthz").json()["mails_stuck"], figures(admin)["gamesmaster_stuck_mails"]

    assert told(NOW + timedelta(minutes=29)) == (False, 0, 0)
    assert told(NOW + timedelta(minutes=31)) == (True, 1, 1)
    assert "mails" not in str(health.look(NOW + HOUR).reasons)
    OutMail.objects.update(next_try=NOW + 6 * HOUR, tries=5)  # a server that puts it off is another thing, for a while
    assert told(NOW + HOUR) == (False, 0, 0)
    assert told(NOW + 5 * HOUR) == (True, 1, 1)
    assert "long ago" not in Client().get("/").content.decode()
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend"):
        assert told(NOW + 5 * HOUR) == (False, 0, 0)


def test_idle_connections_shut_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """One address has some of the connections, and an idle one is closed soon."""
    monkeypatch.setattr(intake, "MOST_FROM_ONE", 2)
    monkeypatch.setattr(intake, "IDLE", 0.5)
    with House() as house:
        idle = [socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE) for _ in range(3)]
        assert [one.recv(100)[:3] for one in idle] == [b"220", b"220", b""]
        assert [one.recv(100) for one in idle[:2]] == [b"", b""]
        with house.client() as client:
            assert client.noop()[0] == 250
        for one in idle:
            one.close()
