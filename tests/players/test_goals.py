"""Players aim at the provinces that win, keep others from them, and keep the homes in which alone they build."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.players import DumbBot, Heuristic, Player, Searcher, Tastes, View, views
from gamesmaster.players.assessment import GOAL, HOME, Valuation
from gamesmaster.variant import find_variant
from tests.scenarios.setup import with_ends

from .table import at, told

CALM = Heuristic(Tastes(whim=0))
ENTERED = {"name": "entered-provinces", "goals": {"France": ["TYR"], "Germany": ["GAS"]}}
HELD = {"name": "held-provinces", "provinces": ["MUN", "ROM"], "number": 1}
OWNERS = {"PAR": "France", "MAR": "France", "BER": "Germany", "MUN": "Germany", "VEN": "Italy"}


def view(
    mechanics: list[dict[str, Any]],
    phase: str,
    units: Mapping[str, list[str]],
    owners: Mapping[str, str] = OWNERS,
    state: Mapping[str, Any] | None = None,
) -> View:
    """What France sees of the standard game with mechanics."""
    variant = with_ends(find_variant("standard"), mechanics=mechanics)
    return views(at(variant, phase, Position(units_from(units), owners, (), state or {})))["France"]


@pytest.mark.parametrize("player", [CALM, Searcher(samples=2, tries=4)], ids=["heuristic", "searcher"])
def test_they_enter_what_wins(player: Player) -> None:
    """An army steps into the goal beside it, though centres that it could take are beside it too."""
    units = {"France": ["A PIE"], "Germany": ["A BER"]}
    assert told(player, view([ENTERED], "S1902M", units)) == ["A Pie - Tyr"]
    assert told(player, view([], "S1902M", units)) != ["A Pie - Tyr"]


def test_they_go_towards_it() -> None:
    """An army goes to where its goal is nearer, and another's goal draws it only while that one could come."""
    burgundy = {"France": ["A BUR"], "Germany": ["A BER"]}
    far = {"name": "entered-provinces", "goals": {"France": ["SIL"]}}
    plain, drawn = (Valuation(view(with_, "S1902M", burgundy), CALM.tastes) for with_ in ([], [far]))
    stances = [drawn.stance("A", unit.at) for unit in units_from({"France": ["A MUN", "A PAR"]})]
    gains = [drawn.assess().value[one] - plain.assess().value[one] for one in stances]
    assert gains[0] > gains[1] > 0
    gascony = drawn.board.index["GAS"]
    for germans, worth in ((["A BER"], 0.0), (["A BUR"], GOAL / 2), (["A BUR", "F MAO"], GOAL)):
        seen = view([ENTERED], "S1902M", {"France": ["A MAR"], "Germany": germans})
        assert Valuation(seen, CALM.tastes).worth[gascony] == worth


def test_they_keep_others_out() -> None:
    """An army that could take a free centre goes to the goal that another power would enter."""
    units = {"France": ["A MAR"], "Germany": ["A BUR"]}
    assert told(CALM, view([ENTERED], "F1902M", units)) == ["A Mar - Gas"]
    assert told(CALM, view([], "F1902M", units)) != ["A Mar - Gas"]


def test_centres_that_win_are_worth_more() -> None:
    """One that is not owned is worth a goal more, an own one as much as it is threatened."""
    units = {"France": ["A BUR"], "Germany": ["A BER"]}
    munich = find_variant("standard").board.index["MUN"]
    plain, wins = (Valuation(view(with_, "F1902M", units), CALM.tastes).worth[munich] for with_ in ([], [HELD]))
    assert wins == plain + GOAL
    for germans, worth in ((["A PAR"], 0.0), (["A BER"], 0.5), (["A BER", "A KIE"], 1.0)):
        seen = view([HELD], "F1902M", {"France": ["A BUR"], "Germany": germans}, {"MUN": "France"})
        assert Valuation(seen, CALM.tastes).worth[munich] == pytest.approx(worth * (CALM.tastes.keeping + GOAL))


def test_homes_are_kept_before_other_centres() -> None:
    """Where powers build in homes alone, those that were won count more than other centres, lost ones too."""
    homes = {"won-homes": {"winters": 4, "homes": {"France": ["PAR", "MUN"]}}}
    units = {"France": ["A BUR"], "Germany": ["A RUH", "A PIC"]}
    won = {"name": "won-homes", "winter": 3}
    before, after = (
        Valuation(view([won], "F1902M", units, OWNERS, state), CALM.tastes).worth for state in (None, homes)
    )
    index = find_variant("standard").board.index
    for home, times in (("PAR", HOME), ("MUN", HOME), ("MAR", 1), ("BER", 1)):
        assert after[index[home]] == before[index[home]] * times


def test_others_play_as_before() -> None:
    """DumbBot, which follows its author's description, knows no goals."""
    units = {"France": ["A PIE", "A BUR"], "Germany": ["A BER"]}
    assert told(DumbBot(), view([ENTERED], "S1902M", units)) == told(DumbBot(), view([], "S1902M", units))
