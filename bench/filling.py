"""Fill a site's database with games, for measurements: a few are played at random, the others are copies of them."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

TEMPLATES = 10  # games really played
PLAYERS = 700
AT_ONCE, ROWS = 250, 2_000
"""Tables that are made together, and rows that one statement inserts."""


class Place(NamedTuple):
    """A game's key, the power of one of its players, and a session of this player."""

    key: str
    power: str
    session: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A filled site. If it was kept in the folder `data`, it is a copy of that, else it is made."""

    data: Path | None
    url: str
    games: int
    length: int
    say: Callable[[str], None]

    @property
    def note(self) -> Path:
        """Return the last file that is written when a site is kept; it lists the places."""
        assert self.data is not None
        return self.data / f"{'postgresql' if self.url else 'sqlite'}-{self.games}-{self.length}" / "filled.json"

    @property
    def is_kept(self) -> bool:
        """Return whether such a site was kept."""
        return self.data is not None and self.note.exists()

    @contextmanager
    def database(self) -> Iterator[str]:
        """Yield the URL of a database that is dropped at the end; "" for SQLite."""
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

    def places(self, folder: Path) -> list[Place]:
        """Boot the site on this folder, fill it, and return a place in each game."""
        if self.is_kept:
            shutil.copytree(self.note.parent, folder, dirs_exist_ok=True)
        boot_empty()
        if self.is_kept:
            return [Place(*found) for found in json.loads(self.note.read_text("utf-8"))]
        begun = time.monotonic()
        places = fill(range(self.games), self.length)
        tidy()
        self.say(f"{self.games} games of {self.length} phases made in {time.monotonic() - begun:.0f} s")
        if self.data is not None:
            self._keep(folder, places)
        return places

    def _keep(self, folder: Path, places: list[Place]) -> None:
        from django.db import connection

        connection.close()
        if self.url:
            connection.close_pool()  # type: ignore[attr-defined]  # a database in use cannot be copied
            name = self.url.rpartition("/")[2]
            self._make(f"{name}_filled", f"{name}_bench")
        shutil.rmtree(self.note.parent, ignore_errors=True)
        shutil.copytree(folder, self.note.parent)
        self.note.write_text(json.dumps(places), "utf-8")

    def _make(self, name: str, template: str) -> None:
        self._execute("DROP DATABASE IF EXISTS {}", name)
        self._execute("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, template)

    def _execute(self, statement: str, *names: str) -> None:
        """Send a statement to the server, outside of its databases."""
        import psycopg
        from psycopg import sql

        with psycopg.connect(f"{self.url.rpartition('/')[0]}/postgres", autocommit=True) as link:
            link.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def boot_empty() -> None:
    """Boot the site of the environment's data folder, and bring its database up to date."""
    from gamesmaster.host.site.places import make_data_folder

    make_data_folder()
    from gamesmaster.host.apps import boot

    boot()
    from gamesmaster.host.operations.serving import migrate

    migrate()


def tidy() -> None:
    """Let PostgreSQL count what its tables hold, as it does by itself sooner or later."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


def fill(numbers: range, length: int, players: int = PLAYERS) -> list[Place]:
    """Make the games with these numbers, of `length` phases and among so many players; return a place in each."""
    from gamesmaster.host.models import PhaseRow, Seat, Sheet, Table

    played, users, places = _played_games(length), _people(players), []
    for first in range(numbers.start, numbers.stop, AT_ONCE):
        some = range(first, min(first + AT_ONCE, numbers.stop))
        tables = Table.objects.bulk_create([_table(number, played[number % TEMPLATES]) for number in some])
        seats, rows, sheets = [], [], []
        for number, table in zip(some, tables, strict=True):
            base = played[number % TEMPLATES]
            for place, power in enumerate(base.game.variant.powers):
                user, _session = users[(number * 7 + place) % players]
                seats.append(Seat(table=table, power=power.name, user=user, joined=table.created))
                text = "\n".join(base.orders.get(power.name, ()))
                sheets.append(
                    Sheet(table=table, ordinal=table.ordinal, power=power.name, text=text, sent_at=table.created,
                          channel="web", by=user, salt="x")
                )  # fmt: skip
            place, power = base.strongest
            places.append(Place(table.key, power, users[(number * 7 + place) % players][1]))
            rows += [
                PhaseRow(table=table, ordinal=n, code=code, processed_at=table.created, why="due", digest="")
                for n, code in enumerate(base.codes)
            ]
        Seat.objects.bulk_create(seats, batch_size=ROWS)
        Sheet.objects.bulk_create(sheets, batch_size=ROWS)
        PhaseRow.objects.bulk_create(rows, batch_size=ROWS)
    return places


def _people(number: int) -> list[tuple[Any, str]]:
    """Return so many users with a confirmed address, each with a session; make those that are missing."""
    from allauth.account.models import EmailAddress
    from django.contrib.auth.models import User

    from gamesmaster.host.models import Profile

    names = [f"player{n}" for n in range(number)]
    there = set(User.objects.filter(username__in=names).values_list("username", flat=True))
    new = User.objects.bulk_create(
        User(username=name, email=f"{name}@example.org", password="!") for name in names if name not in there
    )
    Profile.objects.bulk_create([Profile(user=user) for user in new])  # made at the first page that anybody sees
    EmailAddress.objects.bulk_create(
        [EmailAddress(user=user, email=user.email, primary=True, verified=True) for user in new]
    )
    users = {user.username: user for user in User.objects.filter(username__in=names)}
    return [(users[name], _session(users[name])) for name in names]


@dataclass(frozen=True, slots=True)
class Played:
    """A game with some phases, its record, the phases' codes, and orders for the current phase by power."""

    game: Any
    record: str
    codes: list[str]
    orders: dict[str, tuple[str, ...]]

    @property
    def strongest(self) -> tuple[int, str]:
        """Return the number and name of the power that orders the most units."""
        powers = enumerate(power.name for power in self.game.variant.powers)
        return max(powers, key=lambda numbered: len(self.orders.get(numbered[1], ())))


@cache
def _played_games(length: int) -> Sequence[Played]:
    return [_played(seed, length) for seed in range(TEMPLATES)]


def _played(seed: int, length: int) -> Played:
    """Play at random until at least `length` phases are over and units are to move; nobody wins so soon."""
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
    """Return a new session of a user, as if signed in."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)
