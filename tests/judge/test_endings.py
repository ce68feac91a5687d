"""How games end over columns: who is left, whose claim weighs most, who shares what few remain for."""

from __future__ import annotations

import pytest

from gamesmaster.engine import claim, is_alive, lead, weigh_last


@pytest.mark.parametrize(
    ("centres", "units", "both", "weight"),
    [
        (17, 17, False, 0),
        (18, 2, False, 19),
        (18, 40, False, 41),
        (40, 20, False, 41),
        (-1, 30, False, 31),
        (-1, -1, True, 0),
    ],
)
def test_a_claim_weighs_what_it_rests_on(centres: int, units: int, both: bool, weight: int) -> None:
    """A claim rests on centres or on units, whichever are enough and more; what does not count now is -1."""
    assert claim(centres, units, 18, 20, both) == weight


def test_where_both_count_centres_go_before_units() -> None:
    """More centres outweigh any number of units, more units break a tie (SCO-15.c)."""
    assert claim(19, 0, 18, 20, True) > claim(18, 90, 18, 20, True) > claim(18, 20, 18, 20, True)


@pytest.mark.parametrize(
    ("holdings", "alive"), [((0, 0, 0), False), ((1, 0, 0), True), ((0, 1, 0), True), ((0, 0, 1), True)]
)
def test_who_has_anything_is_alive(holdings: tuple[int, int, int], alive: bool) -> None:
    """A centre, a unit, or supply from elsewhere is enough."""
    assert is_alive(*holdings) == alive


@pytest.mark.parametrize(
    ("weights", "first"),
    [([0, 0, 0, 0], []), ([0, 19, 20, 0], [2]), ([0, 20, 3, 20], [1, 3])],
)
def test_those_lead_whose_weight_is_greatest(weights: list[int], first: list[int]) -> None:
    """Nobody leads who has no weight; several lead who are equal."""
    leads = [0, 1, 1, 1]
    assert lead(weights, leads) == len(first)
    assert [power for power in (1, 2, 3) if leads[power]] == first


@pytest.mark.parametrize(("last", "ends"), [(1, False), (2, True), (3, True)])
def test_the_last_ones_end_a_game(last: int, ends: bool) -> None:
    """Of four powers one gives no orders and one has nothing; the others weigh by their centres (TAD-9.d)."""
    weights = [0] * 5
    assert weigh_last(last, [0, 4, 9, 0, 6], [0, 1, 9, 0, 0], [0] * 5, [0, 0, 1, 0, 0], weights) == ends
    assert weights == [0, 5, 0, 0, 7]
