"""Distances on a board, for every form that units may have; computed once per board.

A state is a kind of unit at a location, and stands for each kind that the unit there can become: a unit on land may
launch or embark, one afloat may land. For a form without cargo, a state on land means that its vessel is at hand; `A/F`
is an army aboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from math import comb
from operator import add, itemgetter
from typing import NamedTuple

from gamesmaster.board import LANDING, Board
from gamesmaster.engine.groups import end_to_end
from gamesmaster.engine.heuristic.outlook import JOIN_CHANCE, Rings

BY_LANDING = 0.1
"""The weight of a landing by convoy, compared with a step."""
MAKING = 0.3
"""The weight of making the vessel of another form where it is missing, compared with a step."""
ABOARD = 0.3
"""The weight of going aboard a fleet, which must be there, compared with a step."""

SPREAD = 5
"""DumbBot divides a ring's sum by this: about as many neighbours as a province has, and itself."""

Ends = tuple[int, ...]
"""States, by number, that one step leads to, in one province."""

Gather = Callable[[Sequence[float]], Sequence[float]]


class Leap(NamedTuple):
    """A way that is not just a step: the state it leads to, and what it counts for."""

    to: int
    weight: float


class StateGraph:
    """The states of one power's units on a board, and the steps between them.

    States are numbered kind by kind, location by location: `first[kind]` is the number of a kind's first.  `steps` and
    `leaps` are by state; `share` is one over the number of ways that a unit of the state's kind has on the average; in
    a box, which has more than any other place, over its own.  For the sums of the rings: `used` are the states that
    anything leads from, `sources` the indices of the numbers of each ring (`_summed`), `faint` the weights of
    leaps below 1, `splits` the choices of coasts; `columns` are these as `outlook.sum_rings` takes them.  `owning` is
    by used state.
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
            self.steps += steps
            self.leaps += leaps
            self.share += self._shares(ways)
            owns = not board.cargo(kind) and kind not in board.bystanders
            self.owns += [bool(number) and owns for number in ways]
        self.used = [n for n, (near, far) in enumerate(zip(self.steps, self.leaps, strict=True)) if near or far]
        self._compact = {n: number for number, n in enumerate(self.used)}
        self.faint = sorted({weight for leaps in self.leaps for _, weight in leaps} - {1.0})
        self.splits: list[list[int]] = []
        self.sources = [self._summed(n) for n in self.used]
        self.columns = Rings(
            [self.share[n] for n in self.used], [gather(sources) for sources in self.sources], self.faint,
            *end_to_end(self.splits),
        )  # fmt: skip
        self.owning = [self.owns[n] for n in self.used]

    def _shares(self, ways: Sequence[float]) -> list[float]:
        """Return what the rings of one kind's states are scaled by, given the number of ways from each."""
        used = [number for number in ways if number]
        average = sum(used) / max(1, len(used))
        boxed = [place in self.board.boxes for place in self.board.place]
        return [1 / max(1.0, number if box else average) for number, box in zip(ways, boxed, strict=True)]

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
        """Yield the leaps of an army aboard a fleet: one beside its shore, or one in its box, which sails at once."""
        board, here = self.board, self.board.place[at]
        for ends in board.reach(laden, at).values() if here in board.boxes else ():
            yield from (Leap(self.first[laden] + to, 1.0) for to in self._open(laden, at, ends[:1]))
        for sea in sorted(board.neighbours[here]):
            water = board.locations_of(sea)[0]
            if here in board.steps_by(LANDING, water):
                yield Leap(self.first[laden] + water, ABOARD)

    def _landings(self, kind: str, at: int) -> Iterator[int]:
        """Yield the locations of shores beyond a step that one fleet could take a unit of land to."""
        board, here = self.board, self.board.place[at]
        if not board.convoyed(kind) or board.locations[at].coast or not board.provinces[here].land:
            return
        shores = {shore for water in board.waters[here] for shore in board.shores[water]}
        for shore in sorted(shores - {here} - board.reach(kind, at).keys()):
            if board.provinces[shore].land:
                yield board.locations_of(shore)[0]


class StepGraph(StateGraph):
    """The states and steps that DumbBot knows: a place counts beside its neighbours, without leaps."""

    def _shares(self, ways: Sequence[float]) -> list[float]:
        return [1 / SPREAD] * len(ways)

    def _leaps(self, kind: str, at: int) -> Iterator[Leap]:
        if self.board.reach(kind, at):
            yield Leap(self.first[kind] + at, 1.0)


def gather(places: Sequence[int]) -> Gather:
    """Return a function that picks the numbers at these places out of a list."""
    return itemgetter(*places) if len(places) > 1 else lambda numbers: [numbers[place] for place in places]


@lru_cache(maxsize=64)
def state_graph(board: Board, power: str) -> StateGraph:
    """Return the chart of a board for a power; one for all powers where the board is open to everybody alike."""
    return StateGraph(board, power) if board.restricted and power else _open_chart(board)


@lru_cache(maxsize=64)
def _open_chart(board: Board) -> StateGraph:
    return StateGraph(board)


@lru_cache(maxsize=64)
def _step_graph(board: Board) -> StepGraph:
    return StepGraph(board)


def graphs_of(board: Board, powers: Iterable[str]) -> list[StateGraph]:
    """Return the different charts of these powers, and DumbBot's as the last."""
    return [*dict.fromkeys(state_graph(board, power) for power in powers), _step_graph(board)]


def targets(board: Board, kind: str, at: int) -> list[int]:
    """Return the locations that a unit of a kind at a location could attack; a form without cargo attacks nobody."""
    form = board.forms.get(kind)
    if form and not form.cargo:
        return []
    ashore = board.steps_by(LANDING, at) if form else {}
    return [end for reach in (board.reach(kind, at), ashore) for ends in reach.values() for end in ends]


@cache
def likelihoods(width: int) -> list[float]:
    """Return `fewer` for up to `width` - 2 units, as `outlook.few` reads it."""
    return [fewer(most, units, JOIN_CHANCE) for units in range(width - 1) for most in range(width)]


@cache
def fewer(most: int, units: int, likely: float) -> float:
    """Return the probability that fewer than `most` of `units` act, each with the probability `likely`."""
    cases = (comb(units, n) * likely**n * (1 - likely) ** (units - n) for n in range(min(most, units + 1)))
    return reduce(add, cases, 0.0)  # from the left: `sum` rounds in its own way from Python 3.12 on
