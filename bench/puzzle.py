"""Random movement phases, drawn with the yardstick's own list of legal orders."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

from diplomacy import Game

RECORDED_GAMES = Path(__file__).parents[1] / "tests/data/recorded_games.jsonl.gz"

CROWDED = 34
"""Units of a full board."""

SIZES = range(25, 32)
"""Units on the board: about 28, as in the middle of a game."""

LAST_YEAR = 1912


@dataclass(frozen=True)
class Puzzle:
    """A movement phase: units and orders by power, in the yardstick's spelling (`A BUD S F TRI - ALB`)."""

    units: dict[str, list[str]]
    orders: dict[str, list[str]]

    @property
    def size(self) -> int:
        """How many units there are."""
        return sum(map(len, self.units.values()))


def draw_puzzles(count: int, seed: int) -> list[Puzzle]:
    """Play games in which every unit is given one of its legal orders at random, and keep the movement phases.

    The same seed draws the same puzzles.
    """
    rng = Random(seed)
    puzzles: list[Puzzle] = []
    while len(puzzles) < count:
        game = Game()
        while not game.is_game_done and int(game.get_current_phase()[1:5]) < LAST_YEAR:
            _order_at_random(game, rng)
            puzzle = _puzzle(game)
            if game.phase_type == "M" and puzzle.size in SIZES:
                puzzles.append(puzzle)
            game.process()
    return puzzles[:count]


def draw_crowded(count: int, seed: int) -> list[Puzzle]:
    """Full boards out of games that people played, every unit given one of its legal orders at random.

    The same seed draws the same puzzles; there are fewer than `count` if no more were recorded.
    """
    rng = Random(seed)
    with gzip.open(RECORDED_GAMES, "rt", encoding="utf-8") as lines:
        phases = [json.loads(line) for line in lines if '"map":"standard"' in line]
    moves = [phase["units"] for phase in phases if phase["phase"].endswith("M")]
    full = [units for units in moves if sum(map(len, units.values())) == CROWDED]
    puzzles = []
    for units in rng.sample(full, min(count, len(full))):
        game = Game()
        game.clear_units()
        for name, some in units.items():
            game.set_units(name.upper(), some)
        _order_at_random(game, rng)
        puzzles.append(_puzzle(game))
    return puzzles


def _puzzle(game: Game) -> Puzzle:
    """The phase that a game is in."""
    units = {name: list(power.units) for name, power in game.powers.items()}
    return Puzzle(units, {name: list(orders) for name, orders in game.get_orders().items()})


def _order_at_random(game: Game, rng: Random) -> None:
    # The yardstick keeps its lists as sets, whose order is not the same twice.
    legal = {place: sorted(orders) for place, orders in game.get_all_possible_orders().items()}
    for power, places in sorted(game.get_orderable_locations().items()):
        game.set_orders(power, [rng.choice(legal[place]) for place in sorted(places) if legal[place]])
