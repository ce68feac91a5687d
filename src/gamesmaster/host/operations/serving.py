"""Processes of a site: `gamesmaster serve` with a worker beside it, and any number of separate workers.

A worker has a thread that processes phases and threads that do the other work (`KINDS` of jobs). Neither waits for the
other. A job or table that fails does not hold up the others.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from random import sample
from threading import Event, Thread, Timer

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, close_old_connections, connection, connections

from gamesmaster.host.accounts import sign_up, signing_in
from gamesmaster.host.games import hosting, queue, ratings
from gamesmaster.host.gm import hooks
from gamesmaster.host.mailroom import brake, delivery, newcomers
from gamesmaster.host.moderation import oversight
from gamesmaster.host.notices import inbox
from gamesmaster.host.operations import demonstration, upkeep
from gamesmaster.host.phases import downtime, outages, processing
from gamesmaster.host.practice import sandbox
from gamesmaster.host.press import correspondence, holding
from gamesmaster.host.site import clock, jobs, limits, processes
from gamesmaster.host.site.jobs import Kind
from gamesmaster.host.tables import editions, outbox
from gamesmaster.host.tables.models import Table
from gamesmaster.host.variants import uploads

LOG = logging.getLogger("gamesmaster.host")
PAUSE = 1.0  # seconds between two ticks
BETWEEN_HEARTBEATS = 5.0  # seconds
FEW = 16
SPREAD = 4
"""A few tables are drawn at random from this many times as many."""
MOST_PHASES = 5
"""Maximum number of phases of one table per tick."""


THREADS = 2
"""Threads of a worker for jobs: while one waits for a mail server, the other goes on."""
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(outages.MOVES, outages.move, lease=15.0),
        Kind(outages.NEWS, outages.write),
        Kind(correspondence.LETTERS, holding.release),
        Kind("reminders", processing.remind, every=10.0),
        Kind(processing.REMINDER, processing.remind_again),
        Kind("mail", delivery.send_due, every=2.0, lease=120.0),
        Kind("digests", brake.send_digests, every=300.0),
        Kind("hooks", hooks.work, every=5.0),
        Kind("queue", queue.work, every=60.0),
        Kind("mail room", downtime.give_up, every=60.0),
        Kind(ratings.REBUILD, ratings.rebuild, lease=600.0),
        Kind("recovery codes", signing_in.tidy_codes, every=60.0),
        Kind(uploads.CHECKS, uploads.check_next, lease=uploads.LEASE),
        Kind(demonstration.KIND, demonstration.work),
        Kind("old mail", delivery.tidy, every=3600.0),
        Kind("old notices", inbox.tidy, every=3600.0),
        Kind("old traces", oversight.tidy_traces, every=3600.0),
        Kind("old sign-ups", newcomers.tidy, every=3600.0),
        Kind("old limits", limits.tidy, every=3600.0),
        Kind("old sign-ins", signing_in.tidy, every=3600.0),
        Kind("old sessions", signing_in.tidy_sessions, every=3600.0),
        Kind("old sandboxes", sandbox.tidy, every=3600.0),
        Kind("old processes", processes.tidy, every=3600.0),
        Kind("old invitations", sign_up.tidy, every=3600.0),
    )
}
"""The kinds of jobs."""


@dataclass(frozen=True, slots=True)
class Tick:
    """The result of a tick."""

    processed: int = 0  # phases processed
    failed: int = 0  # phases that failed
    kept_still: bool = False  # nothing was done, because the clock or the database is in doubt


def process_due(now: datetime) -> Tick:
    """Process the phases that are due, oldest first, and leave heartbeats; do nothing while the clock is in doubt.

    Tables are taken a few at a time, drawn at random, so that parallel workers rarely collide.
    """
    if not downtime.beat(now):
        return Tick(kept_still=True)
    processed = failed = 0
    counts: dict[int, int] = {}
    tried: set[tuple[int, int]] = set()
    beaten = time.monotonic()
    while few := _few(now, tried):
        for number, ordinal in few:
            tried.add((number, ordinal))
            counts[number] = counts.get(number, 0) + 1
            if counts[number] > MOST_PHASES:
                continue
            done = processing.process(number, ordinal)
            processed += done is processing.Done.PROCESSED
            failed += done in (processing.Done.FAILED, processing.Done.QUARANTINED)
            if time.monotonic() - beaten > BETWEEN_HEARTBEATS:
                downtime.beat(clock.now())
                beaten = time.monotonic()
    return Tick(processed, failed)


def _few(now: datetime, tried: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a few untried tables that are due, drawn from those that have waited longest."""
    tables = [one for one in processing.due(now, SPREAD * FEW + len(tried)) if one not in tried][: SPREAD * FEW]
    return sample(tables, min(FEW, len(tables)))


