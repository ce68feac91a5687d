"""Shapes files: the shapes of a board as data, read with every fault named, and written back.

The format is told in `docs/board-files.md`.  What a file may hold is bounded, so that one from a stranger can be read
and drawn without fear; whether the shapes suit a board is for `lint_shapes` to say.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gamesmaster import strictjson
from gamesmaster.errors import BadShapes
from gamesmaster.pictures.shapes.reading import Node, Reader
from gamesmaster.pictures.shapes.values import Backdrop, Label, Link, Place, ProvinceShape, Shapes

LARGEST = 2 * 1024 * 1024  # bytes
DEEPEST = 7  # levels of nesting


def read_shapes(source: Path | str | Mapping[str, object], *, where: str = "") -> Shapes:
    """The shapes in a file (a `Path`), in a JSON text (a `str`) or in data already parsed (a mapping).

    `where` names a text or mapping in complaints.  Raises `NotFound` if there is no such file, and `BadShapes`, naming
    the JSON path, if the shapes are not what the format asks.
    """
    data, where = strictjson.from_any(source, BadShapes, limit=LARGEST, depth=DEEPEST, where=where)
    return Reader(Node(data, (), where)).shapes()


def shapes_data(shapes: Shapes) -> dict[str, Any]:
    """The data of a shapes file for these shapes: what `read_shapes` makes equal shapes of.

    What is empty is left out.
    """
    least = shapes.least
    return {
        "format": 1,
        "board": shapes.board,
        "size": list(shapes.size),
        "km": _number(shapes.km),
        **_filled(credit=shapes.credit),
        "least": {"land": _number(least.land), "shore": _number(least.shore), "sea": _number(least.sea)},
        "arcs": list(map(list, shapes.arcs)),
        "provinces": {key: _province(shape) for key, shape in shapes.provinces.items()},
        **_filled(backdrop=_backdrop(shapes.backdrop)),
        **_filled(links=[_link(link) for link in shapes.links]),
        "layouts": {
            name: {key: _place(place) for key, place in layout.items()} for name, layout in shapes.layouts.items()
        },
    }


def shapes_text(shapes: Shapes) -> str:
    """The text of a shapes file, the same for equal shapes: an arc a line, a province a line, a newline at the end."""
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
    return {"rings": _lists(shape.rings), **_filled(isles=_lists(shape.isles), out=shape.out, contact=contact)}


def _backdrop(backdrop: Backdrop) -> dict[str, Any]:
    return _filled(land=_lists(backdrop.land), lakes=_lists(backdrop.lakes), rivers=[*backdrop.rivers])


def _link(link: Link) -> dict[str, Any]:
    known = {"a": link.a, "b": link.b, "ways": list(link.ways), "op": link.op}
    return known | _filled(kind=link.kind, path=[*link.path], path2=[*link.path2], reason=link.reason)


def _place(place: Place) -> dict[str, Any]:
    return {
        "spots": {coast: _lists(spots) for coast, spots in place.spots.items()},
        **_filled(extras=_lists(place.extras), centre=[*place.centre] if place.centre else []),
        **_filled(labels=[_label(label) for label in place.labels]),
    }


def _label(label: Label) -> dict[str, Any]:
    known = {"text": label.text, "role": label.role, "at": [*label.at], "size": label.size, "width": label.width}
    return known | _filled(turn=label.turn) | ({"from": [*label.leader]} if label.leader else {})


def _filled(**values: object) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value}
