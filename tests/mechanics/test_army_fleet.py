"""Armies aboard fleets: what the board gains, what may be ordered, and what befalls those aboard."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from gamesmaster.board import Dislodged, Location, Position, Terrain, Unit, units_from
from gamesmaster.errors import BadFile
from gamesmaster.judge import adjudicate, legal_orders
from gamesmaster.mechanics import make_mechanic
from gamesmaster.mechanics.army_fleet import ArmyFleet
from gamesmaster.mechanics.army_fleet.values import PairVerb
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.rules import Rules
from gamesmaster.variant import Variant, find_variant, read_variant
from gamesmaster.variant.sources import shelf
from tests.scuffles import fight, scuffle

MODULE = find_variant("1000ad[af_module=yes]")
SCOTS = find_variant("scottomacy")
WORLD = find_variant("conquest2")


def position(variant: Variant, units: dict[str, list[str]], **more: Any) -> Position:
    """Units on a variant's board, those aboard too."""
    return Position(units_from(units, forms=variant.board.forms), **more)


def offered(variant: Variant, units: dict[str, list[str]], number: int = 1) -> set[str]:
    """The texts of the lawful orders of one unit."""
    rules = Rules.of(variant)
    stands = position(variant, units)
    unit = next(u for u in stands if u.number == number)
    return {rules.notation.write(order) for order in legal_orders(rules, stands, unit)}


# -- the board -------------------------------------------------------------------------------------------------------


def test_a_loaded_fleet_keeps_to_the_terrain_it_is_given() -> None:
    """Loaded fleets enter the terrains listed and nothing else (AFM-1.c, CNW-6.a2)."""
    for variant, terrains in ((MODULE, {Terrain.SEA}), (WORLD, {Terrain.SEA, Terrain.ISLANDS, Terrain.BOX})):
        board = variant.board
        reached = {
            board.provinces[place].terrain for at in range(len(board.locations)) for place in board.reach("A/F", at)
        }
        assert reached == terrains


def test_armies_land_on_shores_by_whatever_coast() -> None:
    """From a sea every shore beside it can be landed on, split coasts or not; in Scottomacy no islands space is."""
    board = SCOTS.board
    here = board.location_index[Location("o")]
    landed = {board.provinces[place].id for place in board.steps_by("landing", here)}
    beside = {board.provinces[p].id for p in board.reach("F", here) if board.provinces[p].terrain is Terrain.COAST}
    assert landed == beside != set()


def test_no_convoy_where_there_is_none() -> None:
    """Without convoys no water carries; with ferries only no chain of waters does (SCO-1.a, AFM-2.b)."""
    assert not any(SCOTS.board.carries)
    seas = [i for i, p in enumerate(MODULE.board.provinces) if p.terrain is Terrain.SEA]
    assert all(MODULE.board.waters[sea] == frozenset() for sea in seas)


@pytest.mark.parametrize(
    ("told", "what"),
    [
        ({"max_seasons_aboard": -1}, "0 to 100"),
        ({"remove_whole_needs": 3}, "1 or 2"),
        ({"loaded_enters": ["coast"]}, "loaded_enters"),
        ({"loaded_enters": []}, "loaded_enters"),
        ({"board_order": "navy"}, "army"),
        ({"board_odrer": "army"}, "board_order"),
    ],
)
def test_settings_out_of_range(told: dict[str, object], what: str) -> None:
    """A setting that cannot be is refused, with what can."""
    with pytest.raises(BadFile, match=what):
        make_mechanic({"name": "army-fleet", **told}, "variant.toml: mechanics[0]")


# -- lawful orders ---------------------------------------------------------------------------------------------------


def test_what_an_army_and_its_fleet_may_be_ordered() -> None:
    """The army's order boards, in Davis's module; both must be ordered among the English (AFM-3.a, SCO-8.b)."""
    british = {"British": ["A Lon", "F SNS"]}
    assert "A Lon boards SNS" in offered(MODULE, british)
    assert not any("takes" in text for text in offered(MODULE, british, 2))
    english = {"England": ["A 90", "F gg"]}
    assert any("boards" in text for text in offered(SCOTS, english))
    assert any("takes" in text for text in offered(SCOTS, english, 2))
    assert not any("boards" in text for text in offered(SCOTS, {"Campbell": ["A 90"], "England": ["F gg"]}))


