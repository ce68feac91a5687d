"""What heuristic players remember, and what they make of it."""

from __future__ import annotations

import pytest

from gamesmaster.engine.heuristic.memory import PEAK, SINCE, Memory, Moves, new_memory, note
from gamesmaster.engine.heuristic.outlook import weigh_centres
from gamesmaster.game import Game
from gamesmaster.players import Heuristic, Tastes, views
from gamesmaster.players.recall import memory_of, new_list

from .table import SEED, STANDARD, told

CENTRE = [1, 1, 0]


def moved(memory: Memory, *goals: int, holder: tuple[int, ...] = (1, 2, 0)) -> None:
    """Note a movement of a unit of power 1 in province 0 and one of power 2 in province 1."""
    moves = Moves([0, 7, 8], [0, 1, 2], [-1, 0, 1], [-1, *goals], holder)
    note(memory, moves, 2, CENTRE, powers=3)


def test_failures_in_a_row_are_counted() -> None:
    """A unit that is ordered to the same place again has failed there; another goal, or a hold, begins anew."""
    memory = new_memory(3, 3, new_list)
    tries = []
    for goal in (2, 2, 2, 1, 1, -1, 1):
        moved(memory, goal, -1)
        tries.append((memory.unit[0], memory.tries[0]))
    assert tries == [(7, 1), (7, 2), (7, 3), (7, 1), (7, 2), (0, 1), (7, 1)]


def test_attacks_are_remembered_and_fade() -> None:
    """A move at a unit, or into a centre, of another power is held against it, less with each movement."""
    memory = new_memory(3, 3, new_list)
    moved(memory, 1, -1)
    assert memory.grudge[2 * 3 + 1] == 1
    moved(memory, -1, 2)  # nobody's
    assert memory.grudge[2 * 3 + 1] == 0.8
    assert sum(memory.grudge) == 0.8


def test_growth_is_remembered() -> None:
    """The movements since any power owned more centres than one ever had."""
    memory = new_memory(3, 3, new_list)
    seen = []
    for holder in ((1, 2, 0), (1, 2, 0), (1, 1, 0), (1, 2, 0)):
        moved(memory, -1, -1, holder=holder)
        seen.append((memory.growth[PEAK], memory.growth[SINCE]))
    assert seen == [(1, 0), (1, 1), (2, 0), (2, 1)]


def test_centres_of_those_who_kept_peace_are_worth_less() -> None:
    """Only a grudge brings the value of a peaceful neighbour's centre back; free ones have a value of their own."""
    worth = [0.0] * 3
    tastes = Tastes(free=3, taking=1, leader=0, keeping=0, peace=0.5)
    for grudge, expected in ((0.0, 0.5), (1.0, 0.75)):
        grudges = [0.0] * 9
        grudges[1 * 3 + 2] = grudge
        weigh_centres(worth, [1, 1, 1], [2, 0, 1], [0, 1, 1], [0, 0, 0], grudges, 1, tastes)
        assert worth == [expected, 3, 0]


@pytest.mark.parametrize(("sizes", "own", "other"), [((0, 4, 2, 0), 2, 1), ((0, 2, 4, 0), 3, 2), ((0, 3, 3, 0), 3, 1)])
def test_who_leads_guards_less_and_is_envied(sizes: tuple[int, ...], own: float, other: float) -> None:
    """A power larger than the mean of those that own centres guards its own less, and its centres are worth more."""
    worth, tastes = [0.0] * 2, Tastes(keeping=3, taking=1, leader=0, daring=1, envy=3)
    weigh_centres(worth, [1, 1], [1, 2], sizes, [2, 0], [0.0] * 16, 1, tastes)
    assert worth == pytest.approx([own, other])


def test_who_has_no_patience_does_not_try_again() -> None:
    """A move that has just failed twice is given up for another; with patience it is tried for ever."""
    game = Game.start(STANDARD, seed=SEED)
    for _ in range(2):
        game = game.submit("Germany", "A Mun - Tyr").submit("Italy", "A Ven - Tyr").process()
    memory = memory_of(game.rules, game.records)
    assert memory.tries[STANDARD.board.index["MUN"]] == 2
    tastes = Tastes(now=(2.0, 0.4), later=(0.8, 0.5), whim=0)
    for patience, again in ((1.0, True), (0.0, False)):
        view = views(game)["Germany"]
        orders = told(Heuristic(tastes._replace(patience=patience)), view)
        assert ("A Mun - Tyr" in orders) == again, orders
