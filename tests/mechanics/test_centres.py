"""Centres that count more or nothing, and neutral units that support each other (STD-15.a, STD-15.b)."""

from __future__ import annotations

from typing import Any

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.game import Game
from gamesmaster.judge import adjudicate, balance
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Result, Rules
from gamesmaster.testing import check_variant
from gamesmaster.variant import Variant, find_variant, lint_variant
from tests.scenarios.setup import with_ends


def variant(name: str, victory: dict[str, Any] | None = None, **parameters: Any) -> Variant:
    """The standard game with a mechanic."""
    return with_ends(find_variant("standard"), victory=victory, mechanics=[{"name": name, **parameters}])


@pytest.mark.parametrize(
    ("values", "powers", "fed", "winner"),
    [
        ({"PAR": 3}, [], 4, "France"),
        ({"PAR": 0}, [], 1, ""),
        ({"PAR": 3}, ["France"], 4, "France"),
        ({"PAR": 3}, ["Germany"], 2, ""),
        ({"PAR": 3, "MAR": 0}, [], 3, ""),
    ],
)
def test_a_centre_counts_more_or_nothing(values: dict[str, int], powers: list[str], fed: int, winner: str) -> None:
    """What a centre counts feeds units and wins, for all powers or for some (STD-15.a)."""
    made = variant("centre-values", {"centres": 4}, values=values, powers=powers)
    units = {"France": ["A PIC"], "Germany": ["A RUH"]}
    position = Position(units_from(units), {"PAR": "France", "MAR": "France", "BER": "Germany"})
    assert balance(Rules.of(made), position)["France"] == fed - 1
    game = Game.start(made, seed=bytes(32))
    game = game.correct(position, "a test", phase=made.calendar.read("F1901M"))
    lines = [(e.power, e.text) for e in game.ledger.entries if e.heading == "Values of centres"]
    told = (
        [] if powers == ["Germany"] else [("France", f"Par counts {values['PAR']} centre{'s' * (values['PAR'] != 1)}")]
    )
    assert (lines[:1], len(lines)) == (told, len(values) * len(told))
    outcome = game.process().outcome
    assert (outcome.winners if outcome else ()) == ((winner,) if winner else ())


@pytest.mark.bulk
def test_values_are_checked() -> None:
    """A value is for a supply centre, and at most 20; batches refuse them."""
    for values in ({}, {"PAR": 21}, {"PAR": -1}):
        with pytest.raises(BadFile):
            variant("centre-values", values=values)
    found = [finding.code for finding in lint_variant(variant("centre-values", values={"PIC": 2}))]
    assert "no-centre" in found
    made = variant("centre-values", values={"PAR": 2})
    assert supports(made).why_not == ("the mechanic CentreValues (in batches every centre counts one)",)
    assert check_variant(made, phases=25) == []


STANDING: dict[str, Any] = {"units": ["A SER", "A RUM"], "support": {"SER": "RUM", "RUM": "SER"}}


@pytest.mark.bulk
def test_standing_armies_support_each_other() -> None:
    """A neutral unit supports another where it stands, until it is attacked itself or either is gone (STD-15.b)."""
    made = variant("standing-armies", **STANDING)
    rules, start = Rules.of(made), made.start
    units = (*units_from({"Austria": ["A BUD", "A GAL", "A ALB"]}, first=50), *start.units[-2:])
    assert {str(unit) for unit in start.units[-2:]} == {"A SER", "A RUM"}

    def result(position: Position, *more: str) -> Result:
        given = {"Austria": ["A Bud - Rum", "A Gal S A Bud - Rum", *more]}
        return adjudicate(rules, PhaseKind.MOVEMENT, position, given).rulings[0].result

    assert result(Position(units)) is Result.BOUNCES
    assert result(Position(units), "A Alb - Ser") is Result.SUCCEEDS  # the support is cut
    assert result(Position((*units[:3], units[4]))) is Result.SUCCEEDS  # nobody stands in Serbia
    assert check_variant(made, phases=25) == []
    assert supports(made).why_not == ("the mechanic StandingArmies (in batches standing armies support nobody)",)
    far = variant("standing-armies", **STANDING | {"support": {"SER": "STP"}})
    assert "no-border" in [finding.code for finding in lint_variant(far)]
