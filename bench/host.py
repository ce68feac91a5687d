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
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parents[1] / "docs/bench.md"
TEMPLATES = 10  # games really played; the others are copies of them
PLAYERS = 700
LOOKS = 300
LISTS = ("/", "/games?list=mine", "/games?list=running")
SENDERS = 500
MOST_DUE = 1_000
MINUTE = 60.0
AT_ONCE, ROWS = 250, 2_000
"""Tables that are made together, and rows that one statement puts in."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What was measured, in which unit, and the most that it may be."""

    name: str
    value: float
    most: float
    unit: str

    @property
    def holds(self) -> bool:
        """Is the bound kept?"""
        return self.value <= self.most


def p95(times: list[float]) -> float:
    """The time that 95 of a hundred do not exceed."""
    return sorted(times)[max(0, int(len(times) * 0.95) - 1)]


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
    filled = Filled(data, url, games, length)
    with filled.database() as own, tempfile.TemporaryDirectory(prefix="gamesmaster-bench-") as folder:
        port = _free_port()
        os.environ |= {
            "GAMESMASTER_DATA": folder, "GAMESMASTER_DATABASE_URL": own, "GAMESMASTER_LOG_LEVEL": "ERROR",
            "GAMESMASTER_BASE_URL": f"http://127.0.0.1:{port}", "DJANGO_SETTINGS_MODULE": "gamesmaster.host.settings",
        }  # fmt: skip
        seats = filled.seats(Path(folder))
        bounds = measure(port, min(games, MOST_DUE), seats, streams) if times else []
        if rounds:
            bounds.append(_memory(rounds, min(games, MOST_DUE)))
    name = f"{'PostgreSQL' if url else 'SQLite'}{f' with {streams} streams' if streams else ''}"
    if not times:
        name += ", memory"
    for bound in bounds:
        print(f"{name}: {_row(bound)}")
    if keep and bounds:
        _write(name, games, length, bounds)
    if not all(bound.holds for bound in bounds):
        raise SystemExit("a bound is broken")


def measure(port: int, games: int, seats: list[tuple[str, str, str]], streams: int = 0) -> list[Bound]:
    """Everything that is measured, one after the other; `games` are due at once."""
    with _site(port), _watching(port, seats, streams) as links:
        looks = _looks(port, seats)
        _say(f"{LOOKS} looks: half within {p50(looks) * 1000:.0f} ms, 95 of 100 within {p95(looks) * 1000:.0f} ms")
        lists = _lists(port, seats)
        sent, slow, span = _send(port, seats[:SENDERS])
        _say(f"{sent} sheets kept: half within {p50(slow) * 1000:.0f} ms, 95 of 100 within {p95(slow) * 1000:.0f} ms")
        ended = sum(map(_is_over, links))
    from gamesmaster.host.models import PhaseRow

    one = _worked(1, games)
    first = PhaseRow.objects.count()
    two = _worked(2, games)
    assert PhaseRow.objects.count() - first == games, "a phase was lost, or processed twice"
    return [
        Bound(f"a board's page, 95 of 100 ({LOOKS} looks)", p95(looks) * 1000, 100, "ms"),
        Bound(f"front page and lists of games, 95 of 100 ({LOOKS} looks)", p95(lists) * 1000, 100, "ms"),
        *([Bound(f"streams that ended, of {streams}", float(ended), 0, "streams")] if streams else []),
        Bound(f"orders lost, of {SENDERS} sent in {span:.0f} s", float(len(seats[:SENDERS]) - sent), 0, "sheets"),
        Bound("sending orders, 95 of 100", p95(slow) * 1000, 300, "ms"),
        Bound(f"{games} games due, one worker", one, 60, "s"),
        Bound(f"{games} games due, two workers", two, 35, "s"),
    ]


