"""OpenSpiel's form: one decision for each slot; it plays the games that the vector environment plays."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from gamesmaster.errors import NotFound

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

from gamesmaster.environments import OpenSpielGame  # noqa: E402
from gamesmaster.environments.spiel import GAME_TYPE  # noqa: E402
from gamesmaster.environments.vector import VectorEnvironment  # noqa: E402
from gamesmaster.variant import find_variant  # noqa: E402
from tests.lengths import mark_long  # noqa: E402

pytestmark = pytest.mark.together


def loaded(**parameters: str | int) -> Any:
    """The game with these parameters, as OpenSpiel loads it."""
    return pyspiel.load_game(GAME_TYPE.short_name, parameters)


@pytest.mark.parametrize("name", mark_long(["standard", "scottomacy"], but=["standard"]))
def test_decisions_are_those_of_the_environment(name: str) -> None:
    """Slot by slot the same answers lead a vector environment of one game to the same positions and rewards."""
    state, chance = loaded(variant=name, until=1901, reward="growth").new_initial_state(), Random(1)
    other, seen = VectorEnvironment(find_variant(name), 1, until=1901), set()
    total = other.rewards[0].astype(float)
    while not state.is_terminal():
        answers = []
        for slot in range(int(other.choices.used[0])):
            if state.is_terminal() or state.slot != slot:
                answers.append(0)
                continue
            assert state.current_player() == other.choices.power[slot] - 1
            seen.add(state.current_player())
            answers.append(chance.choice(state.legal_actions()))
            state.apply_action(answers[-1])
        other.step(np.array(answers), strict=False)
        total += other.rewards[0]
        assert state.env.position(0) == other.position(0)
        assert state.rewards() == pytest.approx(other.rewards[0])
    assert state.returns() == pytest.approx(total)
    assert seen == set(range(len(other.powers)))
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


def test_copies_and_observations() -> None:
    """A copy goes its own way; a player sees its own answers of the phase, and nobody else's."""
    game = loaded(until=1901)
    state = game.new_initial_state()
    assert state.action_to_string(state.legal_actions()[1]) == "A Bud - Gal"
    trial = state.clone()
    trial.apply_action(1)
    assert (state.slot, trial.slot) == (0, 1)
    assert trial.observation_string(0) != state.observation_string(0)
    assert trial.observation_string(1) == state.observation_string(1)
    assert trial.observation_tensor(1) == game.new_initial_state().observation_tensor(1)
    assert sum(state.observation_tensor(0)) == sum(state.observation_tensor(1)) + 1  # where the unit stands


def test_openspiel_s_own_test() -> None:
    """OpenSpiel plays the game at random, writes it down and reads it again."""
    pyspiel.random_sim_test(loaded(until=1901), num_sims=1, serialize=True, verbose=False)


def test_unknown_parameters_are_refused() -> None:
    """No variant and no reward is guessed."""
    for wrong in ({"variant": "standrd"}, {"reward": "grwth"}):
        with pytest.raises(NotFound):
            OpenSpielGame(wrong)
