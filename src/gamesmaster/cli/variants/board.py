"""Boards: what a user means by the path or the name of one, and `board show`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.arguments import unreadable_file, variant_at
from gamesmaster.cli.console import AsJson, many, say, say_json, table
from gamesmaster.errors import NotFound, nearest

if TYPE_CHECKING:
    from gamesmaster.board import Board, Edge, Province
    from gamesmaster.pictures import Shapes
    from gamesmaster.variant import Power, Variant

BOARD, SHAPES, SOURCE = "board.json", "shapes.json", "board.toml"
VARIANT, RULES = "variant.toml", "RULES.md"


@dataclass(frozen=True, slots=True)
class BoardSource:
    """A board, the variant played on it if one is known, and the folder in which the board and its shapes lie.

    `id` is a short name for files: the variant's id, or the folder's name.
    """

    id: str
    board: Board
    variant: Variant | None = None
    folder: Path | None = None

    def shapes(self) -> Shapes:
        """Return its shapes; raises `NotFound` if they are missing, `BadShapes` if they are not this board's."""
        from gamesmaster.pictures import shapes_beside, shapes_of

        if self.variant:
            return shapes_of(self.variant, self.folder)
        return shapes_beside(self.folder or Path(), self.board)

    @property
    def has_shapes(self) -> bool:
        """True if its folder has shapes."""
        return self.folder is not None and (self.folder / SHAPES).is_file()

    @property
    def powers(self) -> tuple[Power, ...] | tuple[str, ...]:
        """The powers in order: the variant's, or the names of those that have a home on the board."""
        from gamesmaster.pictures import home_powers

        return self.variant.powers if self.variant else home_powers(self.board)


def board_source(text: str) -> BoardSource:
    """Return the board that a user means: the name of a variant or board, a folder or a file.

    The file may be a `board.json` or one of another program. Raise `NotFound` with the nearest name, or the error of
    reading the files.
    """
    path = Path(text)
    if path.is_dir():
        return _in_folder(path)
    if path.suffix == ".json":
        return _in_file(path)
    return _in_package(text)


def _in_folder(folder: Path) -> BoardSource:
    from gamesmaster.board import read_board
    from gamesmaster.variant import folder_of, read_variant

    if (folder / VARIANT).exists():
        variant = read_variant(folder)
        home = folder_of(variant.board_of, folder) if variant.board_of else folder
        return BoardSource(variant.id, variant.board, variant, home)
    if (folder / BOARD).exists():
        return BoardSource(folder.resolve().name, read_board(folder / BOARD), None, folder)
    if (folder / SOURCE).exists():
        raise NotFound(f"no file {BOARD} in {folder} yet", hint=f"gamesmaster board build {folder}")
    raise NotFound(f"no file {VARIANT}, {BOARD} or {SOURCE} in {folder}")


def _in_file(path: Path) -> BoardSource:
    from gamesmaster import strictjson
    from gamesmaster.board import DEEPEST_BOARD, LARGEST_BOARD, read_board

    if not path.exists():
        raise NotFound(f"no file {path}", hint=nearest(path.name, (f.name for f in path.parent.glob("*.json"))))
    data = strictjson.read(path, limit=LARGEST_BOARD, depth=DEEPEST_BOARD)
    if isinstance(data, dict) and "format" not in data and "army" in data:
        variant = variant_at(path)
        return BoardSource(variant.id, variant.board, variant)
    return BoardSource(path.stem, read_board(path), None, path.parent if path.name == BOARD else None)


def _in_package(name: str) -> BoardSource:
    from gamesmaster.pictures import board_folder, board_names
    from gamesmaster.variant import find_variant, variant_names

    known = sorted({*variant_names(), *board_names()})
    if name.casefold() in variant_names():
        variant = find_variant(name)
        return BoardSource(variant.id, variant.board, variant, board_folder(variant.board_of or name))
    if name.casefold() in known:
        return _in_folder(board_folder(name))
    here = [str(path) for path in Path().glob("*") if path.suffix == ".json" or (path / BOARD).exists()]
    hint = nearest(name, [*known, *here]) or f"known: {', '.join(known)}"
    if Path(name).exists():
        raise unreadable_file(name)
    raise NotFound(f"no variant {name[:80]!r}, and no such file or folder", hint=hint)


