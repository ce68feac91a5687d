"""The heuristic player in batches: the same player as at the table, order for order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gamesmaster.batches import Turning
from gamesmaster.batches.batch import Batch
from gamesmaster.batches.chance import BatchRandom
from gamesmaster.batches.games import game_of, play_batch
from gamesmaster.batches.heuristic.answers import answer
from gamesmaster.batches.heuristic.context import (
    HOLDER,
    MINDED,
    Context,
    arrays_of,
    count_draws,
    memory_at,
    minds_of,
    new_workspace,
)
from gamesmaster.batches.heuristic.own import no_own
from gamesmaster.batches.room import most_units
from gamesmaster.batches.state import DRAWN, KINDS, WINNER
from gamesmaster.board import Location
from gamesmaster.engine.groups import each_column, map_columns
from gamesmaster.engine.heuristic.chart import state_graph
from gamesmaster.engine.heuristic.memory import Memory
from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.game import Game
from gamesmaster.mechanics.borders import WeakBorders
from gamesmaster.mechanics.elimination import Anarchy
from gamesmaster.mechanics.homes import DesignatedHomes, RemovalOrder
from gamesmaster.mechanics.slow_crossing import SlowCrossing
from gamesmaster.mechanics.standing import StandingArmies
from gamesmaster.mechanics.supply import FreeUnits
from gamesmaster.mechanics.taboo import Taboo
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.players import MINDS, Heuristic, Tastes
from gamesmaster.players.player import views
from gamesmaster.players.recall import memory_of
from gamesmaster.players.survival import last_before_count
from gamesmaster.rules import Mechanic
from gamesmaster.variant import Variant, find_variant
from tests.batches.test_games import shown, submitted, variant_of
from tests.batches.test_mechanics import BOATS, CLOSED, PAIRS, PASSES, with_mechanics
from tests.batches.test_pairs import CASES
from tests.lengths import mark_long

pytestmark = pytest.mark.together

SEVEN = ["heuristic"] * 7
MIXED = ["heuristic", *["random"] * 6]


def played(
    variant: Variant, games: int, seats: list[str], turns: int, *, turning: bool = False
) -> tuple[Batch, list[Game], int]:
    """Batch and ordinary games side by side: positions are equal, and so are the orders of all heuristic players.

    How many sets of orders were compared is told too.
    """
    batch = Batch(variant, games, seed=len(variant.id), first=40, seats=Turning(seats) if turning else seats)
    others = [Game.start(variant, seed=batch.key(i)) for i in range(games)]
    compared, last = 0, variant.calendar.first_year + turns * variant.calendar.years_per_turn
    while batch.phase.year < last:
        batch.draw()
        for i, game in enumerate(others):
            if game.phase == batch.phase and not game.outcome:
                assert shown(batch.position(i)) == shown(game.position), f"game {i}, {game.phase.code}"
                compared += same_orders(batch, game, i, turned(seats, 40 + i) if turning else seats)
                others[i] = submitted(game, batch, i).process()
        batch.carry_out()
    return batch, others, compared


def turned(seats: list[str], number: int) -> list[str]:
    """Who sits where in a game whose seats go round."""
    return [seats[(place - number) % len(seats)] for place in range(len(seats))]


def same_orders(batch: Batch, game: Game, i: int, seats: list[str]) -> int:
    """Heuristic players at the table give the batch's orders, by the same whims.

    They come in the batch's order, but where what one unit does beside another order, or some that lie together do, may
    be told sooner or later.
    """
    given, compared = batch.orders(i), 0
    in_order: Callable[[list[Order]], list[Order]] = sorted_by_place if game.variant.board.forms else list
    for seat, (power, view) in zip(seats, views(game).items(), strict=True):
        if seat in MINDS and view.is_due:
            orders = Heuristic(name=seat).mind(view).orders(batch.chance(i, power))
            assert in_order(orders) == in_order(given[power]), f"{game.phase.code}, {power}"
            compared += 1
    return compared


def sorted_by_place(orders: list[Order]) -> list[Order]:
    """Orders place by place, those for one kind of unit there as they stand: by these they are told apart (CNW-5.a)."""
    return sorted(orders, key=lambda order: (order.verb.rider, str(order.at), order.kind, order.of_kind))


@pytest.mark.parametrize(
    ("name", "games", "turns"),
    [
        ("standard", 1, 6),
        ("cline9", 1, 2),
        ("1000ad[af_module=yes]", 1, 4),
        ("indianomacy", 1, 3),
        ("scottomacy", 1, 3),
        ("conquest2", 1, 4),
        *mark_long(
            [
                ("standard", 3, 9),
                ("cline9", 1, 5),
                ("westernworld901", 1, 4),
                ("1000ad", 1, 5),
                ("indianomacy", 1, 6),
                ("indianomacy2", 1, 6),
                ("scottomacy", 1, 5),
                ("conquest2", 1, 7),
            ]
        ),
    ],
)
def test_it_plays_as_at_the_table(name: str, games: int, turns: int) -> None:
    """In every phase of whole games each power's orders are those of `Heuristic` with the same whims."""
    variant = variant_of(name)
    _, _, compared = played(variant, games, ["heuristic"] * len(variant.powers), turns)
    assert compared > (15 if variant.calendar.years_per_turn == 1 else 5) * games * turns  # powers soon go under


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        ("standard", 8),
        *(pytest.param(name, 5, marks=pytest.mark.long) for name in ("cline9", "ancmed", "1000ad", "conquest2")),
        pytest.param("standard", 30, marks=pytest.mark.long),
    ],
)
def test_dumbbot_plays_as_at_the_table(name: str, turns: int) -> None:
    """In every phase of whole games each power's orders are those of `DumbBot` with the same random numbers."""
    variant = variant_of(name)
    _, _, compared = played(variant, 2, ["dumbbot"] * len(variant.powers), turns)
    assert compared > 15 * turns


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        ("standard", 5),
        ("scottomacy", 3),
        *(pytest.param(name, 4, marks=pytest.mark.long) for name in ("1000ad", "conquest2", "indianomacy")),
    ],
)
def test_it_remembers_as_at_the_table(name: str, turns: int) -> None:
    """Players who remember attacks and failures remember the same of a game's records as of a batch's columns."""
    variant = variant_of(name)
    seats = ["peaceful", "people"] * len(variant.powers)  # `people` also helps those who have not attacked it
    batch, (game,), compared = played(variant, 1, seats[: len(variant.powers)], turns)
    assert compared > 5 * turns
    memory = memory_of(game.rules, game.records)
    assert any(memory.tries)
    assert any(memory.grudge)
    for name in set(Memory._fields) - {"tenant", "sizes"}:
        assert list(getattr(memory, name)) == getattr(batch.memory, name)[0].tolist(), name


