"""A game's columns as `players.outlook` takes them: what places are worth to a power, and what it expects of others."""

from __future__ import annotations

from gamesmaster.lab.batches.chance import part
from gamesmaster.lab.batches.heuristic.lore import KEEPING, LEADER, TAKING, WHIM, Desk
from gamesmaster.lab.batches.state import COUNT
from gamesmaster.lab.batches.tables import steps_of
from gamesmaster.players.outlook import Outlook, Rings, bend, doubt, expect, look_as, rank, sum_rings, weigh_centres


def look_around(d: Desk) -> None:
    """Work out what all powers see alike: who stands where, and who could attack what."""
    t, m, owner, stances, powers = d.t, d.mind, d.game.owner, d.game.stance, len(d.lore.leaves)
    m.strength[:] = 0
    m.standing[:] = 0
    for r in range(1, d.game.tally[COUNT] + 1):
        steps = steps_of(t, powers - 1, stances[r])  # where nothing is closed
        m.begins[r], m.ends[r] = t.reach_at[steps], t.reach_at[steps + 1]
        m.standing[t.place[stances[r]]] = owner[r] if owner[r] else powers - 1
        if owner[r]:
            for i in range(t.helps_at[steps], t.helps_at[steps + 1]):
                m.strength[t.helps[i] * powers + owner[r]] += 1
    rank(m.strength, powers, m.leader, m.most, m.second)


def outlook_of(d: Desk, power: int) -> Outlook:
    """The columns of a power's outlook."""
    m, lore = d.mind, d.lore
    powers, width = len(lore.leaves), lore.width[0]
    return Outlook(power, powers, width, lore.box, m.standing, m.strength, lore.leaves, m.strongest, m.calm, lore.fewer)


def value_places(d: Desk, power: int, last: bool, seed: int, number: int, draw: int) -> int:
    """Work out what every stance is worth to a power in this position, bent by its whims; the number of the next draw.

    `last` says that owners are counted before the next movement.
    """
    m, t, tastes, nodes = d.mind, d.t, d.lore.tastes, d.lore.charts[d.lore.chart[power]]
    value, guesses, numbers, rings, count = m.value, m.guesses, nodes.stance, nodes.rings, len(nodes.stance)
    total, ring, share = m.total[:count], m.ring[:count], m.share[:count]
    look_as(power, m.leader, m.most, m.second, m.strongest)
    weigh_centres(
        m.worth, t.centre, d.game.holder, d.game.centres, m.strongest, power,
        tastes[TAKING], tastes[LEADER], tastes[KEEPING],
    )  # fmt: skip
    for n in range(count):
        place = t.place[numbers[n]]
        ring[n] = m.worth[place] * d.safe[power, place] * nodes.owns[n]
        share[n] = rings.share[n] * d.safe[power, place]
        guesses[n] = part(seed, number, draw + int(numbers[n]))
    weights = d.lore.weights[1 if last else 0]
    sum_rings(total, ring, m.numbers, weights, Rings(share, rings.ways, rings.faint, rings.split_at, rings.split))
    bend(total, total, guesses, tastes[WHIM])
    value[:] = 0.0
    for n in range(count):
        value[numbers[n]] = total[n]
    return draw + len(value)


def look_ahead(d: Desk, power: int, seed: int, number: int, draw: int) -> int:
    """Work out how likely nobody comes to each province (`calm`), not quite surely; the number of the next draw."""
    m, last = d.mind, d.game.tally[COUNT] + 1
    m.calm[:] = 1.0
    m.came[:] = 0
    owners, states = d.game.owner[:last], d.game.stance
    found = expect(
        power, m.value, d.t.place, owners, states, m.begins, m.ends, d.t.reach, m.calm, m.came, m.calm_at
    )  # fmt: skip
    whims = bool(d.lore.tastes[WHIM])  # who has none does not draw for them
    for i in range(found):
        m.guesses[i] = part(seed, number, draw + i) if whims else 0.5
    doubt(m.calm, m.calm_at, m.guesses, found)
    return draw + found if whims else draw
