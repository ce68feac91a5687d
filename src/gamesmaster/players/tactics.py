"""A movement phase: one order for each unit, chosen so that they are worth most together.

The worth of a plan is what its units may expect: what the places they make for are worth, times how likely they come
there.  A plan begins with every unit holding.  Then each unit in turn is given what makes the whole plan better: a
move, a support for what another was given, or, together with others, a supported attack or a voyage.  When no unit
can be given anything better, the plan stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random as Chance
from typing import NamedTuple

from gamesmaster.orders import Order, Verb
from gamesmaster.players.options import Key, Options, Scheme
from gamesmaster.players.survey import Survey

MOST_ROUNDS = 4
"""How often every unit is thought about again."""
GAIN = 1e-6
"""What a change must add to be made."""


class Counts(NamedTuple):
    """What a plan asks for, counted.

    `helped` are the supports for each unit and goal, `bound` the units that go to each province but boxes, `claims`
    those that need each unit as their partner.
    """

    helped: dict[Key, int]
    bound: dict[int, int]
    claims: dict[int, int]


class Planner:
    """The search for the best plan: `plan[number]` is what a unit is to do."""

    def __init__(self, options: Options, survey: Survey) -> None:
        self.options, self.survey, self.calm = options, survey, survey.calm
        self.plan = list(options.holds)
        self._entering: dict[tuple[int, int], float] = {}
        self._keeping: dict[tuple[int, int], float] = {}

    def best(self, chance: Chance) -> list[Order]:
        """The orders of the best plan found; `chance` says which unit is thought about first."""
        worth = self.outlook()
        turns = list(range(len(self.plan)))
        for _ in range(MOST_ROUNDS):
            before = worth
            chance.shuffle(turns)
            for number in turns:
                worth = self._improve(number, worth)
            if worth <= before:
                break
        self._tidy()
        return [*(option.order for option in self.plan if option.order), *self.options.riders(self.plan)]

    def _improve(self, number: int, worth: float) -> float:
        """Give a unit, and others with it, what makes the plan best; return what the plan then is worth."""
        plan, chosen = self.plan, None
        for scheme in self._schemes(number):
            before = [plan[unit] for unit, _ in scheme]
            for unit, option in scheme:
                plan[unit] = option
            outlook = self.outlook()
            for (unit, _), option in zip(scheme, before, strict=True):
                plan[unit] = option
            if outlook > worth + GAIN:
                worth, chosen = outlook, scheme
        for unit, option in chosen or ():
            plan[unit] = option
        return worth

    def _schemes(self, number: int) -> Iterator[Scheme]:
        """What a unit could do: by itself, for what others do now, or with others doing something for it."""
        options = self.options
        yield ((number, options.holds[number]),)
        for key, option in options.supports[number].items():
            if self.plan[key[0]].goal == key[1]:
                yield ((number, option),)
        for scheme in options.schemes[number]:
            yield scheme
            option = scheme[0][1]
            if option.moves and not (option.alone or option.chain) and self._enters(option.into, 1) < 1:
                taken = {unit for unit, _ in scheme}
                for other, supports in enumerate(options.supports):
                    if other not in taken and (number, option.goal) in supports:
                        yield (*scheme, (other, supports[number, option.goal]))

    def _tidy(self) -> None:
        """Let units hold whose moves came to stand in each other's way, and those whose help matches nothing."""
        plan, vain = self.plan, True
        while vain:
            counts = self._counts()
            moves = [n for n, option in enumerate(plan) if option.moves and not self._comes(n, counts)]
            helps = [n for n, o in enumerate(plan) if o.helps is not None and plan[o.helps[0]].goal != o.helps[1]]
            idle = [n for n, o in enumerate(plan) if self._waits(n) and n not in counts.claims]
            vain = bool(moves or helps or idle)
            for number in moves or helps or idle:
                plan[number] = self.options.holds[number]

    def _waits(self, number: int) -> bool:
        """Is a unit there only for another that needs it?"""
        order, held = self.plan[number].order, self.options.holds[number].order
        return (order is None and held is not None) or (order is not None and order.verb is Verb.TAKE)

    # -- what a plan is worth ----------------------------------------------------------------------------------------

    def outlook(self) -> float:
        """What the units may expect of the plan as it is."""
        counts = self._counts()
        at = self.options.at
        total = 0.0
        for number, option in enumerate(self.plan):
            if option.moves:
                comes = self._comes(number, counts)
                total += comes * option.value + (1 - comes) * self._keeps(at[number], 1) * option.otherwise
            else:
                calm = self.calm.get(at[number], 1.0) if option.works else 1.0
                likely = calm * option.value + (1 - calm) * option.otherwise
                total += self._keeps(at[number], 1 + counts.helped.get((number, None), 0)) * likely
        return total

    def _counts(self) -> Counts:
        counts = Counts({}, {}, {})
        boxes = self.options.board.boxes
        for option in self.plan:
            if option.supports and option.helps is not None:
                counts.helped[option.helps] = counts.helped.get(option.helps, 0) + 1
            elif option.moves and option.into not in boxes and option.into >= 0:
                counts.bound[option.into] = counts.bound.get(option.into, 0) + 1
            if option.partner:
                counts.claims[option.partner[0]] = counts.claims.get(option.partner[0], 0) + 1
        return counts

    def _comes(self, number: int, counts: Counts, first: int = -1) -> float:
        """How likely a move comes true; `first` is the unit whose own move waits for this one, -1 for none."""
        option, at = self.plan[number], self.options.at
        if counts.bound.get(option.into, 0) > 1:
            return 0.0
        likely = self._enters(option.into, 1 + counts.helped.get((number, option.goal), 0))
        standing = self.options.own.get(option.into)
        if standing is not None and standing != first:  # units that follow each other in a ring all come
            other = self.plan[standing]
            swaps = other.into == at[number] and not (option.chain or other.chain)
            if not other.leaves or swaps:
                return 0.0
            likely *= self._comes(standing, counts, number if first < 0 else first)
        for fleet in option.chain:
            carrier = self.plan[fleet]
            if carrier.supports or carrier.helps != (number, option.goal):
                return 0.0
            likely *= self._keeps(at[fleet], 1)
        if option.moves and not option.leaves:
            likely *= self._keeps(at[number], 1)  # who is beaten puts nobody ashore
        return likely * self._accompanied(number, counts)

    def _accompanied(self, number: int, counts: Counts) -> float:
        """How likely the partner of a unit does its part; 1 if it needs none."""
        option = self.plan[number]
        if option.partner is None:
            return 1.0
        other, orders = option.partner
        if counts.claims[other] > 1 or self.plan[other].order not in orders:
            return 0.0
        sails = self.plan[other].moves and self.options.units[number].aboard
        return self._comes(other, counts) if sails else 1.0

    def _enters(self, place: int, strength: int) -> float:
        found = self._entering.get((place, strength))
        if found is None:
            found = self._entering[place, strength] = self.survey.enters(place, strength)
        return found

    def _keeps(self, place: int, strength: int) -> float:
        found = self._keeping.get((place, strength))
        if found is None:
            found = self._keeping[place, strength] = self.survey.keeps(place, strength)
        return found
