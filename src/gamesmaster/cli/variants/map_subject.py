"""The subject of a map: a variant's start, a board without pieces, or a phase of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gamesmaster.cli.arguments import open_game
from gamesmaster.cli.variants.board import BoardSource, board_source
from gamesmaster.errors import BadFile, BadOrder, NotFound, OutOfTurn, nearest

if TYPE_CHECKING:
    from gamesmaster.board import Board, Position
    from gamesmaster.game import Game
    from gamesmaster.pictures import Drawable, Shapes, Sign, Snapshot
    from gamesmaster.rules import Rules
    from gamesmaster.variant import Phase, Variant


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture to draw, with the code of its phase for names of files; "" for a board without a game."""

    shown: Snapshot
    code: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject that the user named: a board with its shapes and powers, and the game if it has one."""

    id: str
    name: str
    board: Board
    shapes: Shapes
    powers: tuple[str, ...]
    source: BoardSource
    game: Game | None = None

    @property
    def rules(self) -> Rules | None:
        """The rules of the variant; a board alone has none."""
        from gamesmaster.rules import Rules

        variant = self.game.variant if self.game else self.source.variant
        return Rules.of(variant) if variant else None

    def signs(self) -> dict[str, Sign]:
        """Return the signs of the kinds of unit that mechanics add."""
        from gamesmaster.pictures import signs_of

        rules = self.rules
        return signs_of(rules) if rules else {}

    def scene(self, phase: str = "", *, orders: bool = True, plans: str = "") -> Scene:
        """Return the scene to draw.

        For a game this is the last phase that is over, with its orders and their results; without `orders` it is the
        present position. `phase` names another phase. `plans` names a power whose orders for the phase being played
        are drawn; orders of other powers never are.  Raises `NotFound` with the nearest phase or power, `OutOfTurn`.
        """
        if self.game is None:
            return self._start(phase)
        if plans:
            return _plan_scene(self.game, phase, plans)
        number = _number(self.game, phase, over=orders)
        if number == len(self.game.records):
            return _now(self.game)
        record = self.game.records[number]
        rulings = self.game.adjudication(record).rulings if orders else ()
        return _scene(self.game.variant, record.phase, record.position, rulings)

    def in_words(self, shown: Snapshot) -> str:
        """Return the text board of a picture."""
        from gamesmaster.pictures import text_board

        kinds = {kind: words[0] for kind, words in self.rules.kinds.items() if words} if self.rules else {}
        return text_board(self.board, shown, self.powers, kinds=kinds)

    def _start(self, phase: str) -> Scene:
        variant = self.source.variant
        if variant is None:
            if phase:
                raise NotFound(f"{self.name} is a board: it has no phases", hint="a record of a game has")
            from gamesmaster.pictures import Snapshot

            return Scene(Snapshot(_homes(self.board), self.name))
        first = variant.calendar.first
        if phase and variant.calendar.read(phase) != first:
            raise NotFound(f"{self.name} is not a game, and has only its start", hint=f"that is {first.code}")
        return _scene(variant, first, variant.start)


def subject_of(text: str) -> Subject:
    """Return the subject that a text names: a variant's or a board's name, the folder of one, or the file of a record.

    Raises `NotFound` with the nearest name, and any error from reading the files.
    """
    path = Path(text)
    if not _is_record(path):
        source = board_source(text)
        name = source.variant.name if source.variant else source.board.name
        return Subject(source.id, name, source.board, source.shapes(), source.powers, source)
    game = open_game(path)
    variant = game.variant
    source = BoardSource(path.stem, variant.board, variant, path.parent)
    return Subject(path.stem, variant.name, variant.board, source.shapes(), source.powers, source, game)


def empty_map(board: Board, shapes: Shapes) -> str:
    """Return a board without units as SVG; each home centre belongs to the power whose home it is."""
    from gamesmaster.pictures import Picture, Snapshot, home_powers

    return Picture(board, shapes, home_powers(board)).svg(Snapshot(_homes(board), board.name))


def _homes(board: Board) -> Position:
    from gamesmaster.board import Position

    return Position((), {p.id: p.home for p in board.provinces if p.centre and p.home})


def _is_record(path: Path) -> bool:
    """Return whether this is a file other than a board; whether the record is sound is checked when it is read."""
    from gamesmaster import strictjson
    from gamesmaster.game import DEEPEST_RECORD, LARGEST_RECORD

    if path.is_dir() or not path.exists():
        return False
    data = strictjson.read(path, limit=LARGEST_RECORD, depth=DEEPEST_RECORD)
    if not isinstance(data, dict) or not {"phases", "provinces", "army"} & data.keys():
        raise BadFile(
            "neither the record of a game nor a board", where=str(path),
            hint="`gamesmaster import` makes records of games of other programs",
        )  # fmt: skip
    return "phases" in data


# -- phases of a game ------------------------------------------------------------------------------------------------


def _number(game: Game, phase: str, *, over: bool) -> int:
    """Return the number of a phase of a game, that of the one being played being the last.

    If none is named it is the last that is over, if `over` and there is one, else the one being played.
    """
    codes = [record.phase.code for record in game.records]
    if not phase:
        return max(0, len(codes) - 1) if over else len(codes)
    wanted = game.variant.calendar.read(phase).code
    ended = game.outcome is not None and game.outcome.phase != game.phase.code  # no phase is being played
    known = codes if ended else [*codes, game.phase.code]
    if wanted not in known:
        hint = nearest(wanted, known) or f"phases are {known[0]} to {known[-1]}"
        raise NotFound(f"{wanted} was not played", hint=hint)
    return known.index(wanted)


def _scene(variant: Variant, phase: Phase, position: Position, orders: Sequence[Drawable] = ()) -> Scene:
    """Return the picture of a phase that begins with this position."""
    from gamesmaster.pictures import snapshot_of
    from gamesmaster.rules import Rules

    return Scene(snapshot_of(variant, Rules.of(variant), phase, position, orders), phase.code)


def _now(game: Game) -> Scene:
    scene = _scene(game.variant, game.phase, game.position)
    if game.outcome is None:
        return scene
    return Scene(replace(scene.shown, subtitle=game.outcome.text), "end")


def _plan_scene(game: Game, phase: str, power: str) -> Scene:
    """Return the phase being played with the orders that one power has sent so far."""
    from gamesmaster.orders import Order
    from gamesmaster.pictures import plan

    name = game.variant.power(power).name
    if game.outcome is not None or (phase and game.variant.calendar.read(phase) != game.phase):
        hint = "the game is over" if game.outcome else f"it is {game.phase.code}"
        raise OutOfTurn("plans are those for the phase being played", hint=hint)
    if name not in game.orders:
        raise OutOfTurn(f"{name} has sent no orders for {game.phase.code}")
    orders: list[Order] = []
    for text in game.orders[name]:
        try:
            orders.append(game.rules.notation.read(text, game.phase.kind))
        except BadOrder:
            continue  # the player was told when the order was sent
    found = plan(game.position, {name: orders})
    scene = _scene(game.variant, game.phase, game.position, found)
    return replace(scene, shown=replace(scene.shown, subtitle=f"{scene.shown.subtitle}, as planned by {name}"))
