"""Units without retreats, and builds that need a home (STD-19)."""

from __future__ import annotations

from typing import Any

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.game import Game
from gamesmaster.judge import adjudicate, build_sites
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rules
from gamesmaster.testing import check_variant
from gamesmaster.variant import Variant, find_variant
from tests.scenarios.setup import with_ends


def variant(name: str, **parameters: Any) -> Variant:
    """The standard game with a mechanic."""
    return with_ends(find_variant("standard"), mechanics=[{"name": name, **parameters}])


@pytest.mark.parametrize(("powers", "left"), [([], False), (["Germany"], False), (["France"], True)])
def test_nobody_retreats(powers: list[str], left: bool) -> None:
    """A dislodged unit is lost at once, of all powers or of some (STD-19.a)."""
    units = {"France": ["A PAR", "A MAR"], "Germany": ["A BUR"]}
    orders = {"France": ["A Par - Bur", "A Mar S A Par - Bur"]}
    rules = Rules.of(variant("no-retreats", powers=powers))
    done = adjudicate(rules, PhaseKind.MOVEMENT, Position(units_from(units)), orders)
    (beaten,) = done.position.dislodged
    assert bool(beaten.retreats) is left


@pytest.mark.parametrize(("number", "owned", "open_"), [(1, "BEL", 0), (1, "BEL PAR", 2), (2, "BEL PAR", 0)])
def test_builds_need_a_home(number: int, owned: str, open_: int) -> None:
    """A power builds in no centre while it owns too few of its homes, and the ledger says so (STD-19.b)."""
    made = with_ends(
        find_variant("standard"),
        mechanics=[{"name": "special-sites", "places": {"BEL": []}}, {"name": "needed-homes", "number": number}],
    )
    position = Position(units_from({"France": ["A PIC"]}), dict.fromkeys(owned.split(), "France"))
    assert len(build_sites(Rules.of(made), position, "France")) == open_
    game = Game.start(made, seed=bytes(32)).correct(position, "a test", phase=made.calendar.read("S1902M"))
    homes = f"builds nothing until it owns {number} home centre{'s' * (number > 1)} again"
    assert game.ledger.sections.get("Homes", ()) == (() if open_ else (f"France: {homes}",))
    (ruling,) = adjudicate(game.rules, PhaseKind.ADJUSTMENTS, position, {"France": ["Build A Bel"]}).rulings
    assert (ruling.clause == "STD-19.b") is (not open_)


def test_what_does_not_fit() -> None:
    """The number is bounded, powers are those of the game, and batches refuse both."""
    for number in (0, 101):
        with pytest.raises(BadFile, match="1 to 100 of its homes"):
            variant("needed-homes", number=number)
    with pytest.raises(BadFile, match="Frnace"):
        variant("no-retreats", powers=["Frnace"])
    assert "every dislodged unit may retreat" in " ".join(supports(variant("no-retreats")).why_not)
    assert "powers build without homes too" in " ".join(supports(variant("needed-homes")).why_not)


@pytest.mark.bulk
@pytest.mark.parametrize("name", ["no-retreats", "needed-homes"])
def test_they_conform(name: str) -> None:
    """Random games break no promise."""
    assert check_variant(variant(name), phases=15) == []
