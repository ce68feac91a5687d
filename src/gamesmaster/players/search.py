"""A player that tries orders out before it gives them.

It guesses several times what the others will do, and looks for the orders that do best against all the guesses
together: what they come to is found out by judging them, and what that is worth seen at a glance. It begins with what
the heuristic player would order, and changes a unit's order, or those of several that belong together, as long as
that makes it better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from random import Random as Chance
from time import monotonic

from gamesmaster.board import Location, Position
from gamesmaster.engine.heuristic.chart import targets
from gamesmaster.engine.heuristic.survey import worth_at
from gamesmaster.engine.heuristic.tables import Tastes
from gamesmaster.judge import adjudicate
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players.assessment import GOAL, Valuation
from gamesmaster.players.heuristic import Heuristic
from gamesmaster.players.planner import Planner
from gamesmaster.players.player import Bot, View
from gamesmaster.players.simple import taken_places
from gamesmaster.players.survival import last_before_count
from gamesmaster.rules import goals_of

TASTES = Tastes(keeping=0.8, now=(0.3, 0.4, 0.25, 0.15, 0.1, 0.06, 0.04, 0.02))
"""Places for what comes after: centres that are taken are counted by themselves."""


@dataclass(frozen=True, slots=True)
class Scales:
    """The weights of a position; the value of a unit's place is that of the `tastes`.

    `centre` is an own supply centre; `held` the part of it that a unit in another's centre counts while owners are not
    yet counted, and that is lost with another's unit in an own one.  `open` is the part of an own centre that is lost
    where a neighbour could walk in, `shaky` the part lost where more neighbours could come than can be resisted.
    `beaten` is the value of a dislodged unit that can retreat, and `rival` the part of others' centres that is
    subtracted.
    """

    tastes: Tastes = TASTES
    centre: float = 3.0
    held: float = 0.4
    open: float = 0.4
    shaky: float = 0.3
    beaten: float = 0.3
    rival: float = 0.1


class Standing:
    """The eye of one power in one phase: `of` tells what a position that comes out of it is worth."""

    def __init__(self, view: View, scales: Scales) -> None:
        self.view, self.power, self.board, self.scales = view, view.power, view.board, scales
        self.last = last_before_count(view.variant.calendar, view.phase)
        self._valuation = Valuation(view, scales.tastes)
        self._value = self._valuation.assess().value
        self._centres = frozenset(view.board.centres)
        self._active = frozenset(view.rules.powers) - view.disorder
        self._goals = goals_of(view.rules)
        self._places: dict[tuple[str, Location], float] = {}
        self._attacks: dict[tuple[str, Location], tuple[str, ...]] = {}

    def of(self, position: Position) -> float:
        """Return the value of a position."""
        total, holders = 0.0, dict[str, str]()
        near: dict[str, dict[str, int]] = {}
        for unit in position.units:
            if unit.aboard:
                continue
            key = unit.kind, unit.at
            if unit.power == self.power:
                total += self._placed(key)
            if unit.at.province in self._centres:
                holders[unit.at.province] = unit.power
            if unit.power in self._active:
                for centre in self._attacked(key):
                    counts = near.setdefault(centre, {})
                    counts[unit.power] = counts.get(unit.power, 0) + 1
        total += self.scales.beaten * sum(d.unit.power == self.power and bool(d.retreats) for d in position.dislodged)
        total += self._reached(position) if self._goals else 0.0
        return total + sum(self._centre(c, position.owners.get(c, ""), holders.get(c, ""), near) for c in self._centres)

    def _reached(self, position: Position) -> float:
        """Return the value of the own goals that the power owns or stands in, less that of others' goals."""
        there = {(unit.at.province, unit.power) for unit in position.units} | {*position.owners.items()}
        found = 0
        for goal, powers in self._goals.items():
            reached = {power for power in powers if (goal, power) in there}
            found += (self.power in reached) - bool(reached - {self.power})
        return GOAL * self.scales.centre * found

    def _centre(self, centre: str, owner: str, holder: str, near: dict[str, dict[str, int]]) -> float:
        """Return the value of a centre: own, in danger, or another's."""
        scales, me = self.scales, self.power
        after = holder if self.last and holder in self._active else owner
        if after != me:
            if owner == me:
                return 0.0
            partly = scales.held if holder == me else 0.0
            return scales.centre * partly - (scales.rival * scales.centre if after in self._active else 0.0)
        if holder and holder != me:
            return scales.centre * (1 - scales.held)
        around = near.get(centre)
        if not around:
            return scales.centre
        foes = max((n for power, n in around.items() if power != me), default=0)
        own = around.get(me, 0) + (holder == me)
        lost = 0.0 if not foes else scales.shaky if foes > own else 0.0 if holder else scales.open
        return scales.centre * (1 - lost)

    def _placed(self, key: tuple[str, Location]) -> float:
        if key not in self._places:
            self._places[key] = worth_at(self._valuation.tables, self._value, self._valuation.stance(*key))
        return self._places[key]

    def _attacked(self, key: tuple[str, Location]) -> tuple[str, ...]:
        """Return the centres that a unit could attack from where it is."""
        if key not in self._attacks:
            kind, at = key
            ends = targets(self.board, kind, self.board.location_index[at])
            places = {self.board.provinces[self.board.place[end]].id for end in ends}
            self._attacks[key] = tuple(sorted(places & self._centres))
        return self._attacks[key]


