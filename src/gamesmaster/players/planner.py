"""The search for the best plan of a power at the table: its options as columns of lists, and the orders chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import make_dataclass
from random import Random as Chance
from typing import Any, TypeVar, cast

from gamesmaster.orders import Order
from gamesmaster.players.options import Options
from gamesmaster.players.plan import (
    LANDS,
    MOST_ROUNDS,
    OPTIONS,
    TALLIES,
    UNITS,
    Menu,
    Plan,
    add_ways,
    begin,
    better_all,
    fits,
    link_backers,
    tidy,
    try_way,
    weigh,
)
from gamesmaster.players.survey import Survey


class Planner:
    """A plan, begun with every unit holding."""

    def __init__(self, options: Options, survey: Survey) -> None:
        self.options, self.plan = options, _plan(options, survey)
        link_backers(self.plan)
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
        """What a unit, by its number from 1, may be given as things stand."""
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
        """Let units do again what they did."""
        self.plan.trial[: len(options)] = options
        weigh(self.plan, len(options), put=True)


def _menu(options: Options) -> Menu:
    """The columns of what units may do."""
    board, rows, units = options.board, len(options.rows), len(options.units)
    own = [0] * (len(board.provinces) + 1)
    for n, unit in reversed(list(enumerate(options.units, 1))):
        if not unit.aboard and options.at[n] not in board.boxes:
            own[options.at[n]] = n
    need_at, need_end, needs, partner, mate = [0] * rows, [0] * rows, list[int](), [0] * rows, [0] * rows
    for option, company in options.company.items():
        need_at[option], need_end[option] = len(needs), len(needs) + len(company.needs)
        needs += company.needs
        partner[option], mate[option] = company.partner, company.mate
    by_row = map(list, zip(*options.rows, strict=True)) if rows else ([] for _ in range(7))
    unit_of, code, into, value, otherwise, aim, helps = by_row
    moves = (place if c >= LANDS and place not in board.boxes else -1 for c, place in zip(code, into, strict=True))
    room = (1 + units) * sum(map(len, options.ways))
    columns = Menu(
        aims=options.aims, at=options.at, aboard=[0, *(unit.aboard for unit in options.units)], hold=options.hold,
        way_at=[0] * (1 + units), way_end=[0] * (1 + units), way=[0] * room, backer=[0] * room, own=own,
        unit=unit_of, code=code, into=into, lane=list(moves), value=value, otherwise=otherwise, aim=aim, helps=helps,
        need_at=need_at, need_end=need_end, needs=needs, partner=partner, mate=mate,
        word=[options.words.get(option, option) for option in range(rows)],
        first_backer=[0] * (options.aims * (1 + units)), next_backer=[0] * rows,
    )  # fmt: skip
    return slotted(columns)


def _plan(options: Options, survey: Survey) -> Plan:
    """The columns of a plan, nothing in them yet."""
    menu, units = _menu(options), 1 + len(options.units)
    tally = [0] * TALLIES
    tally[UNITS], tally[OPTIONS] = units - 1, len(options.rows)
    size, most = len(menu.own), units + 1
    columns = Plan(
        menu=menu, look=survey.outlook, most=most, tally=tally, chosen=[0] * units, expected=[0.0] * units,
        stays=[0.0] * units, claimed=[0] * units, first=[0] * size, after=[0] * units, content=[0] * units,
        helped=[0] * (options.aims * units), entering=[*[-1.0] * ((size - 1) * most), *[1.0] * most],
        keeping=[-1.0] * (units * most),
        trial=[0] * (units + 1), was=[0] * (units + 1), mark=[0] * units, queue=[0] * units,
    )  # fmt: skip
    return slotted(columns)


Columns = TypeVar("Columns", Menu, Plan)

SLOTTED: dict[type, Any] = {
    Menu: make_dataclass("Menu", Menu._fields, slots=True),
    Plan: make_dataclass("Plan", Plan._fields, slots=True),
}


def slotted(columns: Columns) -> Columns:
    """The same columns in an object with slots, whose fields ordinary Python finds far faster than those of a tuple."""
    return cast("Columns", SLOTTED[type(columns)](*columns))
