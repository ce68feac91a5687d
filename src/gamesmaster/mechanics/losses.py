"""What goes when units are lost: those aboard with their carriers, boats with those afloat in them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from gamesmaster.board import Board, Position, Unit
from gamesmaster.mechanics.boats.values import Moorings, is_water


def lost(board: Board, position: Position, units: Collection[Unit]) -> Position:
    """The position without these units, those aboard of them, and the boats on the waters where they were."""
    gone = {unit.number for unit in units}
    left = tuple(u for u in position.units if u.number not in gone and u.aboard not in gone)
    moored = Moorings.of(position)
    for place in {unit.at.province for unit in units if is_water(board, unit.at.province)}:
        moored = moored.with_pile(place, ())
    return moored.put(replace(position, units=left))
