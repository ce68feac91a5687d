"""The mechanics of Winter one by one: what is fed, what units cost, where is built, who goes, what is offered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from gamesmaster.board import Dislodged, Location, Position, Unit
from gamesmaster.errors import BadFile
from gamesmaster.judge import LegalOrders, adjudicate, balance, build_sites, due, idle, order_tree
from gamesmaster.judge.supply import without_units
from gamesmaster.mechanics import (
    BuildKinds,
    DesignatedHomes,
    FreeUnits,
    OffBoardSupply,
    RemovalOrder,
    SpecialSites,
    make_mechanic,
)
from gamesmaster.mechanics.army_fleet import ArmyFleet
from gamesmaster.mechanics.army_fleet.values import PairCause
from gamesmaster.mechanics.homes import HomeCause, HomeVerb
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.rules import (
    AnyCause,
    BoardMechanic,
    BuildSites,
    Cause,
    Result,
    Rulebook,
    Rules,
    Season,
    WinterMechanic,
)
from gamesmaster.variant import find_variant

from .winters import EUROPEANS, MECHANICS, PAIRS, place, rules, rules_with, shown

A = PhaseKind.ADJUSTMENTS
WINTER = Season("Winter", 1590, 0, A)


def causes(game: Rules, position: Position, power: str, *orders: str) -> list[AnyCause]:
    """What a power's orders come to in a Winter."""
    done = adjudicate(game, A, position, {power: orders})
    return [r.cause for r in done.rulings if r.given]


def offered(game: Rules, position: Position, power: str) -> list[str]:
    """The lawful orders of a Winter."""
    return [game.notation.write(order) for order in LegalOrders(game, position).of_winter(power)]


# -- free units ------------------------------------------------------------------------------------------------------

SCO = rules("scottomacy")
FULL = ["A 89", "A 90", "A/F ff", "A/F f", "A/F i", "A/F z"]


def test_free_units_cost_nothing() -> None:
    """Six armies and four fleets, of which four each are free, need two centres; the forms do not matter (SCO-5.b)."""
    position = place(SCO, {"England": [*FULL[:5], "A/BB o", "F z"]}, {"England": ["89", "90", "84"]})
    assert balance(SCO, position)["England"] == 1
    assert FreeUnits("England", {"A": 4}).upkeep(SCO, position, "Keith", position.units, 7) == 7


def test_a_power_at_its_limit_builds_what_is_free() -> None:
    """With all centres used by armies a fleet may still be built, if fewer than four are there; an army may not."""
    position = place(SCO, {"England": ["A 75", "A 74", "A 87", "A 88", "A 84", "A 68"]}, {"England": ["89", "90"]})
    assert balance(SCO, position)["England"] == 0
    assert not idle(SCO, A, position)
    assert due(SCO, position)["England"] == 2
    assert offered(SCO, position, "England") == ["Build F e", "Build F gg", "Waive"]
    assert causes(SCO, position, "England", "Build A 89", "Build F e", "Waive", "Build F gg") == [
        Cause.NO_BUILDS, Cause.BUILT, Cause.WAIVED, Cause.BUILT,
    ]  # fmt: skip


def test_a_power_that_is_eliminated_builds_nothing() -> None:
    """Without a centre, a unit or other supply it builds no free units; with one unit it does (STD-2.c)."""
    position = place(SCO, {}, {})
    assert idle(SCO, A, position)
    assert due(SCO, position)["England"] == 0
    assert offered(SCO, position, "England") == []
    assert causes(SCO, position, "England", "Build F e", "Waive") == [Cause.NOT_A_SITE, Cause.NO_BUILDS]
    beaten = replace(position, dislodged=(Dislodged(Unit(1, "F", "England", Location("f")), "g"),))
    for alive in (place(SCO, {"England": ["F f"]}, {}), beaten):
        assert offered(SCO, alive, "England") == ["Build F e", "Build F gg", "Waive"]


