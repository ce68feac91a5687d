"""Pictures: the shapes of a board, and maps drawn from them with positions, orders and results."""

from gamesmaster.pictures.export import Leaf, flip_book, frames, leaves_of
from gamesmaster.pictures.lint import lint_shapes
from gamesmaster.pictures.orders.model import Drawable, Planned, orders_to_draw, plan, result_words
from gamesmaster.pictures.orders.overlay import KeyRow, draw_orders, order_key, order_sheet
from gamesmaster.pictures.picture import Picture
from gamesmaster.pictures.powers import Bearer, neighbours_of, paints_of
from gamesmaster.pictures.shapes.files import (
    board_folder,
    board_names,
    home_powers,
    read_shapes,
    shapes_beside,
    shapes_data,
    shapes_of,
    shapes_text,
)
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
    arc_of,
    arc_points,
)
from gamesmaster.pictures.signs import Sign, looks_of, marks_of, sign_of, signs_of
from gamesmaster.pictures.style import STYLES, StyleName
from gamesmaster.pictures.svg import text_width
from gamesmaster.pictures.text_board import board_in_words, neighbourhood, text_board

__all__ = [
    "STYLES",
    "Backdrop",
    "Bearer",
    "Disc",
    "Drawable",
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
    "StyleName",
    "arc_of",
    "arc_points",
    "board_folder",
    "board_in_words",
    "board_names",
    "draw_orders",
    "flip_book",
    "frames",
    "home_powers",
    "leaves_of",
    "lint_shapes",
    "looks_of",
    "marks_of",
    "neighbourhood",
    "neighbours_of",
    "order_key",
    "order_sheet",
    "orders_to_draw",
    "paints_of",
    "plan",
    "read_shapes",
    "result_words",
    "shapes_beside",
    "shapes_data",
    "shapes_of",
    "shapes_text",
    "sign_of",
    "signs_of",
    "text_board",
    "text_width",
]
