"""Kinds of unit: where they go, how far and how strong they are, and what they may do (STD-12.a to STD-12.f)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from gamesmaster.board import Location, Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.game import Game
from gamesmaster.judge import LegalOrders, adjudicate, due
from gamesmaster.mechanics import WeakBorders, make_mechanic
from gamesmaster.mechanics.kinds import KindCause
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Cause, Mechanic, Result, Rules, Ruling, extend
from gamesmaster.variant import Variant, find_variant, lint_variant, shelf
from gamesmaster.variant.reading import variant_of_data
from gamesmaster.variant.sources import variant_data

STANDARD = find_variant("standard")
WING: dict[str, Any] = {
    "kind": "W", "words": ["wing"], "goes": ["army", "fleet"], "captures": False, "sign": "wing",
}  # fmt: skip


def kind(**parameters: Any) -> Mechanic:
    """The mechanic with these parameters."""
    return make_mechanic({"name": "unit-kind", **parameters}, "test")


def variant(*tables: Mapping[str, Any], units: Mapping[str, list[str]] | None = None) -> Variant:
    """The standard game with kinds of unit, and with other units at the start."""
    data: dict[str, Any] = dict(variant_data(shelf() / "standard"))
    data["mechanics"] = [{"name": "unit-kind", **table} for table in tables]
    data["powers"] = [entry | {"units": (units or {}).get(entry["name"], entry["units"])} for entry in data["powers"]]
    return variant_of_data(shelf() / "standard", data)


@pytest.fixture(scope="module")
def wings() -> Variant:
    """The standard game with wings, at most two of a power; England begins with one in London."""
    return variant(WING | {"limit": 2}, units={"England": ["W LON", "F EDI", "A LVP"]})


def rules(*mechanics: Mechanic) -> Rules:
    """The standard rules with these mechanics, on a board fitted for them."""
    words = dict(STANDARD.kinds)
    for one in mechanics:
        words |= one.kinds()
    powers = tuple(power.name for power in STANDARD.powers)
    board = extend(STANDARD.board, mechanics)
    return Rules(board, powers, dict(STANDARD.homes), mechanics=mechanics, kinds=words)


def judged(book: Rules, units: Mapping[str, list[str]], orders: Mapping[str, list[str]]) -> dict[str, Ruling]:
    """The rulings on the orders given in a movement phase."""
    done = adjudicate(book, PhaseKind.MOVEMENT, Position(units_from(units)), orders)
    return {ruling.given: ruling for ruling in done.rulings if ruling.given}


def results(book: Rules, units: Mapping[str, list[str]], orders: Mapping[str, list[str]]) -> dict[str, Result]:
    """The results alone."""
    return {given: ruling.result for given, ruling in judged(book, units, orders).items()}


def goals(book: Rules, unit: str) -> set[str]:
    """Where a unit could be ordered to go."""
    position = Position(units_from({"England": [unit]}))
    return {str(o.to) for o in LegalOrders(book, position).of_unit(position.units[0]) if o.to and not o.of}


# -- where they go -----------------------------------------------------------------------------------------------------


def test_a_wing_goes_over_land_and_water_and_knows_no_coasts() -> None:
    """It may be anywhere but on the coasts of a split province (STD-12.a)."""
    book = rules(kind(**WING))
    assert goals(book, "W MAO") == {
        "NAO", "IRI", "ENG", "BRE", "GAS", "SPA", "POR", "WES", "NAF",
    }  # fmt: skip
    assert goals(book, "W BUR") == {"PAR", "PIC", "BEL", "RUH", "MUN", "MAR", "GAS"}
    assert book.board.can_stand("W", Location("STP"))
    assert not book.board.can_stand("W", Location("STP", "NC"))
    assert results(book, {"England": ["W MAO"]}, {"England": ["W Mao - Spa"]}) == {"W Mao - Spa": Result.SUCCEEDS}


def test_a_wing_is_neither_carried_nor_carries() -> None:
    """A kind that goes over land and water neither convoys nor is convoyed by default (STD-12.d)."""
    book = rules(kind(**WING))
    units = {"England": ["W YOR", "F NTH"], "France": ["A BRE", "W ENG"]}
    found = judged(book, units, {
        "England": ["W Yor - Nwy", "F Nth C W Yor - Nwy"], "France": ["A Bre - Lon", "W Eng C A Bre - Lon"],
    })  # fmt: skip
    assert [ruling.cause for ruling in found.values()] == [
        Cause.NOT_ADJACENT, Cause.NO_ARMY, Cause.NO_PASSAGE, KindCause.NO_CONVOY,
    ]  # fmt: skip
    carried = rules(kind(**WING | {"convoyed": True, "convoys": True}))
    assert set(results(carried, units, {
        "England": ["W Yor - Nwy", "F Nth C W Yor - Nwy"], "France": ["A Bre - Lon", "W Eng C A Bre - Lon"],
    }).values()) == {Result.SUCCEEDS}  # fmt: skip


def test_a_clipper_goes_two_steps() -> None:
    """With a reach of 2 it goes over a province, and supports as far (STD-12.b)."""
    book = rules(kind(kind="F", reach=2))
    assert {"NTH", "NWG", "NAO", "BAR", "NWY", "SKA"} <= goals(book, "F EDI")
    assert {"STP/NC"} == {place for place in goals(book, "F NWG") if place.startswith("STP")}
    units = {"England": ["F EDI", "F HEL"], "Germany": ["F SWE"], "France": ["F NTH"]}
    orders = {"England": ["F Edi - Ska", "F Hel S F Edi - Ska"], "Germany": ["F Swe - Ska"]}
    assert results(book, units, orders)["F Edi - Ska"] is Result.SUCCEEDS
    assert judged(book, units, {"England": ["F Edi - Tun"]})["F Edi - Tun"].cause is Cause.NOT_ADJACENT


def test_convoys_and_distances_go_by_the_board() -> None:
    """Long steps make no neighbours: convoys and the order of removals are as ever (STD-12.b)."""
    plain, fast = rules().board, rules(kind(kind="F", reach=2), kind(kind="A", reach=2)).board
    assert (plain.neighbours, plain.overland, plain.waters) == (fast.neighbours, fast.overland, fast.waters)
    units = {"England": ["A YOR", "F NTH"]}
    orders = {"England": ["A Yor - Den", "F Nth C A Yor - Den"]}
    assert set(results(rules(kind(kind="F", reach=2)), units, orders).values()) == {Result.SUCCEEDS}


def test_a_fortress_stands() -> None:
    """With a reach of 0 it never moves nor retreats, and supports what it touches (STD-12.b)."""
    book = rules(kind(kind="C", words=["castle"], goes=["army"], reach=0, sign="standing-army"))
    assert goals(book, "C PAR") == set()
    units = {"France": ["C PAR", "A GAS"], "Germany": ["A BUR", "A MUN", "A PIC"]}
    found = judged(book, units, {"France": ["C Par - Pic", "A Gas - Bur"]})
    assert found["C Par - Pic"].cause is KindCause.NEVER_MOVES
    assert "is for a kind of unit that never moves" in found["C Par - Pic"].text
    orders = {"France": ["C Par S A Gas - Bur", "A Gas - Bur"], "Germany": ["A Bur H"]}
    assert results(book, units, orders)["A Gas - Bur"] is Result.SUCCEEDS
    beaten = {"Germany": ["A Bur - Par", "A Pic S A Bur - Par"]}
    done = adjudicate(book, PhaseKind.MOVEMENT, Position(units_from(units)), beaten)
    assert [(str(out.unit), out.retreats) for out in done.position.dislodged] == [("C PAR", ())]


def test_private_borders_stay_private() -> None:
    """A step that only some powers may take is theirs for every kind, and no part of a longer way."""
    from gamesmaster.mechanics import PrivateBorders

    private = PrivateBorders((("TYR", "PIE"),), ("Austria",))
    book = rules(private, kind(kind="A", reach=2), kind(**WING))
    steps = {(e.way, str(e.a), str(e.b)): e.only for e in book.board.edges}
    assert steps["A", "TYR", "PIE"] == steps["W", "TYR", "PIE"] == {"Austria"}
    assert ("A", "TYR", "MAR") not in steps


# -- how strong they are -----------------------------------------------------------------------------------------------


def test_half_a_unit_more_dislodges() -> None:
    """A frigate with half the strength of a unit more dislodges another fleet alone (STD-12.c)."""
    frigate = kind(kind="G", words=["frigate"], goes=["fleet"], force=1.5)
    book = rules(frigate)
    units = {"England": ["G NTH"], "Germany": ["F DEN"]}
    found = judged(book, units, {"England": ["G Nth - Den"], "Germany": ["F Den H"]})
    assert found["G Nth - Den"].result is Result.SUCCEEDS
    back = judged(book, units, {"England": ["G Nth H"], "Germany": ["F Den - Nth"]})["F Den - Nth"]
    assert (back.result, back.strengths) == (Result.BOUNCES, (1, 1.5))
    crossing = {"England": ["G Nth - Den"], "Germany": ["F Den - Nth"]}
    assert results(book, units, crossing) == {"G Nth - Den": Result.SUCCEEDS, "F Den - Nth": Result.BOUNCES}


def test_what_its_support_is_worth() -> None:
    """Its support counts as said, and a unit that supports defends itself with its own strength (STD-12.c)."""
    units = {"England": ["G NTH", "F HEL"], "Germany": ["F DEN"], "France": ["F ENG"]}
    orders = {
        "England": ["F Hel - Den", "G Nth S F Hel - Den"], "Germany": ["F Den H"], "France": ["F Eng - Nth"],
    }  # fmt: skip
    for support, fails in ((1, False), (0.5, False), (2, False)):
        frigate = kind(kind="G", words=["frigate"], goes=["fleet"], force=1.5, support=support)
        found = judged(rules(frigate), units, {power: given for power, given in orders.items() if power != "France"})
        assert (found["F Hel - Den"].result is Result.BOUNCES) is fails
        assert judged(rules(frigate), units, orders)["F Eng - Nth"].strengths == (1, 1.5)
    none = rules(kind(kind="G", words=["frigate"], goes=["fleet"], support=0))
    ruling = judged(none, units, orders)["G Nth S F Hel - Den"]
    assert (ruling.cause, ruling.clause) == (KindCause.NO_SUPPORT, "STD-12.d")


def test_strength_over_a_weak_border() -> None:
    """A border halves what the kind has, in either order of the two mechanics."""
    weak, strong = WeakBorders((("BUD", "SER"),)), kind(kind="A", force=1.5)
    units = {"Austria": ["A BUD"], "Turkey": ["F GRE"]}
    orders = {"Austria": ["A Bud - Ser"], "Turkey": []}
    for book in (rules(weak, strong), rules(strong, weak)):
        move = judged(book, units | {"Italy": ["A SER"]}, orders)["A Bud - Ser"]
        assert move.strengths == (0.75, 1.5)


# -- what they take, and what is built ---------------------------------------------------------------------------------


def test_a_wing_takes_no_centre(wings: Variant) -> None:
    """A centre in which it is at a count stays its owner's (STD-12.e)."""
    game = Game.start(wings, seed=bytes(32))
    game = game.submit("England", ["W Lon - Nth"]).process().submit("England", ["W Nth - Bel", "A Lvp - Yor"]).process()
    assert "W BEL" in map(str, game.position.of("England"))
    assert game.position.owners.get("BEL") is None


