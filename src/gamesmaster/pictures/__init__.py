"""Pictures: the shapes of a board, and maps drawn from them with positions, orders and results."""

from gamesmaster.pictures.lint import lint_shapes
from gamesmaster.pictures.shapes import (
    Backdrop,
    Disc,
    Label,
    Layout,
    Least,
    Link,
    Place,
    ProvinceShape,
    Shapes,
    Spot,
)
from gamesmaster.pictures.shapes_file import read_shapes, shapes_data, shapes_text

__all__ = [
    "Backdrop",
    "Disc",
    "Label",
    "Layout",
    "Least",
    "Link",
    "Place",
    "ProvinceShape",
    "Shapes",
    "Spot",
    "lint_shapes",
    "read_shapes",
    "shapes_data",
    "shapes_text",
]
