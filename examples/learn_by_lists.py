"""All powers share one policy and learn by playing each other: `python examples/learn_by_lists.py`.

Every order that a unit may be given is scored by a few of its features; units draw among theirs by softmax. The weights
follow the gradient of the reward (REINFORCE): soon units move to centres that are not theirs yet.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamesmaster import find_variant
from gamesmaster.environments import VectorEnvironment, channels, describe

VERBS = 12
Array = NDArray[Any]


def features(env: VectorEnvironment) -> Array:
    """What the policy knows of each order: its verb, and whether it leads to a centre that the power does not own."""
    choices, orders, parts = env.choices, describe(env), channels(env.variant)
    slot = np.repeat(np.arange(choices.used[0]), np.diff(choices.begin[: choices.used[0] + 1]))
    game, power, goal = choices.game[slot], choices.power[slot] - 1, orders[:, 3] - 1
    board = env.observation["board"]
    wanted = (goal >= 0) & (board[game, parts["centres"].start, goal] > 0)
    wanted &= board[game, parts["owners"].start + power, goal] == 0
    moves = np.isin(orders[:, 0], (2, 5, 6))  # moves, moves by convoy and retreats
    return np.concatenate([np.eye(VERBS)[np.clip(orders[:, 0], 0, VERBS - 1)], (moves & wanted)[:, None]], axis=1)


def decide(env: VectorEnvironment, weights: Array, chance: np.random.Generator) -> tuple[Array, Array]:
    """An answer for every slot, drawn by the policy, and by game and power the gradient of its logarithm."""
    choices, slots = env.choices, env.choices.used[0]
    begin, sizes, known = choices.begin[:slots], np.diff(choices.begin[: slots + 1]), features(env)
    weight = np.exp(known @ weights)
    sums, through = np.add.reduceat(weight, begin), np.cumsum(weight)
    before = through[begin] - weight[begin]
    drawn = np.searchsorted(through, before + sums * chance.random(slots)).clip(begin, begin + sizes - 1)
    expected = np.add.reduceat(known * weight[:, None], begin, axis=0) / sums[:, None]
    slopes = np.zeros((len(env), len(env.powers), known.shape[1]))
    np.add.at(slopes, (choices.game[:slots], choices.power[:slots] - 1), known[drawn] - expected)
    return drawn - begin, slopes


def learn(
    variant: str = "standard", until: int = 1902, games: int = 64, steps: int = 60, rate: float = 20.0, seed: int = 1
) -> tuple[Array, list[float]]:
    """Play on and on; the weights at the end, and the mean rewards of the episodes that ended, step by step."""
    env, chance = VectorEnvironment(find_variant(variant), games, seed=seed, until=until), np.random.default_rng(seed)
    weights, told, usual = np.zeros(VERBS + 1), list[float](), 0.0
    gained, slopes = np.zeros((games, len(env.powers))), np.zeros((games, len(env.powers), VERBS + 1))
    for _ in range(steps):
        answers, slope = decide(env, weights, chance)
        env.step(answers, strict=False)
        gained, slopes = gained + env.rewards, slopes + slope
        ended = env.terminated | env.truncated
        if ended.any():
            told.append(float(gained[ended].mean()))
            usual = float(np.mean(told))
            weights += rate * ((gained[ended] - usual)[..., None] * slopes[ended]).mean(axis=(0, 1))
            gained[ended], slopes[ended] = 0, 0
    return weights, told


if __name__ == "__main__":
    learnt, rewards = learn()
    first, last = np.mean(rewards[:3]), np.mean(rewards[-3:])
    print(f"mean growth of a power in an episode: at first {first:.4f}, at last {last:.4f}")
