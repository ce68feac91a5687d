"""Where the shapes of a board are found: in `shapes.json`, beside the board's `board.json`."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from gamesmaster.board import Board, Terrain
from gamesmaster.errors import BadShapes, NotFound, nearest
from gamesmaster.pictures.shapes.files import read_shapes
from gamesmaster.pictures.shapes.values import Shapes
from gamesmaster.variant import Edition, Variant, find_variant, variant_names
from gamesmaster.variant.model import BOARD as BOARD
from gamesmaster.variant.model import SHAPES as SHAPES


def shapes_of(variant: Variant, near: Path | None = None) -> Shapes:
    """The shapes of a variant's board.

    Those of the package lie in it; those of a variant of one's own in its edition, or in its folder, which is `near` or
    lies in `near` under the variant's id, or in the folder beside that one whose board it shares.  Raises `NotFound` if
    there are none, `BadShapes` if they are not this board's.
    """
    if variant.edition is not None and variant.edition.text(SHAPES):
        return _in_edition(variant.edition, variant)
    if variant.family in variant_names() and find_variant(variant.id) == variant:
        return _packaged(variant.family)
    own = [near / variant.family, near] if near else []
    tried = [folder.parent / variant.board_of if variant.board_of else folder for folder in own]
    for folder in tried:
        if (folder / SHAPES).is_file():
            return shapes_beside(folder, variant.board)
    raise _shapeless(variant.name, tried)


def shapes_beside(folder: Path, board: Board) -> Shapes:
    """The shapes in the folder of a board; raises `NotFound` if there are none, `BadShapes` if they do not fit it."""
    path = folder / SHAPES
    if not path.is_file():
        raise _shapeless(board.name, [folder])
    shapes = read_shapes(path)
    check_fit(board, shapes, str(path))
    return shapes


def check_fit(board: Board, shapes: Shapes, where: str = "") -> None:
    """Raise `BadShapes` unless every province in play has a shape and its places in every layout."""
    hint = "`gamesmaster board build` makes both files again"
    for province in board.provinces:
        if province.terrain is Terrain.IMPASSABLE:
            continue
        if province.id not in shapes.provinces:
            raise BadShapes(f"these are not the shapes of {board.name}: {province.id} has none", where=where, hint=hint)
        for name, layout in shapes.layouts.items():
            if province.id not in layout:
                raise BadShapes(f"{province.id} has no place in the layout {name}", where=where, hint=hint)


def board_names() -> tuple[str, ...]:
    """Names of the boards in the package that can be drawn, sorted; a variant's is its id."""
    return tuple(sorted(file.parent.name for file in _shelf().glob(f"*/{SHAPES}")))


def board_folder(name: str) -> Path:
    """The folder of a board of the package, by its name in any case of letters; raises `NotFound` with the nearest."""
    known = board_names()
    if name.casefold() not in known:
        raise NotFound(f"no board {name[:80]!r}", hint=nearest(name, known) or f"known: {', '.join(known)}")
    return _shelf() / name.casefold()


def home_powers(board: Board) -> tuple[str, ...]:
    """The powers that have a home on a board, by the alphabet: who plays, as far as a bare board can tell."""
    return tuple(sorted({province.home for province in board.provinces if province.home}))


@lru_cache(maxsize=32)
def _in_edition(edition: Edition, variant: Variant) -> Shapes:
    shapes = read_shapes(edition.text(SHAPES), where=edition.place(SHAPES))
    check_fit(variant.board, shapes, edition.place(SHAPES))
    return shapes


@cache
def _packaged(name: str) -> Shapes:
    variant = find_variant(name)
    return shapes_beside(_shelf() / (variant.board_of or name), variant.board)


def _shelf() -> Path:
    return Path(str(files("gamesmaster.variants")))


def _shapeless(name: str, folders: list[Path]) -> NotFound:
    place = f" in {' or '.join(map(str, folders))}" if folders else ""
    return NotFound(f"{name} has no {SHAPES}{place}", hint="`gamesmaster board build` makes it, with the board")
