"""`python -m bench.environment`: the learning environment of every variant, its bounds and its speed.

How long the lists of lawful orders get is seen in games of heuristic players; steps are timed with random answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer

from gamesmaster.game import Game
from gamesmaster.lab import GamesEnv, parallel_env
from gamesmaster.lab.environment.actions import menu
from gamesmaster.players import Referee, find_player
from gamesmaster.players.match import play
from gamesmaster.players.player import views
from gamesmaster.variant import Variant, find_variant, variant_names

HEAD = "| variant | slots | choices | observation, kB | slots used | longest list | orders cut, % | steps a second |"


@dataclass
class Use:
    """How much of an environment's bounds is used: slots, the longest list, orders that were offered and cut."""

    slots: int = 0
    longest: int = 0
    offered: int = 0
    cut: int = 0

    def note(self, env: GamesEnv, game: Game) -> None:
        """Look at what all powers are asked in a phase."""
        for view in views(game).values():
            asked = menu(view, env.spaces.codes, env.bounds)
            sizes = [len(listed) for listed in asked.slots]
            self.slots, self.longest = max(self.slots, len(sizes)), max(self.longest, *sizes, 0)
            self.offered, self.cut = self.offered + sum(sizes) + asked.cut, self.cut + asked.cut


def used(env: GamesEnv, games: int) -> Use:
    """What games of heuristic players use of an environment."""
    use = Use()
    for seed in range(games):
        players = {power: find_player("heuristic") for power in env.possible_agents}
        play(env.variant, players, seed=seed, until=env.until, referee=Referee(tell=lambda game: use.note(env, game)))
    return use


def answers(env: GamesEnv, seen: dict[str, Any], chance: np.random.Generator) -> dict[str, Any]:
    """An answer for every slot, all that the masks allow being equally likely."""
    sizes = {agent: np.asarray(seen[agent]["action_mask"]).sum(axis=1) for agent in env.agents}
    return {agent: (chance.random(len(size)) * size).astype(int) for agent, size in sizes.items()}


def speed(env: GamesEnv, episodes: int) -> float:
    """Steps a second, resets and the drawing of answers included."""
    chance, steps, begun = np.random.default_rng(1), 0, perf_counter()
    for _ in range(episodes):
        seen, _ = env.reset()
        while env.agents:
            seen, *_ = env.step(answers(env, seen, chance))
            steps += 1
    return steps / (perf_counter() - begun)


def row(variant: Variant, turns: int, episodes: int) -> str:
    """A variant's row of the table."""
    calendar = variant.calendar
    env = parallel_env(variant, until=calendar.first.year + turns * calendar.years_per_turn - 1)
    seen, _ = env.reset(seed=1)
    size = sum(np.asarray(plane).nbytes for plane in seen[env.agents[0]].values()) / 1000
    speed(env, 1)
    use = used(env, episodes)
    cells = (variant.id, *env.bounds, f"{size:.0f}", use.slots, use.longest, f"{100 * use.cut / use.offered:.2f}")
    return f"| {' | '.join(map(str, cells))} | {speed(env, episodes):.0f} |"


def main(
    turns: Annotated[int, typer.Option(help="Turns of the calendar in an episode.")] = 10,
    episodes: Annotated[int, typer.Option(help="Episodes of each variant.")] = 3,
) -> None:
    """Print the table of docs/lab-environment.md."""
    typer.echo(f"{HEAD}\n|{' --- |' * HEAD.count(' | ')} --- |")
    for name in variant_names():
        typer.echo(row(find_variant(name), turns, episodes))


if __name__ == "__main__":
    typer.run(main)