def test_those_who_are_tired_share_a_draw() -> None:
    """Where no power has grown for a while, all vote for a draw, in batches when they do at the table."""
    standard, tired = find_variant("standard"), Tastes(tiring=2)
    batch = Batch(standard, 3, seed=5, seats=[tired] * 7)
    others = [Game.start(standard, seed=batch.key(i)) for i in range(3)]
    while not batch.over and batch.phase.year < 1912:
        batch.draw()
        for i, game in enumerate(others):
            if game.phase == batch.phase and not game.outcome:
                votes = {power: Heuristic(tired).vote(view) for power, view in views(game).items()}
                drawn = batch.winners(i) == game.survivors
                if game.phase.kind is PhaseKind.MOVEMENT:  # only then are players asked
                    assert set(votes.values()) == {game.survivors if drawn else ()}, game.phase.code
                others[i] = game if drawn else submitted(game, batch, i).process()
        batch.carry_out()
    assert batch.games.tally[:, WINNER].tolist().count(DRAWN) >= 2
    again = game_of(standard, 0, seed=5, seats=[tired] * 7)
    assert again.outcome
    assert again.outcome.winners == batch.winners(0)


@pytest.mark.parametrize(
    "mechanics",
    [
        (StandingArmies(("A TUN", "A SER", "F NWY")), Taboo(("TUN", "BEL", "NTH"))),
        (SlowCrossing(("NTH", "MAO", "ION", "BLA"), storms=("Fall",), sojourn=2), WeakBorders((("GAL", "SIL"),))),
        (SlowCrossing(("NTH", "ION"), sojourn=1, must_leave=True), Anarchy(2)),
        (BOATS, SlowCrossing(("NTH", "ION"), storms=("Fall",), sojourn=2)),
        (replace(BOATS, named=False, limit=0, build_at="coast", into_occupied=False), Taboo(("TUN", "BEL"))),
    ],
)  # fmt: skip
def test_it_reckons_with_mechanics_as_at_the_table(mechanics: tuple[Mechanic, ...]) -> None:
    """It keeps off taboo ground and stormy waters, leaves those who are held where they are, and so on: all alike."""
    variant = with_mechanics(mechanics)
    _, _, compared = played(variant, 2, SEVEN, 5)
    assert compared > 150


