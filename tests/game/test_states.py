"""What mechanics keep is checked where it comes from outside: damaged records are refused with a path."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from gamesmaster.errors import BadFile, GamesmasterError
from gamesmaster.game import Game, dumps, loads, report
from gamesmaster.judge import LegalOrders
from gamesmaster.testing.conformance import play
from gamesmaster.variant import find_variant
from tests.lengths import short_and_long

KEEPING = ("1000ad[af_module=yes]", "conquest2", "indianomacy", "indianomacy2", "scottomacy")
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 3, 10**9, -(10**9), 1.5, "", "ATL", "England", "1"),
    *([], [[]], {}, {"a": 1}, ["ATL", 3]),
)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of everything in some data."""
    yield path
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from leaves(part, (*path, key))


def spoilt(state: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A state in which one thing is another, is missing, or is more."""
    top = {"state": copy.deepcopy(state)}
    *way, last = chance.choice([path for path in leaves(top) if len(path) > 1])
    holder: Any = top
    for key in way:
        holder = holder[key]
    match chance.randrange(4):
        case 0:
            del holder[last]
        case 1 if isinstance(holder, dict):
            holder[chance.choice(["X", "England", "ATL", "7", "winters"])] = holder[last]
        case _:
            holder[last] = chance.choice(VALUES)
    return top["state"]


@pytest.mark.parametrize("name", KEEPING)
@short_and_long("phases", 16, 40)
def test_damaged_states(name: str, phases: int) -> None:
    """Of many damaged states each is refused with its path, or is one that can be played on."""
    chance, refused, played = random.Random(name), list[str](), 0
    for game, orders in play(find_variant(name), phases, 11):
        if not game.position.state:
            continue
        data = json.loads(dumps(game))
        for _ in range(4):
            data["now"]["state"] = spoilt(json.loads(dumps(game))["now"]["state"], chance)
            try:
                damaged = loads(json.dumps(data), verify=False)
            except BadFile as error:
                refused.append(error.where)
                continue
            played += 1
            for power in damaged.survivors:
                list(LegalOrders(damaged.rules, damaged.position).of_power(damaged.phase.kind, power, damaged.season))
            after = whatever(damaged, orders)
            assert report(after)
            assert after.status is not None
    assert len(refused) > phases / 2
    assert all(where.startswith("$.now.state") for where in refused)
    assert played


def whatever(game: Game, orders: dict[str, Any]) -> Game:
    """The game after its phase, as far as these orders can be given in it."""
    for power, given in orders.items():
        try:
            game = game.submit(power, [game.rules.notation.write(order) for order in given])
        except GamesmasterError:
            continue
    return game.process()


@pytest.mark.parametrize(
    ("name", "state", "said"),
    [
        ("conquest2", {"off-board-supply": {"winters": -1, "deferred": {}}}, '["off-board-supply"].winters'),
        ("conquest2", {"off-board-supply": {"winters": 1}}, '["off-board-supply"].deferred'),
        ("conquest2", {"of-board-supply": {}}, "did you mean off-board-supply"),
        ("conquest2", {"designated-homes": {"winters": 1, "homes": {"Englnd": []}}}, "did you mean England"),
        ("indianomacy", {"taboo": {"whole": ["XXX"], "cursed": {}}}, "no province 'XXX'"),
        ("indianomacy", {"taboo": {"whole": [], "cursed": {}, "x": 1}}, "taboo.x"),
        ("scottomacy", {"army-fleet": {"999": 1}}, "no unit '999'"),
        ("standard", {"taboo": {}}, "nothing is kept in this variant"),
    ],
)
def test_refused(name: str, state: dict[str, Any], said: str) -> None:
    """A state that cannot be is refused with its path and the nearest right thing."""
    data = json.loads(dumps(Game.start(find_variant(name), seed=bytes(32))))
    data["now"]["state"] = state
    with pytest.raises(BadFile) as error:
        loads(json.dumps(data), verify=False)
    assert "$.now.state" in str(error.value)
    assert said in str(error.value)