TAKEN_BY_FLEET = read_variant(shelf() / "scottomacy", parameters={"army-fleet": {"board_order": "fleet"}})


@pytest.mark.parametrize(
    ("orders", "results", "left"),
    [
        (["F gg takes A 90"], {"F gg takes A 90": "takes it aboard"}, {"A/F gg"}),
        (["A 90 boards gg", "F gg takes A 90"], {"A 90 boards gg": "goes aboard"}, {"A/F gg"}),
        (["F gg takes A 90", "A 90 H"], {"A 90 H": "goes aboard"}, {"A/F gg"}),
        (
            ["A 90 boards gg"],
            {"A 90 boards gg": "is not matched by an order of the fleet to take it aboard"},
            {"A 90", "F gg"},
        ),
        (
            ["F gg takes A 90", "A 90 - 89"],
            dict.fromkeys(["F gg takes A 90", "A 90 - 89"], "contradicted"),
            {"A 90", "F gg"},
        ),
        (
            ["F gg takes A 90", "F gg - ff"],
            dict.fromkeys(["F gg takes A 90", "F gg - ff"], "contradicted"),
            {"A 90", "F gg"},
        ),
    ],
)
def test_a_fleet_s_order_alone_takes_an_army_aboard(orders: list[str], results: dict[str, str], left: set[str]) -> None:
    """The army needs no order, and may be told to hold or to board; any other order contradicts (SCO-8.b)."""
    stands = position(TAKEN_BY_FLEET, {"England": ["A 90", "F gg"]})
    done = adjudicate(Rules.of(TAKEN_BY_FLEET), PhaseKind.MOVEMENT, stands, {"England": orders})
    texts = {r.given: r.text for r in done.rulings}
    different = "is one of several different orders for the same unit"
    assert {given: texts[given] for given in results} == {
        given: different if text == "contradicted" else text for given, text in results.items()
    }
    assert {str(u) for u in done.position.units if not u.aboard} == left
    assert all(r.given for r in done.rulings) or "F gg" in left
    english = {"England": ["A 90", "F gg"]}
    assert "A 90 boards gg" in offered(TAKEN_BY_FLEET, english)
    assert "F gg takes A 90" in offered(TAKEN_BY_FLEET, english, 2)


def test_two_fleets_that_take_one_army_contradict_each_other() -> None:
    """So do two armies that one fleet is told to take; under a rulebook where the first counts, the first counts."""
    stands = position(TAKEN_BY_FLEET, {"England": ["A 73", "F ff", "F ee", "A 90"]})
    found = {}
    for choice in ("cancel", "first", "last"):
        rules = Rules.of(TAKEN_BY_FLEET)
        rules = replace(rules, rulebook=replace(rules.rulebook, double_orders=choice))
        for orders in (["F ff takes A 73", "F ee takes A 73"], ["F ff takes A 73", "F ff takes A 90"]):
            done = adjudicate(rules, PhaseKind.MOVEMENT, stands, {"England": orders})
            found[choice, orders[1]] = sorted(str(u) for u in done.position.units if u.kind == "A/F" or u.aboard)
    assert found == {
        ("cancel", "F ee takes A 73"): [], ("cancel", "F ff takes A 90"): [],
        ("first", "F ee takes A 73"): ["A ff", "A/F ff"], ("first", "F ff takes A 90"): ["A ff", "A/F ff"],
        ("last", "F ee takes A 73"): ["A ee", "A/F ee"], ("last", "F ff takes A 90"): ["A ff", "A/F ff"],
    }  # fmt: skip


def test_a_fleet_s_order_without_its_army_s_says_what_it_lacks() -> None:
    """Where both are needed, the ruling names the order that is missing."""
    stands = position(SCOTS, {"England": ["A 90", "F gg"]})
    (taking, _) = adjudicate(Rules.of(SCOTS), PhaseKind.MOVEMENT, stands, {"England": ["F gg takes A 90"]}).rulings
    assert taking.text == "needs an order of that army to board it, and no other order for either of them"
    assert taking.clause == "SCO-8.b"


