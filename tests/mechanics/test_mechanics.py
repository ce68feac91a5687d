"""The mechanics one by one, on the board of 1000 AD: where one builds, who is silenced, what the count brings."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from gamesmaster.board import Dislodged, Location, Position, Unit, read_board, units_from
from gamesmaster.errors import BadFile
from gamesmaster.judge import (
    LegalOrders,
    MovementMechanic,
    OrderReader,
    ParsedOrder,
    adjudicate,
    adjudicate_movement,
    build_sites,
    idle,
    legal_orders,
    sites,
)
from gamesmaster.mechanics import (
    MECHANICS,
    Anarchy,
    Extinction,
    FreePlacement,
    SpecialSites,
    StandingArmies,
    make_mechanic,
)
from gamesmaster.mechanics.elimination import AnarchyCause
from gamesmaster.mechanics.homes import HomeVerb
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.pictures.shapes.files import board_folder
from gamesmaster.rules import (
    NO_OVERRIDE,
    Ahead,
    BoardMechanic,
    Case,
    Cause,
    Event,
    EventKind,
    Mechanic,
    MechanicResult,
    ProofMechanic,
    ReportMechanic,
    Result,
    Rules,
    Season,
    WinterMechanic,
    YearMechanic,
    silent_powers,
)
from gamesmaster.variant import find_variant

BOARD = read_board(board_folder("1000ad") / "board.json")
POWERS = ("British", "Byzantines", "Francs", "Magyars", "Moors", "Polotjans", "Vikings")
HOMES = {p: tuple(q.id for q in BOARD.provinces if q.home == p and q.centre) for p in POWERS}
LAND = {p: tuple(q.id for q in BOARD.provinces if q.home == p) for p in POWERS}


def rules(*mechanics: Mechanic) -> Rules:
    """The rules of a game on the board with these mechanics."""
    return Rules(BOARD, POWERS, HOMES, LAND, mechanics=mechanics)


def owners(**centres: str) -> dict[str, str]:
    """Who owns what: `Magyars="Lom Bav"`."""
    return {key: power for power, keys in centres.items() for key in keys.split()}


START = owners(**{power: " ".join(keys) for power, keys in HOMES.items()})


# -- building --------------------------------------------------------------------------------------------------------


def test_first_units_are_placed_anywhere_at_home() -> None:
    """In the first Winter every empty home province is a site, for all kinds; in later ones only home centres are."""
    placing = rules(FreePlacement())
    before = FreePlacement().start(placing, Position(owners=START))
    assert set(sites(placing, before, "Moors")) == set(LAND["Moors"])
    done = adjudicate(placing, PhaseKind.ADJUSTMENTS, before, {"Moors": ["Build A Tol", "Build F Gaf", "Build F Tol"]})
    assert {str(u) for u in done.position.units} == {"A Tol", "F Gaf"}
    assert [r.result for r in done.rulings] == [Result.SUCCEEDS, Result.SUCCEEDS, Result.VOID]
    after = done.position
    assert set(sites(placing, after, "Moors")) == set(HOMES["Moors"])
    assert FreePlacement.id not in after.state


def test_no_more_is_placed_than_there_are_centres_nor_abroad() -> None:
    """The number is that of the home centres; places abroad, at sea or inland for a fleet are no sites (TAD-5.f)."""
    placing = rules(FreePlacement())
    before = FreePlacement().start(placing, Position(owners=START))
    orders = ["Build A Ard", "Build A Tol", "Build F BOB", "Build F Tol", *(f"Build A {p}" for p in HOMES["Moors"])]
    done = adjudicate(placing, PhaseKind.ADJUSTMENTS, before, {"Moors": orders})
    causes = [r.cause for r in done.rulings]
    assert causes[0] is causes[2] is causes[3] is Cause.NOT_A_SITE
    assert len(done.position.units) == len(HOMES["Moors"])
    assert causes[-1] is Cause.NO_BUILDS


def test_a_special_site_is_for_its_power_and_kinds() -> None:
    """The Magyars build a fleet in Lombardy if it is theirs and empty; no army, and nobody else anything (TAD-4)."""
    game = rules(SpecialSites("Magyars", {"Lom": ("F",)}))
    position = Position(owners=START | {"Lom": "Magyars"})
    assert build_sites(game, position, "Magyars")["Lom"] == {"F"}
    done = adjudicate(game, PhaseKind.ADJUSTMENTS, position, {"Magyars": ["Build A Lom", "Build F Lom"]})
    assert [r.cause for r in done.rulings] == [Cause.NOT_A_SITE, Cause.BUILT]
    legal = LegalOrders(game, position).of_winter("Magyars")
    assert [str(o.kind) for o in legal if o.verb is Verb.BUILD and o.at == Location("Lom")] == ["F"]
    full = replace(position, units=units_from({"Magyars": ["A Lom"]}))
    assert "Lom" not in sites(game, full, "Magyars")
    assert "Lom" not in sites(game, replace(position, owners=START | {"Lom": "Byzantines"}), "Byzantines")
    assert "Lom" not in sites(game, replace(position, owners=START | {"Lom": "Byzantines"}), "Magyars")


# -- anarchy ---------------------------------------------------------------------------------------------------------


def test_a_lost_home_gives_a_year_of_grace_and_then_anarchy() -> None:
    """Grace at the first count without a home, anarchy at the second; what is won back between ends the grace."""
    mechanic = Anarchy()
    game = rules(mechanic)
    homeless = Position(owners=owners(Magyars="Lom Bav", British="Abe"))
    first, said = mechanic.after_count(game, homeless)
    assert [(h.kind, h.power) for h in said] == [("grace", "Magyars")]
    assert silent_powers(game, first) == {}
    second, said = mechanic.after_count(game, first)
    assert [(h.kind, h.power) for h in said] == [("anarchy", "Magyars")]
    assert silent_powers(game, second) == {"Magyars": AnarchyCause.ANARCHY}
    back, said = mechanic.after_count(game, replace(first, owners=owners(Magyars="Lom Vie", British="Abe")))
    assert [(h.kind, h.power) for h in said] == [("restored", "Magyars")]
    assert back.state == {}


def test_nothing_ends_anarchy_but_the_loss_of_all() -> None:
    """A home won by accident later changes nothing; grace forgotten begins anew; the state is plain data."""
    mechanic = Anarchy()
    game = rules(mechanic)
    fallen = Position(owners=owners(Magyars="Lom Vie", British="Abe"), state={"anarchy": {"Magyars": 2}})
    after, said = mechanic.after_count(game, fallen)
    assert said == ()
    assert silent_powers(game, after) == {"Magyars": AnarchyCause.ANARCHY}


@pytest.mark.parametrize("grace", [0, 3])
def test_the_length_of_the_grace(grace: int) -> None:
    """Anarchy comes at the count after as many counts of grace as are told."""
    mechanic = Anarchy(grace)
    game = rules(mechanic)
    position = Position(owners=owners(Magyars="Lom", British="Abe"))
    words = []
    for _ in range(grace + 1):
        position, said = mechanic.after_count(game, position)
        words += [h.kind for h in said]
    assert words == ["grace"] * grace + ["anarchy"]


def test_units_in_anarchy_stand_and_may_be_supported() -> None:
    """Their own orders are void with the reason; a neighbour's support holds them; they support and move nothing."""
    game = rules(Anarchy())
    units = units_from({"Magyars": ["A Bav"], "Francs": ["A Swa"], "Vikings": ["A Vit", "A Fra"]})
    position = Position(units, owners(Magyars="Bav"), state={"anarchy": {"Magyars": 2}})
    orders = {
        "Magyars": ["A Bav - Tyr"],
        "Francs": ["A Swa S A Bav"],
        "Vikings": ["A Vit - Bav", "A Fra S A Vit - Bav"],
    }
    done = adjudicate(game, PhaseKind.MOVEMENT, position, orders)
    found = {r.given: (r.result, r.cause) for r in done.rulings if r.given}
    assert found["A Bav - Tyr"] == (Result.VOID, AnarchyCause.ANARCHY)
    assert found["A Swa S A Bav"][0] is Result.SUCCEEDS
    assert found["A Vit - Bav"][0] is Result.BOUNCES
    unordered = adjudicate(game, PhaseKind.MOVEMENT, position, {p: o for p, o in orders.items() if p != "Magyars"})
    held = next(r for r in unordered.rulings if not r.given)
    assert (held.power, held.cause, held.clause) == ("Magyars", AnarchyCause.ANARCHY, "TAD-8.e")


