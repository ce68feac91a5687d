"""Legal orders: what may be ordered with the units now on the board."""

from __future__ import annotations

import gzip
import json
import time
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

from gamesmaster.board import Board, Closure, Dislodged, Edge, Location, Position, Province, Terrain, Unit, units_from
from gamesmaster.errors import NotFound
from gamesmaster.formats.foreign import read_foreign
from gamesmaster.formats.phases import Bench, PhaseLine, phase_of
from gamesmaster.game import Game
from gamesmaster.judge import LegalOrders, adjudicate, legal_orders, order_tree
from gamesmaster.mechanics import Boxes
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.rules import Rules
from gamesmaster.variant import Variant, find_variant
from tests.open_variants import ruled_variants

DATA = Path(__file__).parents[1] / "data"
SAMPLE, MORE = 76, 19  # every so many lines of the recorded games are looked at, in the short run and in the long one


def rules(choices: dict[str, object] | None = None) -> Rules:
    """The rules of the standard game."""
    return Rules.of(find_variant("standard"), choices)


def texts(orders: list[Order]) -> set[str]:
    """Orders as the notation writes them."""
    return {rules().notation.write(order) for order in orders}


def legal(units: dict[str, list[str]], unit: str, choices: dict[str, object] | None = None) -> set[str]:
    """The legal orders of one of these units."""
    position = Position(units_from(units))
    return texts(legal_orders(rules(choices), position, next(u for u in position if str(u) == unit)))


def _find(name: str) -> Variant:
    return find_variant(name) if name == "standard" else read_foreign(DATA / "boards" / f"{name}.json")


@pytest.fixture(
    scope="module",
    params=[pytest.param(SAMPLE, id="short"), pytest.param(MORE, id="long", marks=pytest.mark.long)],
)
def recorded(request: pytest.FixtureRequest) -> list[PhaseLine]:
    """A sample of the recorded games' phases, on all boards and of every kind."""
    bench = Bench(_find)
    with gzip.open(DATA / "recorded_games.jsonl.gz") as lines:
        return [phase_of(json.loads(line), bench) for number, line in enumerate(lines) if number % request.param == 0]


# -- movement --------------------------------------------------------------------------------------------------------


def test_a_lone_army_holds_and_walks() -> None:
    """Without other units an army may hold or go where its edges lead, and nothing else (STD-4.d)."""
    assert legal({"Italy": ["A ROM"]}, "A ROM") == {
        "A Rom H",
        *(f"A Rom - {to}" for to in ["Apu", "Nap", "Tus", "Ven"]),
    }


def test_a_fleet_names_its_coast() -> None:
    """A fleet bound for a split coast is offered each coast it can reach, never the bare province (STD-5.e)."""
    offered = legal({"France": ["F MAO"]}, "F MAO")
    assert {"F Mao - Spa/NC", "F Mao - Spa/SC"} <= offered
    assert "F Mao - Spa" not in offered


def test_a_support_names_the_coast_of_the_move() -> None:
    """A support of a fleet into a split coast is offered for each coast the fleet can reach (DATC 4.B.4)."""
    offered = legal({"France": ["F MAO", "A GAS"]}, "A GAS")
    assert {"A Gas S F Mao - Spa/NC", "A Gas S F Mao - Spa/SC", "A Gas S F Mao - Bre"} <= offered
    assert "A Gas S F Mao - Spa" not in offered


def test_supports_are_of_what_others_can_do() -> None:
    """A unit may support in place what stands next to it, and moves to where it could go itself (STD-7.a)."""
    offered = legal({"France": ["A PAR", "A MAR"], "Germany": ["A MUN"], "Italy": ["A PIE"]}, "A PAR")
    assert {text for text in offered if " S " in text} == {
        "A Par S A Mar - Bur",
        "A Par S A Mar - Gas",
        "A Par S A Mun - Bur",
    }
    assert "A Mar S A Pie" in legal({"France": ["A MAR"], "Italy": ["A PIE"]}, "A MAR")


def test_convoys_only_where_fleets_could_form_one() -> None:
    """An army is offered the shores that the fleets on the board join to its own, and no others (STD-4.d)."""
    units = {"England": ["A LON", "F NTH"], "France": ["F ENG"]}
    by_sea = {text for text in legal(units, "A LON") if text.endswith("VIA")}
    assert {"A Lon - Nwy VIA", "A Lon - Bre VIA", "A Lon - Yor VIA"} <= by_sea
    assert not any("Spa" in text or "Stp" in text for text in by_sea)
    assert "F Eng C A Lon - Nwy" not in legal(units, "F ENG")  # superfluous: North Sea alone will do (STD-4.i)
    assert {"F Eng C A Lon - Bre", "F Nth C A Lon - Nwy"} <= legal(units, "F ENG") | legal(units, "F NTH")


