"""docs/board-files.md says all there is to say about the sources of a board, and its examples are right."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

import pytest
from pydantic import BaseModel

from gamesmaster.atlas import folder
from gamesmaster.atlas.settings import Settings
from gamesmaster.pictures import Shapes, read_shapes, shapes_data

PAGE = (Path(__file__).parents[2] / "docs" / "board-files.md").read_text(encoding="utf-8")
SHAPES = PAGE.split("## `shapes.json`\n")[1].split("\n## ")[0]
SOURCE = PAGE.split("## The folder a board is made from\n")[1].split("\n## ")[0]
EXAMPLE: dict[str, Any] = tomllib.loads(SOURCE.split("```toml\n")[1].split("```")[0])


def models(annotation: Any) -> list[type[BaseModel]]:
    """The models in an annotation, however deep."""
    if isinstance(annotation, type) and get_origin(annotation) is None:
        return [annotation] if issubclass(annotation, BaseModel) else []
    return [model for part in get_args(annotation) if not isinstance(part, UnionType) for model in models(part)]


def missing(model: type[BaseModel], data: dict[str, Any]) -> list[str]:
    """Keys that the model knows and the data do not show."""
    found = [key for key in model.model_fields if key not in data]
    for key, info in model.model_fields.items():
        for inner in models(info.annotation):
            value = data.get(key, {})
            shown = {k: v for entry in value for k, v in entry.items()} if isinstance(value, list) else value
            found += [f"{key}.{word}" for word in missing(inner, shown)]
    return found


def test_the_example_shows_every_setting() -> None:
    """The board.toml of the page reads, and leaves no setting out."""
    assert Settings.model_validate(EXAMPLE).name == "The Strait"
    assert missing(Settings, EXAMPLE) == []


@pytest.mark.parametrize("table", ["thresholds", "drawing"])
def test_the_numbers_are_the_defaults(table: str) -> None:
    """The numbers of the example are those that hold if nothing is said, as the page claims."""
    plain = Settings.model_validate({key: EXAMPLE[key] for key in ("name", "coastline", "projection", "frame")})
    for key, value in getattr(plain, table).model_dump().items():
        if key != "lenses":
            assert EXAMPLE[table][key] == value, key


@pytest.mark.parametrize("word", [*folder.KINDS, *folder.WAYS, *filter(None, folder.DRAWN)])
def test_every_word_of_the_tables_is_told(word: str) -> None:
    """Every kind of province, every "who" and every way of drawing a border stands on the page."""
    assert f"`{word}`" in SOURCE


def test_the_example_of_shapes_reads() -> None:
    """The shapes.json of the page reads and is written back the same; its two lands share an arc."""
    data = json.loads(SHAPES.split("```json\n")[1].split("```")[0])
    shapes = read_shapes(data)
    assert shapes_data(shapes) == data
    (upper,), (lower,) = shapes.outline("NOR"), shapes.outline("SOU")
    assert set(upper) & set(lower) == {(500, 1500), (3500, 1500)}


@pytest.mark.parametrize("key", Shapes.__dataclass_fields__)
def test_every_key_of_shapes_is_told(key: str) -> None:
    """Every part of shapes has its row in the table."""
    assert f"| `{key}` |" in SHAPES
