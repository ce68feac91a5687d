"""The heuristic player: what it does where the right thing can be told, and that it beats chance from every seat."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from gamesmaster.board import Board, Dislodged, Edge, Location, Position, Province, Terrain, Unit, units_from
from gamesmaster.engine.heuristic.chart import BY_LANDING, StateGraph, fewer, state_graph
from gamesmaster.engine.heuristic.outlook import Outlook, enters, sum_rings
from gamesmaster.engine.heuristic.survey import outlook_of
from gamesmaster.game import Game
from gamesmaster.judge import adjudicate
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.players import Heuristic, Player, Random, Tastes, View, play, views
from gamesmaster.players.assessment import Valuation, ground_of
from gamesmaster.players.planner import Planner
from gamesmaster.players.survival import last_before_count
from gamesmaster.rules import Cause, Result
from gamesmaster.testing.strategies import boards, positions
from gamesmaster.variant import Calendar, Slot, Variant

from .table import STANDARD, at, board_of, judged, seen, told, variant_on

CALM = Heuristic(Tastes(whim=0))
ALL = "PAR MAR BRE SPA POR BEL HOL DEN VEN ROM NAP TUN TRI VIE BUD SER"
"""Centres that are nothing to fight about where France has them."""


# -- movements -------------------------------------------------------------------------------------------------------


def test_it_stays_where_it_takes_a_centre() -> None:
    """In the last movement of the year a unit in a centre that is not its power's yet stays there."""
    view = seen("Germany", "F1901M", {"Germany": ["F DEN"]}, {"Germany": "KIE BER SWE NWY HOL BEL"})
    assert told(CALM, view) == ["F Den H"]


def test_it_attacks_with_support() -> None:
    """A centre that is held is attacked by one unit with the support of another."""
    units = {"France": ["A BUR", "A RUH"], "Germany": ["A MUN"]}
    orders = told(CALM, seen("France", "F1901M", units, {"Germany": "MUN", "France": "PAR"}))
    assert orders in (["A Bur - Mun", "A Ruh S A Bur - Mun"], ["A Bur S A Ruh - Mun", "A Ruh - Mun"])


def test_it_attacks_with_as_many_as_it_takes() -> None:
    """Where the defender may be supported itself, a second support is added."""
    view = views(_star({"Red": "RST", "Blue": "CXY"}, owner="Blue"))["Red"]
    orders = told(CALM, view)
    assert sum(" S A " in order for order in orders) == 2
    assert judged(CALM, view).position.at("C") != view.position.at("C")


def test_it_holds_together() -> None:
    """A unit in a threatened centre is supported by one that has nothing better to do."""
    assert told(CALM, views(_star({"Red": "CR", "Blue": "XY"}, owner="Red"))["Red"]) == ["A C H", "A R S A C"]


def test_it_leaves_units_of_nobody_alone() -> None:
    """A unit that never moves is attacked by two, not by one: it could only stand there for ever."""
    assert told(CALM, views(_star({"Red": "R", "Nobody": "C"}, owner=""))["Red"]) == ["A R H"]
    pair = told(CALM, views(_star({"Red": "RS", "Nobody": "C"}, owner=""))["Red"])
    assert pair in (["A R - C", "A S S A R - C"], ["A R S A S - C", "A S - C"])


def _star(units: dict[str, str], owner: str) -> Game:
    """A centre `C` in the middle of other provinces that touch nothing else, armies in some, in the Fall."""
    board = _land(("C", "R"), ("C", "S"), ("C", "T"), ("C", "X"), ("C", "Y"), centres="C")
    placed = units_from({power: [f"A {place}" for place in places] for power, places in units.items()})
    return at(variant_on(board), "F1901M", Position(placed, {"C": owner} if owner else {}))


def test_it_convoys() -> None:
    """An army takes a ship to a centre that it cannot walk to."""
    units = {"England": ["A YOR", "F NTH"]}
    view = seen("England", "F1901M", units, {"England": "LON EDI LVP"})
    done = judged(CALM, view)
    assert [r.cause for r in done.rulings if r.order and r.order.verb is Verb.MOVE] == [Cause.CAME_BY_SEA]
    landed = next(unit for unit in done.position.units if unit.kind == "A")
    assert STANDARD.board.province(landed.at.province).centre


