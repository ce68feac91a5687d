"""Where: provinces, locations, who can go where, what stands where."""

from gamesmaster.board.file import board_data, board_schema, read_board
from gamesmaster.board.lint import lint
from gamesmaster.board.lint_finding import Finding
from gamesmaster.board.model import ARMY, FLEET, Board, Closure, Edge, Form, Location, Province, Terrain
from gamesmaster.board.position import Dislodged, Position, Unit, units_from

__all__ = [
    "ARMY",
    "FLEET",
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
    "board_data",
    "board_schema",
    "lint",
    "read_board",
    "units_from",
]
