"""The heuristic player where mechanics have changed what units can do: small positions where the sensible is plain.

And that random players come upon all that variants add.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from gamesmaster.board import Dislodged, Location, Position, units_from
from gamesmaster.engine.heuristic import tables
from gamesmaster.game import dumps
from gamesmaster.mechanics.army_fleet.values import PairVerb
from gamesmaster.mechanics.boats.values import BoatVerb
from gamesmaster.mechanics.reinforcements import ReinforcementVerb
from gamesmaster.orders import AnyVerb, Order, Verb
from gamesmaster.players import Heuristic, Holder, Player, Random, Tastes, View, play, views
from gamesmaster.players.pairs import partners, takes_two
from gamesmaster.players.survival import survival
from gamesmaster.variant import find_variant, read_variant

from .table import at, judged, told

CALM = Heuristic(Tastes(whim=0))
MODULE = "1000ad[af_module=yes]"


class Case(NamedTuple):
    """A position, and orders that the player should give there: all of `gives`, and none that begins like `never`."""

    variant: str
    power: str
    phase: str
    units: tuple[str, ...]
    owned: str = ""
    gives: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    state: Mapping[str, object] = MappingProxyType({})


def boats(**lie: str) -> Mapping[str, object]:
    """Boats by where they lie (a letter before the number of a province) and whose they are."""
    return {"boats": {"lie": {place.lstrip("p"): [builder] for place, builder in lie.items()}}}


LEWIS = ("scottomacy", "MacLeod", "S1491M", ("A 11",), "11")
NOOTKA = ("indianomacy", "Blackfeet", "S1601M", ("W 36",), "36")
DUE = {"reinforcements": {"due": [["England", "A/F", "e"], ["England", "A/F", "gg"]]}}
CASES = {
    # boats
    "an army on an island builds a boat": Case(*LEWIS, gives=("A 11 builds BB",)),
    "it puts out with one that lies there": Case(*LEWIS, gives=("A 11 - r with BB",), state=boats(p11="MacLeod")),
    "afloat, it lands where there is a centre to be had": Case(
        "scottomacy", "MacLeod", "F1491M", ("A/BB k",), "11", ("A/BB k - 60",), state=boats(k="MacLeod")
    ),
    "a war party with water all around builds a canoe": Case(*NOOTKA, gives=("W 36 builds CF",)),
    "it goes in the one that lies there": Case(*NOOTKA, gives=("W 36 - a with CF",), state=boats(p36="")),
    "it lands before the year is over": Case(
        "indianomacy", "Blackfeet", "F1601M", ("W/CF a",), "36", ("W/CF a - 39",), state=boats(a="")
    ),
    # what kills
    "it does not go out to where storms are, to come to what it can walk to": Case(
        "indianomacy", "Iroquois", "S1601M", ("W 5",), never=("W 5 - b",), state=boats(p5="")
    ),
    "it does not set foot on taboo ground": Case(
        "indianomacy", "Illinois", "S1601M", ("W 59", "W 67"), "62 63 66 69 14", never=("W 59 - 120", "W 67 - 120")
    ),
    # armies aboard fleets
    "laden fleets make for the shores": Case(
        "scottomacy", "England", "S1491M", ("A/F e", "A/F gg"), "89 90", ("A/F gg - ff", "A/F e - f")
    ),
    "they put ashore where there is a centre": Case(
        "scottomacy", "England", "F1491M", ("A/F ff",), "89 90", ("A/F ff lands 73",)
    ),
    "army and fleet order the boarding both": Case(
        "scottomacy", "England", "S1491M", ("A 12", "F q"), "12", ("A 12 boards q", "F q takes A 12")
    ),
    "where the army orders its landing, its fleet holds": Case(
        MODULE, "Vikings", "S1001M", ("A/F SBS",), "Ska", ("A SBS lands Kon", "A/F SBS H")
    ),
    # the box
    "in the box armies and fleets sail as pairs": Case(
        "conquest2", "England", "S1590M", ("A ATL", "A ATL", "F ATL", "F ATL"), gives=("A/F ATL", "A/F ATL")
    ),
    "a fleet does not lie there": Case("conquest2", "Spain", "S1590M", ("F ATL",), gives=("F ATL - ",)),
    "armies are put ashore from sea": Case(
        "conquest2", "England", "F1590M", ("A/F VIS",), gives=("A/F VIS lands VIR",)
    ),
    # Winter, and what is asked besides
    "it names a home, and builds both kinds": Case(
        "conquest2", "England", "W1590A", ("F ATL",), "VIR NOV DEL", ("Designate ", "Build A ATL", "Build F ATL")
    ),
    "what is free it builds": Case(
        "scottomacy", "England", "W1495A", ("A 89",), "89 90 88", ("Build A 90", "Build F gg", "Build F e")
    ),
    "what may come is let come": Case(
        "scottomacy", "England", "S1491R", (), "89 90", ("Arrive A/F gg", "Arrive A/F e"), state=DUE
    ),
    "first units are placed": Case("1000ad", "Vikings", "W999A", (), "Ber Jel Osl", ("Build F", "Build ", "Build ")),
}


@pytest.mark.parametrize("name", CASES)
def test_small_positions(name: str) -> None:
    """In each position of the table the player gives the orders that are plainly sensible, all of them lawful."""
    case = CASES[name]
    view = look(case)
    orders = told(CALM, view)
    left = list(orders)
    for text in case.gives:
        found = next((order for order in left if order.startswith(text)), None)
        assert found is not None, orders
        left.remove(found)
    assert not any(order.startswith(case.never) for order in orders if case.never), orders
    assert all(ruling.possible for ruling in judged(CALM, view).rulings if ruling.given)


def look(case: Case) -> View:
    """What the power of a case sees."""
    variant = find_variant(case.variant)
    owners = dict.fromkeys(case.owned.split(), case.power)
    state = {**variant.start.state, **case.state}
    units = units_from({case.power: list(case.units)}, 1, variant.board.forms)
    return views(at(variant, case.phase, Position(units, owners, (), state)))[case.power]


def test_storms_and_taboos_are_known() -> None:
    """A unit lives through one storm two times of three, and through none of the ground that is taboo."""
    view = look(Case("indianomacy", "Iroquois", "S1601M", ("W 5",)))
    safe = {p.id: likely for p, likely in zip(view.board.provinces, survival(view), strict=True) if likely < 1}
    assert safe == {"b": pytest.approx(2 / 3), "120": 0}
    assert set(survival(look(Case("standard", "France", "S1901M", ("A PAR",))))) == {1.0}


def test_a_retreat_looks_at_what_is_aboard() -> None:
    """A laden fleet flees to sea rather than to a shore where its army is lost."""
    variant = find_variant(MODULE)
    fleet, army = units_from({"Vikings": ["A/F SBS"]}, 1, variant.board.forms)
    beaten = Dislodged(fleet, "GLS", (Location("Kon"), Location("NGS")))
    owners = dict.fromkeys(("Kon", "Ska"), "Vikings")
    position = Position((), owners, (beaten, Dislodged(army, "GLS", ())))
    assert told(CALM, views(at(variant, "S1000R", position))["Vikings"]) == ["A/F SBS - NGS"]


def test_a_pair_of_orders_needs_both() -> None:
    """Orders that take two name their partner, each the other; an order for a pair in the box takes a free army."""
    view = look(Case("scottomacy", "England", "S1491M", ("A 12", "F q"), "12"))
    army, fleet = view.units
    board = next(o for o in view.choices[army] if o.verb is PairVerb.BOARD)
    take = next(o for o in view.choices[fleet] if o.verb is PairVerb.TAKE)
    assert partners(view.board, view.choices, army, board) == [(fleet, [take])]
    assert partners(view.board, view.choices, fleet, take) == [(army, [board])]
    box = look(Case("conquest2", "England", "S1590M", ("A ATL", "A ATL", "F ATL")))
    *armies, sailing = box.units
    pair = next(o for o in box.choices[sailing] if takes_two(sailing, o))
    assert [partner.unit for partner in partners(box.board, box.choices, sailing, pair)] == armies


@pytest.mark.parametrize("room", [3, 12, 60])
@pytest.mark.parametrize(
    ("name", "power", "units"),
    [
        ("standard", "England", ("A YOR", "F NTH", "F LON", "A WAL")),
        ("scottomacy", "England", ("A 12", "F q", "A 11")),
        ("conquest2", "England", ("A ATL", "A ATL", "F ATL", "A/F ATL")),
    ],
)
def test_what_finds_no_room_is_not_considered(
    name: str, power: str, units: tuple[str, ...], room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few options there is room for, each unit has one, and all orders are lawful."""
    monkeypatch.setattr(tables, "_most_options", lambda _, count: count + room)
    monkeypatch.setattr(tables, "FEWEST", 1)
    monkeypatch.setattr(tables, "MOST_TRIED", room // 3)
    phase = find_variant(name).calendar.first.code
    judged_orders = [r for r in judged(CALM, look(Case(name, power, phase, units))).rulings if r.given]
    assert judged_orders
    assert all(ruling.possible for ruling in judged_orders)


class ShipVerb(AnyVerb):
    """Verbs of a mechanic that no player knows, which say what players may take orders with them for."""

    EMBARK = "embark", PairVerb.BOARD.phrase
    COLLECT = "collect", PairVerb.TAKE.phrase


def test_verbs_of_anybody_s_are_understood() -> None:
    """What an order is for stands on its verb: armies go aboard whatever mechanic the order is of."""
    view = look(Case("scottomacy", "England", "S1491M", ("A 12", "F q"), "12"))
    ships: dict[AnyVerb, AnyVerb] = {PairVerb.BOARD: ShipVerb.EMBARK, PairVerb.TAKE: ShipVerb.COLLECT}

    def renamed(orders: Iterable[Order]) -> tuple[Order, ...]:
        return tuple(replace(order, verb=ships.get(order.verb, order.verb)) for order in orders)

    known = Heuristic().orders(view)
    assert {order.verb for order in known} == set(PairVerb) - {PairVerb.LAND, PairVerb.FERRY}
    vars(view)["choices"] = {unit: renamed(orders) for unit, orders in view.choices.items()}
    assert tuple(Heuristic().orders(view)) == renamed(known)
    army, fleet = view.units
    embark, collect = renamed(known)
    assert partners(view.board, view.choices, army, embark) == [(fleet, [collect])]
    assert takes_two(fleet, collect)


@pytest.mark.parametrize(
    ("name", "verbs"),
    [
        ("indianomacy", {BoatVerb.MAKE, BoatVerb.DESTROY}),
        (
            "scottomacy",
            {
                PairVerb.BOARD,
                PairVerb.TAKE,
                PairVerb.LAND,
                BoatVerb.MAKE,
                ReinforcementVerb.ARRIVE,
                ReinforcementVerb.DECLINE,
            },
        ),
        (MODULE, {PairVerb.BOARD, PairVerb.FERRY}),
        ("conquest2", {PairVerb.LAND, Verb.CONVOY}),
    ],
)
def test_random_games_have_it_all(name: str, verbs: set[AnyVerb]) -> None:
    """In a few years between random players everything that a variant adds is ordered, and some of it comes true."""
    variant = find_variant(name)
    until = variant.calendar.first_year + 7 * variant.calendar.years_per_turn
    seen: set[AnyVerb] = set()
    for seed in range(6):
        match = play(variant, [Random()] * len(variant.powers), seed=seed, until=until)
        assert match.lapses == ()
        for record in match.game.records:
            seen |= {r.order.verb for r in match.game.adjudication(record).rulings if r.order}
        if verbs <= seen:
            return
    assert verbs <= seen


@pytest.mark.parametrize("name", ["scottomacy", "conquest2", MODULE])
def test_games_are_the_same_again(name: str) -> None:
    """With mechanics too a seed gives one game, and nobody who holds is asked for what it has not."""
    variant = find_variant(name)
    until = variant.calendar.first_year + 2 * variant.calendar.years_per_turn
    players: dict[str, Player] = {power.name: Random() for power in variant.powers}
    players |= {variant.powers[0].name: Heuristic(), variant.powers[1].name: Holder()}
    first, again = (play(variant, players, seed=3, until=until) for _ in range(2))
    assert dumps(first.game) == dumps(again.game)
    assert first.lapses == ()


@pytest.mark.parametrize(
    ("name", "power"),
    [("indianomacy", "Apache"), ("scottomacy", "MacLeod"), ("conquest2", "Portugal"), (MODULE, "Moors")],
)
def test_it_beats_random_players(name: str, power: str) -> None:
    """In five turns it has more than twice an equal share of the centres."""
    variant = find_variant(name)
    players: dict[str, Player] = {p.name: Random() for p in variant.powers} | {power: Heuristic()}
    until = variant.calendar.first_year + 5 * variant.calendar.years_per_turn - 1
    centres = [play(variant, players, seed=seed, until=until).centres for seed in (1, 2)]
    even = len(variant.board.centres) / len(variant.powers)
    assert sum(counts[power] for counts in centres) / 2 > 2 * even
    assert all(counts[power] == max(counts.values()) for counts in centres)


MIX = """
[[mechanics]]
name = "boats"
kind = "A"
form = "A/BB"
words = ["BB"]
build_at = "land"
carry = 2

[[mechanics]]
name = "army-fleet"
board_order = "both"
board_timing = "whole_season"
plain_convoy = "regular"

[[mechanics]]
name = "slow-crossing"
waters = ["NTH", "ION"]
storms = ["Winter"]
sojourn = 2

[[mechanics]]
name = "taboo"
provinces = ["GAL"]

[[mechanics]]
name = "free-units"
power = "England"
free = { A = 1, F = 1 }

[[mechanics]]
name = "standing-armies"
neutral_centres = true
"""


@pytest.mark.parametrize("player", [Random(), Heuristic()], ids=lambda player: player.name)
def test_a_designer_s_mix(player: Player, tmp_path: Path) -> None:
    """On a variant that nobody has seen, with boats, laden fleets, storms and taboos at once, all orders are lawful."""
    source = Path(str(files("gamesmaster"))) / "variants/standard"
    for name in ("variant.toml", "board.json"):
        shutil.copy(source / name, tmp_path / name)
    with (tmp_path / "variant.toml").open("a", encoding="utf-8") as end:
        end.write(MIX)
    variant = read_variant(tmp_path)
    match = play(variant, [player] * len(variant.powers), seed=1, until=1904)
    assert match.lapses == ()
    rulings = [ruling for record in match.game.records for ruling in match.game.adjudication(record).rulings]
    assert [(r.given, r.text) for r in rulings if r.given and not r.possible] == []
    assert {BoatVerb.MAKE, PairVerb.BOARD} <= {ruling.order.verb for ruling in rulings if ruling.order}


def test_units_that_lie_together_are_removed_one_by_one() -> None:
    """Units as alike as can be have an order each, though the orders are the same words."""
    view = look(Case("conquest2", "Spain", "W1640A", ("A ATL",) * 3 + ("F ATL",) * 3, "HIS"))
    assert view.due == -3
    assert told(CALM, view) == ["Remove A ATL"] * 3
    assert len(told(Random(), view)) == 3
