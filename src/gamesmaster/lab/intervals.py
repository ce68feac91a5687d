"""Estimates: a number that games gave, and between which bounds it would be if many more were played.

All intervals are 95 %: of twenty such intervals, one is expected to miss.  They speak of chance alone: of what these
players would come to in many games, not of what other players would.  Where no interval keeps that promise, none is
given: for a single game, for values that were the same in every game, for indices of inequality (`fairness`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

LEVEL = 0.95
LEAST_GAMES = 2
"""Games below which nothing can be said."""
RESAMPLES = 1_000
_NORMAL = float(stats.norm.ppf((1 + LEVEL) / 2))

Floats = NDArray[np.float64]
Index = Callable[[Floats], Floats]
"""Makes one number of each row (one entry a power) of an array."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with the bounds of its 95 % interval; None where too few games are there for bounds."""

    value: float
    low: float | None = None
    high: float | None = None


def share(count: float, of: int) -> Estimate:
    """The share of so many among all, with Wilson's interval, which is right for rare things too.

    The count may be a sum of parts from 0 to 1: their spread is never more than that of things that are or are not, so
    the interval is wide enough.  Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927).
    """
    part, square = count / of, _NORMAL**2 / of
    middle = (part + square / 2) / (1 + square)
    reach = _NORMAL / (1 + square) * math.sqrt(part * (1 - part) / of + square / of / 4)
    return Estimate(part, max(0.0, min(part, middle - reach)), min(1.0, max(part, middle + reach)))


def mean(values: Floats) -> Estimate:
    """The mean of one value a game, with Student's interval; without one if the value never varied.

    A spread of nothing says that what varies is rare, and not that it never happens.
    """
    value = float(np.mean(values))
    if len(values) < LEAST_GAMES or np.ptp(values) == 0:
        return Estimate(value)
    reach = float(stats.t.ppf((1 + LEVEL) / 2, len(values) - 1) * stats.sem(values))
    return Estimate(value, value - reach, value + reach)


def resampled(values: Floats, rng: np.random.Generator, times: int = RESAMPLES) -> Floats:
    """The means of as many games drawn anew, with repetition, from these: a row each (the bootstrap).

    `values` has a row for each game; what is paired in a row stays together.
    """
    games = len(values)
    means = np.empty((times, values.shape[1]))
    for n in range(times):
        drawn = np.bincount(rng.integers(0, games, games), minlength=games)
        means[n] = drawn @ values / games
    return means


def estimate(value: float, values: Floats) -> Estimate:
    """A value between the bounds of the middle 95 % of others, widened to hold it; an infinite bound is None."""
    low, high = np.quantile(values, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), method="nearest")
    return Estimate(value, finite(min(low, value)), finite(max(high, value)))


def finite(value: float) -> float | None:
    """A number that JSON can hold, or None."""
    return float(value) if np.isfinite(value) else None
