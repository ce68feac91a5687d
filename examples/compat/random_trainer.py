"""Learn which sorts of orders gain centres, from random play: `python examples/compat/random_trainer.py`.

Written for the PyPI package `diplomacy`; only the import is of its drop-in.  Every order is drawn by the weight of its
sort; at the end of a year the weights of what a power has ordered follow the centres that it gained.
"""

import random
from copy import deepcopy

from gamesmaster.compat.diplomacy import Game

SORTS = ("H", "-", "S", "C", "VIA", "R", "D", "B", "WAIVE")


def sort_of(order):
    """The sort of an order: to hold, move, support and so on."""
    words = order.split()
    return words[-1] if words[-1] in ("VIA", "WAIVE") else words[2]


def episode(weights, chance, years=2):
    """Play some years; the reward of each sort, summed over the orders that were drawn."""
    game, gains = Game(), dict.fromkeys(SORTS, 0.0)
    drawn = {power: [] for power in game.powers}
    before = {power: len(centers) for power, centers in game.get_centers().items()}
    while not game.is_game_done and int(game.get_current_phase()[1:5]) < game.map.first_year + years:
        possible = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            choices = [possible[place] for place in places if possible[place]]
            orders = [chance.choices(some, [weights[sort_of(order)] for order in some])[0] for some in choices]
            game.set_orders(power, orders)
            drawn[power] += map(sort_of, orders)
        game.process()
        if game.get_state()["name"].startswith("W") or game.is_game_done:
            for power, sorts in drawn.items():
                gained = len(game.get_centers(power)) - before[power]
                for sort in sorts:
                    gains[sort] += gained / len(sorts)
                before[power], drawn[power] = len(game.get_centers(power)), []
    return gains


def train(episodes=20, rate=0.1, seed=1):
    """The weights after some episodes."""
    weights, chance = dict.fromkeys(SORTS, 1.0), random.Random(seed)
    for _ in range(episodes):
        gains = episode(deepcopy(weights), chance)
        weights = {sort: max(0.05, weight + rate * gains[sort]) for sort, weight in weights.items()}
    return weights


if __name__ == "__main__":
    print({sort: round(weight, 2) for sort, weight in train().items()})
