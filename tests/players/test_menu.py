"""The small questions that the heuristic player asks alike at the table and in batches."""

from __future__ import annotations

from itertools import pairwise, permutations
from random import Random

from gamesmaster.engine.heuristic.menu import MOST_MOVES, find_chain, pick_moves
from gamesmaster.engine.heuristic.outlook import worth_laden
from gamesmaster.engine.heuristic.pick import best_build, least, retreat_all, worth_gone


def test_the_best_moves_are_picked() -> None:
    """Of many moves those that are worth most are picked, of equal ones the first, behind what is listed already."""
    chance = Random(1)
    for count in range(2 * MOST_MOVES):
        value = [chance.randrange(6) / 2 for _ in range(30)]
        moves, picked = sorted(chance.sample(range(30), count)), [-1] * (3 + MOST_MOVES)
        best = sorted(moves, key=lambda move: -value[move])[:MOST_MOVES]
        assert picked[3 : pick_moves(moves, value, picked, 3)] == best
        assert picked[:3] == [-1] * 3


def test_the_shortest_chain_of_fleets_is_found() -> None:
    """A chain leads from shore to shore by waters that touch; no shorter one does, and none is missed."""
    chance, size = Random(2), 7
    lengths = set()
    for _ in range(200):
        near = {(a, b) for a in range(size) for b in range(a) if chance.random() < 0.35}
        link = [int((max(a, b), min(a, b)) in near) for a in range(size) for b in range(size)]
        waters, came, chain = [w for w in range(2, size) if chance.random() < 0.8], [0] * size, [0] * size
        length = find_chain(waters, link, size, 0, 1, came, chain)
        ways = (way for n in range(1, 1 + len(waters)) for way in permutations(waters, n) if joins(link, size, way))
        found = tuple(waters[i] for i in chain[:length])
        assert len(found) == len(next(ways, ()))
        assert not found or joins(link, size, found)
        lengths.add(length)
    assert {0, 1, 2, 3} <= lengths


def joins(link: list[int], size: int, way: tuple[int, ...]) -> bool:
    """Do these waters lead from place 0 to place 1, one beside the other?"""
    stops = (0, *way, 1)
    return all(link[a * size + b] for a, b in pairwise(stops))


def test_retreats_make_room_for_each_other() -> None:
    """The unit that finds the best place of all goes there, the next to its second best; in a box there is room."""
    unit, into, worth = [0, 0, 1, 1, 2], [4, 3, 4, -1, -1], [2.0, 1.0, 3.0, 0.5, 0.0]
    taken, chosen = [0] * 6, [0] * 4
    retreat_all(len(unit), unit, into, worth, taken, chosen)
    assert chosen == [2, 3, 5, 0]
    assert taken == [0, 0, 0, 1, 1, 0]


def test_builds_are_of_the_rarer_kind() -> None:
    """What is worth as much is built of the kind that there are fewer of; what is worth least is removed."""
    assert best_build(2, [0, 1], [1.0, 1.0], [3, 1], 4) == 1
    assert best_build(2, [0, 1], [2.0, 1.0], [3, 1], 4) == 0
    assert best_build(0, [], [], [3, 1], 4) == -1
    assert least(3, [2.0, 1.0, 1.0]) == 1


def test_a_pair_is_worth_both() -> None:
    """Where it may lie, and as much as its halves on the average if it is removed, since that takes two."""
    assert [worth_laden(2.0, 1.0, lies) for lies in (False, True)] == [2.0, 3.0]
    assert [worth_gone(2.0, 1.0, both) for both in (False, True)] == [2.0, 1.5]
