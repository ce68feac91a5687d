"""Pictures: the shapes of a board, and maps drawn from them with positions, orders and results."""

from gamesmaster.pictures.lint import lint_shapes
from gamesmaster.pictures.picture import Picture
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
from gamesmaster.pictures.style import STYLES
from gamesmaster.pictures.symbols import Sign, sign_of

__all__ = [
    "STYLES",
    "Backdrop",
    "Disc",
    "Label",
    "Layout",
    "Least",
    "Link",
    "Picture",
    "Place",
    "ProvinceShape",
    "Shapes",
    "Sign",
    "Spot",
    "lint_shapes",
    "read_shapes",
    "shapes_data",
    "shapes_text",
    "sign_of",
]
