"""Figures of players beside those of people: the instrument, and that the fitted players hold what their page says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench import people as calibration
from bench.people import (
    PLAIN,
    RANKED,
    Figures,
    agreements,
    distance,
    figures_of,
    fitted,
    overlap,
    people,
    ranks_agree,
)
from gamesmaster.players import MINDS, Tastes

PAGE = Path(__file__).parents[2] / "docs/calibration.md"


@pytest.fixture(scope="module")
def short() -> Figures:
    """Games of the player `people`, broken off after 1910."""
    return figures_of(300, seed=4, until=1910)


def test_ranks_agree_as_spearman_has_it() -> None:
    """Ties share the mean of their ranks; where one side is all alike there is no agreement."""
    assert ranks_agree([1, 2, 3, 4], [10, 20, 30, 25]) == pytest.approx(0.8)
    assert ranks_agree([1, 1, 2], [5, 5, 7]) == pytest.approx(1)
    assert ranks_agree([1, 2, 3], [4, 4, 4]) == 0


def test_figures_of_people_agree_with_themselves() -> None:
    """The two parts are different games, each of them at no distance from itself."""
    fit, test = people()
    assert (fit.games, test.games) == (725, 465)
    assert {round(a.found, 9) for a in agreements(test, fit, test) if a.what in RANKED} == {1}
    assert distance(test, test) == pytest.approx(0)
    assert distance(fit, test) > 0.1
    assert overlap(fit.first_orders, test.first_orders) == pytest.approx(1, abs=0.01)
    assert fit.decided == pytest.approx(sum(fit.solos), abs=0.001)


def test_players_fitted_to_people_play_like_them(short: Figures) -> None:
    """Gains, centres, attacks and repeated failures are those of people, within what 300 games can show."""
    rows = {row.what: row for row in agreements(short, *people())}
    assert rows["gains 1901"].found > 0.8
    assert rows["centres 1905"].found > 0.75
    assert rows["attacks 1901-02"].found > 0.9
    assert rows["first orders"].found > 0.7
    assert abs(rows["repeated"].found - rows["repeated"].ceiling) < 0.05
    assert abs(rows["foreign"].found - rows["foreign"].ceiling) < 0.04
    assert set(rows) == {*RANKED, "first orders", *PLAIN}


def test_figures_add_up(short: Figures) -> None:
    """Shares of orders make a whole, and nobody owns more centres than there are."""
    assert short.moves + short.holds + short.supports + short.convoys == pytest.approx(1)
    assert all(sum(orders.values()) == pytest.approx(1) for orders in short.first_orders.values())
    assert len(short.first_orders) == 22
    assert all(sum(counts) <= 34 for counts in short.centres.values())
    assert all(short.attacks[power][power] == 0 for power in range(7))


def test_fitting_comes_nearer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are kept only if the games come nearer, and all tastes stay in their ranges."""
    wanted = 3.0

    def played(games: int, *, seed: int, seats: list[Tastes]) -> Figures:
        _, test = people()
        return replace(test, games=games, decided=test.decided + abs(seats[0].free - wanted))

    monkeypatch.setattr(calibration, "figures_of", played)
    _, test = people()
    found = fitted(Tastes(), test, rounds=40)
    assert abs(found.free - wanted) < 1
    assert isinstance(found.tiring, int)


@pytest.mark.long
def test_the_page_holds() -> None:
    """Games with another seed than the page's come to what the page says, and to what was wanted of the players."""
    rows = {row.what: row for row in agreements(figures_of(2_000, seed=99), *people())}
    assert rows["gains 1901"].found >= 0.85
    assert rows["centres 1905"].found >= 0.85
    assert rows["attacks 1901-02"].found >= 0.9
    assert rows["survival"].found >= 0.6
    assert abs(rows["decided"].found - rows["decided"].ceiling) < 0.1
    table = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines()]
    said = next(cells for cells in table if cells[0] == "| gains 1901")
    assert rows["gains 1901"].found == pytest.approx(float(said[2]), abs=0.08)


def test_minds_are_told_apart() -> None:
    """The old tastes do not take what people take."""
    fit, test = people()
    old = {row.what: row.found for row in agreements(figures_of(100, seats=["heuristic"] * 7, until=1910), fit, test)}
    assert old["gains 1901"] < 0.6
    assert set(MINDS) == {"dumbbot", "heuristic", "peaceful", "people"}