def test_no_retreat_and_no_build_in_anarchy() -> None:
    """A dislodged unit is disbanded, a phase in which only it might retreat is skipped, surplus units are removed."""
    game = rules(Anarchy())
    state = {"anarchy": {"Magyars": 2}}
    beaten = Dislodged(Unit(1, "A", "Magyars", Location("Bav")), "Thu", (Location("Tyr"),))
    position = Position((), owners(Magyars="Lom"), (beaten,), state)
    assert idle(game, PhaseKind.RETREATS, position)
    done = adjudicate(game, PhaseKind.RETREATS, position, {"Magyars": ["A Bav - Tyr"]})
    assert done.position.units == ()
    assert done.rulings[0].cause is AnarchyCause.ANARCHY
    home = Position((), owners(Magyars="Vie Pra"), (), state)
    assert idle(game, PhaseKind.ADJUSTMENTS, home)
    built = adjudicate(game, PhaseKind.ADJUSTMENTS, home, {"Magyars": ["Build A Vie"]})
    assert (built.position.units, built.rulings[0].cause) == ((), AnarchyCause.ANARCHY)
    many = Position(units_from({"Magyars": ["A Lom", "A Sax"]}), owners(Magyars="Lom"), (), state)
    assert not idle(game, PhaseKind.ADJUSTMENTS, many)
    kept = adjudicate(game, PhaseKind.ADJUSTMENTS, many, {}).position.units
    assert len(kept) == 1


