"""What single parts of a site cost, measured in its current database: an idle worker, pages, letters, an outage.

Costs are processor time, of this process and of its connection to PostgreSQL where that runs on this machine, so that
other work on the machine is not counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from bench.filling import Place

NEAR_DEADLINES = timedelta(minutes=50)
"""Time after an outage within which all games are due, so that the outage moves all deadlines."""
TRADE = "Would you support me to the sea? I keep out of your lands, and say nothing to anybody else. Number {}."


def spent() -> float:
    """Return the seconds of processor that this process and its database connection have used."""
    from django.db import connection

    own = time.process_time()
    if connection.vendor != "postgresql":
        return own
    connection.ensure_connection()
    backend = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
    return own + (int(backend.read_text().split()[0]) / 1e9 if backend.exists() else 0.0)


def cost_of(work: Callable[[], object]) -> float:
    """Return the seconds of processor that some work takes."""
    before = spent()
    work()
    return spent() - before


def p95(times: list[float]) -> float:
    """Return the time that 95 of a hundred do not exceed."""
    return sorted(times)[max(0, int(len(times) * 0.95) - 1)]


def idle(seconds: int, tries: int = 3) -> float:
    """Return what so many seconds cost a worker in which nothing is due; the least of some tries.

    The clock is not waited for: the worker is told the time of each second. The tasks of each hour are done before.
    """
    from gamesmaster.host.models import Heartbeat, Job
    from gamesmaster.host.operations import serving
    from gamesmaster.host.site import clock, jobs

    Heartbeat.objects.all().delete()
    begun = at = clock.now()
    jobs.work_off(serving.KINDS, at)
    costs = []
    for _ in range(tries):
        before = spent()
        for _ in range(seconds):
            at += timedelta(seconds=1)
            assert serving.process_due(at) == serving.Tick()
            while jobs.work_one(serving.KINDS, at):
                pass
        costs.append(spent() - before)
    Heartbeat.objects.all().delete()
    Job.objects.filter(due__gt=begun).update(due=begun)
    return min(costs)


def statements_of(work: Callable[[], object]) -> int:
    """Return how many statements some work sends to the database."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as found:
        work()
    return len(found)


PAGES = (
    "/", "/games?list=mine", "/games?list=open", "/games?list=running", "/games?list=finished", "/inbox", "/ratings",
    "/people/player0/", "/variants/", "/me", "/t/{key}/", "/t/{key}/lobby/", "/t/{key}/press/", "/t/{key}/live.json",
    "/api/tables?kind=mine", "/healthz",
)  # fmt: skip


def queries(place: Place, pages: Sequence[str] = PAGES) -> dict[str, int]:
    """Return how many statements each page needs for the player in this place, at the second visit."""
    client, found = _signed_in(place), {}

    def visit(url: str) -> None:
        answer = client.get(url)
        assert answer.status_code in (200, 503), f"{url}: {answer.status_code}"  # no worker was seen

    for page in pages:
        url = page.format(key=place.key)
        visit(url)  # fills caches
        found[page] = statements_of(lambda url=url: visit(url))  # type: ignore[misc]
    return found


def letters(place: Place, number: int) -> None:
    """Let a game have so many letters, in the public thread and in one with each other power by turns."""
    from gamesmaster.host.models import Message, Table
    from gamesmaster.host.site import clock
    from gamesmaster.host.tables.models import thread_of

    table = Table.objects.get(key=place.key)
    now, others = clock.now(), table.seats.exclude(power=place.power).values_list("power", flat=True)
    readers: list[list[str]] = [[], *([str(name)] for name in others)]
    Message.objects.filter(table=table).delete()
    Message.objects.bulk_create(
        (
            Message(
                table=table, ordinal=table.ordinal, sender=place.power, shown_as=place.power, text=TRADE.format(n),
                to=readers[n % len(readers)], thread=thread_of(place.power, readers[n % len(readers)]), sent_at=now,
            )
            for n in range(number)
        ),
        batch_size=1_000,
    )  # fmt: skip


def board_with_letters(few: Place, many: Place, looks: int) -> tuple[float, float]:
    """Return what the board costs with few letters and with many, in 95 of a hundred looks, which take turns."""
    times: dict[str, list[float]] = {few.key: [], many.key: []}
    clients = {place.key: _signed_in(place) for place in (few, many)}
    for number in range(looks + 5):
        for key, client in clients.items():
            took = cost_of(lambda client=client, key=key: client.get(f"/t/{key}/"))  # type: ignore[misc]
            if number >= 5:  # the first looks fill caches
                times[key].append(took)
    return p95(times[few.key]), p95(times[many.key])


class GivenBack(NamedTuple):
    """What it took to give back the time of an outage, without the mails."""

    cost: float  # seconds of processor
    longest: float  # seconds of the longest transaction
    moved: int  # deadlines


def give_back() -> GivenBack:
    """Give back an outage of a minute that hits all games, a quarter of which have days off."""
    from gamesmaster.host.models import Heartbeat, Message, Outage
    from gamesmaster.host.phases import downtime, outages
    from gamesmaster.host.site import clock

    now = clock.now()
    spread_deadlines(now)
    Heartbeat.objects.all().delete()
    for name in (downtime.WORKER, downtime.WEB):
        Heartbeat.objects.create(name=name, beat=now - timedelta(minutes=1))
    with _timed_transactions() as lasted:

        def work() -> None:
            downtime.beat(now, downtime.WEB)
            while Outage.objects.filter(step__in=[Outage.MOVING, Outage.NOTICES]).exists():
                (outages.move_on if outages.is_moving() else outages.tell)(now)

        cost = cost_of(work)
    outage = Outage.objects.get()
    outage.delete()
    Heartbeat.objects.all().delete()
    Message.objects.filter(sender="").delete()
    return GivenBack(cost, max(lasted, default=0.0), len(outage.moved))


def spread_deadlines(now: datetime) -> None:
    """Let the running games be due one after the other within `NEAR_DEADLINES`; every fourth has days off."""
    from gamesmaster.host.models import Table

    free = [(now.weekday() + days) % 7 for days in (3, 4)]
    rows = list(Table.objects.filter(state="running").only("pk", "settings").order_by("pk"))
    for place, row in enumerate(rows):
        row.deadline = now + NEAR_DEADLINES * (place + 1) / len(rows)
        row.phase_began = now - timedelta(days=1)
        row.settings["deadlines"]["days_off"] = free if place % 4 == 0 else []
    Table.objects.bulk_update(rows, ["deadline", "phase_began", "settings"], batch_size=500)


@contextmanager
def _timed_transactions() -> Iterator[list[float]]:
    """Yield a list to which the seconds of each transaction that is committed are added."""
    from django.db import connection

    lasted: list[float] = []
    begun = 0.0
    switch, commit = connection.set_autocommit, connection.commit

    def set_autocommit(autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False) -> None:
        nonlocal begun
        switch(autocommit, force_begin_transaction_with_broken_autocommit)
        if not autocommit:
            begun = time.perf_counter()

    def timed_commit() -> None:
        commit()
        lasted.append(time.perf_counter() - begun)

    connection.set_autocommit, connection.commit = set_autocommit, timed_commit  # type: ignore[method-assign]
    try:
        yield lasted
    finally:
        del connection.set_autocommit, connection.commit


def _signed_in(place: Place) -> Client:
    from django.conf import settings
    from django.test import Client

    client = Client(HTTP_HOST="127.0.0.1")
    client.cookies[settings.SESSION_COOKIE_NAME] = place.session
    return client
