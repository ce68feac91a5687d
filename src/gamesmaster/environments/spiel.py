"""Games as OpenSpiel knows them: one decision for each slot, over a vector environment of one game (extra `openspiel`).

Importing this registers the game `python_gamesmaster`.

>>> game = pyspiel.load_game("python_gamesmaster(until=1901)")
>>> state = game.new_initial_state()
>>> state.action_to_string(state.legal_actions()[1])
'A Bud - Gal'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gamesmaster.errors import GamesmasterError, install
from gamesmaster.variant import find_variant

try:
    import numpy as np
    import pyspiel

    from gamesmaster.batches.state import KINDS
    from gamesmaster.environments.bounds import bounds_of
    from gamesmaster.environments.rewards import find_reward
    from gamesmaster.environments.vector import VectorEnvironment
except ModuleNotFoundError as error:
    raise GamesmasterError(
        f"OpenSpiel's form needs {error.name}, which is not installed", hint=install("openspiel")
    ) from error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

PARAMETERS: Mapping[str, str | int] = {"variant": "standard", "until": 0, "reward": "draw", "seed": 0}
"""The parameters of the game and their defaults: `until` is the last year, 0 for `MOST_TURNS` turns."""

MOST_POWERS = 64

GAME_TYPE = pyspiel.GameType(
    short_name="python_gamesmaster",
    long_name="Diplomacy and its variants",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=MOST_POWERS,
    min_num_players=1,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=dict(PARAMETERS),
)


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel is not typed
    """A variant as a game of OpenSpiel; its players are the powers, in the variant's order.

    An action is the number of an answer in the list of its slot; orders beyond `bounds.choices` are left out.  Orders
    of a phase are carried out when all have been given, and others see them only then.  Dice come from `seed`.

    Raises what `VectorEnvironment` raises, and `NotFound` for an unknown variant or reward.
    """

    def __init__(self, params: Mapping[str, str | int] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        variant, until = find_variant(str(given["variant"])), int(given["until"])
        self.begun = VectorEnvironment(variant, 1, seed=int(given["seed"]), until=until or None)
        self.begun.reward = find_reward(str(given["reward"]))
        self.bounds = bounds_of(variant, self.begun.batch.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.bounds.choices,
            max_chance_outcomes=0,
            num_players=len(variant.powers),
            min_utility=-1.0,
            max_utility=1.0,
            max_game_length=2 * len(self.begun.phases) * self.begun.batch.games.units.number.shape[1],
        )
        super().__init__(GAME_TYPE, info, dict(params or {}))

    def new_initial_state(self) -> OpenSpielState:
        """Return the state at the start."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> Observer:
        """Return what writes observations: one kind, without parameters."""
        return Observer(self.begun)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A game between two decisions: the environment (`env`), its slot that is asked now, and the answers so far."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.env, self.over, self.choices = game.begun.clone(), False, game.bounds.choices
        self._rewards = np.zeros(len(self.env.powers))
        self._returns = np.zeros(len(self.env.powers))
        self._ask()

    def _ask(self) -> None:
        """Begin with the slots of a phase."""
        self.answers, self.slot = np.full(self.env.choices.used[0], -1), 0
        self._pass_by()

    def _pass_by(self) -> None:
        """Go on to the next slot that has possible answers, and carry out the phase behind the last one."""
        while self.slot < len(self.answers) and not self._possible():
            self.answers[self.slot] = 0
            self.slot += 1
        if self.slot == len(self.answers):
            self.env.step(self.answers, strict=False)
            self._rewards = self.env.rewards[0].astype(float)
            self._returns += self._rewards
            self.over = bool(self.env.terminated[0] or self.env.truncated[0])
            if not self.over:
                self._ask()

    def _possible(self) -> list[int]:
        """Return the answers that are possible in this slot, beside those given."""
        begin, end = self.env.choices.begin[self.slot : self.slot + 2]
        found: list[int] = np.flatnonzero(self.env.possible(self.answers)[begin:end][: self.choices]).tolist()
        return found

    def current_player(self) -> int:
        """Return the number of the power whose unit is asked, from 0."""
        terminal: int = pyspiel.PlayerId.TERMINAL
        return terminal if self.over else int(self.env.choices.power[self.slot]) - 1

    def _legal_actions(self, player: int) -> list[int]:
        return self._possible() if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        self._rewards = np.zeros_like(self._rewards)
        self.answers[self.slot] = action
        self.slot += 1
        self._pass_by()

    def _action_to_string(self, player: int, action: int) -> str:
        orders = self.env.orders(0)[self.slot][action]
        return "; ".join(map(self.env.batch.rules.notation.write, orders)) or "nothing"

    def is_terminal(self) -> bool:
        """Return whether the episode has ended."""
        return self.over

    def rewards(self) -> list[float]:
        """Return the rewards of the last decision: those of a phase come with the last answer."""
        return [float(reward) for reward in self._rewards]

    def returns(self) -> list[float]:
        """Return the sums of the rewards so far."""
        return [float(total) for total in self._returns]

    def __str__(self) -> str:
        return f"{self.env.phase(0).code} {self.env.position(0).digest[:8]} {self.answers[: self.slot].tolist()}"


class Observer:
    """Writes what a player sees: `player`, the public arrays of the environment, and where the unit asked stands.

    `dict` has these pieces of the `tensor` by name.
    """

    def __init__(self, env: VectorEnvironment) -> None:
        shapes = {name: array.shape[1:] for name, array in env.observation.items()}
        shapes = {"player": (len(env.powers),), **shapes, "asked": (len(env.variant.board.locations),)}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, Array] = {}
        at = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what a player sees of a state."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        env = state.env
        for name, array in (env.final if state.over else env.observation).items():
            self.dict[name][...] = array[0]
        if state.current_player() == player and (row := env.choices.row[state.slot]):
            retreats = KINDS[env.kind[0]] == "retreats"
            stances = env.batch.games.beaten.stance if retreats else env.batch.games.units.stance
            self.dict["asked"][stances[0, row] % len(self.dict["asked"])] = 1

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the phase, the position's digest, the power, and its answers so far."""
        env, own = state.env, range(state.slot if not state.over else 0)
        answers = [int(state.answers[slot]) for slot in own if env.choices.power[slot] == player + 1]
        return f"{env.phase(0).code} {env.position(0).digest[:8]} {env.powers[player]} {answers}"


pyspiel.register_game(GAME_TYPE, OpenSpielGame)
