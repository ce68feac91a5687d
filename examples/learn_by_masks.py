"""All powers share one policy and learn by playing each other: `python examples/learn_by_masks.py`.

Every order that a slot offers is scored by a few of its features; slots draw among theirs by softmax, under the mask.
The weights follow the gradient of the reward (REINFORCE): soon units move to centres that are not theirs yet.
"""

import numpy as np

from gamesmaster.lab import parallel_env


def features(env, seen):
    """What the policy knows of each order: its verb, and whether it leads to a centre that the power does not own."""
    orders, board = seen["orders"], env.variant.board
    goals = np.array([-1, *board.place])[orders[..., 3]]  # location -> province, -1 for none
    wanted = (seen["centres"] > 0) & (seen["owners"][seen["me"].argmax()] == 0)
    moves = np.isin(orders[..., 0], (2, 5))  # moves and retreats
    return np.concatenate([np.eye(20)[orders[..., 0]], (moves & (goals >= 0) & wanted[goals])[..., None]], axis=-1)


def decide(env, seen, weights, chance):
    """An action drawn by the policy, and the gradient of its logarithm."""
    known, mask = features(env, seen), np.asarray(seen["action_mask"])
    scores = np.where(mask, np.exp(known @ weights), 0)
    shares = scores / scores.sum(axis=1, keepdims=True)
    action = (shares.cumsum(axis=1) < chance.random((len(mask), 1))).sum(axis=1).clip(max=mask.sum(axis=1) - 1)
    chosen = known[np.arange(len(mask)), action]
    return action, (chosen - np.einsum("sc,scf->sf", shares, known)).sum(axis=0)


def learn(variant="standard", until=1902, episodes=40, rate=2.0, seed=1):
    """Play episodes; the weights at the end, and the mean reward of the powers in each episode."""
    env, chance, told = parallel_env(variant, until=until), np.random.default_rng(seed), []
    env.reset(seed=seed)
    weights = np.zeros(21)
    for _ in range(episodes):
        seen, _ = env.reset()
        rewards, slopes = dict.fromkeys(env.agents, 0.0), dict.fromkeys(env.agents, 0.0)
        while env.agents:
            decided = {agent: decide(env, seen[agent], weights, chance) for agent in env.agents}
            seen, gained, *_ = env.step({agent: action for agent, (action, _) in decided.items()})
            for agent, (_, slope) in decided.items():
                rewards[agent], slopes[agent] = rewards[agent] + gained[agent], slopes[agent] + slope
        told.append(np.mean(list(rewards.values())))
        weights += rate * sum((rewards[agent] - np.mean(told)) * slopes[agent] for agent in rewards)
    return weights, told


if __name__ == "__main__":
    learnt, rewards = learn()
    print(f"mean growth, first ten episodes {np.mean(rewards[:10]):.4f}, last ten {np.mean(rewards[-10:]):.4f}")
