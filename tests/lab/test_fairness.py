"""Indices of fairness: hand-worked examples, and that a fair game is seldom called unfair."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gamesmaster.lab.statistics import evenness, gini, indices, ratio


def rows(*shares: list[float]) -> np.ndarray:
    """Shares as an array."""
    return np.array(shares)


def test_evenness() -> None:
    """Equal shares are 1, all for one is 0; 3 to 1 is the entropy of a quarter, 0.8113 bits; against scipy."""
    found = evenness(rows([1, 1], [4, 0], [3, 1], [0, 0]))
    assert found == pytest.approx([1, 0, 0.8113, 1], abs=5e-5)
    some = rows([5, 1, 2, 2])
    assert evenness(some)[0] == pytest.approx(stats.entropy(some[0], base=4))


def test_ratio() -> None:
    """The most by the least; infinite where the least is nothing, 1 where all are."""
    assert ratio(rows([6, 2, 3], [2, 2, 2], [1, 0, 1], [0, 0, 0])).tolist() == [3, 1, np.inf, 1]


def test_gini() -> None:
    """Half the mean difference by the mean: 0 for equals, (n - 1) / n for all to one, 0.25 for 1, 2, 3, 4."""
    found = gini(rows([2, 2, 2, 2], [0, 0, 5, 0], [4, 1, 3, 2]))
    assert found == pytest.approx([0, 0.75, 0.25])


def test_a_fair_game_looks_fair() -> None:
    """Of games whose winners are drawn by lot, about one of twenty is called uneven at 5 %."""
    rng = np.random.default_rng(3)
    called = 0
    for _ in range(40):
        wins = np.eye(5)[rng.integers(0, 5, 40)]
        called += next(f.p for f in indices("victory", wins, rng) if f.index == "evenness") < 0.05
    assert called <= 6


def test_a_fair_game_lies_within_its_bounds() -> None:
    """Of games whose winners are drawn by lot, the index lies within the bounds of a fair game's 95 times of 100."""
    rng = np.random.default_rng(5)
    within, tries = 0, 100
    for _ in range(tries):
        wins = np.eye(7)[rng.integers(0, 7, 50)]
        index = next(f for f in indices("victory", wins, rng) if f.index == "gini")
        assert index.found is not None
        assert index.fair is not None
        assert index.fair.low is not None
        assert index.fair.high is not None
        within += index.fair.low <= index.found <= index.fair.high
    assert within >= 0.89 * tries


def test_an_unfair_game_is_found_out() -> None:
    """Where one power wins most games, every index says that a fair game would not look so."""
    rng = np.random.default_rng(3)
    wins = np.eye(4)[rng.choice(4, 200, p=[0.55, 0.15, 0.15, 0.15])]
    found = {entry.index: entry for entry in indices("victory", wins, rng)}
    assert all(entry.p < 1e-9 for entry in found.values())  # no floor
    early = indices("victory", wins, rng, early=True)
    assert all(found["gini"].p < entry.p < 0.001 for entry in early)  # what holds at every look is less sure
    index = found["gini"]
    assert index.found is not None
    assert index.fair is not None
    assert index.fair.high is not None
    assert index.found > index.fair.high
    assert index.of == "victory"


def test_infinite_ratios_are_none() -> None:
    """A ratio to nothing is no number, and is told as none."""
    wins = rows(*[[1.0, 0.0, 0.0]] * 10, *[[0.0, 1.0, 0.0]] * 5)
    found = {entry.index: entry for entry in indices("victory", wins, np.random.default_rng(1))}
    assert found["ratio"].found is None
    assert found["evenness"].found is not None


def test_the_test_of_wins_is_pearson_s() -> None:
    """20, 10 and 15 wins: chi-square is 50 / 15 with two degrees of freedom, p = exp(-5 / 3); few wins say nothing."""
    wins = np.repeat(np.eye(3), [20, 10, 15], axis=0)
    rng = np.random.default_rng(1)
    assert indices("victory", wins, rng)[0].p == pytest.approx(np.exp(-5 / 3))
    assert indices("victory", wins[18:32], rng) == []


def test_looking_often_finds_nothing() -> None:
    """Of fair games that are looked at after each hundred, hardly any is ever called uneven."""
    rng = np.random.default_rng(7)
    called = 0
    for _ in range(10):
        wins = np.eye(4)[rng.integers(0, 4, 500)]
        called += any(indices("victory", wins[:n], rng, early=True)[0].p < 0.05 for n in range(100, 501, 100))
    assert called <= 1
