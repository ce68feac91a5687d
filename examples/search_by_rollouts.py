"""A power that tries its orders out before it gives them: `python examples/search_by_rollouts.py`.

Of some random sets of orders it gives the one after which it owns most centres on the average, when everybody plays on
at random for a while. All trials are copies of the game, played at once.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gamesmaster import find_variant
from gamesmaster.environments import VectorEnvironment


def search(env: VectorEnvironment, mine: int, tries: int = 24, each: int = 16, phases: int = 8) -> NDArray[Any]:
    """The best of some random answers to what is asked in the only game of an environment."""
    trials = env.clone(np.zeros(tries * each, int))
    answers = trials.sample().reshape(tries, each, -1)[:, :1].repeat(each, axis=1)  # the same for `each` copies
    trials.step(answers.ravel(), strict=False)
    centres = trials.rollout(phases=phases)[:, mine]
    best: NDArray[Any] = answers[centres.reshape(tries, each).mean(axis=1).argmax(), 0]
    return best


def play(power: str = "France", until: int = 1904, seed: int = 1, *, searches: bool = True) -> int:
    """The centres of a power after some years among random players."""
    standard = find_variant("standard")
    names = [p.name for p in standard.powers]
    seats = ["learner" if name == power else "random" for name in names]
    env = VectorEnvironment(standard, 1, seed=seed, until=until + 5, seats=seats, planes=False)
    while env.phase(0).year <= until and not (env.terminated[0] or env.truncated[0]):
        env.step(search(env, names.index(power)) if searches else env.sample())
    return int(env.centres[0, names.index(power)])


if __name__ == "__main__":
    print("centres of France after 1904, at random:", [play(seed=seed, searches=False) for seed in range(5)])
    print("centres of France after 1904, searching:", [play(seed=seed) for seed in range(5)])