def test_whoever_must_remove_may_still_build_what_is_free() -> None:
    """An army too many is removed, and a free fleet is built in the same Winter (SCO-5.b)."""
    units = ["A 75", "A 74", "A 87", "A 88", "A 84", "A 68"]
    position = place(SCO, {"England": units}, {"England": ["90"]})
    assert due(SCO, position)["England"] == -1
    assert offered(SCO, position, "England")[-2:] == ["Build F e", "Build F gg"]
    done = adjudicate(SCO, A, position, {"England": ["Build F e", "Build A 90"]})
    assert [r.cause for r in done.rulings] == [Cause.BUILT, Cause.NO_BUILDS, Cause.REMOVED]
    assert len(done.position.units) == 6
    position = place(SCO, {"Keith": ["A 3", "A 1"]}, {"Keith": ["3"]})
    assert causes(SCO, position, "Keith", "Build A 19", "Waive") == [Cause.NO_BUILDS] * 2


def test_nothing_is_removed_that_costs_nothing() -> None:
    """Among four fleets none is offered for removal, nor an army of four; nobody at a loss loses one (SCO-5.d)."""
    units = ["A 75", "A 74", "A 88", "A 87", "A 90", "F e", "F f"]
    position = place(SCO, {"England": units}, {"England": []})
    assert offered(SCO, position, "England") == [f"Remove A {p}" for p in ("75", "74", "88", "87", "90")] + [
        "Build F gg"
    ]
    assert causes(SCO, position, "England", "Remove F e", "Remove A 74") == [Cause.COSTS_NOTHING, Cause.REMOVED]
    done = adjudicate(SCO, A, position, {})
    assert len(done.position.of("England")) == 6
    assert {"F e", "F f"} <= set(shown(done.position)["England"])


def test_a_loaded_fleet_goes_whole_when_nothing_else_will_do() -> None:
    """Five fleets, all loaded or not, and four armies: the empty one; if all are loaded, a pair (SCO-1.e)."""
    some = place(SCO, {"England": ["A/F e", "A/F f", "A/F g", "A/F i", "F gg"]}, {})
    assert shown(adjudicate(SCO, A, some, {}).position)["England"] == ["A/F e", "A/F f", "A/F g", "A/F i"]
    free = FreeUnits("England", {"A": 9, "F": 2})
    game = rules_with("scottomacy", [*MECHANICS["scottomacy"][:4], free, RemovalOrder()])
    every = place(game, {"England": ["A/F e", "A/F f", "A/F ff"]}, {})
    done = adjudicate(game, A, every, {})
    assert shown(done.position)["England"] == ["A/F e", "A/F ff"]
    (ruling,) = done.rulings
    assert game.notation.write(ruling.order or Order(Verb.WAIVE)) == "Remove A/F f"
    assert offered(game, every, "England")[0] == "Remove A/F e"


def test_free_units_may_be_for_good() -> None:
    """If they are not replaced, the number that is free falls with the losses at each count, and never rises."""
    mechanic = FreeUnits("England", {"A": 2, "F": 1}, replaced=False)
    game = rules_with("scottomacy", [MECHANICS["scottomacy"][1], mechanic])
    start = place(game, {"England": ["A 75", "A/F e"]}, {})
    full, _ = mechanic.after_count(game, start)
    assert full.state == {}
    lost, said = mechanic.after_count(game, place(game, {"England": ["A 75"]}, {}))
    assert lost.state["free-units"] == {"A": 1, "F": 0}
    assert said == ()
    again = replace(start, state=lost.state)
    assert mechanic.upkeep(game, again, "England", again.units, 3) == 2
    kept = replace(FreeUnits("England", {"A": 2}), replaced=True)
    assert kept.after_count(game, lost) == (lost, ())


# -- pairs -----------------------------------------------------------------------------------------------------------


def test_the_halves_of_a_pair() -> None:
    """Without its army a loaded fleet is a fleet; without its fleet the army stands where it was (CNW-6.a4)."""
    game = rules("conquest2")
    fleet, army, other = place(game, {"Spain": ["A/F ATL", "F ATL"]}, {}).units
    assert without_units(game.board, (fleet, army, other), {army.number}) == (replace(fleet, kind="F"), other)
    assert without_units(game.board, (fleet, army, other), {fleet.number}) == (replace(army, aboard=0), other)