Sheets = Mapping[str, Sequence[str]]
"""The texts of orders, by power."""


class Foresight:
    """Guesses at the orders of all powers but one in a phase.

    Of the others nothing is known that everybody does not know, and their chance is that of the one who guesses.
    """

    def __init__(self, view: View, guess: Heuristic) -> None:
        self.view = view
        playing = [power for power in view.rules.powers if power != view.power and power not in view.disorder]
        others = [replace(view, power=power, status=None) for power in playing]
        self._minds = {other.power: guess.mind(other) for other in others if _matters(other)}

    def sheets(self, number: int) -> Sheets:
        """Return one guess of the orders; the same number always gives the same guess."""
        write = self.view.rules.notation.write
        drawn = {p: mind.orders(self.view.chance(f"{p} {number}")) for p, mind in self._minds.items()}
        return {power: tuple(map(write, orders)) for power, orders in drawn.items()}


def _matters(view: View) -> bool:
    """Return whether the power could do anything that matters in this phase."""
    if view.phase.kind is PhaseKind.ADJUSTMENTS:
        return bool(view.account.balance or view.extras)
    return bool(view.units or view.extras)


FEW = 3
"""Guesses that orders are tried against before they are given up for bad."""
BEHIND = 1.0
"""How far behind the best, per guess so far, orders are dropped."""


class Trials:
    """The mean worth of a power's orders over guesses at those of the others; every set of orders is tried once."""

    def __init__(self, view: View, guesses: Sequence[Sheets], standing: Standing) -> None:
        self.view, self.guesses, self.standing = view, guesses, standing
        self._texts: dict[Order, str] = {}
        self._known: dict[tuple[str, ...], float] = {}
        self.best = -inf
        self._marks = [-inf] * len(guesses)

    def worth(self, orders: Iterable[Order]) -> float:
        """Return the average value of orders; minus infinity if they are far from the best so far."""
        texts = tuple(self._text(order) for order in orders)
        if texts not in self._known:
            self._known[texts] = self._tried(texts)
        return self._known[texts]

    def _tried(self, texts: tuple[str, ...]) -> float:
        found: list[float] = []
        total, behind = 0.0, 0.0
        for guess, mark in zip(self.guesses, self._marks, strict=True):
            found.append(self._once(texts, guess))
            total += found[-1]
            behind += mark - found[-1]
            if len(found) >= FEW and behind > BEHIND * len(found):
                return -inf
        mean = total / len(found)
        if mean > self.best:
            self.best, self._marks = mean, found
        return mean

    def _once(self, texts: Sequence[str], guess: Sheets) -> float:
        view = self.view
        sheets = {**guess, view.power: texts}
        judged = adjudicate(view.rules, view.phase.kind, view.position, sheets, disorder=view.disorder)
        return self.standing.of(judged.position)

    def _text(self, order: Order) -> str:
        if order not in self._texts:
            self._texts[order] = self.view.rules.notation.write(order)
        return self._texts[order]


FIRST = 8
"""Sets of orders of the heuristic player's that a search begins with."""
MOST_ROUNDS = 3
"""The number of times that every unit is considered again."""


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
        """Return orders for everything that is due."""
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
        """True if the time is over."""
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
        turns = list(range(1, len(planner.plan.chosen)))
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
        """Give a unit, and others with it, the best of the most promising changes; return whether any gained."""
        trials, best, chosen = self.trials, self.trials.worth(planner.orders), -1
        for way in sorted(planner.ways(number), key=lambda way: -planner.gain(way))[: self.player.tries]:
            before = planner.put(way)
            worth = trials.worth(planner.orders)
            planner.put_back(before)
            if worth > best:
                best, chosen = worth, way
        if chosen >= 0:
            planner.put(chosen)
        return chosen >= 0

    # -- retreats ----------------------------------------------------------------------------------------------------

    def _retreats(self, first: list[Order]) -> list[Order]:
        """Change where units retreat to, one after the other."""
        best = first
        for unit, choices in self.view.choices.items():
            for order in choices:
                others = [o for o in best if o.at != unit.at or o.verb not in (Verb.RETREAT, Verb.DISBAND)]
                if order.to and order.to.province in taken_places(self.view, others):
                    continue
                if self.trials.worth([*others, order]) > self.trials.worth(best):
                    best = [*others, order]
        return best
