"""Support for other powers' units: who is helped, against whom, and by which units."""

from __future__ import annotations

from gamesmaster.board import Location
from gamesmaster.engine.heuristic.aid import gives_aid, note_aid
from gamesmaster.players import MINDS, Heuristic, View
from gamesmaster.players.assessment import Valuation
from gamesmaster.players.planner import Planner

from .table import seen

HELPFUL = MINDS["people"]._replace(helping=1.0, whim=0.0)
UNITS = {"Germany": ["A MUN"], "Italy": ["A VEN"], "Austria": ["A TYR", "A VIE"], "France": ["A PIC"]}
OWNERS = {"Austria": "VIE BUD", "France": "PAR BRE MAR SPA", "Germany": "MUN", "Italy": "VEN"}


def row_of(view: View, place: str) -> int:
    """The row of the unit in a province."""
    return next(n for n, unit in enumerate(view.position.units, 1) if unit.at.province == place)


def liking(view: View, place: str, to: str = "") -> float:
    """How likely the power of a view helps the unit in one province into another, or stay."""
    valuation = Valuation(view, HELPFUL)
    at = valuation.stance("A", Location(to)) if to else -1
    return valuation.aid(valuation.assess().value, row_of(view, place), at)


def test_a_third_power_is_attacked_together() -> None:
    """Germany helps Italy into Austria's Tyrolia, and not into what is nobody's."""
    view = seen("Germany", "S1902M", UNITS, OWNERS)
    assert 0 < liking(view, "VEN", "TYR") <= 1
    assert liking(view, "VEN", "PIE") == 0


def test_neither_itself_nor_the_largest_is_harmed_or_helped() -> None:
    """Nobody helps an attack on its own unit, nor the largest power, and who is not threatened needs no help."""
    assert liking(seen("Austria", "S1902M", UNITS, OWNERS), "VEN", "TYR") == 0
    assert liking(seen("Germany", "S1902M", UNITS, {**OWNERS, "Italy": "VEN ROM NAP TUN GRE"}), "VEN", "TYR") == 0
    assert liking(seen("Germany", "S1902M", UNITS, OWNERS), "VEN") > 0  # by Austria
    assert liking(seen("Germany", "S1902M", {**UNITS, "Austria": ["A BUD"]}, OWNERS), "VEN") == 0


def test_those_who_attacked_are_not_helped() -> None:
    """Who has attacked in the movement before gets no help from its victim; who has attacked the third, more."""
    view = seen("Germany", "S1902M", UNITS, OWNERS)
    valuation, at = Valuation(view, HELPFUL), Location("TYR")
    value, row, to = valuation.assess().value, row_of(view, "VEN"), valuation.stance("A", at)
    numbers, grudge, usual = view.rules.numbers, valuation.memory.grudge, valuation.aid(value, row, to)
    mine = numbers["Germany"] * (len(numbers) + 1)
    for attacker, expected in (("Austria", 2 * usual), ("Italy", 0)):
        grudge[mine + numbers[attacker]] = 1.0
        assert valuation.aid(value, row, to) == expected
        grudge[mine + numbers[attacker]] = 0.0


def test_only_units_that_would_hold_help() -> None:
    """A unit with a task keeps it; one that would hold supports where no own unit stands or goes."""
    view = seen("Germany", "S1902M", UNITS, OWNERS)
    valuation = Valuation(view, HELPFUL)
    planner = Planner(view, valuation, bent := valuation.assess(), valuation.outlook(bent))
    listing, plan = planner._listing, planner.plan
    assert listing.aid.worth[1] > 0
    assert gives_aid(listing, plan, 1, listing.aid.worth[1] - 0.01)
    assert not gives_aid(listing, plan, 1, listing.aid.worth[1])
    order = planner._orders[listing.aid.order[1]]
    assert order is not None
    assert order.of in (Location("VEN"), Location("TYR"))
    note_aid(listing, 1, 0.0, 0, -1, 0)  # of less worth than what is known
    assert planner._orders[listing.aid.order[1]] is order
    plan.arrivals.first[listing.aid.into[1]] = 1
    assert not gives_aid(listing, plan, 1, 0.0)
    plan.arrivals.first[listing.aid.into[1]] = 0
    plan.chosen[1] = planner.ways(1)[-1] + 1
    assert not gives_aid(listing, plan, 1, 0.0)


def test_nobody_helps_who_has_no_taste_for_it() -> None:
    """`heuristic` supports its own units only."""
    view = seen("Germany", "S1902M", UNITS, OWNERS)
    assert not any(order.of_power for order in Heuristic().orders(view))
