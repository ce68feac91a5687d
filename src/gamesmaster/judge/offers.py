"""What each unit could be ordered with the units now on the board, by number: moves, supports, convoys (STD-4.d).

Crossings are searched for, never enumerated: some of what is listed here may still not be lawful, and `may_help` and
`may_carry` say whether it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

from gamesmaster.board import Unit
from gamesmaster.judge.draft import NOWHERE
from gamesmaster.judge.field import Field
from gamesmaster.orders import Order

Helped: TypeAlias = tuple[int, int]
"""A unit that may be helped: its row, and the location it would go to, `NOWHERE` in place."""


class Offers:
    """The offers to the units of a field, by row; what units share is worked out once."""

    def __init__(self, field: Field, units: Sequence[Unit]) -> None:
        self.field, self.units, self.rules = field, units, field.rules

    # -- moves -------------------------------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> list[Sequence[tuple[int, int, Order]]]:
        """Row -> what is a step away and not closed to its unit: the province, the location, the order to go there."""
        board, stances, strides = self.rules.board, self.field.stances, self.field.clerk.strides
        found: list[Sequence[tuple[int, int, Order]]] = [strides[stance] for stance in stances]
        if board.restricted:
            for row, unit in enumerate(self.units, 1):
                start, kind, power = stances[row].location, unit.kind, unit.power
                found[row] = [step for step in found[row] if not board.barred(power, kind, start, step[1])]
        return found

    @cached_property
    def landings(self) -> list[Sequence[int]]:
        """Row -> provinces that its unit could be convoyed to, in order."""
        field, ports = self.field, self.field.clerk.ports
        found: list[Sequence[int]] = [()] * len(field.units)
        shores = [touched & ports for _, touched in field.crossings]
        for row, stance in enumerate(field.stances):
            if not stance.afloat and row not in field.carrier:
                near = [shore for shore in shores if stance.place in shore]
                found[row] = sorted(frozenset().union(*near) - {stance.place}) if near else ()
        return found

    # -- supports ----------------------------------------------------------------------------------------------------

    def helped(self, row: int) -> list[Helped]:
        """All that this row's unit may support: in place, and every move that another unit could make (STD-7.a)."""
        doubtful = self._entangled or self.field.carries(row)
        found: list[Helped] = []
        for place in self.helpful(row):
            if doubtful:
                found += [pair for pair in self.helpable[place] if self.may_help(row, place, pair)]
            else:
                found += [pair for pair in self.helpable[place] if pair[0] != row]
        return found

    def helpful(self, row: int) -> Iterable[int]:
        """The places into which the unit of this row may support: where somebody fights, and it may go."""
        board, start, helps = self.rules.board, self.field.location[row], self.field.stances[row].helps
        if not (board.restricted or board.boxes):
            return helps
        unit = self.units[row - 1]
        return [
            place
            for place, ends in helps.items()
            if place not in board.boxes and not all(board.barred(unit.power, unit.kind, start, end) for end in ends)
        ]

    @cached_property
    def helpable(self) -> list[list[Helped]]:
        """Province -> the units in it, then all that could move there by a step or else by sea; not who is aboard."""
        field, bare = self.field, self.field.clerk.bare
        found: list[list[Helped]] = [[] for _ in self.rules.board.provinces]
        for row in range(1, len(field.units)):
            if row not in field.carrier:
                found[field.at[row]].append((row, NOWHERE))
        for row in range(1, len(field.units)):
            for place, end, _ in self.steps[row]:
                found[place].append((row, end))
            for place in self.landings[row]:
                if not self._walks(row, place):
                    found[place].append((row, bare[place]))
        return found

    def _walks(self, row: int, place: int) -> bool:
        """Could the unit of this row get there by a step?"""
        if not self.rules.board.restricted:
            return place in self.field.stances[row].reach
        return any(step[0] == place for step in self.steps[row])

    @cached_property
    def _entangled(self) -> bool:
        """Do units lie together, so that it must be asked who is meant?"""
        return bool(self.field.crowded or self.field.carrier)

    def may_help(self, row: int, place: int, pair: Helped) -> bool:
        """May this row's unit support what is helpable in a place: not itself, nor what it must carry itself?"""
        field, (other, end) = self.field, pair
        if other == row:
            return False
        if end == NOWHERE:
            return True
        if self._entangled:
            boxed = field.at[row] in field.board.boxes  # there one can help another out that lies beside it (CNW-5.b)
            if (field.at[other] == field.at[row] and not boxed) or (field.crowded and not self._meant(row, other)):
                return False
        return self._walks(other, place) or not self._carries_it(row, other, place)

    def _carries_it(self, row: int, other: int, place: int) -> bool:
        """Is the unit of `row` itself needed in any convoy that could bring `other` there (STD-4.j)?"""
        field = self.field
        return field.carries(row) and not field.passage_without(field.at[other], place, field.at[row])

    def _meant(self, row: int, other: int) -> bool:
        """Would an order of `row` that names the place and kind of `other` be understood to mean it?"""
        field = self.field
        place = field.at[other]
        named = field.owner[other] if place in field.board.boxes else field.owner[row]
        alone = place not in field.crowded or other in field.carrier
        return alone or field.row(place, named, field.kind(other)) == other

    # -- convoys -----------------------------------------------------------------------------------------------------

    def loads(self, row: int) -> list[Helped]:
        """Every army and every shore that the fleets joined to this row's touch; `may_carry` says what it may."""
        if not self.field.carries(row):
            return []
        return next(loads for group, loads in self._joined if self.field.at[row] in group)

    def carried(self, row: int) -> list[Helped]:
        """All that this row's fleet may carry."""
        return [pair for pair in self.loads(row) if self.may_carry(row, pair)]

    @cached_property
    def _joined(self) -> list[tuple[frozenset[int], list[Helped]]]:
        """Each group of waters joined by fleets, with the armies on its shores and all they might be taken to."""
        field, clerk = self.field, self.field.clerk
        found = []
        for group, touched in field.crossings:
            shores = sorted(touched & clerk.ports)
            armies = [o for p in shores for o in self._standing.get(p, ()) if not field.stances[o].afloat]
            found.append((group, [(other, clerk.bare[goal]) for other in armies for goal in shores]))
        return found

    @cached_property
    def _standing(self) -> dict[int, list[int]]:
        """Province -> the rows of the units in it; those aboard stand nowhere."""
        found: dict[int, list[int]] = {}
        for row in range(1, len(self.field.units)):
            if row not in self.field.carrier:
                found.setdefault(self.field.at[row], []).append(row)
        return found

    def may_carry(self, row: int, pair: Helped) -> bool:
        """Does some route from shore to shore need the fleet of this row (STD-4.i)?"""
        field, (other, end) = self.field, pair
        start, goal = field.at[other], field.board.place[end]
        return start != goal and field.needed(field.at[row], start, goal) is None