def test_builds_and_their_limit(wings: Variant) -> None:
    """It can be built wherever it can be, but only up to its limit, even in one Winter (STD-12.f)."""
    book = Rules.of(wings)
    units = units_from({"England": ["A BEL"]})
    position = Position(units, dict.fromkeys(("LON", "LVP", "EDI", "BEL"), "England"))
    legal = LegalOrders(book, position).of_power(PhaseKind.ADJUSTMENTS, "England")
    assert {"W LON", "W LVP", "W EDI"} <= {f"{order.kind} {order.at}" for order in legal}
    assert due(book, position)["England"] == 3
    orders = ["Build W Lon", "Build W Lvp", "Build W Edi"]
    done = adjudicate(book, PhaseKind.ADJUSTMENTS, position, {"England": orders})
    assert [ruling.result for ruling in done.rulings] == [Result.SUCCEEDS, Result.SUCCEEDS, Result.VOID]
    assert done.rulings[2].clause == "STD-12.f"
    full = Position(units_from({"England": ["W BEL", "W NTH", "W PIC"]}), position.owners)
    assert not [o for o in LegalOrders(book, full).of_power(PhaseKind.ADJUSTMENTS, "England") if o.kind == "W"]
    assert due(book, full)["England"] == 1
    never = rules(kind(**WING | {"built": False}))
    assert not [o for o in LegalOrders(never, position).of_power(PhaseKind.ADJUSTMENTS, "England") if o.kind == "W"]