# -- filling ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filled:
    """A filled site: made anew, or, where it was kept in the folder `data`, a copy of that."""

    data: Path | None
    url: str
    games: int
    length: int

    @property
    def note(self) -> Path:
        """What the kept site consists of; the last file that is written when it is kept."""
        assert self.data is not None
        return self.data / f"{'postgresql' if self.url else 'sqlite'}-{self.games}-{self.length}" / "filled.json"

    @property
    def is_kept(self) -> bool:
        """Was such a site kept before?"""
        return self.data is not None and self.note.exists()

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of a database of its own, dropped at the end; empty for SQLite."""
        if not self.url:
            yield ""
            return
        server, _, name = self.url.rpartition("/")
        own = f"{name}_bench"
        self._make(own, f"{name}_filled" if self.is_kept else "template1")
        try:
            yield f"{server}/{own}"
        finally:
            self._execute("DROP DATABASE {} WITH (FORCE)", own)

    def seats(self, folder: Path) -> list[tuple[str, str, str]]:
        """Boot the site on this folder, filled; of each game the key, a power, and a session of its player."""
        if self.is_kept:
            shutil.copytree(self.note.parent, folder, dirs_exist_ok=True)
        from gamesmaster.host.site.places import make_data_folder

        make_data_folder()
        from gamesmaster.host.apps import boot

        boot()
        from gamesmaster.host.operations.serving import migrate

        migrate()
        if self.is_kept:
            return [(key, power, session) for key, power, session in json.loads(self.note.read_text("utf-8"))]
        begun = time.monotonic()
        seats = fill(self.games, self.length)
        if self.url:  # as the server does by itself, sooner or later
            from django.db import connection

            with connection.cursor() as cursor:
                cursor.execute("VACUUM ANALYZE")
        _say(f"{self.games} games of {self.length} phases made in {time.monotonic() - begun:.0f} s")
        if self.data is not None:
            self._keep(folder, seats)
        return seats

    def _keep(self, folder: Path, seats: list[tuple[str, str, str]]) -> None:
        from django.db import connection

        connection.close()
        if self.url:
            connection.close_pool()  # type: ignore[attr-defined]  # a database in use cannot be copied
            name = self.url.rpartition("/")[2]
            self._make(f"{name}_filled", f"{name}_bench")
        shutil.rmtree(self.note.parent, ignore_errors=True)
        shutil.copytree(folder, self.note.parent)
        self.note.write_text(json.dumps(seats), "utf-8")

    def _make(self, name: str, template: str) -> None:
        self._execute("DROP DATABASE IF EXISTS {}", name)
        self._execute("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, template)

    def _execute(self, statement: str, *names: str) -> None:
        """A statement to the server, beside its databases."""
        import psycopg
        from psycopg import sql

        with psycopg.connect(f"{self.url.rpartition('/')[0]}/postgres", autocommit=True) as link:
            link.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def fill(games: int, length: int) -> list[tuple[str, str, str]]:
    """Games in the database; of each the key, a power, and a session of its player."""
    from django.contrib.auth.models import User

    from gamesmaster.host.models import PhaseRow, Profile, Seat, Sheet, Table

    played = [_played(seed, length) for seed in range(TEMPLATES)]
    users = User.objects.bulk_create(
        [User(username=f"player{n}", email=f"player{n}@example.org", password="!") for n in range(PLAYERS)]
    )
    Profile.objects.bulk_create([Profile(user=user) for user in users])  # made at the first page that anybody sees
    sessions = {user.pk: _session(user) for user in users}
    chosen = []
    for first in range(0, games, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, games))
        tables = [_table(number, played[number % TEMPLATES]) for number in numbers]
        Table.objects.bulk_create(tables)
        seats, rows, sheets = [], [], []
        for number, table in zip(numbers, tables, strict=True):
            base = played[number % TEMPLATES]
            for place, power in enumerate(base.game.variant.powers):
                user = users[(number * 7 + place) % PLAYERS]
                seats.append(Seat(table=table, power=power.name, user=user, joined=table.created))
                text = "\n".join(base.orders.get(power.name, ()))
                sheets.append(
                    Sheet(table=table, ordinal=table.ordinal, power=power.name, text=text, sent_at=table.created,
                          channel="web", by=user, salt="x")
                )  # fmt: skip
            place, power = base.strongest
            chosen.append((table.key, power, sessions[users[(number * 7 + place) % PLAYERS].pk]))
            rows += [
                PhaseRow(table=table, ordinal=n, code=code, processed_at=table.created, why="due", digest="")
                for n, code in enumerate(base.codes)
            ]
        Seat.objects.bulk_create(seats, batch_size=ROWS)
        Sheet.objects.bulk_create(sheets, batch_size=ROWS)
        PhaseRow.objects.bulk_create(rows, batch_size=ROWS)
    return chosen


@dataclass(frozen=True, slots=True)
class Played:
    """A game of some phases, as it is kept, the phases' codes, and orders for the one being played."""

    game: Any
    record: str
    codes: list[str]
    orders: dict[str, tuple[str, ...]]

    @property
    def strongest(self) -> tuple[int, str]:
        """The number and name of the power that orders the most units."""
        powers = enumerate(power.name for power in self.game.variant.powers)
        return max(powers, key=lambda numbered: len(self.orders.get(numbered[1], ())))