class Worker:
    """A worker: the loop that processes phases, and threads for jobs. Setting `stop` from another thread ends it."""

    def __init__(self, stop: Event | None = None) -> None:
        self.stop = stop or Event()
        self.trusts = Event()  # the clock and the database are not in doubt, so jobs may be done
        self.over = Event()  # the threads for jobs end
        self._steady = downtime.Steady()
        self._pulse = -BETWEEN_HEARTBEATS  # monotonic time of the last pulse

    def run(self) -> None:
        """Tick until `stop` is set, and do jobs meanwhile."""
        LOG.info("the worker begins", extra={"event": "worker"})
        threads = [Thread(target=self._do_jobs, daemon=True, name=f"jobs-{n}") for n in range(THREADS)]
        for thread in threads:
            thread.start()
        while not self.stop.is_set():
            self.tick()
            self.stop.wait(PAUSE)
        self.over.set()
        for thread in threads:
            thread.join(LAST_ANSWERS)
        with suppress(DatabaseError):
            processes.end(downtime.WORKER)

    def tick(self) -> Tick:
        """Process what is due and return the result; a database failure is logged and retried in the next round."""
        close_old_connections()
        now = clock.now()
        tick = Tick(kept_still=True)
        try:
            if time.monotonic() - self._pulse >= BETWEEN_HEARTBEATS:
                processes.leave_pulse(downtime.WORKER, now)
                self._pulse = time.monotonic()
            if self._steady.trusts(now):
                tick = process_due(now)
        except DatabaseError as error:
            LOG.error("the worker cannot reach the database", exc_info=error, extra={"event": "worker"})
        if tick.kept_still:
            self.trusts.clear()
        else:
            self.trusts.set()
        return tick

    def _do_jobs(self) -> None:
        planned = False
        while not self.over.is_set():
            worked = False
            try:
                close_old_connections()
                if self.trusts.is_set():
                    if not planned:
                        jobs.plan(KINDS, clock.now())
                    planned = True
                    worked = jobs.work_one(KINDS, clock.now())
            except DatabaseError as error:
                LOG.error("jobs cannot reach the database", exc_info=error, extra={"event": "jobs"})
            if not worked:
                self.over.wait(PAUSE)
        connections.close_all()


MIGRATION_LOCK = 0x67616D65
DEMO = "standard"
LONGEST_SILENCE = 600  # seconds after which a worker without a heartbeat is replaced
LAST_ANSWERS = 5  # seconds that running requests have when the site stops
LONGEST_STOP = 25.0  # seconds after which a stopping process is killed
BESIDE = "GAMESMASTER_BESIDE"
"""Set for a worker beside a site. Its standard input closes when the site ends for any reason."""


