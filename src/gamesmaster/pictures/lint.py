"""The linter of shapes: where what is drawn and what is played do not agree, and where the map cannot be read.

Geometry and board are made together, but both may be mended by hand; a border that is drawn and cannot be crossed is
the slip that players stumble over most.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamesmaster.board import Board, Finding
from gamesmaster.board.lint_finding import error, warning
from gamesmaster.errors import nearest
from gamesmaster.pictures.lint_borders import lint_borders
from gamesmaster.pictures.lint_places import lint_places
from gamesmaster.pictures.shapes import Shapes


def lint_shapes(board: Board, shapes: Shapes) -> list[Finding]:
    """Everything suspicious about the shapes of a board, errors first.

    Provinces without shapes; borders drawn but not on the board and the reverse, unless a link explains them; missing
    spots and labels, and things in a layout that overlap or lie outside.
    """
    found = [*_known(board, shapes), *lint_borders(board, shapes), *lint_places(board, shapes)]
    return sorted(found, key=lambda finding: finding.level)


def _known(board: Board, shapes: Shapes) -> Iterator[Finding]:
    """Provinces of the board that are not drawn, and shapes in play that are not on the board."""
    if board.name != shapes.board:
        yield warning("another-board", "", f"these are the shapes of {shapes.board!r}, the board is {board.name!r}")
    for province in board.provinces:
        if province.id not in shapes.provinces:
            hint = nearest(province.id, shapes.provinces.keys() - board.index.keys())
            yield error("no-shape", province.id, f"{province.name} has no shape", hint)
        elif not shapes.provinces[province.id].rings:
            yield error("no-shape", province.id, f"the shape of {province.name} is empty")
    for key in shapes.provinces:
        if key not in board.index and _in_play(key, shapes):
            hint = nearest(key, board.index.keys() - shapes.provinces.keys())
            yield error("shape-of-nothing", key, "a shape with room for units, but no province of the board", hint)


def _in_play(key: str, shapes: Shapes) -> bool:
    """Is this drawn as a province that is played in?  Land out of play may have a shape and a name, but no more."""
    places = [layout[key] for layout in shapes.layouts.values() if key in layout]
    return any(p.spots[""] or p.centre or any(label.role == "code" for label in p.labels) for p in places)
