"""Every cause a ruling can have, reached by one small position each."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from gamesmaster.board import Board, Closure, Edge, Location, Position, Province, Terrain, units_from
from gamesmaster.errors import NotFound
from gamesmaster.judge import OrderReader, adjudicate, idle
from gamesmaster.mechanics import IMPLIED, MECHANICS, implied_mechanics
from gamesmaster.mechanics.army_fleet.values import PairCause
from gamesmaster.mechanics.boats.values import BoatCause
from gamesmaster.mechanics.borders import FarCause, RiverCause
from gamesmaster.mechanics.boxes import BoxCause
from gamesmaster.mechanics.elimination import AnarchyCause
from gamesmaster.mechanics.homes import HomeCause
from gamesmaster.mechanics.homes.won import BidCause
from gamesmaster.mechanics.kinds import KindCause
from gamesmaster.mechanics.passages import PassageCause
from gamesmaster.mechanics.reinforcements import ReinforcementCause
from gamesmaster.mechanics.slow_crossing import CrossingCause
from gamesmaster.mechanics.transforming import TransformCause
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.rules import Cause, Clauses, Result, Rulebook, Rules, SightCause, extend
from gamesmaster.variant import find_variant

from .conftest import Judge, results, standing

M, R, A = PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS


class Case(NamedTuple):
    """Orders of which the one named comes to this cause."""

    cause: Cause
    order: str
    units: dict[str, list[str]]
    orders: dict[str, list[str]]
    kind: PhaseKind = M
    extra: dict[str, Any] = {}  # noqa: RUF012


KNOT = {"England": ["A LON", "F ENG"], "France": ["F BRE", "F PIC"]}
KNOT_ORDERS = {
    "England": ["A LON - PIC", "F ENG C A LON - PIC"],
    "France": ["F PIC S F BRE - ENG", "F BRE - ENG"],
}
DISLODGED = {"dislodged": {"Germany": {"A RUH": ["MUN", "KIE"]}, "Russia": {"F SPA/SC": ["POR", "MAO"]}}}
WINTER = {"centres": {"Russia": ["MOS", "SEV", "STP", "WAR", "SWE"], "Germany": ["BER"]}}
MOSCOW = {"Russia": ["A MOS", "A UKR"], "Germany": ["A KIE", "A MUN"]}

CASES = [
    Case(Cause.HELD, "A PAR H", {"France": ["A PAR"]}, {"France": ["A PAR H"]}),
    Case(Cause.CAME, "A PAR - BUR", {"France": ["A PAR"]}, {"France": ["A PAR - BUR"]}),
    Case(
        Cause.CAME_BY_SEA, "A LON - BEL", {"England": ["A LON", "F NTH"]},
        {"England": ["A LON - BEL", "F NTH C A LON - BEL"]},
    ),
    Case(Cause.GIVEN, "A PAR S A BUR", {"France": ["A PAR", "A BUR"]}, {"France": ["A PAR S A BUR"]}),
    Case(
        Cause.AVAILABLE, "F NTH C A LON - BEL", {"England": ["A LON", "F NTH"]},
        {"England": ["A LON - BEL", "F NTH C A LON - BEL"]},
    ),
    Case(Cause.RETREATED, "A RUH - MUN", {}, {"Germany": ["A RUH - MUN"]}, R, DISLODGED),
    Case(Cause.DISBANDED, "A RUH D", {}, {"Germany": ["A RUH D"]}, R, DISLODGED),
    Case(Cause.BUILT, "Build A WAR", MOSCOW, {"Russia": ["Build A WAR"]}, A, WINTER),
    Case(Cause.REMOVED, "Remove A MUN", MOSCOW, {"Germany": ["Remove A MUN"]}, A, WINTER),
    Case(Cause.WAIVED, "Waive", MOSCOW, {"Russia": ["Waive"]}, A, WINTER),
    Case(Cause.UNORDERED, "", {"France": ["A PAR"]}, {}),
    Case(
        Cause.DISORDER, "A PAR - BUR", {"France": ["A PAR"]}, {"France": ["A PAR - BUR"]}, M, {"disorder": ["France"]}
    ),
    Case(
        Cause.STOOD_OFF, "A PAR - BUR", {"France": ["A PAR"], "Germany": ["A MUN"]},
        {"France": ["A PAR - BUR"], "Germany": ["A MUN - BUR"]},
    ),
    Case(
        Cause.RESISTED, "A PAR - BUR", {"France": ["A PAR"], "Germany": ["A BUR"]},
        {"France": ["A PAR - BUR"], "Germany": ["A BUR H"]},
    ),
    Case(
        Cause.BEATEN_HEAD_ON, "A PAR - BUR", {"France": ["A PAR"], "Germany": ["A BUR"]},
        {"France": ["A PAR - BUR"], "Germany": ["A BUR - PAR"]},
    ),
    Case(Cause.OWN_UNIT, "A PAR - BUR", {"France": ["A PAR", "A BUR"]}, {"France": ["A PAR - BUR"]}),
    Case(
        Cause.OWN_HELP, "A PAR - BUR", {"France": ["A PAR"], "Germany": ["A BUR", "A MUN"]},
        {"France": ["A PAR - BUR"], "Germany": ["A MUN S A PAR - BUR"]},
    ),
    Case(
        Cause.CONVOY_BROKEN, "A LON - BEL", {"England": ["A LON", "F NTH"], "Germany": ["F HEL", "F DEN"]},
        {"England": ["A LON - BEL", "F NTH C A LON - BEL"], "Germany": ["F HEL - NTH", "F DEN S F HEL - NTH"]},
    ),
    Case(Cause.CONVOY_SILENCED, "A LON - PIC", KNOT, KNOT_ORDERS),
    Case(Cause.PARADOX, "F BRE - ENG", KNOT, KNOT_ORDERS, M, {"choices": {"4.A.2": "d"}}),
    Case(
        Cause.CUT_BY_ATTACK, "A MUN S A BUR", {"Germany": ["A MUN", "A BUR"], "Austria": ["A TYR"]},
        {"Germany": ["A MUN S A BUR"], "Austria": ["A TYR - MUN"]},
    ),
    Case(
        Cause.CUT_BY_DISLODGEMENT, "A RUH S A MUN - BUR", {"Germany": ["A RUH", "A MUN"], "France": ["A BUR", "A BEL"]},
        {"Germany": ["A RUH S A MUN - BUR", "A MUN - BUR"], "France": ["A BUR - RUH", "A BEL S A BUR - RUH"]},
    ),
    Case(
        Cause.CARRIER_LOST, "F NTH C A LON - BEL", {"England": ["A LON", "F NTH"], "Germany": ["F HEL", "F DEN"]},
        {"England": ["A LON - BEL", "F NTH C A LON - BEL"], "Germany": ["F HEL - NTH", "F DEN S F HEL - NTH"]},
    ),
    Case(Cause.CARRIER_SILENCED, "F ENG C A LON - PIC", KNOT, KNOT_ORDERS, M, {"choices": {"4.A.2": "d"}}),
    Case(
        Cause.COLLIDED, "A RUH - MUN", {}, {"Germany": ["A RUH - MUN"], "Austria": ["A TYR - MUN"]}, R,
        {"dislodged": {"Germany": {"A RUH": ["MUN"]}, "Austria": {"A TYR": ["MUN"]}}},
    ),
    Case(Cause.UNMATCHED, "A MAR S A PAR - BUR", {"France": ["A PAR", "A MAR"]}, {"France": ["A MAR S A PAR - BUR"]}),
    Case(
        Cause.MOVES_AWAY, "A MAR S A BUR", {"France": ["A BUR", "A MAR"]},
        {"France": ["A MAR S A BUR", "A BUR - PAR"]},
    ),
    Case(Cause.NO_CHAIN, "A LON - BEL", {"England": ["A LON", "F NTH"]}, {"England": ["A LON - BEL"]}),
    Case(
        Cause.OTHER_COAST, "F POR S F MAO - SPA/SC", {"France": ["F MAO", "F POR"]},
        {"France": ["F MAO - SPA/NC", "F POR S F MAO - SPA/SC"]},
    ),
    Case(
        Cause.IN_DISORDER, "A PIE S A VEN", {"Italy": ["A VEN"], "France": ["A PIE"]}, {"France": ["A PIE S A VEN"]}, M,
        {"choices": {"4.D.9": "a"}, "disorder": ["Italy"]},
    ),
    Case(Cause.UNREADABLE, "A PAR - XYZZY", {"France": ["A PAR"]}, {"France": ["A PAR - XYZZY"]}),
    Case(Cause.NO_UNIT, "A BUR - PAR", {"France": ["A PAR"]}, {"France": ["A BUR - PAR"]}),
    Case(Cause.FOREIGN, "A MUN - BUR", {"Germany": ["A MUN"]}, {"France": ["A MUN - BUR"]}),
    Case(Cause.OTHER_PHASE, "Build A PAR", {"France": ["A BUR"]}, {"France": ["Build A PAR"]}),
    Case(Cause.SECOND, "A PAR - PIC", {"France": ["A PAR"]}, {"France": ["A PAR - BUR", "A PAR - PIC"]}),
    Case(
        Cause.CONTRADICTED, "A PAR - PIC", {"France": ["A PAR"]}, {"France": ["A PAR - BUR", "A PAR - PIC"]}, M,
        {"choices": {"4.D.3": "c"}},
    ),
    Case(Cause.WRONG_KIND, "Build SEV", MOSCOW, {"Russia": ["Build SEV"]}, A, WINTER),
    Case(
        Cause.WRONG_NATION, "A MAR S Italian A BUR", {"France": ["A BUR", "A MAR"]},
        {"France": ["A MAR S Italian A BUR"]}, M, {"choices": {"4.C.6": "a"}},
    ),
    Case(Cause.WRONG_COAST, "F GAS - SPA/SC", {"France": ["F GAS"]}, {"France": ["F GAS - SPA/SC"]}),
    Case(Cause.WHICH_COAST, "F MAO - SPA", {"France": ["F MAO"]}, {"France": ["F MAO - SPA"]}),
    Case(Cause.NOT_ADJACENT, "A PAR - MUN", {"France": ["A PAR"]}, {"France": ["A PAR - MUN"]}),
    Case(Cause.NOWHERE, "A PAR - PAR", {"France": ["A PAR"]}, {"France": ["A PAR - PAR"]}),
    Case(Cause.NO_PASSAGE, "A LON - BEL", {"England": ["A LON"]}, {"England": ["A LON - BEL"]}),
    Case(
        Cause.NO_PATH, "A LON - BEL", {"England": ["A LON", "F NTH"]},
        {"England": ["A LON - BEL", "F NTH C A LON - BEL"]}, M, {"choices": {"4.A.6": "c"}},
    ),
    Case(Cause.OUT_OF_REACH, "A PAR S A MUN", {"France": ["A PAR", "A MUN"]}, {"France": ["A PAR S A MUN"]}),
    Case(Cause.NOBODY, "A PAR S A BUR", {"France": ["A PAR"]}, {"France": ["A PAR S A BUR"]}),
    Case(
        Cause.CANNOT, "A PAR S A MOS - BUR", {"France": ["A PAR", "A MOS"]}, {"France": ["A PAR S A MOS - BUR"]},
    ),
    Case(
        Cause.NEEDED, "F BLA S A RUM - ARM", {"Austria": ["A RUM"], "Turkey": ["F BLA"]},
        {"Austria": ["A RUM - ARM"], "Turkey": ["F BLA S A RUM - ARM"]},
    ),
    Case(
        Cause.NOT_AT_SEA, "F LON C A YOR - BEL", {"England": ["F LON", "A YOR"]},
        {"England": ["F LON C A YOR - BEL"]},
    ),
    Case(Cause.NO_ARMY, "F NTH C F LON - BEL", {"England": ["F LON", "F NTH"]}, {"England": ["F NTH C F LON - BEL"]}),
    Case(
        Cause.SUPERFLUOUS, "F ENG C A BRE - GAS", {"France": ["A BRE", "F ENG", "F MAO"]},
        {"France": ["A BRE - GAS", "F ENG C A BRE - GAS", "F MAO C A BRE - GAS"]},
    ),
    Case(Cause.NOT_OPEN, "A RUH - BUR", {}, {"Germany": ["A RUH - BUR"]}, R, DISLODGED),
    Case(Cause.NOT_DISLODGED, "A PAR - BUR", {"France": ["A PAR"]}, {"France": ["A PAR - BUR"]}, R, DISLODGED),
    Case(Cause.NO_BUILDS, "Waive", MOSCOW, {"Germany": ["Waive"]}, A, WINTER),
    Case(Cause.NO_REMOVALS, "Remove A UKR", MOSCOW, {"Russia": ["Remove A UKR"]}, A, WINTER),
    Case(Cause.NOT_A_SITE, "Build A SWE", MOSCOW, {"Russia": ["Build A SWE"]}, A, WINTER),
    Case(Cause.OCCUPIED, "Build A MOS", MOSCOW, {"Russia": ["Build A MOS"]}, A, WINTER),
    Case(Cause.TAKEN, "Build F SEV", MOSCOW, {"Russia": ["Build A SEV", "Build F SEV"]}, A, WINTER),
    Case(Cause.NO_WAIVING, "Waive", MOSCOW, {"Russia": ["Waive"]}, A, WINTER | {"choices": {"4.D.7": "b"}}),
]  # fmt: skip

OF_BOATS = set(BoatCause)
OF_WINTER = {*HomeCause, *BidCause, PairCause.LADEN, Cause.COSTS_NOTHING}
OF_SEASONS = {*ReinforcementCause, *CrossingCause}
OF_KINDS = {*KindCause, *TransformCause, *FarCause, *RiverCause, *PassageCause}
OF_PAIRS = {*PairCause, *BoxCause} - OF_WINTER
SHOWN_ELSEWHERE = {
    Cause.CLOSED,
    Cause.DEFECT,
    Cause.SEVERAL,
    *AnarchyCause,
    *OF_BOATS,
    *OF_WINTER,
    *OF_SEASONS,
    *OF_PAIRS,
    *SightCause,
    *OF_KINDS,
}
"""Reached only on other boards, with mechanics and through faults of the program.

