"""A movement phase: one order for each unit, chosen so that they are worth most together.

The worth of a plan is what its units may expect: what the places they make for are worth, times how likely they come
there.  A plan begins with every unit holding.  Then each unit in turn is given what makes the whole plan better: a
move, a support for what another was given, or, together with others, a supported attack or a voyage.  When no unit
can be given anything better, the plan stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random as Chance

from gamesmaster.orders import Order
from gamesmaster.players.options import Key, Option, Options
from gamesmaster.players.survey import Survey

MOST_ROUNDS = 4
"""How often every unit is thought about again."""
GAIN = 1e-6
"""What a change must add to be made."""

Scheme = tuple[tuple[int, Option], ...]
"""Options that are taken together, each with its unit's number."""


class Planner:
    """The search for the best plan: `plan[number]` is what a unit is to do."""

    def __init__(self, options: Options, survey: Survey) -> None:
        self.options, self.survey = options, survey
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
        return [option.order for option in self.plan]

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
        for option in options.moves[number]:
            yield ((number, option),)
            if self._enters(option.into, 1) < 1:
                for other, supports in enumerate(options.supports):
                    if (number, option.goal) in supports:
                        yield (number, option), (other, supports[number, option.goal])
        for option in options.voyages[number]:
            yield (number, option), *((f, options.convoys[f][number, option.goal]) for f in option.chain)

    def _tidy(self) -> None:
        """Let units hold whose moves came to stand in each other's way, and those whose help matches nothing."""
        plan, vain = self.plan, True
        while vain:
            helped, bound = self._counts()
            moves = [n for n, option in enumerate(plan) if option.moves and not self._comes(n, helped, bound)]
            helps = [n for n, o in enumerate(plan) if o.helps is not None and plan[o.helps[0]].goal != o.helps[1]]
            vain = bool(moves or helps)
            for number in moves or helps:
                plan[number] = self.options.holds[number]

    # -- what a plan is worth ----------------------------------------------------------------------------------------

    def outlook(self) -> float:
        """What the units may expect of the plan as it is."""
        helped, bound = self._counts()
        at, here = self.options.at, self.options.here
        total = 0.0
        for number, option in enumerate(self.plan):
            if option.moves:
                comes = self._comes(number, helped, bound)
                total += comes * option.value + (1 - comes) * self._keeps(at[number], 1) * here[number]
            else:
                total += self._keeps(at[number], 1 + helped.get((number, None), 0)) * here[number]
        return total

    def _counts(self) -> tuple[dict[Key, int], dict[int, int]]:
        """How many supports there are for each unit and goal, and how many units go to each province."""
        helped: dict[Key, int] = {}
        bound: dict[int, int] = {}
        for option in self.plan:
            if option.supports and option.helps is not None:
                helped[option.helps] = helped.get(option.helps, 0) + 1
            elif option.moves:
                bound[option.into] = bound.get(option.into, 0) + 1
        return helped, bound

    def _comes(self, number: int, helped: dict[Key, int], bound: dict[int, int], first: int = -1) -> float:
        """How likely a move comes true; `first` is the unit whose own move waits for this one, -1 for none."""
        option, at = self.plan[number], self.options.at
        if bound[option.into] > 1:
            return 0.0
        likely = self._enters(option.into, 1 + helped.get((number, option.goal), 0))
        standing = self.options.own.get(option.into)
        if standing is not None and standing != first:  # units that follow each other in a ring all come
            other = self.plan[standing]
            swaps = other.into == at[number] and not (option.chain or other.chain)
            if not other.moves or swaps:
                return 0.0
            likely *= self._comes(standing, helped, bound, number if first < 0 else first)
        for fleet in option.chain:
            carrier = self.plan[fleet]
            if carrier.supports or carrier.helps != (number, option.goal):
                return 0.0
            likely *= self._keeps(at[fleet], 1)
        return likely

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