def test_it_builds_first_what_costs_nothing_and_names_homes_as_at_the_table() -> None:
    """Of the homes that it may name it takes the one that is worth most."""
    free = (FreeUnits("Austria", {"A": 2}), FreeUnits("Italy", {"A": 1, "F": 3}, replaced=False))
    homes = DesignatedHomes(PAIRS, opens=0, wait=0, replacing=("Austria",))
    _, (game,), compared = played(with_mechanics([homes, RemovalOrder("moves", "kind"), *free]), 1, SEVEN, 6)
    given = [text for record in game.records for texts in record.orders.values() for text in texts]
    assert sum(text.startswith("Designate") for text in given) > 3
    assert compared > 100


@pytest.mark.parametrize(
    "name",
    mark_long(
        [
            "of Davis's module",
            "under the rules of 1971",
            "on islands",
            "that go down with their fleets",
            "beside boats",
            "as in Conquest of the New World II",
            "that land late, some removed only whole",
            "of which some cost nothing",
            "of those who fall silent",
        ],
        but=("of Davis's module", "as in Conquest of the New World II", "that land late, some removed only whole"),
    ),
)
def test_it_goes_aboard_as_at_the_table(name: str) -> None:
    """Armies go aboard, sail and land, alone or of a crowd in a box; halves of pairs are removed, and whole ones."""
    _, (game,), compared = played(CASES[name].variant, 1, SEVEN, 4)
    assert any(unit.aboard for record in game.records for unit in record.position.units)
    assert compared > 50


def test_what_is_closed_to_it_is_closed() -> None:
    """Of borders and places closed to some powers it goes where its own units may, and expects others anywhere."""
    variant = with_mechanics(PASSES)
    _, _, compared = played(replace(variant, board=replace(variant.board, closures=CLOSED)), 2, SEVEN, 6)
    assert compared > 150


def test_seats_may_be_mixed() -> None:
    """Random players, holders and heuristic ones share a table that turns, and the judge makes the same of it.

    Nobody but the power's own player sets its orders: holders hold, disband and build nothing.
    """
    standard = find_variant("standard")
    seats = ["heuristic", "holder", "random", "heuristic", "heuristic", "heuristic", "holder"]
    batch, games, compared = played(standard, 7, seats, 10, turning=True)
    texts = []
    for i, game in enumerate(games):
        for power, seat in zip(standard.powers, turned(seats, 40 + i), strict=True):
            if seat == "holder":
                texts += [text for record in game.records for text in record.orders.get(power.name, ())]
        assert batch.winner(i) == (game.outcome.winners[0] if game.outcome else "")
    assert {text[-1] for text in texts} == {"H", "D"}
    assert compared > 300


def test_pairs_that_random_players_remove_go_whole() -> None:
    """Beside a heuristic player, too, whose orders are set after those drawn, a pair that was drawn whole goes so."""
    _, games, _ = played(CASES["that land late, some removed only whole"].variant, 12, MIXED, 5)
    removed = [
        text
        for game in games
        for record in game.records
        for power, texts in record.orders.items()
        for text in texts
        if power != "Austria" and text.startswith("Remove A/F")
    ]
    assert removed


def test_holders_lose_what_goes_if_nobody_says() -> None:
    """A holder that owes removals loses the units farthest from home."""
    standard = find_variant("standard")
    moved = {"BUD": "GAL", "TRI": "ADR"}
    units = [
        replace(unit, at=Location(moved[unit.at.province])) if unit.at.province in moved else unit
        for unit in standard.start.units
    ]
    owners = {place: power for place, power in standard.start.owners.items() if place not in moved}
    start = replace(standard.start, units=tuple(units), owners=owners)
    poor = replace(standard, start=start)
    _, (game,), _ = played(poor, 1, ["holder", *["heuristic"] * 6], 1)
    winter = game.records[-1]
    assert winter.orders["Austria"] == ("Remove F Adr", "Remove A Gal")


