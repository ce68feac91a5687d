"""The environment is one as PettingZoo knows them, and rewards, ends and errors are as told."""

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
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import parallel_api_test, parallel_seed_test, render_test
from pettingzoo.utils import parallel_to_aec

from gamesmaster.board import Position
from gamesmaster.errors import GamesmasterError, NotFound, install
from gamesmaster.game import Game
from gamesmaster.lab import GamesEnv, parallel_env
from gamesmaster.lab.environment.actions import RESULTS, VERBS
from gamesmaster.lab.environment.games import REWARDS
from gamesmaster.orders import Verb
from gamesmaster.players.match import seed_of
from gamesmaster.players.player import views
from gamesmaster.rules import Result
from gamesmaster.variant import find_variant

ROOT = Path(__file__).parents[2]


def drawn(env: GamesEnv, seen: Mapping[str, Any], chance: np.random.Generator) -> dict[str, Any]:
    """An action for each agent, all that the masks allow being equally likely."""
    sizes = {agent: np.asarray(seen[agent]["action_mask"]).sum(axis=1) for agent in env.agents}
    return {agent: (chance.random(len(size)) * size).astype(int) for agent, size in sizes.items()}


def ordered(env: GamesEnv, infos: Mapping[str, Any], *wanted: str) -> dict[str, Any]:
    """Actions that give these orders where they are offered, and nothing else."""
    actions = {}
    for agent in env.agents:
        actions[agent] = np.zeros(env.bounds.slots, int)
        for slot, texts in enumerate(infos[agent]["orders"]):
            actions[agent][slot] = next((n for n, text in enumerate(texts) if text in wanted), 0)
    return actions


@pytest.mark.parametrize(("variant", "until"), [("standard", 1903), ("conquest2", 1620)])
def test_it_passes_pettingzoos_own_api_test(variant: str, until: int) -> None:
    """PettingZoo finds nothing wrong with agents, spaces and what is given back."""
    parallel_api_test(parallel_env(variant, until=until), num_cycles=40)


def test_it_passes_pettingzoos_own_seed_test() -> None:
    """The same seed gives the same episode, to every array and text."""
    parallel_seed_test(lambda: parallel_env("cline9", until=1902), num_cycles=30)


