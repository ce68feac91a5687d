"""The count and the Winter over columns: who takes what, which sites are open, who can be fed, who goes first."""

from __future__ import annotations

from random import Random

import pytest

from gamesmaster.board import Position, Unit
from gamesmaster.engine import cost_of, may_be_removed
from gamesmaster.engine.winter import EMPTY, OWNED, is_affordable, is_site, measure, next_to_go, settle, turn_of
from gamesmaster.judge import build_sites
from gamesmaster.judge.supply import site_rows
from gamesmaster.rules import Rules, board_graph
from gamesmaster.variant import find_variant, variant_names

STANDARD = Rules.of(find_variant("standard"))


def test_centres_go_to_whose_units_are_there() -> None:
    """Units of nobody take nothing, and what is no centre is nobody's."""
    holder = [1, 1, 0, 2]
    settle(3, [0, 0, 2, 3], [0, 2, 1, 0], [1, 1, 0, 1], holder)
    assert holder == [2, 1, 0, 2]


@pytest.mark.parametrize(("asks", "open_to"), [(OWNED | EMPTY, 1), (EMPTY, 2), (OWNED, 2), (0, 4)])
def test_a_site_asks_for_its_owner_and_for_room(asks: int, open_to: int) -> None:
    """Of the four ways in which a place may be owned or not and full or not, so many do."""
    assert sum(is_site(asks, own, full) for own in (False, True) for full in (False, True)) == open_to
    assert is_site(asks, own=True, full=False)


OTHER_OWNERS = {"1900"}
"""Variants whose sites depend on the owners of other centres too, which rows do not know and batches refuse."""


@pytest.mark.parametrize("name", [name for name in variant_names() if name not in OTHER_OWNERS])
def test_sites_are_what_their_rows_say(name: str) -> None:
    """In random positions a power may build where the rows of its sites are open, and nowhere else."""
    variant, chance = find_variant(name), Random(len(name))
    rules, board = Rules.of(variant), variant.board
    rows = {power: site_rows(rules, power, variant.start.state) for power in rules.powers}
    for _ in range(20):
        owners = {centre: chance.choice(rules.powers) for centre in board.centres if chance.random() < 0.8}
        places = chance.sample(sorted(board.locations), 30)
        units = tuple(Unit(n, board.kinds[0], chance.choice(rules.powers), at) for n, at in enumerate(places, 1))
        position = Position(units, owners, (), variant.start.state)
        full = {unit.at.province for unit in units}
        for power, own in rows.items():
            expected = {
                row.province: row.kinds
                for row in own
                if is_site(row.asks, owners.get(row.province) == power, row.province in full)
            }
            assert build_sites(rules, position, power) == expected


def test_the_first_units_of_a_kind_cost_nothing() -> None:
    """As many as are free; each one more costs one (SCO-5.b)."""
    assert [cost_of(there, 2) for there in range(5)] == [0, 0, 0, 1, 2]
    assert [cost_of(there, 0) for there in range(3)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("more", "spare", "affordable"), [(1, 1, True), (1, 0, False), (0, 0, True), (0, -2, True), (1, -2, False)]
)
def test_what_costs_nothing_more_is_always_affordable(more: int, spare: int, affordable: bool) -> None:
    """Who owes removals may build what costs nothing more, and nothing else."""
    assert is_affordable(more, spare) == affordable


@pytest.mark.parametrize(
    ("laden", "whole", "stays", "owed", "may"),
    [
        (False, False, False, 1, True),
        (True, False, True, 1, True),  # from under one who stays
        (True, False, False, 1, False),
        (True, True, False, 1, False),  # both while two are owed
        (True, True, False, 2, True),
    ],
)
def test_what_may_be_removed(laden: bool, whole: bool, stays: bool, owed: int, may: bool) -> None:
    """A carrier goes alone only where its load can stay, both only while as much is owed as they need (AFM-8.a)."""
    assert may_be_removed(laden, whole, stays, owed, 2) == may


def test_distances_are_those_of_the_board() -> None:
    """From any centres owned the borders are counted as the board counts them; from none all is as far as can be."""
    board, chance = STANDARD.board, Random(4)
    size = len(board.provinces)
    distance, ring = [0] * size, [0] * size
    for owned in range(8):
        holder = [0] * size
        goals = [board.index[centre] for centre in chance.sample(list(board.centres), owned)]
        for goal in goals:
            holder[goal] = 3
        measure(3, holder, STANDARD.derive(board_graph), distance, ring)
        near = board.distances(goals)
        assert distance == [near.get(place, size) for place in range(size)]


def test_the_farthest_goes_first_and_then_the_first_in_rank() -> None:
    """Whatever their ranks, a unit goes before those that are nearer to home."""
    ranks = 5
    order = sorted(
        ((distance, rank) for distance in range(4) for rank in range(ranks)), key=lambda u: turn_of(u[0], u[1], ranks)
    )
    assert order == sorted(order, key=lambda u: (-u[0], u[1]))


@pytest.mark.parametrize(
    ("load", "turn", "costly", "goes"),
    [
        ([0, 0, 0], [0, 2, 1], [0, 1, 1], (2, 0)),  # by turn
        ([0, 0, 0], [0, 2, 1], [0, 1, 0], (1, 0)),  # what costs nothing stays
        ([0, 0, 0], [0, 2, 1], [0, 0, 0], (0, 0)),
        ([0, 2, 0], [0, 1, 2], [0, 1, 1], (2, 0)),  # who is aboard goes before its carrier
        ([0, 2, 0, 0], [0, 1, 2, 3], [0, 1, 0, 1], (3, 0)),  # a pair of which one half costs nothing goes last
        ([0, 2, 0, 4, 0], [0, 3, 4, 1, 2], [0, 1, 0, 1, 0], (3, 4)),  # and of such pairs the first by turn
        ([0, 2, 0, 4, 0], [0, 1, 4, 3, 2], [0, 1, 0, 1, 0], (1, 2)),
        ([0, 2, 0], [0, 1, 2], [0, 0, 0], (0, 0)),
    ],
)
def test_who_goes_next(load: list[int], turn: list[int], costly: list[int], goes: tuple[int, int]) -> None:
    """Rows and who goes along, by their turns, loads and costs (STD-10.g, AFM-8.b, SCO-1.e)."""
    assert next_to_go(len(load) - 1, load, turn, costly) == goes
