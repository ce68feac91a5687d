"""What the bench measures, and the bounds that must hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.contender import Contender
from bench.puzzle import Puzzle
from bench.race import Race, Way
from bench.sizes import document_times, file_times, import_seconds, kept_bytes, long_game
from bench.timing import Spread
from bench.worst import time_worst
from bench.yardstick import Yardstick

MS = 1000
KIB = 1024


@dataclass(frozen=True)
class Measure:
    """A number with a unit; `bound` is the least it may be, or the most if it is `at_most`; None if only for show."""

    name: str
    spread: Spread
    unit: str
    bound: float | None = None
    at_most: bool = False

    @property
    def holds(self) -> bool:
        """Is the median within its bound?"""
        if self.bound is None:
            return True
        return self.spread.median <= self.bound if self.at_most else self.spread.median >= self.bound


RATIOS = (
    (Way.LOADED, Way.THEIR_MOVES, 20.0),
    (Way.STRINGS, Way.THEIR_STRINGS, 27.0),
    (Way.EXPLAINED, Way.THEIR_STRINGS, 16.0),
    (Way.MANY, Way.THEIR_STRINGS, 100.0),
    (Way.UNMET, Way.THEIR_STRINGS, 4.0),
    (Way.BATCH, Way.THEIR_MOVES, 600.0),
)
"""Ours, theirs, and how many times as fast ours must at least be."""


def measure_race(race: Race) -> Iterator[Measure]:
    """How many times as fast as the yardstick, and problems a second for orientation."""
    yield from measure_ratios(race)
    yield Measure(f"{Way.STRINGS} / {Way.THEIR_SPELLING}", race.ratio(Way.THEIR_SPELLING, Way.STRINGS), "times")
    if race.second_core is not None:
        yield Measure("batch on two cores / on one", Spread.of([race.second_core]), "times", 1.8)
    for way in Way:
        yield Measure(way.value, race.rate(way), "problems a second")


def measure_ratios(race: Race, where: str = "") -> Iterator[Measure]:
    """How many times as fast as the yardstick, each with its bound."""
    for ours, theirs, bound in RATIOS:
        yield Measure(f"{ours} / {theirs}{where}", race.ratio(theirs, ours), "times", bound)


def measure_sizes(rounds: int) -> Iterator[Measure]:
    """Importing, memory, files."""
    for statement, most in (("import gamesmaster", 50), ("from gamesmaster import Game, adjudicate", 120)):
        yield Measure(statement, _scaled(import_seconds(statement, rounds), MS), "ms", most, at_most=True)
    game = long_game()
    yield Measure("a game to 1910, in memory", Spread.of([kept_bytes(game) / KIB]), "KiB", 100, at_most=True)
    times = file_times(game, rounds)
    for name, bound in (("dumps", 2), ("loads", 2), ("loads, verified", None)):
        yield Measure(f"a game to 1910, {name}", _scaled(Spread.of(times[name]), MS), "ms", bound, at_most=True)
    documents = _scaled(Spread.of(document_times(game, rounds)), MS)
    yield Measure("a state document of 34 units, out and in", documents, "ms", 0.5, at_most=True)
    for name in ("dumps", "loads"):
        ratio = Spread.of(a / b for a, b in zip(times[name], times[f"json.{name}"], strict=True))
        yield Measure(f"{name} / json.{name} of the same bytes", ratio, "times as long")


def measure_worst(rounds: int) -> Iterator[Measure]:
    """The worst cases known, from texts never met before to the last ruling."""
    for name, spread in time_worst(rounds).items():
        yield Measure(name, _scaled(spread, MS), "ms", 50, at_most=True)


def differing(puzzles: Sequence[Puzzle]) -> tuple[int, int]:
    """In how many puzzles the verdicts differ: units after the phase, dislodged units, or where these may retreat.

    First under the yardstick's answer to DATC 4.A.3, then under the preferred rulebook.
    """
    yardstick, alike, preferred = Yardstick(), Contender(), Contender({})
    theirs = [yardstick.verdict(puzzle) for puzzle in puzzles]
    counts = [
        sum(contender.verdict(puzzle) != verdict for puzzle, verdict in zip(puzzles, theirs, strict=True))
        for contender in (alike, preferred)
    ]
    return counts[0], counts[1]


def _scaled(spread: Spread, factor: float) -> Spread:
    return Spread(spread.median * factor, spread.least * factor, spread.most * factor)