def test_it_passes_pettingzoos_own_render_test(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every way to render gives what its name says."""
    monkeypatch.setattr("gamesmaster.lab.environment.games.WIDTH", 120)  # small ones are made sooner
    render_test(
        lambda render_mode: parallel_to_aec(parallel_env("standard", until=1902, render_mode=render_mode)),
        {"svg": lambda shown: shown.startswith("<svg ") and "Diplomacy" in shown},
    )
    assert "Spring 1901 Movement" in capsys.readouterr().out


def test_a_seed_goes_on_from_game_to_game() -> None:
    """A reset without a seed begins another game, and the same ones follow the same seed."""
    first, second = parallel_env("indianomacy"), parallel_env("indianomacy")
    for env in (first, second):
        env.reset(seed=4)
    seeds = [first.game.seed]
    for env in (first, second):
        env.reset()
        seeds.append(env.game.seed)
    assert seeds[0] != seeds[1]
    assert seeds[2] == seeds[1]


def test_what_is_chosen_is_ordered_and_seen_afterwards() -> None:
    """An answer is an order's place in its slot's list; the next observation tells what came of it."""
    env = parallel_env("standard", until=1901)
    _, infos = env.reset(seed=1)
    seen, *_ = env.step(ordered(env, infos, "A Par - Bur", "A Mun - Bur", "F Bre - Mao"))
    record = env.game.records[0]
    assert record.orders["France"] == ("F Bre - Mao", "A Mar H", "A Par - Bur")
    places = env.variant.board.location_index
    row = {str(at): number for at, number in places.items()}
    last = seen["France"]["last"]
    assert tuple(last[row["PAR"]][[0, 2, 3, -1]]) == (
        VERBS[Verb.MOVE], row["PAR"] + 1, row["BUR"] + 1, RESULTS[Result.BOUNCES]
    )  # fmt: skip
    assert last[row["BRE"]][-1] == RESULTS[Result.SUCCEEDS]
    assert not last[row["MAO"]].any()


def test_unlawful_answers_are_counted_and_order_nothing() -> None:
    """An answer beyond a list, below 0 or where nothing is asked counts as the first of its list."""
    env = parallel_env("standard", until=1901)
    env.reset(seed=1)
    answers = np.zeros(env.bounds.slots, int)
    answers[[0, 1, 5]] = (env.bounds.choices + 7, -1, 1)
    _, _, _, _, infos = env.step({"France": answers})
    assert infos["France"]["unlawful"] == 3
    assert infos["Turkey"]["unlawful"] == 0
    assert env.game.records[0].orders["France"] == ("F Bre H", "A Mar H", "A Par H")


@pytest.mark.parametrize("action", [3, [0, 0], np.zeros(18), "hold"])
def test_what_is_no_action_is_refused(action: object) -> None:
    """Anything but whole numbers, one for each slot, is an error that names the power; the game stays as it was."""
    env = parallel_env("standard")
    with pytest.raises(GamesmasterError, match=r"France: an action is 18 whole numbers"):
        env.step({"Austria": np.zeros(18, int), "France": action})
    assert not env.game.records
    assert not env.game.orders


def test_observations_tell_nothing_of_orders_sent() -> None:
    """Arrays made of a game are the same whether others have sent orders for the phase or not."""
    env = parallel_env("standard")
    game = env.game.submit("England", "F Lon - Nth").submit("Germany", "A Mun - Bur")
    for before, after in zip(views(env.game).values(), views(game).values(), strict=True):
        assert data_equivalence(env.spaces.planes.public(before), env.spaces.planes.public(after))


def test_rewards_of_growth_add_up() -> None:
    """Over an episode they come to the growth of a power's share of the centres."""
    env = parallel_env("standard", until=1903)
    seen, _ = env.reset(seed=2)
    chance, gained = np.random.default_rng(2), dict.fromkeys(env.possible_agents, 0.0)
    truncated: dict[str, bool] = {}
    while env.agents:
        seen, rewards, _, truncated, _ = env.step(drawn(env, seen, chance))
        for agent, reward in rewards.items():
            gained[agent] += reward
    for power in env.variant.powers:
        grown = len(env.game.position.centres(power.name)) - len(power.homes)
        assert gained[power.name] == pytest.approx(grown / 34)
    assert any(gained.values())
    assert all(truncated.values())
    assert env.step({}) == ({}, {}, {}, {}, {})


def ended(winners: tuple[str, ...]) -> tuple[Game, Game]:
    """A game before and after its end by a vote, or one under way if nobody wins."""
    game = Game.start(find_variant("standard"), seed=seed_of(1))
    if not winners:
        return game, game
    after = game
    for power in game.survivors:
        if winners == game.survivors:
            after = after.vote_draw(power)
        elif power not in winners:
            after = after.concede(power, winners[0])
    return game, after


def test_rewards_at_the_end() -> None:
    """Winners share 1; a game that is broken off is shared by survivors, by squares of centres, or by nobody."""
    alone, broken = ended(("Italy",)), ended(())
    together = ended(broken[0].survivors)
    for name, won, shared, stopped in (
        ("draw", 1, 1 / 7, 1 / 7), ("solo", 1, 0, 0), ("squares", 1, 1 / 7, 9 / (6 * 9 + 16)), ("growth", 0, 0, 0)
    ):  # fmt: skip
        reward = REWARDS[name]
        assert reward(*alone, True) == {p: won * (p == "Italy") for p in alone[0].survivors}
        assert reward(*together, True)["Italy"] == pytest.approx(shared)
        assert reward(*broken, True)["Italy"] == pytest.approx(stopped)
        assert not any(reward(*broken, False).values())


def test_a_reward_of_ones_own() -> None:
    """A function of the game before and after a step rewards as well as a name."""
    env = parallel_env("standard", reward=lambda before, after, over: {p: len(after.records) for p in after.survivors})
    env.reset()
    assert env.step({})[1]["Italy"] == 1


def test_who_is_eliminated_leaves() -> None:
    """A power without centres and units is told that it is over, once, and the others play on."""
    env = parallel_env("standard", until=1960)
    seen, _ = env.reset(seed=11)
    chance = np.random.default_rng(11)
    while len(env.agents) == 7:
        seen, rewards, terminated, truncated, infos = env.step(drawn(env, seen, chance))
    out = {agent for agent, over in terminated.items() if over}
    assert out
    assert set(env.agents) == set(env.possible_agents) - out
    assert set(seen) == set(rewards) == set(infos) == set(env.possible_agents)
    assert not any(truncated.values())
    assert all(infos[agent]["orders"] == () for agent in out)
    seen, *_ = env.step(drawn(env, seen, chance))
    assert not out & set(seen)


def test_a_victory_ends_it_for_all() -> None:
    """When somebody has won, every agent is told so and none is left."""
    standard = find_variant("standard")
    first = {unit.power: unit for unit in reversed(standard.start.units)}  # one unit each, and all else is Turkey's
    start = Position(tuple(first.values()), dict.fromkeys(standard.board.centres, "Turkey"))
    env = parallel_env(replace(standard, start=start), reward="solo")
    while env.agents:
        _, rewards, terminated, truncated, _ = env.step({})
    assert all(terminated.values())
    assert not any(truncated.values())
    assert rewards == {power: power == "Turkey" for power in env.possible_agents}


def test_the_critics_state() -> None:
    """It holds all that the public arrays hold, and changes with the position."""
    env = parallel_env("scottomacy")
    seen, _ = env.reset(seed=3)
    before = env.state()
    assert before in env.state_space
    assert before.sum() == pytest.approx(sum(float(seen[env.agents[0]][n].sum()) for n in env.spaces.planes.spaces))
    env.step(drawn(env, seen, np.random.default_rng(3)))
    assert (env.state() != before).any()


def test_fewer_choices_cut_the_lists() -> None:
    """With room for fewer orders the first of each list are left, and infos say how many are gone."""
    whole, short = parallel_env("standard"), parallel_env("standard", choices=3)
    _, all_orders = whole.reset(seed=1)
    seen, infos = short.reset(seed=1)
    for agent in short.agents:
        lists, cut = all_orders[agent]["orders"], infos[agent]["orders"]
        assert cut == tuple(texts[:3] for texts in lists)
        assert infos[agent]["cut"] == sum(map(len, lists)) - sum(map(len, cut)) > 0
        assert np.asarray(seen[agent]["action_mask"]).shape == (18, 3)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"variant": "standrad"}, "standard"),
        ({"reward": "grwth"}, "no reward 'grwth' (did you mean growth?)"),
        ({"render_mode": "ascii"}, "no way to render 'ascii' (did you mean ansi?)"),
        ({"choices": 0}, "at least one choice, not 0"),
        ({"until": 1900}, "no game of Diplomacy can be played until 1900"),
    ],
)
def test_what_cannot_be_made_is_said(given: dict[str, Any], complaint: str) -> None:
    """A name that nobody knows comes back with the nearest; numbers that cannot be are refused."""
    with pytest.raises(GamesmasterError, match=re.escape(complaint)):
        parallel_env(**given)


