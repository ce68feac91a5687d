"""Rewards of learners: the growth of their centres, or parts of 1 when an episode ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gamesmaster.errors import NotFound, nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


class Step(NamedTuple):
    """A step of many games: arrays of shape (games, powers), `over` and `stopped` of shape (games,)."""

    before: Array  # the centres that each power owned
    after: Array  # and owns
    total: int  # the number of centres on the board
    alive: Array  # 1 for powers that take part
    won: Array  # 1 for the winners of games that are over
    over: Array
    stopped: Array  # 1 for games broken off after the last year


Reward = Callable[[Step], "Array"]
"""Returns the rewards of a step, of shape (games, powers)."""


def growth(step: Step) -> Array:
    """By how much a power's share of all supply centres has grown; over an episode they add up to the whole growth."""
    grown: Array = (step.after - step.before) / step.total
    return grown


def draw(step: Step) -> Array:
    """At the end equal parts of 1 for the winners, or, if it was broken off, for all who still take part."""
    return _parts(step.won * step.over[:, None] + step.alive * step.stopped[:, None])


def solo(step: Step) -> Array:
    """At the end 1 for a power that has won alone, and 0 for all others."""
    alone: Array = step.won * (step.over & (step.won.sum(axis=1) == 1))[:, None]
    return alone


def squares(step: Step) -> Array:
    """At the end the winners' parts as in `draw`; broken off, the squares of the centres, as parts of their sum."""
    return _parts(step.won * step.over[:, None] + step.after.astype(float) ** 2 * step.stopped[:, None])


REWARDS: Mapping[str, Reward] = {"growth": growth, "draw": draw, "solo": solo, "squares": squares}
"""The rewards that have names."""


def find_reward(reward: str | Reward) -> Reward:
    """Return the reward of this name, or the function itself; raises `NotFound` with the nearest name."""
    if not isinstance(reward, str):
        return reward
    if reward not in REWARDS:
        hint = nearest(reward, REWARDS) or f"known: {', '.join(REWARDS)}"
        raise NotFound(f"no reward {reward[:40]!r}", hint=hint)
    return REWARDS[reward]


def _parts(weights: Array) -> Array:
    """Return these weights as parts of their sum in each game, 0 where all are 0."""
    sums = weights.sum(axis=1, keepdims=True)
    parts: Array = weights / (sums + (sums == 0))
    return parts