See `test_closed_waters`, tests/mechanics and tests/game/test_defects.py.
"""


def test_every_cause_is_reached() -> None:
    """No cause is without a position that brings it about."""
    every = {*Cause, *(cause for mechanic in (*MECHANICS.values(), *IMPLIED) for cause in mechanic.causes)}
    assert {case.cause for case in CASES} | SHOWN_ELSEWHERE == every
    names = [cause.name for cause in every]
    assert len({*names}) == len(names), "two causes have the same name, which stands in records"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.cause.name.lower())
def test_cause(judge: Judge, case: Case) -> None:
    """The order comes to its cause, in words, with a clause."""
    extra = dict(case.extra)
    done = judge(case.units, case.orders, extra.pop("choices", None), kind=case.kind, **extra)
    ruling = next(r for r in done.rulings if r.given == case.order)
    assert ruling.cause is case.cause
    assert ruling.clause.startswith(("STD-", "DATC 4."))
    assert ruling.text
    assert "{" not in ruling.text


def test_words(judge: Judge) -> None:
    """A ruling says who did it, whose unit that is, and what strengths were compared."""
    orders = {"France": ["A PAR - BUR"], "Germany": ["A MUN S A BUR"], "Italy": ["A MAR - BUR"]}
    done = judge({"France": ["A PAR"], "Germany": ["A MUN", "A BUR"], "Italy": ["A MAR"]}, orders)
    texts = {r.given: r.text for r in done.rulings}
    assert texts["A PAR - BUR"] == "is stood off by A Mar (Italy) (1 against 1)"
    assert texts["A MAR - BUR"] == "is stood off by A Par (France) (1 against 1)"
    dislodging = {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"], "Germany": ["A BUR H"]}
    done = judge({"France": ["A PAR", "A MAR"], "Germany": ["A BUR"]}, dislodging)
    assert next(r.text for r in done.rulings if r.given == "A BUR H") == "holds; dislodged by A Par (France)"


def test_an_unreadable_order_says_where(judge: Judge) -> None:
    """The ruling on a text that cannot be read names the column and what stands there (C1)."""
    done = judge({"France": ["A PAR"]}, {"France": ["A Par - Bugandey"]})
    (ruling,) = (r for r in done.rulings if r.given)
    assert ruling.result is Result.VOID
    assert "column 9: no province 'Bugandey'" in ruling.text


def test_orders_may_come_read(judge: Judge) -> None:
    """An `Order` does as well as its text, in every kind of phase."""
    paris, munich = Location("PAR"), Location("MUN")
    done = judge({"France": ["A PAR"]}, {"France": [Order(Verb.MOVE, "A", paris, Location("BUR"))]})
    assert results(done) == {"A Par - Bur": "succeeds: came"}
    done = judge({}, {"Germany": [Order(Verb.RETREAT, "A", Location("RUH"), munich)]}, kind=R, **DISLODGED)
    assert results(done) == {"A Ruh - Mun": "succeeds: retreated"}
    done = judge(MOSCOW, {"Germany": [Order(Verb.REMOVE, "A", munich)]}, kind=A, **WINTER)
    assert results(done) == {"Remove A Mun": "succeeds: removed"}


def test_powers_in_any_case(judge: Judge) -> None:
    """Powers are known in any case of letters; one that does not exist is refused with the nearest."""
    done = judge({"France": ["A PAR", "A MAR"]}, {"FRANCE": ["A PAR - BUR"], "france": ["A MAR - GAS"]})
    assert standing(done) == {"A BUR", "A GAS"}
    with pytest.raises(NotFound, match="did you mean France"):
        judge({}, {"Frence": []})


def test_wrong_phase_and_foreign_retreats(judge: Judge) -> None:
    """In a retreat phase other orders, other powers' units and unreadable texts do nothing; the unit disbands."""
    orders = {"Germany": ["A RUH H", "A BUR - PAR", "what?"], "France": ["A RUH - MUN", "A PAR - BUR"]}
    done = judge({"France": ["A PAR"]}, orders, kind=R, **DISLODGED)
    assert results(done) == {
        "A RUH H": "void: other_phase",
        "A BUR - PAR": "void: no_unit",
        "what?": "void: unreadable",
        "A RUH - MUN": "void: foreign",
        "A PAR - BUR": "void: not_dislodged",
    }
    assert standing(done) == {"A PAR"}
    assert [str(r.unit) for r in done.rulings if not r.given] == ["F SPA/SC"]