def test_who_owns_nothing_is_swept_away() -> None:
    """At a count the units of a power without a centre are removed; others keep theirs."""
    position = Position(units_from({"Francs": ["A Par"], "Vikings": ["A Ber"]}), owners(Vikings="Ber"))
    after, said = Extinction().after_count(rules(Extinction()), position)
    assert [u.power for u in after.units] == ["Vikings"]
    assert [(h.kind, h.power) for h in said] == [("swept", "Francs")]


def test_standing_armies_hold_until_they_are_beaten() -> None:
    """They stand from the start, hold against one, are held by a support, and are gone when two beat them."""
    mechanic = StandingArmies(("A Bul", "A Gni"))
    game = rules(mechanic)
    start = mechanic.start(game, Position(units_from({"Byzantines": ["A Edi", "A Vrr"]})))
    assert [(u.number, str(u), u.power) for u in start.units[2:]] == [(3, "A Bul", "Neutral"), (4, "A Gni", "Neutral")]
    alone = adjudicate(game, PhaseKind.MOVEMENT, start, {"Byzantines": ["A Edi - Bul"]})
    assert alone.rulings[0].result is Result.BOUNCES
    helped = adjudicate(game, PhaseKind.MOVEMENT, start, {"Byzantines": ["A Edi S A Bul"]})
    assert helped.rulings[0].result is Result.SUCCEEDS
    beaten = adjudicate(game, PhaseKind.MOVEMENT, start, {"Byzantines": ["A Edi - Bul", "A Vrr S A Edi - Bul"]})
    after, said = beaten.position, beaten.happened
    assert after.dislodged == ()
    assert [(h.kind, h.power, h.province) for h in said] == [("dispersed", "Neutral", "Bul")]
    assert {str(u) for u in after.units} == {"A Bul", "A Vrr", "A Gni"}
    assert mechanic.after_movement(game, after) == (after, ())
    with pytest.raises(BadFile, match="did you mean A Bul"):
        StandingArmies(("A Bull",)).start(game, Position())


