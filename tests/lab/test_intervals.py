"""Intervals: against scipy, and against numbers worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gamesmaster.lab.statistics import Estimate, estimate, mean, resample, share


@pytest.mark.parametrize(("count", "of"), [(0, 1), (0, 20), (1, 20), (10, 20), (19, 20), (20, 20), (312, 1000)])
def test_shares_have_wilson_s_interval(count: int, of: int) -> None:
    """The bounds of a share are those of scipy's Wilson interval."""
    theirs = stats.binomtest(count, of).proportion_ci(0.95, method="wilson")
    ours = share(count, of)
    assert ours.value == count / of
    assert ours.low == pytest.approx(theirs.low, abs=1e-12)
    assert ours.high == pytest.approx(theirs.high)


def test_a_share_of_ten_in_twenty() -> None:
    """10 of 20: 0.5 give or take 0.2007, by the formula."""
    ours = share(10, 20)
    assert ours.low == pytest.approx(0.2993, abs=5e-5)
    assert ours.high == pytest.approx(0.7007, abs=5e-5)


def test_means_have_student_s_interval() -> None:
    """-1, 0, 1: 0 give or take 4.3027 times 1 by the root of 3; one value alone has no bounds, nor have equal ones."""
    ours = mean(np.array([-1.0, 0.0, 1.0]))
    assert ours.value == 0
    assert ours.low == pytest.approx(-2.4841, abs=5e-5)
    assert ours.high == pytest.approx(2.4841, abs=5e-5)
    assert mean(np.array([1.0, 2.0, 3.0])).low == 0  # what is never negative is not so on the average
    assert mean(np.array([7.0])) == Estimate(7.0)
    assert mean(np.array([7.0, 7.0])) == Estimate(7.0)


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
