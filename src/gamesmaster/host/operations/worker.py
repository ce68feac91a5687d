"""The worker: keeps the deadlines.  Any number may run at once, each in a process of its own.

A tick leaves a pulse, processes what is due, and does the other `JOBS`, each when its time has come.  One job or table
that fails does not hold up the others.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from random import sample
from threading import Event

from django.db import DatabaseError, close_old_connections

from gamesmaster.host.accounts import sign_up, signing_in
from gamesmaster.host.gm import hooks
from gamesmaster.host.mailroom import delivery, newcomers
from gamesmaster.host.moderation import oversight
from gamesmaster.host.phases import downtime, processing
from gamesmaster.host.practice import sandbox
from gamesmaster.host.site import clock, limits

LOG = logging.getLogger("gamesmaster.host")
PAUSE = 1.0  # seconds between two ticks
BETWEEN_PULSES = 5.0  # seconds
FEW = 16
SPREAD = 4
"""A few are drawn from so many times as many."""
MOST_PHASES = 5
"""Phases of one table in one tick: none runs away."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done every so many seconds; `work` is told the time."""

    name: str
    every: float
    work: Callable[[datetime], object]


JOBS: list[Job] = [
    Job("reminders", 30.0, processing.remind),
    Job("hooks", 5.0, hooks.work),
    Job("mail", 2.0, delivery.POSTMAN.nudge),
    Job("mail room", 60.0, downtime.give_up),
    Job("recovery codes", 60.0, signing_in.tidy_codes),
    Job("old mail", 3600.0, delivery.tidy),
    Job("old traces", 3600.0, oversight.tidy_traces),
    Job("old sign-ups", 3600.0, newcomers.tidy),
    Job("old limits", 3600.0, limits.tidy),
    Job("old sign-ins", 3600.0, signing_in.tidy),
    Job("old sessions", 3600.0, signing_in.tidy_sessions),
    Job("old sandboxes", 3600.0, sandbox.tidy),
    Job("old invitations", 3600.0, sign_up.tidy),
]
"""What is done beside phases."""


@dataclass(frozen=True, slots=True)
class Tick:
    """What a tick did."""

    processed: int = 0
    failed: int = 0
    kept_still: bool = False


def process_due(now: datetime) -> Tick:
    """Process what is due, oldest first, with a pulse now and then; or nothing, where the clock is in doubt.

    A few tables are taken at a time, in any order among themselves, so that workers beside each other seldom reach for
    the same one.
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
            if time.monotonic() - beaten > BETWEEN_PULSES:
                downtime.beat(clock.now())
                beaten = time.monotonic()
    return Tick(processed, failed)


def _few(now: datetime, tried: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    """A few of the tables that are due and were not tried in this round, drawn from those that wait longest."""
    found = [one for one in processing.due(now, SPREAD * FEW + len(tried)) if one not in tried][: SPREAD * FEW]
    return sample(found, min(FEW, len(found)))


class Worker:
    """A worker's round; `stop` is set from elsewhere to end it."""

    def __init__(self, stop: Event | None = None) -> None:
        self.stop = stop or Event()
        self._done: dict[str, float] = {}
        self._steady = downtime.Steady()

    def run(self) -> None:
        """Tick until told to stop."""
        LOG.info("the worker begins", extra={"event": "worker"})
        while not self.stop.is_set():
            self.tick()
            self.stop.wait(PAUSE)

    def tick(self) -> Tick:
        """One round; what goes wrong is logged, and tried again in the next."""
        close_old_connections()
        now = clock.now()
        try:
            if not self._steady.trusts(now):
                return Tick(kept_still=True)
            tick = process_due(now)
            if not tick.kept_still:
                self._do_jobs(now)
        except DatabaseError as error:
            LOG.error("the worker cannot reach the database", exc_info=error, extra={"event": "worker"})
            return Tick(kept_still=True)
        return tick

    def _do_jobs(self, now: datetime) -> None:
        for job in JOBS:
            at = time.monotonic()
            if at - self._done.get(job.name, -job.every) < job.every:
                continue
            self._done[job.name] = at
            try:
                job.work(now)
            except DatabaseError:
                raise
            except Exception as error:  # one job's fault is not the others'
                LOG.error("a job failed", exc_info=error, extra={"event": job.name})
