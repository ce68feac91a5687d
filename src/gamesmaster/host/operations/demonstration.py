"""A demonstration club for `gamesmaster serve --demo`: invented people, and games of every variant played by bots.

A job of the worker makes it step by step, so that the site answers at once. What is there already is not made again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from gamesmaster.host.games import hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import endgame, processing, votes
from gamesmaster.host.tables import shelf, store
from gamesmaster.host.tables.models import SEATED, Seat, Table, TableState
from gamesmaster.host.tables.settings import PACES, TableSettings
from gamesmaster.variant import variant_names

KIND = "demonstration"
"""The kind of the job."""
BOT = "heuristic"
PEOPLE = 7
NAME = "demo-player-{number}"
"""Name of an invented person. Nobody can sign in under it."""
SETTINGS = TableSettings(pace="daily", deadlines=PACES["daily"], early=False, starts="asked", fill=BOT)
SAYS = "This game was played by the program, to show what a finished game looks like."


@dataclass(frozen=True, slots=True)
class Show:
    """A game of the demonstration."""

    variant: str
    name: str
    phases: int  # phases to be played
    people: int = 0  # seats of invented people; bots have the others
    joinable: bool = False  # it waits for players
    ends: bool = False  # its players agree to a draw after these phases


def shows() -> list[Show]:
    """Return the games: one to join, one of each variant with rules of its own, a finished one, and a long one."""
    regular = shelf.find_variant("standard")
    others = [
        name
        for name, variant in ((name, shelf.find_variant(name)) for name in variant_names())
        if variant.mechanics or variant.rulebook != regular.rulebook
    ]
    return [
        Show("standard", "Demo: a game to join", 0, people=3, joinable=True),
        *(Show(name, f"Demo: {shelf.find_variant(name).name}", phases) for phases, name in enumerate(others, 1)),
        Show("standard", "Demo: a finished game", 12, people=PEOPLE, ends=True),
        Show("standard", "Demo: a long game to watch", 30),
    ]


def work(_subject: int, now: datetime) -> bool:
    """Do the next step of the demonstration, and return whether more is to be done (job)."""
    people = [_person(NAME.format(number=n + 1)) for n in range(PEOPLE)]
    for show in shows():
        table = Table.objects.filter(owner=people[0], name=show.name).first()
        if table is None:
            _create(show, people, now)
            return True
        if table.state == TableState.RUNNING and table.ordinal < show.phases:
            _play(table, now)
            return True
        if table.state == TableState.RUNNING and show.ends:
            _end(table, now)
            return True
    return False


def _person(name: str) -> User:
    return User.objects.filter(username=name).first() or User.objects.create_user(name)  # without a password


def _create(show: Show, people: list[User], now: datetime) -> None:
    """Create a game and begin it, unless it waits for players."""
    settings = SETTINGS if not show.joinable else SETTINGS.model_copy(update={"starts": "full", "fill": ""})
    made = hosting.create(people[0], GameChoice(show.variant, show.name), settings, now=now)
    for user in people[: show.people]:
        seats.join(made, user, now=now)
    if not show.joinable:
        hosting.start(made, people[0], now=now)


def _play(table: Table, now: datetime) -> None:
    """Play a phase: bots order for themselves, and for the invented people."""
    own = list(table.seats.filter(state__in=SEATED, user__isnull=False).select_related("user"))
    orders = seats.bot_orders(store.load(table), [Seat(power=seat.power, bot=BOT) for seat in own])
    for seat in own:
        if seat.power in orders:
            how = Submission(table.ordinal)
            submission.submit(table, seat.power, orders[seat.power], how, user=seat.user, now=now)
    processing.process(table, table.ordinal, "asked", now=now)


def _end(table: Table, now: datetime) -> None:
    """Let all survivors agree to a draw, and say what game this was."""
    own = list(table.seats.filter(state__in=SEATED, user__isnull=False).select_related("user"))
    survivors = store.load(table).survivors
    for seat in own:
        if seat.power in survivors:
            votes.cast(table, seat.power, survivors, ordinal=table.ordinal, user=seat.user, now=now)
    endgame.state(table, own[0].user, SAYS, now=now)