def test_a_pair_is_parted_only_so_far() -> None:
    """The whole pair needs so many removals; the fleet goes from under its army nowhere, or only in a box (AFM-8.a)."""
    game = rules("conquest2")
    fleet, army = place(game, {"Spain": ["A/F ATL"]}, {}).units

    def fault(settings: dict[str, Any], *units: Unit) -> object:
        return ArmyFleet(**settings).removal_fault(game, Position(units), units, 1, None)

    assert fault({}, fleet, army) is Cause.NO_REMOVALS
    assert fault({"remove_whole_needs": 1}, fleet, army) is None
    assert fault({}, army) is None
    assert fault({"remove_fleet_alone": "box"}, fleet) is None
    assert fault({}, fleet) is PairCause.LADEN
    assert fault({"remove_fleet_alone": "box"}, replace(fleet, at=Location("BRS"))) is PairCause.LADEN


@pytest.mark.parametrize(
    ("units", "order", "cause", "after"),
    [
        ("A/F ATL", "Remove F from A/F ATL", Cause.REMOVED, ["A ATL"]),
        ("A/F ATL", "Remove F ATL", PairCause.LADEN, ["F ATL"]),
        ("A/F ATL", "Remove A ATL", Cause.REMOVED, ["F ATL"]),
        ("A/F ATL", "Remove A/F ATL", Cause.NO_REMOVALS, ["F ATL"]),
        ("A/F BRS", "Remove F from A/F BRS", PairCause.LADEN, ["F BRS"]),
        ("A/F BRS", "Remove A from A/F BRS", Cause.REMOVED, ["F BRS"]),
        ("A/F BRS", "Remove BRS", Cause.NO_REMOVALS, ["F BRS"]),
        ("A/F ATL, A ATL", "Remove A ATL", Cause.REMOVED, ["A/F ATL"]),
        ("A/F ATL, A ATL", "Remove A from A/F ATL", Cause.REMOVED, ["A ATL", "F ATL"]),
        ("A/F ATL, F ATL", "Remove F ATL", Cause.REMOVED, ["A/F ATL"]),
        ("F ATL, A ATL", "Remove A/F ATL", Cause.WRONG_KIND, ["A ATL"]),
        ("F BRS, A ATL", "Remove A from A/F BRS", Cause.WRONG_KIND, ["A ATL"]),
    ],
)
def test_what_a_removal_means(units: str, order: str, cause: Cause, after: list[str]) -> None:
    """In the box units of one kind are the same; no order for a fleet takes that of a pair (CNW-5.a, CNW-6.a4)."""
    standing = units.split(", ")
    fed = len(standing) + units.count("/") - 1  # one is owed
    supply = OffBoardSupply("ATL", EUROPEANS, (fed,), needs_centre=False)
    game = rules_with("conquest2", [MECHANICS["conquest2"][0], supply, MECHANICS["conquest2"][4]])
    done = adjudicate(game, A, place(game, {"Spain": standing}, {}), {"Spain": [order]})
    assert done.rulings[0].cause is cause
    assert shown(done.position)["Spain"] == after


@pytest.mark.parametrize(
    ("orders", "left"),
    [
        (("Remove A/F ATL", "Remove A from A/F ATL"), ["F ATL"]),
        (("Remove A from A/F ATL", "Remove A/F ATL"), ["F ATL"]),
        (("Remove A from A/F ATL", "Remove F from A/F ATL", "Remove A from A/F ATL"), ["F ATL"]),
    ],
)
@pytest.mark.parametrize("excess", ["a", "b", "c"])
def test_two_pairs_in_a_box_are_told_apart(orders: tuple[str, ...], left: list[str], excess: str) -> None:
    """Of two that are alike an order means the one of which no other order takes a half (CNW-5.a)."""
    supply = OffBoardSupply("ATL", EUROPEANS, (1,), needs_centre=False)
    game = rules_with("conquest2", [MECHANICS["conquest2"][0], supply, MECHANICS["conquest2"][4]])
    game = replace(game, rulebook=Rulebook.of({"4.D.6": excess}))
    done = adjudicate(game, A, place(game, {"Spain": ["A/F ATL", "A/F ATL"]}, {}), {"Spain": orders})
    assert [ruling.cause for ruling in done.rulings if ruling.given] == [Cause.REMOVED] * len(orders)
    assert shown(done.position)["Spain"] == left


