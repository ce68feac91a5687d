"""Homes that powers win, in the first years or by bids (STD-17)."""

from __future__ import annotations

from typing import Any

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.game import Game, report
from gamesmaster.judge import adjudicate, balance, build_sites
from gamesmaster.mechanics import WonHomes
from gamesmaster.mechanics.homes import HomeVerb
from gamesmaster.mechanics.homes.won import BidCause, HomeEvent
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.players import Heuristic, play_on
from gamesmaster.rules import Ahead, Cause, Event, ReportMechanic, Result, Rules
from gamesmaster.testing import check_variant
from gamesmaster.variant import Variant, find_variant, lint_variant, shelf
from gamesmaster.variant.reading import variant_of_data
from gamesmaster.variant.sources import variant_data
from tests.scenarios.setup import with_ends

CAPITALS = {
    "Austria": "VIE", "England": "LON", "France": "PAR", "Germany": "BER", "Italy": "ROM", "Russia": "MOS",
    "Turkey": "CON",
}  # fmt: skip


def beginning(start: dict[str, dict[str, Any]], **parameters: Any) -> Variant:
    """The standard game, begun in Winter 1900 with other powers, with homes that are won."""
    data: dict[str, Any] = dict(variant_data(shelf() / "standard"))
    data["calendar"] = data["calendar"] | {"first_year": 1900, "first_phase": "Winter 1900"}
    data["powers"] = [power | start[power["name"]] for power in data["powers"]]
    data["mechanics"] = [{"name": "won-homes", **parameters}]
    return variant_of_data(shelf() / "standard", data)


CLASSIC_1897 = beginning({power: {"units": []} for power in CAPITALS}, winter=3, first=1)
GREEK = beginning(
    {power: {"units": [f"A {capital}"], "centres": [capital]} for power, capital in CAPITALS.items()},
    winter=0, bids=3, units={"SPA": "F SPA/SC"},
)  # fmt: skip


def played(state: dict[str, Any], owners: dict[str, str], orders: list[str], **parameters: Any) -> Any:
    """A Winter of France with an army in Burgundy, in which she owns these centres."""
    variant = with_ends(find_variant("standard"), mechanics=[{"name": "won-homes", **parameters}])
    position = Position(units_from({"France": ["A BUR"]}), owners, (), {"won-homes": state})
    return adjudicate(Rules.of(variant), PhaseKind.ADJUSTMENTS, position, {"France": orders})


def test_homes_are_won() -> None:
    """Until that Winter a power builds wherever it owns a centre, later only in what it owned then (STD-17.a)."""
    owners = {"MUN": "France", "PAR": "France", "BEL": "France"}
    done = played({"winters": 1, "homes": {}}, owners, ["Build A Mun"], winter=1)
    assert done.rulings[0].cause is Cause.BUILT
    homes = {"France": ["BEL", "MUN", "PAR"]}
    assert done.position.state["won-homes"] == {"winters": 2, "homes": homes}
    later = owners | {"MAR": "France"}
    done = played({"winters": 2, "homes": homes}, later, ["Build A Mar", "Build A Bel", "Build A Lon"], winter=1)
    told = [(one.result, one.clause) for one in done.rulings]
    assert told == [(Result.VOID, "STD-17.a"), (Result.SUCCEEDS, "STD-10.c"), (Result.VOID, "STD-10.c")]
    assert "not one of the homes of its power" in done.rulings[0].text
    assert done.position.state["won-homes"] == {"winters": 3, "homes": homes}


def test_other_sites_stay() -> None:
    """Sites that are no centres are left to those who have them, and a home in which somebody stands is none."""
    mechanics: list[dict[str, Any]] = [
        {"name": "special-sites", "power": "France", "places": {"PIC": ["A"]}},
        {"name": "won-homes", "winter": 0},
    ]
    rules = Rules.of(with_ends(find_variant("standard"), mechanics=mechanics))
    homes = {"winters": 1, "homes": {"France": ["BRE", "PAR"]}}
    owners = dict.fromkeys(("BRE", "PAR", "MAR"), "France")
    position = Position(units_from({"France": ["A BRE"]}), owners, (), {"won-homes": homes})
    assert {*build_sites(rules, position, "France")} == {"PIC", "PAR"}


def test_a_power_begins_with_one_unit() -> None:
    """In the first Winter each power builds one unit; centres without one are neutral from then on (STD-17.b)."""
    game = Game.start(CLASSIC_1897, seed=bytes(32))
    assert balance(game.rules, game.position) == dict.fromkeys(game.rules.powers, 1)
    game = game.submit("France", "Build A Par\nBuild A Mar\nBuild A Mun").submit("England", "Build F Lon").process()
    rulings = {ruling.given: ruling for ruling in game.adjudication(game.records[0]).rulings}
    assert [rulings[text].clause for text in rulings] == ["STD-10.c", "STD-10.c", "STD-17.b", "STD-10.c"]
    assert "more units than a power may begin with" in rulings["Build A Mar"].text
    assert game.position.owners == {"PAR": "France", "LON": "England"}
    assert balance(game.rules, game.position)["France"] == 0
    line = "each power builds where it owns a centre; what it owns after Winter 1903 are its homes"
    assert game.ledger.sections["Homes"] == (line,)


