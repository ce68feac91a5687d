"""`python -m bench.load`: a site with 10,000 running games, of which nothing may cost more than with a hundred.

Measured are what an idle worker and each page cost with few games and with many, the board of a game with many letters,
and giving back the time of an outage. Then the site runs: two web servers with open streams, two workers, and a mail
server that takes what they send. Both web servers are killed for a minute; afterwards every deadline must have been
moved once, no phase may be lost or doubled, and nobody may be told twice.

`--url postgres://.../name` takes PostgreSQL, in a database `name_bench`, which is dropped at the end; otherwise it is
SQLite in a new folder.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bench import probes
from bench.filling import Filled, Place, boot_empty, fill, tidy
from bench.host import Bound, is_over, say, time_looks, watching, web_server, write
from bench.page import RESULTS, machine
from bench.probes import p95
from tests.chaos.site import MailServer
from tests.host.processes import SECRET, Program, Server, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

FEW = 100
"""Games of the small site that the large one is compared with."""
LETTERS = 10
LONGEST_WAIT = 1800.0  # seconds


def main(
    url: Annotated[
        str, typer.Option(help="A PostgreSQL server, and the name that its database begins with; SQLite if left out.")
    ] = "",
    games: Annotated[int, typer.Option(help="Running games.", min=FEW)] = 10_000,
    length: Annotated[int, typer.Option(help="Phases that each has been through.", min=1)] = 30,
    streams: Annotated[int, typer.Option(help="Open event streams.", min=0)] = 2_000,
    looks: Annotated[int, typer.Option(help="Looks at the board of which 95 of 100 are measured.", min=0)] = 200,
    servers: Annotated[int, typer.Option(help="Web servers.", min=1)] = 2,
    costs: Annotated[bool, typer.Option(help="Measure costs, and not the outage of the running site alone.")] = True,
    away: Annotated[int, typer.Option(help="Seconds for which the site is away; more than 20.", min=21)] = 60,
    keep: Annotated[bool, typer.Option(help="Write docs/bench.md and bench/results.")] = True,
) -> None:
    """Measure the site; fail if a bound is broken."""
    players = min(games * 7 // FEW, 700)
    with Filled(None, url, games, length, say).database() as own, tempfile.TemporaryDirectory() as folder:
        mail = MailServer()
        told = {
            "GAMESMASTER_DATABASE_URL": own, "GAMESMASTER_SECRET": SECRET, "GAMESMASTER_LOG_LEVEL": "ERROR",
            "GAMESMASTER_BASE_URL": f"http://127.0.0.1:{free_port()}", "GAMESMASTER_MAIL_HOST": "127.0.0.1",
            "GAMESMASTER_MAIL_PORT": str(mail.port), "GAMESMASTER_MAILS_PER_HOUR": "1000000",
        }  # fmt: skip
        os.environ |= {"GAMESMASTER_DATA": f"{folder}/data", "DJANGO_SETTINGS_MODULE": "gamesmaster.host.settings"}
        os.environ |= told
        boot_empty()
        places, bounds = fill(range(FEW), length, players), []
        tidy()
        small = Sizes.of(places) if costs else None
        places += fill(range(FEW, games), length, players)
        tidy()
        if small is not None:
            bounds += [*small.compare(Sizes.of(places), games), *_letters(places, games, looks), *_given_back(games)]
        bounds += Site(Path(folder) / "data", told, mail, places).run(Load(servers, streams, away, looks))
    for bound in bounds:
        say(str(bound))
    if keep:
        name = f"load on {'PostgreSQL' if url else 'SQLite'}"
        write(name, f"{name.capitalize()}, {games:,} games of {length} phases, {streams:,} streams", bounds)
        data = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": machine(), "bounds": [asdict(b) for b in bounds]}
        (RESULTS / "load.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    if not all(bound.holds for bound in bounds):
        raise SystemExit("a bound is broken")


@dataclass(frozen=True, slots=True)
class Sizes:
    """What an idle worker and the pages cost with the games that there are."""

    idle: float
    queries: dict[str, int]

    @classmethod
    def of(cls, places: list[Place]) -> Sizes:
        """Measure the current site."""
        found = cls(probes.idle(30, tries=6), probes.queries(places[0]))
        say(f"{len(places)} games: half a minute of an idle worker {found.idle:.2f} s; queries {found.queries}")
        return found

    def compare(self, large: Sizes, games: int) -> Iterator[Bound]:
        """Yield the bounds of how much more a large site may cost than this one."""
        grown = [page for page, number in large.queries.items() if number != self.queries[page]]
        for page in grown:
            say(f"{page}: {self.queries[page]} queries with {FEW} games, {large.queries[page]} with {games:,}")
        yield Bound(f"an idle worker with {games:,} games / with {FEW}", large.idle / self.idle, 1.2, "times")
        yield Bound(f"pages, of {len(large.queries)}, that need other queries", len(grown), 0, "pages")


def _letters(places: list[Place], most: int, looks: int) -> Iterator[Bound]:
    few, many = places[:2]
    probes.letters(few, LETTERS)
    probes.letters(many, most)
    tidy()
    quick, slow = probes.board_with_letters(few, many, looks)
    say(f"board, 95 of 100: {quick * 1000:.1f} ms with {LETTERS} letters, {slow * 1000:.1f} ms with {most:,}")
    yield Bound(f"a board with {most:,} letters / with {LETTERS}, 95 of 100", slow / quick, 1.5, "times")


def _given_back(games: int) -> Iterator[Bound]:
    done = probes.give_back()
    say(f"{done.moved:,} deadlines moved: {done.cost:.2f} s of processor, longest transaction {done.longest:.2f} s")
    yield Bound("games whose time was not given back", games - done.moved, 0, "games")
    yield Bound(f"giving back {games:,} games, without mails", done.cost, 5, "s of processor")
    yield Bound("its longest transaction", done.longest, 2, "s")


@dataclass(frozen=True, slots=True)
class Load:
    """What a running site has to bear."""

    servers: int  # web servers
    streams: int
    away: int  # seconds for which all web servers are away
    looks: int  # visits to boards before


class Site:
    """The running site: web servers, two workers, and a mail server."""

    def __init__(self, data: Path, told: dict[str, str], mail: MailServer, places: list[Place]) -> None:
        self.data, self.told, self.mail, self.places = data, told, mail, places

    def run(self, load: Load) -> list[Bound]:
        """Let the site run, be away, and return; compare what came of it."""
        from django.db import connections

        from gamesmaster.host.site import clock

        probes.spread_deadlines(clock.now())
        connections.close_all()
        with ExitStack() as stack:
            webs = [stack.enter_context(web_server(self.data, self.told)) for _ in range(load.servers)]
            workers = [
                stack.enter_context(Program("worker", data=self.data, clock=None, **self.told)) for _ in range(2)
            ]
            for web in webs:
                web.ready()
            ports = [web.port for web in webs]
            with watching(ports, self.places, load.streams) as links:
                say(f"{load.streams} streams are open")
                if load.looks:
                    times = time_looks(ports[0], self.places, load.looks)
                    say(f"a board's page meanwhile, 95 of 100: {p95(times) * 1000:.0f} ms")
                ended = sum(map(is_over, links))
            _say_sizes(webs, workers)
            before = _deadlines()
            for web in webs:
                web.end(signal.SIGKILL)
            time.sleep(load.away)
            for web in webs:
                web.again()
            for web in webs:
                web.ready()
            with watching(ports, self.places, load.streams) as links:
                say(f"{load.streams} streams are open again")
                self._await_rest()
                ended += sum(map(is_over, links))
            _say_sizes(webs, workers)
            for program in (*workers, *webs):
                program.end()
        return [
            Bound(f"streams that ended by themselves, of {load.streams}", ended, 0, "streams"),
            *_compare(before, load.away),
        ]

    def _await_rest(self) -> None:
        """Wait until the time is given back, all mails about it are sent, and what was due meanwhile is over."""
        from gamesmaster.host.models import Outage, OutMail
        from gamesmaster.host.phases import processing
        from gamesmaster.host.site import clock

        until = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < until:
            given = Outage.objects.filter(step=Outage.DONE).first()
            waiting = OutMail.objects.filter(state=OutMail.QUEUED, body__contains=TOLD).exists()
            now = clock.now() - timedelta(seconds=20)
            if given and given.ended + given.lasted < now and not waiting and not processing.due(now):
                return
            time.sleep(1)
        raise SystemExit("the site does not come to rest")


TOLD = "The site was down"
"""What all mails about moved deadlines say."""


def _deadlines() -> dict[int, tuple[Any, int]]:
    """Map the running games to their deadline and the number of their phase."""
    from gamesmaster.host.models import Table

    return {pk: (at, n) for pk, at, n in Table.objects.values_list("pk", "deadline", "ordinal")}


def _compare(before: dict[int, tuple[Any, int]], away: int) -> Iterator[Bound]:
    """Yield the bounds of what may have come of an outage."""
    from django.db.models import Count

    from gamesmaster.host.models import Outage, OutMail, PhaseRow, Seat, Table

    outages = list(Outage.objects.all())
    moved = {int(number): tuple(map(datetime.fromisoformat, times)) for number, times in outages[0].moved.items()}
    rows = dict(PhaseRow.objects.values_list("table").annotate(Count("pk")))
    wrong, phases, lasted = Counter[str](), 0, outages[0].lasted
    for table in Table.objects.defer("record"):
        was, ordinal = before[table.pk]
        due = max(was, outages[0].ended) + lasted
        phases += table.ordinal - ordinal
        wrong["phases"] += table.ordinal not in (ordinal, ordinal + 1) or rows[table.pk] != table.ordinal
        if table.pk in moved:
            wrong["deadlines"] += moved[table.pk] != (was, due)
            wrong["deadlines"] += table.ordinal == ordinal and table.deadline != due
        else:  # its phase was over before
            wrong["deadlines"] += table.ordinal == ordinal and was < outages[0].ended + probes.NEAR_DEADLINES
    mails = OutMail.objects.filter(body__contains=TOLD)
    each = Counter(mails.values_list("user", flat=True))
    people = Seat.objects.filter(table__in=moved).values("user").distinct().count()
    say(f"{len(moved):,} deadlines moved by {lasted}, {phases} phases over, {len(each)} people told")
    yield Bound(f"outages, of one of {away} s", len(outages), 1, "outages")
    yield Bound("deadlines that were not moved once", wrong["deadlines"], 0, "games")
    yield Bound(f"games in which a phase was lost or doubled, of {phases} phases", wrong["phases"], 0, "games")
    yield Bound("mails to one person about it", max(each.values(), default=0), 1, "mails")
    yield Bound("people who got no mail about it", people - len(each), 0, "people")
    yield Bound("mails about it that were not sent", mails.exclude(state=OutMail.SENT).count(), 0, "mails")


def _say_sizes(webs: list[Server], workers: list[Program]) -> None:
    """Print the processor time and the memory of the programs, as Linux tells them."""
    for name, programs in (("web servers", webs), ("workers", workers)):
        files = [Path(f"/proc/{one.process.pid}/stat") for one in programs]
        facts = [file.read_text().rpartition(")")[2].split() for file in files if file.exists()]
        spent = sum(int(words[11]) + int(words[12]) for words in facts) / os.sysconf("SC_CLK_TCK")
        size = max((int(words[21]) for words in facts), default=0) * os.sysconf("SC_PAGE_SIZE") / 1024**2
        say(f"{name}: {spent:.0f} s of processor together, at most {size:.0f} MB")


if __name__ == "__main__":
    typer.run(main)