def _played(seed: int, length: int) -> Played:
    """A game of the regular seven among players who move at random, which nobody wins so soon; units are to move."""
    from gamesmaster.game import Game, dumps
    from gamesmaster.orders import PhaseKind
    from gamesmaster.players import Random, seed_of
    from gamesmaster.players.player import views
    from gamesmaster.reading import read
    from gamesmaster.variant import find_variant

    game = Game.start(find_variant("standard"), seed=seed_of(seed), players=[f"player {n}" for n in range(7)])
    player = Random()

    def orders(game: Game) -> dict[str, tuple[str, ...]]:
        found = {power: player.orders(view) for power, view in views(game).items() if view.is_due}
        write = game.rules.notation.write
        return {power: tuple(map(write, given)) for power, given in found.items()}

    while (len(game.records) < length or game.phase.kind is not PhaseKind.MOVEMENT) and not game.outcome:
        for power, texts in orders(game).items():
            sheet = read(game, power, texts)
            assert not sheet.refused, f"no orders: {sheet.refused[0]}"
            game = game.submit(power, sheet)
        game = game.process()
    return Played(game, dumps(game), [record.phase.code for record in game.records], orders(game))


def _table(number: int, base: Played) -> Any:
    from gamesmaster.host.models import Table
    from gamesmaster.host.site import clock
    from gamesmaster.host.tables.settings import Absent, TableSettings

    now, game = clock.now(), base.game
    settings = TableSettings(absent=Absent(grace=0, misses=0)).model_dump(mode="json")
    return Table(
        name=f"Game {number}", variant="standard", digest=game.variant.digest, settings=settings,
        house_rules=game.house_rules.choices(), state="running", seed=game.seed, record=base.record,
        ordinal=len(game.records), phase_code=game.phase.code, phase_began=now, deadline=now + timedelta(days=30),
        deadline_wall="soon", created=now, started=now, version=1,
    )  # fmt: skip


def _session(user: Any) -> str:
    """A session of a user, as if signed in."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


# -- measuring -------------------------------------------------------------------------------------------------------


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def _site(port: int) -> Iterator[None]:
    """The site in a process of its own, without a worker."""
    command = [sys.executable, "-m", "gamesmaster.cli", "serve", "--port", str(port), "--no-worker"]
    command = [sys.executable, "-c", "from gamesmaster.cli import main; main()", *command[3:]]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            _wait(port)
            yield
        finally:
            process.terminate()


def _wait(port: int) -> None:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the site does not begin")


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
def _watching(port: int, seats: list[tuple[str, str, str]], streams: int) -> Iterator[list[socket.socket]]:
    """So many people watch boards, each by an event stream, which all are open before anything is measured."""
    links = []
    with ExitStack() as stack:
        for key, _, session in seats[:streams]:
            link = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=120))
            head = f"GET /t/{key}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: sessionid={session}\r\n\r\n"
            link.sendall(head.encode())
            assert link.recv(64).startswith(b"HTTP/1.1 200"), "a stream was refused"
            links.append(link)
        yield links


def _is_over(link: socket.socket) -> bool:
    """Has the site ended this stream?"""
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


def _looks(port: int, seats: list[tuple[str, str, str]]) -> list[float]:
    """Seconds for the pages of boards drawn by lot: most of them were not looked at before."""
    dice, times = random.Random(1), []
    for number in range(LOOKS + 20):
        key, _, session = dice.choice(seats)
        status, text, took = _ask(port, "GET", f"/t/{key}/", session)
        assert status == 200, f"{status}: {text[:200]}"
        assert "desk-title" in text, "the player was not known"
        if number >= 20:  # the first look at anything reads templates and boards
            times.append(took)
    return times


def _lists(port: int, seats: list[tuple[str, str, str]]) -> list[float]:
    """Seconds for the front page, one's own games and the running ones, of players drawn by lot."""
    dice = random.Random(2)
    times: dict[str, list[float]] = {url: [] for url in LISTS}
    for number in range(LOOKS + 3 * len(LISTS)):
        url = LISTS[number % len(LISTS)]
        status, text, took = _ask(port, "GET", url, dice.choice(seats)[2])
        assert status == 200, f"{status}: {text[:200]}"
        if number >= 3 * len(LISTS):
            times[url].append(took)
    for url, some in times.items():
        _say(f"{url}: half within {p50(some) * 1000:.0f} ms, 95 of 100 within {p95(some) * 1000:.0f} ms")
    return [took for some in times.values() for took in some]


