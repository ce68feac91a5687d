"""Units that lie together, and orders that may mean several things: what each order is taken for."""

from __future__ import annotations

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.judge import adjudicate, legal_orders
from gamesmaster.mechanics.army_fleet.values import PairCause
from gamesmaster.mechanics.boats.values import BoatCause
from gamesmaster.mechanics.boxes import BoxCause
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.rules import AnyCause, Cause, Rules
from gamesmaster.variant import find_variant
from tests.judge.test_causes import OF_PAIRS

WORLD = find_variant("conquest2")
RULES = Rules.of(WORLD)
SCOTS = find_variant("scottomacy")
Told = dict[str, list[str]]


def ruled(units: Told, orders: Told, name: str = "conquest2") -> list[tuple[str, AnyCause]]:
    """Each order as given, and the cause of its ruling."""
    variant = find_variant(name)
    stands = Position(units_from(units, forms=variant.board.forms))
    done = adjudicate(Rules.of(variant), PhaseKind.MOVEMENT, stands, orders)
    assert done.position.problems(variant.board) == []
    return [(r.given, r.cause) for r in done.rulings if r.given]


# -- the box ---------------------------------------------------------------------------------------------------------


def test_orders_find_their_units_in_the_order_written() -> None:
    """In the Atlantic each order takes the next unit of its kind; what is left over is void (CNW-5.a)."""
    given = ["F ATL - SAR", "F ATL - VIS", "F ATL - GRB", "A ATL - VIR", "A/F ATL - BAH"]
    causes = ruled({"England": ["F ATL", "F ATL", "A ATL"], "Spain": ["F ATL"]}, {"England": given})
    assert causes[:3] == [(given[0], Cause.CAME), (given[1], BoxCause.LEFT_OVER), (given[2], BoxCause.LEFT_OVER)]
    assert causes[3][1] is BoxCause.LEFT_OVER  # the army is aboard: the order for the pair has joined it to a fleet
    assert causes[4][1] is Cause.CAME


def test_nobody_needs_help_to_stay_in_the_box() -> None:
    """A support for staying in the Atlantic, or going there, is needless (CNW-5.a)."""
    units = {"England": ["F ATL", "F BAH", "F SAR"]}
    causes = ruled(units, {"England": ["F BAH S F ATL", "F SAR S F BAH - ATL"]})
    assert [cause for _, cause in causes] == [BoxCause.NEEDLESS, BoxCause.NEEDLESS]


def test_going_home_opposes_nobody() -> None:
    """Any number may come into the Atlantic, and change places with those who leave it (CNW-5.a)."""
    units = {"England": ["F ATL"], "Spain": ["F BAH", "F SAR"]}
    causes = ruled(units, {"England": ["F ATL - BAH"], "Spain": ["F BAH - ATL", "F SAR - ATL"]})
    assert [cause for _, cause in causes] == [Cause.CAME] * 3


def test_a_lawful_support_out_of_the_box_says_whose_unit_it_is_for() -> None:
    """Beside one's own a foreign unit in the Atlantic is named with its power (CNW-5.b)."""
    stands = Position(units_from({"England": ["F BAH"], "Spain": ["F ATL"]}))
    orders = legal_orders(RULES, stands, stands.units[0])
    assert {o.of_power for o in orders if o.verb is Verb.SUPPORT} == {"Spain"}


# -- those aboard ----------------------------------------------------------------------------------------------------


def test_beside_going_aboard_only_a_boat_is_destroyed() -> None:
    """Who goes aboard may destroy a boat where it stood, and nothing else; nobody does it for him (SCO-13.a, b)."""
    units = {"England": ["F ff", "A 73"], "Graham": ["A 71"]}
    aboard = ["A 73 boards ff", "F ff takes A 73"]
    causes = ruled(
        units, {"England": [*aboard, "A 73 destroys BB"], "Graham": ["A 73 destroys BB", "A 62 H"]}, "scottomacy"
    )
    assert [cause for _, cause in causes] == [
        PairCause.BOARDED,
        PairCause.TAKES,
        BoatCause.NO_BOAT,
        *[Cause.NO_UNIT] * 2,
    ]
    england = {"England": [*aboard, "A 73 - 71"]}
    stands = Position(units_from(units, forms=SCOTS.board.forms))
    done = adjudicate(Rules.of(SCOTS, {"double_orders": "first"}), PhaseKind.MOVEMENT, stands, england)
    assert [r.cause for r in done.rulings if r.given] == [PairCause.BOARDED, PairCause.TAKES, Cause.NO_UNIT]


def test_two_landings_for_one_army() -> None:
    """Two different landings are two orders for one unit: neither counts where such orders cancel (STD-4.g)."""
    causes = ruled({"England": ["A/F ff"]}, {"England": ["A/F ff lands 73", "A/F ff lands 90"]}, "scottomacy")
    assert [cause for _, cause in causes] == [Cause.CONTRADICTED] * 2


