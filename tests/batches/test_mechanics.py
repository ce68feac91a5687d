"""Mechanics in batches: what they make of games is what they make of them at the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import pytest

from gamesmaster.batches.batch import Batch
from gamesmaster.batches.state import BUILD, COUNT, ORDERS, PHASES, UNASKED
from gamesmaster.batches.support import supports
from gamesmaster.board import Closure, Location, Terrain, Unit
from gamesmaster.engine import HOLD, MOVE, SUPPORT
from gamesmaster.environments import VectorEnvironment
from gamesmaster.errors import GamesmasterError
from gamesmaster.game import EventKind, Game
from gamesmaster.mechanics.army_fleet.columns import SAIL_AS_PAIR, STAND_AS_PAIR
from gamesmaster.mechanics.boats import Boats
from gamesmaster.mechanics.boats.columns import DESTROY, BoatTables, list_breakable
from gamesmaster.mechanics.borders import PrivateBorders, WeakBorders
from gamesmaster.mechanics.build_sites import BuildKinds, FreePlacement, SpecialSites
from gamesmaster.mechanics.elimination import Anarchy, Downfall, Extinction
from gamesmaster.mechanics.homes import DesignatedHomes, RemovalOrder
from gamesmaster.mechanics.kinds import UnitKind
from gamesmaster.mechanics.reinforcements import Reinforcement, Reinforcements, ReinforcementVerb
from gamesmaster.mechanics.slow_crossing import SlowCrossing
from gamesmaster.mechanics.standing import StandingArmies
from gamesmaster.mechanics.supply import FreeUnits, OffBoardSupply
from gamesmaster.mechanics.taboo import Taboo
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import BoardMechanic, ColumnMechanic, Columns, Mechanic, Rules, Standing, extend
from gamesmaster.variant import Variant, find_variant
from tests.batches.test_games import shown, submitted
from tests.lengths import mark_long, short_and_long
from tests.open_variants import open_variants

pytestmark = pytest.mark.together

STANDARD = find_variant("standard")
HOMES = {power.name: tuple(power.homes) for power in STANDARD.powers}


def with_mechanics(mechanics: Sequence[Mechanic], **victory_terms: Any) -> Variant:
    """The regular game with these mechanics, won as these terms say."""
    victory = replace(STANDARD.victory, **victory_terms)
    kinds = {**STANDARD.kinds, **{kind: words for mechanic in mechanics for kind, words in mechanic.kinds().items()}}
    board = extend(STANDARD.board, mechanics)
    made = replace(STANDARD, board=board, kinds=kinds, mechanics=tuple(mechanics), victory=victory)
    rules, start = Rules.of(made), made.start
    for mechanic_start in rules.hooks(BoardMechanic.start):
        start = mechanic_start(rules, start)
    return replace(made, start=start)


def played(
    variant: Variant,
    *,
    games: int,
    years: int,
    beside: Callable[[Batch], None] = lambda batch: None,
    kind: PhaseKind = PhaseKind.MOVEMENT,
    seats: Sequence[str] = (),
) -> set[str]:
    """Play games in a batch and at the table beside it: all is equal.  What happened at all, by word.

    `beside` changes the orders that are drawn for phases of some kind.
    """
    batch = Batch(variant, games, seed=years, seats=seats)
    table = [Game.start(variant, seed=batch.key(i)) for i in range(games)]
    while batch.phase.year < variant.calendar.first.year + years:
        batch.draw()
        if batch.phase.kind is kind:
            beside(batch)
        for i, game in enumerate(table):
            if game.phase == batch.phase and not game.outcome:
                assert shown(batch.position(i)) == shown(game.position), f"game {i}, {game.phase.code}"
                table[i] = submitted(game, batch, i).process()
        batch.carry_out()
    for i, game in enumerate(table):
        assert batch.winners(i) == (game.outcome.winners if game.outcome else ())
        if any(slot.kind is PhaseKind.MOVEMENT for slot in variant.calendar.slots):  # else none is ever skipped
            assert batch.games.tally[i, PHASES] == len(game.records)
        fallen = {
            power.name: int(n) for power, n in zip(variant.powers, batch.games.powers.fallen[i, 1:], strict=True) if n
        }
        gone = {
            event.power: 1 + variant.calendar.turn(record.phase)
            for record in game.records
            for event in record.events
            if event.kind is EventKind.ELIMINATED
        }
        assert fallen == gone
    ended = {"shared" if len(game.outcome.winners) > 1 else "won" for game in table if game.outcome}
    return ended | {event.kind.value for game in table for record in game.records for event in record.events}


def test_powers_fall_as_at_the_table() -> None:
    """Powers go extinct, have grace, fall into anarchy and lose their seats; somebody wins all the same."""
    seats = [Downfall(power, HOMES[power][:1]) for power in ("France", "Turkey")]
    happened = played(with_mechanics([Anarchy(), Extinction(), *seats], centres=11), games=40, years=20)
    assert happened >= {"swept", "grace", "anarchy", "restored", "fallen", "eliminated", "won"}


def bereft(variant: Variant, power: str) -> Variant:
    """A variant in which a power has lost its centres to the next one, and what stood there but one unit."""
    names, board, start = [each.name for each in variant.powers], variant.board, variant.start
    heir = names[(names.index(power) + 1) % len(names)]
    owners = {place: heir if owner == power else owner for place, owner in start.owners.items()}
    units = [unit for unit in start.units if unit.power != power or unit.at.province not in board.centres]
    if all(unit.power != power for unit in units):
        taken = {*board.centres, *(unit.at.province for unit in start.units)}
        away = (at for at in board.locations if at.province not in taken and board.can_stand(board.kinds[0], at))
        units.append(Unit(len(start.units) + 1, board.kinds[0], power, next(away)))
    return replace(variant, start=replace(start, units=tuple(units), owners=owners))


ELIMINATED = [
    (name, player)
    for name in (*open_variants(), "conquest2[indians=sixth]", "scottomacy[england_free_replaced=no]")
    for player in ("random", "heuristic")
]


WATCHED = [("standard", "heuristic"), *((name, "random") for name in ("1000ad", "scottomacy"))]


@pytest.mark.parametrize(("name", "player"), mark_long(ELIMINATED, but=WATCHED))
@short_and_long("step", 5, 1)
def test_whoever_is_eliminated_gives_no_orders(name: str, player: str, step: int) -> None:
    """Each power of each variant, or each `step`-th, loses all that it has: from then on batches give it no orders.

    The table would refuse any, and skips phases in which nobody else has anything to do.
    """
    variant = find_variant(name)
    turn = variant.calendar.years_per_turn
    years = 5 * turn if variant.family == "conquest2" else 2 * turn + 1  # so long are units fed from off the board
    for number, power in [*enumerate(variant.powers, 1)][::step]:

        def hold(batch: Batch, number: int = number) -> None:
            """Let that power take nothing."""
            games = batch.games
            own = games.units.owner == number
            (
                games.orders.verb[own],
                games.orders.to[own],
                games.orders.about[own],
                games.orders.load[own],
                games.orders.rider[own],
            ) = HOLD, -1, 0, 0, 0

        made, seats = bereft(variant, power.name), [player] * len(variant.powers)
        assert played(made, games=2, years=years, beside=hold, seats=seats) >= {"eliminated"}, power.name


@short_and_long("games", 30, 60)
def test_those_who_are_left_win(games: int) -> None:
    """When few powers still take part, those with most centres have won, one or several."""
    assert played(with_mechanics([Anarchy(0)], centres=30, last=5), games=games, years=19) >= {
        "anarchy",
        "won",
        "shared",
    }


@pytest.mark.parametrize("grace", mark_long([0, 2], but=[0]))
def test_anarchy_waits_as_long_as_it_should(grace: int) -> None:
    """Without grace, or with two counts of it, powers without homes fall silent when they do at the table."""
    assert played(with_mechanics([Anarchy(grace)]), games=30, years=16) >= {"anarchy"}


@pytest.mark.parametrize(
    "order",
    [
        RemovalOrder(),
        RemovalOrder("moves", "kind", {"France": ("NTH", "ENG"), "Turkey": ("SYR",)}),
    ],
)
def test_units_go_in_the_order_that_a_mechanic_gives(order: RemovalOrder) -> None:
    """Where nobody chooses, those farthest from home go first, by borders or by moves."""
    variant = with_mechanics([Anarchy(0), order])
    happened = played(replace(variant, start=replace(variant.start, owners={})), games=16, years=8)
    assert happened >= {"anarchy"}


CONTESTED_GROUND = [
    StandingArmies(("A BEL", "A BUR", "F NTH", "A SER", "A TYR", "F DEN")),
    Taboo(("HOL", "GAL", "BLA", "RUH"), winters=2),
    Taboo(("ENG", "PIE"), winters=0),
]


def test_ground_is_defended_and_taboo() -> None:
    """Units that nobody plays are beaten and gone; who breaks a taboo is gone too, and its power builds nothing."""
    happened = played(with_mechanics(CONTESTED_GROUND[:2]), games=30, years=6)
    assert happened >= {"dispersed", "cursed"}
    assert played(with_mechanics([CONTESTED_GROUND[0], CONTESTED_GROUND[2]]), games=8, years=2) >= {"cursed"}


BOATS = Boats("A", "A/BB", ("BB",), build_at="land", carry=2, named=True, limit=3)
SHORE_BOATS = Boats("A", "A/BB", ("BB",), carry=2)


def test_a_support_for_a_fleet_that_takes_an_army_aboard() -> None:
    """England's fleet is an A/F by then, so that its support for "F ATL" means Spain's, the only one that moves."""
    conquest, antilles = find_variant("conquest2"), Location("ANT")
    units = [replace(unit, at=antilles) if unit.number == 19 else unit for unit in conquest.start.units]
    variant = replace(conquest, start=replace(conquest.start, units=tuple(units)))
    batch, board = Batch(variant, 1, seed=1), variant.board
    pair, fleet = (tuple(board.ways).index(kind) * len(board.locations) for kind in ("A/F", "F"))
    goal = board.location_index[antilles]
    game = Game.start(variant, seed=batch.key(0))
    boarding = [(1, UNASKED, HOLD, -1, 0), (3, 0, STAND_AS_PAIR, -1, 0)]
    battle = [
        (2, UNASKED, HOLD, -1, 0), (3, 0, SUPPORT, fleet + goal, 4), (4, 0, SAIL_AS_PAIR, pair + goal, 0),
        (7, 0, MOVE, fleet + goal, 0),
    ]  # fmt: skip
    for orders in (boarding, battle):
        while batch.phase != game.phase:
            batch.draw()
            batch.carry_out()
        batch.draw()
        g = batch.games
        g.orders.verb[0], g.orders.to[0], g.orders.about[0], g.orders.load[0] = HOLD, -1, 0, 0
        for r, *order in orders:
            g.orders.load[0, r], g.orders.verb[0, r], g.orders.to[0, r], g.orders.about[0, r] = order
        game = submitted(game, batch, 0)
        batch.carry_out()
        game = game.process()
        assert shown(batch.position(0)) == shown(game.position)
    assert game.records[-1].orders["England"] == ("A/F ATL S F ATL - ANT", "A/F ATL - ANT")
    assert [unit.power for unit in game.position.units if unit.at == antilles] == ["Spain"]


def ride(batch: Batch) -> None:
    """Let units destroy a boat beside what else they do, wherever they may."""
    part = next(part for part in batch.parts if isinstance(part.mechanic, Boats))
    yard, g, t = part.columns.table, batch.games, batch.tables
    assert isinstance(yard, BoatTables)
    for i in range(len(batch)):
        kept, found = g.kept[i, part.first : part.last].tolist(), [0] * 1000
        for r in range(1, g.tally[i, COUNT] + 1):
            stance = g.units.stance[i, r]
            if g.units.owner[i, r] and g.orders.verb[i, r] != DESTROY:
                there = list_breakable(yard, kept, int(t.stances.place[stance]), int(t.stances.sort[stance]), found)
                g.orders.rider[i, r] = found[(i + r) % there] if there else 0


@pytest.mark.parametrize(
    ("mechanics", "happens"),
    [
        ([BOATS], {"wrecked"}),
        ([replace(BOATS, builders=("France", "Germany", "Turkey"), carry=3, into_occupied=False)], {"wrecked"}),
        ([SHORE_BOATS, SlowCrossing(("NTH", "BLA"), storms=("Summer", "Winter"), sojourn=2)], {"sunk"}),
        ([Downfall("France", ("PAR",)), Extinction(), SHORE_BOATS, Taboo(("NTH", "ION", "HOL"))], {"cursed"}),
    ],
)
def test_boats_are_where_they_are_at_the_table(mechanics: Sequence[Mechanic], happens: set[str]) -> None:
    """They are built, raw and on shores, carried, destroyed, and lost on land, in retreats, in storms and at counts."""
    variant = with_mechanics(mechanics)
    assert played(variant, games=12, years=5) >= happens
    played(variant, games=6, years=4, beside=ride)


def test_no_more_boats_are_taken_along_than_columns_tell_apart() -> None:
    """Of very many there would be too many choices."""
    assert supports(with_mechanics([replace(BOATS, carry=9)])).why_not == (
        "the mechanic Boats (one unit takes so many boats)",
    )


@pytest.mark.parametrize(
    "crossing",
    [
        SlowCrossing(("NTH", "ION", "BLA", "MAO", "BOT"), storms=("Summer", "Winter"), sojourn=2),
        SlowCrossing(
            ("NTH", "ION", "ENG", "BUR"), storms=("Spring retreats",), sojourn=3, sides=4, sinks_on=(2,), only=("F",)
        ),
        SlowCrossing(("NTH", "ION", "GAL", "BAL"), sojourn=1, must_leave=True),
        SlowCrossing(("NTH", "WES", "RUH", "BLA"), storms=("Fall",), sojourn=2, must_leave=True),
    ],
)
def test_waters_hold_and_storms_sink(crossing: SlowCrossing) -> None:
    """Units stay as long as they must, go down by the same dice, and are lost if they had to leave."""
    happened = played(with_mechanics([crossing]), games=16, years=4)
    assert happened >= ({"sunk", "weathered"} if crossing.storms else set())
    assert ("overdue" in happened) == crossing.must_leave


@pytest.mark.parametrize(
    ("count", "when", "units"),
    [("units", "count", 6), ("either", "count", 7), ("either", "winter", 6), ("centres", "winter", 0)],
)
def test_whoever_has_enough_wins(count: str, when: str, units: int) -> None:
    """Units win after Winter, centres at a count or then, whichever are said to; those beaten too count."""
    assert "won" in played(with_mechanics([], count=count, when=when, units=units, centres=7), games=25, years=8)


def test_powers_build_where_and_what_they_may() -> None:
    """Special sites, kinds that a power does not build, and a first Winter in which all homes are open."""
    mechanics = [
        FreePlacement(),
        SpecialSites("France", {"BUR": ("A",), "ENG": (), "PAR": ("A",)}),
        SpecialSites("Austria", {"ADR": ("F",)}),
        BuildKinds({"England": ("F",), "France": ("A",), "Italy": ()}),
        SpecialSites("Italy", {"ION": ()}),
    ]
    variant = with_mechanics(mechanics)
    poor = replace(variant, start=replace(variant.start, units=variant.start.units[::2]))
    played(poor, games=25, years=8)


@dataclass(frozen=True)
class Milder(Extinction):
    """What says of itself nothing in columns, and changes what does."""


class Unseen(Mechanic):
    """What cannot be told in columns."""

    id = "unseen"
    not_in_columns = "nobody sees it"


def offer_nothing(_: object, now: Standing) -> None:
    """Nobody is offered any, so far."""


class Offering(ColumnMechanic):
    """Has orders of its own, and does not say which of them players think about."""

    id = "offering"

    def columns(self, rules: Rules) -> Columns:
        """Its rule."""
        return Columns(offers=offer_nothing)


def test_it_is_said_what_of_a_mechanic_is_missing() -> None:
    """A mechanic that is not told in columns is refused with the reason, and so is one made of another."""
    assert supports(with_mechanics([Milder(), Unseen()])).why_not == (
        "the mechanic Milder (it says nothing of itself in columns)",
        "the mechanic Unseen (nobody sees it)",
    )


def test_players_who_think_are_kept_from_what_they_do_not_reckon_with() -> None:
    """They do not know what a mechanic's own orders are good for that does not say so, nor who comes before they build.

    Random ones need not.
    """
    variant = with_mechanics([Offering()])
    Batch(variant, 1, seed=1, seats=["random", "holder", *["random"] * 5])
    with pytest.raises(GamesmasterError, match="do not reckon with offering"):
        Batch(variant, 1, seed=1, seats=["heuristic", *["random"] * 6])
    with pytest.raises(GamesmasterError, match="do not reckon with reinforcements"):
        Batch(with_mechanics([COMING]), 1, seed=1, seats=["heuristic"] * 7)


def test_a_start_with_boats_is_refused() -> None:
    """Columns begin with nothing."""
    variant = with_mechanics([BOATS])
    begun = replace(variant, start=replace(variant.start, state={"boats": {"lie": {"PAR": ["France"]}}}))
    assert supports(begun).why_not == ("a start at which a mechanic keeps something of its own",)
    assert supports(variant)


def test_units_of_several_that_nobody_plays() -> None:
    """They are known by their numbers, unless some come later, whose numbers others may have had."""
    two = [StandingArmies(("A BEL", "F DEN")), StandingArmies(("A BUR", "F NTH"), power="Rebels")]
    assert "dispersed" in played(with_mechanics(two), games=10, years=4)
    more = [two[0], replace(two[1], neutral_centres=True)]
    assert supports(with_mechanics(more)).why_not == ("units of several that nobody plays, which come later",)
    closed = [*two, PrivateBorders((("BUR", "MUN"),), ("France",))]
    assert supports(with_mechanics(closed)).why_not == (
        "places or borders closed to some, and units of several that nobody plays",
    )


@pytest.mark.parametrize("beside", [[], [Extinction(), Downfall("France", ("PAR",))]])
def test_neutral_centres_are_manned_anew(beside: Sequence[Mechanic]) -> None:
    """Whoever leaves a centre that nobody owns finds an army there when owners have been counted."""
    variant = with_mechanics([*beside, StandingArmies(("A BUR",), neutral_centres=True)])
    played(variant, games=8, years=4)
    unowned = replace(variant, start=replace(variant.start, owners={}))
    assert played(unowned, games=10, years=6) >= {"arrived", "dispersed", *(["fallen"] if beside else [])}


@pytest.mark.parametrize(
    "kinds", [["movement", "adjustments"], ["movement"] * 2 + ["adjustments"], ["movement"] * 2 + ["retreats"]]
)
@pytest.mark.parametrize(
    ("mechanics", "victory"),
    [
        ([], {}),
        ([CONTESTED_GROUND[0], Extinction(), Anarchy()], {"count": "units", "units": 6}),
        ([], {"count": "either", "when": "winter", "units": 6, "centres": 7}),
        ([BOATS], {}),
    ],
)
def test_moves_that_no_retreats_follow(
    kinds: list[str], mechanics: Sequence[Mechanic], victory: dict[str, Any]
) -> None:
    """Who is dislodged counts as a unit until the next moves, and is then gone."""
    variant, slots = with_mechanics(mechanics, **victory), {slot.kind.value: slot for slot in STANDARD.calendar.slots}
    year = [
        replace(slots[kind], season=f"Season {n}", letter="XYZ"[n], count=n == 1 or kind == "retreats")
        for n, kind in enumerate(kinds)
    ]
    played(replace(variant, calendar=replace(STANDARD.calendar, slots=tuple(year))), games=10, years=7)


PASSES = [
    PrivateBorders((("BUR", "MUN"), ("MAR", "PIE"), ("ENG", "NTH"), ("BRE", "MAO")), ("France", "Italy")),
    PrivateBorders((("TUN", "NAP"), ("STP/NC", "NTH")), ("Italy", "Russia"), way="fleet"),
    PrivateBorders((("LON", "BEL"),), ("England",), way="army"),
]
CLOSED = (
    Closure("LYO", frozenset("F"), frozenset(["France"]), "the gulf is mined"),
    Closure("GAL", powers=frozenset(["Russia", "Austria"]), reason="a treaty"),
)


def test_some_pass_where_others_do_not() -> None:
    """Moves, supports and retreats over borders that are closed to some, and into places that are."""
    variant = with_mechanics(PASSES)
    board = replace(variant.board, closures=CLOSED)
    played(replace(variant, board=board), games=16, years=6)
    assert supports(with_mechanics([BOATS, *PASSES])).why_not == (
        "the mechanic Boats (ways by boat are closed to some)",
    )


ENDS = [(edge.a.province, edge.b.province) for edge in STANDARD.board.edges]
BORDERS = sorted({(min(ends), max(ends)) for ends in ENDS})


@pytest.mark.parametrize(
    "mechanics",
    [
        [WeakBorders(tuple(BORDERS[::2]))],
        [WeakBorders(tuple(BORDERS[::3]), "full"), WeakBorders(tuple(BORDERS[::2]), only=("F",))],
    ],
)
def test_borders_are_weak(mechanics: Sequence[Mechanic]) -> None:
    """Moves over them attack with half their weight, or with a quarter where there are two, and so are supports."""
    played(with_mechanics(mechanics), games=20, years=8)


OF_FRANCE = FreeUnits("France", {"A": 2, "F": 1})
OF_ITALY = FreeUnits("Italy", {"A": 4, "F": 1}, replaced=False)
BESIDE = (Anarchy(0), RemovalOrder())


@pytest.mark.parametrize(
    ("free", "beside"),
    mark_long(product((OF_FRANCE, OF_ITALY), ((), BESIDE)), but=((OF_FRANCE, ()), (OF_ITALY, BESIDE))),
)
def test_some_units_cost_nothing(free: FreeUnits, beside: Sequence[Mechanic]) -> None:
    """They are built without a centre, and never removed; what is lost of them may be gone for good."""
    variant = with_mechanics([free, *beside])
    played(variant, games=12, years=8)
    poor = replace(variant, start=replace(variant.start, owners={}))
    assert played(poor, games=10, years=8) >= {"eliminated"}


def with_winters(mechanics: Sequence[Mechanic], box: str) -> Variant:
    """The regular game with these mechanics and a box on its board, in which nothing but Winters is played."""
    variant = with_mechanics(mechanics)
    board = variant.board
    provinces = tuple(replace(p, terrain=Terrain.BOX) if p.id == box else p for p in board.provinces)
    board = replace(board, provinces=provinces, shared=frozenset([board.index[box]]))
    winter = next(slot for slot in STANDARD.calendar.slots if slot.kind is PhaseKind.ADJUSTMENTS)
    return replace(variant, board=board, calendar=replace(STANDARD.calendar, slots=(winter,)))


def build_less(batch: Batch) -> None:
    """Leave out some of the last builds."""
    tally, verb = batch.games.tally, batch.games.orders.verb
    for i in range(len(batch)):
        while tally[i, ORDERS] and verb[i, tally[i, ORDERS]] == BUILD and (tally[i, ORDERS] + i + batch.played) % 3:
            tally[i, ORDERS] -= 1


@pytest.mark.parametrize("needs_centre", [True, False])
@pytest.mark.parametrize("beside", [[], [FreeUnits("France", {"F": 2})]])
@pytest.mark.parametrize("schedule", [(2,), (1, 2, 3), (1, 1, 4)])
def test_supply_comes_from_off_the_board(
    schedule: tuple[int, ...], beside: Sequence[Mechanic], needs_centre: bool
) -> None:
    """Several units are built in one place, as many as the schedule says; builds that are not made are deferred."""
    supply = OffBoardSupply("IRI", ("England", "France", "Italy"), schedule, needs_centre)
    variant, deferred = with_winters([supply, *beside], "IRI"), False
    units = tuple(unit for unit in variant.start.units if unit.power not in supply.powers)
    few = {} if not needs_centre else {"LON": "England", "PAR": "France", "ROM": "Italy"}
    for owners in (variant.start.owners, few):
        begun = replace(variant, start=replace(variant.start, owners=owners, units=units))
        played(begun, games=6, years=6)
        played(begun, games=6, years=6, beside=build_less, kind=PhaseKind.ADJUSTMENTS)
        batch = Batch(begun, 6, seed=1)
        for _ in range(5):
            batch.draw()
            build_less(batch)
            batch.carry_out()
            kept: list[Any] = [batch.position(i).state["off-board-supply"] for i in range(6)]
            deferred |= any(state["deferred"] for state in kept)
    assert deferred


PAIRS = {"France": ("SPA", "BEL"), "Germany": ("HOL", "DEN"), "Italy": ("TUN", "TRI"), "England": ("NWY", "BEL")}


@pytest.mark.parametrize(
    "homes",
    [
        DesignatedHomes(PAIRS, opens=3),
        DesignatedHomes(PAIRS, opens=0, wait=0, replacing=("Austria", "Turkey"), never=("BUL",)),
        DesignatedHomes(replacing=("Austria", "France", "Russia")),
    ],
)
@pytest.mark.parametrize(
    "beside",
    [
        [],
        [Anarchy(0), RemovalOrder("moves", "kind", {"France": ("NTH",)})],
        [BuildKinds({"France": ("A",), "Austria": ("F",)}), RemovalOrder(), Anarchy(0)],
    ],
)
def test_homes_are_named(homes: DesignatedHomes, beside: Sequence[Mechanic]) -> None:
    """Powers name them by orders of their own, build there when they are open, and lose first what is far from them."""
    variant = with_mechanics([homes, *beside])
    played(variant, games=10, years=8)
    batch = Batch(variant, 30, seed=2)
    while batch.phase.year < 1907:
        batch.draw()
        batch.carry_out()
    named: list[Any] = [batch.position(i).state["designated-homes"] for i in range(30)]
    assert any(kept["homes"] for kept in named)


COMING = Reinforcements(
    (
        Reinforcement("England", "F", "NTH", "Spring", year=1902),
        Reinforcement("England", "A", "LON", "Summer", year=1901),
        Reinforcement("France", "A", "PAR", "Spring movement", turn=1),
        Reinforcement("Germany", "A", "PAR", "Spring", turn=1),
        Reinforcement("Turkey", "A", "CON", "Fall retreats", turn=0),
        Reinforcement("Turkey", "F", "CON", "Fall retreats", year=1901),
        Reinforcement("Turkey", "A", "SMY", "Fall retreats", turn=0),
        Reinforcement("Turkey", "A", "SMY", "Fall retreats", year=1901),
        Reinforcement("Russia", "F", "STP/NC", "Winter", turn=0),
        Reinforcement("Russia", "F", "STP/SC", "Winter", turn=0),
        Reinforcement("Austria", "A", "VIE", "Winter", turn=1),
        Reinforcement("Italy", "A", "ROM", "Winter", turn=1),
        Reinforcement("Italy", "A", "ROM", "Winter", turn=2),
        *(Reinforcement("France", "F", place, "Winter", turn=2) for place in ("BRE", "MAR", "ENG", "LYO")),
    )
)
"""Units that come when moves begin, after retreats and before builds, some of them to one place."""


@pytest.mark.parametrize(
    "beside",
    [
        [],
        [FreeUnits("France", {"F": 2}), FreeUnits("Italy", {"A": 1}), Anarchy(0), RemovalOrder()],
        [DesignatedHomes(PAIRS, opens=0, wait=0, replacing=("Austria",)), RemovalOrder("moves", "kind")],
    ],
)
def test_units_come_at_a_set_time(beside: Sequence[Mechanic]) -> None:
    """They come or are declined, find their place taken, and count when it is seen what may be built or must go."""
    variant = with_mechanics([COMING, *beside])
    assert played(variant, games=16, years=4) >= {"arrived", "barred"}
    said, batch = set(), Batch(variant, 16, seed=4)
    while batch.phase.year < 1904:
        batch.draw()
        for i in range(len(batch)):
            said |= {order.verb for orders in batch.orders(i).values() for order in orders}
        batch.carry_out()
    assert said >= {*ReinforcementVerb}
    with pytest.raises(GamesmasterError, match="there are no choices where reinforcements come in Winter"):
        VectorEnvironment(variant, 1)


def test_units_wait_for_their_place() -> None:
    """Units that are postponed come after later retreats, in batches as at the table."""
    coming = tuple(Reinforcement("England", "F", at, "Summer", year=1901) for at in ("LON", "EDI", "NTH"))
    variant = with_mechanics([Reinforcements(coming, occupied="postponed")])
    played(variant, games=16, years=3)
    waiting, batch = set[str](), Batch(variant, 16, seed=4)
    while batch.phase.year < 1903:
        batch.draw()
        batch.carry_out()
        for i in range(len(batch)):
            kept: Any = batch.position(i).state.get("reinforcements", {})
            waiting.update(at for _, _, at in kept.get("waiting", ()))
    assert waiting
    assert any(batch.position(i).state.get("reinforcements") is None for i in range(len(batch)))


def test_powers_that_are_out_of_the_game_are_sent_nothing() -> None:
    """Nothing comes for who has neither a unit nor a place, nor for those who are none of the powers."""
    homes = {**{power: places[0] for power, places in HOMES.items()}, "Spain": "SPA"}
    coming = tuple(Reinforcement(power, "A", place, "Spring movement", turn=1) for power, place in homes.items())
    variant = with_mechanics([Extinction(), Reinforcements(coming)])
    poor = replace(variant, start=replace(variant.start, owners={}, units=variant.start.units[::2]))
    assert played(poor, games=16, years=3) >= {"swept", "eliminated", "arrived", "barred"}


KINDS = (
    UnitKind("W", ("wing",), ("army", "fleet"), force=0.5, captures=False),
    UnitKind("G", ("frigate",), ("fleet",), force=1.5, support=0.75),
    UnitKind("F", reach=2),
    UnitKind("C", ("castle",), ("army",), reach=0, force=2, support=0),
)


@pytest.mark.parametrize("player", ["random", "heuristic"])
def test_kinds_of_unit(player: str) -> None:
    """Units go over land and water, two steps or none, are stronger or weaker, and take no centres."""
    variant = with_mechanics([*KINDS, WeakBorders(tuple(BORDERS[::3]))])
    happened = played(variant, games=4, years=3, seats=[player] * 7)
    assert "takes" in happened
    limited = with_mechanics([replace(KINDS[0], limit=2)])
    assert supports(limited).why_not == ("the mechanic UnitKind (batches do not count the units of a kind)",)
