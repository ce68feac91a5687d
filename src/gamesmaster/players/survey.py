"""Distances on a board, and the units that could reach each province in a position.

Distances are computed once per board, for every form that units may have.

A state is a kind of unit at a location, and stands for each kind that the unit there can become: a unit on land may
launch or embark, one afloat may land. For a form without cargo, a state on land means that its vessel is at hand; `A/F`
is an army aboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from itertools import accumulate
from math import comb
from operator import add, itemgetter
from typing import NamedTuple

from gamesmaster.board import FLEET, Board
from gamesmaster.judge import LegalOrders
from gamesmaster.judge.engine import LANDING, Placement
from gamesmaster.players.outlook import (
    JOINS,
    LEAVES,
    Outlook,
    Rings,
    doubt,
    enters,
    expect,
    look_as,
    rank,
    sum_rings,
)
from gamesmaster.players.player import View

BY_LANDING = 0.1
"""The weight of a landing by convoy, compared with a step."""
MAKING = 0.3
"""The weight of making the vessel of another form where it is missing, compared with a step."""
ABOARD = 0.3
"""The same, of going aboard a fleet, which must be there."""

Ends = tuple[int, ...]
"""States, by number, that one step leads to, in one province."""

Gather = Callable[[Sequence[float]], Sequence[float]]


class Leap(NamedTuple):
    """A way that is not just a step: the state it leads to, and what it counts for."""

    to: int
    weight: float


class Chart:
    """The states of one power's units on a board, and the steps between them.

    States are numbered kind by kind, location by location: `first[kind]` is the number of a kind's first.  `steps` and
    `leaps` are by state; `share` is one over the number of ways that a unit of the state's kind has on the average; in
    a box, which has more than any other place, over its own.  For the sums of the rings: `used` are the states that
    anything leads from, `sources` the indices of the numbers of each ring (`_summed`), `faint` the weights of
    leaps below 1, `splits` the choices of coasts; `columns` are these as `sum_rings` takes them.  `places` and `owning`
    are by used state.
    """

    def __init__(self, board: Board, power: str = "") -> None:
        self.board, self.power = board, power
        size = len(board.locations)
        self.first = {kind: number * size for number, kind in enumerate(board.ways)}
        self.steps: list[tuple[Ends, ...]] = []
        self.leaps: list[tuple[Leap, ...]] = []
        self.share: list[float] = []
        self.owns: list[bool] = []
        for kind in board.ways:
            steps = [tuple(self._steps(kind, at)) for at in range(size)]
            leaps = [tuple(self._leaps(kind, at)) for at in range(size)]
            ways = [len(near) + sum(w for _, w in far) for near, far in zip(steps, leaps, strict=True)]
            used = [number for number in ways if number]
            self.steps += steps
            self.leaps += leaps
            average = sum(used) / max(1, len(used))
            boxed = [board.place[at] in board.boxes for at in range(size)]
            self.share += [1 / max(1.0, number if box else average) for number, box in zip(ways, boxed, strict=True)]
            carried = bool(board.cargo(kind))
            self.owns += [bool(number) and not carried for number in ways]
        self.used = [n for n, (near, far) in enumerate(zip(self.steps, self.leaps, strict=True)) if near or far]
        self._compact = {n: number for number, n in enumerate(self.used)}
        self.faint = sorted({weight for leaps in self.leaps for _, weight in leaps} - {1.0})
        self.splits: list[list[int]] = []
        self.sources = [self._summed(n) for n in self.used]
        self.summands = len(self.used) * (1 + len(self.faint)) + len(self.splits)
        self.columns = Rings(
            [self.share[n] for n in self.used], [gather(sources) for sources in self.sources], self.faint,
            starts(self.splits), [n for split in self.splits for n in split],
        )  # fmt: skip
        self.places = [board.place[n % size] for n in self.used]
        self.owning = [self.owns[n] for n in self.used]

    def _summed(self, n: int) -> list[int]:
        """Return the indices of the numbers whose sum is the ring of a state.

        They index a list of all states that anything leads from, a whole ring for each weight of leaps, followed by the
        best of each choice of coasts.
        """
        size, known = len(self.used), self._compact
        layer = {weight: size * number for number, weight in enumerate((1.0, *self.faint))}
        plain = [known[ends[0]] for ends in self.steps[n] if len(ends) == 1 and ends[0] in known]
        split = [[known[to] for to in ends if to in known] for ends in self.steps[n] if len(ends) > 1]
        coasts = range(size * len(layer) + len(self.splits), size * len(layer) + len(self.splits) + len(split))
        self.splits += split
        return [*plain, *coasts, *(layer[weight] + known[to] for to, weight in self.leaps[n] if to in known)]

    # -- what there is to do -----------------------------------------------------------------------------------------

    def _open(self, kind: str, at: int, ends: Sequence[int]) -> list[int]:
        return [to for to in ends if not (self.board.restricted and self.board.barred(self.power, kind, at, to))]

    def _steps(self, kind: str, at: int) -> Iterator[Ends]:
        for ends in self.board.reach(kind, at).values():
            if found := self._open(kind, at, ends):
                yield tuple(self.first[kind] + to for to in found)

    def _leaps(self, kind: str, at: int) -> Iterator[Leap]:
        board, here = self.board, self.board.place[at]
        form = board.forms.get(kind)
        if form is None:
            yield from (Leap(self.first[kind] + to, BY_LANDING) for to in self._landings(kind, at))
            for other, changed in board.forms.items():
                if changed.cargo == kind:
                    yield from self._embarking(other, at)
                elif changed.base == kind and not changed.cargo and self._sets_out(other, at):
                    yield Leap(self.first[other] + at, MAKING)
        elif form.cargo:
            for place in board.steps_by(LANDING, at):
                yield Leap(self.first[form.cargo] + board.locations_of(place)[0], 1.0)
        elif board.provinces[here].land:  # what it went in is left behind
            for ends in board.reach(form.base, at).values():
                yield from (Leap(self.first[form.base] + to, 1.0) for to in self._open(form.base, at, ends[:1]))

    def _sets_out(self, afloat: str, at: int) -> bool:
        """Return whether this is a place on land from which units set out in this form."""
        return self.board.provinces[self.board.place[at]].land and bool(self.board.reach(afloat, at))

    def _embarking(self, laden: str, at: int) -> Iterator[Leap]:
        """From the shore aboard a fleet beside it; from a box where army and fleet lie together, at once to sea."""
        board, here = self.board, self.board.place[at]
        for ends in board.reach(laden, at).values() if here in board.boxes else ():
            yield from (Leap(self.first[laden] + to, 1.0) for to in self._open(laden, at, ends[:1]))
        for sea in sorted(board.neighbours[here]):
            water = board.locations_of(sea)[0]
            if here in board.steps_by(LANDING, water):
                yield Leap(self.first[laden] + water, ABOARD)

    def _landings(self, kind: str, at: int) -> Iterator[int]:
        """Shores, other than those a step away, that one fleet could take a unit of land to."""
        board, here = self.board, self.board.place[at]
        if board.ways[kind] == board.ways.get(FLEET) or board.locations[at].coast or not board.provinces[here].land:
            return
        shores = {shore for water in board.waters[here] for shore in board.shores[water]}
        for shore in sorted(shores - {here} - board.reach(kind, at).keys()):
            if board.provinces[shore].land:
                yield board.locations_of(shore)[0]

    # -- what it comes to --------------------------------------------------------------------------------------------

    def rings(self, worth: Sequence[float], safe: Sequence[float], weights: Sequence[float]) -> list[float]:
        """Return the value of each state by its own province and the rings of states around (`outlook.sum_rings`).

        `worth` is by province, and so is `safe`, the probability that a unit survives there; `weights` are those of the
        rings, its own first.  Roads of all boards count alike.
        """
        sure = [safe[place] for place in self.places]
        own = [worth[p] * s if owns else 0.0 for p, s, owns in zip(self.places, sure, self.owning, strict=True)]
        share = [part * s for part, s in zip(self.columns.share, sure, strict=True)]
        total, numbers = [0.0] * len(own), [0.0] * self.summands
        sum_rings(total, own, numbers, weights, self.columns._replace(share=share))
        states = [0.0] * len(self.steps)
        for n, found in zip(self.used, total, strict=True):
            states[n] = found
        return states

    def by_kind(self, states: Sequence[float]) -> dict[str, Sequence[float]]:
        """Numbers of states, by kind of unit and location."""
        size = len(self.board.locations)
        return {kind: states[first : first + size] for kind, first in self.first.items()}


def gather(places: Sequence[int]) -> Gather:
    """Return a function that picks the numbers at these places out of a list."""
    return itemgetter(*places) if len(places) > 1 else lambda numbers: [numbers[place] for place in places]


@lru_cache(maxsize=64)
def chart_of(board: Board, power: str) -> Chart:
    """Return the chart of a board for a power; one for all powers where the board is open to everybody alike."""
    return Chart(board, power) if board.restricted and power else _open_chart(board)


@lru_cache(maxsize=64)
def _open_chart(board: Board) -> Chart:
    return Chart(board)


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
                if unit.power in self.active and (ends := targets(self.board, field.placements[row])):
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


def targets(board: Board, stance: Placement) -> list[int]:
    """Return the locations that a unit could attack; a form without cargo attacks nobody."""
    form = board.forms.get(stance.kind)
    if form and not form.cargo:
        return []
    ashore = board.steps_by(LANDING, stance.location) if form else {}
    return [end for reach in (stance.reach, ashore) for ends in reach.values() for end in ends]


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


@cache
def likelihoods(width: int) -> list[float]:
    """Return `fewer` for up to `width` - 2 units, as `outlook.few` reads it."""
    return [fewer(most, units, JOINS) for units in range(width - 1) for most in range(width)]


def starts(rows: Iterable[Sequence[int]]) -> list[int]:
    """Return the offsets of rows of varying length laid end to end, and the end of the last."""
    return [0, *accumulate(len(row) for row in rows)]


@cache
def fewer(most: int, units: int, likely: float) -> float:
    """Return the probability that fewer than `most` of `units` act, each with the probability `likely`."""
    cases = (comb(units, n) * likely**n * (1 - likely) ** (units - n) for n in range(min(most, units + 1)))
    return reduce(add, cases, 0.0)  # from the left: `sum` rounds in its own way from Python 3.12 on
