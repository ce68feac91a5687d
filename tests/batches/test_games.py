"""Batches of games by machine code: game by game they are what the ordinary judge makes of the same orders."""

from __future__ import annotations

import doctest
import gc
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.plain import play_plainly
from gamesmaster.batches import batch, bulk, games
from gamesmaster.batches.batch import Batch
from gamesmaster.batches.games import game_of, orders_of, play_batch
from gamesmaster.batches.state import PHASES, WINNER
from gamesmaster.board import Position, Terrain
from gamesmaster.errors import GamesmasterError
from gamesmaster.formats import read_foreign
from gamesmaster.game import EventKind, Game
from gamesmaster.mechanics import SlowCrossing
from gamesmaster.variant import Lead, Variant, Victory, find_variant
from tests.lengths import mark_long, short_and_long
from tests.open_variants import open_variants

pytestmark = pytest.mark.together

BOARDS = Path(__file__).parents[1] / "data/boards"
OTHERS = ("coldwar", "hundred", "westernworld901", "youngstownredux", "pure")


def variant_of(name: str) -> Variant:
    """A variant of the package, one with other ends, or one of another program's files."""
    if name == "ends":
        victory = Victory(18, lead=Lead(3, 1), last_year=1904)
        return replace(find_variant("standard"), id="ends", digest="ends", victory=victory)
    return find_variant(name) if name.split("[")[0] in open_variants() else read_foreign(BOARDS / f"{name}.json")


def shown(position: Position) -> tuple[object, ...]:
    """All that a position says."""
    return position.units, dict(position.owners), position.dislodged, dict(position.state)


def submitted(game: Game, batch: Batch, i: int) -> Game:
    """The game with the orders that are set in its batch."""
    for power, orders in batch.orders(i).items():
        if orders:
            game = game.submit(power, [game.rules.notation.write(order) for order in orders])
    return game


# -- the same as the ordinary judge ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    mark_long(
        ["standard", "cline9", "1000ad", "conquest2", "indianomacy", "scottomacy", "ends", *OTHERS],
        but=("standard", "conquest2", "indianomacy", "ends"),
    ),
)
@short_and_long("number", 4, 12)
def test_games_are_what_the_judge_makes_of_them(name: str, number: int) -> None:
    """Phase by phase units, owners, retreats, winner, eliminations are those of a usual game with the same orders."""
    variant = variant_of(name)
    batch = Batch(variant, number, seed=len(name))
    games = [Game.start(variant, seed=batch.key(i)) for i in range(number)]
    last = variant.calendar.first_year + 6 * variant.calendar.years_per_turn
    while batch.phase.year < last:
        batch.draw()
        for i, game in enumerate(games):
            played = game.phase == batch.phase and not game.outcome
            assert batch.is_played(i) == played
            if played:
                assert shown(batch.position(i)) == shown(game.position), f"game {i}, {game.phase.code}"
                games[i] = submitted(game, batch, i).process()
        batch.carry_out()
    for i, game in enumerate(games):
        assert batch.winners(i) == (game.outcome.winners if game.outcome else ())
        assert bool(batch.games.tally[i, WINNER]) is bool(game.outcome)
        assert batch.games.tally[i, PHASES] == len(game.records)
        fallen = {
            power.name: int(n) for power, n in zip(variant.powers, batch.games.powers.fallen[i, 1:], strict=True) if n
        }
        assert fallen == {
            event.power: 1 + variant.calendar.turn(record.phase)
            for record in game.records
            for event in record.events
            if event.kind is EventKind.ELIMINATED
        }


def test_a_game_can_be_had_again_with_its_orders() -> None:
    """The texts of a game's orders lead an ordinary game to the centres that the batch has, count by count."""
    standard = find_variant("standard")
    games = play_batch(standard, 30, seed=11, until=1908)
    played = list(orders_of(standard, 17, seed=11, until=1908))
    game = game_of(standard, 17, seed=11, until=1908)
    assert [phase for phase, _ in played] == [record.phase for record in game.records]
    assert [len(game.position.centres(power.name)) for power in standard.powers] == games.final[17].tolist()
    assert len(game.records) == games.phases[17]
    assert (games.counts, games.powers) == (tuple(range(1901, 1909)), tuple(p.name for p in standard.powers))


def test_a_game_with_dice_can_be_had_again() -> None:
    """The same dice are thrown for a batch's game and for the ordinary one, which can be verified by its seed."""
    variant = find_variant("indianomacy[bay_exit=must]")
    seas = tuple(province.id for province in variant.board.provinces if province.terrain is Terrain.SEA)
    storms = replace(next(m for m in variant.mechanics if isinstance(m, SlowCrossing)), waters=seas)
    stormy = replace(variant, mechanics=tuple(storms if m.id == storms.id else m for m in variant.mechanics))
    games = play_batch(stormy, 20, seed=5, until=1604)
    again = [game_of(stormy, number, seed=5, until=1604) for number in range(20)]
    thrown = [throw for game in again for throw in game.throws]
    assert len({(throw.phase, throw.fell) for throw in thrown}) > 3
    centres = [[len(game.position.centres(power.name)) for power in stormy.powers] for game in again]
    assert centres == games.final.tolist()
    assert [len(game.records) for game in again] == games.phases.tolist()


