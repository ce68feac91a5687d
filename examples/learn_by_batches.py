"""Fits a taste of the heuristic player by playing batches: `python examples/learn_by_batches.py` (extra `fast`)."""

import numpy as np

from gamesmaster import find_variant
from gamesmaster.batches import Turning, play_batch
from gamesmaster.players import Tastes


def strength(tastes: Tastes, games: int, seed: int) -> float:
    """Return the centres that a player with these tastes owns after 1904, beside six of the usual ones."""
    played = play_batch(
        find_variant("standard"), games, seed=seed, until=1904, seats=Turning([tastes, *[Tastes()] * 6])
    )
    return float(played.final[np.arange(games), np.arange(games) % 7].mean())


def learn(rounds: int, games: int = 140) -> tuple[Tastes, float]:
    """Try changes of the whim, and keep those that win more centres."""
    chance, best = np.random.default_rng(1), Tastes()
    most = strength(best, games, 0)
    for number in range(1, rounds + 1):
        tried = best._replace(whim=best.whim * float(chance.choice([0.5, 2.0])))
        if (found := strength(tried, games, number)) > most:
            best, most = tried, found
    return best, most


if __name__ == "__main__":
    print(*learn(20))