def test_a_split_coast_is_named_for_fleets_alone(wings: Variant) -> None:
    """A wing is built in St Petersburg without a coast, a fleet on one."""
    position = Position((), {"STP": "Russia", "MOS": "Russia"})
    for text, result in (("Build W Stp", Result.SUCCEEDS), ("Build F Stp", Result.VOID)):
        done = adjudicate(Rules.of(wings), PhaseKind.ADJUSTMENTS, position, {"Russia": [text]})
        assert done.rulings[0].result is result


def test_the_ledger_counts_what_is_limited(wings: Variant) -> None:
    """Who has some is told how many more there may be."""
    from gamesmaster.game import ledger_of

    game = Game.start(wings, seed=bytes(32))
    ledger = ledger_of(wings, game.rules, game.phase, game.position)
    lines = [line for line in ledger.entries if line.heading == "Units: wing"]
    assert [(line.power, line.text) for line in lines] == [("England", "1 of at most 2")]


# -- the file ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("parameters", "said"), [
    ({"kind": "W"}, "no kind of unit 'W'"),
    ({"kind": "W", "words": ["wing"]}, "say what a new kind of unit goes by"),
    ({"kind": "A", "words": ["army"], "goes": ["army"]}, "'A' is a kind of unit already"),
    ({"kind": "A", "goes": ["rail"]}, "Input should be 'army' or 'fleet'"),
    ({"kind": "A", "force": 1.1}, "force is 0.5 to 8, in quarters of a unit"),
    ({"kind": "A", "support": -1}, "support is 0 to 8"),
    ({"kind": "A", "reach": 4}, "reach is 0 to 3 steps"),
    ({"kind": "A", "sign": "anchor"}, "Input should be"),
])  # fmt: skip
def test_what_a_file_may_not_say(parameters: dict[str, Any], said: str) -> None:
    """Each fault is told with its place."""
    with pytest.raises(BadFile, match=said) as fault:
        variant(parameters)
    assert "mechanics" in fault.value.where or fault.value.where == "unit-kind"


def test_the_linter_looks_at_the_board_as_it_is_drawn(wings: Variant) -> None:
    """Kinds with ways of their own change no finding on the board."""
    assert [str(f) for f in lint_variant(wings)] == [str(f) for f in lint_variant(STANDARD)]
