"""How near everything is to everything else on a board, and who could come where in a position.

How near everything is to everything else, on one board, for every form that units may have: worked out once.

A state is a kind of unit at a location, and means what can still become of a unit that is there so: a walker may take
to a boat or go aboard, who is afloat may land.  `A/BB` on land is an army with a boat at hand, `A/F` an army aboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, reduce
from math import comb
from operator import add, itemgetter
from typing import NamedTuple

from gamesmaster.board import FLEET, Board, Unit
from gamesmaster.judge import LegalOrders
from gamesmaster.judge.engine.resolution import LANDING, Placement
from gamesmaster.players.player import View

BY_LANDING = 0.1
"""What a landing by convoy counts for, next to a step."""
BOAT = 0.3
"""The same, of building a boat where there is none."""
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
    """What the units of one power may become on a board.

    States are numbered kind by kind, location by location: `first[kind]` is the number of a kind's first.  `steps` and
    `leaps` are by state; `share` is one over the number of ways that a unit of the state's kind has on the average; in
    a box, which has more than any other place, over its own.  What the rings are summed up by: `used` are the states
    that anything leads from, `sources` where the numbers of each one's ring stand (`_summed`), `faint` the weights of
    leaps below 1, `splits` the choices of coasts.
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
            carried = kind in board.forms and bool(board.forms[kind].cargo)
            self.owns += [bool(number) and not carried for number in ways]
        self.used = [n for n, (near, far) in enumerate(zip(self.steps, self.leaps, strict=True)) if near or far]
        self._compact = {n: number for number, n in enumerate(self.used)}
        self.faint = sorted({weight for leaps in self.leaps for _, weight in leaps} - {1.0})
        self.splits: list[list[int]] = []
        self.sources = [self._summed(n) for n in self.used]
        self._around = [gather(sources) for sources in self.sources]

    def _summed(self, n: int) -> list[int]:
        """Where the numbers are that the ring of a state is summed up from.

        They stand in a list of all states that anything leads from, a whole ring for each weight of leaps, and behind
        these the best of each choice of coasts.
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
                elif changed.base == kind and not changed.cargo and self._by_boat(other, at):
                    yield Leap(self.first[other] + at, BOAT)
        elif form.cargo:
            for place in board.steps_by(LANDING, at):
                yield Leap(self.first[form.cargo] + board.locations_of(place)[0], 1.0)
        elif board.provinces[here].land:  # a boat is left behind
            for ends in board.reach(form.base, at).values():
                yield from (Leap(self.first[form.base] + to, 1.0) for to in self._open(form.base, at, ends[:1]))

    def _by_boat(self, afloat: str, at: int) -> bool:
        """Is this a place on land from where one goes by boat?"""
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
        """What each state is worth: by its own province, and by rings of states around.

        `worth` is by province, and so is `safe`, how likely a unit that comes there lives on; `weights` are those of
        the rings, its own first.  A ring is summed up over all ways that lead there, and made smaller by how many there
        are on the average: roads of all boards count alike.
        """
        place, size = self.board.place, len(self.board.locations)
        places = [place[n % size] for n in self.used]
        ring = [worth[p] * safe[p] if self.owns[n] else 0.0 for n, p in zip(self.used, places, strict=True)]
        sums = [(around, self.share[n] * safe[p]) for around, n, p in zip(self._around, self.used, places, strict=True)]
        total = [weights[0] * found for found in ring]
        for weight in weights[1:]:
            numbers = ring.copy()
            for faint in self.faint:
                numbers += [faint * found for found in ring]
            numbers += [max([ring[to] for to in ends]) for ends in self.splits]
            ring = [sum(around(numbers)) * share for around, share in sums]
            total = [so_far + weight * found for so_far, found in zip(total, ring, strict=True)]
        states = [0.0] * len(self.steps)
        for n, found in zip(self.used, total, strict=True):
            states[n] = found
        return states


def gather(places: Sequence[int]) -> Gather:
    """A function that picks the numbers at these places out of a list."""
    return itemgetter(*places) if len(places) > 1 else lambda numbers: [numbers[place] for place in places]


@lru_cache(maxsize=64)
def chart_of(board: Board, power: str) -> Chart:
    """The chart of a board for a power; one for all powers where the board is open to everybody alike."""
    return Chart(board, power) if board.restricted and power else _open_chart(board)


@lru_cache(maxsize=64)
def _open_chart(board: Board) -> Chart:
    return Chart(board)


JOINS = 0.4
"""How likely a foreign unit takes part in a fight for a province next to it."""
LEAVES = 0.2
"""How likely a foreign unit leaves the province it stands in."""
DOUBT = 0.8
"""How far what is guessed of others may be off, as a part of itself, where they surely come."""


class Raider(NamedTuple):
    """A unit that could attack: whose, of which kind, where it is and where it could come, by location."""

    power: str
    kind: str
    at: int
    ends: list[int]


class Ground:
    """What all powers see alike: who stands where, and who could come where.

    `holder` are the units by province (by number), but for boxes, where nobody is in anybody's way, and those aboard.
    `near` are the units that could attack anything; `strength[p]` counts them by power, the one that stands there not
    among them.  Units of no power and of those in civil disorder only stand.
    """

    def __init__(self, legal: LegalOrders, disorder: frozenset[str]) -> None:
        self.board, field = legal.rules.board, legal.field
        self.active = frozenset(legal.rules.powers) - disorder
        self.holder: dict[int, Unit] = {}
        self.near: list[Raider] = []
        self.strength: dict[int, dict[str, int]] = {}
        for row, unit in enumerate(legal.position.units, 1):
            if unit.aboard:
                continue
            if field.at[row] not in self.board.boxes:
                self.holder.setdefault(field.at[row], unit)
            if unit.power in self.active and (ends := attacked(self.board, field.placements[row])):
                self.near.append(Raider(unit.power, self.board.base(unit.kind), field.location[row], ends))
                for place in {self.board.place[end] for end in ends}:
                    counts = self.strength.setdefault(place, {})
                    counts[unit.power] = counts.get(unit.power, 0) + 1


def attacked(board: Board, stance: Placement) -> list[int]:
    """Where a unit could attack, by location; boats fight nobody."""
    form = board.forms.get(stance.kind)
    if form and not form.cargo:
        return []
    ashore = board.steps_by(LANDING, stance.location) if form else {}
    return [end for reach in (stance.reach, ashore) for ends in reach.values() for end in ends]


@lru_cache(maxsize=16)
def ground_of(legal: LegalOrders, disorder: frozenset[str]) -> Ground:
    """The ground of a phase, one for all who play it."""
    return Ground(legal, disorder)


class Survey:
    """A position, counted around every province (by number), as one power sees it.

    `calm[p]` is how likely no foreign unit moves to `p` by itself, 1 for all until it is said what to `expect`.
    """

    def __init__(self, view: View) -> None:
        self.board, self.power, self.boxes = view.board, view.power, view.board.boxes
        self.ground = ground_of(view.legal, view.disorder)
        self.active, self.holder = self.ground.active, self.ground.holder
        self.calm: dict[int, float] = {}

    def foes(self, place: int) -> dict[str, int]:
        """How many foreign units could attack a province, by power."""
        return {power: n for power, n in self.ground.strength.get(place, {}).items() if power != self.power}

    def expect(self, values: Mapping[str, Sequence[float]], guess: Callable[[], float]) -> None:
        """Work out where foreign units will go, if they think about places as one does oneself (by kind and location).

        A unit goes to a place, or stays, the more likely the more it is worth there.  `guess` draws a number from 0 to
        1: where others may come one is not sure of it, and those who think alike do not all think the same.
        """
        calm: dict[int, float] = {}
        places = self.board.place
        for power, kind, at, ends in self.ground.near:
            if power == self.power:
                continue
            worth = values[kind]
            total = sum([worth[end] for end in ends]) + worth[at] or 1.0
            for end in ends:
                place = places[end]
                calm[place] = calm.get(place, 1.0) * (1 - worth[end] / total)
        self.calm |= {p: likely * (1 + DOUBT * (1 - likely) * (2 * guess() - 1)) for p, likely in calm.items()}

    def strongest(self, place: int) -> int:
        """The most units that one other power could bring into a province from outside."""
        return 0 if place in self.boxes else max(self.foes(place).values(), default=0)

    def enters(self, place: int, strength: int) -> float:
        """How likely a move into a province comes true with so many units behind it, its own counted."""
        if place < 0 or place in self.boxes:
            return 1.0
        foes = self.foes(place)
        holder = self.holder.get(place)
        alone = strength == 1  # then anybody at all stands it off
        empty = self.calm.get(place, 1.0) if alone else fewer(strength, max(foes.values(), default=0), JOINS)
        if holder is None or holder.power == self.power:
            return empty
        stays = fewer(strength - 1, foes.get(holder.power, 0), JOINS)
        return LEAVES * empty + (1 - LEAVES) * stays if holder.power in self.active else stays

    def keeps(self, place: int, strength: int) -> float:
        """How likely a unit with so many behind it, itself counted, is not dislodged."""
        return fewer(strength + 1, self.strongest(place), JOINS)


@cache
def fewer(most: int, units: int, likely: float) -> float:
    """How likely fewer than `most` of so many units act, each by itself as likely."""
    cases = (comb(units, n) * likely**n * (1 - likely) ** (units - n) for n in range(min(most, units + 1)))
    return reduce(add, cases, 0.0)  # from the left: `sum` rounds in its own way from Python 3.12 on
