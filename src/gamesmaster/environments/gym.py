"""Many games as Gymnasium's vector form knows them: one learner in each game (extra `zoo`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamesmaster.errors import GamesmasterError, install

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from gamesmaster.environments.bounds import Bounds, bounds_of
    from gamesmaster.environments.padding import Padding, spaces_of
    from gamesmaster.environments.vector import VectorEnvironment
except ModuleNotFoundError as error:
    raise GamesmasterError(
        f"Gymnasium's form needs {error.name}, which is not installed", hint=install("zoo")
    ) from error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


class GymVectorEnv(VectorEnv):
    """A vector environment with one learner in each game, in Gymnasium's form; games that end begin anew at once.

    Observations are those of the vector environment, and `me` (the learner's power), `orders` and `action_mask` as in
    PettingZoo's form; what was seen at the end of an episode is `final_obs` in the infos.  All arrays are written in
    place.  `choices` is for how many orders a slot has room, if not as many as the variant's own bound says.

    Raises `GamesmasterError` unless just one seat is a learner's.
    """

    metadata = {  # noqa: RUF012
        "autoreset_mode": AutoresetMode.SAME_STEP
    }

    def __init__(self, vector: VectorEnvironment, *, choices: int | None = None) -> None:
        if (vector.learns.sum(axis=1) != 1).any():
            raise GamesmasterError("Gymnasium's form has one learner in each game", where=vector.variant.id)
        bounds: Bounds = bounds_of(vector.variant, vector.batch.rules)
        bounds = bounds if choices is None else bounds._replace(choices=choices)
        self.vector, self.num_envs, self.bounds = vector, len(vector), bounds
        self.learner = vector.learns[:, 1:].argmax(axis=1)
        self._padding = Padding(self.num_envs, bounds)
        powers = len(vector.powers)
        self._me = np.eye(powers, dtype=np.uint8)[self.learner]
        own: dict[str, spaces.Space[Any]] = {
            "me": spaces.Box(0, 1, (powers,), np.uint8),
            "action_mask": spaces.Box(0, 1, bounds, np.int8),
        }
        self.single_observation_space = spaces.Dict(spaces_of(vector, bounds) | own)
        self.single_action_space = spaces.MultiDiscrete([bounds.choices] * bounds.slots)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._fill()

    def _fill(self) -> None:
        slots = int(self.vector.choices.used[0])
        self._padding.fill(self.vector, self.vector.choices.game[:slots].astype(np.int64))

    def _observation(self) -> dict[str, Array]:
        own = {"me": self._me, "orders": self._padding.orders, "action_mask": self._padding.mask}
        return {**self.vector.observation, **own}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Begin all games anew; the same `seed` gives the same games from here on."""
        self.vector.reset(seed)
        self._fill()
        return self._observation(), {}

    def step(self, actions: Any) -> tuple[dict[str, Array], Array, Array, Array, dict[str, Any]]:
        """Play a phase by the actions, shape (games, slots); what names no order of a list counts as its first."""
        answers, unlawful = self._padding.answers(np.asarray(actions))
        self.vector.step(answers, strict=False)
        self._fill()
        rewards = self.vector.rewards[np.arange(self.num_envs), self.learner]
        ended = self.vector.terminated | self.vector.truncated
        infos: dict[str, Any] = {"unlawful": unlawful}
        if ended.any():
            infos |= {"final_obs": self.vector.final, "_final_obs": ended}
        return self._observation(), rewards, self.vector.terminated, self.vector.truncated, infos
