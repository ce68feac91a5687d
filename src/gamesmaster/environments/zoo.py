"""One game at a time as PettingZoo knows it, over a vector environment of one game (extra `zoo`).

The agents are the powers, a step is a phase.  What the arrays mean is described in docs/environments.md.

>>> env = parallel_env("standard", until=1901)
>>> observations, infos = env.reset(seed=7)
>>> env.bounds
Bounds(slots=18, choices=287)
>>> env.order_texts("France")[0][:3]
('F Bre H', 'F Bre - Eng', 'F Bre - Gas')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar

from gamesmaster.board import Position
from gamesmaster.errors import GamesmasterError, NotFound, install, nearest
from gamesmaster.game import rules_of
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
from gamesmaster.rules import Rulebook, Rules
from gamesmaster.variant import Phase, Variant, find_variant, read_variant

try:
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import ParallelEnv
    from pettingzoo.utils import parallel_to_aec

    from gamesmaster.environments.bounds import Bounds, bounds_of
    from gamesmaster.environments.padding import Padding, spaces_of
    from gamesmaster.environments.rewards import Reward, find_reward
    from gamesmaster.environments.vector import VectorEnvironment
except ModuleNotFoundError as error:
    raise GamesmasterError(
        f"the environment needs {error.name}, which is not installed", hint=install("zoo")
    ) from error

WIDTH = 800
"""Pixels across a picture."""

Observations = dict[str, dict[str, Any]]
Infos = dict[str, dict[str, Any]]


class Painter:
    """Shows games of a variant; `near` is where the shapes lie of one that is not the package's."""

    def __init__(self, variant: Variant, rules: Rules, near: Path | None = None) -> None:
        self.variant, self.rules, self.near = variant, rules, near

    @cached_property
    def _picture(self) -> Picture:
        shapes = shapes_of(self.variant, self.near)
        return Picture(self.variant.board, shapes, self.variant.powers, signs=signs_of(self.rules))

    def text(self, phase: Phase, position: Position) -> str:
        """Return the position in words."""
        return board_in_words(self.variant, self.rules, phase, position)

    def svg(self, phase: Phase, position: Position) -> str:
        """Return the map; raises `NotFound` if the board has no shapes."""
        shown = Snapshot(
            position,
            title=self.variant.name,
            subtitle=self.variant.calendar.name(phase),
            marks=marks_of(self.rules, position),
            looks=looks_of(self.rules, position),
        )
        return self._picture.svg(shown)

    def pixels(self, phase: Phase, position: Position) -> NDArray[Any]:
        """Return the map, rows of red, green and blue; raises `GamesmasterError` without the extra `pictures`."""
        image = library("PIL.Image", "PNG").open(BytesIO(to_png(self.svg(phase, position), WIDTH)))
        return np.asarray(image.convert("RGB"))


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
    choice, a year before the game, or a variant that batches cannot play.
    """
    modes = GamesEnv.metadata["render_modes"]
    if render_mode is not None and render_mode not in modes:
        hint = nearest(render_mode, modes) or f"known: {', '.join(modes)}"
        raise NotFound(f"no way to render {render_mode[:40]!r}", hint=hint)
    near = Path(variant) if isinstance(variant, str) and Path(variant).is_dir() else None
    found = read_variant(near) if near else find_variant(variant) if isinstance(variant, str) else variant
    if rulebook is not None:
        found = replace(found, rulebook=Rulebook.of(rulebook).choices())
    own = bounds_of(found, rules_of(found, Rulebook.of(found.rulebook)))
    bounds = own if choices is None else own._replace(choices=choices)
    if bounds.choices < 1:
        raise GamesmasterError(f"a slot has room for at least one choice, not {choices}")
    vector = VectorEnvironment(found, 1, until=until)
    vector.reward = find_reward(reward)
    return GamesEnv(vector, bounds, render_mode, near)


def aec_env(variant: str | Variant = "standard", **options: Any) -> Any:
    """Return the same as `parallel_env` in the other form of PettingZoo, in which the agents act in turns."""
    return parallel_to_aec(parallel_env(variant, **options))


class GamesEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo is not typed
    """Games of one variant, one after the other, by a vector environment of one game.  Made by `parallel_env`."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "gamesmaster_v1",
        "render_modes": ["human", "ansi", "svg", "rgb_array"],
        "render_fps": 1,
        "is_parallelizable": True,
    }

    def __init__(
        self, vector: VectorEnvironment, bounds: Bounds, render_mode: str | None, near: Path | None = None
    ) -> None:
        self.vector, self.bounds, self.render_mode, self.variant = vector, bounds, render_mode, vector.variant
        self.possible_agents = list(vector.powers)
        self._near, self._me = near, np.eye(len(vector.powers), dtype=np.uint8)
        self._padding = Padding(len(self.possible_agents), bounds)
        self._spaces = {agent: self._space() for agent in self.possible_agents}
        self._actions = {agent: spaces.MultiDiscrete([bounds.choices] * bounds.slots) for agent in self.possible_agents}
        self._begin()

    def _space(self) -> spaces.Dict:
        powers = len(self.possible_agents)
        own: dict[str, spaces.Space[Any]] = {
            "me": spaces.Box(0, 1, (powers,), np.uint8),
            "action_mask": spaces.Tuple([spaces.MultiBinary(self.bounds.choices)] * self.bounds.slots),
        }
        return spaces.Dict(spaces_of(self.vector, self.bounds) | own)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of a power's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.MultiDiscrete:
        """Return the space of a power's answers: for each slot the index of an order in its list, 0 for the first."""
        return self._actions[agent]

    @property
    def state_space(self) -> spaces.Box:
        """The space of `state()`."""
        return spaces.Box(-np.inf, np.inf, self.state().shape, np.float32)

    # -- playing -----------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: object = None) -> tuple[Observations, Infos]:
        """Begin another game. The same seed gives the same games from here on; `options` are ignored."""
        begun = bool(self.vector.terminated[0] or self.vector.truncated[0])  # at the end of the game before
        if seed is not None or not begun:
            self.vector.reset(seed)
        self._begin()
        return self._observe(self.vector.observation), self._infos({})

    def _begin(self) -> None:
        self.agents = list(self.possible_agents)
        self._fill()

    def _fill(self) -> None:
        slots = self.vector.slots_of(0)
        self._padding.fill(self.vector, self.vector.choices.power[: len(slots)].astype(np.int64) - 1)

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play a phase, and pass over those after it in which nobody has anything to do.

        A power without an action, and a slot with an answer that its list has not, gets the first of its list.  Raises
        `GamesmasterError` for an action that is not whole numbers, one for each slot.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        vector, agents = self.vector, self.agents
        rows = [self._action(agent, actions.get(agent)) for agent in self.possible_agents]
        answers, unlawful = self._padding.answers(np.stack(rows))
        vector.step(answers, strict=False)
        ended, stopped = bool(vector.terminated[0]), bool(vector.truncated[0])
        self._fill()
        seen = vector.final if ended or stopped else vector.observation
        left = {agent for agent, alive in zip(self.possible_agents, seen["alive"][0], strict=True) if alive}
        observations = self._observe(seen)
        infos = self._infos(dict(zip(self.possible_agents, unlawful.tolist(), strict=True)))
        gained = dict(zip(self.possible_agents, vector.rewards[0].tolist(), strict=True))
        self.agents = [] if ended or stopped else [agent for agent in agents if agent in left]
        return (
            observations,
            {agent: gained[agent] for agent in agents},
            {agent: ended or agent not in left for agent in agents},
            {agent: stopped and agent in left for agent in agents},
            infos,
        )

    def _action(self, agent: str, action: object) -> NDArray[Any]:
        """Return an action as numbers, one for each slot, all 0 for none."""
        answers = np.zeros(self.bounds.slots, int) if action is None else np.asarray(action)
        if answers.shape != (self.bounds.slots,) or not np.issubdtype(answers.dtype, np.integer):
            raise GamesmasterError(f"an action is {self.bounds.slots} whole numbers, one for each slot", where=agent)
        return answers

    def _observe(self, seen: Mapping[str, NDArray[Any]]) -> Observations:
        """Return the agents' observations: what all see, and their own choices."""
        public = {name: array[0].copy() for name, array in seen.items()}
        mask, orders = self._padding.mask.copy(), self._padding.orders.copy()
        return {
            agent: {**public, "me": self._me[n], "orders": orders[n], "action_mask": tuple(mask[n])}
            for n, agent in enumerate(self.possible_agents)
            if agent in self.agents
        }

    def _infos(self, unlawful: Mapping[str, int]) -> Infos:
        cut = dict(zip(self.possible_agents, self._padding.cut.tolist(), strict=True))
        code = self.vector.phase(0).code
        return {agent: {"phase": code, "cut": cut[agent], "unlawful": unlawful.get(agent, 0)} for agent in self.agents}

    # -- looking -----------------------------------------------------------------------------------------------------

    def order_texts(self, agent: str) -> tuple[tuple[str, ...], ...]:
        """Return a power's choices as they are written, slot by slot; "" for none."""
        number, write = 1 + self.possible_agents.index(agent), self._painter.rules.notation.write
        powers = self.vector.choices.power[: len(self.vector.slots_of(0))]
        return tuple(
            tuple("; ".join(map(write, orders)) for orders in listed)
            for power, listed in zip(powers, self.vector.orders(0), strict=True)
            if power == number
        )

    @cached_property
    def _painter(self) -> Painter:
        return Painter(self.variant, rules_of(self.variant, Rulebook.of(self.variant.rulebook)), self._near)

    def state(self) -> NDArray[Any]:
        """Return the public state as one row of numbers: the public arrays one after the other."""
        return np.concatenate([array[0].ravel() for array in self.vector.observation.values()]).astype(np.float32)

    def render(self) -> str | NDArray[Any] | None:
        """Return the position as it stands: printed (`human`), as text (`ansi`), as an SVG document, or as pixels.

        Raises `GamesmasterError` if pictures want a library or shapes that are not there.
        """
        here = self.vector.phase(0), self.vector.position(0)
        if self.render_mode == "human":
            print(self._painter.text(*here))
            return None
        if self.render_mode == "rgb_array":
            return self._painter.pixels(*here)
        shown = {"ansi": self._painter.text, "svg": self._painter.svg}.get(self.render_mode or "")
        return shown(*here) if shown else None

    def close(self) -> None:
        """Nothing is held open."""
