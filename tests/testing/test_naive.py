"""The naive solver: what it says, and that it notices what is wrong."""

from __future__ import annotations

import doctest
from random import Random

import pytest

from gamesmaster.engine import rows as k
from gamesmaster.engine.problem import Problem
from tests import naive
from tests.naive import Naive, Undecided, differences, solve
from tests.problems import UNIT, Draft, random_problem


@pytest.fixture
def draft() -> Draft:
    """An empty Problem on ten provinces."""
    draft = Draft(Random(0))
    draft.size = 10
    return draft


def test_the_example() -> None:
    """The example in its description runs."""
    assert doctest.testmod(naive).failed == 0


def test_support_decides(draft: Draft) -> None:
    """Two against one dislodge, and the supporter is given as uncut (STD-6.a)."""
    attack, holder, helper = (draft.add(at, owner) for at, owner in ((0, 1), (1, 2), (2, 1)))
    attack.move(1)
    helper.support(attack)
    outcome = solve(draft.problem())
    assert (outcome.state[1], outcome.strength[1], outcome.cut[3]) == (k.CAME, 2 * UNIT, k.GIVEN)
    assert holder.kind == k.HOLD


def test_circles_turn(draft: Draft) -> None:
    """Of three units in a circle all go or none, and they go (DATC 6.C.1)."""
    for at in range(3):
        draft.add(at, at).move((at + 1) % 3)
    assert solve(draft.problem()).state[1:] == [k.CAME] * 3


def test_equals_bounce(draft: Draft) -> None:
    """Equal rivals stand each other off, and each is the other's reason (STD-6.a)."""
    for at in range(2):
        draft.add(at, at).move(2)
    outcome = solve(draft.problem())
    assert (outcome.state[1:], outcome.by[1:]) == ([k.FAILED, k.FAILED], [2, 1])


def test_paradox(draft: Draft) -> None:
    """A landing that would save its own fleet is silenced, with its fleet (STD-8.g)."""
    army, fleet, raider, supporter = (draft.add(at, owner=at) for at in range(4))
    army.move(3, k.CARRIED | k.PASS)
    fleet.convoy(army)
    raider.move(1)
    supporter.support(raider)
    draft.join(1, 0, both_waters=False)
    draft.join(1, 3, both_waters=False)
    problem = draft.problem()._replace(knot=k.SZYKMAN)
    found = Naive(problem)
    assert (found.circles, found.paradoxes, found.routes) == (1, 1, {1: k.SILENCED, 2: k.SILENCED})
    assert found.outcome().state[3] == k.CAME


def circle_of_supports(n: int) -> Problem:
    """Supporters of whom each is dislodged unless the one before him is: units lie together as no rules let them."""
    draft = Draft(Random(0))
    supporters = [draft.add(place, place) for place in range(n)]
    attackers = [draft.add((place + 1) % n, n + place) for place in range(n)]
    for place, attacker in enumerate(attackers):
        attacker.move(place, k.ABSENT)
    for place, supporter in enumerate(supporters):
        supporter.support(attackers[(place + 1) % n])
    return draft.problem()


@pytest.mark.parametrize(("n", "complaint"), [(2, "2 largest sets of moves"), (3, "no set of moves")])
def test_two_answers_are_none(n: int, complaint: str) -> None:
    """Where two sets of moves agree with themselves equally well, or none does, it does not choose."""
    with pytest.raises(Undecided, match=complaint):
        solve(circle_of_supports(n))


@pytest.mark.parametrize("n", [2, 3])
def test_the_kernel_ends_where_there_is_no_answer(n: int) -> None:
    """Where the rules say nothing the kernel lets what is open fail."""
    assert circle_of_supports(n).solve().state[n + 1 :] == [k.FAILED] * n


@pytest.mark.parametrize("column", k.Outcome._fields)
def test_every_column_is_compared(column: str) -> None:
    """A wrong number in any column of any row is reported with its place."""
    problem = random_problem(Random(4))
    outcome = problem.solve()
    assert differences(problem, outcome) == []
    for r in range(1, len(problem.rows.kind)):
        spoilt = k.Outcome(*(list(cells) for cells in outcome))
        getattr(spoilt, column)[r] += 9
        (report,) = differences(problem, spoilt)
        assert report.startswith(f"row {r}: {column} is ")
