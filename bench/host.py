"""`python -m bench.host`: the site under load, with a thousand games in its database, on this machine over loopback.

Three things are measured, as bounded runs: how long the server takes for the page of a board; whether 500 players who
send orders within one minute are all served, and how fast; how long one worker, and two, take for 1,000 games that are
due at once.  With `--streams` so many people watch boards meanwhile, and with `--rounds` one worker goes on for so many
rounds, whose memory is measured; `--no-times` measures nothing else.  `--url postgres://.../name` measures PostgreSQL,
in a database `name_bench` made for it and dropped again; otherwise it is SQLite in a new folder.  With `--data FOLDER`
the filled site is kept (with PostgreSQL as the database `name_filled`), and later runs work on copies of it.
"""

from __future__ import annotations

import http.client
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

import typer

from bench.filling import Filled
from bench.page import machine
from bench.probes import p95
from tests.host.processes import SECRET, Server

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bench.filling import Place

PAGE = Path(__file__).parents[1] / "docs/bench.md"
LOOKS = 300
LISTS = ("/", "/games?list=mine", "/games?list=running")
SENDERS = 500
NEIGHBOURS = 50  # streams from one address
MOST_DUE = 1_000
MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Bound:
    """What was measured, in which unit, and the most that it may be."""

    name: str
    value: float
    most: float
    unit: str

    @property
    def holds(self) -> bool:
        """Return whether the bound is kept."""
        return self.value <= self.most

    def __str__(self) -> str:
        """Return it as a line: what was measured, the bound, and whether it is broken."""
        broken = "" if self.holds else " broken"
        return f"{self.name}: {_number(self.value)} {self.unit}, bound {_number(self.most)} {self.unit}{broken}"


