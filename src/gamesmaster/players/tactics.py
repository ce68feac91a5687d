"""A movement phase: one order for each unit, chosen so that they are worth most together.

A plan begins with every unit holding.  Then each unit in turn is given what makes the whole plan better: a move, a
support for what another was given, or, together with others, a supported attack or a voyage.  When no unit can be given
anything better, the plan stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random as Chance

from gamesmaster.orders import Order, Verb
from gamesmaster.players.options import Options, Scheme
from gamesmaster.players.plan import Plan
from gamesmaster.players.survey import Survey

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
        return (order is None and held is not None) or (order is not None and order.verb is Verb.TAKE)
