"""Read saved games into rows for supervised learning: `python examples/compat/dataset_reader.py FILE.jsonl`.

Written for the PyPI package `diplomacy`; only the imports are of its drop-in.  Each row has the board as features by
place, the possible orders of one power, and the numbers of those that were given.
"""

import sys

from gamesmaster.compat.diplomacy import Map
from gamesmaster.compat.diplomacy.utils.export import load_saved_games_from_disk

MAP = Map("standard")
PLACES = sorted(place.upper() for place in MAP.locs if MAP.area_type(place) != "SHUT")
POWERS = MAP.powers


def adjacency():
    """The places beside each place, as a matrix of 0 and 1."""
    return [[int(MAP.abuts("?", here, "-", there)) for there in PLACES] for here in PLACES]


def features(state):
    """For each place: the kind of unit, its power, whether it is dislodged, and the owner of the centre."""
    board = {place: [0, 0, 0, 0] for place in PLACES}
    for number, power in enumerate(POWERS, 1):
        for unit in state["units"].get(power, ()):
            place = unit.removeprefix("*")[2:]
            board[place][:3] = [1 + "AF".index(unit.removeprefix("*")[0]), number, int(unit.startswith("*"))]
        for center in state["centers"].get(power, ()):
            board[center][3] = number
    return [board[place] for place in PLACES]


def rows(path):
    """One row for each power that gave orders in a phase of a game."""
    for game in load_saved_games_from_disk(path):
        for phase in game.get_phase_history():
            game.set_state(phase.state, clear_history=False)
            possible = game.get_all_possible_orders()
            for power, orders in phase.orders.items():
                choices = [order for place in game.get_orderable_locations(power) for order in possible[place]]
                if orders:
                    chosen = [choices.index(order) for order in orders if order in choices]
                    yield {
                        "phase": phase.name,
                        "power": power,
                        "board": features(phase.state),
                        "choices": choices,
                        "chosen": chosen,
                        "missed": len(orders) - len(chosen),
                    }


if __name__ == "__main__":
    found = list(rows(sys.argv[1]))
    print(f"{len(found)} rows, {sum(len(row['chosen']) for row in found)} orders, {len(PLACES)} places")
