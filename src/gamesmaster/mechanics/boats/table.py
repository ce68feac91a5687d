"""Boats between the table and its columns: what a variant says of them, what is kept, and what orders mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import compress

from gamesmaster.board import Location, Position, Unit
from gamesmaster.engine.groups import end_to_end
from gamesmaster.judge import IndexedPosition
from gamesmaster.mechanics.boats.columns import GO, MAKE, BoatTables, must_carry, sink_empty
from gamesmaster.mechanics.boats.values import BoatPile, BoatPlacement, BoatSettings, BoatVerb, is_water, pick
from gamesmaster.orders import Order, Verb
from gamesmaster.rules import Rules, Standing, sorts_of, standing

WAY = "boat"


class BoatIndex:
    """The boats of a variant in columns: its `tables`, the builders' `names` by number, the ids of the `waters`."""

    def __init__(self, rules: Rules) -> None:
        boats = next(mechanic for mechanic in rules.mechanics if isinstance(mechanic, BoatSettings))
        board, kinds = rules.board, list(rules.board.ways)
        bare = [board.location_index[Location(province.id)] for province in board.provinces]
        goals = [list(board.steps[WAY][location]) for location in bare]
        goal_at, every_goal = end_to_end(goals)
        water = [is_water(board, province.id) for province in board.provinces]
        self.boats, self.rules = boats, rules
        self.names: BoatPile = ("", *rules.powers) if boats.named else ("",)
        self._slots = [(province.id, builder) for province in board.provinces for builder in self.names]
        self.waters = {province.id for province, wet in zip(board.provinces, water, strict=True) if wet}
        self.tables = BoatTables(
            settings=[
                len(self.names),
                boats.carry,
                boats.limit,
                int(boats.into_occupied),
                int(boats.build_at == "land"),
                kinds.index(boats.kind),
                kinds.index(boats.form),
            ],
            water=list(map(int, water)),
            waters=[place for place, wet in enumerate(water) if wet],
            shore=[int(any(water[goal] for goal in near)) for near in goals],
            goal_at=goal_at,
            goals=every_goal,
            arrive=[
                kinds.index(boats.form if wet else boats.kind) * len(board.locations) + at
                for wet, at in zip(water, bare, strict=True)
            ],
            builds=[0, *(int(not boats.builders or power in boats.builders) for power in rules.powers)],
            by_name=sorted(range(len(self.names)), key=self.names.__getitem__),
        )

    # -- what is kept ------------------------------------------------------------------------------------------------

    @property
    def width(self) -> int:
        """Return how many numbers are kept."""
        return len(self.tables.water) * (len(self.names) + 1)

    def numbers(self, placement: BoatPlacement) -> list[int]:
        """Return the boats by place as columns keep them."""
        index, names, counts = self.rules.board.index, self.names, [0] * self.width
        raw = len(index) * len(names)
        for place, pile in placement.lie.items():
            for builder in pile:
                counts[index[place] * len(names) + names.index(builder)] += 1
        for place, builder in placement.raw.items():
            counts[raw + index[place]] = 1 + names.index(builder)
        return counts

    def placement(self, kept: Sequence[int]) -> BoatPlacement:
        """Return the boats that these columns of `kept` describe."""
        lie: dict[str, list[str]] = {}
        for number in compress(range(len(self._slots)), kept):
            place, builder = self._slots[number]
            lie.setdefault(place, []).extend([builder] * int(kept[number]))
        return BoatPlacement(lie, self.raw(kept))

    def raw(self, kept: Sequence[int]) -> dict[str, str]:
        """Return the raw boats in this."""
        provinces, names = self.rules.board.provinces, self.names
        lie = kept[len(provinces) * len(names) :]
        return {provinces[place].id: names[lie[place] - 1] for place in compress(range(len(lie)), lie)}

    def standing(self, position: Position) -> Standing:
        """Return the columns of a position."""
        return standing(self.rules, position, self.numbers(BoatPlacement.of(position)))

    def sink_empty(self, position: Position) -> Position:
        """Return the position without the boats on waters where nobody is afloat."""
        if not BoatPlacement.of(position).lie:
            return position
        now = self.standing(position)
        sink_empty(self.tables, now)
        return self.placement(now.kept).put(position)

    # -- forms -------------------------------------------------------------------------------------------------------

    def form_at(self, kind: str, at: Location) -> str:
        """Return the form that a unit of this kind has in a place: afloat on water."""
        if kind not in (self.boats.kind, self.boats.form):
            return kind
        return self.boats.form if at.province in self.waters else self.boats.kind

    def reform(self, units: Iterable[Unit]) -> tuple[Unit, ...]:
        """Return the units in the form of the place where they now are; units aboard a fleet keep theirs."""
        form, waters, result = self.boats.form, self.waters, []
        for unit in units:
            if (unit.kind == form) != (unit.at.province in waters) and not unit.aboard:
                kind = self.form_at(unit.kind, unit.at)
                result.append(unit if kind == unit.kind else replace(unit, kind=kind))
            else:
                result.append(unit)
        return tuple(result)

    def must_carry(self, placement: BoatPlacement, unit: Unit) -> bool:
        """Return whether this unit has built a boat inland and must now bring it to the coast (SCO-10.f)."""
        builder = placement.raw.get(unit.at.province)
        if builder is None or unit.aboard:
            return False
        owner, sort = self.rules.numbers.get(unit.power, 0), self.rules.derive(sorts_of)[unit.kind]
        return must_carry(self.tables, 1 + self.names.index(builder), owner, sort)

    def usable(self, placement: BoatPlacement, unit: Unit) -> BoatPile:
        """Return the boats that a unit may take along: all in its place, or the one that it built inland."""
        if unit.kind not in (self.boats.kind, self.boats.form) or unit.aboard:
            return ()
        return (unit.power,) if self.must_carry(placement, unit) else placement.at(unit.at.province)

    # -- what orders mean --------------------------------------------------------------------------------------------

    def load(self, pile: BoatPile) -> int:
        """Return boats that a unit takes along as a number."""
        return sum((1 + self.names.index(builder)) * (len(self.names) + 1) ** n for n, builder in enumerate(pile))

    def pile(self, load: int) -> BoatPile:
        """Return the boats of a load."""
        builders = []
        while load:
            load, digit = divmod(load, len(self.names) + 1)
            builders.append(self.names[digit - 1])
        return tuple(sorted(builders))

    def builders(self, pile: BoatPile, power: str, taken: BoatPile) -> BoatPile:
        """Return the builders that an order must name to mean these boats of a pile: none if it means them anyhow."""
        if taken == tuple(sorted(pick(pile, power, len(taken)) or ())):
            return ()
        return taken[:1] if len(set(taken)) == 1 else taken

    def in_order(self, pile: BoatPile, power: str, loads: Iterable[int]) -> list[tuple[int, BoatPile]]:
        """Return the boats that an order can take from a pile, by number and builders, unnamed choices first."""
        if len(self.names) == 1:  # without names there is but one choice of each number
            return [(n, ()) for n, _ in enumerate(loads, 1)]
        taken = [self.pile(load) for load in loads]
        choices = sorted((len(boats), self.builders(pile, power, boats) != (), boats) for boats in taken)
        return [(number, self.builders(pile, power, boats)) for number, _, boats in choices]

    def orders(
        self, unit: Unit, verb: int, goal: Location | None, load: int, rider: int, kept: Sequence[int]
    ) -> list[Order]:
        """Return a unit's orders about boats, as `Order`s."""
        placement, power, here = self.placement(kept), unit.power, unit.at.province
        pile = (power,) if placement.raw.get(here) == power else placement.at(here)
        orders = []
        if verb == GO:
            taken = self.pile(load)
            builders = self.builders(pile, power, taken)
            orders.append(Order(Verb.MOVE, unit.kind, unit.at, goal, carried=len(taken), builders=builders))
        elif verb == MAKE:
            orders.append(Order(BoatVerb.MAKE, unit.kind, unit.at, carried=1))
        if rider:
            builders = self.builders(placement.at(here), power, self.pile(rider))
            orders.append(Order(BoatVerb.DESTROY, unit.kind, unit.at, carried=1, builders=builders))
        return orders


def boat_index(rules: Rules) -> BoatIndex:
    """Return the boats of these rules, which are remembered."""
    return rules.derive(BoatIndex)


def standing_of(field: IndexedPosition) -> Standing:
    """Return the columns of a field's position, made once."""
    return field.derive(_standing)


def _standing(field: IndexedPosition) -> Standing:
    return boat_index(field.rules).standing(field.position)
