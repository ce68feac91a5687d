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
    from gamesmaster.game import Game, Ledger
    from gamesmaster.pictures import Drawable, Shapes, Sign
    from gamesmaster.rules import Rules
    from gamesmaster.variant import Phase


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: a position, and the orders drawn over it.

    `code` is the phase's, for names of files; empty for a board without a game.  `phase` is the phase that begins with
    the position.
    """

    position: Position
    title: str
    subtitle: str = ""
    code: str = ""
    orders: tuple[Drawable, ...] = ()
    phase: Phase | None = None


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

    def looks(self, position: Position) -> dict[int, Sign]:
        """Units that the variant's mechanics give signs of their own."""
        from gamesmaster.pictures import looks_of

        rules = self.rules
        return looks_of(rules, position) if rules else {}

    def marks(self, position: Position) -> dict[str, tuple[Sign, ...]]:
        """Return the things in provinces beside units."""
        from gamesmaster.pictures import marks_of

        rules = self.rules
        return marks_of(rules, position) if rules else {}

    def signs(self) -> dict[str, Sign]:
        """Return the signs of the kinds of unit that mechanics add."""
        from gamesmaster.pictures import signs_of

        rules = self.rules
        return signs_of(rules) if rules else {}

    def scene(self, phase: str = "", *, orders: bool = True, plans: str = "") -> Scene:
        """Return the scene to draw.

        For a game this is the last phase that is over, with its orders and their results; without `orders` it is the
        present position. `phase` names another phase. `plans` names a power whose orders for the phase being played are
        drawn; those of others never are.  Raises `NotFound` with the nearest phase or power, `OutOfTurn`.
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
        return _scene(self.game, record.phase, record.position, rulings)

    def in_words(self, scene: Scene) -> str:
        """Return the text board of a scene."""
        from gamesmaster.pictures import text_board

        rules = self.rules
        return text_board(
            self.board,
            scene.position,
            powers=self.powers,
            phase=scene.subtitle,
            rulings=scene.orders,
            kinds={kind: words[0] for kind, words in rules.kinds.items() if words} if rules else {},
            ledger=self.ledger(scene),
            title=scene.title,
        )

    def ledger(self, scene: Scene) -> Ledger | None:
        """Return the published ledger beside the map; None for a board without a game."""
        from gamesmaster.game import ledger_of

        rules, variant = self.rules, self.game.variant if self.game else self.source.variant
        return ledger_of(variant, rules, scene.phase, scene.position) if variant and rules and scene.phase else None

    def _start(self, phase: str) -> Scene:
        variant = self.source.variant
        if variant is None:
            if phase:
                raise NotFound(f"{self.name} is a board: it has no phases", hint="a record of a game has")
            return Scene(_homes(self.board), self.name)
        first = variant.calendar.first
        if phase and variant.calendar.read(phase) != first:
            raise NotFound(f"{self.name} is not a game, and has only its start", hint=f"that is {first.code}")
        return Scene(variant.start, self.name, variant.calendar.name(first), first.code, phase=first)


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
    """Return a board without pieces as SVG, its home centres in the hands of those whose homes they are."""
    from gamesmaster.pictures import Picture, home_powers

    return Picture(board, shapes, home_powers(board)).svg(_homes(board), title=board.name)


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
            hint="`gamesmaster replay --record FILE` makes records of games of other programs",
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
    known = codes if _is_won(game) else [*codes, game.phase.code]
    if wanted not in known:
        hint = nearest(wanted, known) or f"phases are {known[0]} to {known[-1]}"
        raise NotFound(f"{wanted} was not played", hint=hint)
    return known.index(wanted)


def _is_won(game: Game) -> bool:
    """Return whether the game ended with the last phase, so that no phase is being played."""
    return game.outcome is not None and game.outcome.phase != game.phase.code


def _scene(game: Game, phase: Phase, position: Position, orders: Sequence[Drawable] = ()) -> Scene:
    return Scene(position, game.variant.name, game.variant.calendar.name(phase), phase.code, tuple(orders), phase)


def _now(game: Game) -> Scene:
    if game.outcome is None:
        return _scene(game, game.phase, game.position)
    return Scene(game.position, game.variant.name, game.outcome.text, "end", phase=game.phase)


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
    scene = _scene(game, game.phase, game.position, found)
    return replace(scene, subtitle=f"{scene.subtitle}, as planned by {name}")