def test_civil_disorder(judge: Judge) -> None:
    """A power in civil disorder retreats nowhere and builds nothing (STD-10.h)."""
    done = judge({}, {"Germany": ["A RUH - MUN"]}, kind=R, disorder=["Germany"], **DISLODGED)
    assert results(done) == {"A RUH - MUN": "void: disorder"}
    done = judge(MOSCOW, {"Russia": ["Build A WAR", "?"]}, kind=A, disorder=["Russia"], **WINTER)
    assert results(done) == {"Build A WAR": "void: disorder", "?": "void: unreadable"}
    done = judge({"France": ["A PAR"]}, {}, disorder=["France"])
    assert [r.cause for r in done.rulings] == [Cause.DISORDER]


def test_removals_of_others(judge: Judge) -> None:
    """Removing a unit that is another's, is not there, or is named already does nothing; the rules choose instead."""
    orders = {"Germany": ["Remove A MOS", "Remove A PAR", "Remove A KIE", "Remove A KIE", "?"]}
    units = {"Russia": ["A MOS"], "Germany": ["A KIE", "A MUN", "F BLA"]}
    done = judge(units, orders, kind=A, **WINTER)
    assert [f"{r.given}: {r.cause.name.lower()}" for r in done.rulings] == [
        "Remove A MOS: foreign",
        "Remove A PAR: no_unit",
        "Remove A KIE: removed",
        "Remove A KIE: second",
        "?: unreadable",
        ": removed",
    ]
    assert standing(done) == {"A MOS", "A MUN"}