def test_two_for_a_pair_and_each_half_once() -> None:
    """Two are owed: the pair goes by one order, or half by half; what is gone cannot go again."""
    one = rules_with("conquest2", [MECHANICS["conquest2"][0], MECHANICS["conquest2"][4]])
    later = place(one, {"Spain": ["A/F BRS", "A CUB"]}, {"Spain": ["CTG"]})
    assert balance(one, later)["Spain"] == -2
    assert causes(one, later, "Spain", "Remove A/F BRS", "Remove A CUB") == [Cause.REMOVED, Cause.NO_REMOVALS]
    assert causes(one, later, "Spain", "Remove A from A/F BRS", "Remove A/F BRS", "Remove A CUB") == [
        Cause.REMOVED, Cause.SECOND, Cause.REMOVED,
    ]  # fmt: skip
    assert causes(one, later, "Spain", "Remove A/F BRS", "Remove A/F BRS") == [Cause.REMOVED, Cause.SECOND]
    assert offered(one, later, "Spain") == ["Remove A/F BRS", "Remove A from A/F BRS", "Remove A CUB"]
    texts = [str(leaf) for leaf in order_tree(one.notation, LegalOrders(one, later).of_winter("Spain"))["remove"]]
    assert texts == ["A/F BRS", "A from A/F BRS", "A CUB"]
    last = replace(one, rulebook=Rulebook.of({"4.D.6": "c"}))
    assert causes(last, later, "Spain", "Remove A/F BRS", "Remove A CUB") == [Cause.NO_REMOVALS, Cause.REMOVED]
    chosen = replace(one, rulebook=Rulebook.of({"4.D.6": "a"}))
    given = ["Remove A/F BRS", "Remove A CUB", "Remove A CUB"]
    assert causes(chosen, later, "Spain", *given) == [Cause.NO_REMOVALS, Cause.REMOVED, Cause.SECOND]


# -- supply from over the sea ----------------------------------------------------------------------------------------

CNW = rules("conquest2")


def winter(number: int, **deferred: int) -> dict[str, object]:
    """The state at the beginning of a Winter, the first being 0."""
    return {
        "off-board-supply": {"winters": number, "deferred": deferred},
        "designated-homes": {"winters": number, "homes": {}},
    }


@pytest.mark.parametrize(
    ("number", "without_centre", "with_one"), [(0, 3, 4), (1, 2, 3), (2, 0, 2), (3, 0, 2), (50, 0, 2)]
)
def test_supply_by_winter(number: int, without_centre: int, with_one: int) -> None:
    """Three, two, one and then one for ever; the last only for those that own a centre (CNW-8.b1, CNW-8.b2)."""
    poor, rich = (place(CNW, {}, {"Spain": owned}, winter(number)) for owned in ([], ["CUB"]))
    assert balance(CNW, poor)["Spain"] == without_centre
    assert balance(CNW, rich)["Spain"] == with_one
    assert balance(CNW, rich)["Indians"] == 0


def test_the_box_is_never_full() -> None:
    """As many are built in the Atlantic as the cap allows, whoever lies there, pairs too (CNW-4.a, CNW-8.b3)."""
    units = {"Spain": ["A/F ATL"], "France": ["F ATL", "F ATL"]}
    position = place(CNW, units, {"Spain": ["CUB", "JAM", "MEX", "PER"]}, winter(1, Spain=1))
    assert due(CNW, position)["Spain"] == 3
    assert offered(CNW, position, "Spain") == ["Build A ATL", "Build F ATL", "Waive"]
    many = ["Build F ATL"] * 5
    assert causes(CNW, position, "Spain", *many) == [Cause.BUILT] * 3 + [Cause.NO_BUILDS] * 2
    last = replace(CNW, rulebook=Rulebook.of({"4.D.4": "c"}))
    assert causes(last, position, "Spain", *many) == [Cause.NO_BUILDS] * 2 + [Cause.BUILT] * 3
    none = replace(CNW, rulebook=Rulebook.of({"4.D.4": "a"}))
    assert causes(none, position, "Spain", *many) == [Cause.NO_BUILDS] * 5


def test_a_skipped_winter_counts() -> None:
    """The Winters go by though nobody adjusts, and builds not made are deferred (CNW-8.b4)."""
    start = place(CNW, {"Spain": ["F CAR"]}, {"Spain": ["CUB", "JAM"]}, winter(0))
    supply = OffBoardSupply("ATL", EUROPEANS, (3, 2, 1))
    after = supply.after_winter(CNW, start, start)
    told = after.state["off-board-supply"]
    assert told == {"winters": 1, "deferred": dict.fromkeys(EUROPEANS, 3)}
    assert supply.start(CNW, Position()).state["off-board-supply"] == {"winters": 0, "deferred": {}}


