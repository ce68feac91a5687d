"""Who attacked whom in a season of moves: read off the orders and what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gamesmaster.board import Location, Position
from gamesmaster.judge import Result, Ruling
from gamesmaster.orders import Verb


@dataclass(frozen=True, slots=True)
class Attack:
    """A move of a unit of `who` into a province where a unit of `whom` stood, or, that being empty, that `whom` owns.

    `whom` is empty for nobody's, and may be `who`; `supported` says that another unit was ordered to help.
    """

    who: str
    whom: str
    province: str
    supported: bool


def attacks(position: Position, rulings: Sequence[Ruling]) -> Iterator[Attack]:
    """The moves from this position that counted as orders, in the order of the rulings, whatever they came to."""
    counted = [(r.unit, r.order) for r in rulings if r.order and r.unit and r.result is not Result.VOID]
    helped = {(_province(order.of), _province(order.to)) for _, order in counted if order.verb is Verb.SUPPORT}
    for unit, order in counted:
        goal = _province(order.to)
        if order.verb in (Verb.MOVE, Verb.LAND):
            there = position.at(goal)
            whom = there.power if there else position.owners.get(goal, "")
            yield Attack(unit.power, whom, goal, (unit.at.province, goal) in helped)


def _province(place: Location | None) -> str:
    return place.province if place else ""
