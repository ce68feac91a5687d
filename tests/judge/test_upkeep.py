"""What powers can feed, over columns: what they can afford, and who goes where units must go."""

from __future__ import annotations

import pytest

from gamesmaster.judge.engine.upkeep import is_affordable, next_to_go, turn_of


@pytest.mark.parametrize(
    ("more", "spare", "affordable"), [(1, 1, True), (1, 0, False), (0, 0, True), (0, -2, True), (1, -2, False)]
)
def test_what_costs_nothing_more_is_always_affordable(more: int, spare: int, affordable: bool) -> None:
    """Who owes removals may build what costs nothing more, and nothing else."""
    assert is_affordable(more, spare) == affordable


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