# -- homes that are named --------------------------------------------------------------------------------------------


def test_who_may_name_a_home_is_asked() -> None:
    """The Winter is played for it, the places are offered, and once it is done nobody is asked again (CNW-8A)."""
    mechanic = CNW.mechanics[2]
    assert isinstance(mechanic, DesignatedHomes)
    position = place(CNW, {}, {"Spain": ["CUB", "JAM"], "Indians": ["MEX", "PER", "TEX"]}, winter(0))
    assert mechanic.orders_due(CNW, WINTER, position) == {"Spain": 1}
    assert mechanic.orders_due(CNW, WINTER._replace(kind=PhaseKind.RETREATS), position) == {}
    assert list(mechanic.extra_orders(CNW, WINTER._replace(kind=PhaseKind.MOVEMENT), position, "Spain")) == []
    (order,) = mechanic.extra_orders(CNW, WINTER, position, "Spain")
    assert CNW.notation.write(order) == "Designate CUB"
    done = adjudicate(CNW, A, position, {"Spain": [order, "Designate CTG"], "Indians": ["Designate TEX"]})
    assert [r.cause for r in done.rulings] == [HomeCause.DESIGNATED, HomeCause.NO_HOME_DUE, HomeCause.NO_HOME_DUE]
    assert [r.result for r in done.rulings] == [Result.SUCCEEDS, Result.VOID, Result.VOID]
    assert done.rulings[0].text == "is named a home centre"
    assert mechanic.orders_due(CNW, WINTER, done.position) == {}
    lost = replace(done.position, owners={"TEX": "Indians", "CUB": "Indians", "CTG": "Indians"})
    assert [str(o.at) for o in mechanic.extra_orders(CNW, WINTER, lost, "Indians")] == ["CTG", "TEX"]


def test_one_replacement_for_each_home_lost() -> None:
    """The Indians name no more than are lost at the moment, those lost again among them (CNW-I.b)."""
    owned = {"Indians": ["TEX", "LOU", "OHI"], "Spain": ["MEX", "PER"]}
    position = place(CNW, {}, owned, winter(0))
    orders = ["Designate TEX", "Designate TEX", "Designate LOU", "Designate OHI"]
    assert causes(CNW, position, "Indians", *orders) == [
        HomeCause.DESIGNATED, HomeCause.NOT_A_HOME, HomeCause.DESIGNATED, HomeCause.NO_HOME_DUE,
    ]  # fmt: skip
    done = adjudicate(CNW, A, position, {"Indians": orders}).position
    back = replace(done, owners={**done.owners, "MEX": "Indians"})
    assert causes(CNW, back, "Indians", "Designate OHI") == [HomeCause.NO_HOME_DUE]
    assert build_sites(CNW, back, "Indians") == {"MEX": {"A"}, "TEX": {"A"}, "LOU": {"A"}}
    played = Rules.of(find_variant("conquest2[players=5,indians=sixth]"))
    assert build_sites(played, back, "Indians") == {"MEX": {"A"}, "TEX": {"A"}, "LOU": {"A"}}


def test_nobody_else_names_homes() -> None:
    """Powers that are not told have none to name; a game without homes to name knows no such order."""
    game = rules_with("conquest2", [DesignatedHomes({"Spain": ("CUB",)})])
    position = place(game, {}, {"France": ["QUE"], "Spain": ["CUB"]})
    assert causes(game, position, "France", "Designate QUE") == [HomeCause.NOT_A_HOME]
    assert causes(rules("1000ad"), Position(), "Moors", "Designate Tol") == [Cause.UNREADABLE]
    orders = {"Spain": [Order(HomeVerb.DESIGNATE, "", Location("CUB"))]}
    mechanic = game.mechanics[0]
    assert isinstance(mechanic, DesignatedHomes)
    done = mechanic.carry_out(game, PhaseKind.RETREATS, position, orders)
    assert done.verdicts["Spain", 0].cause is Cause.OTHER_PHASE