def test_idle_phases() -> None:
    """Nobody has anything to do where nothing stands, nobody can retreat, build, or must remove (STD-3.a)."""
    rules = Rules.of(find_variant("standard"))
    assert idle(rules, M, Position())
    assert not idle(rules, M, Position(units_from({"France": ["A PAR"]})))
    assert idle(rules, R, Position())
    full = Position(units_from({"France": ["A BUR"]}), {"PAR": "France"})
    assert idle(rules, A, full)
    assert not idle(rules, A, Position((), {"PAR": "France"}))
    assert idle(rules, A, Position((), {"BEL": "France"}))
    assert not idle(rules, A, Position(units_from({"France": ["A BUR"]})))


def _ring(closures: tuple[Closure, ...] = (), port: Terrain = Terrain.COAST) -> Rules:
    """Three waters and a shore; the straits between x and y belong to Blue."""
    provinces = (
        Province("X", "Ex", "X", Terrain.SEA, convoy=True),
        Province("Y", "Why", "Y", Terrain.SEA, convoy=True),
        Province("Z", "Zed", "Z", Terrain.SEA, convoy=True),
        Province("P", "Port", "P", port, centre=True),
    )
    pairs = [("X", "Y", {"Blue"}), ("Y", "Z", set()), ("X", "P", set()), ("Z", "P", set())]
    edges = tuple(
        Edge("fleet", Location(a), Location(b), only=frozenset(only))
        for c, d, only in pairs
        for a, b in ((c, d), (d, c))
    )
    board = Board("ring", provinces, edges, closures)
    return Rules(extend(board, implied_mechanics(board)), ("Blue", "Red"), mechanics=implied_mechanics(board))


