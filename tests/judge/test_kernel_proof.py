"""The kernel against a second solver that tries everything, and against itself."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.engine import rows as k
from gamesmaster.engine.problem import Problem
from gamesmaster.judge import IndexedPosition
from gamesmaster.judge.binding import bind_orders
from gamesmaster.judge.prepare import prepare
from gamesmaster.rules import Rulebook, Rules
from gamesmaster.testing import POWERS, random_board, random_orders, random_position
from tests.lengths import mark_long, short_and_long
from tests.naive import Naive, differences
from tests.problems import permute, problems, random_problem

BLOCK = 1000
BOOKS = ("datc", "1971", "1982", "2000", "dptg", {"4.A.2": "d"}, {"4.A.7": "a"}, {"4.A.7": "always", "4.A.3": "c"})


@pytest.mark.bulk
@pytest.mark.parametrize("block", mark_long(range(20), but=range(2)))
def test_kernel_equals_the_naive_solver(block: int) -> None:
    """On a thousand random Problems every column says what trying everything says (DATC 5)."""
    wrong = {}
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        problem = random_problem(Random(seed))
        if found := differences(problem, problem.solve()):
            wrong[seed] = found
    assert wrong == {}


@pytest.mark.parametrize("seed", [17346, 18932])
def test_one_group_of_a_knot_is_settled_by_itself(seed: int) -> None:
    """Where a knot has several groups of routes, one that has a single answer is settled, and leaves the others."""
    problem = random_problem(Random(seed))
    assert differences(problem, problem.solve()) == []


@pytest.mark.long  # the comparison itself is above
def test_the_sample_is_worth_comparing() -> None:
    """The first Problems of the comparison hold what is hard: circles with one answer and without, and all the rest."""
    seen = Counter[str]()
    for seed in range(6000):
        naive = Naive(random_problem(Random(seed)))
        scene, routes = naive.scene, set(naive.routes.values())
        seen["paradox"] += naive.paradoxes > 0
        seen["circle with one answer"] += naive.circles > naive.paradoxes
        seen["two paradoxes"] += naive.paradoxes > 1
        seen["all-hold"] += bool(naive.doomed)
        seen.update(lot for lot, name in (("broken", k.BROKEN), ("walks", k.WALKS)) if name in routes)
        for move in naive.facts.moves:
            came = move.number in scene.came
            host = naive.facts.occupant.get(move.to)
            seen["head on"] += bool(scene.head_on(move))
            seen["exchange"] += came and host is not None and host.to == move.at and host.number in scene.came
            seen["embarked"] += not came and scene.has_left(move)
            seen["without effect"] += scene.acts(move) and not move.flags & k.FREE and not scene.prevents(move)
            seen["Brannan"] += bool(scene.head_on(move)) and move.whence != move.at
        for support in naive.facts.supports:
            seen["cut by dislodging"] += any(m.whence == support.to for m in scene.cutters(support))
    assert min(seen.values()) >= 3, seen
    assert len(seen) == 12, seen


@pytest.mark.bulk
@settings(max_examples=150, deadline=None)
@given(problems())
def test_kernel_equals_the_naive_solver_on_what_hypothesis_draws(problem: Problem) -> None:
    """The same of Problems that Hypothesis draws, and can make smaller."""
    assert differences(problem, problem.solve()) == []


@short_and_long("number", 150, 2000)
def test_problems_made_of_orders(number: int) -> None:
    """The same of the Problems that `prepare` makes of orders on random boards, under rulebooks of all dates."""
    wrong = {}
    for seed in range(number):
        rng = Random(seed)
        board = random_board(rng)
        position = random_position(rng, board)
        field = IndexedPosition(Rules(board, POWERS, rulebook=Rulebook.of(rng.choice(BOOKS))), position)
        problem = prepare(field, bind_orders(field, random_orders(rng, board, position))).problem
        if found := differences(problem, problem.solve()):
            wrong[seed] = found
    assert wrong == {}


@settings(max_examples=100, deadline=None)
@given(problems(), st.data())
def test_the_order_of_rows_does_not_matter(problem: Problem, data: st.DataObject) -> None:
    """Rows listed in another order have the same fate; only who of several is named as the cause may differ."""
    n = len(problem.rows.kind) - 1
    order = data.draw(st.permutations(range(1, n + 1)))
    plain, other = problem.solve(), permute(problem, order).solve()
    for name, before, after in zip(k.Outcome._fields, plain, other, strict=True):
        moved = [before[old] for old in order]
        assert after[1:] == moved or name == "by"
        assert [bool(by) for by in after[1:]] == [bool(by) for by in moved]


@settings(max_examples=50, deadline=None)
@given(problems())
def test_solving_leaves_the_problem_as_it_was(problem: Problem) -> None:
    """A Problem can be solved twice, with the same answer."""
    before = deepcopy(problem)
    assert problem.solve() == problem.solve()
    assert problem == before
