"""The hurt site: two web servers, two workers, mail room, a mail server that takes what goes out, and a database."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from aiosmtpd.controller import Controller

from tests.host.processes import SECRET, free_port, surroundings

ROOT = Path(__file__).parents[2]
CLOCKWORK = ROOT / "tests/host/clockwork.py"
TOLD = {
    "GAMESMASTER_SECRET": SECRET, "GAMESMASTER_MAIL_DOMAIN": "gm.test", "GAMESMASTER_MAILS_PER_HOUR": "1000000",
}  # fmt: skip
RECEIPT = r"GM1\|([0-9a-f]{24})\|"
"""A receipt in a text, and its code."""

BEGIN = """
import json, sys
from gamesmaster.host.apps import boot; boot()
from gamesmaster.host.operations.serving import migrate; migrate()
from django.contrib.auth.models import User
from django.test import Client
from allauth.account.models import EmailAddress
from gamesmaster.host.mailroom import addresses
from gamesmaster.host.accounts import tokens
from gamesmaster.host.games import hosting, seats
from gamesmaster.host.phases import downtime
from gamesmaster.host.site import clock
from gamesmaster.host.tables.settings import Absent, Deadlines, Pace, TableSettings
pace = Pace(minutes=int(sys.argv[2]))
plan = TableSettings(fill="holder", panic=0, absent=Absent(grace=0, notice=0, misses=9),
                     deadlines=Deadlines(movement=pace, retreats=pace, adjustments=pace))
made = []
downtime.beat(clock.now(), downtime.WEB)  # the time until the site answers is one in which nobody can send
for number in range(int(sys.argv[1])):
    users = []
    for name in ("ann", "ben"):
        user = User.objects.create_user(f"{name}{number}", f"{name}{number}@example.org")
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
        users.append(user)
    table = hosting.create(users[0], hosting.GameChoice("standard", f"Game {number}"), plan)
    for user in users:
        seats.join(table, user)
    table.refresh_from_db()
    if table.state == "forming":
        hosting.start(table, users[0])
        table.refresh_from_db()
    for user in users:
        seat = table.seats.get(user=user)
        token, _ = tokens.make_token(user, "chaos", ["read", "orders", "press"], clock.now())
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        made.append({"key": table.key, "user": user.username, "email": user.email, "power": seat.power,
                     "token": token, "session": client.cookies["sessionid"].value,
                     "addresses": [addresses.player(seat, ordinal) for ordinal in range(60)]})
print(json.dumps(made))
"""
DRAINED = """
from gamesmaster.host.apps import boot; boot()
from gamesmaster.host.models import OutMail, Table
from gamesmaster.host.site import clock
Table.objects.filter(state="running").update(deadline=None, ready_at=None)  # nobody plays any more
waiting = OutMail.objects.filter(state="queued")
print(waiting.count())
waiting.update(next_try=clock.now())
"""
MEND = """
from gamesmaster.host.apps import boot; boot()
from gamesmaster.host.operations import health
from gamesmaster.host.site import clock
print(health.mend_clock(clock.now()))
"""
BACK = """
from gamesmaster.host.apps import boot; boot()
from django.core.management import call_command
from gamesmaster.host.models import HeldLetter
from gamesmaster.host.press import holding
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
for table in set(HeldLetter.objects.values_list("table", flat=True)):  # the earlier edition has no room for them
    with store.lock(table, record=False) as row:
        holding.flush(row, clock.now())
call_command("migrate", "host", "0007", verbosity=0)
"""


class MailServer:
    """Takes what goes out, in one of several moods: `good`, `slow`, `silent`, `refusing`, `away`."""

    def __init__(self) -> None:
        self.port = free_port()
        self.mood = "good"
        self.got: list[dict[str, Any]] = []
        self._controller: Controller | None = None
        self.be("good")

    def be(self, mood: str) -> None:
        """Change the mood."""
        self.mood = mood
        if mood == "away" and self._controller is not None:
            self._controller.stop(no_assert=True)
            self._controller = None
        elif mood != "away" and self._controller is None:
            self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
            self._controller.start()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Take a mail, or not."""
        if self.mood in ("slow", "silent"):
            await asyncio.sleep(2 if self.mood == "slow" else 60)
        if self.mood == "refusing":
            return "451 4.3.0 not now"
        mail = message_from_bytes(envelope.content, policy=policy.default)
        body = mail.get_body(("plain",))
        codes = re.findall(RECEIPT, body.get_content() if body is not None else "")
        answers = str(mail["In-Reply-To"] or "")
        self.got.append({"to": envelope.rcpt_tos[0], "id": str(mail["Message-ID"]), "answers": answers, "codes": codes})
        return "250 2.0.0 OK"


class Wire:
    """A wire to a port elsewhere that can be cut: `open` again, it carries what comes next."""

    def __init__(self, host: str, port: int) -> None:
        self.far, self.port, self.open = (host, port), free_port(), True
        self._ends: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._run, daemon=True).start()

    def cut(self) -> None:
        """Cut all that is on it, and take nothing more until it is opened."""
        self.open = False
        self._loop.call_soon_threadsafe(self._abort)

    def _abort(self) -> None:
        for end in list(self._ends):
            end.transport.abort()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(asyncio.start_server(self._carry, "127.0.0.1", self.port))
        self._loop.run_forever()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.open:
            writer.transport.abort()
            return
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection(*self.far)
            self._ends |= {writer, far_writer}
            await asyncio.gather(self._pipe(reader, far_writer), self._pipe(far_reader, writer))
            self._ends -= {writer, far_writer}

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        with suppress(OSError):
            writer.close()


