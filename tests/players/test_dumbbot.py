"""DumbBot: its formula reckoned by hand on small positions, and what is known of how it plays."""

from __future__ import annotations

from collections import Counter
from random import Random

from gamesmaster.board import Location, Position, units_from
from gamesmaster.engine.heuristic.dumbbot import _size
from gamesmaster.orders import Verb
from gamesmaster.players import MINDS, DumbBot, Holder, play, views
from gamesmaster.players.assessment import Valuation

from .table import STANDARD, at


def test_the_size_of_a_power() -> None:
    """A square and four times its centres, and sixteen: nobody counts sixteen, three centres thirty-seven."""
    assert [_size(centres) for centres in (0, 1, 3, 10)] == [16, 21, 37, 156]


def test_what_a_place_is_worth() -> None:
    """Alone in Marseilles, Spain is nobody's: 700 x 16 in itself, and a fifth of that for those next to it."""
    board = STANDARD.board
    position = Position(units_from({"France": ["A MAR"]}))
    view = views(at(STANDARD, "S1901M", position))["France"]
    valuation = Valuation(view, MINDS["dumbbot"])
    value = valuation.assess().value
    portugal, centre = board.location_index[Location("POR")], 700 * 16
    # Portugal is a centre itself: in the first ring are Portugal and, where armies are concerned, Spain alone
    second = 2 * centre / 5
    spain = {board.place[end] for ends in board.reach("A", portugal).values() for end in ends}
    assert spain == {board.index["SPA"]}
    rest = value[valuation.stance("A", Location("POR"))] - 100 * centre - 1000 * second
    assert 0 < rest < 200 * centre  # eight rings more, which count from 30 down to 1
    assert valuation.ground.strength(view.rules.numbers["France"])[board.index["SPA"]] == 1


def test_units_count_in_what_a_move_is_worth() -> None:
    """An own unit in reach adds 1000 to a place, a rival's takes them off again; in Winter neither counts."""
    values = []
    for units, code in (
        ({"France": ["A MAR"]}, "F1901M"),
        ({"France": ["A MAR", "A GAS"]}, "F1901M"),
        ({"France": ["A MAR", "A GAS"], "Italy": ["F WES"]}, "F1901M"),
        ({"France": ["A MAR", "A GAS"], "Italy": ["F WES"]}, "W1901A"),
    ):
        view = views(at(STANDARD, code, Position(units_from(units))))["France"]
        valuation = Valuation(view, MINDS["dumbbot"])
        values.append(valuation.assess().value[valuation.stance("A", Location("SPA"))])
    assert [round(value - values[0]) for value in values] == [0, 1000, 0, -1000]


def test_it_takes_what_stands_free_in_autumn() -> None:
    """In Fall a centre of nobody's next to a lonely unit is taken, though not always the best one."""
    position = Position(units_from({"France": ["A GAS"], "Turkey": ["A ARM"]}))
    view = views(at(STANDARD, "F1901M", position))["France"]
    mind, goals = DumbBot().mind(view), Counter[str]()
    for seed in range(100):
        [order] = mind.orders(Random(seed))
        assert order.verb is Verb.MOVE
        assert order.to is not None
        assert STANDARD.board.province(order.to.province).centre
        goals[order.to.province] += 1
    [(_, often), (_, seldom), *_] = goals.most_common()
    assert often > seldom > 15


def test_it_grows_against_those_who_hold() -> None:
    """Against six that hold it owns a third more centres after three years, whatever it plays; it never lapses."""
    for power in ("Austria", "England"):
        players = {p.name: DumbBot() if p.name == power else Holder() for p in STANDARD.powers}
        match = play(STANDARD, players, seed=2, until=1903)
        assert match.lapses == ()
        assert match.centres[power] >= 5