def migrate() -> None:
    """Migrate the database; if several processes try, one does it and the others wait.

    An SQLite database is copied first. Raise `OutOfTurn` for a database of a newer version.
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
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock.fileno(), fcntl.LOCK_EX)
        _bring_up_to_date()


def _bring_up_to_date() -> None:
    """Migrate the database if necessary, and store the editions that its tables use."""
    now = clock.now()
    upkeep.bring_up_to_date(lambda: call_command("migrate", verbosity=0, interactive=False), now)
    editions.keep_editions(now)


def first_words(base: str, *, demo: bool) -> list[str]:
    """Return the lines printed at the start: the address, the link for the first admin, the demo board.

    With `demo` they ask for the demonstration club as well.
    """
    lines = [f"Gamesmaster at {base}/"]
    token = sign_up.first_link(clock.now())
    if token:
        lines.append(f"Make the first admin (works once): {base}/first/{token}")
    if not outbox.sends():
        lines.append("This site sends no e-mail: set GAMESMASTER_MAIL_HOST to let it send some.")
    if demo:
        jobs.ask(demonstration.KIND, clock.now())
        lines.append("A demonstration club is being made: within a minute its games are at the address above.")
        lines.append(f"A board to try: {base}/t/{demo_table().key}/")
    return lines


def demo_table() -> Table:
    """Return the demo sandbox, creating it if necessary."""
    table = Table.objects.filter(sandbox=True, forked_from=sandbox.DEMO).first()
    if table is None:
        table = hosting.sandbox(DEMO, name="A board to try")
        Table.objects.filter(pk=table.pk).update(forked_from=sandbox.DEMO)
    return table


class BesideWorker:
    """A worker process beside the site. It is restarted when it dies or leaves no heartbeat, and ends with the site.

    It reads a pipe that closes with this process, even if this process is killed.
    """

    def __init__(self, command: list[str] | None = None) -> None:
        self.command = command or [sys.executable, "-m", "gamesmaster", "worker"]
        self.stop = Event()
        self.process: subprocess.Popen[bytes] | None = None
        self.thread = Thread(target=self._watch, daemon=True, name="beside-worker")

    def __enter__(self) -> BesideWorker:
        """Start the worker."""
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the worker."""
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
                variables = {"GAMESMASTER_DATA": str(settings.DATA), BESIDE: "yes"}
                self.process = subprocess.Popen(self.command, env={**os.environ, **variables}, stdin=subprocess.PIPE)
                quiet = 0
            elif quiet >= LONGEST_SILENCE and _silent():
                self.process.kill()
            self.stop.wait(2)
            quiet += 2


def _silent() -> bool:
    from gamesmaster.host.site.clock import Heartbeat

    heartbeat = Heartbeat.objects.filter(name=downtime.WORKER).first()
    connections.close_all()
    return heartbeat is None or (clock.now() - heartbeat.beat).total_seconds() > LONGEST_SILENCE


def run_site(host: str, port: int, begun: Callable[[], object]) -> None:
    """Serve requests until a signal stops the process; call `begun` once requests are accepted."""
    import uvicorn

    from gamesmaster.host.press.live import WATCH

    class Site(uvicorn.Server):
        async def startup(self, sockets: object = None) -> None:
            await super().startup(sockets)  # type: ignore[arg-type]
            begun()

        async def shutdown(self, sockets: object = None) -> None:
            end_within(LONGEST_STOP)
            WATCH.close()  # open streams would delay the stop
            await super().shutdown(sockets)  # type: ignore[arg-type]

    connections.close_all()
    # uvicorn raises the signal again that stopped it; this handler lets the callers of `run_site` clean up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    config = uvicorn.Config(
        "gamesmaster.host.asgi:application", host=host, port=port, log_config=None, access_log=False, lifespan="on",
        proxy_headers=settings.SECURE_PROXY_SSL_HEADER is not None, server_header=False,
        timeout_graceful_shutdown=LAST_ANSWERS,
    )  # fmt: skip
    Site(config).run()


def run_worker() -> None:
    """Work until SIGTERM or SIGINT, or until the site beside it ends."""
    worker = Worker()

    def stop(*_: object) -> None:
        worker.stop.set()
        end_within(LONGEST_STOP)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    if os.environ.pop(BESIDE, ""):
        Thread(target=_await_the_end_of_input, args=(stop,), daemon=True, name="beside-site").start()
    worker.run()


def _await_the_end_of_input(then: Callable[[], object]) -> None:
    with suppress(OSError):
        while os.read(0, 1):  # not `sys.stdin`: a thread must not hold its lock when Python ends
            pass
    then()


def end_within(seconds: float) -> None:
    """Kill this process after `seconds` if it has not ended by then."""
    timer = Timer(seconds, os._exit, [1])
    timer.daemon = True
    timer.start()
