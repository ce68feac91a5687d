"""Borders that are closed in some seasons or years (STD-20)."""

from __future__ import annotations

from typing import Any

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.game import Game
from gamesmaster.judge import legal_orders
from gamesmaster.mechanics import SeasonalBorders
from gamesmaster.mechanics.passages import PassageCause
from gamesmaster.pictures import Sign, marks_of, signs_of
from gamesmaster.rules import Rules
from gamesmaster.testing import check_variant
from gamesmaster.variant import Variant, find_variant, lint_variant
from tests.scenarios.setup import with_ends

ICE = {"provinces": ["BAR"], "seasons": ["Fall"]}
PASS = {"edges": [["PIE", "TYR"]], "seasons": ["Fall"]}
WAR = {"edges": [["BUR", "MUN"]], "until": 1902}
UNITS = {"England": ["F BAR", "F NWG", "A NWY"], "Russia": ["F STP/NC"], "Italy": ["A PIE"]}


def variant(*closed: dict[str, Any]) -> Variant:
    """The standard game with these borders closed."""
    mechanics = [{"name": "seasonal-borders", "closed": list(closed or (ICE, PASS, WAR))}]
    return with_ends(find_variant("standard"), mechanics=mechanics)


def game(units: dict[str, list[str]], phase: str) -> Game:
    """A game with these units."""
    made = variant()
    return Game.start(made, seed=bytes(32)).correct(
        Position(units_from(units)), "a test", phase=made.calendar.read(phase)
    )


def told(units: dict[str, list[str]], phase: str, orders: dict[str, str]) -> dict[str, Any]:
    """The causes of orders."""
    played = game(units, phase)
    for power, text in orders.items():
        played = played.submit(power, text)
    record = (done := played.process()).records[-1]
    return {ruling.given: ruling.cause for ruling in done.adjudication(record).rulings if ruling.given}


def test_nobody_crosses_a_closed_border() -> None:
    """In its seasons and years nobody moves, supports or retreats over it; a convoyed army passes (STD-20.a)."""
    assert PassageCause.CLOSED_NOW not in told(UNITS, "S1903M", {"Italy": "A Pie - Tyr"}).values()
    assert told(UNITS, "F1903M", {"Italy": "A Pie - Tyr"}) == {"A Pie - Tyr": PassageCause.CLOSED_NOW}
    two = {"Italy": ["A PIE", "A VEN"]}
    helped = told(two, "F1903M", {"Italy": "A Ven - Tyr\nA Pie S A Ven - Tyr"})
    assert helped["A Pie S A Ven - Tyr"] is PassageCause.CLOSED_NOW
    for year, cause in ((1902, PassageCause.CLOSED_NOW), (1903, None)):
        found = told({"France": ["A BUR"]}, f"S{year}M", {"France": "A Bur - Mun"})["A Bur - Mun"]
        assert (found is PassageCause.CLOSED_NOW) is (cause is not None)
    fight = {"Italy": ["A PIE"], "France": ["A MAR", "F LYO"]}
    for phase, open_ in (("S1903M", True), ("F1903M", False)):
        done = game(fight, phase).submit("France", "A Mar - Pie\nF Lyo S A Mar - Pie").process()
        (beaten,) = done.position.dislodged
        assert ("TYR" in {at.province for at in beaten.retreats}) is open_


