"""A plan for a movement phase: an order for each unit, and what they are worth together.

The worth of a plan is what its units may expect: what the places they make for are worth, times how likely they come
there.  A change is weighed by working out again only what may come out differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from gamesmaster.players.options import STAYS, Option, Options, Scheme
from gamesmaster.players.survey import Survey

Change = tuple[int, Option, Option]
"""A unit, what it was to do, and what it is to do now."""


class Plan:
    """What each unit is to do (`chosen`, by its number), at first hold; and what each may expect of that.

    `helped` counts the supports for each unit and goal, `bound` are the units that go to each province but boxes,
    `claims` those that need each unit as their partner, `voyagers` those that need fleets.
    """

    def __init__(self, options: Options, survey: Survey) -> None:
        self.options, self.survey, self.calm = options, survey, survey.calm
        self.at, self.own, self.boxes = options.at, options.own, options.board.boxes
        self.helped: dict[tuple[int, int], int] = {}
        self.bound: dict[int, list[int]] = {}
        self.claims: dict[int, list[int]] = {}
        self.voyagers: list[int] = []
        self._entering: dict[tuple[int, int], float] = {}
        self._keeping: dict[tuple[int, int], float] = {}
        self.chosen = list(options.holds)
        self._stays = [self._keeps(place, 1) for place in self.at]
        self._expected = [self._expects(number) for number in range(len(self.chosen))]

    def put(self, scheme: Scheme) -> None:
        """Let units do something else."""
        changes = self._changed(scheme)
        for number in self._touched(changes):
            self._expected[number] = self._expects(number)

    def gain(self, scheme: Scheme) -> float:
        """By how much the plan would be better if units did something else."""
        changes, gained = self._changed(scheme), 0.0
        for number in self._touched(changes):
            gained += self._expects(number) - self._expected[number]
        for number, before, after in reversed(changes):
            self._replace(number, after, before)
        return gained

    def hope(self, scheme: Scheme) -> float:
        """What could be gained at the very most if units did something else: found without trying.

        Without bounds where it could do others good, too, that somebody makes way.
        """
        gain, units = 0.0, {number for number, _ in scheme}
        for number, option in scheme:
            before = self.chosen[number]
            crowded = before.moves and len(self.bound.get(before.into, ())) > 1
            if crowded or before.partner or self.bound.get(self.at[number]) or self.claims.get(number):
                return inf
            gain += max(option.value, option.otherwise, 0.0) - self._expected[number]
            if option.helps is not None and option.helps[0] not in units:
                helped = self.chosen[option.helps[0]]
                gain += max(helped.value, helped.otherwise, 0.0) - self._expected[option.helps[0]]
        return gain

    # -- changes -----------------------------------------------------------------------------------------------------

    def _changed(self, scheme: Scheme) -> list[Change]:
        changes = []
        for number, option in scheme:
            before = self.chosen[number]
            self._replace(number, before, option)
            changes.append((number, before, option))
        return changes

    def _replace(self, number: int, before: Option, after: Option) -> None:
        """Write down another option for a unit."""
        for option, by in ((before, -1), (after, 1)):
            if option.moves:
                if option.into >= 0 and option.into not in self.boxes:
                    _enter(self.bound.setdefault(option.into, []), number, by)
            elif option.supports and option.helps is not None:
                self.helped[option.helps] = self.helped.get(option.helps, 0) + by
            if option.partner:
                _enter(self.claims.setdefault(option.partner[0], []), number, by)
            if option.chain:
                _enter(self.voyagers, number, by)
        self.chosen[number] = after

    def _touched(self, changes: Iterable[Change]) -> set[int]:
        """The units that may expect something else after these changes.

        Those changed; those they help, stand off, or claim together with others, before or now; and whoever waits for
        any of these.
        """
        near: list[int] = []
        for number, before, after in changes:
            near.append(number)
            for option in (before, after):
                if option.moves:
                    near += self.bound.get(option.into, ())
                elif option.helps is not None:
                    near.append(option.helps[0])
                if option.partner:
                    near += self.claims.get(option.partner[0], ())
        found: set[int] = set()
        while near:
            number = near.pop()
            if number not in found:
                found.add(number)
                if self.claims or self.voyagers or self.bound.get(self.at[number]):
                    near += self._waiting(number)
        return found

    def _waiting(self, number: int) -> list[int]:
        """The units whose orders hang on this one's: they follow it, need it as a partner, or sail with it."""
        place = self.at[number]
        behind = self.bound.get(place, ()) if self.own.get(place) == number else ()
        sailing = (other for other in self.voyagers if number in self.chosen[other].chain)
        return [*behind, *self.claims.get(number, ()), *sailing]

    # -- what comes of it --------------------------------------------------------------------------------------------

    def _expects(self, number: int) -> float:
        """What a unit may expect of the plan as it is."""
        option = self.chosen[number]
        if option.moves:
            comes = self.comes(number)
            return comes * option.value + (1 - comes) * self._stays[number] * option.otherwise
        if not option.works:
            return self._keeps(self.at[number], 1 + self.helped.get((number, STAYS), 0)) * option.value
        calm = self.calm.get(self.at[number], 1.0)
        likely = calm * option.value + (1 - calm) * option.otherwise
        return self._keeps(self.at[number], 1 + self.helped.get((number, STAYS), 0)) * likely

    def comes(self, number: int, first: int = -1) -> float:
        """How likely a move comes true; `first` is the unit whose own move waits for this one, -1 for none."""
        option = self.chosen[number]
        if len(self.bound.get(option.into, ())) > 1:
            return 0.0
        likely = self.enters(option.into, 1 + self.helped.get((number, option.goal), 0))
        standing = self.own.get(option.into)
        if standing is not None and standing != first:  # units that follow each other in a ring all come
            other = self.chosen[standing]
            swaps = other.into == self.at[number] and not (option.chain or other.chain)
            if not other.leaves or swaps:
                return 0.0
            likely *= self.comes(standing, number if first < 0 else first)
        for fleet in option.chain:
            carrier = self.chosen[fleet]
            if carrier.supports or carrier.helps != (number, option.goal):
                return 0.0
            likely *= self._stays[fleet]
        if option.moves and not option.leaves:
            likely *= self._stays[number]  # who is beaten puts nobody ashore
        return likely * self._accompanied(number) if option.partner else likely

    def _accompanied(self, number: int) -> float:
        """How likely the partner of a unit does its part."""
        partner = self.chosen[number].partner
        assert partner is not None
        other, orders = partner
        if len(self.claims[other]) > 1 or self.chosen[other].order not in orders:
            return 0.0
        sails = self.chosen[other].moves and self.options.units[number].aboard
        return self.comes(other) if sails else 1.0

    def enters(self, place: int, strength: int) -> float:
        """How likely a move into a province comes true with so many units behind it, remembered."""
        found = self._entering.get((place, strength))
        if found is None:
            found = self._entering[place, strength] = self.survey.enters(place, strength)
        return found

    def _keeps(self, place: int, strength: int) -> float:
        found = self._keeping.get((place, strength))
        if found is None:
            found = self._keeping[place, strength] = self.survey.keeps(place, strength)
        return found


def _enter(numbers: list[int], number: int, by: int) -> None:
    """Write a number into a list, or strike it out."""
    if by > 0:
        numbers.append(number)
    else:
        numbers.remove(number)
