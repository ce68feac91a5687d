"""Random movement phases, drawn with the yardstick's own list of legal orders."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from diplomacy import Game

SIZES = range(25, 32)
"""Units on the board: about 28, as in the middle of a game."""

LAST_YEAR = 1912


@dataclass(frozen=True)
class Puzzle:
    """A movement phase: units and orders by power, in the yardstick's spelling (`A BUD S F TRI - ALB`)."""

    units: dict[str, list[str]]
    orders: dict[str, list[str]]


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
            units = {name: list(power.units) for name, power in game.powers.items()}
            if game.phase_type == "M" and sum(map(len, units.values())) in SIZES:
                puzzles.append(Puzzle(units, {name: list(orders) for name, orders in game.get_orders().items()}))
            game.process()
    return puzzles[:count]


def _order_at_random(game: Game, rng: Random) -> None:
    # The yardstick keeps its lists as sets, whose order is not the same twice.
    legal = {place: sorted(orders) for place, orders in game.get_all_possible_orders().items()}
    for power, places in sorted(game.get_orderable_locations().items()):
        game.set_orders(power, [rng.choice(legal[place]) for place in sorted(places) if legal[place]])