@contextmanager
def fresh_database(url: str) -> Iterator[str]:
    """A new PostgreSQL database on the server of this URL, dropped at the end; its URL."""
    name = f"gamesmaster_chaos_{os.getpid()}"
    parts = urlsplit(url)
    server = parts._replace(path="/postgres").geturl()
    with psycopg.connect(server, autocommit=True) as base:
        base.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        base.execute(f'CREATE DATABASE "{name}"')
    try:
        yield parts._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(server, autocommit=True) as base:
            base.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


class Program:
    """One of the site's programs, which can be ended and begun again."""

    def __init__(self, site: Site, name: str, *words: str) -> None:
        self.site, self.name, self.words = site, name, words
        self.process: subprocess.Popen[bytes] | None = None
        self.wanted = False
        self.begin()

    def begin(self) -> None:
        """Begin it, if it does not run; from now on it is begun again whenever it ends."""
        self.wanted = True
        if self.process is not None and self.process.poll() is None:
            return
        asked = [sys.executable, str(CLOCKWORK), str(self.site.offset), *self.words, "--data", str(self.site.data)]
        with (self.site.folder / f"{self.name}.log").open("ab") as out:
            self.process = subprocess.Popen(
                asked, cwd=ROOT, env=self.site.surroundings, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )

    def send(self, how: int) -> None:
        """Send a signal."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)

    def end(self, how: int = signal.SIGTERM) -> None:
        """Send a signal, and wait for the end; one that does not come within half a minute is a fault of the site."""
        assert self.process is not None
        self.wanted = False
        self.send(how)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.site.wrong.append(f"{self.name} did not end by signal {how}")
            self.process.kill()
            self.process.wait()


class Site:
    """All of it; `url` is a fresh PostgreSQL database, SQLite without one."""

    def __init__(self, folder: Path, url: str = "", *, tables: int = 4, minutes: int = 1) -> None:
        self.folder, self.data, self.offset = folder, folder / "data", folder / "offset"
        self.data.mkdir(parents=True)
        self.offset.write_text("0", encoding="ascii")
        self.wrong: list[str] = []
        self.mail = MailServer()
        self.database = url
        self.wire: Wire | None = None
        if url:
            parts = urlsplit(url)
            self.wire = Wire(parts.hostname or "127.0.0.1", parts.port or 5432)
            user, _, _ = parts.netloc.rpartition("@")
            url = parts._replace(netloc=f"{user}@127.0.0.1:{self.wire.port}").geturl()
        self.ports, self.mail_port = (free_port(), free_port()), free_port()
        self.surroundings = surroundings(
            {
                **TOLD, "GAMESMASTER_DATABASE_URL": url, "GAMESMASTER_DATA": str(self.data),
                "PYTHONPATH": os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), str(ROOT)))),
                "GAMESMASTER_MAIL_HOST": "127.0.0.1", "GAMESMASTER_MAIL_PORT": str(self.mail.port),
                "GAMESMASTER_BASE_URL": f"http://127.0.0.1:{self.ports[0]}",
            }
        )  # fmt: skip
        self.players: list[dict[str, Any]] = json.loads(self.run(BEGIN, str(tables), str(minutes)))
        self.programs: dict[str, Program] = {}

    @property
    def url(self) -> str:
        """Where the site answers: at one of its two web servers."""
        return f"http://127.0.0.1:{random.choice(self.ports)}"

    def run(self, code: str, *words: str, stdin: str = "") -> str:
        """What a piece of code prints that runs in the site's surroundings."""
        done = subprocess.run(
            [sys.executable, "-c", code, *words], env=self.surroundings, capture_output=True, text=True, input=stdin,
            check=False, cwd=ROOT,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        return done.stdout

    def begin(self) -> None:
        """Begin all programs."""
        for number, port in enumerate(self.ports, 1):
            self.programs[f"web{number}"] = Program(self, f"web{number}", "serve", "--no-worker", "--port", str(port))
            self.programs[f"worker{number}"] = Program(self, f"worker{number}", "worker")
        self.programs["mailroom"] = Program(self, "mailroom", "mailroom", "--listen", f"127.0.0.1:{self.mail_port}")

    def supervise(self, stop: threading.Event) -> None:
        """Begin again what has ended though nobody ended it, as those do who run a site's programs."""
        while not stop.wait(2):
            for program in self.programs.values():
                if program.wanted and program.process is not None and program.process.poll() is not None:
                    program.begin()

    def heal(self) -> None:
        """Make whole whatever is hurt."""
        if self.wire is not None:
            self.wire.open = True
        self.mail.be("good")
        for program in self.programs.values():
            program.send(signal.SIGCONT)
            program.begin()

    def end(self) -> None:
        """End all programs."""
        for program in self.programs.values():
            program.send(signal.SIGCONT)
            program.end()
        self.mail.be("away")

    def leap(self, seconds: float) -> None:
        """Set the clock of all programs wrong by so much."""
        fresh = self.offset.with_suffix(".new")
        fresh.write_text(str(seconds), encoding="ascii")
        fresh.replace(self.offset)

    def said(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """What the programs have logged."""
        for file in sorted(self.folder.glob("*.log")):
            for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
                with suppress(ValueError):
                    yield file.stem, json.loads(line)


Fault = Callable[[Site], None]
