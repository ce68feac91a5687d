"""Weak borders, private borders and garrisons, on the standard board."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Location, Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.judge import LegalOrders, adjudicate
from gamesmaster.mechanics import PrivateBorders, Rivers, StandingArmies, WeakBorders, make_mechanic
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Cause, Mechanic, Result, Rules, extend
from gamesmaster.testing import check_variant
from gamesmaster.variant import find_variant
from tests.scenarios.setup import with_ends

STANDARD = find_variant("standard")
RIVER = (("BUD", "SER"), ("BUD", "RUM"))


def rules(*mechanics: Mechanic) -> Rules:
    """The standard rules with these mechanics, on a board fitted for them."""
    board = extend(STANDARD.board, mechanics)
    powers = tuple(power.name for power in STANDARD.powers)
    return Rules(board, powers, dict(STANDARD.homes), mechanics=mechanics)


def after(book: Rules, units: Mapping[str, list[str]], orders: Mapping[str, list[str]]) -> dict[str, Result]:
    """What each order given comes to."""
    done = adjudicate(book, PhaseKind.MOVEMENT, Position(units_from(units)), orders)
    return {ruling.given: ruling.result for ruling in done.rulings if ruling.given}


# -- weak borders ----------------------------------------------------------------------------------------------------


def test_half_a_unit_is_beaten_by_a_whole_one() -> None:
    """Of two attacks on an empty place the one over the river loses, and the other comes through."""
    units = {"Austria": ["A BUD"], "Turkey": ["A BUL"]}
    orders = {"Austria": ["A Bud - Ser"], "Turkey": ["A Bul - Ser"]}
    assert after(rules(WeakBorders(RIVER)), units, orders) == {
        "A Bud - Ser": Result.BOUNCES, "A Bul - Ser": Result.SUCCEEDS,
    }  # fmt: skip
    assert set(after(rules(), units, orders).values()) == {Result.BOUNCES}


def test_half_a_unit_takes_an_empty_place() -> None:
    """Nobody being there, a unit crosses the river as any border."""
    found = after(rules(WeakBorders(RIVER)), {"Austria": ["A BUD"]}, {"Austria": ["A Bud - Ser"]})
    assert found == {"A Bud - Ser": Result.SUCCEEDS}


def test_two_halves_bounce() -> None:
    """Two attacks over rivers are equal."""
    units = {"Austria": ["A BUD"], "Turkey": ["A BUL"]}
    orders = {"Austria": ["A Bud - Ser"], "Turkey": ["A Bul - Ser"]}
    book = rules(WeakBorders((*RIVER, ("SER", "BUL"))))
    assert set(after(book, units, orders).values()) == {Result.BOUNCES}


@pytest.mark.parametrize("helper", ["A ALB", "A RUM", "A TRI"])
def test_with_a_support_it_dislodges(helper: str) -> None:
    """A whole support over an ordinary border makes 1.5, which beats a unit alone."""
    units = {"Austria": ["A BUD", helper], "Turkey": ["A SER"]}
    orders = {"Austria": ["A Bud - Ser", f"{helper} S A Bud - Ser"]}
    assert after(rules(WeakBorders(RIVER)), units, orders)["A Bud - Ser"] is Result.SUCCEEDS


@pytest.mark.parametrize(("supports", "result"), [("half", Result.BOUNCES), ("full", Result.SUCCEEDS)])
def test_support_over_a_weak_border(supports: str, result: Result) -> None:
    """Support from over the river counts half, or whole if the variant says so: 1 or 1.5 against 1."""
    edges = (*RIVER, ("ALB", "SER"))
    mechanic = make_mechanic({"name": "weak-borders", "edges": edges, "supports": supports}, "test")
    units = {"Austria": ["A BUD", "A ALB"], "Turkey": ["A SER"]}
    orders = {"Austria": ["A Bud - Ser", "A Alb S A Bud - Ser"]}
    assert after(rules(mechanic), units, orders)["A Bud - Ser"] is result


def test_a_unit_that_supports_over_it_stands_at_full_strength() -> None:
    """Only its help is halved: an attack over an ordinary border does not dislodge it."""
    units = {"Austria": ["A BUD", "A ALB"], "Turkey": ["A SER"], "Italy": ["A BUL", "F GRE"]}
    orders = {"Austria": ["A Alb - Ser", "A Bud S A Alb - Ser"], "Italy": ["F Gre - Alb"]}
    position = Position(units_from(units | {"Russia": ["A GAL"]}))
    done = adjudicate(rules(WeakBorders(RIVER)), PhaseKind.MOVEMENT, position, orders | {"Russia": ["A Gal - Bud"]})
    told = {ruling.given: ruling for ruling in done.rulings}
    assert (told["A Gal - Bud"].result, told["A Gal - Bud"].strengths) == (Result.BOUNCES, (1, 1))


def test_it_cuts_support_as_any_attack() -> None:
    """An attack over the river cuts the support that its target gives."""
    units = {"Austria": ["A BUD"], "Turkey": ["A SER", "A BUL"]}
    orders = {"Austria": ["A Bud - Ser"], "Turkey": ["A Bul - Gre", "A Ser S A Bul - Gre"]}
    assert after(rules(WeakBorders(RIVER)), units, orders)["A Ser S A Bul - Gre"] is Result.CUT


def test_who_is_carried_crosses_no_border() -> None:
    """An army that is convoyed attacks with its whole strength, though the map has a weak border there."""
    units = {"England": ["A YOR", "F NTH"], "France": ["A EDI"]}
    weak = rules(WeakBorders((("YOR", "EDI"),)))
    by_sea = {"England": ["A Yor - Edi via convoy", "F Nth C A Yor - Edi"], "France": ["A Edi - Cly"]}
    assert after(weak, units, by_sea)["A Yor - Edi via convoy"] is Result.SUCCEEDS
    against = {**units, "Germany": ["A LVP"]}
    orders = {**by_sea, "Germany": ["A Lvp - Edi"]}
    assert after(weak, against, orders)["A Lvp - Edi"] is Result.BOUNCES
    on_foot = {**orders, "England": ["A Yor - Edi"]}
    assert after(weak, against, on_foot)["A Lvp - Edi"] is Result.SUCCEEDS


def test_the_strengths_are_told() -> None:
    """The ruling names half a unit against a whole one."""
    position = Position(units_from({"Austria": ["A BUD"], "Turkey": ["A SER"]}))
    done = adjudicate(rules(WeakBorders(RIVER)), PhaseKind.MOVEMENT, position, {"Austria": ["A Bud - Ser"]})
    assert done.rulings[0].strengths == (0.5, 1)
    assert "0.5 against 1" in done.rulings[0].text


def test_only_some_kinds() -> None:
    """A river that stops armies is none to fleets."""
    units = {"Turkey": ["F SMY"], "Russia": ["A ARM"]}
    orders = {"Turkey": ["F Smy - Ank"], "Russia": ["A Arm - Ank"]}
    book = rules(WeakBorders((("ARM", "ANK"), ("SMY", "ANK")), only=("F",)))
    assert after(book, {"Turkey": ["F CON"], "Russia": ["A ARM"]}, {**orders, "Turkey": ["F Con - Ank"]}) == {
        "F Con - Ank": Result.BOUNCES, "A Arm - Ank": Result.BOUNCES,
    }  # fmt: skip
    assert set(after(book, units, orders).values()) == {Result.VOID, Result.SUCCEEDS}


# -- rivers ------------------------------------------------------------------------------------------------------------

SAVA = Rivers(RIVER)


@pytest.mark.parametrize(
    ("units", "orders", "results"),
    [
        ({"Austria": ["A BUD"]}, {"Austria": ["A Bud - Ser"]}, "bounces"),  # it has no strength alone
        ({"Austria": ["A BUD", "A TRI"]}, {"Austria": ["A Bud - Ser", "A Tri S A Bud - Ser"]}, "succeeds succeeds"),
        ({"Austria": ["A BUD", "A TRI"], "Turkey": ["A SER"]}, {"Austria": ["A Bud - Ser", "A Tri S A Bud - Ser"]},
         "bounces succeeds"),
        ({"Austria": ["A BUD", "A TRI"], "Turkey": ["A SER"]}, {"Austria": ["A Tri - Ser", "A Bud S A Tri - Ser"]},
         "bounces void"),
        ({"Austria": ["A BUD", "A SER"]}, {"Austria": ["A Bud S A Ser"]}, "void"),
        ({"Austria": ["A BUD"], "Turkey": ["A BUL"]}, {"Austria": ["A Bud - Ser"], "Turkey": ["A Bul - Ser"]},
         "bounces succeeds"),
        ({"Austria": ["A BUD"], "Turkey": ["A SER", "A BUL"]},
         {"Austria": ["A Bud - Ser"], "Turkey": ["A Bul - Gre", "A Ser S A Bul - Gre"]}, "bounces succeeds succeeds"),
        ({"Austria": ["A SER"], "Turkey": ["A BUD"]}, {"Austria": ["A Ser - Bud"], "Turkey": ["A Bud - Vie"]},
         "bounces succeeds"),
    ],
)  # fmt: skip
def test_a_river_takes_one_unit_off(units: dict[str, list[str]], orders: dict[str, list[str]], results: str) -> None:
    """A move over a river has one unit's strength less and cuts nothing; nobody supports over one (STD-16.a, b)."""
    assert " ".join(after(rules(SAVA), units, orders).values()) == results


