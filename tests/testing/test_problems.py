"""Random Problems are as they are said to be."""

from __future__ import annotations

from random import Random

import pytest

from gamesmaster.engine import rows as k
from gamesmaster.engine.problem import NOBODY
from tests.problems import Theme, permute, random_problem


@pytest.mark.parametrize("theme", list(Theme))
def test_form(theme: Theme) -> None:
    """Every number of a random Problem is in its range, and at most one unit occupies a province."""
    for seed in range(300):
        problem = random_problem(Random(seed), theme)
        rows = problem.rows
        n = len(rows.kind) - 1
        assert 2 <= n <= (27 if theme is Theme.KNOTS else 8)
        assert theme is Theme.KNOTS or 3 <= problem.size <= 7
        assert {len(cells) for cells in rows} == {n + 1}
        assert rows.owner[0] == NOBODY
        assert len(problem.link) == problem.size**2
        for r in range(1, n + 1):
            assert rows.kind[r] in (k.HOLD, k.MOVE, k.SUPPORT, k.CONVOY)
            assert all(0 <= place < problem.size for place in (rows.at[r], rows.to[r], rows.whence[r]))
            assert 0 <= rows.about[r] <= n
            assert rows.owner[r] != NOBODY
            assert rows.force[r] in (1, 2, 4)
            assert rows.stay[r] in (1, 4)
        standing = [rows.at[r] for r in range(1, n + 1) if not rows.flags[r] & k.ABSENT]
        assert len(set(standing)) == len(standing)


def test_the_same_seed_draws_the_same_problem() -> None:
    """What a seed drew can be drawn again."""
    assert [random_problem(Random(seed)) for seed in range(50)] == [random_problem(Random(seed)) for seed in range(50)]


def test_every_flag_and_rule_is_drawn() -> None:
    """Over some thousand Problems every flag of a row and every rule for places and paradoxes occurs."""
    problems = [random_problem(Random(seed)) for seed in range(2000)]
    flags = 0
    for problem in problems:
        for cell in problem.rows.flags:
            flags |= cell
    assert flags == 2 * k.ALONE - 1
    assert {p.contest for p in problems} == {k.UNLESS_HEAD_ON, k.NEVER, k.ALWAYS}
    assert {p.knot for p in problems} == {k.SZYKMAN, k.ALL_HOLD}
    assert any(p.rows.whence != p.rows.at for p in problems)


def test_permuting_twice_gives_the_problem_back() -> None:
    """A permutation and its inverse leave a Problem as it was, references between rows included."""
    rng = Random(1)
    for seed in range(100):
        problem = random_problem(Random(seed))
        order = list(range(1, len(problem.rows.kind)))
        rng.shuffle(order)
        back = [order.index(r) + 1 for r in sorted(order)]
        assert permute(permute(problem, order), back) == problem