def test_it_finds_chains_of_fleets() -> None:
    """A voyage is known by the shortest chain of own fleets; the fleets of others are not counted on."""
    units = {"England": ["A LON", "F ENG", "F MAO", "F IRI"], "France": ["F NTH"]}
    view = seen("England", "F1901M", units)
    valuation = Valuation(view, Tastes())
    bent = valuation.assess()
    menu = Planner(view, valuation, bent, valuation.outlook(bent)).plan.menu
    ways = [menu.ways.option[way] for way in range(menu.units.way_at[1], menu.units.way_end[1])]
    places = {option: view.board.provinces[menu.options.into[option]].id for option in {*ways, *menu.needs.listed}}
    needs = {option: menu.needs.listed[menu.needs.begin[option] : menu.needs.end[option]] for option in ways}
    chains = {places[option]: [places[convoy] for convoy in needed] for option, needed in needs.items() if needed}
    assert chains["SPA"] == ["ENG", "MAO"]
    assert chains["BRE"] == ["ENG"]
    assert chains["LVP"] == ["ENG", "IRI"]
    assert "NWY" not in chains


def test_it_leaves_no_centre_to_a_lone_raider() -> None:
    """A unit goes back to an own centre that an enemy stands next to, rather than on to nowhere."""
    units = {"France": ["A GAS"], "Germany": ["A BUR"]}
    orders = told(CALM, seen("France", "F1901M", units, {"France": ALL, "Germany": "MUN BER KIE"}))
    assert orders[0] in ("A Gas - Par", "A Gas - Mar", "A Gas - Bur")


