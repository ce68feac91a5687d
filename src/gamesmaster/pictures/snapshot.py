"""What a map, or the board in words, shows: one moment of a game, complete in itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gamesmaster.board import Position
from gamesmaster.game import Game, Ledger, ledger_of
from gamesmaster.pictures.orders.model import Drawable
from gamesmaster.pictures.signs import PowerMark, Sign, looks_of, marks_of
from gamesmaster.rules import Rules
from gamesmaster.variant import Phase, Variant


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment of a game as a map or a text board shows it."""

    position: Position = Position()  # noqa: RUF009 - a value; the one in which the phase of `rulings` began
    title: str = ""  # the game's name; by default the board's
    subtitle: str = ""  # the phase
    rulings: Sequence[Drawable] = ()  # results of orders, or planned orders
    marks: Mapping[str, Sequence[Sign | PowerMark]] = field(default_factory=dict)  # what mechanics show, by province
    looks: Mapping[int, Sign] = field(default_factory=dict)  # signs of single units, by number
    ledger: Ledger | None = None  # what is published beside the map
    code: str = ""  # that of the phase, for names of files


def snapshot_of(
    variant: Variant, rules: Rules, phase: Phase, position: Position, rulings: Sequence[Drawable] = ()
) -> Snapshot:
    """Return a phase of a variant that begins with this position, with its marks, looks and ledger.

    `rulings` are the results of its orders, or planned orders.
    """
    return Snapshot(
        position,
        variant.name,
        variant.calendar.name(phase),
        rulings,
        marks_of(rules, position),
        looks_of(rules, position),
        ledger_of(variant, rules, phase, position),
        phase.code,
    )


def snapshots_of(game: Game) -> Iterator[Snapshot]:
    """Yield the finished phases of a game, and at the end its present position; secrets are left out."""
    for record in game.records:
        rulings = game.adjudication(record).rulings
        yield snapshot_of(game.variant, game.rules, record.phase, record.position, rulings)
    last = snapshot_of(game.variant, game.rules, game.phase, game.position)
    yield replace(last, subtitle=game.outcome.text) if game.outcome else last
