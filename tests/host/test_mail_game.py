"""A whole game by mail, over the wire: players' mails go to the mail room, the house's to the world's mail server."""

from __future__ import annotations

import smtplib
import socket
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import format_datetime

import pytest
from django.contrib.auth.models import User

from gamesmaster.host.games import hosting
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.mailroom import delivery
from gamesmaster.host.mailroom.intake import Listen
from gamesmaster.host.models import Message, Table
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import NOW, people, power_of, running
from tests.host.mailing import House, World, address, letter, settings, sheet
from tests.host.test_mail_room import ORDERS
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)

FALL = {
    "Austria": ["A Ser S A Bud - Rum", "A Bud - Rum", "F Alb - Gre"],
    "England": ["A Yor - Nwy", "F Nth C A Yor - Nwy", "F Nwg - Bar"],
    "France": ["A Bur - Bel", "A Mar - Spa", "F Mao - Por"],
    "Germany": ["F Den - Swe", "A Kie - Hol", "A Ruh S A Kie - Hol"],
    "Italy": ["A Apu - Tun", "F Ion C A Apu - Tun", "A Ven H"],
    "Russia": ["F Bot - Swe", "A Ukr S F Sev - Rum", "F Sev - Rum", "A War - Gal"],
    "Turkey": ["A Bul - Gre", "A Con - Bul", "F Ank - Con"],
}


@dataclass
class Clock:
    """The time of day, which the test sets."""

    at: datetime = NOW

    def __call__(self) -> datetime:
        """The time."""
        return self.at


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the house."""
    made = Clock()
    monkeypatch.setattr(clock, "now", made)
    return made


@dataclass
class Post:
    """Players, the house, and the world between them."""

    house: House
    world: World
    time: Clock

    def send(self, user: User, to: str, text: str) -> None:
        """A mail from a player, by the player's mail server."""
        with self.house.client() as client:
            client.send_message(letter(user, to, text, Date=format_datetime(self.time.at)), user.email, [to])

    def reply(self, user: User, text: str) -> str:
        """Reply to the last mail that a player has got, quoting it; the answer's text."""
        last = self.world.of(user)[-1]
        old = "\n".join(f"> {line}" for line in self.text(user).splitlines())
        quoted = f"{text}\n\nOn Monday the Gamesmaster <{settings.DEFAULT_FROM_EMAIL}> wrote:\n{old}\n"
        self.send(user, str(last["Reply-To"]), quoted)
        self.deliver()
        return self.text(user)

    def deliver(self) -> None:
        """Let the house's mails go out."""
        assert not delivery.deliver(self.time.at).failed

    def text(self, user: User) -> str:
        """The text of the last mail to a player."""
        mail = self.world.of(user)[-1]
        parts = mail.walk() if mail.is_multipart() else [mail]
        data = next(part for part in parts if part.get_content_type() == "text/plain").get_payload(decode=True)
        assert isinstance(data, bytes)
        return data.decode()

    def orders(self, table: Table, users: list[User], sets: dict[str, list[str]]) -> None:
        """Everybody sends orders, ready at once; then the phase is over."""
        table.refresh_from_db()
        for user in users:
            wanted = sets.get(power_of(table, user), [])
            told = self.reply(user, "\n".join([*wanted, "confirm"]))
            assert "Not understood" not in told
            assert "You are ready: your orders are final." in told
            assert sheet(table, user) == wanted
        self.no_secrets(table, users, sets)
        self.time.at += timedelta(minutes=5)
        for number, ordinal in processing.due(self.time.at):
            assert processing.process(number, ordinal, now=self.time.at) is processing.Done.PROCESSED
        self.deliver()

    def no_secrets(self, table: Table, users: list[User], sets: dict[str, list[str]]) -> None:
        """Before a phase is over nobody has got a word of another's orders for it."""
        full = store.load(table).rules.notation
        for user in users:
            own = power_of(table, user)
            got = "\n".join(
                str(m) for m in self.world.of(user) if table.phase_code in str(m["Subject"]) and "your mail" in str(m)
            )
            for power, lines in sets.items():
                for line in lines:
                    if power != own:
                        assert line not in got
                        assert full.write(full.read(line), full=True) not in got