def _send(port: int, seats: list[tuple[str, str, str]]) -> tuple[int, list[float], float]:
    """Orders of players at equal distances within one minute: how many are kept, seconds for each, and in all."""
    from gamesmaster.host.models import Sheet, Table

    ordinals = dict(Table.objects.values_list("key", "ordinal"))
    stored = Sheet.objects.select_related("table").filter(table__key__in=[key for key, _, _ in seats])
    texts = {(sheet.table.key, sheet.power): sheet.text for sheet in stored}
    begun = time.perf_counter()

    def send(number: int) -> tuple[str, float]:
        key, power, session = seats[number]
        time.sleep(max(0.0, number * MINUTE * 0.98 / len(seats) - (time.perf_counter() - begun)))
        changed = "\n".join(reversed(texts[key, power].split("\n")))  # the same set again would be stored already
        data = {"power": power, "ordinal": str(ordinals[key]), "text": changed}
        _, text, took = _ask(port, "POST", f"/t/{key}/orders", session, data)
        found = re.search(r"GM1\|[^<\s]+(?: [^<\s|]+\|[^<]*)?", text)
        return (found[0] if found else ""), took

    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(send, range(len(seats))))
    span = time.perf_counter() - begun
    kept = stored.filter(version=2).count()  # nobody else's is changed
    told = sum(bool(receipt) for receipt, _ in answers)
    return min(kept, told), [took for _, took in answers], span


ROUNDS = """
import sys
from datetime import timedelta
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
    _say(f"a worker's memory by rounds, MB: {' '.join(f'{size:.0f}' for size in sizes)}")
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
    _say(f"{number} at work: {took:.0f} s, of which their processors {_processor_seconds() - spent:.0f} s")
    return took


def _processor_seconds() -> float:
    """Processor time of all child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


# -- telling ---------------------------------------------------------------------------------------------------------


def _say(what: str) -> None:
    """Tell how far it is."""
    print(what, flush=True)


def _row(bound: Bound) -> str:
    told = "" if bound.holds else " broken"
    return f"{bound.name}: {bound.value:,.0f} {bound.unit}, bound {bound.most:,.0f} {bound.unit}{told}"


def _write(name: str, games: int, length: int, bounds: list[Bound]) -> None:
    """Put the results into the page, between the marks of this database; the section is made if it is missing."""
    from bench.page import machine

    begin, end = f"<!-- host {name} -->\n", f"<!-- end of host {name} -->\n"
    text = PAGE.read_text(encoding="utf-8")
    if begin not in text:
        text = f"{text.rstrip()}\n\n{begin}{end}"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    rows = [f"| {b.name} | {b.value:,.0f} {b.unit} | {b.most:,.0f} {b.unit} |" for b in bounds]
    head = f"{name}, {games:,} games of {length} phases, {machine()['processor']}, {os.cpu_count()} cores."
    table = "\n".join([head, "", "| measured | | bound |", "|---|---:|---:|", *rows])
    PAGE.write_text(f"{before}{begin}\n{table}\n\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
