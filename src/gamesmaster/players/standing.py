"""What a position is worth to a power at a glance: to compare the ends of tries that begin at the same place."""

from __future__ import annotations

from dataclasses import dataclass

from gamesmaster.board import Location, Position
from gamesmaster.judge.resolution import OrderReader
from gamesmaster.players.survey import Survey, attacked
from gamesmaster.players.valuation import Tastes, Valuation, last_before_count
from gamesmaster.players.view import View
from gamesmaster.players.worth import Worth

TASTES = Tastes(keeping=0.8, now=(0.3, 0.4, 0.25, 0.15, 0.1, 0.06, 0.04, 0.02))
"""Places for what comes after: centres that are taken are counted by themselves."""


@dataclass(frozen=True, slots=True)
class Scales:
    """What counts in a position; the worth of being somewhere counts as it is by the `tastes`.

    `centre` is an own supply centre; `held` the part of it that it counts for to stand in another's while owners are
    not yet counted, and to have another stand in an own one.  `open` is the part of an own centre that is lost where a
    neighbour could walk in, `shaky` where there are more neighbours than can be stood against.  `beaten` is what a
    dislodged unit is worth that has somewhere to go, and `rival` what others' centres take away.
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
        self._worth = Worth(view.board, Valuation(view, Survey(view), scales.tastes).kinds())
        self._centres = frozenset(view.board.centres)
        self._active = frozenset(view.rules.powers) - view.disorder
        self._places: dict[tuple[str, Location], float] = {}
        self._attacks: dict[tuple[str, Location], tuple[str, ...]] = {}

    def of(self, position: Position) -> float:
        """What a position is worth."""
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
        return total + sum(self._centre(c, position.owners.get(c, ""), holders.get(c, ""), near) for c in self._centres)

    def _centre(self, centre: str, owner: str, holder: str, near: dict[str, dict[str, int]]) -> float:
        """What a centre is worth: own, in danger, or another's."""
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
            self._places[key] = self._worth.of(*key)
        return self._places[key]

    def _attacked(self, key: tuple[str, Location]) -> tuple[str, ...]:
        """The centres that a unit could attack from where it is."""
        if key not in self._attacks:
            kind, at = key
            stance = self.view.rules.derived(OrderReader).placements[kind][at]
            places = {self.board.provinces[self.board.place[end]].id for end in attacked(self.board, stance)}
            self._attacks[key] = tuple(sorted(places & self._centres))
        return self._attacks[key]
