"""Comparison of two experiments, game by game: the differences, their certainty, and the games needed to show them.

Game number n of both has the same chance and the same seats, so that what the two have in common falls out of the
difference.  Whether a difference could be chance is tested by swapping the two in pairs chosen at random (a permutation
test).  Since many questions are asked at once, probabilities and intervals are both corrected (Bonferroni): a false
alarm, or an interval that misses, among all of them is expected in no more than one of twenty comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from gamesmaster.errors import GamesmasterError
from gamesmaster.lab.experiment import Experiment, read_as
from gamesmaster.lab.outcome import GameSummary, Missing, missing_of, with_warning
from gamesmaster.lab.statistics import (
    LEAST_EXPECTED,
    LEAST_GAMES,
    LEVEL,
    Estimate,
    Floats,
    Samples,
    always_p,
    evenness,
    gini,
    mean,
    resample,
    samples,
)

LARGEST = 1024 * 1024  # bytes of a file: the differences of 1,000 powers take less
DEEPEST = 4
SWAPS = 8_192
ENOUGH = 20
"""Swaps as extreme as the difference below which their number says little of its probability."""
BLOCK = 1_000_000
"""Signs that are held in memory at once."""
POWER = 0.80
"""The probability with which a difference as large as the one seen should be found."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between the second experiment and the first, in one measure."""

    what: str
    first: float
    second: float
    difference: Estimate  # second less first; its interval is corrected as `corrected` is (an index has none)
    error: float  # its standard error
    p: float  # the probability of one at least as large if the two were alike
    corrected: float = 1  # the same among all measures
    detectable: float = 0  # the least true difference that so many pairs show four times of five; not if early
    more: int | None = None  # further pairs that would show this one: 0 if these do; None without one, and if early
    correlation: float | None = None  # of the two games of a pair; None for indices, or if always the same on one side

    @property
    def digits(self) -> int:
        """The number of decimals that its numbers are shown with: indices are from 0 to 1."""
        return 3 if " of " in self.what else 2

    @property
    def sure(self) -> bool:
        """True if it is more than chance, all measures considered."""
        return self.corrected < 1 - LEVEL


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two experiments and the differences between them."""

    first: Experiment
    second: Experiment
    pairs: int  # the number of pairs of games
    differences: tuple[Difference, ...]
    missing: Missing | None = None  # the games missing on one side or both
    early: bool = False  # the intervals and probabilities hold at every look


def compare(
    first: tuple[Experiment, Sequence[GameSummary]],
    second: tuple[Experiment, Sequence[GameSummary]],
    *,
    asked: int = 0,
    early: bool = False,
) -> Comparison:
    """Compare two experiments by the games that both have.

    Both should have the first `asked` games, and all up to the last one of the side whose games end first;
    `Comparison.missing` has those that one of them lacks.  `early` is for those who look before all games are played:
    wider intervals, that hold at every look, and only for measures that have bounds.  Raises `GamesmasterError` if the
    two do not share their chance, or have too few games in common.
    """
    (a, games_a), (b, games_b) = first, second
    if a.seed != b.seed:
        raise GamesmasterError(f"the two have different random numbers: their seeds are {a.seed} and {b.seed}")
    numbers_a, numbers_b = ({g.number for g in games} for games in (games_a, games_b))
    both = numbers_a & numbers_b
    if len(both) < LEAST_GAMES:
        raise GamesmasterError(
            f"{len(both)} games in common are too few to compare", hint=f"at least {LEAST_GAMES} are needed"
        )
    number = attrgetter("number")
    left, right = ([g for g in sorted(games, key=number) if g.number in both] for games in (games_a, games_b))
    one, other = samples(a, left), samples(b, right)
    found = _means(a, b, left, right, one, other)
    if early:
        differences = _always(found)
    else:
        rng = np.random.default_rng(a.seed)
        differences = _of_means(found, rng)
        if one.powers == other.powers:
            for of, x, y in (("victory", one.victory, other.victory), ("centres", one.owned, other.owned)):
                if np.any(x != y) and min(x.sum(), y.sum()) >= LEAST_EXPECTED * len(one.powers):
                    differences += _of_indices(of, x, y, rng)
    missing = missing_of(both, max(asked, 1 + min(max(numbers_a), max(numbers_b))))
    return Comparison(a, b, len(both), tuple(_correct(differences, found, early=early)), missing, early)


class Measure(NamedTuple):
    """A measure: one number for each game of the first experiment, and of the second, and the most that it may be."""

    first: Floats
    second: Floats
    most: float = math.inf

    @property
    def change(self) -> Floats:
        """Return the difference of each pair."""
        return np.asarray(self.second - self.first)


def _means(
    a: Experiment, b: Experiment, left: Sequence[GameSummary], right: Sequence[GameSummary], x: Samples, y: Samples
) -> dict[str, Measure]:
    """Return the measures to compare game by game, without those equal in every game of both."""
    centres = max(x.most, y.most)
    found = {
        "turns": Measure(_each(left, "turns"), _each(right, "turns")),
        f"decided games{IN_100}": Measure(100 * x.victory.sum(axis=1), 100 * y.victory.sum(axis=1), 100),
        "powers alive at the end": Measure(x.alive.sum(axis=1) * 1.0, y.alive.sum(axis=1) * 1.0, len(x.powers)),
        "most counts without a change": Measure(_each(left, "stillest"), _each(right, "stillest")),
    }
    if a.dealt != b.dealt and a.dealt and b.dealt:
        for told, mine, yours, most in _measures(x, y, centres):
            found[f"first player: {told}"] = Measure(_first(a, left, x, mine), _first(b, right, y, yours), most)
    for power in (power for power in x.powers if power in y.powers):
        i, j = x.powers.index(power), y.powers.index(power)
        for told, mine, yours, most in _measures(x, y, centres):
            found[f"{power}: {told}"] = Measure(mine[:, i], yours[:, j], most)
    return {what: measure for what, measure in found.items() if measure.change.any()}


IN_100 = " in 100"
MEASURES = (f"victories{IN_100}", "centres")
"""The measures of a power: its parts of victories, in a hundred games, and its centres at the end."""


def _measures(x: Samples, y: Samples, centres: int) -> Iterator[tuple[str, Floats, Floats, float]]:
    """Yield both measures of seats: name, values on each side, the most that they may be."""
    yield MEASURES[0], 100 * x.victory, 100 * y.victory, 100
    yield MEASURES[1], x.final, y.final, centres


def _each(games: Sequence[GameSummary], name: str) -> Floats:
    return np.array([getattr(game, name) for game in games], dtype=np.float64)


def _first(experiment: Experiment, games: Sequence[GameSummary], table: Samples, values: Floats) -> Floats:
    """Return the value of the first rotating player in each game."""
    seats = [table.powers.index(experiment.first_seat(game.number)) for game in games]
    return np.asarray(values[np.arange(len(games)), seats])


def _of_means(found: Mapping[str, Measure], rng: np.random.Generator) -> list[Difference]:
    """Return the differences of means, by Student's interval for pairs and by swapping within pairs."""
    if not found:
        return []
    changes = np.column_stack([measure.change for measure in found.values()])
    swapped = _swap_pairs(changes / len(changes), rng)
    return [_difference(what, m.first.mean(), m.second.mean(), swapped[:, n], float(stats.sem(m.change)))
            for n, (what, m) in enumerate(found.items())]  # fmt: skip


