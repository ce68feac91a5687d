"""The heuristic player's orders for a movement, over flat tables."""

from __future__ import annotations

from gamesmaster.batches.chance import shuffle
from gamesmaster.batches.heuristic.entries import plan_of
from gamesmaster.batches.heuristic.lore import Desk
from gamesmaster.batches.heuristic.options import list_all, write
from gamesmaster.players.menu import UNITS
from gamesmaster.players.plan import MOST_ROUNDS, begin, better_all, tidy


def settle(d: Desk, power: int, seed: int, number: int, draw: int) -> None:
    """Give the units of a power the best orders that can be found, beginning with holding.

    What everybody sees alike must have been surveyed, places valued, and others' moves be expected.
    """
    p = plan_of(d, power)
    list_all(d, p)
    begin(p)
    units, turns = p.tally[UNITS], d.mind.turns
    for _ in range(MOST_ROUNDS):
        draw = shuffle(turns, units, seed, number, draw)
        if better_all(p, turns[:units]):
            break
    tidy(p)
    write(d, p)
