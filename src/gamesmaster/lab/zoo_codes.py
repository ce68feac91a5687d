"""Numbers for what is on a board: how the arrays of the environment write powers, places, units, orders and results.

Everything is numbered from 1 in the order of the variant's files, so that 0 is free to mean none.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from gamesmaster.board import Location
from gamesmaster.judge import Result
from gamesmaster.orders import Order, Verb
from gamesmaster.variant import Variant

Row: TypeAlias = tuple[int, ...]

VERBS = {verb: number for number, verb in enumerate(Verb, 1)}
RESULTS = {result: number for number, result in enumerate(Result, 1)}
COLUMNS = ("verb", "kind", "at", "to", "of", "of_kind", "of_power", "how", "boats", "builder")
"""The columns of an order: the fields of `Order`; `how` adds 1 for "by convoy" and 2 for help to a landing."""

VIA, LANDING = 1, 2
MOST_BOATS = 100
REMEMBERED = 100_000  # orders whose numbers are not worked out anew
NO_ORDER: Row = (0,) * len(COLUMNS)


class Codes:
    """The numbers of one variant."""

    def __init__(self, variant: Variant) -> None:
        self.board = variant.board
        self.powers = {power.name: number for number, power in enumerate(variant.powers, 1)}
        self.kinds = {kind: number for number, kind in enumerate(self.board.ways, 1)}
        self.row = lru_cache(REMEMBERED)(self._row)
        """An order in numbers, all 0 for none; of several builders of boats it names the first."""

    @property
    def most(self) -> Row:
        """The highest number in each column of an order."""
        kinds, places, powers = len(self.kinds), len(self.board.locations), len(self.powers)
        return (len(VERBS), kinds, places, places, places, kinds, powers, VIA + LANDING, MOST_BOATS, powers)

    def place(self, location: Location | None) -> int:
        """The number of a location, 0 for none."""
        return 0 if location is None else self.board.location_index[location] + 1

    def _row(self, order: Order | None) -> Row:
        if order is None:
            return NO_ORDER
        return (
            VERBS[order.verb],
            self.kinds.get(order.kind, 0),
            self.place(order.at),
            self.place(order.to),
            self.place(order.of),
            self.kinds.get(order.of_kind, 0),
            self.powers.get(order.of_power, 0),
            VIA * order.via + LANDING * order.landing,
            min(order.boats, MOST_BOATS),
            self.powers.get(_first(order.builders), 0),
        )


def _first(names: Iterable[str]) -> str:
    return next(iter(names), "")
