"""Playing a game from its start to its end, players at the powers' places; and players by their names."""

from __future__ import annotations

import hashlib
import importlib.util
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from gamesmaster.board import Position
from gamesmaster.errors import BadFile, GamesmasterError, NotFound, nearest
from gamesmaster.game import Game, Outcome
from gamesmaster.orders import PhaseKind
from gamesmaster.players.heuristic import Heuristic
from gamesmaster.players.minds import MINDS
from gamesmaster.players.player import Lapse, Player, Seat, Silent, View, name_of, views
from gamesmaster.players.search import Searcher
from gamesmaster.players.simple import Holder, Random
from gamesmaster.plugins import brought, load
from gamesmaster.rules import Rulebook
from gamesmaster.variant import Variant

MOST_TURNS = 50
"""Turns of the calendar that are played if nobody says until when."""

LONGEST_GAME = 10_000
"""Turns of the calendar after which no game may be told to end."""

Tell = Callable[[Game], object]
"""Told how a game stands after every phase."""


@dataclass(frozen=True, eq=False)
class Match:
    """A game as it was played, and the questions that players left without an answer."""

    game: Game
    lapses: tuple[Lapse, ...] = ()

    @property
    def misses(self) -> tuple[Lapse, ...]:
        """The phases in which a power with orders due sent none."""
        return tuple(lapse for lapse in self.lapses if lapse.question == "orders")

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game; None if it was broken off."""
        return self.game.outcome

    @property
    def centres(self) -> dict[str, int]:
        """The number of supply centres of each power at the end."""
        return _centres(self.game.variant, self.game.position)

    @property
    def years(self) -> dict[int, dict[str, int]]:
        """The number of supply centres of each power after each count of the owners, by its year."""
        calendar = self.game.variant.calendar
        found = {}
        records = self.game.records
        ends = [(r.phase, r.position) for r in records[1:]]
        if records:
            ends.append((self.game.phase, self.game.position))
        for record, (phase, position) in zip(records, ends, strict=True):
            passing = record.phase
            while passing != phase:  # phases in which nobody had anything to do are passed over, counts are not
                if calendar.counts(passing):
                    found[passing.year] = _centres(self.game.variant, position)
                passing = calendar.next(passing)
        return found


def _centres(variant: Variant, position: Position) -> dict[str, int]:
    counts = Counter(position.owners.get(centre) for centre in variant.board.centres)
    return {power.name: counts[power.name] for power in variant.powers}


def seed_of(number: int) -> bytes:
    """Return a game's seed made from a number. Such games can be repeated, and so keep no secrets."""
    return hashlib.sha256(f"seed {number}".encode()).digest()


class Referee(NamedTuple):
    """Who watches over a game."""

    tell: Tell | None = None  # is called with the game after each phase
    patience: float | None = None  # seconds that a player may take for an answer; None: as many as it likes


def play(
    variant: Variant,
    players: Mapping[str, Player] | Sequence[Player],
    *,
    seed: bytes | int,
    rulebook: Rulebook | str | Mapping[str, object] | None = None,
    until: int | None = None,
    referee: Referee = Referee(),  # noqa: B008 - a value
) -> Match:
    """Play a game to its end, or to the end of the year `until`; `MOST_TURNS` turns of the calendar by default.

    `players` maps powers to their players; the others are in civil disorder (STD-10.h). A list with one player per
    power is assigned at random (STD-1.a). The same seed gives the same game if the players use no randomness but
    `View.chance`.

    Raises `NotFound` for an unknown power, `GamesmasterError` for too few or too many players.
    """
    key = seed if isinstance(seed, bytes) else seed_of(seed)
    if isinstance(players, Mapping):
        seated = _by_power(variant, players)
        names = {power: name_of(player) for power, player in seated.items()}
        game = Game.start(variant, seed=key, rulebook=rulebook, players=names)
    else:
        if len(players) != len(variant.powers):
            raise GamesmasterError(f"{len(variant.powers)} powers cannot be dealt to {len(players)} players")
        called = dict(_called(players))
        game = Game.start(variant, seed=key, rulebook=rulebook, players=list(called))
        seated = {power: called[name] for power, name in game.players.items()}
    for power in game.survivors:
        if power not in seated:
            game = game.set_disorder(power)
    return play_on(game, seated, until=until, referee=referee)