def test_homes_that_could_never_be() -> None:
    """A place that is no centre, a power of both sorts and numbers out of range are refused."""
    with pytest.raises(BadFile, match="'ATL' is not a supply centre"):
        DesignatedHomes({"Spain": ("ATL",)}).start(CNW, Position())
    told = {"name": "designated-homes", "pairs": {"Spain": ["CUB"]}, "replacing": ["Spain"]}
    with pytest.raises(BadFile, match="Spain is in pairs and in replacing"):
        make_mechanic(told, "mechanics[0]")
    with pytest.raises(BadFile, match="no province 'ATK'"):
        RemovalOrder(places={"Spain": ("ATK",)}).start(CNW, Position())
    with pytest.raises(BadFile, match="nobody builds 'A/F'"):
        BuildKinds({"Spain": ("A", "A/F")}).start(CNW, Position())
    assert [start(CNW, Position()).units for start in CNW.hooks(BoardMechanic.start)]
    assert not any(start(CNW, Position()).units for start in CNW.hooks(BoardMechanic.start))
    with pytest.raises(BadFile, match="0 to 1000 Winters"):
        make_mechanic({"name": "designated-homes", "opens": -1}, "mechanics[0]")
    with pytest.raises(BadFile, match="each 0 to 1000"):
        make_mechanic({"name": "off-board-supply", "place": "ATL", "powers": [], "schedule": []}, "mechanics[0]")
    with pytest.raises(BadFile, match="from 0 to 1000 units"):
        make_mechanic({"name": "free-units", "power": "England", "free": {"A": -4}}, "mechanics[0]")


def test_as_the_files_tell_them() -> None:
    """Each table of the manual makes the mechanic that it should."""
    made = make_mechanic({"name": "designated-homes", "pairs": {"Spain": ["CUB", "CTG"]}, "opens": 3}, "x")
    assert made == DesignatedHomes({"Spain": ("CUB", "CTG")}, opens=3)
    assert make_mechanic({"name": "build-kinds", "powers": {"Spain": ["A"]}}, "x") == BuildKinds({"Spain": ("A",)})
    told = {"name": "removal-order", "measure": "moves", "ties": "kind", "places": {"Spain": ["ATL"]}}
    assert make_mechanic(told, "x") == RemovalOrder("moves", "kind", {"Spain": ("ATL",)})
    assert set(PAIRS) == set(EUROPEANS)


# -- who goes, where is built ----------------------------------------------------------------------------------------


def test_ties_by_the_board() -> None:
    """Of units equally far those at sea go first, in the order of the seas, then the lowest number (SCO-1.e)."""
    game = rules("scottomacy")
    units = {"Keith": ["A 3", "A 19", "A/BB y", "A/BB v", "A/BB x", "A 2", "A 4"]}
    (mechanic,) = (m for m in game.mechanics if isinstance(m, RemovalOrder))
    order = mechanic.removal_order(game, place(game, units, {}), "Keith")
    assert [str(u) for u in order] == ["A/BB x", "A 4", "A/BB v", "A/BB y", "A 2", "A 3", "A 19"]


def test_ties_by_the_kind() -> None:
    """Fleets, loaded fleets and armies, and then by the full name; those that cannot come home are farthest (CNW-0)."""
    (mechanic,) = (m for m in CNW.mechanics if isinstance(m, RemovalOrder))
    units = {"Spain": ["A/F BRS", "F VIS", "F GRB", "A BRA", "F MEX/WC", "A ATL"]}
    order = mechanic.removal_order(CNW, place(CNW, units, {}), "Spain")
    assert [(u.kind, u.at.province) for u in order] == [
        ("F", "MEX"), ("A", "BRA"), ("F", "GRB"), ("F", "VIS"), ("A/F", "BRS"), ("A", "BRS"), ("A", "ATL"),
    ]  # fmt: skip


def test_a_sea_needs_no_owner() -> None:
    """Fleets are built in a sea that is told, if no unit is there, an army afloat included (SCO-4.b)."""
    owners = {"England": ["89"]}
    assert build_sites(SCO, place(SCO, {}, owners), "England") == {"89": {"A"}, "e": {"F"}, "gg": {"F"}}
    assert set(build_sites(SCO, place(SCO, {"Keith": ["A/BB e"]}, owners), "England")) == {"89", "gg"}
    anywhere = SpecialSites("England", {"e": ()})
    assert anywhere.sites(SCO, Position(), "England", {}) == {"e": {"A", "F"}}


