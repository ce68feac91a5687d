"""The subject of a map: a variant's start, a board without pieces, or a phase of a game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gamesmaster.cli.arguments import open_game
from gamesmaster.cli.variants.board import BoardSource, board_source
from gamesmaster.errors import BadFile, BadOrder, NotFound, OutOfTurn, nearest

if TYPE_CHECKING:
    from gamesmaster.board import Board, Position
    from gamesmaster.game import Game
    from gamesmaster.pictures import Shapes, Sign, Snapshot
    from gamesmaster.rules import Rules


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject that the user named: a board with its shapes, and the variant and the game if it has them."""

    source: BoardSource
    shapes: Shapes
    game: Game | None = None

    @property
    def name(self) -> str:
        """The name of the variant, or of the board alone."""
        return self.source.variant.name if self.source.variant else self.source.board.name

    @property
    def rules(self) -> Rules | None:
        """The rules of the variant; a board alone has none."""
        from gamesmaster.rules import Rules

        return Rules.of(self.source.variant) if self.source.variant else None

    def signs(self) -> dict[str, Sign]:
        """Return the signs of the kinds of unit that mechanics add."""
        from gamesmaster.pictures import signs_of

        rules = self.rules
        return signs_of(rules) if rules else {}

    def snapshot(self, phase: str = "", *, orders: bool = True, plans: str = "") -> Snapshot:
        """Return what is to be drawn.

        For a game this is the last phase that is over, with its orders and their results; without `orders` it is the
        present position. `phase` names another phase. `plans` names a power whose orders for the phase being played
        are drawn; orders of other powers never are.  Raises `NotFound` with the nearest phase or power, `OutOfTurn`.
        """
        from gamesmaster.pictures import snapshot_of

        game = self.game
        if game is None:
            return self._start(phase)
        if plans:
            return _planned(game, phase, plans)
        number = _number(game, phase, over=orders)
        if number == len(game.records):
            now = snapshot_of(game.variant, game.rules, game.phase, game.position)
            return replace(now, subtitle=game.outcome.text, code="end") if game.outcome else now
        record = game.records[number]
        rulings = game.adjudication(record).rulings if orders else ()
        return snapshot_of(game.variant, game.rules, record.phase, record.position, rulings)

    def in_words(self, shown: Snapshot) -> str:
        """Return the text board of a picture."""
        from gamesmaster.pictures import text_board

        kinds = {kind: words[0] for kind, words in self.rules.kinds.items() if words} if self.rules else {}
        return text_board(self.source.board, shown, self.source.powers, kinds=kinds)

    def _start(self, phase: str) -> Snapshot:
        from gamesmaster.pictures import Snapshot, snapshot_of

        variant, rules = self.source.variant, self.rules
        if variant is None or rules is None:
            if phase:
                raise NotFound(f"{self.name} is a board: it has no phases", hint="a record of a game has")
            return Snapshot(_homes(self.source.board), self.name)
        first = variant.calendar.first
        if phase and variant.calendar.read(phase) != first:
            raise NotFound(f"{self.name} is not a game, and has only its start", hint=f"that is {first.code}")
        return snapshot_of(variant, rules, first, variant.start)


def subject_of(text: str, *, power: str = "") -> Subject:
    """Return the subject that a text names: a variant's or a board's name, the folder of one, or the file of a record.

    If `power` is given, a game is shown as that power sees it.  Raises `NotFound` with the nearest name, and any
    error from reading the files.
    """
    path = Path(text)
    if not _is_record(path):
        source = board_source(text)
        return Subject(source, source.shapes())
    from gamesmaster.game import seen_by

    game = open_game(path)
    if power:
        game = seen_by(game, [game.variant.power(power).name])
    source = BoardSource(path.stem, game.variant.board, game.variant, path.parent)
    return Subject(source, source.shapes(), game)


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


def _planned(game: Game, phase: str, power: str) -> Snapshot:
    """Return the phase being played with the orders that one power has sent so far."""
    from gamesmaster.orders import Order
    from gamesmaster.pictures import plan, snapshot_of

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
    shown = snapshot_of(game.variant, game.rules, game.phase, game.position, plan(game.position, {name: orders}))
    return replace(shown, subtitle=f"{shown.subtitle}, as planned by {name}")