def _by_power(variant: Variant, players: Mapping[str, Player]) -> dict[str, Player]:
    """Return the players by their powers' proper names, in the variant's order; raises `NotFound`."""
    named = {variant.power(power).name: player for power, player in players.items()}
    return {power.name: named[power.name] for power in variant.powers if power.name in named}


def _called(players: Sequence[Player]) -> Iterator[tuple[str, Player]]:
    """Yield each player with a name that is its alone: `random`, `random 2`, `random 3`."""
    seen: set[str] = set()
    for player in players:
        name, number = name_of(player), 1
        shown = name
        while shown in seen:
            number += 1
            shown = f"{name[:90]} {number}"
        seen.add(shown)
        yield shown, player


def last_year(variant: Variant, until: int | None) -> int:
    """Return the last year that is played: `until`, or `MOST_TURNS` turns of the calendar after the first.

    Raises `GamesmasterError` for a year before the game begins, or beyond `LONGEST_GAME` turns.
    """
    calendar = variant.calendar
    first, turn = calendar.first.year, calendar.years_per_turn
    if until is None:
        return first + MOST_TURNS * turn
    if not first <= until <= first + LONGEST_GAME * turn:
        when = f"it begins in {first}" if until < first else f"the last year may be {first + LONGEST_GAME * turn}"
        raise GamesmasterError(f"no game of {variant.name} can be played until {until}", hint=when)
    return until


def play_on(
    game: Game,
    players: Mapping[str, Player],
    *,
    until: int | None = None,
    referee: Referee = Referee(),  # noqa: B008 - a value
) -> Match:
    """Continue a game with the orders it has received; otherwise as `play`.

    Powers without a player send nothing more and do not vote; those in civil disorder get no questions, even with a
    player.
    """
    seats = _by_power(game.variant, players)
    calendar = game.variant.calendar
    last = game.phase.year + MOST_TURNS * calendar.years_per_turn if until is None else until
    table = _Table({p: Seat(p, player, referee.patience) for p, player in seats.items()})
    while game.outcome is None and game.phase.year <= last:
        game = table.phase(game)
        if referee.tell is not None:
            referee.tell(game)
    table.tell("over", views(game))
    return Match(game, tuple(table.lapses))


class _Table:
    """The players around a game, and what they failed to answer; `seen` is how it now looks to each."""

    def __init__(self, seats: Mapping[str, Seat]) -> None:
        self.seats = seats
        self.seen: Mapping[str, View] = {}
        self.lapses: list[Lapse] = []

    def phase(self, game: Game) -> Game:
        """Play one phase: ask for orders, take the votes, adjudicate, tell the results."""
        seen = self.seen or views(game)
        for power, seat in self.seats.items():
            view = seen[power]
            if view.is_due and power not in game.disorder and power not in game.orders:
                game = self._ask_orders(game, seat, view)
        if game.phase.kind is PhaseKind.MOVEMENT:
            for power in game.survivors:
                if power in self.seats and game.outcome is None and power not in game.disorder:
                    game = self._ask_vote(game, self.seats[power], seen[power])
        if game.outcome is None:
            game = game.process()
            self.seen = views(game)
            self.tell("hear", self.seen)
        return game

    def _ask_orders(self, game: Game, seat: Seat, view: View) -> Game:
        try:
            return game.submit(seat.power, seat.orders(view), amend=False)
        except (Silent, GamesmasterError) as error:
            self._note(game.phase.code, seat.power, "orders", error)
        return game

    def _ask_vote(self, game: Game, seat: Seat, view: View) -> Game:
        try:
            wanted = set(seat.vote(view))
            if not wanted:
                return game
            if wanted == set(game.survivors):
                return game.vote_draw(seat.power)
            if len(wanted) > 1:
                raise Silent("a draw is shared by all survivors")
            return game.concede(seat.power, wanted.pop())
        except (Silent, GamesmasterError) as error:
            self._note(game.phase.code, seat.power, "vote", error)
        return game

    def tell(self, question: str, seen: Mapping[str, View]) -> None:
        """Tell every player that a phase (`hear`) or the game (`over`) is over."""
        for power, seat in self.seats.items():
            view = seen[power]
            try:
                seat.tell(view) if question == "hear" else seat.over(view)
            except Silent as error:
                self._note(view.phase.code, power, question, error)

    def _note(self, phase: str, power: str, question: str, error: Exception) -> None:
        self.lapses.append(Lapse(phase, power, question, str(error)))