@settings(max_examples=40, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(data=st.data())
def test_its_orders_fit_each_other(data: st.DataObject) -> None:
    """No two units make for the same place, none walks into one that stays, and every support and convoy matches."""
    board = data.draw(boards(columns=5))
    variant = variant_on(board)
    for view in views(at(variant, "S1901M", data.draw(positions(board)))).values():
        done = judged(Heuristic(), view)
        orders = {r.unit.at: r.order for r in done.rulings if r.unit and r.order and r.power == view.power}
        goals = Counter(o.to.province for o in orders.values() if o.verb is Verb.MOVE and o.to)
        assert max(goals.values(), default=1) == 1
        stay = {place.province for place, o in orders.items() if o.verb is not Verb.MOVE}
        assert not stay & goals.keys()
        assert [r.given for r in done.rulings if r.given and r.result is Result.VOID] == []


# -- retreats and winters --------------------------------------------------------------------------------------------


def test_it_retreats_to_what_is_worth_most() -> None:
    """A dislodged unit goes where a centre can be had, and two do not go to the same place."""
    units = {"France": ["A BUR", "A MUN"], "Germany": ["A RUH", "A KIE", "A BER", "A BEL"]}
    view = seen("France", "S1901M", units, {"Germany": "KIE BER MUN", "France": "PAR MAR"})
    sent = {"Germany": ["A Bel - Bur", "A Ruh S A Bel - Bur", "A Ber - Mun", "A Kie S A Ber - Mun"]}
    beaten = adjudicate(view.rules, PhaseKind.MOVEMENT, view.position, sent).position
    assert {d.unit.at.province for d in beaten.dislodged} == {"BUR", "MUN"}
    orders = told(CALM, views(at(STANDARD, "S1901R", beaten))["France"])
    assert len({order.split(" - ")[1] for order in orders}) == 2


def test_it_disbands_what_has_nowhere_to_go() -> None:
    """Two units with one place to go to: the one goes, the other is disbanded."""
    one, two = (Unit(n, "A", "France", Location(p)) for n, p in ((1, "BRE"), (2, "PIC")))
    place = (Location("PAR"),)
    position = Position((), {"PAR": "France"}, (Dislodged(one, "GAS", place), Dislodged(two, "BUR", place)))
    orders = told(CALM, views(at(STANDARD, "F1901R", position))["France"])
    assert orders in (["A Bre - Par", "A Pic D"], ["A Bre D", "A Pic - Par"])


def test_it_builds_the_kind_that_is_needed() -> None:
    """On an island it builds fleets; inland, where it can build nothing else, armies."""
    england = seen("England", "W1901A", {"England": []}, {"England": "LON EDI LVP"})
    assert Counter(order.split()[1] for order in told(CALM, england))["F"] >= 2
    austria = seen("Austria", "W1901A", {"Austria": ["A BUD"]}, {"Austria": "BUD VIE TRI"})
    assert "Build A Vie" in told(CALM, austria)


def test_it_builds_near_the_front() -> None:
    """Of its homes it builds in those near what can be taken."""
    units = {"Russia": ["A LVN"], "Turkey": ["A ARM", "A RUM"], "Germany": []}
    owners = {"Russia": "SEV STP MOS NWY SWE DEN", "Turkey": "ANK SMY CON RUM BUL GRE SER BUD"}
    orders = told(CALM, seen("Russia", "W1905A", units, owners))
    assert any("Sev" in order for order in orders)


def test_it_removes_what_is_least_useful() -> None:
    """The unit far from everything goes, not the one that guards a centre."""
    units = {"France": ["A PAR", "F BAR"], "Germany": ["A BUR", "A PIC"]}
    view = seen("France", "W1901A", units, {"France": "PAR", "Germany": "MUN BER"})
    assert told(CALM, view) == ["Remove F Bar"]


# -- valuing ---------------------------------------------------------------------------------------------------------


def _land(*pairs: tuple[str, str], centres: str) -> Board:
    """A board for armies: provinces that touch each other, the `centres` among them."""
    names = sorted({name for pair in pairs for name in pair})
    provinces = tuple(Province(n, n, n, Terrain.INLAND, n in centres) for n in names)
    ways = [(Location(a), Location(b)) for a, b in (*pairs, *((b, a) for a, b in pairs))]
    return Board("land", provinces, tuple(Edge("army", a, b) for a, b in ways))


def _line(places: str) -> Board:
    """Provinces in a row, the last of them with a centre."""
    return _land(*pairwise(places), centres=places[-1])


def test_worth_falls_with_distance() -> None:
    """In a row of provinces with a centre at its end, each is worth more than the one before, up to eight away."""
    view = views(at(variant_on(_line("ABCDEGHIJ")), "S1901M", Position()))["Red"]
    worth = Valuation(view, Tastes()).assess().value[: len(view.board.locations)]
    assert sorted(worth[1:]) == worth[1:]
    assert worth[1] > 0


def test_rings_are_summed_over_all_ways() -> None:
    """The rings of a small row, by hand: steps there and back count, and the average number of ways divides."""
    chart = StateGraph(_line("ABC"))
    assert chart.share[0] == pytest.approx(3 / 4)
    sure = [1.0, 1.0, 1.0]
    worth = ringed(chart, [0, 0, 1], sure, (1, 10, 100))
    assert worth == pytest.approx([100 * 9 / 16, 10 * 3 / 4, 1 + 100 * 9 / 16])
    assert ringed(chart, [0, 0, 1], [1.0, 0.5, 1.0], (1, 10, 100))[1] == pytest.approx(10 * 3 / 4 / 2)


def ringed(chart: StateGraph, worth: list[float], safe: list[float], weights: tuple[float, ...]) -> list[float]:
    """What the states of an army are worth by the rings around them; units survive in its provinces as `safe` says."""
    share = [part * sure for part, sure in zip(chart.columns.share, safe, strict=True)]
    own = [value * sure for value, sure in zip(worth, safe, strict=True)]
    total = [0.0] * len(own)
    sum_rings(total, own, [0.0] * len(own), weights, chart.columns._replace(share=share))
    return total


def test_charts_know_who_may_pass() -> None:
    """Where an edge is for some powers only, each power has a chart of its own; elsewhere they share one."""
    board = Board(
        "gate",
        (Province("P0", "P0", "P0", Terrain.INLAND), Province("P1", "P1", "P1", Terrain.INLAND, True)),
        (Edge("army", Location("P0"), Location("P1"), only=frozenset({"Red"})),),
    )
    assert state_graph(board, "Red").steps[0] == ((1,),)
    assert state_graph(board, "Blue").steps[0] == ()
    assert state_graph(STANDARD.board, "France") is state_graph(STANDARD.board, "Italy")


def test_landings_count_a_little() -> None:
    """An army on an island sees the shores beyond one water; a fleet, and an army inland, see none."""
    board, chart = STANDARD.board, state_graph(STANDARD.board, "")
    far = {board.locations[to].province: weight for to, weight in chart.leaps[board.location_index[Location("YOR")]]}
    assert far["NWY"] == BY_LANDING
    assert "LON" not in far
    assert chart.leaps[board.location_index[Location("MUN")]] == ()
    assert not any(chart.leaps[chart.first["F"] :])


def test_what_provinces_are_worth() -> None:
    """An own centre is worth what threatens it, another's more than nobody's, what is no centre nothing."""
    units = {"France": ["A GAS"], "Germany": ["A BUR", "A PIC"]}
    view = seen("France", "S1901M", units, {"France": "PAR MAR BRE", "Germany": "MUN BER"})
    worth = Valuation(view, Tastes()).worth
    named = {p.id: worth[i] for i, p in enumerate(STANDARD.board.provinces)}
    assert named["PAR"] > named["MUN"] > named["SPA"] == 1 > named["MAR"] > named["GAS"] == 0


def test_who_counts_as_a_foe() -> None:
    """Powers without players, and units of nobody's, only stand where they are."""
    units = {"France": ["A PAR"], "Germany": ["A BUR"], "Italy": ["A GAS"], "Nobody": ["A PIC"]}
    units["Germany"].append("A RUH")
    view = seen("France", "S1901M", units)
    place, france = STANDARD.board.index["PAR"], view.rules.numbers["France"]
    assert ground_of(view.legal, view.disorder).foes(place, france) == {"Germany": 1, "Italy": 1}
    gone = replace(view, disorder=frozenset({"Germany"}))
    assert ground_of(gone.legal, gone.disorder).foes(place, france) == {"Italy": 1}
    burgundy = STANDARD.board.index["BUR"]
    assert enters(outlook(gone), burgundy, 2) > enters(outlook(view), burgundy, 2)


def outlook(view: View) -> Outlook:
    """What a power sees before it expects anybody anywhere."""
    valuation = Valuation(view, Tastes())
    return outlook_of(valuation.tables, valuation.ground.survey, valuation.assess(), valuation.number)


def test_likelihoods() -> None:
    """Of two that act each one time in four, none does nine times in sixteen, and both once."""
    assert fewer(1, 2, 0.25) == pytest.approx(9 / 16)
    assert fewer(2, 2, 0.25) == pytest.approx(15 / 16)
    assert fewer(3, 2, 0.25) == pytest.approx(1)
    assert fewer(0, 2, 0.25) == 0


def test_it_knows_the_year_s_last_movement() -> None:
    """Owners are counted after the Fall, whatever phases come between; where they never are, never."""
    regular = STANDARD.calendar
    assert [last_before_count(regular, regular.read(f"{season}1901M")) for season in "SF"] == [False, True]
    never = Calendar((Slot("Spring", PhaseKind.RETREATS, "S"),), 1901)
    assert not last_before_count(never, never.first)


# -- strength --------------------------------------------------------------------------------------------------------


def _centres(variant: Variant, power: str, seed: int, turns: int) -> Counter[str]:
    """The centres after so many turns of a game against random players."""
    players: dict[str, Player] = {p.name: Random() for p in variant.powers}
    players[power] = Heuristic()
    calendar = variant.calendar
    last = calendar.first_year + turns * calendar.years_per_turn - 1
    return Counter(play(variant, players, seed=seed, until=last).centres)


@pytest.mark.parametrize("power", [power.name for power in STANDARD.powers])
def test_it_beats_random_players_from_every_seat(power: str) -> None:
    """In five years it has more than twice as many centres as any random player."""
    for seed in (1, 2):
        (first, most), (_, next_) = _centres(STANDARD, power, seed, turns=5).most_common(2)
        assert first == power
        assert most > 1.5 * next_


@pytest.mark.parametrize("name", ["ancientmediterranean", "hundred", "northseawars"])
def test_it_beats_random_players_on_other_boards(name: str) -> None:
    """From every seat of other boards it does better than an equal share, and on the average than twice that."""
    variant = board_of(name)
    shares = []
    for power in (power.name for power in variant.powers):
        centres = _centres(variant, power, seed=1, turns=6)
        shares.append(centres[power] / centres.total() * len(variant.powers))
    assert min(shares) > 1
    assert sum(shares) / len(shares) > 1.7


def test_it_is_not_foreseen() -> None:
    """No power always opens a game in the same way."""
    openings: dict[str, set[tuple[str, ...]]] = {}
    for year in range(1901, 1921):
        for power, view in views(at(STANDARD, f"S{year}M", STANDARD.start)).items():
            openings.setdefault(power, set()).add(tuple(told(Heuristic(), view)))
    assert all(len(found) > 1 for found in openings.values())