def test_nobody_retreats_over_a_river() -> None:
    """A dislodged unit has no retreat over it (STD-16.c); the reasons of all three are told."""
    units = {"Austria": ["A SER"], "Turkey": ["A BUL", "A GRE"]}
    orders = {"Turkey": ["A Bul - Ser", "A Gre S A Bul - Ser"], "Austria": ["A Ser - Bud"]}
    done = adjudicate(rules(SAVA), PhaseKind.MOVEMENT, Position(units_from(units)), orders)
    assert [[*map(str, out.retreats)] for out in done.position.dislodged] == [["ALB", "RUM", "TRI"]]
    told = {ruling.given: ruling for ruling in done.rulings}
    assert ("has no strength alone" in told["A Ser - Bud"].text, told["A Ser - Bud"].clause) == (True, "STD-16.a")
    held = adjudicate(rules(SAVA), PhaseKind.MOVEMENT, Position(units_from({"Austria": ["A SER", "A BUD"]})),
                      {"Austria": ["A Bud S A Ser"]}).rulings[0]  # fmt: skip
    assert (held.cause.name, held.clause) == ("OVER_A_RIVER", "STD-16.b")
    only = rules(Rivers(RIVER, only=("F",)))
    assert after(only, {"Austria": ["A BUD"]}, {"Austria": ["A Bud - Ser"]})["A Bud - Ser"] is Result.SUCCEEDS
    made = with_ends(STANDARD, mechanics=[{"name": "rivers", "edges": RIVER}])
    assert check_variant(made, phases=25) == []
    assert supports(made).why_not == ("the mechanic Rivers (batches have no rivers)",)


