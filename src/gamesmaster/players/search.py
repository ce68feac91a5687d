"""A player that tries orders out before it gives them.

It guesses several times what the others will do (`foresight`), and looks for the orders that do best against all the
guesses together: what they come to is found out by judging them (`trials`), and what that is worth seen at a glance
(`standing`).  It begins with what the heuristic player would order, and changes a unit's order, or those of several
that belong together, as long as that makes it better.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random as Chance
from time import monotonic

from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players.foresight import Foresight
from gamesmaster.players.heuristic import Heuristic
from gamesmaster.players.player import Bot
from gamesmaster.players.simple import taken_by
from gamesmaster.players.standing import Scales, Standing
from gamesmaster.players.tactics import Planner
from gamesmaster.players.trials import Trials
from gamesmaster.players.view import View

FIRST = 8
"""Sets of orders of the heuristic player's that a search begins with."""
MOST_ROUNDS = 3
"""How often every unit is thought about again."""


class Searcher(Bot):
    """Plays what does best against guesses at what the others do.

    `samples` are the guesses, `tries` the changes that are tried for each unit in a round.  With `seconds` no new try
    is begun after so long: then the same game need not come out twice the same, as it does without.
    """

    name = "searcher"

    def __init__(
        self, samples: int = 8, tries: int = 8, seconds: float | None = None, scales: Scales | None = None
    ) -> None:
        self.samples, self.tries, self.seconds, self.scales = samples, tries, seconds, scales or Scales()
        self.heuristic = Heuristic()

    def orders(self, view: View) -> list[Order]:
        """Orders for all that is asked."""
        return _Search(self, view).best()


class _Search:
    """The search for orders in one phase."""

    def __init__(self, player: Searcher, view: View) -> None:
        self.player, self.view, self.mind = player, view, player.heuristic.mind(view)
        self.until = None if player.seconds is None else monotonic() + player.seconds
        foresight = Foresight(view, player.heuristic)
        guesses = [foresight.sheets(number) for number in range(player.samples)]
        self.trials = Trials(view, guesses, Standing(view, player.scales))

    def best(self) -> list[Order]:
        chances = [self.view.chance(f"search {number}") for number in range(FIRST)]
        if self.view.phase.kind is PhaseKind.MOVEMENT:
            return self._movement(chances)
        first = [self.mind.orders(chance) for chance in chances]
        best = max(first, key=self.trials.worth)
        return self._retreats(best) if self.view.phase.kind is PhaseKind.RETREATS else best

    @property
    def late(self) -> bool:
        """Is the time over?"""
        return self.until is not None and monotonic() > self.until

    # -- movements ---------------------------------------------------------------------------------------------------

    def _movement(self, chances: Sequence[Chance]) -> list[Order]:
        planners = [self.mind.planner(chance) for chance in chances]
        for planner, chance in zip(planners, chances, strict=True):
            planner.settle(chance)
        best = max(planners, key=lambda planner: self.trials.worth(planner.orders))
        self._climb(best, chances[0])
        own = self.mind.own()
        return [*best.orders, *own]

    def _climb(self, planner: Planner, chance: Chance) -> None:
        """Change the plan, unit by unit, as long as something does better."""
        turns = list(range(len(planner.plan.chosen)))
        content = set[int]()
        for _ in range(MOST_ROUNDS):
            chance.shuffle(turns)
            for number in turns:
                if number in content or self.late:
                    continue
                if self._bettered(planner, number):
                    content.clear()
                content.add(number)
            if len(content) == len(turns):
                return

    def _bettered(self, planner: Planner, number: int) -> bool:
        """Give a unit, and others with it, what does best of the most promising changes; did any do better?"""
        plan, trials = planner.plan, self.trials
        schemes = sorted(planner.schemes(number), key=lambda scheme: -plan.gain(scheme))
        best, chosen = trials.worth(planner.orders), None
        for scheme in schemes[: self.player.tries]:
            before = tuple((unit, plan.chosen[unit]) for unit, _ in scheme)
            plan.put(scheme)
            worth = trials.worth(planner.orders)
            plan.put(before)
            if worth > best:
                best, chosen = worth, scheme
        if chosen:
            plan.put(chosen)
        return chosen is not None

    # -- retreats ----------------------------------------------------------------------------------------------------

    def _retreats(self, first: list[Order]) -> list[Order]:
        """Change where units retreat to, one after the other."""
        best = first
        for unit, choices in self.view.choices.items():
            for order in choices:
                others = [o for o in best if o.at != unit.at or o.verb not in (Verb.RETREAT, Verb.DISBAND)]
                if order.to and order.to.province in taken_by(self.view, others):
                    continue
                if self.trials.worth([*others, order]) > self.trials.worth(best):
                    best = [*others, order]
        return best
