"""The board in words: it says all that the map shows, in plain short lines."""

from __future__ import annotations

import pytest

from gamesmaster.board import Closure, Dislodged, Location, Position, Unit, units_from
from gamesmaster.errors import NotFound
from gamesmaster.judge import adjudicate
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.pictures import Snapshot
from gamesmaster.pictures.orders.model import plan
from gamesmaster.pictures.text_board import WIDTH, neighbourhood, text_board
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant

from .small import POWERS, small_board, small_position

STANDARD = find_variant("standard")
NAMES = [power.name for power in STANDARD.powers]


def test_every_unit_and_centre_is_told() -> None:
    """Units are named by full words and by their codes, under the powers in their order, with what they own."""
    lines = text_board(STANDARD.board, Snapshot(STANDARD.start, subtitle="S1901M"), STANDARD.powers).splitlines()
    assert lines[0] == "Diplomacy, S1901M"
    heads = [line for line in lines if line.endswith("units.")]
    assert heads == [
        f"{name}: {4 if name == 'Russia' else 3} centres, {4 if name == 'Russia' else 3} units." for name in NAMES
    ]
    assert "Fleet in St. Petersburg, south coast (F Stp/SC)." in lines
    assert "Centres: Brest (Bre), Marseilles (Mar), Paris (Par)." in lines
    assert lines[-3].startswith("Centres of nobody: Belgium (Bel), Bulgaria (Bul), Denmark (Den)")


def test_orders_and_results() -> None:
    """Every order is told with its result and the ruling's own reason, under its power."""
    orders = {"France": ["A Par - Bur", "F Bre H", "nonsense"], "Germany": ["A Mun - Bur"]}
    rules = Rules.of(STANDARD)
    rulings = adjudicate(rules, PhaseKind.MOVEMENT, STANDARD.start, orders).rulings
    text = text_board(STANDARD.board, Snapshot(STANDARD.start, rulings=rulings), NAMES)
    joined = " ".join(text.split())
    for ruling in rulings:
        assert ruling.text in joined
    assert (
        "Orders and results of France: A Par - Bur. Bounces: it is stood off by A Mun (Germany) (1 against 1)."
        in joined
    )
    assert "F Bre H. Holds. " in joined
    assert '"nonsense". Void: it cannot be read' in joined
    planned = plan(STANDARD.start, {"Italy": [Order(Verb.HOLD, "A", Location("ROM"))]})
    assert "\nOrders of Italy:\nA Rom H.\n" in text_board(
        STANDARD.board, Snapshot(STANDARD.start, rulings=planned), NAMES
    )


def test_dislodged_units_and_where_they_may_go() -> None:
    """A dislodged unit is told with its attacker's origin and each place open to it, or that there is none."""
    first, second = units_from({"Austria": ["A VIE", "A TRI"]})
    waiting = (Dislodged(first, "TYR", (Location("BOH"), Location("GAL"))), Dislodged(second))
    text = text_board(STANDARD.board, Snapshot(Position(dislodged=waiting)), NAMES)
    assert "Dislodged, Austria: army in Vienna (A Vie), attacked from Tyrolia (Tyr).\n" in text
    assert "It may retreat to Bohemia (Boh), Galicia (Gal).\n" in text
    assert "Dislodged, Austria: army in Trieste (A Tri).\nIt may retreat to nowhere; it must disband.\n" in text


def test_units_together() -> None:
    """A box tells all the units in it, and a unit aboard another tells which; whoever has nothing is told too."""
    board, position = small_board(), small_position()
    text = text_board(board, Snapshot(position), [*POWERS, "Green"])
    assert "Together in Great Ocean (Oce): 5 units.\nFleet of Red.\nFleet of Red.\nFleet of Blue.\n" in text
    assert "Green: neither units nor centres." in text
    assert "Centres of nobody: Skerries (Ske)." in text
    units = (Unit(1, "F", "Red", Location("OCE")), Unit(2, "A", "Red", Location("OCE"), aboard=1))
    text = text_board(board, Snapshot(Position(units, {"WAS": "Red"})), (), kinds={"A": "war party"})
    assert "War party in Great Ocean (A Oce), aboard F Oce." in text
    assert "Other provinces: Waste (Was)." in text
    assert text.startswith("Small\n\nRed: 0 centres, 2 units.")


def test_neighbourhood() -> None:
    """What is next to a province is told for each kind of unit, with terrain, owners, homes and units."""
    text = neighbourhood(STANDARD.board, STANDARD.start, "burgundy")
    assert text.startswith(
        "Burgundy (Bur), inland, home province of France.\nNo unit is here.\n\nAn army here can go to:"
    )
    steps = [line for line in text.splitlines()[4:] if not line.startswith(" ")]
    names = ["Belgium", "Gascony", "Marseilles", "Munich", "Paris", "Picardy", "Ruhr"]
    assert [step.split(" (")[0] for step in steps] == names
    assert "Munich (Mun), inland, home centre of Germany, owned by Germany; army of\n  Germany there." in text
    assert "A fleet" not in text


def test_neighbourhood_by_coast() -> None:
    """Each coast of a split coast has its own list, and a step to a coast names it."""
    text = neighbourhood(STANDARD.board, STANDARD.start, "Stp")
    assert "Here: fleet in St. Petersburg, south coast (F Stp/SC) of Russia." in text
    north = text.split("A fleet on the north coast can go to:\n")[1].split("\n\n")[0]
    assert [line.split(" (")[0] for line in north.splitlines()] == ["Barents Sea", "Norway"]
    assert "Spain, south coast (Spa/SC), coastal, supply centre." in neighbourhood(STANDARD.board, Position(), "LYO")


def test_limits_are_told() -> None:
    """Steps for some powers only, and why a province is closed, are told; so is who was dislodged there."""
    small = small_board()
    edges = tuple(e._replace(only=frozenset({"Red"})) if e.a.province == "COR" else e for e in small.edges)
    closures = (Closure("COR", reason="Corinth is closed in Winter."),)
    board = type(small)(small.name, small.provinces, edges, closures)
    position = Position(dislodged=(Dislodged(Unit(1, "A", "Red", Location("COR"))),))
    text = neighbourhood(board, position, "Corinth")
    assert "It belongs to nobody.\nHere, dislodged: army in Corinth (A Cor) of Red.\n" in text
    assert "Albany (Alb), coastal, home centre of Red, only for Red." in text
    assert text.endswith("Corinth is closed in Winter.\n")


def test_a_wrong_province() -> None:
    """A province that is not there is refused with the nearest that is."""
    with pytest.raises(NotFound, match="did you mean Burgundy"):
        neighbourhood(STANDARD.board, STANDARD.start, "Bugandy")


def test_plain_text() -> None:
    """No line is longer than the width, and no sign that nobody can see comes through from a stranger's words."""
    orders = {"France": ["A Par \x1b[31m- Bur\u202e", "x " * 150]}
    rulings = adjudicate(Rules.of(STANDARD), PhaseKind.MOVEMENT, STANDARD.start, orders).rulings
    text = text_board(STANDARD.board, Snapshot(STANDARD.start, subtitle="\x07", rulings=rulings), NAMES)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert all(c.isprintable() or c == "\n" for c in text)