def test_a_whole_game_by_mail(time: Clock) -> None:
    """Seven people who never see the site learn their addresses, sit down, order, write, vote, and end a game."""
    users = people(7)
    table = hosting.create(users[0], GameChoice("standard", name="By post"), TableSettings(panic=0))
    with World().open() as world, House() as house:
        post = Post(house, world, time)
        for user in users:
            post.send(user, f"gamesmaster@{settings.MAIL_DOMAIN}", "How does one play here?")
            post.deliver()
            assert f"You have joined {table.name}" in post.reply(user, f"join {table.key}")
        table.refresh_from_db()
        assert (table.state, table.phase_code) == ("running", "S1901M")
        assert all(any("the game begins" in str(m["Subject"]) for m in world.of(user)) for user in users)

        post.orders(table, users, ORDERS)
        assert all("results of S1901M" in str(world.of(user)[-1]["Subject"]) for user in users)
        assert "A Par - Bur" in post.text(users[0])

        writer, reader, third = users[:3]
        other = power_of(table, reader)
        post.reply(writer, f"press to {other}\nShall we?\nendpress\nmap png")
        assert [part.get_content_type() for part in world.of(writer)[-1].walk()][-1] == "image/png"
        assert Message.objects.filter(text="Shall we?").count() == 1
        assert "Shall we?" in post.text(reader)
        assert "Shall we?" not in "".join(map(str, world.of(third)))

        table.refresh_from_db()
        assert table.phase_code == "F1901M"
        post.orders(table, users, FALL)
        table.refresh_from_db()
        assert table.phase_code in ("F1901R", "W1901A")

        for user in users:
            table.refresh_from_db()
            post.reply(user, "status\nvote draw")
        table.refresh_from_db()
        assert table.state == "finished"
        for user in users:
            told = next(m for m in reversed(world.of(user)) if "the game is over" in str(m["Subject"]))
            assert bytes(table.seed).hex() in str(told.get_payload())
        threads = {str(mail["References"]).split()[0] for mail in world.mails if "[By post]" in str(mail["Subject"])}
        assert len(threads) == 1
        assert not any(line in str(mail["Subject"]) for mail in world.mails for line in ORDERS["France"])


# -- the door --------------------------------------------------------------------------------------------------------


def test_lmtp_answers_for_each_reader(time: Clock) -> None:
    """By LMTP each reader of a mail has a reply of its own (RFC 2033)."""
    user, *_ = people(1)
    table = running([user])
    good = address(table, user)
    bad = good.replace(good.split("-")[2][:4], "aaaa", 1)
    mail = letter(user, good, "status").as_bytes()
    with House(lmtp=True) as house, socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE) as wire:
        lines = wire.makefile("rb")

        def say(text: bytes) -> bytes:
            wire.sendall(text + b"\r\n")
            reply = lines.readline()
            while reply[3:4] == b"-":
                reply = lines.readline()
            return reply

        assert lines.readline().startswith(b"220")
        assert say(b"LHLO mx.test").startswith(b"250")
        assert say(f"MAIL FROM:<{user.email}>".encode()).startswith(b"250")
        for to in (good, bad):
            assert say(f"RCPT TO:<{to}>".encode()).startswith(b"250")
        assert say(b"DATA").startswith(b"354")
        wire.sendall(mail.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + b"\r\n.\r\n")
        assert lines.readline().startswith(b"250")
        assert lines.readline().startswith(b"550")
        assert say(b"QUIT").startswith(b"221")
        lines.close()


def test_what_the_door_refuses(time: Clock) -> None:
    """Wrong addresses, lines of a megabyte, mails too large: each refused in its own words, and the next is taken."""
    user, *_ = people(1)
    table = running([user])
    to = address(table, user)
    with House() as house, house.client() as client:
        client.ehlo("mx.test")
        for wrong in ("nobody@127.0.0.1", "p1-0-aaaaaaaaaaaaaaaa@elsewhere.example", "x" * 300 + "@127.0.0.1"):
            client.mail(user.email)
            assert client.rcpt(wrong)[0] in (550, 553)
            client.rset()
        line = b"Subject: x\r\n\r\n" + b"A Par - Bur " * 90_000 + b"\r\n"
        for data in (line, b"Subject: x\r\n\r\n" + b"hello\r\n" * 50_000):
            with pytest.raises(smtplib.SMTPSenderRefused):  # whoever says how large it is need not send it
                client.sendmail(user.email, [to], data)
            client.mail(user.email)
            client.rcpt(to)
            assert client.data(data)[0] in (500, 552)
        client.send_message(letter(user, to, ORDERS[power_of(table, user)][0]), user.email, [to])
    assert sheet(table, user) == ORDERS[power_of(table, user)][:1]


def test_smuggled_mails(time: Clock) -> None:
    """An end of data with bare line feeds is no end: nobody sends a second mail inside one."""
    user, *_ = people(1)
    table = running([user])
    to, (first, second, *_) = address(table, user), ORDERS[power_of(table, user)]
    head = f"Message-ID: <a@example.org>\r\nFrom: {user.email}\r\n\r\n"
    inner = f"MAIL FROM:<{user.email}>\r\nRCPT TO:<{to}>\r\nDATA\r\nFrom: x\r\n\r\n{second}\r\n"
    with House() as house, socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE) as wire:
        lines = wire.makefile("rb")
        lines.readline()
        for told in (b"HELO mx.test", f"MAIL FROM:<{user.email}>".encode(), f"RCPT TO:<{to}>".encode(), b"DATA"):
            wire.sendall(told + b"\r\n")
            lines.readline()
        wire.sendall(f"{head}{first}\n.\n{inner}".encode() + b"\r\n.\r\nQUIT\r\n")
        assert lines.read().count(b"250") == 1
        lines.close()
    assert table.sheets.get().version == 1


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("127.0.0.1:8025", ("127.0.0.1", 8025, None)),
        ("[::1]:25", ("::1", 25, None)),
        ("unix:/run/x.sock", ("127.0.0.1", 8025, "/run/x.sock")),
    ],
)
def test_where_to_listen(told: str, found: tuple[str, int, str | None]) -> None:
    """Places to listen are read as they are written elsewhere."""
    where = Listen.read(told)
    assert (where.host, where.port, str(where.path) if where.path else None) == found
