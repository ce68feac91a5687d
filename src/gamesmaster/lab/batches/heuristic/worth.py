"""What places are worth to the heuristic player, and what it expects of others, over flat tables.

What is done here is what `players.valuation`, `chart.rings` and `survey` do, sums in the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lab.batches.chance import philox
from gamesmaster.lab.batches.heuristic.lore import KEEPING, LEADER, TAKING, WHIM, Desk
from gamesmaster.lab.batches.state import COUNT
from gamesmaster.players.survey import DOUBT

if TYPE_CHECKING:
    from gamesmaster.lab.batches.heuristic.lore import Reals
    from gamesmaster.lab.batches.tables import Numbers


WORD = 2.0**-32


def whim(seed: int, number: int, draw: int) -> float:
    """A number from 0 to 1 (which it never is), for the draw of this number in the game of that number."""
    word, _ = philox(number, draw, seed)
    return word * WORD


def look_around(d: Desk) -> None:
    """Count who could attack each province: what all powers see alike."""
    strength, owner, stances, helps_at, helps = d.mind.strength, d.game.owner, d.game.stance, d.t.helps_at, d.t.helps
    strength[:] = 0
    for r in range(1, d.game.tally[COUNT] + 1):
        if owner[r]:
            for i in range(helps_at[stances[r]], helps_at[stances[r] + 1]):
                strength[helps[i], owner[r]] += 1


def value_places(d: Desk, power: int, last: bool, seed: int, number: int, draw: int) -> int:
    """Work out what every stance is worth to a power in this position, bent by its whims; the number of the next draw.

    `last` says that owners are counted before the next movement.
    """
    _weigh_centres(d, power)
    _sum_rings(d, 1 if last else 0)
    value, total, stances, bent = d.mind.value, d.mind.total, d.lore.stance, d.lore.tastes[WHIM]
    value[:] = 0.0
    for n in range(len(total)):
        stance = int(stances[n])
        value[stance] = total[n] * (1 + bent * (2 * whim(seed, number, draw + stance) - 1))
    return draw + len(value)


def _weigh_centres(d: Desk, power: int) -> None:
    worth, strongest, strength = d.mind.worth, d.mind.strongest, d.mind.strength
    centres, holders, tastes, centre = d.game.centres, d.game.holder, d.lore.tastes, d.t.centre
    largest = 1
    for other in range(1, len(centres)):
        largest = max(largest, int(centres[other]))
    for place in range(len(worth)):
        most = 0
        for other in range(1, len(centres)):
            if other != power:
                most = max(most, int(strength[place, other]))
        strongest[place] = most
        worth[place] = 0.0
        if centre[place]:
            holder = holders[place]
            if holder == power:
                worth[place] = tastes[KEEPING] * min(2, most) / 2
            elif holder:
                worth[place] = tastes[TAKING] + tastes[LEADER] * centres[holder] / largest
            else:
                worth[place] = 1.0


def _sum_rings(d: Desk, row: int) -> None:
    """The worth of every node (`total`): of its own province, and of ring after ring around it."""
    lore, weights, nodes = d.lore, d.lore.weights[row], len(d.lore.stance)
    numbers, ring, total, share = d.mind.numbers, d.mind.ring, d.mind.total, lore.share
    source_at, source = lore.source_at, lore.source
    for n in range(nodes):
        ring[n] = d.mind.worth[d.t.place[lore.stance[n]]] * lore.owns[n]
        total[n] = weights[0] * ring[n]
    for k in range(1, len(weights)):
        _spread(ring, numbers, lore.faint, lore.split_at, lore.split)
        for n in range(nodes):
            around = 0.0
            for i in range(source_at[n], source_at[n + 1]):
                around += numbers[source[i]]
            ring[n] = around * share[n]
            total[n] += weights[k] * ring[n]


def _spread(ring: Reals, numbers: Reals, faint: Reals, split_at: Numbers, split: Numbers) -> None:
    """Write down what the next ring is summed up from: the last, fainter by leaps, and the best of each two coasts."""
    nodes = end = len(ring)
    for n in range(nodes):  # a slice could be of another length, which takes the compiler seconds to provide for
        numbers[n] = ring[n]
    for layer in range(len(faint)):
        for n in range(nodes):
            numbers[end + n] = faint[layer] * ring[n]
        end += nodes
    for coasts in range(len(split_at) - 1):
        best = ring[split[split_at[coasts]]]
        for i in range(split_at[coasts] + 1, split_at[coasts + 1]):
            best = max(best, ring[split[i]])
        numbers[end + coasts] = best


def expect(d: Desk, power: int, seed: int, number: int, draw: int) -> int:
    """Work out how likely nobody comes to each province (`calm`), not quite surely; the number of the next draw."""
    calm, came, calm_at, found = d.mind.calm, d.mind.came, d.mind.calm_at, 0
    value, place, reach_at, reach = d.mind.value, d.t.place, d.t.reach_at, d.t.reach
    owner, stances = d.game.owner, d.game.stance
    calm[:] = 1.0
    came[:] = 0
    for r in range(1, d.game.tally[COUNT] + 1):
        if owner[r] and owner[r] != power:
            first, last, total = reach_at[stances[r]], reach_at[stances[r] + 1], 0.0
            for i in range(first, last):
                total += value[reach[i]]
            total += value[stances[r]]
            if total == 0.0:
                total = 1.0
            for i in range(first, last):
                end = place[reach[i]]
                if not came[end]:
                    came[end] = 1
                    calm_at[found] = end
                    found += 1
                calm[end] *= 1 - value[reach[i]] / total
    for i in range(found):
        likely, guess = calm[calm_at[i]], 0.5
        if d.lore.tastes[WHIM]:  # who has no whims does not draw for them
            guess = whim(seed, number, draw)
            draw += 1
        calm[calm_at[i]] = likely * (1 + DOUBT * (1 - likely) * (2 * guess - 1))
    return draw
