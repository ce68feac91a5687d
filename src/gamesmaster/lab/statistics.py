"""Statistics of many games: samples of their summaries, estimates with intervals, and measures of fairness.

An estimate is a number from games, with the bounds between which it would be if many more were played.

All intervals are 95 %: of twenty such intervals, one is expected to miss.  They cover chance alone: the results of
these players in many games, not those of other players.  Where no interval keeps that promise, none is given: for a
single game, for values that were the same in every game, for indices of inequality.

Fairness is measured by indices of the shares that the powers get, against those of a fair game.

With few games even a perfectly fair variant looks uneven.  So each index comes with its value if the results of every
game were assigned to the powers at random: the same results, powers dealt anew.  It has no interval of its own: an
index of inequality is biased in few games, and bounded where games are fair, so that intervals made by drawing games
anew with repetition miss the truth far more often than they promise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gamesmaster.errors import GamesmasterError
from gamesmaster.lab.outcome import GameSummary

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
    """Return the share of a count among all, with Wilson's interval, which is right for rare things too.

    The count may be a sum of parts from 0 to 1: their spread is never more than that of yes-or-no values, so the
    interval is wide enough.  Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927).
    """
    part, square = count / of, _NORMAL**2 / of
    middle = (part + square / 2) / (1 + square)
    reach = _NORMAL / (1 + square) * math.sqrt(part * (1 - part) / of + square / of / 4)
    return Estimate(part, max(0.0, min(part, middle - reach)), min(1.0, max(part, middle + reach)))


def mean(values: Floats) -> Estimate:
    """Return the mean of one value a game, with Student's interval; without one if the value never varied.

    A spread of nothing says that what varies is rare, and not that it never happens.  Values of which none is negative
    have no bound below 0.
    """
    value = float(np.mean(values))
    if len(values) < LEAST_GAMES or np.ptp(values) == 0:
        return Estimate(value)
    reach = float(stats.t.ppf((1 + LEVEL) / 2, len(values) - 1) * stats.sem(values))
    low = value - reach if np.min(values) < 0 else max(0.0, value - reach)
    return Estimate(value, low, value + reach)


def resample(values: Floats, rng: np.random.Generator, times: int = RESAMPLES) -> Floats:
    """Return the means of bootstrap samples (games drawn with repetition), one row each.

    `values` has a row for each game; paired values in a row stay together.
    """
    games = len(values)
    means = np.empty((times, values.shape[1]))
    for n in range(times):
        drawn = np.bincount(rng.integers(0, games, games), minlength=games)
        means[n] = drawn @ values / games
    return means


def estimate(value: float, values: Floats) -> Estimate:
    """Return a value between the bounds of the middle 95 % of others, widened to hold it; an infinite bound is None."""
    low, high = np.quantile(values, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), method="nearest")
    return Estimate(value, finite(min(low, value)), finite(max(high, value)))


def finite(value: float) -> float | None:
    """Return a number that JSON can hold, or None."""
    return float(value) if np.isfinite(value) else None


SHUFFLES = 500
LEAST_EXPECTED = 5
"""Wins expected of each power below which Pearson's test says nothing."""


def evenness(shares: Floats) -> Floats:
    """Return the entropy of each row of shares, relative to equal ones: 1 is equal, 0 is all for one."""
    parts = _parts(shares)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = np.where(parts > 0, -parts * np.log(parts), 0).sum(axis=1)
    return np.asarray(bits / np.log(max(2, shares.shape[1])))


def ratio(shares: Floats) -> Floats:
    """Return the ratio of the most to the least of each row; infinite if the least is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = shares.max(axis=1) / shares.min(axis=1)
    return np.asarray(np.where(shares.max(axis=1) > 0, found, 1.0))


def gini(shares: Floats) -> Floats:
    """Return Gini's index of each row: half the mean difference of two powers, divided by the mean; 0 is equal."""
    ordered = np.sort(_parts(shares), axis=1)
    powers = shares.shape[1]
    ranks = 2 * np.arange(1, powers + 1) - powers - 1
    return np.asarray(ordered @ ranks / powers)


def _parts(shares: Floats) -> Floats:
    """Return each row made to add up to 1; equal parts for a row of nothing."""
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
    """Return all indices of what powers get: a row a game, an entry a power."""
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
    """Return the probability of wins at least as unequal if all powers won equally often, by Pearson's chi-square test.

    None with too few wins to say: the test wants five expected of each power.
    """
    if wins.sum() < LEAST_EXPECTED * len(wins):
        return None
    return float(stats.chisquare(wins).pvalue)


Truths = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Samples:
    """The results of games.

    By game and power: `start` and `final` are centres, `first` those at the first count; `victory` is the share of the
    victory, `lead` the share in having most centres at the end, `owned` the share of all centres owned at the end;
    `won` is a victory alone, `shared` one with others, `alive` is True if it still took part.  By game, year and power:
    `centres` and `living`; a game that is over keeps its last counts.
    """

    powers: tuple[str, ...]
    years: tuple[int, ...]
    start: Floats
    first: Floats
    final: Floats
    victory: Floats
    lead: Floats
    owned: Floats
    won: Truths
    shared: Truths
    alive: Truths
    centres: Floats
    living: Truths


def samples(powers: Sequence[str], games: Sequence[GameSummary]) -> Samples:
    """Return games as arrays; raises `GamesmasterError` for an empty list."""
    if not games:
        raise GamesmasterError("no game has been played")
    years = tuple(sorted({year for game in games for year in game.centres}))
    final = np.array([game.final for game in games], dtype=np.float64)
    among = np.array([[power in game.winners for power in powers] for game in games])
    winners = among.sum(axis=1, keepdims=True)
    leading = final == final.max(axis=1, keepdims=True)
    return Samples(
        powers=tuple(powers),
        years=years,
        start=np.array([game.start for game in games], dtype=np.float64),
        first=np.array([game.centres[min(game.centres)] if game.centres else game.start for game in games], np.float64),
        final=final,
        victory=_divide_equally(among),
        lead=_divide_equally(leading),
        owned=np.asarray(final / np.maximum(final.sum(axis=1, keepdims=True), 1)),
        won=among & (winners == 1),
        shared=among & (winners > 1),
        alive=np.array([[power in game.alive for power in powers] for game in games]),
        centres=np.array([_carry_over(game, years) for game in games], np.float64).reshape(len(games), -1, len(powers)),
        living=np.array([_living(game, powers, years) for game in games], bool).reshape(len(games), -1, len(powers)),
    )


def _divide_equally(values: Truths) -> Floats:
    """Return 1 divided equally among the true values of each game; 0 everywhere if none is true."""
    whole = values.sum(axis=1, keepdims=True)
    return np.asarray(values / np.maximum(whole, 1))


def _carry_over(game: GameSummary, years: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the centres in each year; in years without a count, those of the count before."""
    rows, last = [], game.start
    for year in years:
        last = game.centres.get(year, last)
        rows.append(last)
    return rows


def _living(game: GameSummary, powers: Sequence[str], years: Sequence[int]) -> list[list[bool]]:
    """Return, by game and power, whether it was still in the game at the end of each year."""
    return [[power not in game.out or year < game.out[power] for power in powers] for year in years]
