"""The race: both programs on the same puzzles, slice by slice, turn and turn about."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from time import perf_counter

from bench import contender as ours
from bench import yardstick as theirs
from bench.contender import Contender, Orders
from bench.puzzle import Puzzle
from bench.solving import pack
from bench.timing import Spread, on_cores, seconds
from bench.yardstick import Yardstick
from gamesmaster.batches import adjudicate_many

PASSES = 5
"""Ours goes over a slice so often in a round, or the clock would see too little of it."""

BATCH = 4_000
"""A batch holds at least so many problems, each puzzle as often as that takes: a small one would tell what it costs to
begin with one."""

LARGE = 60
"""For two cores all puzzles are in a batch so often: starting threads should cost nothing to speak of."""

TRIES = 25
"""A batch is solved so often on one core and on two, in turn: the second core may be busy with something else."""


class Way(StrEnum):
    """A way from puzzles to results."""

    THEIR_MOVES = "PyPI diplomacy, orders set, moves resolved"
    THEIR_STRINGS = "PyPI diplomacy, strings to result"
    THEIR_SPELLING = "PyPI diplomacy, strings to result, expand=False"
    LOADED = "orders loaded"
    BATCH = "batch, orders loaded"
    STRINGS = "strings to result"
    EXPLAINED = "strings to rulings"
    MANY = "adjudicate_many, strings to result"
    UNMET = "strings to result, none met before"


class Race:
    """Seconds a puzzle for each way, slice by slice: as many slices of the puzzles as rounds.

    `second_core` says how many times as fast all puzzles were solved with one more core, if there is one.
    """

    def __init__(self, puzzles: Sequence[Puzzle], rounds: int, cores: Sequence[int]) -> None:
        self.yardstick, self.contender = Yardstick(), Contender()
        self.times: dict[Way, list[float]] = {}
        size = len(puzzles) // rounds
        slices = [puzzles[i * size : (i + 1) * size] for i in range(rounds)]
        for _, _, work in self._ways(slices[0]):
            work()  # compiles the batch, fills the yardstick's caches
        for some in slices:
            for way, count, work in self._ways(some):
                self.times.setdefault(way, []).append(seconds(work) / count)
        self.second_core = self._gain(puzzles, cores[:2]) if len(cores) > 1 else None

    def ratio(self, slower: Way, faster: Way) -> Spread:
        """How many times as fast one way is as another, over the rounds."""
        return Spread.of(a / b for a, b in zip(self.times[slower], self.times[faster], strict=True))

    def rate(self, way: Way) -> Spread:
        """Puzzles a second."""
        return Spread.of(1 / t for t in self.times[way])

    def _ways(self, puzzles: Sequence[Puzzle]) -> Iterator[tuple[Way, int, Callable[[], object]]]:
        """Make ready, each only when the one before it is done: a way, how many puzzles it takes, and the work."""
        n, rules, prepared = len(puzzles), self.contender.rules, self.yardstick.prepared
        copies = -(-BATCH // n)
        yield Way.THEIR_MOVES, n, partial(theirs.resolve_moves, [self.yardstick.ordered(p) for p in puzzles])
        loaded = [self.contender.load(puzzle) for puzzle in puzzles]
        yield Way.LOADED, n * PASSES, partial(ours.decide, loaded * PASSES)
        yield Way.BATCH, n * copies, pack([phase.prepared.problem for phase in loaded] * copies).solve
        for way, expand in ((Way.THEIR_STRINGS, True), (Way.THEIR_SPELLING, False)):
            games, orders = [prepared(p) for p in puzzles], [fresh(p.orders) for p in puzzles]
            yield way, n, partial(theirs.strings_to_result, games, orders, expand=expand)
        positions = [self.contender.position(puzzle) for puzzle in puzzles]
        given = [self.contender.orders(puzzle) for puzzle in puzzles]
        often = positions * PASSES
        yield Way.STRINGS, len(often), partial(ours.adjudicate_all, rules, often, list(map(fresh, given * PASSES)))
        many, texts = positions * copies, list(map(fresh, given * copies))
        yield Way.MANY, len(many), partial(adjudicate_many, self.contender.variant, many, texts)
        yield Way.EXPLAINED, len(often), partial(ours.explain_all, rules, often, list(map(fresh, given * PASSES)))
        yield Way.UNMET, n, partial(ours.adjudicate_anew, self.contender, positions, list(map(fresh, given)))

    def _gain(self, puzzles: Sequence[Puzzle], cores: Sequence[int]) -> float:
        """The best wall-clock time on one core over the best on two."""
        batch = pack([self.contender.load(puzzle).prepared.problem for puzzle in puzzles] * LARGE)
        one, two = [], []
        with on_cores(cores):
            for _ in range(TRIES):
                one.append(seconds(batch.solve, perf_counter))
                two.append(seconds(partial(batch.solve, threads=2), perf_counter))
        return min(one) / min(two)


def fresh(orders: Orders) -> Orders:
    """The same texts as new strings, as they come from outside: nothing is known of them, not even a hash."""
    copied: Orders = json.loads(json.dumps(orders))
    return copied
