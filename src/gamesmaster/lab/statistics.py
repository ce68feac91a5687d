"""Statistics of many games: samples of their summaries, estimates with intervals, and measures of fairness.

An estimate is a number from games, with the bounds between which it would be if many more were played.

All intervals are 95 %: of twenty such intervals, one is expected to miss.  They cover chance alone: the results of
these players in many games, not those of other players.  Where no interval keeps that promise, none is given: for a
single game, for values that were the same in every game, for indices of inequality.  These intervals are for a number
of games chosen before looking; `mean` also knows those that hold at every look.

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
from scipy import optimize, stats

from gamesmaster.errors import GamesmasterError
from gamesmaster.lab.experiment import Experiment, find
from gamesmaster.lab.outcome import GameSummary

LEVEL = 0.95
LEAST_GAMES = 2
"""Games below which nothing can be said."""
RESAMPLES = 1_000

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Index = Callable[[Floats], Floats]
"""Makes one number of each row (one entry a power) of an array."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with the bounds of its 95 % interval; None where too few games are there for bounds."""

    value: float
    low: float | None = None
    high: float | None = None

    def percent(self) -> tuple[str, ...]:
        """Return value and bounds in percent, without the sign, those that are known; rare things are not 0."""
        known = (100 * x for x in (self.value, self.low, self.high) if x is not None)
        return tuple(f"{x:.1f}" if 0 < x < 0.95 else f"{x:.0f}" for x in known)


# -- intervals ---------------------------------------------------------------------------------------------------------


def mean(
    values: Floats | Truths, *, least: float = 0, most: float = math.inf, level: float = LEVEL, early: bool = False
) -> Estimate:
    """Return the mean of one value a game, with its interval; the mean of truths is their share.

    Values that cannot be negative, of which some are 0, are taken for something that happens in a share of the games
    (Wilson's interval) and then has a mean (Student's, with one degree of freedom more, since together the two reach
    far enough); the reaches are added by squares.  Where it happened in one
    game or in none, that mean may be anything up to the greatest possible value, `most`.  Other values have Student's
    interval; without one if the value never varied: then what varies is rare, which is not never.
    Source: A. Donner and G. Y. Zou, Statistical Methods in Medical Research 21 (2012), on the reaches.

    With `early` the bounds hold at every look (`_always`), if the values, which must stand in the order of the games,
    lie between `least` and a finite `most`.
    """
    games, value, found = len(values), float(np.mean(values)), values[values != 0]
    if games < LEAST_GAMES or (early and math.isinf(most)):
        return Estimate(value)
    if early:
        return _always(values.astype(np.float64), least, most, level)
    low, high = _wilson(len(found), games, level)
    if least >= 0 and math.isfinite(most) and np.all((values == 0) | (values == most)):
        return Estimate(value, most * low, most * high)
    if least < 0 or float(np.min(values)) < 0 or len(found) in (0, games):
        reach = _student(values, level, games - 1)
        return Estimate(value, value - reach, value + reach) if reach else Estimate(value)
    often, size = len(found) / games, float(found.mean())
    reach = _student(found, level, len(found)) if len(found) > 1 else most
    if math.isinf(reach):
        return Estimate(value)
    down = math.hypot(size * (often - low), often * min(reach, size))
    up = math.hypot(size * (high - often), often * min(reach, most - size))
    return Estimate(value, max(0.0, value - down), min(most, value + up))


def _wilson(count: int, of: int, level: float) -> tuple[float, float]:
    """Return Wilson's bounds of a share; SciPy's take a hundred times as long, for a test that nobody asks for."""
    normal = float(stats.norm.ppf((1 + level) / 2))
    part, square = count / of, normal**2 / of
    middle = (part + square / 2) / (1 + square)
    reach = normal / (1 + square) * math.sqrt(part * (1 - part) / of + square / of / 4)
    return max(0.0, min(part, middle - reach)), min(1.0, max(part, middle + reach))


def _student(values: Floats | Truths, level: float, freedom: int) -> float:
    """Return how far Student's interval reaches on each side of the mean."""
    return float(stats.t.ppf((1 + level) / 2, freedom) * stats.sem(values))


def _always(values: Floats, least: float, most: float, level: float) -> Estimate:
    """Return the mean of values with bounds that hold at every look, whenever the games end.

    Somebody bets in each game that the mean is more, or less, than supposed, by what the games before have shown.  If
    the supposed mean is true, such bets win nothing on the average, and the wealth ever grows to 20 times its beginning
    with a probability of 1 in 20 at most: then that mean is refuted.
    Source: I. Waudby-Smith and A. Ramdas, Journal of the Royal Statistical Society B 86 (2024), hedged capital.
    """
    scaled = (values - least) / (most - least)
    value, goal = float(scaled.mean()), math.log(2 / (1 - level))
    low, high = min(value, _refuted(scaled, goal)), max(value, 1 - _refuted(1 - scaled, goal))
    return Estimate(*(float(least + x * (most - least)) for x in (value, low, high)))


