"""Intervals: against scipy, against numbers worked by hand, and that they hold as often as they promise."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from gamesmaster.lab.statistics import Estimate, always_p, estimate, mean, resample
from tests.lengths import mark_long

Floats = np.ndarray


@pytest.mark.parametrize(("count", "of"), [(0, 2), (0, 20), (1, 20), (10, 20), (19, 20), (20, 20), (312, 1000)])
def test_shares_have_wilson_s_interval(count: int, of: int) -> None:
    """The bounds of a share are those of scipy's Wilson interval."""
    theirs = stats.binomtest(count, of).proportion_ci(0.95, method="wilson")
    ours = mean(np.arange(of) < count, most=1)
    assert ours.value == count / of
    assert ours.low == pytest.approx(theirs.low, abs=1e-12)
    assert ours.high == pytest.approx(theirs.high)


def test_a_share_of_ten_in_twenty() -> None:
    """10 of 20: 0.5 give or take 0.2007, by the formula."""
    ours = mean(np.arange(20) < 10, most=1)
    assert ours.low == pytest.approx(0.2993, abs=5e-5)
    assert ours.high == pytest.approx(0.7007, abs=5e-5)


def test_means_have_student_s_interval() -> None:
    """-1, 0, 1: 0 give or take 4.3027 times 1 by the root of 3; one value alone has no bounds, nor have equal ones."""
    ours = mean(np.array([-1.0, 0.0, 1.0]))
    assert ours.value == 0
    assert ours.low == pytest.approx(-2.4841, abs=5e-5)
    assert ours.high == pytest.approx(2.4841, abs=5e-5)
    assert mean(np.array([7.0]), most=34) == Estimate(7.0)
    assert mean(np.array([7.0, 7.0]), most=34) == Estimate(7.0)
    assert mean(np.array([7.0, 0.0])) == Estimate(3.5)  # without a greatest value nothing bounds what is seen once


def rare(chance: np.random.Generator, games: int) -> Floats:
    """Centres of a power that survives one game of seven."""
    return np.where(chance.random(games) < 1 / 7, chance.integers(1, 13, games), 0)


def common(chance: np.random.Generator, games: int) -> Floats:
    """Centres of a power that survives nine games of ten."""
    return np.where(chance.random(games) < 0.9, chance.integers(1, 13, games), 0)


def even(chance: np.random.Generator, games: int) -> Floats:
    """Centres of a power that always survives."""
    return chance.integers(3, 8, games)


TRUE = {rare: 6.5 / 7, common: 6.5 * 0.9, even: 5}


@pytest.mark.parametrize("centres", TRUE)
@pytest.mark.parametrize("games", mark_long([20, 50, 500], but=[20]))
def test_means_hold_as_often_as_they_promise(centres: Callable[..., Floats], games: int) -> None:
    """93 to 97 of a hundred intervals hold the truth, also of powers that seldom survive, and none goes below 0."""
    chance, tries = np.random.default_rng(8), 1500
    found = [mean(centres(chance, games).astype(float), most=34) for _ in range(tries)]
    held = sum((e.low or 0) <= TRUE[centres] <= (e.high or 34) for e in found)
    assert 0.93 <= held / tries <= (0.97 if games > 20 else 0.98)  # with three survivors, or none, rather too wide
    assert all(e.low is not None and e.low >= 0 for e in found)


def test_a_power_that_never_survived_has_a_bound() -> None:
    """Dead in seven games of seven: it may survive one of three, with up to all centres."""
    found = mean(np.zeros(7), most=34)
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(34 * 0.3543, abs=0.01)


@pytest.mark.parametrize("centres", TRUE)
def test_early_bounds_hold_at_every_look(centres: Callable[..., Floats]) -> None:
    """Of games that are looked at after each tenth, no more than one of twenty ever has bounds that miss."""
    chance, missed = np.random.default_rng(9), 0
    for _ in range(30):
        values = centres(chance, 300).astype(float)
        looks = [mean(values[:n], most=34, early=True) for n in range(10, 301, 30)]
        missed += any(not e.low <= TRUE[centres] <= e.high for e in looks if e.low is not None and e.high is not None)
    assert missed <= 2
    assert looks[-1].high is not None
    assert looks[-1].high < 34
    assert mean(values, early=True).low is None  # of what has no greatest value


def test_early_bounds_and_probabilities_agree() -> None:
    """A mean at a bound has the probability that the bound leaves out."""
    values = rare(np.random.default_rng(2), 400).astype(float)
    bounds = mean(values, most=34, level=0.99, early=True)
    assert bounds.low is not None
    assert bounds.high is not None
    assert always_p(values, bounds.low, 0, 34) == pytest.approx(0.01)
    assert always_p(values, bounds.high + 0.1, 0, 34) < 0.01
    assert always_p(values, values.mean(), 0, 34) > 0.1


def test_resampling_keeps_rows_together() -> None:
    """Games are drawn as wholes: columns that add up to one in each game do so in each resample, spread as expected."""
    values = np.array([[1.0, 0.0], [0.0, 1.0]] * 50)
    means = resample(values, np.random.default_rng(1))
    assert means.shape == (1000, 2)
    assert means.sum(axis=1) == pytest.approx(1)
    assert means[:, 0].std() == pytest.approx(0.05, rel=0.1)


def test_bounds_hold_the_value() -> None:
    """The bounds are the middle 95 % of the others, widened to hold the value; an infinite bound is none."""
    others = np.arange(1001.0)
    assert estimate(500, others) == Estimate(500, 25, 975)
    assert estimate(2000, others) == Estimate(2000, 25, 2000)
    assert estimate(1, np.array([1.0, np.inf])).high is None
