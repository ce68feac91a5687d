"""The kernel ends, and soon, on the worst that could be thought of."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import ModuleType

import pytest

from gamesmaster.engine import battles, paradoxes, routes
from gamesmaster.engine import rows as k
from tests.problems import Draft, DraftRow


class Counter:
    """Counts the calls of some of the kernel's functions."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: ModuleType, *names: str) -> None:
        self.calls = 0
        for name in names:
            monkeypatch.setattr(module, name, self._counting(getattr(module, name)))

    def _counting(self, function: Callable[..., object]) -> Callable[..., object]:
        def counted(*args: object) -> object:
            self.calls += 1
            return function(*args)

        return counted


def draft_of(size: int) -> Draft:
    """An empty Problem on so many provinces."""
    draft = Draft(Random(0))
    draft.size = size
    return draft


@pytest.mark.parametrize("last", ["stays", "leaves", "turns"])
@pytest.mark.parametrize("listed", ["forwards", "backwards", "at random"])
def test_a_long_chain(monkeypatch: pytest.MonkeyPatch, listed: str, last: str) -> None:
    """Each of 363 units waits for another: in a line they are weighed twice, at random fewer than n² / 2 times."""
    n = 363
    draft, places = draft_of(n + 1), list(range(n))
    if listed == "at random":
        Random(2).shuffle(places)
    for place in reversed(places) if listed == "forwards" else places:
        draft.add(place, owner=1).move(0 if last == "turns" and place == n - 1 else place + 1)
    if last == "stays":
        draft.add(n, owner=2)
    counter = Counter(monkeypatch, battles, "weigh_move")
    state = draft.problem().solve().state
    assert set(state[1 : n + 1]) == {k.FAILED if last == "stays" else k.CAME}
    assert counter.calls <= (n * (n + 1) // 2 if listed == "at random" else 2 * n)


def knot(draft: Draft, base: int) -> list[DraftRow]:
    """The simplest paradox (DATC 6.F.14), on five provinces from `base`: army, fleet, raider, supporter."""
    army, fleet, raider, supporter = (draft.add(base + i, owner=2 + i) for i in range(4))
    army.move(base + 3, k.CARRIED | k.PASS)
    fleet.convoy(army)
    raider.move(base + 1)
    supporter.support(raider)
    draft.join(base + 1, base, both_waters=False)
    draft.join(base + 1, base + 3, both_waters=False)
    return [army, fleet, raider, supporter]


def test_many_separate_knots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty paradoxes that do not touch are untied one after another, with two trials each."""
    draft = draft_of(160)
    armies = [knot(draft, 4 * i)[0] for i in range(40)]
    idle = draft.add(draft.size, owner=1)
    idle.convoy(armies[0])
    counter = Counter(monkeypatch, paradoxes, "try_routes")
    outcome = draft.problem()._replace(knot=k.SZYKMAN).solve()
    assert outcome.route[idle.number] == k.OPEN  # a fleet that nobody attacks is no part of the paradox
    assert {outcome.route[army.number] for army in armies} == {k.SILENCED}
    assert counter.calls == 2 * len(armies)


def circle(routes: int) -> tuple[Draft, list[DraftRow]]:
    """So many paradoxes, each army landing on the next one's supporter: all hang together."""
    draft = draft_of(4 * routes)
    armies = [knot(draft, 4 * i)[0] for i in range(routes)]
    for i, army in enumerate(armies):
        goal = 4 * ((i + 1) % routes) + 3
        army.to = goal
        draft.join(4 * i + 1, goal, both_waters=False)
    return draft, armies


@pytest.mark.parametrize("rule", [k.SZYKMAN, k.ALL_HOLD])
@pytest.mark.parametrize("routes", [2, paradoxes.MOST_TRIED])
def test_the_largest_circle_that_is_tried(monkeypatch: pytest.MonkeyPatch, routes: int, rule: int) -> None:
    """Seven routes that decide one another are tried in every combination, and no more than that for every row."""
    draft, armies = circle(routes)
    counter = Counter(monkeypatch, paradoxes, "try_routes")
    outcome = draft.problem()._replace(knot=rule).solve()
    assert {outcome.route[army.number] for army in armies} == {k.SILENCED}
    assert {outcome.state[army.number] for army in armies} == {k.FAILED}
    assert {outcome.state[army.number + 2] for army in armies} == {k.FAILED if rule == k.ALL_HOLD else k.CAME}
    assert counter.calls == 2**routes * (1 + (routes if rule == k.ALL_HOLD else 0))


def test_a_circle_too_large_to_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight routes in a circle are silenced without trial, and so are their fleets (STD-8.g)."""
    draft, armies = circle(paradoxes.MOST_TRIED + 1)
    idle = draft.add(draft.size, owner=1)
    idle.convoy(armies[0])
    counter = Counter(monkeypatch, paradoxes, "try_routes")
    outcome = draft.problem()._replace(knot=k.SZYKMAN).solve()
    assert outcome.route[idle.number] == k.OPEN  # a fleet that nobody attacks is no part of the paradox
    assert {outcome.route[army.number] for army in armies} == {k.SILENCED}
    assert {outcome.route[army.number + 1] for army in armies} == {k.SILENCED}
    assert {outcome.state[army.number + 2] for army in armies} == {k.CAME}
    assert counter.calls == 0


@pytest.mark.parametrize("whole", [True, False])
def test_a_web_of_sixty_fleets(monkeypatch: pytest.MonkeyPatch, whole: bool) -> None:
    """Sixty fleets, each next to every other, make one army's route; each search sees each fleet once."""
    fleets = 60
    draft = draft_of(fleets + 2)
    army = draft.add(fleets, owner=1)
    army.move(fleets + 1, k.CARRIED | k.PASS)
    for water in range(fleets):
        draft.add(water, owner=1).convoy(army)
        for other in range(water):
            draft.join(water, other, both_waters=True)
    draft.join(0, fleets, both_waters=False)
    if whole:
        draft.join(fleets - 1, fleets + 1, both_waters=False)
    counter = Counter(monkeypatch, routes, "carrier_fate", "sail")
    outcome = draft.problem().solve()
    assert outcome.route[army.number] == (k.HOLDS if whole else k.BROKEN)
    assert counter.calls <= 2 * fleets + 2