def always_p(values: Floats, supposed: float, least: float = 0, most: float = 1) -> float:
    """Return the probability of values as far from a supposed mean, valid at every look as the bounds of `_always`."""
    scaled, at = (values - least) / (most - least), (supposed - least) / (most - least)
    return min(1.0, 2 * math.exp(-max(_wealth(at, scaled), _wealth(1 - at, 1 - scaled))))


def _refuted(values: Floats, goal: float) -> float:
    """Return the mean up to which the wealth of one who bets on more reaches this goal."""
    if _wealth(0, values) <= goal:
        return 0.0
    return float(optimize.brentq(lambda supposed: _wealth(supposed, values) - goal, 0, 1, xtol=1e-9))


def _wealth(supposed: float, values: Floats) -> float:
    """Return the logarithm of the most wealth of one who bets that values from 0 to 1 have a mean above this one."""
    turns = np.arange(1, len(values) + 1)
    means = (0.5 + np.cumsum(values)) / (turns + 1)
    spreads = (0.25 + np.cumsum((values - means) ** 2)) / (turns + 1)
    before = np.concatenate(([0.25], spreads[:-1]))
    bets = np.sqrt(2 * math.log(2 / (1 - LEVEL)) / (before * turns * np.log1p(turns)))
    stakes = np.minimum(bets, 0.5 / supposed) if supposed else bets
    return max(0.0, float(np.cumsum(np.log1p(stakes * (values - supposed))).max()))


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


# -- fairness ----------------------------------------------------------------------------------------------------------

SHUFFLES = 500
LEAST_EXPECTED = 5
"""Victories, or games, for each power below which indices say nothing."""


def evenness(shares: Floats) -> Floats:
    """Return the entropy of each row of shares, relative to equal ones: 1 is equal, 0 is all for one."""
    return np.asarray(stats.entropy(_parts(shares), axis=1) / np.log(max(2, shares.shape[1])))


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


@dataclass(frozen=True, slots=True)
class Fairness:
    """An index of something that powers get.

    `found` is the index of the means over all games; None in place of an infinite ratio.  `fair` is what a fair game
    would have, the median over shuffles, and the bounds of 95 % of them.  `p` is the probability that a fair game would
    be at least as uneven, the same for all indices of one thing.
    """

    index: str
    of: str
    found: float | None
    fair: Estimate | None
    p: float


def indices(of: str, values: Floats, rng: np.random.Generator, *, early: bool = False) -> list[Fairness]:
    """Return all indices of what powers get, a row a game, an entry a power; none of too little (`LEAST_EXPECTED`)."""
    if values.sum() < LEAST_EXPECTED * values.shape[1]:
        return []
    means, p = values.mean(axis=0, keepdims=True), _p_of_equals(values, early=early)
    shuffled = np.array([rng.permuted(values, axis=1).mean(axis=0) for _ in range(SHUFFLES)])
    told = []
    for name, index in INDICES.items():
        fair = index(shuffled)
        usual = float(np.median(fair))
        expected = estimate(usual, fair) if np.isfinite(usual) else None
        told.append(Fairness(name, of, finite(float(index(means)[0])), expected, p))
    return told


def _p_of_equals(values: Floats, *, early: bool) -> float:
    """Return the probability of means as unequal, if in each game any power could get what any other gets.

    This is Friedman's test of the values themselves; of wins alone it is Pearson's chi-square test.  With `early` each
    power's part is tested at every look, and the least probability counts as often as there are powers.
    """
    powers = values.shape[1]
    if early:
        parts = _parts(values[values.any(axis=1)])
        return float(min(1.0, powers * min(always_p(part, 1 / powers) for part in parts.T)))
    centred = values - values.mean(axis=1, keepdims=True)
    spread = float((centred**2).sum())
    unequal = (powers - 1) * float((centred.sum(axis=0) ** 2).sum()) / spread if spread else 0.0
    return float(stats.chi2.sf(unequal, powers - 1))


@dataclass(frozen=True, eq=False)
class Samples:
    """The results of games, in arrays by game and power, but for `centres` and `living`."""

    most: int  # the centres of the board
    powers: tuple[str, ...]
    years: tuple[int, ...]
    start: Floats  # centres
    first: Floats  # those at the first count
    final: Floats  # those at the end
    victory: Floats  # the share of the victory
    lead: Floats  # the share in having most centres at the end
    owned: Floats  # the share of all centres owned at the end
    won: Truths  # a victory alone
    shared: Truths  # one with others
    alive: Truths  # it still took part
    centres: Floats  # by game, year and power; a game that is over keeps its last counts
    living: Truths  # likewise: it still took part


def samples(experiment: Experiment, games: Sequence[GameSummary]) -> Samples:
    """Return games of an experiment as arrays; raises `GamesmasterError` for an empty list."""
    if not games:
        raise GamesmasterError("no game has been played")
    powers = experiment.powers
    years = tuple(sorted({year for game in games for year in game.centres}))
    final = np.array([game.final for game in games], dtype=np.float64)
    among = np.array([[power in game.winners for power in powers] for game in games])
    winners = among.sum(axis=1, keepdims=True)
    leading = final == final.max(axis=1, keepdims=True)
    return Samples(
        most=len(find(experiment.variant).board.centres),
        powers=powers,
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