# -- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(MECHANICS))
def test_every_mechanic_is_made_by_its_name(name: str) -> None:
    """Each is on the shelf under its id, is told for designers, and needs no more than its parameters."""
    assert MECHANICS[name].id == name
    assert (MECHANICS[name].__doc__ or "").strip()


def test_tables_become_mechanics() -> None:
    """A table with a name and parameters is a value with those parameters."""
    assert make_mechanic({"name": "anarchy", "grace": 2}, "here") == Anarchy(2)
    made = make_mechanic({"name": "special-sites", "power": "Magyars", "places": {"Lom": ["F"]}}, "here")
    assert made == SpecialSites("Magyars", {"Lom": ("F",)})


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"name": "anarky"}, "did you mean anarchy"),
        ({"grace": 1}, "known: "),
        ({"name": "anarchy", "graze": 1}, "did you mean grace"),
        ({"name": "anarchy", "grace": "long"}, "here.grace"),
        ({"name": "anarchy", "grace": 21}, "0 to 20"),
        ({"name": "anarchy", "id": "x"}, "no parameter 'id'"),
        ({"name": "downfall"}, "here.power"),
    ],
)
def test_tables_with_faults_are_told(told: dict[str, object], said: str) -> None:
    """An unknown mechanic or parameter gets the nearest; a missing or wrong value is named with its place."""
    with pytest.raises(BadFile) as caught:
        make_mechanic(told, "here")
    assert said in str(caught.value)


class Nothing(BoardMechanic, MovementMechanic, YearMechanic, WinterMechanic, ReportMechanic, ProofMechanic):
    """A mechanic that is asked at every moment and has nothing to say."""


def test_without_mechanics_nothing_is_asked() -> None:
    """The bases of all mechanics change nothing at any hook."""
    nothing, game = Nothing(), rules()
    position = Position(units_from({"Francs": ["A Par"]}), START, state={"other": 1})
    assert nothing.start(game, position) is position
    assert nothing.after_count(game, position) == (position, ())
    assert nothing.after_movement(game, position) == (position, ())
    assert nothing.after_winter(game, position, position) is position
    assert nothing.after_loss(game, position, ()) is position
    assert (nothing.goal, nothing.ends_game(game, position, position)) == ("", (position, None))
    assert nothing.event_aspect(game.board, Event(EventKind.TIED, "Francs"), str) is NO_OVERRIDE
    assert nothing.silent(game, position) == {}
    assert nothing.points(game, position) == {}
    assert (nothing.goal_provinces(game), nothing.homes_now(game, position)) == ({}, {})
    counted = {"Francs": 1}
    assert nothing.centres_counted(game, position, counted) is counted
    assert nothing.bars_victory(game, position, "Francs") is None
    assert nothing.yields_retreat(game, position.units[0], Location("Lom")) is None
    assert nothing.unit_signs(game, position) == {}
    regular = build_sites(game, position, "Francs")
    assert nothing.sites(game, position, "Francs", regular) is regular
    held = adjudicate(game, PhaseKind.MOVEMENT, position, {}).rulings[0]
    case = Case(game, position, PhaseKind.MOVEMENT, held)
    assert nothing.ruling_aspect(case) is NO_OVERRIDE
    assert legal_orders(game, position, position.units[0])


