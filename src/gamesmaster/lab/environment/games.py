"""Games as an environment for reinforcement learning: a PettingZoo `ParallelEnv` of any variant.

The agents are the powers, a step is a phase.  What the arrays mean is described in docs/lab-environment.md.

>>> env = parallel_env("standard", until=1901)
>>> observations, infos = env.reset(seed=7)
>>> env.bounds
Bounds(slots=18, choices=287)
>>> infos["France"]["orders"][0][:3]
('F Bre H', 'F Bre - Eng', 'F Bre - Gas')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gamesmaster.errors import GamesmasterError, NotFound, install, nearest
from gamesmaster.game import SEED_BYTES, Game, centre_counts, rules_of, survivors
from gamesmaster.lab.environment.actions import Bounds, bounds_of, choose_orders, menu
from gamesmaster.lab.experiment import find
from gamesmaster.pictures import (
    Picture,
    Snapshot,
    board_in_words,
    library,
    looks_of,
    marks_of,
    shapes_of,
    signs_of,
    to_png,
)
from gamesmaster.players import last_year, views
from gamesmaster.rules import Rulebook, Rules, limits_sight
from gamesmaster.variant import Variant, is_packaged

WIDTH = 800
"""Pixels across a picture."""
Reward = Callable[[Game, Game, bool], Mapping[str, float]]
"""Rewards by power for one step: given the game before and after it, and whether the episode is over."""
try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import ParallelEnv

    from gamesmaster.lab.environment.observations import Array, Observation, Spaces
except ModuleNotFoundError as error:
    raise GamesmasterError(
        f"the environment needs {error.name}, which is not installed", hint=install("zoo")
    ) from error

Observations = dict[str, Observation]
Infos = dict[str, dict[str, Any]]


class Painter:
    """Shows games of a variant; `near` is where the shapes lie of one that is not the package's."""

    def __init__(self, variant: Variant, rules: Rules, near: Path | None = None) -> None:
        self.variant, self.rules, self.near = variant, rules, near

    @cached_property
    def _picture(self) -> Picture:
        shapes = shapes_of(self.variant, self.near)
        return Picture(self.variant.board, shapes, self.variant.powers, signs=signs_of(self.rules))

    def text(self, game: Game) -> str:
        """Return the position in words."""
        return board_in_words(self.variant, self.rules, game.phase, game.position)

    def svg(self, game: Game) -> str:
        """Return the map; raises `NotFound` if the board has no shapes."""
        shown = Snapshot(
            game.position,
            title=self.variant.name,
            subtitle=self.variant.calendar.name(game.phase),
            marks=marks_of(self.rules, game.position),
            looks=looks_of(self.rules, game.position),
            ledger=replace(game.ledger, entries=()),  # whose lines would make pictures of different heights
        )
        return self._picture.svg(shown)

    def pixels(self, game: Game) -> NDArray[Any]:
        """Return the map, rows of red, green and blue; raises `GamesmasterError` without the extra `pictures`."""
        image = library("PIL.Image", "PNG").open(BytesIO(to_png(self.svg(game), WIDTH)))
        return np.asarray(image.convert("RGB"))


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
    """Return the reward of this name, or the function itself; raises `NotFound` with the nearest name."""
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


def parallel_env(
    variant: str | Variant = "standard",
    *,
    until: int | None = None,
    reward: str | Reward = "growth",
    render_mode: str | None = None,
    rulebook: Rulebook | str | Mapping[str, object] | None = None,
    choices: int | None = None,
) -> GamesEnv:
    """Return an environment of a variant: one of the package's with its options in brackets, or a folder, by its path.

    Episodes end with a victory, or are broken off when the year `until` is complete (`MOST_TURNS` turns of the calendar
    by default).  `reward` is `growth`, `draw`, `solo`, `squares` or a function.  `choices` is for how many orders a
    slot has room, if not as many as the variant's own bound says.

    Raises `NotFound` for an unknown variant, option, reward or way to render, `GamesmasterError` for less than one
    choice or a year before the game.
    """
    modes = GamesEnv.metadata["render_modes"]
    if render_mode is not None and render_mode not in modes:
        hint = nearest(render_mode, modes) or f"known: {', '.join(modes)}"
        raise NotFound(f"no way to render {render_mode[:40]!r}", hint=hint)
    found = variant if isinstance(variant, Variant) else find(variant)
    book = Rulebook.of(found.rulebook if rulebook is None else rulebook)
    own = isinstance(variant, str) and not is_packaged(variant) and Path(variant).is_dir()
    near = Path(str(variant)) if own else None
    painter = Painter(found, rules_of(found, book), near)
    return GamesEnv(painter, book, last_year(found, until), find_reward(reward), render_mode, choices)


class GamesEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo is not typed
    """Games of one variant, one after the other; `game` is the one being played.  Made by `parallel_env`."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "gamesmaster_v0",
        "render_modes": ["human", "ansi", "svg", "rgb_array"],
        "render_fps": 1,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        painter: Painter,
        rulebook: Rulebook,
        until: int,
        reward: Reward,
        render_mode: str | None,
        choices: int | None = None,
    ) -> None:
        self.painter, variant, rules = painter, painter.variant, painter.rules
        if limits_sight(rules):
            what = f"{variant.name} limits what powers see, and observations show the whole board"
            raise GamesmasterError(what, hint="its players see what `players.views` gives them")
        own = bounds_of(variant, rules)
        self.bounds = Bounds(own.slots, own.choices if choices is None else choices)
        if self.bounds.choices < 1:
            raise GamesmasterError(f"a slot has room for at least one choice, not {choices}")
        self.variant, self.rulebook, self.until = variant, rulebook, until
        self.reward, self.render_mode = reward, render_mode
        self.possible_agents = [power.name for power in variant.powers]
        self.spaces = Spaces(variant, rules, until, self.bounds)
        self._chance = Random()
        self._begin()

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of a power's observations."""
        return self.spaces.observed[agent]

    def action_space(self, agent: str) -> spaces.MultiDiscrete:
        """Return the space of a power's answers: for each slot the index of an order in its list, 0 for the first."""
        return self.spaces.answered[agent]

    @property
    def state_space(self) -> spaces.Box:
        """The space of `state()`."""
        return self.spaces.state

    # -- playing -----------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: object = None) -> tuple[Observations, Infos]:
        """Begin another game. The same seed gives the same games from here on; `options` are ignored."""
        if seed is not None:
            self._chance = Random(seed)
        self._begin()
        return self._observe(dict.fromkeys(self.agents, 0))

    def _begin(self) -> None:
        self.game = Game.start(self.variant, seed=self._chance.randbytes(SEED_BYTES), rulebook=self.rulebook)
        self.agents = self._surviving()
        self._look()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play a phase, and pass over those after it in which nobody has anything to do.

        A power without an action, and a slot with an answer that its list has not, gets the first of its list.  Raises
        `GamesmasterError` for an action that is not whole numbers, one for each slot.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        before, agents, unlawful = self.game, self.agents, self._play(actions)
        ended = self.game.outcome is not None
        stopped = not ended and self.game.phase.year > self.until
        left = set(self._surviving())
        self._look()
        observations, infos = self._observe(unlawful)
        gained = self.reward(before, self.game, ended or stopped)
        self.agents = [] if ended or stopped else [agent for agent in agents if agent in left]
        return (
            observations,
            {agent: float(gained[agent]) for agent in agents},
            {agent: ended or agent not in left for agent in agents},
            {agent: stopped and agent in left for agent in agents},
            infos,
        )

    def _play(self, actions: Mapping[str, Any]) -> dict[str, int]:
        """Give the orders that the actions make, and adjudicate; how many answers of each agent made none."""
        unlawful, taking_part = {}, set(self.game.survivors)
        sets = {agent: self.spaces.answers(agent, actions.get(agent)) for agent in self.agents}
        for agent, answers in sets.items():
            orders, unlawful[agent] = choose_orders(self._menus[agent].slots, answers)
            if agent in taking_part:
                self.game = self.game.submit(agent, self.spaces.order_texts(orders), amend=False)
        self.game = self.game.process()
        return unlawful

    def _surviving(self) -> list[str]:
        """Return the powers that are not eliminated, whether their units may be ordered or not."""
        return list(survivors(self.variant, self.game.rules, self.game.position))

    # -- looking -----------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        found = views(self.game)
        self._public = self.spaces.planes.public(next(iter(found.values())))
        self._menus = {power: menu(view, self.spaces.codes, self.bounds) for power, view in found.items()}

    def _observe(self, unlawful: Mapping[str, int]) -> tuple[Observations, Infos]:
        """Return the agents' observations, and the information beside them."""
        asked = {agent: self._menus[agent] for agent in self.agents}
        return {agent: self.spaces.observation(self._public, agent, asked[agent]) for agent in asked}, {
            agent: {
                "phase": self.game.phase.code,
                "orders": self.spaces.texts(asked[agent]),
                "cut": asked[agent].cut,
                "unlawful": unlawful[agent],
            }
            for agent in asked
        }

    def state(self) -> Array:
        """Return the public state as one row of numbers: the public arrays one after the other."""
        return np.concatenate([plane.ravel() for plane in self._public.values()]).astype(np.float32)

    def render(self) -> str | Array | None:
        """Return the position as it stands: printed (`human`), as text (`ansi`), as an SVG document, or as pixels.

        Raises `GamesmasterError` if pictures want a library or shapes that are not there.
        """
        if self.render_mode == "human":
            print(self.painter.text(self.game))
            return None
        painter = self.painter
        if self.render_mode == "rgb_array":
            return painter.pixels(self.game)
        shown = {"ansi": painter.text, "svg": painter.svg}.get(self.render_mode or "")
        return shown(self.game) if shown else None

    def close(self) -> None:
        """Nothing is held open."""
