"""Builds that take years: begun, paid for, completed or lost (STD-14.a to STD-14.c)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Position, Unit, units_from
from gamesmaster.errors import BadFile
from gamesmaster.game import Game, dumps, ledger_of, loads
from gamesmaster.judge import due
from gamesmaster.mechanics import DelayedBuilds
from gamesmaster.orders import PhaseKind
from gamesmaster.testing import check_variant
from gamesmaster.variant import Variant, shelf
from gamesmaster.variant.reading import variant_of_data
from gamesmaster.variant.sources import variant_data

OWNERS = dict.fromkeys(("LON", "LVP", "EDI", "BEL", "NWY"), "England")


def variant(**parameters: Any) -> Variant:
    """The standard game with builds in any owned centre, of which some take their time."""
    data: dict[str, Any] = dict(variant_data(shelf() / "standard"))
    data["mechanics"] = [{"name": "delayed-builds", **parameters}]
    data["build_sites"] = "any owned supply center"
    return variant_of_data(shelf() / "standard", data)


def winter(made: Variant, units: list[str], orders: list[str]) -> Game:
    """The game after a Winter in which England has these centres, and Russia an army in Warsaw."""
    position = Position(units_from({"England": units, "Russia": ["A WAR"]}), {**OWNERS, "WAR": "Russia"})
    game = Game.start(replace(made, start=position), seed=bytes(32))
    while game.phase.kind is not PhaseKind.ADJUSTMENTS:
        game = game.process()
    return game.submit("England", orders).process()


def next_winter(game: Game, *, power: str = "") -> Game:
    """The game at its next Winter, or after it if nobody has anything to do; Belgium may get another owner."""
    if power:
        moved = tuple(u for u in game.position.units if u.power != power)
        there = Unit(99, "A", power, units_from({power: ["A BEL"]})[0].at)
        game = game.correct(replace(game.position, units=(*moved, there)), "a test")
    year = game.phase.year
    while not game.outcome and game.phase.year == year:
        game = game.process()
    return game


def test_a_unit_comes_a_year_later() -> None:
    """Away from home it is begun, costs a centre, and comes with the next Winter; at home it is built at once."""
    game = winter(variant(), ["F NTH"], ["Build A Bel", "Build F Lon"])
    assert {str(unit) for unit in game.position.of("England")} == {"F NTH", "F LON"}
    told = {ruling.given: ruling for ruling in game.adjudication(game.records[-1]).rulings}
    assert ("is begun, and there next Winter" in told["Build A Bel"].text, told["Build A Bel"].clause) == (
        True,
        "STD-14.a",
    )
    assert "is built" in told["Build F Lon"].text
    assert due(game.rules, game.position)["England"] == 2  # five centres, two units, one begun
    ledger = ledger_of(game.variant, game.rules, game.phase, game.position)
    assert [(e.power, e.text) for e in ledger.entries if e.heading == "Being built"] == [
        ("England", "A in Bel, there in Winter 1902"),
    ]  # fmt: skip
    assert dumps(loads(dumps(game), find=lambda _: game.variant)) == dumps(game)
    after = next_winter(game)
    assert "A BEL" in {str(unit) for unit in after.position.of("England")}
    events = [event.kind.value for record in after.records for event in record.events]
    assert "completed" in events


def test_two_winters() -> None:
    """It may take longer, and its site builds nothing else meanwhile."""
    game = next_winter(winter(variant(winters=2, builds="all"), ["F NTH"], ["Build A Bel", "Build F Lon"]))
    assert {str(unit) for unit in game.position.of("England")} == {"F NTH"}
    state = game.position.state["delayed-builds"]
    assert state == [["England", "A", "BEL", 1], ["England", "F", "LON", 1]]
    assert {str(unit) for unit in next_winter(game).position.of("England")} == {"F NTH", "A BEL", "F LON"}


def test_a_site_is_lost() -> None:
    """Who is in the place when the unit is due prevents it."""
    game = winter(variant(), ["F NTH"], ["Build A Bel"])
    after = next_winter(game, power="Russia")
    assert [unit.power for unit in after.position.units if unit.at.province == "BEL"] == ["Russia"]
    assert "abandoned" in [event.kind.value for record in after.records for event in record.events]


def test_what_it_is_not_for() -> None:
    """Batches refuse it by name, and a file may not ask for no time at all."""
    assert supports(variant()).why_not == ("the mechanic DelayedBuilds (batches keep no builds that take years)",)
    with pytest.raises(BadFile, match="a build takes 1 to 100 Winters"):
        variant(winters=0)
    assert DelayedBuilds().winters == 1


@pytest.mark.bulk
def test_the_variant_conforms() -> None:
    """Whatever is begun comes, or is lost, with an event."""
    assert check_variant(variant(builds="all"), phases=30) == []
