"""How evenly a game treats its powers: indices of the shares that they get, and what a fair game would come to.

With few games even a perfectly fair variant looks uneven.  So each index comes with what it would be if in every game
lots had been drawn which power gets which result: the same results, powers dealt anew.  It has no interval of its own:
an index of inequality is biased in few games, and bounded where games are fair, so that intervals made by drawing games
anew with repetition miss the truth far more often than they promise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from gamesmaster.lab.intervals import Estimate, Floats, estimate, finite

SHUFFLES = 500
LEAST_EXPECTED = 5
"""Wins expected of each power below which Pearson's test says nothing."""


def evenness(shares: Floats) -> Floats:
    """The entropy of each row of shares, as a part of the entropy of equal ones: 1 is equal, 0 is all for one."""
    parts = _parts(shares)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = np.where(parts > 0, -parts * np.log(parts), 0).sum(axis=1)
    return np.asarray(bits / np.log(max(2, shares.shape[1])))


def ratio(shares: Floats) -> Floats:
    """How many times as much as the least the most of each row is; infinite if the least is nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = shares.max(axis=1) / shares.min(axis=1)
    return np.asarray(np.where(shares.max(axis=1) > 0, found, 1.0))


def gini(shares: Floats) -> Floats:
    """Gini's index of each row: half the mean difference of two powers, by the mean; 0 is equal."""
    ordered = np.sort(_parts(shares), axis=1)
    powers = shares.shape[1]
    ranks = 2 * np.arange(1, powers + 1) - powers - 1
    return np.asarray(ordered @ ranks / powers)


def _parts(shares: Floats) -> Floats:
    """Each row made to add up to 1; equal parts for a row of nothing."""
    whole = shares.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(shares, whole, out=np.full(shares.shape, 1 / shares.shape[1]), where=whole > 0))


INDICES = {"evenness": evenness, "ratio": ratio, "gini": gini}
_MORE_IS_FAIRER = frozenset({"evenness"})


@dataclass(frozen=True, slots=True)
class Fairness:
    """An index of something that powers get.

    `found` is the index of the means over all games; None in place of an infinite ratio.  `fair` is what a fair game
    would have, the median over shuffles, and the bounds of 95 % of them.  `p` is how often a fair game would look
    at least as uneven.
    """

    index: str
    of: str
    found: float | None
    fair: Estimate | None
    p: float


def indices(of: str, values: Floats, rng: np.random.Generator) -> list[Fairness]:
    """All indices of what powers get: a row a game, an entry a power."""
    means = values.mean(axis=0, keepdims=True)
    shuffled = np.array([rng.permuted(values, axis=1).mean(axis=0) for _ in range(SHUFFLES)])
    told = []
    for name, index in INDICES.items():
        value, fair = float(index(means)[0]), index(shuffled)
        further = fair <= value + _ROUNDING if name in _MORE_IS_FAIRER else fair >= value - _ROUNDING
        usual = float(np.median(fair))
        expected = estimate(usual, fair) if np.isfinite(usual) else None
        told.append(Fairness(name, of, finite(value), expected, float((1 + further.sum()) / (1 + SHUFFLES))))
    return told


_ROUNDING = 1e-12


def equal_wins(wins: Floats) -> float | None:
    """The probability of wins at least as unequal if all powers won equally often, by Pearson's chi-square test.

    None with too few wins to say: the test wants five expected of each power.
    """
    if wins.sum() < LEAST_EXPECTED * len(wins):
        return None
    return float(stats.chisquare(wins).pvalue)