_MADE: dict[str, Callable[[], Player]] = {
    **{player.name: player for player in (Holder, Random, Searcher)},
    **{name: partial(Heuristic, name=name) for name in MINDS},
}
_SHIPPED = dict(sorted(_MADE.items()))
METHODS = ("orders", "vote", "hear", "over")


def player_names() -> tuple[str, ...]:
    """Return the names of the players that come along, and of those that other packages bring."""
    return (*_SHIPPED, *brought("players"))


def find_player(name: str) -> Player:
    """Return a new player of this name, or of a class in a file of Python, `bots/mine.py:Mine`, which is run.

    Other packages bring players as entry points of the group `gamesmaster.players`, each a class or function that
    makes one.  Raises `NotFound` with the nearest name, `BadFile` for a file that cannot be run or a class that is not
    a player, `GamesmasterError` for a package that cannot be loaded.
    """
    path, colon, thing = name.rpartition(":")
    if colon:
        return _from_file(Path(path), thing)
    if name.casefold() in _SHIPPED:
        return _SHIPPED[name.casefold()]()
    if entry := brought("players").get(name):
        return _new_player(load(entry, "player", object), name, entry.value)
    known = player_names()
    hint = nearest(name, known) or f"players are {', '.join(known)}, or FILE.py:CLASS"
    raise NotFound(f"no player {name[:80]!r}", hint=hint)


def read_seats(variant: Variant, text: str) -> tuple[dict[str, str], list[str]]:
    """Return players by power, and a list for the other seats, from a text such as `france=heuristic,random`.

    The last plain name is for all the seats that are left; without a plain one the other seats stay empty.  Raises
    `NotFound` for an unknown power or player, `GamesmasterError` for no names or too many.
    """
    fixed, names = {}, []
    for part in filter(None, (part.strip() for part in text.split(","))):
        power, sign, name = part.partition("=")
        if sign:
            fixed[variant.power(power.strip()).name] = name.strip()
        else:
            names.append(part)
    left = len(variant.powers) - len(fixed)
    if not names and not fixed:
        raise GamesmasterError("nobody is named")
    if len(names) > left:
        raise GamesmasterError(f"{len(names)} players for {left} power{'' if left == 1 else 's'}")
    for name in {*fixed.values(), *names}:
        find_player(name)  # before anything is played
    return fixed, names + names[-1:] * (left - len(names))


def _from_file(path: Path, thing: str) -> Player:
    if not path.is_file():
        raise NotFound(f"no file {str(path)!r}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise BadFile("not a Python file", where=str(path), hint="its name ends in .py")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        maker = getattr(module, thing)
    except Exception as error:  # a player's file can raise anything
        raise BadFile(f"{thing} cannot be made: {type(error).__name__}: {error}", where=str(path)) from error
    return _new_player(maker, thing, str(path))


def _new_player(maker: Any, called: str, where: str) -> Player:
    """Return the player that a class or function of somebody else makes; raises `BadFile` for anything else."""
    try:
        player = maker()
    except Exception as error:  # it can raise anything
        raise BadFile(f"{called} cannot be made: {type(error).__name__}: {error}", where=where) from error
    missing = [m for m in ("name", *METHODS) if not hasattr(player, m)]
    if missing:
        raise BadFile(f"{called} is not a player: it has no {missing[0]}", where=where, hint="derive it from Bot")
    return player  # type: ignore[no-any-return]  # as far as can be seen
