"""What the powers of an environment are rewarded for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gamesmaster.errors import NotFound, nearest
from gamesmaster.game import Game
from gamesmaster.game.progress import centre_counts

Reward = Callable[[Game, Game, bool], Mapping[str, float]]
"""Rewards by power for one step: given the game before and after it, and whether the episode is over."""


def growth(before: Game, after: Game, over: bool) -> dict[str, float]:
    """By how much a power's share of all supply centres has grown; over an episode they add up to the whole growth."""
    then, now = _shares(before), _shares(after)
    return {power: now[power] - then[power] for power in now}


def draw(before: Game, after: Game, over: bool) -> dict[str, float]:
    """At the end equal parts of 1 for the winners, or, if it was broken off, for all who still take part."""
    return _parts(after, after.outcome.winners if after.outcome else after.survivors) if over else _none(after)


def solo(before: Game, after: Game, over: bool) -> dict[str, float]:
    """At the end 1 for a power that has won alone, and 0 for all others."""
    winners = after.outcome.winners if over and after.outcome else ()
    return _parts(after, winners if len(winners) == 1 else ())


def squares(before: Game, after: Game, over: bool) -> dict[str, float]:
    """At the end the winners' parts as in `draw`; broken off, the squares of the centres, as parts of their sum."""
    if not over or after.outcome:
        return draw(before, after, over)
    sizes = {power: size**2 for power, size in centre_counts(after.variant, after.position).items()}
    return {power: size / max(1, sum(sizes.values())) for power, size in sizes.items()}


REWARDS: Mapping[str, Reward] = {"growth": growth, "draw": draw, "solo": solo, "squares": squares}


def find_reward(reward: str | Reward) -> Reward:
    """The reward of this name, or the function itself; raises `NotFound` with the nearest name."""
    if not isinstance(reward, str):
        return reward
    if reward not in REWARDS:
        hint = nearest(reward, REWARDS) or f"known: {', '.join(REWARDS)}"
        raise NotFound(f"no reward {reward[:40]!r}", hint=hint)
    return REWARDS[reward]


def _shares(game: Game) -> dict[str, float]:
    every = max(1, len(game.variant.board.centres))
    return {power: size / every for power, size in centre_counts(game.variant, game.position).items()}


def _parts(game: Game, winners: tuple[str, ...]) -> dict[str, float]:
    return {p.name: 1 / len(winners) if p.name in winners else 0.0 for p in game.variant.powers}


def _none(game: Game) -> dict[str, float]:
    return _parts(game, ())