def test_a_site_is_open_to_every_power() -> None:
    """Without a power, anybody who owns the centre may build there."""
    site = SpecialSites(places={"89": ("A",)})
    for power in ("England", "Keith"):
        owned = place(SCO, {}, {power: ["89"]})
        assert site.sites(SCO, owned, power, {}) == {"89": {"A"}}
        assert site.sites(SCO, owned, "Ross", {}) == {}


def test_kinds_are_limited_for_those_told() -> None:
    """Only those of the list, and places where none of them may be built are left out."""
    limit = BuildKinds({"Keith": ("A",)})
    regular = {"3": frozenset("AF"), "e": frozenset("F")}
    assert limit.sites(SCO, Position(), "Keith", regular) == {"3": {"A"}}
    assert limit.sites(SCO, Position(), "England", regular) is regular


def test_army_aboard_goes_first_and_is_told_so() -> None:
    """The removal that nobody ordered reads `Remove A from A/F` (AFM-8.b)."""
    game = rules_with("1000ad", [ArmyFleet()])
    position = place(game, {"British": ["A/F MAO", "A Mca"]}, {"British": ["Yor", "Abe"]})
    (ruling,) = adjudicate(game, A, position, {}).rulings
    assert game.notation.write(ruling.order or Order(Verb.WAIVE)) == "Remove A from A/F MAO"


@dataclass(frozen=True)
class Famine(WinterMechanic):
    """Nothing can be fed, not even what costs nothing; who goes first is left to the rulebook."""

    id: ClassVar[str] = "famine"

    def supply(self, rules: Rules, position: Position, power: str, regular: int) -> int:
        """Less than nothing."""
        return -1

    def removal_order(self, rules: Rules, position: Position, power: str) -> None:
        """As the rulebook has it."""


def test_what_cannot_be_fed_nor_removed_stays() -> None:
    """Removals end when none of the units that are left costs anything; then the balance stays below nothing."""
    game = rules_with("scottomacy", [FreeUnits("England", {"A": 1}), Famine()])
    position = place(game, {"England": ["A 75", "A 90"]}, {})
    done = adjudicate(game, A, position, {"England": ["Remove A 90", "Remove A 75"]})
    assert [r.cause for r in done.rulings] == [Cause.REMOVED, Cause.COSTS_NOTHING]
    assert shown(adjudicate(game, A, position, {}).position)["England"] == ["A 75"]
    assert balance(game, done.position)["England"] == -1


def test_any_centre_of_ones_own() -> None:
    """Where every owned centre is a site, conquests are too, but none with a unit in it."""
    game = replace(SCO, build_sites=BuildSites.ANY_OWNED)
    position = place(game, {"Keith": ["A 1"]}, {"Keith": ["1", "6", "68"]})
    assert set(build_sites(game, position, "Keith")) == {"6", "68"}
    assert causes(game, position, "Keith", "Build A 6", "Build A 68", "Build A 1") == [
        Cause.BUILT, Cause.BUILT, Cause.OCCUPIED,
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["indianomacy", "indianomacy2"])
def test_a_build_without_a_letter_means_the_only_kind(name: str) -> None:
    """Where every unit is a warrior, a build that names none builds one: inland and on the coast (4.C.3)."""
    game = Rules.of(find_variant(name))
    (power, homes), *_ = game.homes.items()
    position = Position((), dict.fromkeys(homes, power))
    abbreviations = [game.board.province(home).abbr for home in sorted(homes)]
    orders = [f"Build {abbr}" for abbr in abbreviations]
    done = adjudicate(game, A, position, {power: orders})
    assert [r.cause for r in done.rulings] == [Cause.BUILT] * len(orders)
    assert {unit.kind for unit in done.position.units} == {"W"}


def test_a_build_without_a_letter_on_a_coast_means_nothing() -> None:
    """An army or a fleet could be built on a coast, so that the letter is needed there, and inland it is not."""
    game = Rules.of(find_variant("standard"))
    position = Position((), {"BRE": "France", "PAR": "France"})
    assert causes(game, position, "France", "Build Bre", "Build Par") == [Cause.WRONG_KIND, Cause.BUILT]
