"""The forms of PettingZoo and Gymnasium are as their libraries want them; actions, rewards, ends and errors as told."""

from __future__ import annotations

import importlib
import re
import runpy
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test
from pettingzoo.utils import parallel_to_aec

from gamesmaster.board import Position
from gamesmaster.environments import GamesEnv, GymVectorEnv, VectorEnvironment, aec_env, parallel_env
from gamesmaster.errors import GamesmasterError, NotFound, install
from gamesmaster.variant import find_variant

pytestmark = pytest.mark.together
ROOT = Path(__file__).parents[2]


def drawn(env: GamesEnv, seen: Mapping[str, Any], chance: np.random.Generator) -> dict[str, Any]:
    """An action for each agent, all that the masks allow being equally likely."""
    sizes = {agent: np.asarray(seen[agent]["action_mask"]).sum(axis=1) for agent in env.agents}
    return {agent: (chance.random(len(size)) * size).astype(int) for agent, size in sizes.items()}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_it_passes_pettingzoos_own_tests() -> None:
    """PettingZoo finds nothing wrong with agents, spaces, seeds and what is given back, in both of its forms."""
    parallel_api_test(parallel_env("standard", until=1902), num_cycles=20)
    parallel_seed_test(lambda: parallel_env("standard", until=1902), num_cycles=15)
    api_test(aec_env("standard", until=1902), num_cycles=20)


def test_it_passes_pettingzoos_own_render_test(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every way to render gives what its name says."""
    monkeypatch.setattr("gamesmaster.environments.zoo.WIDTH", 120)  # small ones are made sooner
    render_test(
        lambda render_mode: parallel_to_aec(parallel_env("standard", until=1902, render_mode=render_mode)),
        {"svg": lambda shown: shown.startswith("<svg ") and "Diplomacy" in shown},
    )
    assert "Spring 1901 Movement" in capsys.readouterr().out


def test_what_is_chosen_is_ordered_and_seen_afterwards() -> None:
    """An answer is an order's place in its slot's list; the next observation tells what came of it."""
    env = parallel_env("standard", until=1901)
    env.reset(seed=1)
    actions = {}
    for agent in env.agents:
        wanted = ("A Par - Bur", "A Mun - Bur", "F Bre - Mao")
        texts = env.order_texts(agent)
        places = [next((n for n, text in enumerate(listed) if text in wanted), 0) for listed in texts]
        actions[agent] = np.array(places + [0] * (env.bounds.slots - len(places)))
    seen, *_ = env.step(actions)
    row = {str(at): number for at, number in env.variant.board.location_index.items()}
    last = seen["France"]["last"]
    assert last[row["PAR"]].tolist() == [2, row["BUR"] + 1, 0, 2]  # a move to Burgundy, which bounced
    assert last[row["BRE"]].tolist() == [2, row["MAO"] + 1, 0, 1]
    assert not last[row["MAO"]].any()
    with pytest.raises(ValueError, match="not in list"):
        env.order_texts("Atlantis")


def test_unlawful_answers_are_counted_and_order_nothing() -> None:
    """An answer beyond a list, below 0 or where nothing is asked counts as the first of its list."""
    env = parallel_env("standard", until=1901)
    env.reset(seed=1)
    answers = np.zeros(env.bounds.slots, int)
    answers[[0, 1, 5]] = (env.bounds.choices + 7, -1, 1)
    seen, _, _, _, infos = env.step({"France": answers})
    assert infos["France"]["unlawful"] == 3
    assert infos["Turkey"]["unlawful"] == 0
    assert set(seen["France"]["last"][:, 0]) == {0, 1}  # all have held


@pytest.mark.parametrize("action", [3, [0, 0], np.zeros(18), "hold"])
def test_what_is_no_action_is_refused(action: object) -> None:
    """Anything but whole numbers, one for each slot, is an error that names the power; the game stays as it was."""
    env = parallel_env("standard")
    with pytest.raises(GamesmasterError, match=r"France: an action is 18 whole numbers"):
        env.step({"Austria": np.zeros(18, int), "France": action})
    assert env.vector.phase(0).code == "S1901M"


def test_an_eliminated_power_leaves() -> None:
    """A power without centres and units is terminated, and no agent any more; a victory ends it for all."""
    standard = find_variant("standard")
    units = tuple(unit for unit in standard.start.units if unit.power != "Italy")
    owners = {p: o for p, o in standard.start.owners.items() if o != "Italy"}
    env = parallel_env(replace(standard, start=Position(units, owners)), until=1902)
    seen, _ = env.reset(seed=1)
    terminated = {"Italy": False}
    while not terminated["Italy"]:
        seen, _, terminated, _, _ = env.step(drawn(env, seen, np.random.default_rng(1)))
    assert "Italy" not in env.agents
    assert not any(gone for agent, gone in terminated.items() if agent != "Italy")
    seen, *_ = env.step({})
    assert "Italy" not in seen
    first = {unit.power: unit for unit in reversed(standard.start.units)}  # one unit each, and all else is Turkey's
    start = Position(tuple(first.values()), dict.fromkeys(standard.board.centres, "Turkey"))
    env = parallel_env(replace(standard, start=start), reward="solo")
    rewards: dict[str, float] = {}
    while env.agents:
        _, rewards, terminated, truncated, _ = env.step({})
        assert not any(truncated.values())
    assert all(terminated.values())
    assert rewards == {power: power == "Turkey" for power in env.possible_agents}
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_fewer_choices_cut_the_lists() -> None:
    """With room for fewer orders the first of each list are left, and infos say how many are gone."""
    short = parallel_env("standard", choices=3)
    seen, infos = short.reset(seed=1)
    for agent in short.agents:
        texts = short.order_texts(agent)
        assert infos[agent]["cut"] == sum(max(0, len(listed) - 3) for listed in texts) > 0
        assert np.asarray(seen[agent]["action_mask"]).shape == (18, 3)
    before = short.state()
    assert before in short.state_space
    short.step({})
    assert (short.state() != before).any()


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"variant": "standrad"}, "standard"),
        ({"reward": "grwth"}, "no reward 'grwth' (did you mean growth?)"),
        ({"render_mode": "ascii"}, "no way to render 'ascii' (did you mean ansi?)"),
        ({"choices": 0}, "at least one choice, not 0"),
        ({"until": 1900}, "no game of Diplomacy can be played until 1900"),
        ({"rulebook": "dptg"}, "cannot be played in batches"),
    ],
)
def test_what_cannot_be_made_is_said(given: dict[str, Any], complaint: str) -> None:
    """A name that nobody knows comes back with the nearest; numbers that cannot be are refused."""
    with pytest.raises(GamesmasterError, match=re.escape(complaint)):
        parallel_env(**given)


def test_a_board_without_shapes_plays_but_is_not_drawn() -> None:
    """Pictures of a board that has no shapes are an error; its text is not."""
    variant = replace(find_variant("standard"), id="nowhere")
    shown = parallel_env(variant, render_mode="ansi").render()
    assert isinstance(shown, str)
    assert "Spring 1901 Movement" in shown
    with pytest.raises(NotFound, match=r"shapes\.json"):
        parallel_env(variant, render_mode="svg").render()


@pytest.mark.parametrize("module", ["zoo", "gym"])
def test_without_gymnasium_the_extra_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a library is missing, the error says how to install it."""
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, f"gamesmaster.environments.{module}", raising=False)
    with pytest.raises(GamesmasterError, match=re.escape("needs gymnasium, which is not installed")) as caught:
        importlib.import_module(f"gamesmaster.environments.{module}")
    assert caught.value.hint == install("zoo")