def test_a_game_hangs_on_its_seed_and_number_only() -> None:
    """In another batch, from another first game, on more threads a game is the same; under another seed it is not."""
    standard = find_variant("standard")
    games = play_batch(standard, 2100, seed=2, until=1904)
    alone = play_batch(standard, range(470, 530), seed=2, until=1904, threads=3)
    other = play_batch(standard, range(470, 530), seed=3, until=1904)
    for name in ("winner", "centres", "counted", "phases", "fallen"):
        assert np.array_equal(getattr(games, name)[470:530], getattr(alone, name)), name
    assert len({row.tobytes() for row in games.centres}) > 2000
    assert not np.array_equal(alone.centres, other.centres)


def test_a_won_game_stays_as_it_is() -> None:
    """A game that somebody has won is played no further, and its winner has what it takes, more than all others."""
    variant = variant_of("hundred")
    games = play_batch(variant, 60, seed=5)
    won = games.winner > 0
    assert won.sum() > 10
    for centres, winner, counted in zip(games.centres[won], games.winner[won], games.counted[won], strict=True):
        last = centres[counted - 1]
        assert last[winner - 1] >= variant.victory.centres
        assert (last == last[winner - 1]).sum() == 1
        assert (last[winner - 1] == last.max()) & (centres[counted - 1 :] == last).all()
        assert (centres[: counted - 1] < variant.victory.centres).all()
    assert (games.counted[~won] == len(games.counts)).all()


@pytest.mark.parametrize("seats", [(), pytest.param(("heuristic",) * 9, marks=pytest.mark.long)])
def test_phases_in_which_only_mechanics_ask_are_had_again(seats: tuple[str, ...]) -> None:
    """A game had again has the phase of retreats in which nobody retreats, but a power lets its reinforcements come."""
    scottomacy = variant_of("scottomacy")
    games = play_batch(scottomacy, 2, seed=4, until=1492, seats=seats)
    for number in range(2):
        game = game_of(scottomacy, number, seed=4, until=1492, seats=seats)
        asked = next(record for record in game.records if record.phase.code == "S1491R")
        assert any("rrive" in text or "ecline" in text for text in asked.orders["England"])
        assert len(game.records) == games.phases[number]
        assert [len(game.position.centres(p.name)) for p in scottomacy.powers] == games.final[number].tolist()


def test_a_game_ends_when_nobody_is_left() -> None:
    """Where all powers have lost everything the game is over without a winner, and is played no further."""
    conquest = variant_of("conquest2")
    until = conquest.calendar.last_year(20)
    games = play_batch(conquest, 60, seed=3, until=until)
    deserted = (games.winner < 0).nonzero()[0]
    assert len(deserted)
    for i in deserted:
        game = game_of(conquest, int(i), seed=3, until=until)
        assert game.outcome
        assert game.outcome.winners == ()
        assert len(game.records) == games.phases[i]
        assert not games.final[i].any()


def test_the_examples_run() -> None:
    """The examples in the modules' own descriptions print what they say."""
    assert [doctest.testmod(module) for module in (batch, games, bulk)] == [(0, 6), (0, 6), (0, 6)]


# -- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("games", "seed", "first"), [(0, 0, 0), (1, -1, 0), (1, 2**32, 0), (2, 0, 2**32 - 1)])
def test_numbers_beyond_the_generator_are_refused(games: int, seed: int, first: int) -> None:
    """A seed or a game's number that has more than 32 bits, or no game at all, is an error."""
    with pytest.raises(GamesmasterError, match="32 bits"):
        Batch(find_variant("standard"), games, seed=seed, first=first)


def test_years_without_a_count_are_refused() -> None:
    """Games that would be broken off before they begin are refused."""
    with pytest.raises(GamesmasterError, match="can be played until 1900"):
        play_batch(find_variant("standard"), 1, seed=1, until=1900)


# -- ordinary Python -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", open_variants())
def test_plain_games_of_every_variant_come_out_again(name: str) -> None:
    """A random game of any variant runs through its first turns, and again to the same position under the same seed."""
    variant = find_variant(name)
    until = variant.calendar.first.year + 2 * variant.calendar.years_per_turn
    ending = play_plainly(variant, seed=4, until=until)
    assert ending.outcome or ending.phase.year > until
    assert ending == play_plainly(variant, seed=4, until=until)
    assert ending.position != play_plainly(variant, seed=5, until=until).position


def test_a_plain_game_goes_on_without_those_who_are_eliminated() -> None:
    """England has lost her seats, and builds none of the Fleets that would cost her nothing."""
    scottomacy = find_variant("scottomacy")
    owners = {place: "Keith" if owner == "England" else owner for place, owner in scottomacy.start.owners.items()}
    units = tuple(unit for unit in scottomacy.start.units if unit.power != "England")
    made = replace(scottomacy, start=replace(scottomacy.start, units=units, owners=owners))
    assert play_plainly(made, seed=1, until=1492).position.of("England") == ()


@pytest.mark.parametrize("name", ["standard", "scottomacy"])
def test_a_batch_takes_memory_no_longer_than_it_is_used(name: str) -> None:
    """It goes with the last who knows of it, and no collector of garbage need find its columns."""
    played = Batch(find_variant(name), 2, seed=1)
    played.draw()
    played.carry_out()
    seen = weakref.ref(played)
    gc.disable()
    try:
        del played
        assert seen() is None
    finally:
        gc.enable()