# -- the linter --------------------------------------------------------------------------------------------------------


def test_borders_that_are_none_are_found() -> None:
    """The linter names a pair that does not touch, and who the neighbours are."""
    mechanic = WeakBorders((("PAR", "MOS"),))
    (finding,) = mechanic.lint(rules(mechanic), [])
    assert finding.code == "no-border"
    assert "PAR and MOS are not neighbours (neighbours are BRE, BUR, GAS, PIC)" in str(finding)


# -- private borders -------------------------------------------------------------------------------------------------


def moves(book: Rules, unit: str, power: str) -> set[str]:
    """Where a unit may go."""
    position = Position(units_from({power: [unit]}))
    legal = LegalOrders(book, position).of_power(PhaseKind.MOVEMENT, power)
    return {str(order.to) for order in legal if order.to and order.verb.value == "move"}


def test_a_border_is_kept_for_some() -> None:
    """Only the powers named may take the step, both ways; an order of another is void."""
    book = rules(PrivateBorders((("TYR", "PIE"),), ("Italy",)))
    assert "PIE" in moves(book, "A TYR", "Italy")
    assert "TYR" in moves(book, "A PIE", "Italy")
    assert "PIE" not in moves(book, "A TYR", "Austria")
    done = adjudicate(
        book, PhaseKind.MOVEMENT, Position(units_from({"Austria": ["A TYR"]})), {"Austria": ["A Tyr - Pie"]}
    )
    assert done.rulings[0].cause is Cause.CLOSED