def _always(found: Mapping[str, Measure]) -> list[Difference]:
    """Return the differences of the means that have bounds, with probabilities that hold at every look."""
    told = []
    for what, m in found.items():
        if math.isfinite(m.most):
            first, second, error = float(m.first.mean()), float(m.second.mean()), float(stats.sem(m.change))
            p = always_p(m.change, 0, -m.most, m.most)
            told.append(Difference(what, first, second, Estimate(second - first), error, p))
    return told


def _of_indices(of: str, a: Floats, b: Floats, rng: np.random.Generator) -> list[Difference]:
    """Return the differences of indices over all games, tested by swaps within pairs, with bootstrap errors."""
    powers = a.shape[1]
    drawn = resample(np.hstack((a, b)), rng)
    half = _swap_pairs((b - a) / len(a), rng) / 2
    middle = (a.mean(axis=0) + b.mean(axis=0)) / 2
    told = []
    for name, index in (("evenness", evenness), ("Gini's index", gini)):
        differences = index(drawn[:, powers:]) - index(drawn[:, :powers])
        first, second = (float(index(x.mean(axis=0, keepdims=True))[0]) for x in (a, b))
        swapped = index(np.clip(middle + half, 0, None)) - index(np.clip(middle - half, 0, None))
        told.append(_difference(f"{name} of {of}", first, second, swapped, float(differences.std())))
    return told