def test_without_mechanics_no_phase_is_changed() -> None:
    """Nor at those of the board, of movement, of the seasons and of Winter."""
    nothing, game = Nothing(), rules()
    position = Position(units_from({"Francs": ["A Par"]}), START)
    unit, season = position.units[0], Season("Spring", 1000, 0, PhaseKind.MOVEMENT)
    movement = adjudicate_movement(game, position, {})
    field, bound, rows = movement.field, movement.bound, movement.rows
    flight = {1: (2,)}
    assert nothing.flight(field, 1, flight) is flight
    assert nothing.extend_board(game.board) is game.board
    assert (nothing.kinds(), nothing.carried_words(), nothing.kind_signs()) == ({}, (), {})
    assert nothing.place_signs(game, position) == {}
    assert list(nothing.report_lines(game, position, Ahead(iter(())))) == []
    assert nothing.strength(game, position, "Francs", 3) == 3
    assert nothing.in_season(game, season, position) is position
    assert list(nothing.lint(game, ())) == []
    assert nothing.before_moves(game, position, {}) == MechanicResult(position)
    assert nothing.order_fault(field, bound.chosen[1], 1) is None
    assert not nothing.bind_order(field, bound, ParsedOrder(None), 1)
    assert nothing.better_fault(field, bound.chosen[1], Cause.CLOSED) is Cause.CLOSED
    assert nothing.order_row(field, bound, ParsedOrder(None), 1, 1) == 1
    assert nothing.stray_order(field, ParsedOrder(None), Cause.NO_UNIT) is Cause.NO_UNIT
    before = [list(column) for column in rows]
    nothing.resolve_order(game.derive(OrderReader), bound.chosen[1])
    nothing.adjust_problem(field, bound, rows)
    assert [list(column) for column in rows] == before
    assert nothing.after_moves(movement, position) == MechanicResult(position)
    assert list(nothing.unit_orders(field, unit)) == []
    assert nothing.after_retreats(game, position, position) == (position, ())
    assert nothing.phase_begins(game, season, position, lambda *_: 1) == (position, ())
    assert nothing.orders_due(game, season, position) == {}
    assert list(nothing.extra_orders(game, season, position, "Francs")) == []
    assert nothing.carry_out(game, PhaseKind.RETREATS, position, {}) == MechanicResult(position)
    assert nothing.supply(game, position, "Francs", 3) == nothing.upkeep(game, position, "Francs", (unit,), 3) == 3
    assert nothing.room(game, position, "Francs", "Par", 1) == 1
    assert nothing.removal_fault(game, position, (unit,), 1, None) is None
    assert nothing.removal_order(game, position, "Francs") is None
    order = Order(Verb.REMOVE, "A", unit.at)
    assert nothing.stray_removal(game, position, (unit,), order, Cause.WRONG_KIND) is Cause.WRONG_KIND
    assert nothing.random_state(game.board, (unit,), Random(1)) is None
    assert list(nothing.phase_faults(position, position, (), ())) == []


def test_an_order_for_another_season() -> None:
    """An order that only a mechanic knows, in a phase in which it asks for none, is void (CNW-8A)."""
    variant = find_variant("conquest2")
    done = adjudicate(Rules.of(variant), PhaseKind.RETREATS, variant.start, {"England": ["Designate NOV"]})
    assert [(r.result, r.cause) for r in done.rulings] == [(Result.VOID, Cause.OTHER_PHASE)]


def test_a_possible_order_beside_an_impossible_move() -> None:
    """Where impossible moves count as moves, a possible order for the unit goes before them (DATC 4.E.1)."""
    judged = Rules.of(find_variant("standard"), {"preset": "datc", "impossible_order": "refuses_support"})
    position = Position(units_from({"France": ["A PAR", "A BUR"]}))
    orders = {"France": ["A Par - Lon", "A Par S A Bur", "A Bur H"]}
    done = adjudicate(judged, PhaseKind.MOVEMENT, position, orders)
    assert [str(r.result) for r in done.rulings] == ["void", "succeeds", "holds"]


class Mute(YearMechanic):
    """A mechanic that has an order of its own and decides nothing on it."""

    id = "mute"
    verbs = (HomeVerb.DESIGNATE,)


def test_an_order_that_nobody_decides_on() -> None:
    """What a mechanic has a word for and says nothing about is void in a phase of retreats."""
    judged = Rules.of(replace(find_variant("standard"), mechanics=(Mute(),)))
    position = Position(units_from({"France": ["A PAR"]}))
    done = adjudicate(judged, PhaseKind.RETREATS, position, {"France": ["Designate Par"]})
    assert [(r.result, r.cause) for r in done.rulings] == [(Result.VOID, Cause.OTHER_PHASE)]
