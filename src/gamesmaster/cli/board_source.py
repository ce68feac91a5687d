"""What a user means by the path or the name of a board: a variant, or a board by itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamesmaster.board import Board
    from gamesmaster.pictures import Shapes
    from gamesmaster.variant import Variant

BOARD, VARIANT, SOURCE = "board.json", "variant.toml", "board.toml"


@dataclass(frozen=True, slots=True)
class BoardSource:
    """A board, the variant played on it if one is known, and the folder in which its shapes would lie.

    `id` is a short name for files: the variant's id, or the folder's name.
    """

    id: str
    board: Board
    variant: Variant | None = None
    folder: Path | None = None

    def shapes(self) -> Shapes:
        """Its shapes; raises `NotFound` if there are none, `BadShapes` if they are not this board's."""
        from gamesmaster.pictures.shapes.places import shapes_beside, shapes_of

        if self.variant:
            return shapes_of(self.variant, self.folder)
        return shapes_beside(self.folder or Path(), self.board)

    @property
    def has_shapes(self) -> bool:
        """Are there shapes to read?"""
        return self.folder is not None and (self.folder / "shapes.json").is_file()

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers in their order: the variant's, or those that have a home on the board."""
        from gamesmaster.pictures.shapes.places import home_powers

        return tuple(power.name for power in self.variant.powers) if self.variant else home_powers(self.board)


def board_source(text: str) -> BoardSource:
    """The board that a user means: a variant's or a board's name, a folder, a `board.json`, a foreign board file.

    Raises `NotFound` with the nearest, or what reading the files raises.
    """
    path = Path(text)
    if path.is_dir():
        return _in_folder(path)
    if path.suffix == ".json":
        return _in_file(path)
    return _in_package(text)


def _in_folder(folder: Path) -> BoardSource:
    from gamesmaster.board import read_board
    from gamesmaster.errors import NotFound
    from gamesmaster.variant import read_variant

    if (folder / VARIANT).exists():
        variant = read_variant(folder)
        return BoardSource(variant.id, variant.board, variant, folder)
    if (folder / BOARD).exists():
        return BoardSource(folder.resolve().name, read_board(folder / BOARD), None, folder)
    if (folder / SOURCE).exists():
        raise NotFound(f"no file {BOARD} in {folder} yet", hint=f"gamesmaster board build {folder}")
    raise NotFound(f"no file {VARIANT}, {BOARD} or {SOURCE} in {folder}")


def _in_file(path: Path) -> BoardSource:
    from gamesmaster import strictjson
    from gamesmaster.board import file as board_file
    from gamesmaster.board import read_board
    from gamesmaster.cli.arguments import variant_at
    from gamesmaster.errors import NotFound, nearest

    if not path.exists():
        raise NotFound(f"no file {path}", hint=nearest(path.name, (f.name for f in path.parent.glob("*.json"))))
    data = strictjson.read(path, limit=board_file.LARGEST, depth=board_file.DEEPEST)
    if isinstance(data, dict) and "format" not in data and "army" in data:
        variant = variant_at(path)
        return BoardSource(variant.id, variant.board, variant)
    return BoardSource(path.stem, read_board(path), None, path.parent if path.name == BOARD else None)


def _in_package(name: str) -> BoardSource:
    from gamesmaster.errors import NotFound, nearest
    from gamesmaster.pictures.shapes.places import board_folder, board_names
    from gamesmaster.variant import find_variant, variant_names

    known = sorted({*variant_names(), *board_names()})
    if name.casefold() in variant_names():
        variant = find_variant(name)
        folder = board_folder(name) if name.casefold() in board_names() else None
        return BoardSource(variant.id, variant.board, variant, folder)
    if name.casefold() in known:
        return _in_folder(board_folder(name))
    here = [str(path) for path in Path().glob("*") if path.suffix == ".json" or (path / BOARD).exists()]
    hint = nearest(name, [*known, *here]) or f"known: {', '.join(known)}"
    if Path(name).exists():
        from gamesmaster.cli.arguments import not_read

        raise not_read(name)
    raise NotFound(f"no variant {name[:80]!r}, and no such file or folder", hint=hint)