def test_gymnasiums_form() -> None:
    """One learner in each game: arrays fit the spaces, games begin anew, and the same seed gives the same games."""
    standard = find_variant("standard")
    seats = ["learner", *["random"] * 6]
    with pytest.raises(GamesmasterError, match="one learner in each game"):
        GymVectorEnv(VectorEnvironment(standard, 2))
    env, ends = GymVectorEnv(VectorEnvironment(standard, 3, seats=seats, until=1901), choices=80), 0
    rewards = []
    for _ in range(2):
        seen, _ = env.reset(seed=3)
        assert env.observation_space.contains(seen)
        told = []
        for _ in range(4):
            sizes = seen["action_mask"].sum(axis=2)
            seen, reward, _, truncated, infos = env.step((sizes * 0.6).astype(int))
            assert not infos["unlawful"].any()
            assert ("final_obs" in infos) == truncated.any()
            ends += truncated.sum()
            told.append(reward.tolist())
        rewards.append(told)
    assert ends
    assert rewards[0] == rewards[1]


def test_the_examples_learn_and_search() -> None:
    """The learner's powers grow faster at the end of its training, and who searches owns more than who does not."""
    learn = runpy.run_path(str(ROOT / "examples" / "learn_by_lists.py"))["learn"]
    weights, rewards = learn(games=32, steps=40)
    assert np.mean(rewards[-3:]) > 1.5 * np.mean(rewards[:3])
    assert weights.argmax() == len(weights) - 1  # going to a centre that is not its own
    play = runpy.run_path(str(ROOT / "examples" / "search_by_rollouts.py"))["play"]
    assert play(until=1903) > play(until=1903, searches=False)
