"""`python -m bench.games`: whole games of random lawful orders, ours and the yardstick's, turn and turn about.

And games of the heuristic player, in batches and at the table, likewise; and at the table by one process and by two.
"""

from __future__ import annotations

import gc
import resource
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated

import typer
from diplomacy import Game as Yardstick

from bench.measure import KIB, MS, Measure
from bench.page import table, write_page, write_results
from bench.plain import play_plainly
from bench.timing import Spread, cores, on_cores, seconds
from gamesmaster.batches import Batch, play_batch
from gamesmaster.batches.state import COUNT, PHASES
from gamesmaster.board import Position
from gamesmaster.judge import LegalOrders
from gamesmaster.lab import Experiment, Workers, selfplay
from gamesmaster.orders import PhaseKind
from gamesmaster.players import Heuristic
from gamesmaster.players import play as match
from gamesmaster.rules import Rules
from gamesmaster.testing.conformance import play
from gamesmaster.variant import Variant, find_variant

LAST = 1910
TURNS = 10
"""Turns of the calendar that games of the other variants last, as many as the standard game has to 1910."""
MANY = 10_000
"""Games over which memory must stay as it is."""

DRAWN = 500
"""Games by lot of each variant in a round, where units of all variants are compared."""

UNITS = range(25, 32)
"""Units on the boards whose lawful orders are listed: about 28."""

THOUGHT = 40
"""Games of heuristic players in a round."""

OTHERS = ("cline9", "1000ad", "indianomacy", "indianomacy2", "scottomacy", "conquest2")
"""The other games that are played in batches, each for `TURNS` turns."""

WARM = 50
"""Games before the first round, in which ours gets to know the orders that there are, as the yardstick does at once."""

SHARED = 60
"""Games of heuristic players, to the end of 1904, that one process plays, or two between them."""

Tell = Callable[[str], object]


def their_games(seeds: Sequence[int]) -> None:
    """Let the yardstick play games as it is meant to: its list of orders, one drawn for each unit, processed."""
    for seed in seeds:
        chance, game = Random(seed), Yardstick()
        while not game.is_game_done and int(game.get_current_phase()[1:5]) <= LAST:
            legal = game.get_all_possible_orders()
            for power, places in game.get_orderable_locations().items():
                game.set_orders(power, [chance.choice(legal[place]) for place in places if legal[place]])
            game.process()


def our_games(variant: Variant, seeds: Sequence[int]) -> None:
    """Play games in ordinary Python."""
    for seed in seeds:
        play_plainly(variant, seed=seed, until=LAST)


def heuristic_games(variant: Variant, seeds: Sequence[int]) -> None:
    """Let heuristic players sit at an ordinary table."""
    for seed in seeds:
        match(variant, [Heuristic()] * len(variant.powers), seed=seed, until=LAST)


def think(name: str, seed: int) -> None:
    """Let heuristic players sit in a batch of one of the other games."""
    variant = find_variant(name)
    play_batch(variant, THOUGHT, seed=seed, until=last_of(variant), seats=["heuristic"] * len(variant.powers))


def spread_of_others(rounds: int, tell: Tell) -> dict[str, Spread]:
    """By variant, how many times as long a unit takes in a phase of random games in batches as in the standard game."""
    every = {name: find_variant(name) for name in ("standard", *OTHERS)}
    units, ratios = {}, {name: list[float]() for name in OTHERS}
    for name, variant in every.items():
        tell(f"compiling {name}")
        units[name] = ordered_about(variant)
    for _ in range(rounds):
        each = {
            name: seconds(partial(play_batch, variant, DRAWN, seed=0, until=last_of(variant))) / units[name]
            for name, variant in every.items()
        }
        for name, found in ratios.items():
            found.append(each[name] / each["standard"])
    return {name: Spread.of(found) for name, found in ratios.items()}


def ordered_about(variant: Variant) -> int:
    """The units on the boards of the games that are timed, summed over the phases that each game played."""
    batch, units = Batch(variant, DRAWN, seed=0), 0
    while batch.phase.year <= last_of(variant):
        before, there = batch.games.tally[:, PHASES].copy(), batch.games.tally[:, COUNT].copy()
        batch.draw()
        batch.carry_out()
        units += int(there[batch.games.tally[:, PHASES] > before].sum())
    return units


def last_of(variant: Variant) -> int:
    """The year in which the games of a variant are broken off."""
    return variant.calendar.first_year + TURNS * variant.calendar.years_per_turn - 1


def lists(boards: Sequence[tuple[Rules, Position]]) -> None:
    """List every lawful order of every unit."""
    for rules, position in boards:
        legal = LegalOrders(rules, position)
        for power in rules.powers:
            legal.of_power(PhaseKind.MOVEMENT, power)