def p50(times: list[float]) -> float:
    """The time that half of them do not exceed."""
    return sorted(times)[len(times) // 2]


def main(
    url: Annotated[
        str, typer.Option(help="A PostgreSQL server, and the name that its database begins with; SQLite if left out.")
    ] = "",
    games: Annotated[int, typer.Option(help="Games in the database.", min=10)] = 1_000,
    length: Annotated[int, typer.Option(help="Phases that each has been through.", min=1)] = 30,
    streams: Annotated[int, typer.Option(help="Event streams that are open meanwhile.", min=0)] = 0,
    rounds: Annotated[int, typer.Option(help="Rounds of a thousand phases whose memory is measured.", min=0)] = 0,
    times: Annotated[bool, typer.Option(help="Measure times.")] = True,
    data: Annotated[Path | None, typer.Option(help="A folder for the filled site, which later runs use again.")] = None,
    keep: Annotated[bool, typer.Option(help="Write docs/bench.md.")] = True,
) -> None:
    """Measure the site; fail if a bound is broken."""
    filled = Filled(data, url, games, length, say)
    with filled.database() as own, tempfile.TemporaryDirectory(prefix="gamesmaster-bench-") as folder:
        site = Path(folder) / "data"
        told = {"GAMESMASTER_DATABASE_URL": own, "GAMESMASTER_SECRET": SECRET, "GAMESMASTER_LOG_LEVEL": "ERROR"}
        os.environ |= {"GAMESMASTER_DATA": str(site), "DJANGO_SETTINGS_MODULE": "gamesmaster.host.settings", **told}
        places = filled.places(site)
        bounds = []
        if times:
            with web_server(site, told) as server:
                bounds += _answers(server.ready().port, places, streams)
            bounds += _at_work(min(games, MOST_DUE))
        if rounds:
            bounds.append(_memory(rounds, min(games, MOST_DUE)))
    name = f"{'PostgreSQL' if url else 'SQLite'}{f' with {streams} streams' if streams else ''}"
    if not times:
        name += ", memory"
    for bound in bounds:
        say(f"{name}: {bound}")
    if keep and bounds:
        write(f"host {name}", f"{name}, {games:,} games of {length} phases", bounds)
    if not all(bound.holds for bound in bounds):
        raise SystemExit("a bound is broken")


def web_server(data: Path, told: Mapping[str, str]) -> Server:
    """Start a web server without a worker on this data folder, with these variables of the environment."""
    return Server(data, "--no-worker", port=0, clock=None, **told)


def _answers(port: int, places: list[Place], streams: int) -> list[Bound]:
    """Measure how the site answers."""
    with watching([port], places, streams) as links:
        times = time_looks(port, places)
        say(f"{LOOKS} looks: half within {p50(times) * 1000:.0f} ms, 95 of 100 within {p95(times) * 1000:.0f} ms")
        lists = _lists(port, places)
        sent, slow, span = _send(port, places[:SENDERS])
        say(f"{sent} sheets kept: half within {p50(slow) * 1000:.0f} ms, 95 of 100 within {p95(slow) * 1000:.0f} ms")
        ended = sum(map(is_over, links))
    return [
        Bound(f"a board's page, 95 of 100 ({LOOKS} looks)", p95(times) * 1000, 100, "ms"),
        Bound(f"front page and lists of games, 95 of 100 ({LOOKS} looks)", p95(lists) * 1000, 100, "ms"),
        *([Bound(f"streams that ended, of {streams}", ended, 0, "streams")] if streams else []),
        Bound(f"orders lost, of {SENDERS} sent in {span:.0f} s", len(places[:SENDERS]) - sent, 0, "sheets"),
        Bound("sending orders, 95 of 100", p95(slow) * 1000, 300, "ms"),
    ]


def _at_work(games: int) -> list[Bound]:
    """Measure how long so many games take that are due at once."""
    from gamesmaster.host.models import PhaseRow

    one = _worked(1, games)
    first = PhaseRow.objects.count()
    two = _worked(2, games)
    assert PhaseRow.objects.count() - first == games, "a phase was lost, or processed twice"
    return [
        Bound(f"{games} games due, one worker", one, 60, "s"),
        Bound(f"{games} games due, two workers", two, 35, "s"),
    ]


# -- measuring -------------------------------------------------------------------------------------------------------


def _ask(port: int, method: str, path: str, session: str, data: dict[str, str] | None = None) -> tuple[int, str, float]:
    """Ask the site; the status, the body, and the seconds until it was there."""
    token = "a" * 32
    head = {"Cookie": f"sessionid={session}; csrftoken={token}", "Host": f"127.0.0.1:{port}"}
    body = None
    if data is not None:
        head |= {"Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": token}
        head |= {"Accept": "application/json"}  # as the script of the page asks
        body = urlencode(data)
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    begun = time.perf_counter()
    link.request(method, path, body, head)
    answer = link.getresponse()
    text = answer.read().decode()
    took = time.perf_counter() - begun
    link.close()
    return answer.status, text, took


@contextmanager
def watching(ports: list[int], places: list[Place], streams: int) -> Iterator[list[socket.socket]]:
    """Let so many people watch boards, each by an event stream that is open before anything is measured.

    They share the servers at these ports, and come from networks of `NEIGHBOURS` each.
    """
    links = []
    with ExitStack() as stack:
        for number, (key, _, session) in enumerate(islice(cycle(places), streams)):
            address = ("127.0.0.1", ports[number % len(ports)])
            source = (f"127.0.1.{1 + number // NEIGHBOURS}", 0)
            link = stack.enter_context(socket.create_connection(address, timeout=120, source_address=source))
            head = f"GET /t/{key}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: sessionid={session}\r\n\r\n"
            link.sendall(head.encode())
            assert link.recv(64).startswith(b"HTTP/1.1 200"), "a stream was refused"
            links.append(link)
        yield links


def is_over(link: socket.socket) -> bool:
    """Return whether the site has ended this stream."""
    link.setblocking(False)
    try:
        while told := link.recv(65_536):
            if told.endswith(b"0\r\n\r\n"):
                return True
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def time_looks(port: int, places: list[Place], number: int = LOOKS) -> list[float]:
    """Return the seconds for the pages of boards drawn by lot, most of which were not looked at before."""
    dice, times = random.Random(1), []
    for place in range(number + 20):
        key, _, session = dice.choice(places)
        status, text, took = _ask(port, "GET", f"/t/{key}/", session)
        assert status == 200, f"{status}: {text[:200]}"
        assert "desk-title" in text, "the player was not known"
        if place >= 20:  # the first look at anything reads templates and boards
            times.append(took)
    return times


def _lists(port: int, places: list[Place]) -> list[float]:
    """Seconds for the front page, one's own games and the running ones, of players drawn by lot."""
    dice = random.Random(2)
    times: dict[str, list[float]] = {url: [] for url in LISTS}
    for number in range(LOOKS + 3 * len(LISTS)):
        url = LISTS[number % len(LISTS)]
        status, text, took = _ask(port, "GET", url, dice.choice(places)[2])
        assert status == 200, f"{status}: {text[:200]}"
        if number >= 3 * len(LISTS):
            times[url].append(took)
    for url, some in times.items():
        say(f"{url}: half within {p50(some) * 1000:.0f} ms, 95 of 100 within {p95(some) * 1000:.0f} ms")
    return [took for some in times.values() for took in some]


def _send(port: int, places: list[Place]) -> tuple[int, list[float], float]:
    """Orders of players at equal distances within one minute: how many are kept, seconds for each, and in all."""
    from gamesmaster.host.models import Sheet, Table

    ordinals = dict(Table.objects.values_list("key", "ordinal"))
    stored = Sheet.objects.select_related("table").filter(table__key__in=[place.key for place in places])
    texts = {(sheet.table.key, sheet.power): sheet.text for sheet in stored}
    begun = time.perf_counter()

    def send(number: int) -> tuple[str, float]:
        key, power, session = places[number]
        time.sleep(max(0.0, number * MINUTE * 0.98 / len(places) - (time.perf_counter() - begun)))
        changed = "\n".join(reversed(texts[key, power].split("\n")))  # the same set again would be stored already
        data = {"power": power, "ordinal": str(ordinals[key]), "text": changed}
        _, text, took = _ask(port, "POST", f"/t/{key}/orders", session, data)
        found = re.search(r"GM1\|[^<\s]+(?: [^<\s|]+\|[^<]*)?", text)
        return (found[0] if found else ""), took

    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(send, range(len(places))))
    span = time.perf_counter() - begun
    kept = stored.filter(version=2).count()  # nobody else's is changed
    told = sum(bool(receipt) for receipt, _ in answers)
    return min(kept, told), [took for _, took in answers], span