def test_bids() -> None:
    """Who alone bids most for a centre has it, with a unit; the other bids are lost (STD-17.c)."""
    game = Game.start(GREEK, seed=bytes(32))
    lines = [(entry.text, entry.number) for entry in game.ledger.entries if entry.heading == "Homes"]
    assert lines[1] == ("each power has 3 bids for centres that nobody owns", 3)
    game = game.submit("France", "Designate Bel\nDesignate Bel\nDesignate Spa\nDesignate Por")
    game = game.submit("Germany", "Designate Bel\nDesignate Mun\nDesignate Lon").submit("Austria", "Designate Mun")
    game = game.process()
    told = [(r.power, r.given, r.cause) for r in game.adjudication(game.records[0]).rulings]
    assert told == [
        ("Austria", "Designate Mun", BidCause.OUTBID),
        ("France", "Designate Bel", BidCause.WON),
        ("France", "Designate Bel", BidCause.WON),
        ("France", "Designate Spa", BidCause.WON),
        ("France", "Designate Por", BidCause.NO_BIDS),
        ("Germany", "Designate Bel", BidCause.OUTBID),
        ("Germany", "Designate Mun", BidCause.OUTBID),
        ("Germany", "Designate Lon", BidCause.NOT_TO_BE_HAD),
    ]
    assert game.records[0].events == tuple(Event(HomeEvent.WON, "France", centre) for centre in ("BEL", "SPA"))
    assert {str(unit) for unit in game.position.of("France")} == {"A PAR", "A BEL", "F SPA/SC"}
    assert game.ledger.sections["Homes"][2] == "France: Bel, Par, Spa"
    assert "France bids most for Belgium, and has a unit there. [STD-17.c]" in report(game)


def test_what_is_asked_of_bidders() -> None:
    """Every bid is due in the first Winter, for each centre that nobody owns, and in no other phase."""
    rules, (mechanic,) = Rules.of(GREEK), GREEK.mechanics
    assert isinstance(mechanic, WonHomes)
    start, game = GREEK.start, Game.start(GREEK, seed=bytes(32))
    assert {status.choices for status in game.status} == {3}
    assert mechanic.repeats
    offered = {*mechanic.extra_orders(rules, game.season, start, "France")}
    assert {order.at.province for order in offered if order.at} == {*rules.board.centres} - {*CAPITALS.values()}
    assert {order.verb for order in offered} == {HomeVerb.DESIGNATE}
    spring = game.process()
    assert list(mechanic.extra_orders(rules, spring.season, start, "France")) == []
    assert mechanic.orders_due(rules, spring.season, start) == {}
    bid = {"France": [Order(HomeVerb.DESIGNATE, "", None), None]}
    done = mechanic.carry_out(rules, PhaseKind.RETREATS, start, bid)
    assert {verdict.cause for verdict in done.verdicts.values()} == {BidCause.NOT_TO_BE_HAD}
    assert done.position == start


def test_a_game_begun_later() -> None:
    """A position from elsewhere has the homes that its owners say, once they have been won."""
    (mechanic,), rules = GREEK.mechanics, Rules.of(GREEK)
    assert isinstance(mechanic, WonHomes)
    position = Position((), {"PAR": "France", "BEL": "France", "MUN": "Germany"})
    state = mechanic.resume(rules, 4, position).state["won-homes"]
    assert state == {"winters": 4, "homes": {"France": ["BEL", "PAR"], "Germany": ["MUN"]}}
    lost = [
        line for hook in rules.hooks(ReportMechanic.report_lines) for line in hook(rules, position, Ahead(iter(())))
    ]
    assert [line.power for line in lost] == ["", ""]  # without a state: the Winter to come, and the bids


def test_what_does_not_fit() -> None:
    """Numbers are bounded, a unit must be able to be in its centre, bids share no verb, and batches refuse."""
    for wrong in ({"winter": -1}, {"winter": 0, "first": 1001}, {"winter": 0, "bids": -1}):
        with pytest.raises(BadFile, match="are 0 to 1,000"):
            with_ends(find_variant("standard"), mechanics=[{"name": "won-homes", **wrong}])
    for unit in ("F MUN", "X BEL", "BEL"):
        with pytest.raises(BadFile, match="no unit can be won as"):
            beginning({power: {} for power in CAPITALS}, winter=0, bids=1, units={"BEL": unit})
    for bids in (0, 1):
        named = with_ends(find_variant("conquest2"), mechanics=[{"name": "won-homes", "winter": 0, "bids": bids}])
        found = [finding.code for finding in lint_variant(named)]
        assert ("bids-and-names" in found) is (bids > 0)
    assert "in batches homes are those of the board" in " ".join(supports(GREEK).why_not)


@pytest.mark.bulk
@pytest.mark.parametrize("variant", [CLASSIC_1897, GREEK], ids=["Classic 1897", "Greek Diplomacy"])
def test_they_lint_and_conform(variant: Variant) -> None:
    """The games that are played elsewhere have no fault, and random games of them break no promise."""
    assert [finding for finding in lint_variant(variant) if finding.level == "error"] == []
    assert check_variant(variant, phases=15) == []


def test_bots_bid() -> None:
    """Heuristic players bid for good centres near their own, so that they do not all bid for the same."""
    players = dict.fromkeys(CAPITALS, Heuristic())
    game = play_on(Game.start(GREEK, seed=bytes(32)), players, until=1900).game
    assert [len(game.records[0].orders[power]) for power in CAPITALS] == [3] * 7
    assert min(len(game.position.of(power)) for power in CAPITALS) > 1