# -- `board show` ----------------------------------------------------------------------------------------------------


def show(
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="A board's folder, a board.json, or the name of a variant or board.")
    ],
    province: Annotated[str, typer.Option(metavar="PROVINCE", help="Only this one, by id, abbreviation or name.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show the provinces of a board: their terrain, centres and homes, and who can go where from each.

    Places on a coast are written as in orders to programs, `STP/NC`.

    For example:

      gamesmaster board show standard
      gamesmaster board show standard --province stp
      gamesmaster board show my_island/ --json
    """
    board = board_source(path).board
    chosen = [board.find_province(province)] if province else list(board.provinces)
    if as_json:
        rows = [_data(board, p) for p in chosen]
        say_json(rows[0] if province else rows)
    elif province:
        _say_one(board, chosen[0])
    else:
        say(f"{board.name}: {many(len(board.provinces), 'province')}, {many(len(board.centres), 'centre')}")
        say()
        rows_of_text = [
            (p.id, p.name, p.terrain.value, "centre" if p.centre else "", p.home or "", *_reach_texts(board, p))
            for p in chosen
        ]
        table(("id", "name", "terrain", "centre", "home", *(f"by {way}" for way in _ways(board))), rows_of_text)


def _ways(board: Board) -> tuple[str, ...]:
    """Return the ways of travel that have an edge, in the order of the board's kinds of unit."""
    used = {edge.way for edge in board.edges}
    return tuple(way for way in dict.fromkeys((*board.ways.values(), *sorted(used))) if way in used)


def _steps(board: Board, province: Province, way: str) -> dict[str, list[Edge]]:
    """Map each coast ("" for the whole province) to the edges from it, in the order of their ends."""
    steps: dict[str, list[Edge]] = {}
    for edge in sorted((e for e in board.edges if e.way == way and e.a.province == province.id), key=lambda e: e.b):
        steps.setdefault(edge.a.coast, []).append(edge)
    return {coast: steps[coast] for coast in ("", *province.coasts) if coast in steps}


def _reach_texts(board: Board, province: Province) -> list[str]:
    """Return a line for each way of travel: `BAR NWY`, and on split coasts `NC: BAR NWY; SC: BOT LVN`."""
    return [
        "; ".join(
            f"{f'{coast}: ' if coast else ''}{' '.join(str(edge.b) for edge in edges)}"
            for coast, edges in _steps(board, province, way).items()
        )
        for way in _ways(board)
    ]


def _data(board: Board, province: Province) -> dict[str, Any]:
    reach = {
        way: {coast: [str(edge.b) for edge in edges] for coast, edges in _steps(board, province, way).items()}
        for way in _ways(board)
    }
    return asdict(province) | {"coast_aliases": dict(province.coast_aliases), "reach": reach}


def _say_one(board: Board, province: Province) -> None:
    facts = [
        province.terrain.value,
        *(["supply centre"] if province.centre else []),
        *([f"home of {province.home}"] if province.home else []),
        *([f"coasts {', '.join(province.coasts)}"] if province.coasts else []),
    ]
    say(f"{province.name} ({province.abbr}): {', '.join(facts)}")
    if province.aliases:
        say(f"  also called {', '.join(province.aliases)}")
    for way in _ways(board):
        for coast, edges in _steps(board, province, way).items():
            say(f"  by {way}{f' from {coast}' if coast else ''}:")
            for edge in edges:
                say(f"    {edge.b!s:<8} {board.province(edge.b.province).name}{_unusual(edge)}")


def _unusual(edge: Edge) -> str:
    """Return how a step differs from others, in brackets."""
    words = [
        *([] if edge.convoy else ["no convoy"]),
        *([f"only {', '.join(sorted(edge.only))}"] if edge.only else []),
        *([edge.reason] if edge.reason else []),
    ]
    return f" ({'; '.join(words)})" if words else ""
