"""What a map, or the board in words, shows: one moment of a game, complete in itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gamesmaster.board import Position
from gamesmaster.game import Game, Ledger, ledger_of
from gamesmaster.pictures.orders.model import Drawable
from gamesmaster.pictures.signs import Sign, looks_of, marks_of
from gamesmaster.variant import Phase


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment of a game as a map or a text board shows it."""

    position: Position = Position()  # noqa: RUF009 - a value; the one in which the phase of `rulings` began
    title: str = ""  # the game's name; by default the board's
    subtitle: str = ""  # the phase
    rulings: Sequence[Drawable] = ()  # results of orders, or planned orders
    marks: Mapping[str, Sequence[Sign]] = field(default_factory=dict)  # signs of mechanics by province
    looks: Mapping[int, Sign] = field(default_factory=dict)  # signs of single units, by number
    ledger: Ledger | None = None  # what is published beside the map


def snapshots_of(game: Game) -> Iterator[Snapshot]:
    """Yield the finished phases of a game, and at the end its present position; secrets are left out."""
    calendar = game.variant.calendar
    for record in game.records:
        rulings = game.adjudication(record).rulings
        yield _snapshot(game, record.phase, record.position, calendar.name(record.phase), rulings)
    last = game.outcome.text if game.outcome else calendar.name(game.phase)
    yield _snapshot(game, game.phase, game.position, last)


def _snapshot(
    game: Game, phase: Phase, position: Position, subtitle: str, rulings: Sequence[Drawable] = ()
) -> Snapshot:
    return Snapshot(
        position,
        game.variant.name,
        subtitle,
        rulings,
        marks_of(game.rules, position),
        looks_of(game.rules, position),
        ledger_of(game.variant, game.rules, phase, position),
    )
