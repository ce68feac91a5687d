"""A position counted around every province, as players at the table see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from gamesmaster.engine.heuristic.chart import likelihoods, targets
from gamesmaster.engine.heuristic.outlook import LEAVES, Outlook, doubt, enters, expect, look_as, rank
from gamesmaster.judge import LegalOrders
from gamesmaster.players.player import View


class Ground:
    """The part of a position that all powers see alike: the units, and where they could go; columns for `outlook`.

    `owners`, `states`, `begins` and `ends` are those of the units that could attack anything, as `outlook.expect` takes
    them.  In boxes units do not block each other, and units aboard have no place.  A unit is not counted among those
    that could attack the province where it stands.  Units of no power and of those in civil disorder only stand.
    """

    def __init__(self, legal: LegalOrders, disorder: frozenset[str]) -> None:
        rules, field = legal.rules, legal.field
        self.board, self.numbers = rules.board, rules.numbers
        self.active = frozenset(rules.powers) - disorder
        size, self.neutral = len(self.board.provinces), len(rules.powers) + 1
        self.powers = self.neutral + 1
        self.leaves = [LEAVES if power in self.active else 0.0 for power in ("", *rules.powers, "")]
        self.box = [place in self.board.boxes for place in range(size)]
        self.standing = [0] * size
        self.strength = [0] * (size * self.powers)
        self.owners: list[int] = []
        self.states: list[int] = []
        self.begins: list[int] = []
        self.ends: list[int] = []
        self.reach: list[int] = []
        firsts = {kind: n * len(self.board.locations) for n, kind in enumerate(self.board.ways)}
        for row, unit in enumerate(legal.position.units, 1):
            if not unit.aboard:
                place, number = field.at[row], self.numbers.get(unit.power, self.neutral)
                if not self.box[place]:
                    self.standing[place] = self.standing[place] or number
                if unit.power in self.active and (ends := targets(self.board, unit.kind, field.location[row])):
                    self._enter(number, firsts[self.board.base(unit.kind)], field.location[row], ends)
        self._first, self._most, self._second = [0] * size, [0] * size, [0] * size
        rank(self.strength, self.powers, self._first, self._most, self._second)
        self.width = max(self._most, default=0) + 2

    def _enter(self, number: int, first: int, at: int, ends: Sequence[int]) -> None:
        """Enter a unit among those that could attack; `first` is the first state of its kind."""
        self.owners.append(number)
        self.states.append(first + at)
        self.begins.append(len(self.reach))
        self.reach += [first + end for end in ends]
        self.ends.append(len(self.reach))
        for place in {self.board.place[end] for end in ends}:
            self.strength[place * self.powers + number] += 1

    def foes(self, place: int, number: int) -> dict[str, int]:
        """Return, by power, how many units could attack a province, without those of the power with this number."""
        found = ((power, self.strength[place * self.powers + n]) for power, n in self.numbers.items() if n != number)
        return {power: units for power, units in found if units}

    def strongest(self, number: int) -> list[int]:
        """Return, by province, the most units that one power other than this number could bring in from outside."""
        found = [0] * len(self.box)
        look_as(number, self._first, self._most, self._second, found)
        return found

    def outlook_of(self, power: str) -> Outlook:
        """Return the outlook of a power that expects nobody anywhere yet."""
        number = self.numbers[power]
        strongest = [0 if box else most for box, most in zip(self.box, self.strongest(number), strict=True)]
        return Outlook(
            number, self.powers, self.width, self.box, self.standing, self.strength, self.leaves, strongest,
            [1.0] * len(self.box), likelihoods(self.width),
        )  # fmt: skip


@lru_cache(maxsize=16)
def ground_of(legal: LegalOrders, disorder: frozenset[str]) -> Ground:
    """Return the ground of a phase, one for all who play it."""
    return Ground(legal, disorder)


class Survey:
    """A position, counted around every province (by number), as one power sees it.

    `outlook.calm[p]` is how likely no foreign unit moves to `p` by itself, 1 for all until it is said what to `expect`.
    """

    def __init__(self, view: View) -> None:
        self.board, self.ground = view.board, ground_of(view.legal, view.disorder)
        self.outlook = self.ground.outlook_of(view.power)

    def foes(self, place: int) -> dict[str, int]:
        """Return, by power, how many foreign units could attack a province."""
        return self.ground.foes(place, self.outlook.power)

    def expect(self, values: Sequence[float], guess: Callable[[], float]) -> None:
        """Work out where foreign units will go (`outlook.expect`); `values` are by state, `guess` draws a number."""
        ground, size = self.ground, len(self.board.provinces)
        places, calm, calm_at = self.board.place * len(self.board.ways), self.outlook.calm, [0] * size
        found = expect(
            self.outlook.power, values, places, ground.owners, ground.states, ground.begins, ground.ends,
            ground.reach, calm, [0] * size, calm_at,
        )  # fmt: skip
        doubt(calm, calm_at, [guess() for _ in range(found)], found)

    def enters(self, place: int, strength: int) -> float:
        """Return the probability that a move into a province with this strength, its own unit counted, succeeds."""
        return enters(self.outlook, place, strength)