def test_closed_waters() -> None:
    """Steps kept for some powers, and waters closed to some, are shut for the others, in moving and in retreat."""
    for closures in ((), (Closure("Y", powers=frozenset({"Blue", "Red"})),)):
        rules = _ring(closures)
        done = adjudicate(rules, M, Position(units_from({"Red": ["F X"]})), {"Red": ["F X - Y"]})
        assert [r.cause for r in done.rulings] == [Cause.CLOSED]
    blue = adjudicate(_ring(), M, Position(units_from({"Blue": ["F X"]})), {"Blue": ["F X - Y"]})
    assert standing(blue) == {"F Y"}
    units = Position(units_from({"Red": ["F X"], "Blue": ["F P", "F Y"]}))
    beaten = adjudicate(_ring(), M, units, {"Blue": ["F P - X", "F Y S F P - X"]}).position.dislodged
    assert [list(map(str, d.retreats)) for d in beaten] == [[]]
    alone = adjudicate(_ring(), M, units, {"Blue": ["F Y - X", "F P S F Y - X"]}).position.dislodged
    assert [list(map(str, d.retreats)) for d in alone] == [[]]


def test_several_units_in_a_province() -> None:
    """Where units lie together an order means the power's own, and the one of the letter named."""
    rules = _ring(port=Terrain.BOX)
    position = Position(units_from({"Red": ["F P"], "Blue": ["A P", "F P"]}))
    done = adjudicate(rules, M, position, {"Blue": ["F P - X"], "Red": ["F P - Z"]})
    assert [f"{u.power} {u}" for u in done.position.units] == ["Red F Z", "Blue A P", "Blue F X"]
    position = Position(units_from({"Red": ["F P", "F Z"], "Blue": ["A P", "F X"]}))
    done = adjudicate(rules, M, position, {"Red": ["F Z S F P - X", "F P - X"], "Blue": ["F X C A P - Z"]})
    assert results(done)["F Z S F P - X"] == "void: out_of_reach"
    done = adjudicate(rules, M, position, {"Blue": ["F X S A P"], "Red": ["F Z S F P"]})
    assert set(results(done).values()) == {"void: needless"}  # nobody is opposed there