def test_a_closed_province_is_shut_on_all_sides() -> None:
    """Nobody enters, leaves, helps or convoys there, nor to land beside it over its water (STD-20.b)."""
    orders = {"England": "F Bar - Nwy\nF Nwg S F Bar\nA Nwy H", "Russia": "F Stp/nc - Bar"}
    assert told(UNITS, "F1902M", orders) == {
        "F Bar - Nwy": PassageCause.ONLY_HOLDS,
        "F Nwg S F Bar": PassageCause.CLOSED_NOW,
        "A Nwy H": told({"England": ["A NWY"]}, "F1902M", {"England": "A Nwy H"})["A Nwy H"],
        "F Stp/nc - Bar": PassageCause.CLOSED_NOW,
    }
    convoy = {"England": "F Bar C A Nwy - Stp\nA Nwy - Stp via convoy"}
    found = told({"England": ["F BAR", "A NWY"]}, "F1902M", convoy)
    assert found["F Bar C A Nwy - Stp"] is PassageCause.ONLY_HOLDS
    shut = with_ends(
        find_variant("standard"), mechanics=[{"name": "seasonal-borders", "closed": [{"provinces": ["STP"]}]}]
    )
    started = Game.start(shut, seed=bytes(32)).correct(
        Position(units_from({"England": ["F BAR", "A NWY"]})), "a test", phase=shut.calendar.read("S1902M")
    )
    done = started.submit("England", "F Bar C A Nwy - Stp\nA Nwy - Stp via convoy").process()
    rulings = done.adjudication(done.records[-1]).rulings
    assert {ruling.cause for ruling in rulings if ruling.given} == {PassageCause.CLOSED_NOW}
    legal = [o for unit in started.position.units for o in legal_orders(started.rules, started.position, unit)]
    assert "STP" not in {order.to.province for order in legal if order.to}


def test_it_follows_the_calendar() -> None:
    """What is closed changes with the phases, from the first one on, and where a position is read or corrected."""
    started = Game.start(variant(), seed=bytes(32))
    assert started.position.state == {"seasonal-borders": [2]}
    fall = started.process()
    assert (fall.phase.code, fall.position.state) == ("F1901M", {"seasonal-borders": [0, 1, 2]})
    later = fall.process()
    while later.phase.code != "S1903M":
        later = later.process()
    assert later.position.state == {}
    (entry, *_) = [line for line in fall.ledger.entries if line.heading == "Borders"]
    assert (entry.text, entry.term, entry.clause) == ("Bar: closed until Spring 1902", "S1902M", "STD-20.a")
    assert fall.ledger.sections["Borders"] == (
        "Bar: closed until Spring 1902",
        "Pie - Tyr: closed until Spring 1902",
        "Bur - Mun: closed until Spring 1903",
    )
    assert later.ledger.sections["Borders"] == ("Bar: closed from Fall 1903", "Pie - Tyr: closed from Fall 1903")


def test_maps_show_it() -> None:
    """Closed provinces and both ends of closed borders have a sign, which the key explains."""
    rules = Rules.of(variant())
    position = Position(state={"seasonal-borders": [0, 1]})
    assert marks_of(rules, position) == dict.fromkeys(("BAR", "PIE", "TYR"), (Sign.CLOSED,))
    assert Sign.CLOSED in signs_of(rules).values()
    assert SeasonalBorders(()).place_signs(rules, Position()) == {}


def test_what_does_not_fit() -> None:
    """Something must be closed, neighbours have a border, names are known, and batches refuse."""
    with pytest.raises(BadFile, match="name the edges or the provinces"):
        variant({"seasons": ["Fall"]})
    with pytest.raises(BadFile, match="no province 'BAZ'"):
        variant({"provinces": ["BAZ"]})
    with pytest.raises(BadFile, match="no season 'Falll'"):
        variant({"provinces": ["BAR"], "seasons": ["Falll"]})
    assert "no-border" in {finding.code for finding in lint_variant(variant({"edges": [["PAR", "MOS"]]}))}
    assert "in batches borders are open all year" in " ".join(supports(variant()).why_not)


def test_it_lints_and_conforms() -> None:
    """The ice of Loeb9 and the straits of Octarine have no fault, even on a hidden board, and break no promise."""
    assert [finding for finding in lint_variant(variant()) if finding.level == "error"] == []
    hidden = with_ends(find_variant("fog"), mechanics=[{"name": "seasonal-borders", "closed": [ICE]}])
    assert [finding for finding in lint_variant(hidden) if finding.level == "error"] == []
    assert check_variant(variant(), phases=20) == []