def test_a_border_is_made() -> None:
    """With a way of travel a step is made where there was none, for those powers and on that coast."""
    book = rules(
        PrivateBorders((("PAR", "MUN"),), ("France",), "army"),
        PrivateBorders((("STP/NC", "NTH"),), ("Russia",), "fleet"),
    )
    assert "MUN" in moves(book, "A PAR", "France")
    assert "MUN" not in moves(book, "A PAR", "Germany")
    assert "STP/NC" in moves(book, "F NTH", "Russia")
    assert "NTH" not in moves(book, "F STP/SC", "Russia")


@pytest.mark.parametrize(
    ("edges", "way", "text"),
    [
        ((("PAR", "STP/EC"),), "army", "no place 'STP/EC' (did you mean STP/SC?)"),
        ((("PAR", "MUN"),), "", "PAR and MUN are not neighbours (with a way they are made so: army, fleet)"),
        ((("PAR", "MUN"),), "rail", "no 'rail' way of travel (with a way they are made so: army, fleet)"),
    ],
)
def test_borders_that_cannot_be(edges: tuple[tuple[str, str]], way: str, text: str) -> None:
    """What is not on the board is refused, with the nearest that is."""
    with pytest.raises(BadFile) as caught:
        PrivateBorders(edges, ("France",), way).extend_board(STANDARD.board)
    assert str(caught.value) == f"private-borders: {text}"


# -- garrisons -------------------------------------------------------------------------------------------------------


def test_neutral_centres_are_manned() -> None:
    """Every centre that nobody owns begins with an army of nobody; the others do not."""
    garrisons = StandingArmies(neutral_centres=True)
    start = garrisons.start(rules(garrisons), STANDARD.start)
    manned = {unit.at.province for unit in start.of("Neutral")}
    assert manned == set(STANDARD.board.centres) - set(STANDARD.start.owners)
    assert len(manned) == 12
    assert {unit.kind for unit in start.of("Neutral")} == {"A"}
    assert start.problems(STANDARD.board) == []


def test_a_garrison_comes_back() -> None:
    """A centre whose garrison was beaten and where nobody stayed is manned anew at the count; one owned is not."""
    garrisons = StandingArmies(neutral_centres=True)
    book = rules(garrisons)
    before = Position(units_from({"Austria": ["A SER"]}), {"BUL": "Turkey"})
    manned, happened = garrisons.after_count(book, before)
    assert {"RUM", "GRE"} <= {h.province for h in happened}
    assert not {"SER", "BUL"} & {unit.at.province for unit in manned.of("Neutral")}
    assert len({unit.number for unit in manned.units}) == len(manned.units)
    assert garrisons.after_count(book, manned) == (manned, ())


def test_standing_units_are_not_rebuilt() -> None:
    """Units that are listed do not come back."""
    standing = StandingArmies(("A SER",))
    assert standing.after_count(rules(standing), Position()) == (Position(), ())


def test_a_mechanic_without_anybody_is_refused() -> None:
    """Neither units nor neutral centres: nothing would stand."""
    with pytest.raises(BadFile, match="nothing stands"):
        make_mechanic({"name": "standing-armies"}, "test")


def test_garrisons_at_sea() -> None:
    """Where no army can stand, a fleet does; where nothing can, nobody does."""
    from dataclasses import replace

    sea = replace(STANDARD.board.province("NTH"), centre=True)
    board = replace(STANDARD.board, provinces=(sea, *(p for p in STANDARD.board.provinces if p.id != "NTH")))
    garrisons = StandingArmies(neutral_centres=True)
    start = garrisons.start(Rules(board, ("England",), mechanics=(garrisons,)), Position())
    fleet = start.at("NTH")
    assert fleet is not None
    assert (fleet.kind, fleet.at) == ("F", Location("NTH"))
