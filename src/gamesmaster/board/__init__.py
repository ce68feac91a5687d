"""Boards and positions: provinces, locations, steps between them, and the units on them."""

from gamesmaster.board.file import DEEPEST_BOARD, LARGEST_BOARD, board_data, board_schema, read_board
from gamesmaster.board.lint import Finding, components, fold, lint
from gamesmaster.board.model import ARMY, FLEET, LANDING, Board, Closure, Edge, Form, Location, Province, Terrain, Value
from gamesmaster.board.position import (
    Dislodged,
    Position,
    Unit,
    coast_words,
    place_code,
    place_name,
    place_words,
    province_name,
    unit_and_power,
    unit_code,
    unit_name,
    units_from,
    with_coast,
)
from gamesmaster.board.text import board_text

__all__ = [
    "ARMY",
    "DEEPEST_BOARD",
    "FLEET",
    "LANDING",
    "LARGEST_BOARD",
    "Board",
    "Closure",
    "Dislodged",
    "Edge",
    "Finding",
    "Form",
    "Location",
    "Position",
    "Province",
    "Terrain",
    "Unit",
    "Value",
    "board_data",
    "board_schema",
    "board_text",
    "coast_words",
    "components",
    "fold",
    "lint",
    "place_code",
    "place_name",
    "place_words",
    "province_name",
    "read_board",
    "unit_and_power",
    "unit_code",
    "unit_name",
    "units_from",
    "with_coast",
]