def test_who_is_aboard_lands_from_here_or_from_the_next_sea() -> None:
    """An army aboard is offered landings from its sea and from those its fleet may sail to (AFM-6.a)."""
    texts = offered(MODULE, {"British": ["A/F SNS"]}, 2)
    assert {"A SNS lands Fri", "A HGB lands Jel"} <= texts
    assert offered(SCOTS, {"England": ["A/F ff"]}, 2) == set()
    assert "A/F ff lands 73" in offered(SCOTS, {"England": ["A/F ff"]})


def test_a_pair_yet_to_be_formed_is_offered_once_for_each_army() -> None:
    """In the Atlantic as many fleets are offered orders for a pair as there are free armies (CNW-5.a)."""
    units = {"England": ["A ATL", "F ATL", "F ATL"]}
    first, second = offered(WORLD, units, 2), offered(WORLD, units, 3)
    assert any(text.startswith("A/F") and "lands" in text for text in first)
    assert not any(text.startswith("A/F") for text in second)


def test_supports_of_a_landing_are_offered() -> None:
    """Whoever could go there himself may support an army ashore (AFM-6.f, SCO-7.c)."""
    texts = offered(SCOTS, {"Graham": ["A 71"], "England": ["A/F ff"]})
    assert any("lands" in text and " S " in text for text in texts)


# -- what befalls ----------------------------------------------------------------------------------------------------


def test_an_army_too_long_at_sea_is_lost_and_it_is_told() -> None:
    """By the end of the fourth season an army must be ashore; its fleet, though beaten, goes on (AFM-4.b, AFM-4.c)."""
    stands = position(MODULE, {"British": ["A/F SNS"]}, state={"army-fleet": {"2": 3}})
    done = adjudicate(Rules.of(MODULE), PhaseKind.MOVEMENT, stands, {"British": ["A/F SNS - HGB"]})
    assert [str(u) for u in done.position] == ["F HGB"]
    assert [(h.kind, h.power, h.province) for h in done.happened] == [("starved", "British", "HGB")]
    assert "army-fleet" not in done.position.state


@pytest.mark.parametrize(
    ("order", "left", "words"),
    [("A/F SNS - ENC", ["A ENC", "A/F ENC"], []), ("A/F SNS - Lon", ["F Lon"], ["lost"]), ("A/F SNS D", [], ["lost"])],
)
def test_a_beaten_pair(order: str, left: list[str], words: list[str]) -> None:
    """To a sea it goes whole; on a coast, or nowhere, its army is lost (AFM-7.a, 7.b, 7.d)."""
    pair = units_from({"British": ["A/F SNS"]}, forms=MODULE.board.forms)
    beaten = Dislodged(pair[0], "NNS", (Location("ENC"), Location("Lon")))
    stands = Position(pair[1:], {}, (beaten,), {"army-fleet": {"2": 1}})
    done = adjudicate(Rules.of(MODULE), PhaseKind.RETREATS, stands, {"British": [order]})
    assert sorted(map(str, done.position)) == left
    assert [h.kind for h in done.happened] == words
    assert done.position.problems(MODULE.board) == []


def test_two_different_orders_beside_a_boarding_cancel_all() -> None:
    """Boarding fills the season for both: another order for the fleet spoils everything (SCO-8.b, SCO-1.e)."""
    stands = position(SCOTS, {"England": ["A 90", "F gg"]})
    given = ["A 90 boards gg", "F gg takes A 90", "F gg - ff"]
    done = adjudicate(Rules.of(SCOTS), PhaseKind.MOVEMENT, stands, {"England": given})
    assert [str(r.result) for r in done.rulings if r.given] == ["void"] * 3
    assert {str(u) for u in done.position} == {"A 90", "F gg"}


@pytest.mark.parametrize("book", ["first", "last"])
def test_where_the_first_or_last_order_counts_so_it_does_for_boarding(book: str) -> None:
    """Of two orders for an army the rulebook says which counts, boarding being one of them (DATC 4.D.3)."""
    rules = Rules.of(MODULE, {"preset": "datc", "double_orders": book})
    stands = position(MODULE, {"British": ["A Lon", "F SNS"]})
    done = adjudicate(rules, PhaseKind.MOVEMENT, stands, {"British": ["A Lon boards SNS", "A Lon - Mca"]})
    assert {str(u) for u in done.position if u.kind == "A"} == {"A SNS" if book == "first" else "A Mca"}