def test_a_board_without_shapes_plays_but_is_not_drawn() -> None:
    """Pictures of a board that has no shapes are an error; its text is not."""
    variant = replace(find_variant("standard"), id="nowhere")
    env = parallel_env(variant, render_mode="ansi")
    shown = env.render()
    assert isinstance(shown, str)
    assert "Spring 1901 Movement" in shown
    with pytest.raises(NotFound, match=r"shapes\.json"):
        parallel_env(variant, render_mode="svg").render()


def test_without_pettingzoo_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the library is missing, the error says how to install it."""
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "gamesmaster.lab.environment.games")
    with pytest.raises(GamesmasterError, match=re.escape("needs pettingzoo, which is not installed")) as caught:
        importlib.import_module("gamesmaster.lab.environment.games")
    assert caught.value.hint == install("zoo")


def test_the_example_learns() -> None:
    """The agent of examples/learn_by_masks.py grows faster at the end of its training than at the beginning."""
    learn = runpy.run_path(str(ROOT / "examples" / "learn_by_masks.py"))["learn"]
    weights, rewards = learn(episodes=24, seed=1)
    assert np.mean(rewards[-8:]) > 1.15 * np.mean(rewards[:8]) > 0
    assert weights.argmax() == 20  # going to a centre that is not its own