ROUNDS = """
import sys
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
import psutil
from gamesmaster.host.apps import boot
boot()
from gamesmaster.host.models import Table
from gamesmaster.host.operations.serving import KINDS, Worker
from gamesmaster.host.phases import downtime, processing
from gamesmaster.host.site import clock, jobs
worker = Worker()
for _ in range(int(sys.argv[1])):
    keys = list(Table.objects.filter(state="running").order_by("?").values_list("pk", flat=True)[: int(sys.argv[2])])
    past = clock.now() - timedelta(seconds=1)
    Table.objects.filter(pk__in=keys).update(deadline=past, phase_began=past - timedelta(days=1), ready_at=None)
    downtime.beat(clock.now(), downtime.WEB)
    while processing.due(clock.now()):
        worker.tick()
    jobs.work_off(KINDS, clock.now())
    print(psutil.Process().memory_info().rss, flush=True)
"""


def _memory(rounds: int, games: int) -> Bound:
    """How much a worker grows over so many rounds of so many phases, after three in which its shelves are filled."""
    command = [sys.executable, "-c", ROUNDS, str(rounds + 3), str(games)]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    sizes = [int(size) / 1024**2 for size in told]
    say(f"a worker's memory by rounds, MB: {' '.join(f'{size:.0f}' for size in sizes)}")
    name = f"growth of a worker over {rounds * games:,} phases, from {sizes[2]:,.0f} MB"
    return Bound(name, max(sizes[-1] - sizes[2], 0.0), 32, "MB")


WORK = """
from gamesmaster.host.apps import boot
boot()
from gamesmaster.host.operations import serving
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock
print("ready", flush=True)
input()
while processing.due(clock.now()):
    serving.process_due(clock.now())
"""


def _worked(number: int, games: int) -> float:
    """Seconds until so many workers have processed so many games, due at once; their start is not counted."""
    from django.db import connections

    from gamesmaster.host.models import Table
    from gamesmaster.host.phases import downtime
    from gamesmaster.host.site import clock

    downtime.beat(clock.now())
    due = Table.objects.filter(state="running").order_by("pk").values_list("pk", flat=True)[:games]
    Table.objects.filter(pk__in=list(due)).update(deadline=clock.now() - timedelta(seconds=1), ready_at=None)
    downtime.beat(clock.now(), downtime.WEB)  # the door is open: nobody is waited for
    connections.close_all()
    workers = [
        subprocess.Popen([sys.executable, "-c", WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(number)
    ]
    for one in workers:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    begun = time.perf_counter()
    for one in workers:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    spent = _processor_seconds()
    for one in workers:
        one.wait()
    took = time.perf_counter() - begun
    say(f"{number} at work: {took:.0f} s, of which their processors {_processor_seconds() - spent:.0f} s")
    return took


def _processor_seconds() -> float:
    """Processor time of all child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


# -- telling ---------------------------------------------------------------------------------------------------------


def say(what: str) -> None:
    """Print how far the run is."""
    print(what, flush=True)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def write(mark: str, what: str, bounds: list[Bound]) -> None:
    """Put the results into the page, between the marks of this name; the section is made if it is missing."""
    begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->\n"
    text = PAGE.read_text(encoding="utf-8")
    if begin not in text:
        text = f"{text.rstrip()}\n\n{begin}{end}"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    rows = [f"| {b.name} | {_number(b.value)} {b.unit} | {_number(b.most)} {b.unit} |" for b in bounds]
    head = f"{what}, {datetime.now(UTC):%Y-%m-%d}, {machine()['processor']}, {os.cpu_count()} cores."
    table = "\n".join([head, "", "| measured | | bound |", "|---|---:|---:|", *rows])
    PAGE.write_text(f"{before}{begin}\n{table}\n\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
