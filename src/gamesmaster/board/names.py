"""How people are told of places and units: one spelling for reports, rulings, mails, pages and pictures.

Files and programs have the ids instead (`str(location)`, `str(unit)`: `STP/SC`, `F STP/SC`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from gamesmaster.board.model import Board, Location
from gamesmaster.board.position import Unit

_COASTS: Mapping[str, str] = MappingProxyType(
    {"N": "north coast", "S": "south coast", "E": "east coast", "W": "west coast"}
)


def with_coast(name: str, coast: str, *, spelt: bool = False) -> str:
    """The name of a place with its coast, if it has one: `Stp/SC`, or `St Petersburg (sc)` if it is `spelt` out."""
    if not coast:
        return name
    return f"{name} ({coast.lower()})" if spelt else f"{name}/{coast}"


def coast_words(coast: str) -> str:
    """A coast in words: `south coast`."""
    return _COASTS.get(coast.removesuffix("C"), f"coast {coast}")


def place_code(board: Board, at: Location) -> str:
    """A place as orders name it, in short: `Stp/SC`, `14`.  What is not on the board is printed as it is."""
    name = board.province(at.province).abbr if at.province in board.index else at.province
    return with_coast(name, at.coast)


def place_name(board: Board, at: Location, power: str = "") -> str:
    """A place as reports and maps print it: `Stp/SC`; with names beside numbers: `14 (Seneca)`, `44 (Aros Castle)/W`.

    With the power of the unit there: `Stp/SC (Russia)`, `14 (Seneca, Iroquois)`.
    """
    province = board.province(at.province) if board.numbered and at.province in board.index else None
    if province is None or province.name == province.abbr:
        return f"{place_code(board, at)} ({power})" if power else place_code(board, at)
    return with_coast(f"{province.abbr} ({', '.join(filter(None, (province.name, power)))})", at.coast)


def place_words(board: Board, at: Location, say: Callable[[str], str] = str) -> str:
    """A place in full: `St Petersburg, south coast`; `say` translates the words for the coast."""
    name = board.province(at.province).name
    return f"{name}, {say(coast_words(at.coast))}" if at.coast else name


def province_name(board: Board, province: str) -> str:
    """A province by its name: `Burgundy`, or `14 (Seneca)` where provinces go by numbers."""
    return place_name(board, Location(province)) if board.numbered else board.province(province).name


def unit_code(board: Board, unit: Unit) -> str:
    """A unit as orders name it, in short: `F Stp/SC`, `W 14`."""
    return f"{unit.kind} {place_code(board, unit.at)}"


def unit_name(board: Board, unit: Unit) -> str:
    """A unit as reports and maps print it: `F Stp/SC`, or `W 14 (Seneca)` where provinces go by numbers."""
    return f"{unit.kind} {place_name(board, unit.at)}"


def unit_and_power(board: Board, unit: Unit) -> str:
    """The same with its power: `F Stp/SC (Russia)`, `W 14 (Seneca, Iroquois)`."""
    return f"{unit.kind} {place_name(board, unit.at, unit.power)}"
