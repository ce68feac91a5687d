"""Boats in tests of a variant: placed at random, and counted from phase to phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from random import Random

from gamesmaster.board import Board, Position, Unit
from gamesmaster.mechanics.boats.values import BoatPlacement, BoatSettings, BoatVerb
from gamesmaster.rules import Event, Result, Ruling


def random_state(boats: BoatSettings, board: Board, units: Collection[Unit], chance: Random) -> dict[str, object]:
    """Return random boats for a position: one for each unit afloat, and one or two for many of those on land."""
    lie: dict[str, list[str]] = {}
    for unit in units:
        place, afloat = unit.at.province, unit.kind == boats.form
        if afloat or (board.province(place).land and chance.random() < 0.7):
            lie[place] = [unit.power if boats.named else ""] * (1 if afloat else chance.randint(1, 2))
    return {"lie": lie} if lie else {}


def phase_faults(
    boats: BoatSettings, before: Position, after: Position, rulings: Sequence[Ruling], happened: Collection[Event]
) -> Iterator[str]:
    """Yield changes in the number of boats that no building, destruction or loss in the phase explains."""
    count = Counter(r.order.verb for r in rulings if r.order and r.result is Result.SUCCEEDS)
    change = BoatPlacement.of(after).count().total() - BoatPlacement.of(before).count().total()
    lost = count[BoatVerb.MAKE] - count[BoatVerb.DESTROY] - change
    if lost < 0:
        yield f"{-lost} more boats than were built"
    elif lost and not happened and not _numbers(before) - _numbers(after):
        yield f"{lost} boats are gone, and nothing that happened says so"


def _numbers(position: Position) -> set[int]:
    """Return the numbers of all units, dislodged ones too."""
    return {unit.number for unit in position.everybody}
