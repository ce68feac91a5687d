"""Comparison of two experiments, game by game: the differences, their certainty, and the games needed to show them.

Game number n of both has the same chance and the same seats, so that what the two have in common falls out of the
difference.  Whether a difference could be chance is tested by swapping the two in pairs chosen at random (a permutation
test); several questions at once are answered with Holm's correction, so that one false alarm among all of them is
expected in no more than one of twenty comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from gamesmaster.errors import GamesmasterError
from gamesmaster.lab.experiment import Experiment, read_as
from gamesmaster.lab.outcome import GameSummary, Missing, missing_of, with_warning
from gamesmaster.lab.statistics import (
    LEAST_GAMES,
    LEVEL,
    Estimate,
    Floats,
    Samples,
    evenness,
    gini,
    mean,
    resample,
    samples,
)

LARGEST = 1024 * 1024  # bytes of a file: the differences of 1,000 powers take less
DEEPEST = 4
SWAPS = 2_000
BLOCK = 1_000_000
"""Signs that are held in memory at once."""
POWER = 0.80
"""The probability with which a difference as large as the one seen should be found."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between the second experiment and the first, in one measure.

    `difference` is second less first, with its 95 % interval (an index has none, as `fairness` says), and `error` its
    standard error.  `p` is the probability of one at least as large if the two were alike, `corrected` the same among
    all measures. `detectable` is the least true difference that this number of pairs would show four times of five.
    `more` is roughly the number of further pairs that would show one as large as observed: 0 if these do, None without
    a difference.
    """

    what: str
    first: float
    second: float
    difference: Estimate
    error: float
    p: float
    corrected: float = 1
    detectable: float = 0
    more: int | None = None

    @property
    def sure(self) -> bool:
        """True if it is more than chance, all measures considered."""
        return self.corrected < 1 - LEVEL


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two experiments and the differences between them, over `pairs` pairs of games.

    `missing` are the games missing on one side or both.
    """

    first: Experiment
    second: Experiment
    pairs: int
    differences: tuple[Difference, ...]
    missing: Missing | None = None


def compare(
    first: tuple[Experiment, Sequence[GameSummary]], second: tuple[Experiment, Sequence[GameSummary]], *, asked: int = 0
) -> Comparison:
    """Compare two experiments by the games that both have.

    Both should have the first `asked` games, and all up to the last one of the side whose games end first;
    `Comparison.missing` has those that one of them lacks.  Raises `GamesmasterError` if the two do not share their
    chance, or have too few games in common.
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
    left, right = ([g for g in games if g.number in both] for games in (games_a, games_b))
    one, other = samples(a.powers, left), samples(b.powers, right)
    found = _means(a, b, left, right, one, other)
    rng = np.random.default_rng(a.seed)
    differences = _of_means(found, rng)
    if one.powers == other.powers:
        for of, x, y in (("victory", one.victory, other.victory), ("centres", one.owned, other.owned)):
            if np.any(x != y) and min(x.sum(), y.sum()) >= len(one.powers):  # of fewer victories nothing can be said
                differences += _of_indices(of, x, y, rng)
    missing = missing_of(both, max(asked, 1 + min(max(numbers_a), max(numbers_b))))
    return Comparison(a, b, len(both), tuple(_correct(differences, len(both))), missing)


Pairs = dict[str, tuple[Floats, Floats]]
"""The numbers to compare: one for each game of the first experiment, and of the second."""


def _means(
    a: Experiment, b: Experiment, left: Sequence[GameSummary], right: Sequence[GameSummary], x: Samples, y: Samples
) -> Pairs:
    """Return the measures to compare game by game, without those equal in every game of both."""
    found = {
        "turns": (_each(left, "turns"), _each(right, "turns")),
        "games decided": (x.victory.sum(axis=1), y.victory.sum(axis=1)),
        "powers alive at the end": (x.alive.sum(axis=1) * 1.0, y.alive.sum(axis=1) * 1.0),
        "most counts without a change": (_each(left, "stillest"), _each(right, "stillest")),
    }
    if a.dealt != b.dealt and a.dealt and b.dealt:
        for told, mine, yours in (("victory", x.victory, y.victory), ("centres", x.owned, y.owned)):
            found[f"first player: share of {told}"] = (_first(a, left, x, mine), _first(b, right, y, yours))
    for power in (power for power in x.powers if power in y.powers):
        i, j = x.powers.index(power), y.powers.index(power)
        found[f"{power}: share of victory"] = (x.victory[:, i], y.victory[:, j])
        found[f"{power}: share of centres"] = (x.owned[:, i], y.owned[:, j])
    return {what: (one, other) for what, (one, other) in found.items() if np.any(one != other)}


def _each(games: Sequence[GameSummary], name: str) -> Floats:
    return np.array([getattr(game, name) for game in games], dtype=np.float64)


def _first(experiment: Experiment, games: Sequence[GameSummary], table: Samples, values: Floats) -> Floats:
    """Return the value of the first rotating player in each game."""
    seats = [table.powers.index(experiment.first_seat(game.number)) for game in games]
    return np.asarray(values[np.arange(len(games)), seats])


def _of_means(found: Pairs, rng: np.random.Generator) -> list[Difference]:
    """Return the differences of means, by Student's interval for pairs and by swapping within pairs."""
    if not found:
        return []
    changes = np.column_stack([b - a for a, b in found.values()])
    swapped = _swap_pairs(changes / len(changes), rng)
    return [
        _difference(what, a.mean(), b.mean(), mean(b - a), swapped[:, n], float(stats.sem(b - a)))
        for n, (what, (a, b)) in enumerate(found.items())
    ]


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
        error = float(differences.std())
        told.append(_difference(f"{name} of {of}", first, second, Estimate(second - first), swapped, error))
    return told


def _swap_pairs(parts: Floats, rng: np.random.Generator) -> Floats:
    """Return the differences with random pairs swapped: a row for each try."""
    rows = max(1, BLOCK // len(parts))
    blocks = [min(rows, SWAPS - n) for n in range(0, SWAPS, rows)]
    signs = (rng.integers(0, 2, (block, len(parts)), dtype=np.int8) * 2.0 - 1.0 for block in blocks)
    return np.concatenate([block @ parts for block in signs])


def _difference(what: str, first: float, second: float, found: Estimate, swapped: Floats, error: float) -> Difference:
    extreme = np.abs(swapped) >= abs(found.value) - 1e-12
    p = float((1 + extreme.sum()) / (1 + SWAPS))
    return Difference(what, float(first), float(second), found, error, p)


def _correct(found: Sequence[Difference], pairs: int) -> list[Difference]:
    """Apply Holm's correction: multiply the least probability by the number of tests, the next by one fewer.

    The difference that could be detected, and the further pairs needed for it, follow from the smallest of the
    levels.
    """
    corrected, highest = list(found), 0.0
    least = math.ceil(1 + math.log2(max(1, len(found)) / (1 - LEVEL)))  # fewer pairs have too few ways to be swapped
    reach = float(stats.norm.isf((1 - LEVEL) / 2 / max(1, len(found))) + stats.norm.ppf(POWER))
    for rank, place in enumerate(sorted(range(len(found)), key=lambda n: found[n].p)):
        entry = found[place]
        highest = max(highest, min(1.0, entry.p * (len(found) - rank)))
        entry = replace(entry, corrected=highest, detectable=reach * entry.error)
        corrected[place] = replace(entry, more=_more(entry, reach, pairs, least))
    return corrected


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