def test_a_longer_way_round_counts_under_the_rules_of_1971() -> None:
    """Where every route must survive, any fleet on some route without repetition may convoy (DATC 4.A.1 a)."""
    units = {"England": ["A LON", "F NTH"], "France": ["F ENG"]}
    assert "F Eng C A Lon - Nwy" in legal(units, "F ENG", {"4.A.1": "a"})


def test_no_support_of_a_landing_by_the_fleet_it_needs() -> None:
    """A fleet may not support a convoyed move that could only be made with its own help (STD-4.j)."""
    units = {"England": ["A LON", "F NTH"]}
    assert "F Nth S A Lon - Bel" not in legal(units, "F NTH")
    assert "F Nth S A Lon - Bel" in legal({**units, "France": ["F ENG"]}, "F NTH")
    assert "A Hol S A Lon - Bel" in legal({**units, "Germany": ["A HOL"]}, "A HOL")


def test_drawing_finds_every_legal_order_and_no_other(recorded: list[PhaseLine]) -> None:
    """Orders drawn one by one are those that are listed, all of them in time, on every board."""
    chance = Random(3)
    for line in [line for line in recorded if line.phase.kind is PhaseKind.MOVEMENT][:12]:
        legal = LegalOrders(line.rules, line.position)
        for unit in line.position.units[:8]:
            listed = set(legal.of_unit(unit))
            assert {legal.draw(unit, chance) for _ in range(12 * len(listed) + 60)} == listed


def test_each_legal_order_is_as_likely_as_the_others() -> None:
    """Of a fleet's orders, some found by trial and some not, none is drawn more often than its share."""
    position = Position(units_from({"England": ["F NTH", "A LON", "A YOR"], "France": ["F ENG", "A BEL"]}))
    legal, chance = LegalOrders(rules(), position), Random(5)
    listed = legal.of_unit(position.units[0])
    drawn = Counter(legal.draw(position.units[0], chance) for _ in range(100 * len(listed)))
    strayed = sum((drawn[order] - 100) ** 2 / 100 for order in listed)
    assert len(listed) > 20
    assert strayed < len(listed) + 4 * (2 * len(listed)) ** 0.5  # chi-square: four deviations above its mean


def test_drawing_asks_the_mechanics() -> None:
    """Where mechanics have a say, and for a dislodged unit, what is drawn is in the list too."""
    variant, chance = find_variant("scottomacy"), Random(2)
    legal = LegalOrders(Rules.of(variant), variant.start)
    able = [unit for unit in variant.start.units if legal.of_unit(unit)]
    assert all(legal.draw(unit, chance) in legal.of_unit(unit) for unit in able)
    with pytest.raises(NotFound, match="nothing can be ordered"):
        legal.draw(next(unit for unit in variant.start.units if unit not in able), chance)
    army = units_from({"France": ["A PAR"]})[0]
    beaten = LegalOrders(rules(), Position(dislodged=(Dislodged(army, "BUR", (Location("GAS"),)),)))
    assert {beaten.draw(army, chance) for _ in range(40)} == set(beaten.of_unit(army))
    with pytest.raises(NotFound):
        LegalOrders(rules(), Position()).draw(army, chance)


def test_nationality_is_named_where_it_must_be() -> None:
    """Where a support without the nationality of a foreign unit is void, it is offered with it (DATC 4.C.5 a)."""
    units = {"France": ["A PAR"], "Germany": ["A MUN"]}
    assert "A Par S German A Mun - Bur" not in legal(units, "A PAR")
    position = Position(units_from(units))
    strict = rules({"4.C.5": "a"})
    supports = [o for o in legal_orders(strict, position, position.units[0]) if o.verb is Verb.SUPPORT]
    assert [o.of_power for o in supports] == ["Germany"]
    done = adjudicate(strict, PhaseKind.MOVEMENT, position, {"France": supports})
    assert done.rulings[0].possible


