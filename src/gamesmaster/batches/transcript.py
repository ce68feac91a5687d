"""One game of a batch as the judge's values: its position, and the orders set in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gamesmaster.batches.mechanics import Part, asking_parts, newcomers, state_of
from gamesmaster.batches.state import (
    BEATEN,
    BUILD,
    COUNT,
    DISBAND,
    ORDERS,
    REMOVE,
    RETREAT,
    UNASKED,
    VIA,
    WHOLE,
    Game,
    game_at,
)
from gamesmaster.batches.tables import Tables, steps_of
from gamesmaster.batches.years import open_to
from gamesmaster.board import Dislodged, Location, Position, Unit
from gamesmaster.engine import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.judge import ashore_verb, convoy_verb
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.rules import OWN, Rules
from gamesmaster.variant import Variant

_COUNTS = {PhaseKind.MOVEMENT: COUNT, PhaseKind.RETREATS: BEATEN, PhaseKind.ADJUSTMENTS: ORDERS}
"""The index in the tally of the number of orders in a phase, by its kind."""

_VERBS = {
    HOLD: Verb.HOLD,
    MOVE: Verb.MOVE,
    SUPPORT: Verb.SUPPORT,
    VIA: Verb.MOVE,
    RETREAT: Verb.RETREAT,
    DISBAND: Verb.DISBAND,
}
"""The verbs that are the same under all rules, by their numbers, but for those of Winters."""


@dataclass(frozen=True, eq=False)
class Transcript:
    """The games of a batch as the judge would tell them, each by its place `i`, from 0; rows `r` are from 1.

    `parts` are the parts that the mechanics of these `rules` have, `tables` and `games` the columns, which are read as
    they are when something is asked.
    """

    variant: Variant
    rules: Rules
    parts: Sequence[Part]
    tables: Tables
    games: Game

    @cached_property
    def powers(self) -> tuple[str, ...]:
        """The names of the powers, by their numbers; that of nobody is empty."""
        return ("", *(power.name for power in self.variant.powers))

    def silent(self, i: int) -> tuple[str, ...]:
        """Return the powers of a game that give no orders any more."""
        return tuple(power for power, silent in zip(self.powers, self.games.powers.silent[i], strict=True) if silent)

    # -- the position ------------------------------------------------------------------------------------------------

    def position(self, i: int, winters: int) -> Position:
        """Return the position of a game, this number of Winters after its start."""
        g, n = self.games, range(1, self.games.tally[i, COUNT] + 1)
        provinces = self.variant.board.provinces
        units = tuple(self.unit(i, r) for r in n)
        owners = {provinces[p].id: self.powers[holder] for p, holder in enumerate(g.lands.holder[i]) if holder}
        beaten = tuple(self.dislodged(i, r) for r in range(1, g.tally[i, BEATEN] + 1))
        spans = {int(g.units.number[i, r]): int(g.units.span[i, r]) for r in n if g.units.span[i, r]}
        return Position(units, owners, beaten, state_of(self.rules, self.parts, winters, g.kept[i], spans))

    def unit(self, i: int, r: int) -> Unit:
        """Return the unit of a row."""
        units = self.games.units
        number, (kind, at) = units.number[i, r], self._place(units.stance[i, r])
        return Unit(int(number), kind, self._power(number, units.owner[i, r]), at, int(units.aboard[i, r]))

    def dislodged(self, i: int, r: int, unit: Unit | None = None) -> Dislodged:
        """Return the dislodged unit of a row, which is this `unit` if it is known, with its retreats."""
        g, t, board = self.games, self.tables, self.variant.board
        stance, origin = g.beaten.flees[i, r], g.beaten.attacker[i, r]
        steps = steps_of(t, g.beaten.owner[i, r], stance)
        flees, game = t.steps.flees[t.steps.flees_at[steps] : t.steps.flees_at[steps + 1]], game_at(g, i)
        retreats = tuple(self._place(to)[1] for to in flees if open_to(t, game, r, to))
        if unit is None:
            power = self._power(g.beaten.number[i, r], g.beaten.owner[i, r])
            kind, at = self._place(g.beaten.stance[i, r])
            unit = Unit(int(g.beaten.number[i, r]), kind, power, at)
        return Dislodged(unit, board.provinces[origin].id, retreats)

    def _place(self, stance: int) -> tuple[str, Location]:
        board = self.variant.board
        kind, location = divmod(int(stance), len(board.locations))
        return tuple(board.ways)[kind], board.locations[location]

    def _power(self, number: int, owner: int) -> str:
        """Return the name of a unit's power."""
        return self.powers[owner] or self._nobodies.get(int(number)) or self._newcomer

    @cached_property
    def _nobodies(self) -> dict[int, str]:
        """The names that the units of no power go by, by their numbers, of those there at the start."""
        return {unit.number: unit.power for unit in self.variant.start.units if unit.power not in self.powers}

    @cached_property
    def _newcomer(self) -> str:
        """The name of those of no power who come later."""
        return next(iter(newcomers(self.rules)), "")

    # -- orders ------------------------------------------------------------------------------------------------------

    def orders(self, i: int, kind: PhaseKind) -> dict[str, list[Order]]:
        """Return the orders set in a game for a phase of this kind, by power; in moves only those of powers' units."""
        found: dict[str, list[Order]] = {power: [] for power in self.powers[1:]}
        g, silent = self.games, self.silent(i)
        for r in range(1, g.tally[i, _COUNTS[kind]] + 1):
            power, orders = self.orders_of_row(i, r, kind)
            if power and power not in silent:
                found[power] += orders
        if kind is PhaseKind.ADJUSTMENTS and self.rules.rulebook.excess_removals == "last":
            for orders in found.values():  # there the judge begins at the end
                if orders and orders[0].verb is Verb.REMOVE:
                    orders.reverse()
        for part in asking_parts(self.parts, kind):
            for power, order in part.columns.says(g.kept[i, part.first : part.last]) if part.columns.says else ():
                found[power].append(order)
        return found

    def orders_of_row(self, i: int, r: int, kind: PhaseKind) -> tuple[str, list[Order]]:
        """Return the power of order `r` and the order, or nothing if none is due.

        A mechanic can give several orders for one row.
        """
        g = self.games
        if self._goes_unsaid(i, r, kind):
            return "", []
        if kind is PhaseKind.MOVEMENT and (g.orders.verb[i, r] >= OWN or g.orders.rider[i, r]):
            return self.unit(i, r).power, self._orders_of_mechanics(i, r)
        power, order = self._order(i, r)
        return power, [order]

    def _goes_unsaid(self, i: int, r: int, kind: PhaseKind) -> bool:
        """Return whether a unit needs no order, being aboard, or because another's order speaks for both."""
        g = self.games
        if kind is PhaseKind.ADJUSTMENTS:
            return bool(g.orders.load[i, r] & UNASKED)
        holds = kind is PhaseKind.MOVEMENT and g.orders.verb[i, r] == HOLD
        return bool(holds and (g.units.aboard[i, r] or g.orders.load[i, r] == UNASKED))

    def _orders_of_mechanics(self, i: int, r: int) -> list[Order]:
        """Return the orders of a unit that mechanics put into words, after the regular one, if they go beside it."""
        g, unit = self.games, self.unit(i, r)
        verb, load, rider = (int(column[i, r]) for column in (g.orders.verb, g.orders.load, g.orders.rider))
        found = [self._regular_order(i, r)] if verb < OWN and verb != HOLD else []
        for part in self.parts:
            if orders := part.columns.orders:
                kept = g.kept[i, part.first : part.last].tolist()
                found += orders(unit, verb, self._goal(i, r), load, rider, kept)
        return found

    def _order(self, i: int, r: int) -> tuple[str, Order]:
        """Return the power that gives order `r`, and the order."""
        g = self.games
        code, about = g.orders.verb[i, r], g.orders.about[i, r]
        if code == BUILD:
            return self.powers[about], Order(Verb.BUILD, *self._place(g.orders.to[i, r]))
        if code == REMOVE:
            return self.powers[g.units.owner[i, about]], self._removal(i, about, int(g.orders.load[i, r]))
        if code in (RETREAT, DISBAND):
            kind, at = self._place(g.beaten.stance[i, r])
            return self.powers[g.beaten.owner[i, r]], Order(_VERBS[code], kind, at, self._goal(i, r))
        return self.powers[g.units.owner[i, r]], self._regular_order(i, r)

    def _regular_order(self, i: int, r: int) -> Order:
        """Return the order of a unit in a phase of movement."""
        g = self.games
        code, about, goal = g.orders.verb[i, r], g.orders.about[i, r], self._goal(i, r)
        verb = convoy_verb(self.rules) if code == CONVOY else _VERBS[code]
        kind, at = self._place(g.units.stance[i, r])
        if not about:
            return Order(verb, kind, at, goal, via=bool(code == VIA))
        of_kind, of = self._place(g.units.stance[i, about])
        power, doing = self._whose(i, r, about), None
        if g.units.aboard[i, about]:
            of_kind, doing = self._carrier(i, about).kind, ashore_verb(self.rules)
        return Order(verb, kind, at, goal, of, of_kind, power, doing=doing)

    def _goal(self, i: int, r: int) -> Location | None:
        """Return where an order leads to, None if it stays in place."""
        to = self.games.orders.to[i, r]
        return self._place(to)[1] if to >= 0 else None

    def _whose(self, i: int, r: int, other: int) -> str:
        """Return the power of the unit that an order is about, where it must be said: in shared provinces."""
        units, t = self.games.units, self.tables
        said = t.lands.shared[t.stances.place[units.stance[i, other]]] and units.owner[i, r] != units.owner[i, other]
        return self._power(units.number[i, other], units.owner[i, other]) if said else ""

    def _carrier(self, i: int, r: int) -> Unit:
        """Return the unit that carries the one of a row."""
        return self.unit(i, self.games.units.number[i].tolist().index(self.games.units.aboard[i, r], 1))

    def _removal(self, i: int, r: int, load: int) -> Order:
        """Return the removal of a unit, which may be one that is carried, or carries, with its load or without."""
        unit, board = self.unit(i, r), self.variant.board
        if load & WHOLE:
            return Order(Verb.REMOVE, unit.kind, unit.at)
        pair = self._carrier(i, r).kind if unit.aboard else ""
        if board.cargo(unit.kind):
            pair = unit.kind
        return Order(Verb.REMOVE, board.base(unit.kind) if pair else unit.kind, unit.at, of_kind=pair)