def test_a_fleet_in_a_closed_sea_is_farthest() -> None:
    """STD-10.g of 1971: a fleet that can sail to no home centre is removed before one that can."""
    provinces = (
        Province("LAKE", "Lake", "Lake", Terrain.SEA, convoy=True),
        Province("BAY", "Bay", "Bay", Terrain.SEA, convoy=True),
        Province("HOME", "Home", "Home", Terrain.COAST, centre=True),
    )
    edges = tuple(Edge("fleet", Location(a), Location(b)) for a, b in (("BAY", "HOME"), ("HOME", "BAY")))
    book = Rulebook(default_removal="nearest_home_centre")
    rules = Rules(Board("lake", provinces, edges), ("Red",), {"Red": ("HOME",)}, rulebook=book)
    position = Position(units_from({"Red": ["F BAY", "F LAKE"]}), {"HOME": "Red"})
    assert standing(adjudicate(rules, A, position, {})) == {"F BAY"}


def test_a_text_is_worked_out_once_for_a_stance() -> None:
    """The clerk gives the same draft again for the same text and stance, and another one for another stance."""
    clerk = Rules.of(find_variant("standard")).derive(OrderReader)
    army, fleet = (clerk.placements[kind][Location("BRE")] for kind in "AF")
    reading = clerk.read("A Bre - Par", M)
    draft = clerk.resolve(reading, army)
    assert clerk.resolve(reading, army) is draft
    assert clerk.resolve(reading, fleet) is not draft


