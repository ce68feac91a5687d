"""What befalls the site: each fault lasts some seconds, and is mended by whoever runs it."""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import psycopg

from tests.chaos.site import BACK, MEND, Site

LONG = 25.0
"""Seconds after which a door that is shut counts as an outage."""
Fault = Callable[[Site, random.Random], None]


WEB, WORKERS, MAIL = ("web1", "web2"), ("worker1", "worker2"), ("mailroom",)


def killed(how: int, *names: str, number: int = 1) -> Fault:
    """As many programs of these are ended by a signal, and begun again soon, or after a while."""

    def fault(site: Site, lot: random.Random) -> None:
        programs = [site.programs[name] for name in lot.sample(names, number)]
        for program in programs:
            program.end(how)
        time.sleep(lot.choice([0, 1, 4, LONG]))
        for program in programs:
            program.begin()

    return fault


def stopped(site: Site, lot: random.Random) -> None:
    """A program stands still for a while, and goes on as if nothing had been."""
    program = site.programs[lot.choice(list(site.programs))]
    program.send(signal.SIGSTOP)
    time.sleep(lot.choice([3, 12, LONG]))
    program.send(signal.SIGCONT)


def clock_ahead(site: Site, lot: random.Random) -> None:
    """The clock leaps some hours ahead, and is put right after some seconds."""
    site.leap(lot.choice([600, 7200, 86400]))
    time.sleep(8)
    site.leap(0)


def clock_ahead_from_the_start(site: Site, lot: random.Random) -> None:
    """All programs are begun by a clock that is ahead; it is put right, and whoever runs the site says so."""
    with _all_ended(site):
        site.leap(lot.choice([600, 7200]))
    time.sleep(12)
    site.leap(0)
    time.sleep(3)
    site.run(MEND)


def clock_back(site: Site, lot: random.Random) -> None:
    """The clock is put back, and put right again; whoever runs the site says so each time."""
    site.leap(-lot.choice([600, 7200]))
    time.sleep(8)
    site.leap(0)
    time.sleep(8)
    site.run(MEND)


def mail_in_a_mood(site: Site, lot: random.Random) -> None:
    """The mail server is away, silent, slow, or refuses."""
    site.mail.be(lot.choice(["away", "silent", "slow", "refusing"]))
    time.sleep(lot.choice([5, 15]))
    site.mail.be("good")


def backends_ended(site: Site, lot: random.Random) -> None:
    """PostgreSQL ends every connection."""
    with psycopg.connect(site.database, autocommit=True) as base:
        for _ in range(lot.choice([1, 5])):
            base.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            time.sleep(0.5)


def database_away(site: Site, lot: random.Random) -> None:
    """The way to the database is cut for a while."""
    assert site.wire is not None
    site.wire.cut()
    time.sleep(lot.choice([2, 8, LONG]))
    site.wire.open = True


def disk_full(site: Site, lot: random.Random) -> None:
    """No file of a program can grow any more for some seconds."""
    import resource

    running = [one.process.pid for one in site.programs.values() if one.process and one.process.poll() is None]
    before = {pid: resource.prlimit(pid, resource.RLIMIT_FSIZE) for pid in running}
    for pid in running:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (8192, before[pid][1]))
    time.sleep(lot.choice([3, 8]))
    for pid, limits in before.items():
        with suppress(ProcessLookupError):  # it has ended meanwhile; the one in its place has no such limit
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)


def upgraded(site: Site, lot: random.Random) -> None:
    """All is ended, the database is one of an earlier edition, and the new program begins on it."""
    with _all_ended(site):
        site.run(BACK)


@contextmanager
def _all_ended(site: Site) -> Iterator[None]:
    for program in site.programs.values():
        program.end()
    yield
    for program in site.programs.values():
        program.begin()  # what refuses to begin before the web server has brought the database up to date begins again


EVERYWHERE: dict[str, Fault] = {
    "kill -9 of a web server": killed(signal.SIGKILL, *WEB),
    "kill -9 of both web servers": killed(signal.SIGKILL, *WEB, number=2),
    "kill -9 of a worker": killed(signal.SIGKILL, *WORKERS),
    "kill -9 of both workers": killed(signal.SIGKILL, *WORKERS, number=2),
    "kill -9 of the mail room": killed(signal.SIGKILL, *MAIL),
    "SIGTERM of any program": killed(signal.SIGTERM, *WEB, *WORKERS, *MAIL),
    "SIGSTOP, later SIGCONT, of any program": stopped,
    "mail server away, silent, slow, refusing": mail_in_a_mood,
    "all ended, an older database, upgraded": upgraded,
}
ON_SQLITE: dict[str, Fault] = {
    "clock ahead, then put right": clock_ahead,
    "begun by a clock that is ahead, then put right": clock_ahead_from_the_start,
    "clock put back, then put right": clock_back,
}
if sys.platform == "linux":
    ON_SQLITE["disk full"] = disk_full
ON_POSTGRESQL: dict[str, Fault] = {
    "all connections to the database ended": backends_ended,
    "the way to the database cut": database_away,
}


def of(site: Site) -> dict[str, Fault]:
    """The faults that can befall this site."""
    return {**EVERYWHERE, **(ON_POSTGRESQL if site.database else ON_SQLITE)}