@pytest.mark.parametrize(
    ("order", "cause"),
    [
        ("A 90 S A/F ff lands 73", Cause.UNMATCHED),
        ("A 90 S A/F gg lands 89", Cause.NOBODY),
        ("A 90 S A/F ff lands 89", Cause.NOBODY),
    ],
)
def test_supports_of_landings_that_cannot_be(order: str, cause: Cause) -> None:
    """A support is for an army that is aboard there and could land so; one that is not ordered to goes for nothing."""
    assert ruled({"England": ["A/F ff", "A 90"]}, {"England": [order]}, "scottomacy") == [(order, cause)]


def test_an_army_lands_from_nowhere() -> None:
    """A landing from a water where no army of one's own is aboard is void (AFM-6.k)."""
    causes = ruled({"England": ["F ff"]}, {"England": ["A/F ff lands 73", "A/F gg lands 90"]}, "scottomacy")
    assert [cause for _, cause in causes] == [PairCause.NO_LANDER] * 2


def test_an_army_ashore_on_islands_is_not_taken_for_one_aboard() -> None:
    """A support that names an army on islands means the one ashore there (CNW-9.b)."""
    units = {"Spain": ["A CUB", "F BAH", "F SAR"], "England": ["A/F GME"]}
    orders = {"Spain": ["A CUB - FLO", "F BAH C A CUB - FLO", "F SAR S A CUB - FLO"]}
    assert [cause for _, cause in ruled(units, orders)] == [Cause.CAME_BY_SEA, Cause.AVAILABLE, Cause.GIVEN]


# -- doubtful names --------------------------------------------------------------------------------------------------


def test_a_doubtful_name_of_nobody_of_ones_own() -> None:
    """A name in doubt is settled by one's own units only; without one the text stays unread (CLN-H.f)."""
    assert ruled({"Persia": ["A IRAN"]}, {"Persia": ["F Gulf - Iraq"]}, "cline9")[0][1] is Cause.UNREADABLE


# -- every cause -----------------------------------------------------------------------------------------------------

AFM, SCO, CNW = "1000ad[af_module=yes]", "scottomacy", "conquest2"
LONDON = {"British": ["A Lon", "F SNS"]}
CASES = [
    (PairCause.BOARDED, AFM, LONDON, {"British": ["A Lon boards SNS"]}),
    (PairCause.TAKES, SCO, {"England": ["A 90", "F gg"]}, {"England": ["F gg takes A 90", "A 90 boards gg"]}),
    (PairCause.LANDED, AFM, {"British": ["A/F SNS"]}, {"British": ["A SNS lands Fri"]}),
    (
        PairCause.NOT_TRIED, AFM, {"British": ["A/F SNS"], "Vikings": ["F KAT"]},
        {"British": ["A HGB lands Sax", "A/F SNS - HGB"], "Vikings": ["F KAT - HGB"]},
    ),
    (BoxCause.NEEDLESS, CNW, {"Spain": ["F BAH", "F ATL"]}, {"Spain": ["F BAH S F ATL"]}),
    (PairCause.NO_LANDER, AFM, LONDON, {"British": ["A SNS lands Fri"]}),
    (PairCause.ABOARD, AFM, {"British": ["A/F SNS", "A Fri"]}, {"British": ["A SNS S A Fri"]}),
    (PairCause.FULL, AFM, {"British": ["A/F SNS", "A Lon"]}, {"British": ["A Lon boards SNS"]}),
    (PairCause.NO_SHIP, AFM, {"British": ["A Lon"], "Vikings": ["F SNS"]}, {"British": ["A Lon boards SNS"]}),
    (PairCause.UNTAKEN, SCO, {"England": ["A 90", "F gg"]}, {"England": ["A 90 boards gg"]}),
    (
        PairCause.TWO_BOARD, AFM, {"British": ["A Lon", "A Yor", "F SNS"]},
        {"British": ["A Lon boards SNS", "A Yor boards SNS"]},
    ),
    (PairCause.NOT_CARRIED_SO, AFM, LONDON, {"British": ["F SNS C A Lon - Fla", "A Lon - Fla"]}),
    (PairCause.LOADED, AFM, LONDON, {"British": ["F SNS - Fri", "A Lon boards SNS"]}),
    (
        PairCause.WENT_ABOARD, AFM, {"British": ["A Lon", "A Mca", "F SNS"]},
        {"British": ["A Mca S A Lon", "A Lon boards SNS"]},
    ),
    (BoxCause.LEFT_OVER, CNW, {"Spain": ["F ATL"]}, {"Spain": ["A ATL H"]}),
    (PairCause.JUST_BOARDED, AFM, LONDON, {"British": ["A SNS lands Fri", "A Lon boards SNS"]}),
    (
        PairCause.BUSY, AFM, {"British": ["A/F SNS", "A Fri", "A Fla"]},
        {"British": ["A SNS lands Lon", "A/F SNS S A Fri"]},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("cause", "name", "units", "orders"), CASES)
def test_cause(cause: Cause, name: str, units: Told, orders: Told) -> None:
    """The first order comes to its cause."""
    given = next(iter(orders.values()))[0]
    assert dict(ruled(units, orders, name))[given] is cause


def test_every_cause_of_pairs_and_boxes_is_reached() -> None:
    """No cause that only pairs and boxes bring about is without a position that does."""
    assert {case[0] for case in CASES} == OF_PAIRS
