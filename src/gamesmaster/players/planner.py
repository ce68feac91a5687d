"""The search for the best plan of a power at the table: its options as columns of lists, and the orders chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import make_dataclass
from random import Random as Chance
from typing import Any, TypeVar, cast

from gamesmaster.engine.heuristic.menu import LANDS, OPTIONS, UNITS, Menu, link_backers
from gamesmaster.engine.heuristic.outlook import Outlook
from gamesmaster.engine.heuristic.plan import (
    MOST_ROUNDS,
    REALS,
    Plan,
    add_ways,
    begin,
    better_all,
    fits,
    lengths,
    tidy,
    try_way,
    weigh,
)
from gamesmaster.orders import Order
from gamesmaster.players.options import Options
from gamesmaster.players.survey import Survey

BY_ROW = ("unit", "code", "into", "value", "otherwise", "aim", "helps")
"""The columns that `Options.rows` have."""


class Planner:
    """A plan, begun with every unit holding."""

    def __init__(self, options: Options, survey: Survey) -> None:
        self.options, self.plan = options, _plan(options, survey.outlook)
        link_backers(self.plan.menu, len(options.rows))
        for n, ways in enumerate(options.ways, 1):
            add_ways(self.plan, n, ways)
        begin(self.plan)

    @property
    def orders(self) -> list[Order]:
        """The orders of the plan."""
        chosen = self.plan.chosen[1:]
        orders = (self.options.orders[option] for option in chosen)
        return [*(order for order in orders if order), *self.options.riders(chosen)]

    def settle(self, chance: Chance) -> None:
        """Make the plan the best that can be found; `chance` says which unit is thought about first."""
        turns = list(range(1, 1 + len(self.options.units)))
        for _ in range(MOST_ROUNDS):
            chance.shuffle(turns)
            if better_all(self.plan, turns):
                break
        tidy(self.plan)

    # -- one change --------------------------------------------------------------------------------------------------

    def ways(self, n: int) -> list[int]:
        """Return the ways open to a unit, by its number from 1, in the present plan."""
        menu = self.plan.menu
        return [way for way in range(menu.way_at[n], menu.way_end[n]) if fits(self.plan, menu.way[way])]

    def gain(self, way: int) -> float:
        """By how much the plan would be better with another way."""
        return weigh(self.plan, try_way(self.plan, way), put=False)

    def put(self, way: int) -> list[int]:
        """Change the plan; the options that it had instead."""
        changes = try_way(self.plan, way)
        weigh(self.plan, changes, put=True)
        return list(self.plan.was[:changes])

    def put_back(self, options: Sequence[int]) -> None:
        """Restore the former options of units."""
        self.plan.trial[: len(options)] = options
        weigh(self.plan, len(options), put=True)


def _plan(options: Options, look: Outlook) -> Plan:
    """Return the columns of a plan, with all options in its menu, and no ways yet."""
    board, rows, units = options.board, len(options.rows), len(options.units)
    needs, ways = sum(len(c.needs) for c in options.company.values()), (1 + units) * sum(map(len, options.ways))
    sizes = lengths(len(board.provinces), units, options.aims, rows, needs, ways)
    columns: dict[str, Any] = {name: [0.0 if name in REALS else 0] * size for name, size in sizes.items()}
    columns |= zip(BY_ROW, map(list, zip(*options.rows, strict=True)), strict=False)  # no rows, no columns
    columns |= {"at": options.at, "hold": options.hold, "needs": [], "word": list(range(rows))}
    columns["tally"][UNITS], columns["tally"][OPTIONS] = units, rows
    for n, unit in reversed(list(enumerate(options.units, 1))):
        columns["aboard"][n] = int(unit.aboard > 0)
        if not unit.aboard and options.at[n] not in board.boxes:
            columns["own"][options.at[n]] = n
    for option, word in options.words.items():
        columns["word"][option] = word
    for option, company in options.company.items():
        columns["need_at"][option] = len(columns["needs"])
        columns["needs"] += company.needs
        columns["need_end"][option] = len(columns["needs"])
        columns["partner"][option], columns["mate"][option] = company.partner, company.mate
    moves = zip(columns["code"], columns["into"], strict=True)
    columns["lane"] = [place if code >= LANDS and place not in board.boxes else -1 for code, place in moves]
    menu = Menu(options.aims, *(columns[name] for name in Menu._fields[1:]))
    return slotted(Plan(slotted(menu), look, units + 2, *(columns[name] for name in Plan._fields[3:])))


Columns = TypeVar("Columns", Menu, Plan)

SLOTTED: dict[type, Any] = {
    Menu: make_dataclass("Menu", Menu._fields, slots=True),
    Plan: make_dataclass("Plan", Plan._fields, slots=True),
}


def slotted(columns: Columns) -> Columns:
    """Return the same columns in an object with slots, whose fields are much faster in Python than a tuple's."""
    return cast("Columns", SLOTTED[type(columns)](*columns))
