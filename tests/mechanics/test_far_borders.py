"""Long passages: half strength, no support over them, nothing cut without support, landings and retreats (NNH-6)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Dislodged, Location, Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.judge import LegalOrders, adjudicate
from gamesmaster.mechanics import FarBorders, make_mechanic
from gamesmaster.mechanics.borders import FarCause
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.rules import Cause, Result, Rules, Ruling
from gamesmaster.variant import find_variant

VARIANT = find_variant("1900")
RULES = Rules.of(VARIANT)


def told(units: Mapping[str, list[str]], orders: Mapping[str, list[str]]) -> dict[str, Ruling]:
    """The rulings on the orders given."""
    done = adjudicate(RULES, PhaseKind.MOVEMENT, Position(units_from(units)), orders)
    return {ruling.given: ruling for ruling in done.rulings if ruling.given}


def test_half_a_unit_takes_what_is_empty() -> None:
    """A fleet goes round the Cape if nobody is there; it loses against a whole unit, and another half is its equal."""
    alone = told({"Britain": ["F MAO"]}, {"Britain": ["F Mao - Hej"]})
    assert alone["F Mao - Hej"].result is Result.SUCCEEDS
    units = {"Britain": ["F MAO", "F EAS"], "Turkey": ["F HEJ"]}
    found = told(units, {"Britain": ["F Mao - Egy", "F Eas H"], "Turkey": ["F Hej - Egy"]})
    assert [found[order].result for order in ("F Mao - Egy", "F Hej - Egy")] == [Result.BOUNCES, Result.SUCCEEDS]
    units = {"Britain": ["F EGY"], "Turkey": ["F HEJ"]}
    found = told(units, {"Britain": ["F Egy - Mao"], "Turkey": ["F Hej - Mao"]})
    assert {ruling.result for ruling in found.values()} == {Result.BOUNCES}


def test_no_support_is_given_over_it() -> None:
    """Such a support is void with a reason of its own, and is not among the legal orders."""
    units = {"Britain": ["F MAO", "F EGY"]}
    found = told(units, {"Britain": ["F Mao S F Egy"]})["F Mao S F Egy"]
    assert (found.result, found.cause, found.clause) == (Result.VOID, FarCause.NO_HELP, "NNH-6.b")
    assert "too long" in found.text
    position = Position(units_from(units))
    legal = [order for unit in position.units for order in LegalOrders(RULES, position).of_unit(unit)]
    helped = {(str(order.at), str(order.to)) for order in legal if order.verb is Verb.SUPPORT}
    assert ("EGY", "HEJ") in helped  # where the fleet in the ocean may go, and Egypt reaches by the canal
    assert not {("MAO", "None"), ("EGY", "None"), ("MAO", "HEJ")} & helped


@pytest.mark.parametrize(("helper", "result"), [("", Result.SUCCEEDS), ("F Eas S F Mao - Egy", Result.CUT)])
def test_what_is_cut(helper: str, result: Result) -> None:
    """A move round the Cape cuts a support if it is itself supported, even if it does not dislodge."""
    units = {"Britain": ["F MAO", "F EAS"], "Turkey": ["F EGY", "A DAM", "F HEJ"], "Italy": ["A PAL"]}
    orders = {
        "Britain": ["F Mao - Egy", *filter(None, [helper])],
        "Turkey": ["F Egy S A Dam - Pal", "A Dam - Pal", "F Hej S F Egy"],
    }
    found = told(units, orders)
    assert found["F Egy S A Dam - Pal"].result is result
    assert found["F Mao - Egy"].result is Result.BOUNCES


def test_who_lands_round_it_has_half_its_strength() -> None:
    """An army that a fleet on this side could land has all of it."""
    units = {"Britain": ["A GAS", "F MAO"], "Turkey": ["A PAL"]}
    orders = {"Britain": ["A Gas - Egy", "F Mao C A Gas - Egy"], "Turkey": ["A Pal - Egy"]}
    assert told(units, orders)["A Pal - Egy"].result is Result.SUCCEEDS
    near = {"Britain": ["A GRE", "F AEG", "F EAS"], "Turkey": ["A PAL"]}
    orders = {"Britain": ["A Gre - Egy", "F Aeg C A Gre - Egy", "F Eas C A Gre - Egy"], "Turkey": ["A Pal - Egy"]}
    assert told(near, orders)["A Pal - Egy"].result is Result.BOUNCES


@pytest.mark.parametrize(
    ("flights", "arrived"),
    [
        ({"Britain": "F MAO", "France": "F EAS"}, ["F EAS"]),
        ({"Britain": "F MAO"}, ["F MAO"]),
        ({"Britain": "F MAO", "France": "F EAS", "Italy": "A PAL"}, []),
    ],
)
def test_a_retreat_round_it_gives_way(flights: dict[str, str], arrived: list[str]) -> None:
    """The only retreat that does not lead round the Cape succeeds; several of these meet as usual."""
    units = units_from({power: [unit] for power, unit in flights.items()})
    beaten = tuple(Dislodged(unit, "GAS", (Location("EGY"),)) for unit in units)
    orders = {power: [f"{unit} - EGY"] for power, unit in flights.items()}
    done = adjudicate(RULES, PhaseKind.RETREATS, Position((), {}, beaten), orders)
    came = {unit.number for unit in done.position.units}
    assert [str(unit) for unit in units if unit.number in came] == arrived
    lost = [ruling for ruling in done.rulings if ruling.result is Result.BOUNCES]
    assert all(ruling.by for ruling in lost)
    meets = {ruling.cause for ruling in lost}
    assert meets == (set() if not lost else {FarCause.GIVES_WAY} if arrived else {Cause.COLLIDED})
    assert len(lost) == len(flights) - len(arrived)


def test_what_a_file_may_say() -> None:
    """Its borders must be there; batches refuse it."""
    with pytest.raises(BadFile, match="no parameter"):
        make_mechanic({"name": "far-borders", "edges": [["MAO", "EGY"]], "supports": "half"}, "test")
    (finding,) = FarBorders((("MAO", "PAR"),)).lint(RULES, ())
    assert finding.code == "no-border"
    assert "batches know no long passages" in " ".join(supports(VARIANT).why_not)
