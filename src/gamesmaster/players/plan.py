"""A plan for a movement phase: an order for each unit, and what they are worth together.

The worth of a plan is what its units may expect: what the places they make for are worth, times how likely they come
there.  A change is weighed by working out again only what may come out differently.

A movement phase: one order for each unit, chosen so that they are worth most together.

A plan begins with every unit holding.  Then each unit in turn is given what makes the whole plan better: a move, a
support for what another was given, or, together with others, a supported attack or a voyage.  When no unit can be given
anything better, the plan stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from random import Random as Chance

from gamesmaster.mechanics import PairVerb
from gamesmaster.orders import Order
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
        self.options, self.survey, self.calm = options, survey, survey.outlook.calm
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
        calm: float = self.calm[self.at[number]]
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


MOST_ROUNDS = 4
"""How often every unit is thought about again."""
GAIN = 1e-6
"""What a change must add to be made."""


class Planner:
    """The search for the best plan."""

    def __init__(self, options: Options, survey: Survey) -> None:
        self.options, self.plan = options, Plan(options, survey)
        self._attempts = [list(self._by_oneself(number)) for number in range(len(options.units))]

    @property
    def orders(self) -> list[Order]:
        """The orders of the plan."""
        chosen = self.plan.chosen
        return [*(option.order for option in chosen if option.order), *self.options.riders(chosen)]

    def settle(self, chance: Chance) -> None:
        """Make the plan the best that can be found; `chance` says which unit is thought about first."""
        turns = list(range(len(self.options.units)))
        content = set[int]()  # the units that nothing better was found for since the plan last changed
        for _ in range(MOST_ROUNDS):
            chance.shuffle(turns)
            for number in turns:
                if number in content:
                    continue
                if better := self._better(number):
                    self.plan.put(better)
                    content.clear()
                else:
                    content.add(number)
            if len(content) == len(turns):
                break
        self._tidy()

    def _better(self, number: int) -> Scheme | None:
        """What a unit, and others with it, could do to make the plan best; None if that is what they do."""
        most, chosen = 0.0, None
        for scheme in self.schemes(number):
            if self.plan.hope(scheme) > most and (gain := self.plan.gain(scheme)) > most + GAIN:
                most, chosen = gain, scheme
        return chosen

    def schemes(self, number: int) -> Iterator[Scheme]:
        """What a unit could do: nothing, help what others do now, or something of its own."""
        chosen = self.plan.chosen
        yield ((number, self.options.holds[number]),)
        for (helped, goal), option in self.options.supports[number].items():
            if chosen[helped].goal == goal:
                yield ((number, option),)
        yield from self._attempts[number]

    def _by_oneself(self, number: int) -> Iterator[Scheme]:
        """What a unit could do by itself, or with others doing something for it."""
        supporters = self.options.supports
        for scheme in self.options.schemes[number]:
            yield scheme
            option = scheme[0][1]
            if option.moves and not (option.alone or option.chain) and self.plan.enters(option.into, 1) < 1:
                taken, key = {unit for unit, _ in scheme}, (number, option.goal)
                for other, supports in enumerate(supporters):
                    if other not in taken and key in supports:
                        yield (*scheme, (other, supports[key]))

    def _tidy(self) -> None:
        """Let units hold whose moves came to stand in each other's way, and those whose help matches nothing."""
        plan, vain = self.plan, True
        while vain:
            chosen = list(enumerate(plan.chosen))
            moves = [n for n, option in chosen if option.moves and not plan.comes(n)]
            helps = [n for n, o in chosen if o.helps is not None and plan.chosen[o.helps[0]].goal != o.helps[1]]
            idle = [n for n, _ in chosen if self._waits(n) and not plan.claims.get(n)]
            vain = bool(moves or helps or idle)
            for number in moves or helps or idle:
                plan.put(((number, self.options.holds[number]),))

    def _waits(self, number: int) -> bool:
        """Is a unit there only for another that needs it?"""
        order, held = self.plan.chosen[number].order, self.options.holds[number].order
        return (order is None and held is not None) or (order is not None and order.verb is PairVerb.TAKE)
