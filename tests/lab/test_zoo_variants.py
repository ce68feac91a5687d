"""The environment covers every variant: all that stands is seen, and all that is lawful can be chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gamesmaster.board import Position, Unit
from gamesmaster.judge import LegalOrders
from gamesmaster.lab import GamesEnv, parallel_env
from gamesmaster.lab.environment.actions import COLUMNS, bounds_of, choose_orders, menu
from gamesmaster.lab.environment.observations import BY_UNIT
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.players import find_player
from gamesmaster.players.player import View, views
from gamesmaster.variant import find_variant
from tests.open_variants import open_variants

from .test_zoo import drawn

TURNS = {"scottomacy": 3, "1000ad": 8}
OPTIONS = ("1000ad[af_module=yes]", "cline9[turkey=fleet-smyrna]")


def check_position(env: GamesEnv, seen: dict[str, Any]) -> None:
    """Every unit is in one cell of the planes, every centre has one owner or none, and nothing else is there."""
    board, position, units = env.variant.board, env.game.position, seen["units"]
    powers = env.possible_agents
    expected: Counter[tuple[int, ...]] = Counter()
    for dislodged, standing in enumerate((position.units, [d.unit for d in position.dislodged])):
        for unit in standing:
            owner = powers.index(unit.power) if unit.power in powers else len(powers)
            kind, at = list(board.ways).index(unit.kind), board.locations.index(unit.at)
            expected[dislodged, bool(unit.aboard), owner, kind, at] += 1
    assert {tuple(map(int, cell)): units[tuple(cell)] for cell in np.argwhere(units)} == expected
    for number, power in enumerate(powers):
        owned = {board.provinces[n].id for n in np.flatnonzero(seen["owners"][number])}
        assert owned == {province for province, owner in position.owners.items() if owner == power}
    assert seen["owners"].sum() == len(position.owners)
    assert {board.provinces[n].id for n in np.flatnonzero(seen["centres"])} == set(board.centres)
    assert seen["phase"].sum() == 1


def check_choices(env: GamesEnv, agent: str, seen: dict[str, Any], info: dict[str, Any]) -> None:
    """The masks allow the lawful orders, the arrays and the texts tell the same ones, and nothing is left out."""
    game, mask = env.game, np.asarray(seen["action_mask"])
    slots = info["orders"]
    sizes = [len(texts) for texts in slots]
    assert mask.sum(axis=1).tolist() == [*sizes, *[1] * (env.bounds.slots - len(sizes))]
    assert all((row[:size] == 1).all() for row, size in zip(mask, sizes, strict=False))
    assert info["cut"] == 0
    if not sizes:
        return
    write = game.rules.notation.write
    lawful = LegalOrders(game.rules, game.position).of_power(game.phase.kind, agent, game.season)
    offered = {text for texts in slots for text in texts if text}
    assert offered == {write(order) for order in lawful if order.verb is not Verb.WAIVE}
    assert [
        [bool(row[0]) for row in rows] for rows in (seen["orders"][slot, :size] for slot, size in enumerate(sizes))
    ] == [[bool(text) for text in texts] for texts in slots]
    assert not seen["orders"][mask == 0].any()


@pytest.mark.parametrize("name", [*open_variants(), *OPTIONS])
def test_random_episodes_of_every_variant(name: str) -> None:
    """Whatever the masks allow can be played, phase after phase, and the arrays say how things stand."""
    calendar = find_variant(name).calendar
    turns = TURNS.get(name, 5)
    env = parallel_env(name, until=calendar.first.year + turns * calendar.years_per_turn - 1, reward="squares")
    chance = np.random.default_rng(5)
    seen, infos = env.reset(seed=5)
    kinds, rewards = set(), dict.fromkeys(env.agents, 0.0)
    assert env.agents == env.possible_agents
    while env.agents:
        kinds.add(env.game.phase.kind)
        check_position(env, seen[env.agents[0]])
        for agent in env.agents:
            assert env.observation_space(agent).contains(seen[agent])
            check_choices(env, agent, seen[agent], infos[agent])
        seen, rewards, *_, infos = env.step(drawn(env, seen, chance))
        assert not any(info["unlawful"] for info in infos.values())
    assert kinds >= {PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS}
    assert sum(rewards.values()) == pytest.approx(1.0 if env.game.survivors else 0.0)  # all may have starved


def listed_as(order: Order, listed: Sequence[Order | None]) -> Order | None:
    """How an order is listed: what removes the rest of a pair, whose other half goes too, as that half of it."""
    half = replace(order, of_kind="A/F") if order.verb is Verb.REMOVE and not order.of_kind else order
    return next((one for one in (order, half) if one in listed), None)


class Through:
    """A player that answers by the slots of the environment what another one ordered, where it is offered."""

    name = "through"

    def __init__(self, env: GamesEnv, missed: Counter[AnyVerb], inner: str) -> None:
        self.env, self.missed, self.inner = env, missed, find_player(inner)

    def orders(self, view: View) -> list[str]:
        """The orders of the player within, put into an action and taken out of it again."""
        asked = menu(view, self.env.spaces.codes, self.env.bounds)
        wanted = [o for o in self.inner.orders(view) if not isinstance(o, str) and o.verb is not Verb.WAIVE]
        answers, left = [0] * self.env.bounds.slots, list(wanted)
        for slot, listed in enumerate(asked.slots):
            found = next((order for order in left if listed_as(order, listed)), None)
            if found is not None:
                answers[slot] = listed.index(listed_as(found, listed))
                left.remove(found)
        given, unlawful = choose_orders(asked.slots, answers)
        assert unlawful == 0
        self.missed.update(order.verb for order in left)
        return list(self.env.spaces.order_texts(given))


@pytest.mark.parametrize("name", open_variants())
def test_whatever_a_player_orders_can_be_chosen(name: str) -> None:
    """Every order of good and random players, riders, arrivals and homes among them, is an answer in some slot."""
    calendar = find_variant(name).calendar
    least, most = (calendar.first.year + turns * calendar.years_per_turn for turns in (4, 12))
    env = parallel_env(name, until=most)
    env.reset(seed=5)
    missed: Counter[AnyVerb] = Counter()
    players = [Through(env, missed, inner) for inner in ("heuristic", "random")]
    played = env.game
    kinds: set[PhaseKind] = set()
    while not played.outcome and (played.phase.year < least or (len(kinds) < 3 and played.phase.year < most)):
        kinds.add(played.phase.kind)
        for number, (power, view) in enumerate(views(played).items()):
            if view.is_due:
                player = players[number % 2]
                played = played.submit(power, player.orders(view), amend=False)
        played = played.process()
    assert not missed
    assert kinds == set(PhaseKind) or played.outcome  # one may be over before anybody had to retreat


def state_of(name: str, state: dict[str, object], units: tuple[Unit, ...] = ()) -> tuple[GamesEnv, dict[str, Any]]:
    """The arrays of a position with these states of mechanics."""
    env = parallel_env(name)
    planes = env.spaces.planes
    found = {n: np.zeros(space.shape, space.dtype) for n, space in planes.spaces.items()}
    planes._state(found["places"], found["counts"], Position(units, {}, (), state))
    return env, found


def test_boats_taboos_and_clocks_are_seen() -> None:
    """Each mechanic's layer tells what lies where, of whom, and how long: a number n as n + 1, a thing as 1."""
    board = find_variant("scottomacy").board
    here, there = board.provinces[3].id, board.provinces[5].id
    powers = [power.name for power in find_variant("scottomacy").powers]
    env, found = state_of(
        "scottomacy", {"boats": {"lie": {here: [powers[1], powers[1], powers[2]]}, "raw": {there: powers[2]}}}
    )
    layer = found["places"][env.spaces.planes.mechanics.index("boats")]
    assert {tuple(map(int, cell)): layer[tuple(cell)] for cell in np.argwhere(layer)} == {
        (1, 3): 2, (2, 3): 1, (2, 5): 1
    }  # fmt: skip
    board = find_variant("indianomacy").board
    ids = [province.id for province in board.provinces]
    power = find_variant("indianomacy").powers[2].name
    state = {"taboo": {"whole": ids[:2], "cursed": {power: 2}}, "slow-crossing": {ids[7]: 0}}
    env, found = state_of("indianomacy", state)
    taboo, clocks = (env.spaces.planes.mechanics.index(key) for key in ("taboo", "slow-crossing"))
    nobody = len(env.possible_agents)
    assert found["places"][taboo, nobody, :2].tolist() == [1, 1]
    assert found["counts"][taboo, 2] == 3
    assert found["places"][clocks, nobody, 7] == 1
    assert found["places"].sum() == 3
    assert found["counts"].sum() == 3


def test_seasons_at_sea_are_seen_where_the_unit_is() -> None:
    """What a mechanic keeps by a unit's number is told of its power and province."""
    variant = find_variant("conquest2")
    unit = next(unit for unit in variant.start.units if unit.power == variant.powers[1].name)
    (by_unit,) = BY_UNIT
    env, found = state_of("conquest2", {by_unit: {str(unit.number): 1}}, variant.start.units)
    layer = found["places"][env.spaces.planes.mechanics.index(by_unit)]
    assert layer.sum() == layer[1, variant.board.index[unit.at.province]] == 2


@pytest.mark.parametrize("name", open_variants())
def test_bounds_are_of_the_variant(name: str) -> None:
    """They are the same for every game, allow for the start, and fit what columns can tell."""
    variant = find_variant(name)
    env = parallel_env(variant)
    bounds = bounds_of(variant, env.game.rules)
    assert bounds == env.bounds
    assert bounds.slots >= max(len(power.units) for power in variant.powers)
    assert env.observation_space(env.agents[0])["orders"].shape == (*bounds, len(COLUMNS))