def test_closed_provinces_are_not_offered() -> None:
    """Where a unit may not go, it is offered no move, and others no support of one."""
    a, b, c = Location("AAA"), Location("BBB"), Location("CCC")
    provinces = tuple(Province(at.province, at.province, at.province, Terrain.INLAND) for at in (a, b, c))
    edges = tuple(Edge("army", x, y) for x, y in ((a, b), (b, a), (c, b), (b, c), (a, c), (c, a)))
    shut = Rules(Board("closed", provinces, edges, (Closure("BBB", powers=frozenset({"X"})),)), ("X", "Y"))
    position = Position(units_from({"X": ["A AAA"], "Y": ["A CCC"]}))
    moves = [(o.verb, o.to) for o in legal_orders(shut, position, position.units[0])]
    assert (Verb.MOVE, c) in moves
    assert (Verb.MOVE, b) not in moves
    assert all(o.verb is not Verb.SUPPORT or o.to is None for o in legal_orders(shut, position, position.units[1]))


def test_units_together_are_offered_only_what_can_name_them() -> None:
    """In a box nobody needs help to stay, and whose unit is helped out of it is said (CNW-5.b)."""
    box, near, far = Location("BOX"), Location("NEA"), Location("FAR")
    provinces = (
        Province("BOX", "Box", "Box", Terrain.BOX, convoy=True),
        Province("NEA", "Near", "Nea", Terrain.SEA, convoy=True),
        Province("FAR", "Far", "Far", Terrain.SEA, convoy=True),
    )
    steps = ((box, near), (near, box), (near, far), (far, near), (far, box), (box, far))
    boxes = Boxes()
    board = boxes.extend_board(Board("box", provinces, tuple(Edge("fleet", *step) for step in steps)))
    ruled = Rules(board, ("X", "Y"), mechanics=(boxes,))
    units = (Unit(1, "F", "X", box), Unit(2, "F", "Y", box), Unit(3, "F", "Y", near))
    position = Position(units)
    supports = [o for o in legal_orders(ruled, position, units[2]) if o.verb is Verb.SUPPORT]
    assert [(o.of_power, str(o.to)) for o in supports] == [("X", "FAR"), ("", "FAR")]
    for support in supports:
        assert all(r.possible for r in adjudicate(ruled, PhaseKind.MOVEMENT, position, {"Y": [support]}).rulings[:1])


def test_a_unit_that_is_nowhere_is_refused() -> None:
    """Asking for a unit that does not stand in the position is an error that names it."""
    with pytest.raises(NotFound, match="A PAR of France"):
        legal_orders(rules(), Position(), Unit(1, "A", "France", Location("PAR")))


# -- retreats and adjustments ----------------------------------------------------------------------------------------


def test_a_dislodged_unit_retreats_or_disbands() -> None:
    """A dislodged unit is offered the places open to it, and to disband (STD-9.a, STD-9.b)."""
    (unit,) = units_from({"Austria": ["F TRI"]})
    position = Position((), {}, (Dislodged(unit, "VEN", (Location("ALB"), Location("ADR"))),))
    wanted = {"F Tri - Alb", "F Tri - Adr", "F Tri D"}
    assert texts(legal_orders(rules(), position, unit)) == wanted
    assert texts(LegalOrders(rules(), position).of_power(PhaseKind.RETREATS, "Austria")) == wanted
    assert LegalOrders(rules(), position).of_power(PhaseKind.RETREATS, "Italy") == []


def winter(units: list[str], centres: list[str], choices: dict[str, object] | None = None) -> set[str]:
    """What Russia may order in a Winter."""
    position = Position(units_from({"Russia": units}), dict.fromkeys(centres, "Russia"))
    return texts(LegalOrders(rules(choices), position).of_power(PhaseKind.ADJUSTMENTS, "Russia"))


def test_builds_are_offered_by_kind_and_coast() -> None:
    """A power with centres to spare may build in its empty homes, fleets by coast, or waive (STD-10.c, STD-10.e)."""
    centres = ["STP", "MOS", "SEV", "SWE"]
    stp = {"Build A Stp", "Build F Stp/NC", "Build F Stp/SC"}
    assert winter(["F SEV"], centres) == stp | {"Build A Mos", "Waive"}
    assert winter(["F SEV"], centres, {"4.D.7": "forbidden"}) == stp | {"Build A Mos"}


def test_removals_are_offered_of_every_unit() -> None:
    """A power with units to spare chooses among all of them (STD-10.d)."""
    assert winter(["F SEV", "A MOS"], ["MOS"]) == {"Remove F Sev", "Remove A Mos"}


def test_nothing_is_offered_to_those_who_are_even_or_full() -> None:
    """A power whose units match its centres, or whose sites are full, has nothing to order (STD-10.d)."""
    assert winter(["A MOS"], ["MOS"]) == set()
    assert winter(["A MOS"], ["MOS", "SWE"]) == set()


# -- guided entry ----------------------------------------------------------------------------------------------------