@pytest.mark.parametrize("player", [Heuristic(Tastes(whim=0)), Heuristic(Tastes(taking=2, keeping=0.3, whim=1))])
def test_other_tastes_are_the_same_in_ordinary_python(player: Heuristic) -> None:
    """With other tastes, or without whims, where much is worth the same, orders are those of the same `Heuristic`.

    Here the functions that are compiled elsewhere run as they stand.
    """
    standard = find_variant("standard")
    batch = Batch(standard, 3, seed=1, seats=SEVEN)
    rows = most_units(standard, batch.tables) + 1
    board = arrays_of(standard, rows)
    batch.draw()  # what is compiled must be so before
    rings = state_graph(standard.board, "").columns  # as at the table
    board = board._replace(charts=(board.charts[0]._replace(rings=rings),))
    work, draws = new_workspace(standard, board, rows), count_draws(batch.tables, rows)
    safe, own = np.ones((8, len(standard.board.provinces))), no_own(np.zeros(rows, np.int16))
    seats = np.array([HOLDER, *[MINDED] * 7], np.int16)
    others = [Game.start(standard, seed=bytes(32)) for _ in range(3)]
    while batch.phase.year < 1904:
        batch.draw()
        kind, last = KINDS.index(batch.phase.kind), last_before_count(standard.calendar, batch.phase)
        for i, game in enumerate(others):
            if game.phase != batch.phase:
                continue
            others[i] = submitted(game, batch, i).process()
            columns, before = batch.game(i), map_columns(np.copy, batch.game(i))
            answer(
                Context(
                    batch.tables,
                    columns,
                    batch.scratch,
                    board,
                    minds_of([player.tastes]),
                    memory_at(batch.memory, i),
                    work,
                    safe,
                    own,
                    safe[:, :0],
                ),
                seats,
                kind,
                last,
                5,
                i,
                0,
                draws,
            )
            for n, (power, view) in enumerate(views(game).items()):
                if view.is_due:
                    orders = player.mind(view).orders(BatchRandom(5, i, n * draws))
                    assert orders == batch.orders(i)[power], f"{game.phase.code}, {power}"
            for column, was in zip(each_column(columns), each_column(before), strict=True):
                column[:] = was
        batch.carry_out()


def test_a_winter_in_which_only_holders_could_build_is_had_again() -> None:
    """It is played as at the table, though nobody orders anything."""
    standard = find_variant("standard")
    made = replace(standard, start=replace(standard.start, units=standard.start.units[1:]))
    seats = ["holder"] * 7
    game = game_of(made, 0, seed=1, until=1902, seats=seats)
    phases = [record.phase.code for record in game.records]
    assert phases == ["S1901M", "F1901M", "W1901A", "S1902M", "F1902M", "W1902A"]
    assert play_batch(made, 1, seed=1, until=1902, seats=seats).phases.tolist() == [6]


def test_a_game_can_be_had_again_whatever_its_batch() -> None:
    """A game hangs on its seats, seed and number only, and `game_of` leads to the same centres, count by count."""
    standard = find_variant("standard")
    games = play_batch(standard, 8, seed=6, until=1905, seats=Turning(MIXED))
    alone = play_batch(standard, range(4, 7), seed=6, until=1905, seats=Turning(MIXED), threads=2)
    for name in ("winner", "centres", "counted", "phases", "fallen"):
        assert np.array_equal(getattr(games, name)[4:7], getattr(alone, name)), name
    game = game_of(standard, 5, seed=6, until=1905, seats=Turning(MIXED))
    assert [len(game.position.centres(power.name)) for power in standard.powers] == games.final[5].tolist()
    assert len(game.records) == games.phases[5]


def test_it_beats_random_players() -> None:
    """One heuristic player among six random ones has several times their share of the centres, from every seat."""
    games = play_batch(find_variant("standard"), 70, seed=2, until=1908, seats=Turning(MIXED))
    seat = np.arange(70) % 7
    own = games.final[np.arange(70), seat]
    others = (games.final.sum(axis=1) - own) / 6
    assert all(own[seat == n].mean() > 3 * others[seat == n].mean() for n in range(7))


def test_seats_that_do_not_fit_are_refused() -> None:
    """More or fewer players than powers are an error, and so is one that batches do not know."""
    standard = find_variant("standard")
    with pytest.raises(GamesmasterError, match="2 players named for 7 powers"):
        Batch(standard, 1, seed=0, seats=["random", "holder"])
    with pytest.raises(NotFound, match="no player 'searcher' in batches"):
        Batch(standard, 1, seed=0, seats=["searcher"] * 7)
