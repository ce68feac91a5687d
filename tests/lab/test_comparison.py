"""Comparisons: what is found where there is something, and where there is nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from gamesmaster.errors import GamesmasterError
from gamesmaster.lab import Comparison, Experiment, GameSummary, compare
from gamesmaster.lab.comparison import Difference

from .made import POWERS, QUICK, made, numbered

EQUAL = (5, 5, 5, 5, 5, 5, 4)


def games(shifts: list[int]) -> list[GameSummary]:
    """Games in which France has so many centres more than five, and Turkey fewer than four."""
    return numbered([made(0, {1901: (5, 5, 5 + s, 5, 5, 5, 4 - s)}) for s in shifts])


def found(comparison: Comparison, what: str) -> Difference:
    """The difference in one thing."""
    return next(d for d in comparison.differences if d.what == what)


def test_a_clear_difference_is_settled() -> None:
    """France gains in nearly every pair: sure, with the interval of the paired t-test, and settled."""
    rng = np.random.default_rng(1)
    a, b = rng.integers(-2, 2, 40), rng.integers(0, 4, 40)
    told = compare((QUICK, games(list(a))), (QUICK, games(list(b))))
    france = found(told, "France: centres")
    interval = stats.ttest_rel(b, a).confidence_interval(1 - 0.05 / len(told.differences))
    assert france.difference.low == pytest.approx(interval.low)
    assert france.difference.high == pytest.approx(interval.high)
    assert france.difference.value == pytest.approx((b - a).mean())
    assert france.sure
    assert (france.more, told.pairs) == (0, 40)
    assert {d.what.partition(":")[0] for d in told.differences} >= {"France", "Turkey", "evenness of centres"}
    assert "England: victories in 100" not in {d.what for d in told.differences}


def test_p_is_that_of_all_swaps() -> None:
    """Of five pairs that all differ by the same, 2 of 32 ways to swap them look as extreme."""
    told = compare((QUICK, games([0] * 5)), (QUICK, games([1] * 5)))
    france = found(told, "France: centres")
    assert france.p == 2 / 32
    assert france.corrected >= france.p


def test_no_floor() -> None:
    """Where hardly any swap is as extreme, the probability goes on falling with the difference."""
    rng = np.random.default_rng(5)
    zero, one, two = (games(list(rng.integers(0, 3, 60) + more)) for more in (0, 1, 2))
    small, large = (found(compare((QUICK, zero), (QUICK, other)), "France: centres") for other in (one, two))
    assert large.p < small.p < 1e-5


def test_probabilities_and_intervals_are_corrected_alike() -> None:
    """Each counts for as many as there are, and a difference of means is sure where its interval leaves out 0."""
    rng = np.random.default_rng(2)
    told = compare((QUICK, games(list(rng.integers(-2, 3, 30)))), (QUICK, games(list(rng.integers(-1, 4, 30)))))
    for d in told.differences:
        assert d.corrected == pytest.approx(min(1, d.p * len(told.differences)))
        if d.difference.low is not None and d.difference.high is not None and not 0.02 < d.corrected < 0.1:
            assert d.sure == (not d.difference.low <= 0 <= d.difference.high)


def test_the_correlation_of_pairs_is_told() -> None:
    """That of the two games of a pair; none where one side never varies, nor for indices."""
    rng = np.random.default_rng(3)
    a = rng.integers(-2, 3, 40)
    b = a + rng.integers(0, 3, 40)
    told = compare((QUICK, games(list(a))), (QUICK, games(list(b))))
    assert found(told, "France: centres").correlation == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert found(told, "evenness of centres").correlation is None
    alone = compare((QUICK, games([0] * 40)), (QUICK, games(list(b))))
    assert found(alone, "France: centres").correlation is None


def test_those_who_look_early() -> None:
    """The bounds hold at every look: they are wider, what has no bounds is left out, and nothing is foretold."""
    rng = np.random.default_rng(1)
    sides = (QUICK, games(list(rng.integers(-2, 2, 80)))), (QUICK, games(list(rng.integers(1, 5, 80))))
    plain, early = (found(compare(*sides, early=early), "France: centres") for early in (False, True))
    assert plain.difference.low is not None
    assert early.difference.low is not None
    assert early.difference.low < plain.difference.low
    assert early.p > plain.p
    assert (early.detectable, early.more) == (0, None)
    assert {d.what for d in compare(*sides, early=True).differences} == {"France: centres", "Turkey: centres"}


def test_how_many_more_pairs() -> None:
    """With four times the pairs, the standard error and what can be detected are half; the number wanted stays."""
    rng = np.random.default_rng(4)
    shifts = list(rng.integers(-3, 4, 50))
    few = compare((QUICK, games([0] * 50)), (QUICK, games(shifts)))
    many = compare((QUICK, games([0] * 200)), (QUICK, games(shifts * 4)))
    one, four = (found(comparison, "France: centres") for comparison in (few, many))
    assert one.detectable == pytest.approx(2 * four.detectable, rel=0.02)
    assert one.more is not None
    alpha = 0.05 / len(few.differences)
    reach = stats.norm.isf(alpha / 2) + stats.norm.ppf(0.8)
    needed = (reach * np.std(np.array(shifts), ddof=1) / np.mean(shifts)) ** 2
    assert one.more == pytest.approx(needed - 50, abs=1.5)


def test_chance_alone_is_seldom_called_a_difference() -> None:
    """Where both are the same by nature, hardly one of fifteen comparisons finds anything at all."""
    rng = np.random.default_rng(6)
    called = 0
    for _ in range(15):
        a, b = (games(list(rng.integers(-2, 3, 12))) for _ in range(2))
        called += any(d.sure for d in compare((QUICK, a), (QUICK, b)).differences)
    assert called <= 3


def test_first_players_are_compared_where_they_sit() -> None:
    """Between other players, what the first of those that are dealt has is told, wherever it sits."""
    one = Experiment.of("standard", "holder", seed=5)
    other = Experiment.of("standard", "random,holder", seed=5)
    mine = numbered([made(0, {1901: EQUAL}) for _ in range(7)], one)
    yours = []
    for number in range(7):
        counts = [4] * 7
        counts[POWERS.index(other.first_seat(number))] = 10
        yours.append(made(number, {1901: counts}, experiment=other))
    told = compare((one, mine), (other, yours))
    first = found(told, "first player: centres")
    assert first.first == pytest.approx((5 * 6 + 4) / 7)
    assert first.second == 10


def test_the_same_has_no_differences() -> None:
    """Two equal series differ in nothing."""
    same = (QUICK, games([0, 1, 2]))
    assert compare(same, same).differences == ()


def test_what_cannot_be_compared() -> None:
    """Other chance, or too few games in common, is refused."""
    with pytest.raises(GamesmasterError, match="their seeds are 5 and 6"):
        compare((QUICK, []), (replace(QUICK, seed=6), []))
    with pytest.raises(GamesmasterError, match="1 games in common are too few"):
        compare((QUICK, games([0, 1])), (QUICK, games([0])))
