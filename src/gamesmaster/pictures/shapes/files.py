"""Shapes files: the shapes of a board as data, found beside its `board.json`, read and written.

The format is described in `docs/board-files.md`.  What a file may hold is bounded, so that one from a stranger can be
read and drawn without fear; whether the shapes suit a board is for `lint_shapes` to say.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from gamesmaster import strictjson
from gamesmaster.board import Board, Terrain
from gamesmaster.errors import BadShapes, NotFound, nearest
from gamesmaster.pictures.shapes.reading import Node, Reader
from gamesmaster.pictures.shapes.values import Backdrop, Label, Link, Place, ProvinceShape, Shapes
from gamesmaster.variant import BOARD as BOARD
from gamesmaster.variant import SHAPES as SHAPES
from gamesmaster.variant import Edition, Variant, find_variant, shelf, variant_names

LARGEST = 2 * 1024 * 1024  # bytes
DEEPEST = 7  # levels of nesting


def read_shapes(source: Path | str | Mapping[str, object], *, where: str = "") -> Shapes:
    """Return the shapes in a file (a `Path`), in a JSON text (a `str`) or in data already parsed (a mapping).

    `where` names a text or mapping in complaints.  Raises `NotFound` for a missing file, and `BadShapes`, with the JSON
    path, for shapes that do not fit the format.
    """
    data, where = strictjson.from_any(source, BadShapes, limit=LARGEST, depth=DEEPEST, where=where)
    return Reader(Node(data, (), where)).shapes()


def shapes_data(shapes: Shapes) -> dict[str, Any]:
    """Return the data of a shapes file for these shapes: what `read_shapes` makes equal shapes of.

    What is empty is left out.
    """
    least = shapes.least
    return {
        "format": 1,
        "board": shapes.board,
        "size": list(shapes.size),
        "km": _number(shapes.km),
        **_drop_empty(credit=shapes.credit, diagram=shapes.diagram),
        "least": {"land": _number(least.land), "shore": _number(least.shore), "sea": _number(least.sea)},
        "arcs": list(map(list, shapes.arcs)),
        "provinces": {key: _province(shape) for key, shape in shapes.provinces.items()},
        **_drop_empty(backdrop=_backdrop(shapes.backdrop)),
        **_drop_empty(links=[_link(link) for link in shapes.links]),
        "layouts": {
            name: {key: _place(place) for key, place in layout.items()} for name, layout in shapes.layouts.items()
        },
    }


def shapes_text(shapes: Shapes) -> str:
    """Return the text of a shapes file, the same for equal shapes: an arc or a province per line."""
    parts = []
    for key, value in shapes_data(shapes).items():
        if key == "layouts":
            text = _lines("{}", (f"{_json(name)}: {_object(layout)}" for name, layout in value.items()))
        elif key == "provinces":
            text = _object(value)
        elif key in ("arcs", "links"):
            text = _lines("[]", map(_json, value))
        else:
            text = _json(value)
        parts.append(f"{_json(key)}: {text}")
    return _lines("{}", parts) + "\n"


def _object(entries: Mapping[str, object]) -> str:
    return _lines("{}", (f"{_json(key)}: {_json(value)}" for key, value in entries.items()))


def _lines(brackets: str, entries: Iterable[str]) -> str:
    return "\n".join([brackets[0], ",\n".join(entries), brackets[1]])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _number(value: float) -> float:
    return int(value) if value == int(value) else value


def _lists(rows: Iterable[Iterable[int]]) -> list[list[int]]:
    return [list(row) for row in rows]


def _province(shape: ProvinceShape) -> dict[str, Any]:
    contact = {key: _number(length) for key, length in shape.contact.items()}
    return {"rings": _lists(shape.rings), **_drop_empty(isles=_lists(shape.isles), out=shape.out, contact=contact)}


def _backdrop(backdrop: Backdrop) -> dict[str, Any]:
    return _drop_empty(land=_lists(backdrop.land), lakes=_lists(backdrop.lakes), rivers=[*backdrop.rivers])


def _link(link: Link) -> dict[str, Any]:
    known = {"a": link.a, "b": link.b, "ways": list(link.ways), "op": link.op}
    return known | _drop_empty(kind=link.kind, path=[*link.path], path2=[*link.path2], reason=link.reason)


def _place(place: Place) -> dict[str, Any]:
    return {
        "spots": {coast: _lists(spots) for coast, spots in place.spots.items()},
        **_drop_empty(extras=_lists(place.extras), centre=[*place.centre] if place.centre else []),
        **_drop_empty(labels=[_label(label) for label in place.labels]),
    }


def _label(label: Label) -> dict[str, Any]:
    known = {"text": label.text, "role": label.role, "at": [*label.at], "size": label.size, "width": label.width}
    return known | _drop_empty(turn=label.turn) | ({"from": [*label.leader]} if label.leader else {})


def _drop_empty(**values: object) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value}


def shapes_of(variant: Variant, near: Path | None = None) -> Shapes:
    """Return the shapes of a variant's board.

    Those of the package are in it. Those of any other variant are in its edition, or in its folder, which is `near` or
    lies in `near` under the variant's id, or in the folder beside it whose board it shares. Raises `NotFound` if they
    are missing, `BadShapes` if they are not this board's.
    """
    if variant.edition is not None and variant.edition.text(SHAPES):
        return _in_edition(variant.edition, variant)
    if variant.family in variant_names() and find_variant(variant.id) == variant:
        return _packaged_shapes(variant.family)
    own = [near / variant.family, near] if near else []
    tried = [folder.parent / variant.board_of if variant.board_of else folder for folder in own]
    for folder in tried:
        if (folder / SHAPES).is_file():
            return shapes_beside(folder, variant.board)
    raise _shapeless(variant.name, tried)


def shapes_beside(folder: Path, board: Board) -> Shapes:
    """Return the shapes in the folder of a board.

    Raises `NotFound` if they are missing, `BadShapes` if they do not fit it.
    """
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
    """Return the names of the package's boards that can be drawn, sorted; a variant's is its id."""
    return tuple(sorted(file.parent.name for file in shelf().glob(f"*/{SHAPES}")))


def board_folder(name: str) -> Path:
    """Return the folder of a board of the package, by its name in any case of letters.

    Raises `NotFound` with the nearest.
    """
    known = board_names()
    if name.casefold() not in known:
        raise NotFound(f"no board {name[:80]!r}", hint=nearest(name, known) or f"known: {', '.join(known)}")
    return shelf() / name.casefold()


def home_powers(board: Board) -> tuple[str, ...]:
    """Return the powers that have a home on a board, by the alphabet: who plays, as far as a bare board can tell."""
    return tuple(sorted({province.home for province in board.provinces if province.home}))


@lru_cache(maxsize=32)
def _in_edition(edition: Edition, variant: Variant) -> Shapes:
    shapes = read_shapes(edition.text(SHAPES), where=edition.place(SHAPES))
    check_fit(variant.board, shapes, edition.place(SHAPES))
    return shapes


@cache
def _packaged_shapes(name: str) -> Shapes:
    variant = find_variant(name)
    return shapes_beside(shelf() / (variant.board_of or name), variant.board)


def _shapeless(name: str, folders: list[Path]) -> NotFound:
    place = f" in {' or '.join(map(str, folders))}" if folders else ""
    return NotFound(
        f"{name} has no {SHAPES}{place}",
        hint="`gamesmaster board draw` draws it from the borders; `board build` makes it from a folder of anchors",
    )