@pytest.mark.parametrize("kind", PhaseKind)
@pytest.mark.parametrize("verb", Verb)
def test_an_order_that_says_too_little_is_ruled_void(judge: Judge, kind: PhaseKind, verb: Verb) -> None:
    """An `Order` without the places its verb needs becomes a ruling, as an unreadable text does."""
    order = Order(verb)
    done = judge({"France": ["A PAR"]}, {"France": [order]}, kind=kind)
    (ruling,) = (r for r in done.rulings if r.given)
    assert order.complete is (verb is Verb.WAIVE)
    assert ruling.result is Result.VOID
    assert (ruling.cause is Cause.UNREADABLE) is (verb is not Verb.WAIVE)


def test_rulings_are_compared_by_what_they_say() -> None:
    """With the words of another variant a ruling is the same, and what is printed of it is short."""
    rules = Rules.of(find_variant("standard"))
    position = Position(units_from({"France": ["A PAR", "A MAR"]}))
    one, other = adjudicate(rules, PhaseKind.MOVEMENT, position, {"France": ["A PAR - BUR"]}).rulings
    bare = one._replace(board=None, clauses=Clauses())
    assert bare == one
    assert hash(bare) == hash(one)
    assert [one != ruling for ruling in (bare, other)] == [False, True]
    assert one != tuple(one)
    assert repr(one).startswith("Ruling(power='France', unit=")
    assert "clauses" not in repr(one)