def test_the_tree_has_every_order_as_a_leaf() -> None:
    """Following the choices down leads to every legal order, and only to those."""
    position = Position(units_from({"England": ["A LON", "F NTH"], "France": ["A PIC"]}))
    orders = LegalOrders(rules(), position).of_power(PhaseKind.MOVEMENT, "England")
    tree = order_tree(rules().notation, orders)
    assert set(_leaves(tree)) == texts(orders)
    shores = ["BEL", "DEN", "EDI", "HOL", "NWY", "YOR"]
    assert tree["A LON"] == {
        "hold": "A Lon H",
        "move": {
            "WAL": "A Lon - Wal",
            "YOR": "A Lon - Yor",
            **{f"{to} by convoy": f"A Lon - {to.capitalize()} VIA" for to in shores},
        },
        "support": {"F NTH": {"YOR": "A Lon S F Nth - Yor"}},
    }


def test_the_tree_of_helpers_and_of_winter() -> None:
    """Supports are chosen by the unit helped and its goal, builds by the unit built."""
    position = Position(units_from({"France": ["A PAR", "A BUR", "A PIC"]}))
    tree = order_tree(rules().notation, legal_orders(rules(), position, position.units[0]))
    unit = tree["A PAR"]
    assert isinstance(unit, dict)
    assert unit["support"] == {
        "A BUR": {"hold": "A Par S A Bur", "PIC": "A Par S A Bur - Pic", "GAS": "A Par S A Bur - Gas"},
        "A PIC": {"hold": "A Par S A Pic", "BUR": "A Par S A Pic - Bur", "BRE": "A Par S A Pic - Bre"},
    }
    builds = [Order(Verb.BUILD, "A", Location("PAR")), Order(Verb.WAIVE)]
    assert order_tree(rules().notation, builds) == {"build": {"A PAR": "Build A Par"}, "waive": "Waive"}


def _leaves(tree: object) -> Iterator[str]:
    if isinstance(tree, dict):
        for branch in tree.values():
            yield from _leaves(branch)
    else:
        yield str(tree)


# -- against the judge -----------------------------------------------------------------------------------------------


@pytest.mark.bulk
def test_every_legal_order_is_possible(recorded: list[PhaseLine]) -> None:
    """Whatever is offered to a unit in positions of real games, the judge finds possible (STD-4.d)."""
    for phase in (p for p in recorded if p.phase.kind is not PhaseKind.ADJUSTMENTS):
        legal, kind = LegalOrders(phase.rules, phase.position), phase.phase.kind
        beaten = [d.unit for d in phase.position.dislodged]
        units = [
            u for u in (beaten if kind is PhaseKind.RETREATS else phase.position) if u.power in phase.rules.numbers
        ]
        offered = [(unit.power, legal.of_unit(unit)) for unit in units]
        for number in range(0, max((len(orders) for _, orders in offered), default=0), 4):
            sheet: dict[str, list[Order]] = {}
            for power, orders in offered:
                sheet.setdefault(power, []).append(orders[min(number, len(orders) - 1)])
            done = adjudicate(phase.rules, kind, phase.position, sheet)
            assert [r.text for r in done.rulings if r.given and not r.possible] == []


@pytest.mark.parametrize("name", ruled_variants())
def test_what_cannot_move_is_offered_no_help(name: str) -> None:
    """In games at random each move that others may support or convoy is one that its unit may be ordered to make."""
    variant, chance, helped = find_variant(name), Random(name), 0
    game = Game.start(variant, seed=bytes(32))
    for _ in range(12):
        legal, kind = LegalOrders(game.rules, game.position), game.phase.kind
        if kind is PhaseKind.MOVEMENT:
            offered = [order for unit in game.position.units for order in legal.of_unit(unit) if order.to]
            moves = {(o.at.province, o.to.province) for o in offered if o.at and o.to and not o.of}
            pairs = {(o.of.province, o.to.province) for o in offered if o.of and o.to}
            assert pairs <= moves, pairs - moves
            helped += len(pairs)
        for status in game.status:
            listed = legal.of_power(kind, status.power, game.season)
            if listed:
                game = game.submit(status.power, chance.sample(listed, min(len(listed), 40)))
        game = game.process()
        if game.outcome:
            break
    assert helped


def test_every_legal_build_or_removal_counts(recorded: list[PhaseLine]) -> None:
    """Each order offered in the Winters of real games is carried out if it is the only one given (STD-10)."""
    for phase in (p for p in recorded if p.phase.kind is PhaseKind.ADJUSTMENTS):
        legal = LegalOrders(phase.rules, phase.position)
        for power in phase.rules.powers:
            for order in legal.of_power(PhaseKind.ADJUSTMENTS, power)[:6]:
                done = adjudicate(phase.rules, PhaseKind.ADJUSTMENTS, phase.position, {power: [order]})
                assert all(r.possible for r in done.rulings if r.given)