def _swap_pairs(parts: Floats, rng: np.random.Generator) -> Floats:
    """Return the differences with pairs swapped, a row for each try: in all ways, or at random if these are many."""
    if 2 ** min(len(parts), 60) <= SWAPS:
        return np.array(list(product((-1.0, 1.0), repeat=len(parts)))) @ parts
    rows = max(1, BLOCK // len(parts))
    blocks = [min(rows, SWAPS - n) for n in range(0, SWAPS, rows)]
    signs = (rng.integers(0, 2, (block, len(parts)), dtype=np.int8) * 2.0 - 1.0 for block in blocks)
    return np.concatenate([block @ parts for block in signs])


def _difference(what: str, first: float, second: float, swapped: Floats, error: float) -> Difference:
    """Return a difference with its probability: the part of the swaps that are as extreme.

    Where only a few of those drawn are, it is the tail of the normal distribution with their spread, since a number of
    tries can show no less than one of them.
    """
    found = float(second - first)
    extreme = int((np.abs(swapped) >= abs(found) - 1e-12).sum())
    p = extreme / len(swapped)
    if extreme < ENOUGH and len(swapped) == SWAPS:
        p = float(2 * stats.norm.sf(abs(found) / np.sqrt(np.mean(swapped**2))))
    return Difference(what, float(first), float(second), Estimate(found), error, p)


def _correct(found: Sequence[Difference], measures: Mapping[str, Measure], *, early: bool) -> list[Difference]:
    """Correct probabilities and intervals for their number, and say what other numbers of pairs would show."""
    many, told = max(1, len(found)), []
    level = 1 - (1 - LEVEL) / many
    least = math.ceil(1 + math.log2(many / (1 - LEVEL)))  # fewer pairs have too few ways to be swapped
    reach = float(stats.norm.isf((1 - level) / 2) + stats.norm.ppf(POWER))
    for plain in found:
        entry = replace(plain, corrected=min(1.0, plain.p * many))
        if measure := measures.get(entry.what):
            bounds = mean(measure.change, least=-measure.most, most=measure.most, level=level, early=early)
            entry = replace(entry, difference=bounds, correlation=_correlation(measure))
        if not early:
            more = _more(entry, reach, len(next(iter(measures.values())).first), least)
            entry = replace(entry, detectable=reach * entry.error, more=more)
        told.append(entry)
    return told


def _correlation(measure: Measure) -> float | None:
    """Return how far the two games of a pair go together, None if one side never varies."""
    if not (np.ptp(measure.first) and np.ptp(measure.second)):
        return None
    return float(np.corrcoef(measure.first, measure.second)[0, 1])


def _more(told: Difference, reach: float, pairs: int, least: int) -> int | None:
    """Return how many more pairs would show this difference, four times of five, by the normal approximation."""
    if told.sure:
        return 0
    if abs(told.difference.value) < 1e-12:
        return None
    wanted = math.ceil((reach * told.error / told.difference.value) ** 2 * pairs)
    return max(1, wanted - pairs, least - pairs)


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    """Return it as JSON data, for `read_comparison`; a warning of missing games comes first."""
    return with_warning(asdict(comparison), comparison.missing)


def read_comparison(file: Path) -> Comparison:
    """Return the comparison in a file, such as the `compare.json` of a report.

    Raises `NotFound` for a missing file, `BadFile` for a file of another form.
    """
    return read_as(Comparison, file, limit=LARGEST, depth=DEEPEST)
