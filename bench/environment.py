"""`python -m bench.environment`: environments against the loop of PyPI `diplomacy`, in one run, by processor time.

Each row is the best of some rounds, since other work on the machine can only slow one down.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Annotated, Any

import numpy as np
import typer

from bench.timing import seconds
from gamesmaster.batches import Batch
from gamesmaster.batches.group import phases_until
from gamesmaster.batches.state import PHASES
from gamesmaster.environments import VectorEnvironment, parallel_env
from gamesmaster.variant import Variant, find_variant
from tests.open_variants import open_variants

YEARS = 5
"""Turns of the calendar in an episode."""


def last(variant: Variant) -> int:
    """The last year of an episode."""
    return variant.calendar.first.year + YEARS * variant.calendar.years_per_turn - 1


def yardstick(phases: int) -> float:
    """Seconds a phase of PyPI `diplomacy`: all possible orders are listed, and random ones processed."""
    from diplomacy import Game

    def work() -> None:
        chance, game = Random(1), Game()
        for _ in range(phases):
            if game.is_game_done or game.get_current_phase() > "S1906M":
                game = Game()
            possible = game.get_all_possible_orders()
            for power, places in game.get_orderable_locations().items():
                game.set_orders(power, [chance.choice(possible[place]) for place in places if possible[place]])
            game.process()

    return seconds(work) / phases


def environment(variant: Variant, games: int, steps: int, *, planes: bool) -> tuple[float, float]:
    """Seconds a game's step, and seconds a slot, with answers drawn by `sample`."""
    env = VectorEnvironment(variant, games, seed=1, until=last(variant), planes=planes)
    slots = 0

    def work() -> None:
        nonlocal slots
        for _ in range(steps):
            slots += int(env.choices.used[0])
            env.step(env.sample(), strict=False)

    for _ in range(3):
        env.step(env.sample(), strict=False)
    spent = seconds(work)
    return spent / steps / games, spent / slots


def drawn(variant: Variant, games: int) -> float:
    """Seconds a phase of a game whose orders are drawn at random and carried out."""
    batch = Batch(variant, games, seed=1)

    def work() -> None:
        for _ in phases_until(variant, last(variant)):
            batch.draw()
            batch.carry_out()

    return seconds(work) / int(batch.games.tally[:, PHASES].sum() or 1)


def zoo(steps: int) -> float:
    """Seconds a step of PettingZoo's form, with actions drawn under the masks."""
    env, chance = parallel_env("standard", until=1905), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)

    def work() -> None:
        nonlocal seen
        for _ in range(steps):
            if not env.agents:
                seen, _ = env.reset()
            sizes = {agent: np.asarray(seen[agent]["action_mask"]).sum(axis=1) for agent in env.agents}
            seen, *_ = env.step({agent: (chance.random(len(size)) * size).astype(int) for agent, size in sizes.items()})

    return seconds(work) / steps


def copying(games: int) -> float:
    """Seconds a game that is cloned, of this number at a time."""
    env = VectorEnvironment(find_variant("standard"), games, seed=1, planes=False)
    for _ in range(6):
        env.step(env.sample(), strict=False)
    return seconds(lambda: [env.clone() for _ in range(20)]) / 20 / games


def best(measured: Callable[[], Any], rounds: int) -> Any:
    """The least of some rounds; the first, which may wait for the compiler, is not counted."""
    measured()
    return min(measured() for _ in range(rounds))


def main(
    games: Annotated[int, typer.Option(help="Games in a batch.")] = 2000,
    steps: Annotated[int, typer.Option(help="Steps of each round.")] = 40,
    rounds: Annotated[int, typer.Option(help="Rounds, the best of which counts.")] = 3,
    names: Annotated[str, typer.Option(help="Variants beside standard, all by default.")] = "",
) -> None:
    """Print the table of docs/environments.md."""
    standard = find_variant("standard")
    pypi = best(lambda: yardstick(60), rounds)
    whole, unit = best(lambda: environment(standard, games, steps, planes=True), rounds)
    lists, _ = best(lambda: environment(standard, games, steps, planes=False), rounds)
    plain, parallel, copied = best(lambda: drawn(standard, games), rounds), best(lambda: zoo(200), rounds), 0.0
    copied = best(lambda: copying(100), rounds)
    typer.echo("| what | time | ratio |\n| --- | --- | --- |")
    typer.echo(f"| PyPI `diplomacy`, all possible orders, a phase | {pypi * 1e6:.0f} µs | 1 |")
    typer.echo(
        f"| lists, planes and `sample`, a step of a game | {whole * 1e6:.1f} µs | {pypi / whole:.0f} times as fast |"
    )
    typer.echo(f"| PettingZoo's form, a step | {parallel * 1e6:.0f} µs | {pypi / parallel:.1f} times as fast |")
    typer.echo(f"| random orders drawn and carried out, a phase | {plain * 1e6:.1f} µs | 1 |")
    typer.echo(
        f"| lists without planes, a step of a game | {lists * 1e6:.1f} µs | {lists / plain:.2f} times the time |"
    )
    typer.echo(f"| a game cloned, of 100 | {copied * 1e6:.1f} µs | |")
    for name in names.split(",") if names else open_variants():
        if name != "standard":
            variant = find_variant(name)
            step, slot = best(partial(environment, variant, games, steps, planes=True), rounds)
            typer.echo(f"| {name}, a step of a game | {step * 1e6:.1f} µs | {slot / unit:.1f} times a unit's time |")


if __name__ == "__main__":
    typer.run(main)