def test_every_possible_order_of_real_games_is_legal(recorded: list[PhaseLine]) -> None:
    """Whatever players ordered that the judge found possible is offered, coasts and words for the unit aside."""
    for phase in recorded:
        legal = LegalOrders(phase.rules, phase.position)
        offered = {p: {_gist(o) for o in legal.of_power(phase.phase.kind, p)} for p in phase.rules.powers}
        given = [r for r in phase.adjudication.rulings if r.given and r.possible and r.order]
        missing = [f"{r.power} {r.given}" for r in given if r.order and _gist(r.order) not in offered[r.power]]
        assert missing == []


def _gist(order: Order) -> tuple[str, ...]:
    verb = Verb.RETREAT if order.verb is Verb.MOVE else order.verb
    return (verb, *(at.province if at else "" for at in (order.at, order.to, order.of)))


# -- bounds ----------------------------------------------------------------------------------------------------------


def _crowded_board() -> tuple[Rules, Position]:
    """364 provinces, squares with eight neighbours each, two fifths of them water; 110 units."""
    rng = Random(3)
    squares = {(x, y): f"P{x}Q{y}" for x in range(14) for y in range(26)}
    wet = {square for square in squares if rng.random() < 0.4}
    around = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    near = {s: [(s[0] + i, s[1] + j) for i, j in around if (s[0] + i, s[1] + j) in squares] for s in squares}
    shore = {s for s in squares if s not in wet and any(n in wet for n in near[s])}
    provinces = tuple(
        Province(p, p, p, Terrain.SEA if s in wet else Terrain.COAST if s in shore else Terrain.INLAND, convoy=s in wet)
        for s, p in squares.items()
    )
    pairs = [(a, b) for a in squares for b in near[a]]
    dry = [Edge("army", Location(squares[a]), Location(squares[b])) for a, b in pairs if not {a, b} & wet]
    afloat = [Edge("fleet", Location(squares[a]), Location(squares[b])) for a, b in pairs if {a, b} <= wet | shore]
    fleets, armies = rng.sample(sorted(wet), 45), rng.sample(sorted(set(squares) - wet), 65)
    powers = tuple(f"Power{i}" for i in range(10))
    placed = [("F", square) for square in fleets] + [("A", square) for square in armies]
    units = [Unit(i, k, rng.choice(powers), Location(squares[s])) for i, (k, s) in enumerate(placed, 1)]
    return Rules(Board("squares", provinces, tuple(dry + afloat)), powers), Position(tuple(units))


@pytest.mark.bulk
def test_large_boards_are_listed_at_once() -> None:
    """All legal orders of 110 units among 364 provinces are found in a fraction of a second."""
    ruled, position = _crowded_board()
    LegalOrders(ruled, position)  # the board's own tables
    times = []
    for _ in range(5):  # what else the process has to do, such as collecting garbage, is not in all of them
        begun = time.process_time()
        legal = LegalOrders(ruled, position)
        count = sum(len(legal.of_unit(unit)) for unit in position)
        times.append(time.process_time() - begun)
        assert count > 2_000
    assert min(times) < 0.2


@pytest.mark.bulk
def test_webs_of_fleets_do_not_hang() -> None:
    """Where sixty fleets join more routes than could be counted, looking for them ends, and leaves out no fleet."""
    waters = [f"W{x}X{y}" for x in range(10) for y in range(6)]
    near = [(a, b) for a, b in product(waters, waters) if abs(int(a[1]) - int(b[1])) + abs(int(a[3]) - int(b[3])) == 1]
    ends = [("EAST", "W0X0"), ("WEST", "W9X5")]
    seas = [Province(w, w, w, Terrain.SEA, convoy=True) for w in waters]
    shores = [Province(s, s, s, Terrain.COAST) for s, _ in ends]
    steps = [*near, *ends, *((b, a) for a, b in ends)]
    edges = tuple(Edge("fleet", Location(a), Location(b)) for a, b in steps)
    ruled = Rules(Board("web", (*seas, *shores), edges), ("X",))
    position = Position(units_from({"X": ["A EAST", *(f"F {w}" for w in waters)]}))
    begun = time.process_time()
    legal = LegalOrders(ruled, position)
    carriers = [u for u in position if any(o.verb is Verb.CONVOY for o in legal.of_unit(u))]
    assert time.process_time() - begun < 1
    assert len(carriers) == len(waters)