def measured(rounds: int, tell: Tell) -> list[Measure]:
    """The measures, as so many rounds give them; `tell` is told what is done."""
    standard = find_variant("standard")
    boards = [
        (game.rules, game.position)
        for game, _ in play(standard, 200, seed=1)
        if game.phase.kind is PhaseKind.MOVEMENT and len(game.position.units) in UNITS
    ]
    their_games([0])
    our_games(standard, range(-WARM, 0))
    tell("compiling")
    play_batch(standard, 1, seed=0, until=LAST)
    thought = partial(play_batch, standard, THOUGHT, until=LAST, seats=["heuristic"] * len(standard.powers))
    thought(seed=0)
    for name in OTHERS:
        think(name, seed=0)
    heuristic_games(standard, [-1])
    batch, most = 2_000, 8
    theirs, plain, fast, listing, table, thinking, slowest = [], [], [], [], [], [], []
    for number in range(rounds):
        theirs.append(seconds(partial(their_games, range(number, number + 2))) / 2)
        plain.append(seconds(partial(our_games, standard, range(most * number, most * (number + 1)))) / most)
        fast.append(seconds(partial(play_batch, standard, batch, seed=number, until=LAST)) / batch)
        listing.append(seconds(partial(lists, boards)) / len(boards))
        table.append(seconds(partial(heuristic_games, standard, range(2 * number, 2 * number + 2))) / 2)
        thinking.append(seconds(partial(thought, seed=number)) / THOUGHT)
        slowest.append(max(seconds(partial(think, name, seed=number)) for name in OTHERS) / THOUGHT)
        tell(
            f"round {number + 1} of {rounds}: theirs {1 / theirs[-1]:.1f} games a second, "
            f"ours {1 / plain[-1]:.1f}, in batches {1 / fast[-1]:,.0f}; "
            f"of heuristic players {1 / table[-1]:.1f}, in batches {1 / thinking[-1]:.1f}, "
            f"the slowest of the others {1 / slowest[-1]:.1f}"
        )
    others = [
        Measure(f"{name} in batches, a unit in a phase / standard", spread, "times", 4, at_most=True)
        for name, spread in spread_of_others(rounds, tell).items()
    ]
    grown = growth(standard)
    return [
        Measure("ordinary Python / PyPI diplomacy", _ratio(theirs, plain), "times", 6),
        Measure("in batches / PyPI diplomacy", _ratio(theirs, fast), "times", 800),
        Measure("PyPI diplomacy", _rate(theirs), "games a second"),
        Measure("ordinary Python", _rate(plain), "games a second"),
        Measure("in batches", _rate(fast), "games a second"),
        *others,
        Measure("heuristic players in batches, one core", _rate(thinking), "games a second", 100),
        Measure("heuristic players in batches, the slowest of the others", _rate(slowest), "games a second", 25),
        Measure("heuristic players at the table", _rate(table), "games a second"),
        Measure("heuristic players in batches / at the table", _ratio(table, thinking), "times", 4.5),
        Measure("legal orders of a board", Spread.of(value * MS for value in listing), "ms", 1, at_most=True),
        Measure(f"more memory after {MANY:,} games", Spread.of([grown / KIB]), "MiB", 8, at_most=True),
    ]


def growth(variant: Variant) -> float:
    """By how many KiB the process's most memory grows over `MANY` games, once as many as a tenth have been played."""
    play_batch(variant, MANY // 10, seed=1, until=LAST)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    play_batch(variant, MANY, seed=2, until=LAST)
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)


def shared(rounds: int, tell: Tell) -> Measure:
    """How many times as fast two processes get through an experiment as one, each with a core of its own."""
    experiment, ratios = Experiment.of("standard", until=1904), []

    def run(jobs: int, games: int = SHARED) -> None:
        with TemporaryDirectory() as folder:
            selfplay(experiment, Path(folder), games, Workers(jobs=jobs))

    run(2, 4)  # the processes are begun, and stay
    for _ in range(rounds):
        one, two = (seconds(partial(run, jobs), perf_counter) for jobs in (1, 2))
        ratios.append(one / two)
        tell(f"two processes: {ratios[-1]:.2f} times as fast as one")
    return Measure("an experiment, two processes / one", Spread.of(ratios), "times", 1.8)


def _ratio(theirs: Sequence[float], ours: Sequence[float]) -> Spread:
    return Spread.of(a / b for a, b in zip(theirs, ours, strict=True))


def _rate(times: Sequence[float]) -> Spread:
    return Spread.of(1 / time for time in times)


def main(
    rounds: Annotated[int, typer.Option(help="Rounds; the median counts.", min=1)] = 9,
    keep: Annotated[bool, typer.Option(help="Write bench/results and docs/bench.md.")] = True,
) -> None:
    """Measure whole games of the standard game against PyPI `diplomacy`, on one core; and what a second one adds."""
    with on_cores(cores()[:1]):
        measures = measured(rounds, typer.echo)
    if len(cores()) > 1:
        measures.append(shared(rounds, typer.echo))
    print(*table(measures), sep="\n")
    if keep:
        write_page(measures, {"rounds": rounds}, "games")
        print(f"kept in {write_results(measures, {'rounds': rounds}, 'games')}")
    if not all(measure.holds for measure in measures):
        raise SystemExit("a bound is broken")


if __name__ == "__main__":
    typer.run(main)