@pytest.mark.parametrize(
    ("state", "disorder"), [({}, ["British"]), ({"anarchy": {"British": 2}}, [])], ids=["disorder", "anarchy"]
)
def test_armies_of_a_power_that_gives_no_orders_board_nothing(state: dict[str, object], disorder: list[str]) -> None:
    """Orders of a power in civil disorder or anarchy move nobody, before the moves either (STD-10.h, TAD-8.e)."""
    stands = position(MODULE, {"British": ["A Lon", "F SNS"]}, state=state)
    given = {"British": ["A Lon boards SNS"]}
    done = adjudicate(Rules.of(MODULE), PhaseKind.MOVEMENT, stands, given, disorder=disorder)
    assert {str(u) for u in done.position} == {"A Lon", "F SNS"}
    assert [(str(r.result), str(r.unit)) for r in done.rulings if r.given] == [("void", "A Lon")]
    heard = adjudicate(Rules.of(MODULE), PhaseKind.MOVEMENT, replace(stands, state={}), given)
    assert {str(u) for u in heard.position} == {"A SNS", "A/F SNS"}


def test_nobody_else_may_have_what_one_power_has() -> None:
    """Where only England has loaded fleets, a clan's army boards nothing and a clan's fleet takes nobody (SCO-8.d)."""
    stands = position(SCOTS, {"Campbell": ["A 90"], "England": ["F gg"]})
    given = {"Campbell": ["A 90 boards gg"], "England": ["F gg takes A 90"]}
    done = adjudicate(Rules.of(SCOTS), PhaseKind.MOVEMENT, stands, given)
    assert [str(r.result) for r in done.rulings if r.given] == ["void", "void"]


@pytest.mark.bulk
def test_units_are_neither_made_nor_lost_at_sea() -> None:
    """Through hundreds of scuffles everybody is still there, or an event says that he starved."""
    rules = Rules.of(MODULE)
    for seed in range(300):
        before = scuffle(MODULE, Random(seed))
        done = fight(MODULE, rules, Random(seed))
        after = [*done.position.units, *(d.unit for d in done.position.dislodged)]
        starved = sum(h.kind == "starved" for h in done.happened)
        assert len(after) + starved == len(before.units)


def test_a_unit_keeps_its_number_aboard_and_ashore() -> None:
    """The army that lands is the one that boarded (`Unit.number` is for life)."""
    rules = Rules.of(MODULE)
    stands = position(MODULE, {"British": ["A Lon", "F SNS"]})
    boarded = adjudicate(rules, PhaseKind.MOVEMENT, stands, {"British": ["A Lon boards SNS"]}).position
    landed = adjudicate(rules, PhaseKind.MOVEMENT, boarded, {"British": ["A SNS lands Fri"]}).position
    assert landed.units == (Unit(1, "A", "British", Location("Fri")), Unit(2, "F", "British", Location("SNS")))
    assert landed.state == {}


def test_the_count_of_seasons_goes_with_the_army() -> None:
    """When an army aboard is removed in Winter its seasons are forgotten (AFM-4.d)."""
    mechanic = next(m for m in MODULE.mechanics if isinstance(m, ArmyFleet))
    stands = position(MODULE, {"British": ["A/F SNS"]}, state={"army-fleet": {"2": 3, "7": 1}})
    assert mechanic.after_winter(Rules.of(MODULE), stands, stands).state == {"army-fleet": {"2": 3}}
    kept = position(MODULE, {"British": ["A/F SNS"]}, state={"army-fleet": {"2": 3}})
    assert mechanic.after_winter(Rules.of(MODULE), kept, kept) is kept


def test_a_power_of_its_own_choosing() -> None:
    """With no convoy at all, an army ordered over water stays, and no fleet is offered one (AFM-9.a)."""
    mechanic = ArmyFleet(plain_convoy="none")
    plain = find_variant("1000ad")
    board = mechanic.extend_board(plain.board)
    variant = replace(plain, board=board, mechanics=(mechanic,), kinds={**plain.kinds, **mechanic.kinds()})
    stands = position(variant, {"British": ["A Lon", "F SNS"]})
    orders = legal_orders(Rules.of(variant), stands, stands.units[1])
    assert not {order.verb for order in orders} & {Verb.CONVOY, PairVerb.FERRY}
