"""Pictures: the shapes of a board, and maps drawn from them with positions, orders and results."""

from gamesmaster.pictures.export.animation import Leaf, flip_book, frames, leaves_of
from gamesmaster.pictures.lint import lint_shapes
from gamesmaster.pictures.orders.key import KeyRow, order_key, order_sheet
from gamesmaster.pictures.orders.model import Planned, plan
from gamesmaster.pictures.orders.overlay import draw_orders
from gamesmaster.pictures.picture import Picture
from gamesmaster.pictures.shapes.files import read_shapes, shapes_data, shapes_text
from gamesmaster.pictures.shapes.values import (
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
from gamesmaster.pictures.signs import Sign, looks_of, marks_of, sign_of, signs_of
from gamesmaster.pictures.style import STYLES
from gamesmaster.pictures.text_board import board_in_words, neighbourhood, text_board

__all__ = [
    "STYLES",
    "Backdrop",
    "Disc",
    "KeyRow",
    "Label",
    "Layout",
    "Leaf",
    "Least",
    "Link",
    "Picture",
    "Place",
    "Planned",
    "ProvinceShape",
    "Shapes",
    "Sign",
    "Spot",
    "board_in_words",
    "draw_orders",
    "flip_book",
    "frames",
    "leaves_of",
    "lint_shapes",
    "looks_of",
    "marks_of",
    "neighbourhood",
    "order_key",
    "order_sheet",
    "plan",
    "read_shapes",
    "shapes_data",
    "shapes_text",
    "sign_of",
    "signs_of",
    "text_board",
]
