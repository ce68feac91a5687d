"""`gamesmaster serve`: the site and a worker beside it, ready in seconds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from threading import Event, Thread

from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

from gamesmaster.host import edition
from gamesmaster.host.models import Table
from gamesmaster.host.service import admins, clock, downtime, editions, outbox, tables

MIGRATION_LOCK = 0x67616D65
DEMO = "standard"
LONGEST_SILENCE = 600  # seconds after which a worker that gives no sign of life is replaced


def migrate() -> None:
    """Bring the database up to date; of several processes one does it, and the others wait.

    An SQLite database is copied before.  Raises `OutOfTurn` for one that a newer program has changed.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
            try:
                _bring_up_to_date()
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])
        return
    with (settings.DATA / "migrating").open("ab") as lock:
        _lock(lock.fileno())
        _bring_up_to_date()


def _bring_up_to_date() -> None:
    """Change the database if need be, and keep what editions its tables are played by."""
    now = clock.now()
    edition.bring_up_to_date(_migrate, now)
    editions.keep_all(now)


def _migrate() -> None:
    call_command("migrate", verbosity=0, interactive=False)


def _lock(handle: int) -> None:
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)


def first_words(base: str, demo: bool) -> list[str]:
    """What is printed at the start: where the site is, the link for the first admin, the demo board."""
    lines = [f"Gamesmaster at {base}/"]
    token = admins.first_link(clock.now())
    if token:
        lines.append(f"Make the first admin (works once): {base}/first/{token}")
    if not outbox.sends():
        lines.append("This site sends no e-mail: set GAMESMASTER_MAIL_HOST to let it send some.")
    if demo:
        lines.append(f"A board to try: {base}/t/{demo_table().key}/")
    return lines


def demo_table() -> Table:
    """The demo sandbox; made if there is none."""
    found = Table.objects.filter(sandbox=True, forked_from="demo").first()
    if found is None:
        found = tables.sandbox(DEMO, name="A board to try")
        Table.objects.filter(pk=found.pk).update(forked_from="demo")
    return found


class BesideWorker:
    """A worker process beside the site: begun again when it dies, or gives no sign of life."""

    def __init__(self, command: list[str] | None = None) -> None:
        self.command = command or [sys.executable, "-m", "gamesmaster.cli", "worker"]
        self.stop = Event()
        self.process: subprocess.Popen[bytes] | None = None
        self.thread = Thread(target=self._watch, daemon=True, name="beside-worker")

    def __enter__(self) -> BesideWorker:
        """Begin it."""
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.stop.set()
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.thread.join(10)

    def _watch(self) -> None:
        while not self.stop.is_set():
            if self.process is None or self.process.poll() is not None:
                data = {"GAMESMASTER_DATA": str(settings.DATA)}
                self.process = subprocess.Popen(self.command, env={**os.environ, **data})
                quiet = 0
            elif quiet >= LONGEST_SILENCE and _silent():
                self.process.kill()
            self.stop.wait(2)
            quiet += 2


def _silent() -> bool:
    from gamesmaster.host.models import Pulse

    pulse = Pulse.objects.filter(name=downtime.WORKER).first()
    connections.close_all()
    return pulse is None or (clock.now() - pulse.beat).total_seconds() > LONGEST_SILENCE


def run_site(host: str, port: int, begun: Callable[[], object]) -> None:
    """Answer requests until told to stop."""
    import uvicorn

    class Site(uvicorn.Server):
        async def startup(self, sockets: object = None) -> None:
            await super().startup(sockets)  # type: ignore[arg-type]
            begun()

    connections.close_all()
    config = uvicorn.Config(
        "gamesmaster.host.asgi:application", host=host, port=port, log_config=None, access_log=False, lifespan="off",
        proxy_headers=settings.SECURE_PROXY_SSL_HEADER is not None, server_header=False,
    )  # fmt: skip
    Site(config).run()


def run_worker() -> None:
    """Work until told to stop (SIGTERM, SIGINT)."""
    from gamesmaster.host.worker import Worker

    worker = Worker()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: worker.stop.set())
    worker.run()
