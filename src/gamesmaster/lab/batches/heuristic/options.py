"""What a power's units may do in a movement, over flat tables: what `players.options` does, and where a plan begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.judge.engine.kernel import HOLD, MOVE, SUPPORT
from gamesmaster.lab.batches.heuristic.lore import ABOUT, MINE, TO, VERB, VOYAGES, WAYS, WITH, Desk, Plan
from gamesmaster.lab.batches.heuristic.survey import outlook_of
from gamesmaster.lab.batches.orders import across, crosses, may_carry, may_help, touches
from gamesmaster.lab.batches.state import COUNT, VIA
from gamesmaster.players.options import MOST_MOVES
from gamesmaster.players.outlook import enters, keeps

if TYPE_CHECKING:
    from gamesmaster.lab.batches.state import Line, Sheet
    from gamesmaster.lab.batches.tables import Flags, Numbers


def plan_of(d: Desk, power: int) -> Plan:
    """The columns that a power's plan is weighed by."""
    game, m = d.game, d.mind
    return Plan(
        outlook_of(d, power), d.t.place, game.verb, game.to, game.about, game.stance, game.owner, m.value,
        m.here, m.stays, m.expected, m.own, m.first, m.after, m.behind, m.voyage, m.mine,
        m.mark, m.queue, m.helped, m.trial, m.chain_at, m.chain, m.counts,
    )  # fmt: skip


def begin(d: Desk, p: Plan, power: int) -> None:
    """A plan in which every unit holds, with nothing listed yet."""
    counts, voyage, after, mine, turns, content = p.counts, p.voyage, p.after, p.mine, d.mind.turns, d.mind.content
    p.own[:] = 0
    p.first[:] = 0
    counts[:] = 0
    p.chain_at[0] = p.chain_at[1] = 0
    for r in range(1, d.game.tally[COUNT] + 1):
        if p.owner[r] == power:
            mine[counts[MINE]] = turns[counts[MINE]] = r
            counts[MINE] += 1
            place = p.place[p.stance[r]]
            p.own[place] = r
            p.helped[r, :] = 0
            voyage[r] = after[r] = content[r] = 0
            p.here[r], p.stays[r] = p.value[p.stance[r]], keeps(p.look, place, 1)
            p.expected[r] = p.stays[r] * p.here[r]


def list_ways(d: Desk, p: Plan, r: int) -> None:
    """List what a unit could do: hold, help another, move, alone or supported, or sail."""
    m, t, stance = d.mind, d.t, p.stance[r]
    m.way_at[r] = p.counts[WAYS]
    _add(m.ways, p.counts, HOLD, -1, 0, 0)
    _list_supports(d, r)
    _list_moves(p, m.ways, r, t.reach[t.reach_at[stance] : t.reach_at[stance + 1]], t.near)
    if t.army[stance] and t.port[t.place[stance]] and d.s.groups[0]:
        _list_voyages(d, r)
    m.way_end[r] = p.counts[WAYS]


def _add(ways: Sheet, counts: Numbers, verb: int, to: int, about: int, partner: int) -> None:
    n = counts[WAYS]
    if n < ways.shape[1]:
        ways[VERB, n], ways[TO, n], ways[ABOUT, n], ways[WITH, n] = verb, to, about, partner
        counts[WAYS] += 1


def _list_supports(d: Desk, r: int) -> None:
    t, s, stances, owners, near = d.t, d.s, d.game.stance, d.game.owner, d.t.near
    for i in range(t.helps_at[stances[r]], t.helps_at[stances[r] + 1]):
        place = t.helps[i]
        for k in range(s.helped[place]):
            other, to = s.help_row[place, k], s.help_to[place, k]
            if (
                other != r
                and owners[other] == owners[r]
                and (to < 0 or near[stances[other], place] or may_help(t, d.game, s, r, place, other, to))
            ):
                _add(d.mind.ways, d.mind.counts, SUPPORT, to, other, 0)


def _list_moves(p: Plan, ways: Sheet, r: int, reach: Numbers, near: Flags) -> None:
    """The moves of a unit to the places that are worth most to it, the best first, each with every supporter."""
    value, seen = p.value, p.behind
    for i in range(len(reach)):
        seen[i] = 0
    for _ in range(min(MOST_MOVES, len(reach))):
        best = -1
        for i in range(len(reach)):
            if not seen[i] and (best < 0 or value[reach[i]] > value[reach[best]]):
                best = i
        seen[best] = 1
        to, into = reach[best], p.place[reach[best]]
        _add(ways, p.counts, MOVE, to, 0, 0)
        if enters(p.look, into, 1) < 1:
            for i in range(p.counts[MINE]):
                other = p.mine[i]
                if other != r and near[p.stance[other], into]:
                    _add(ways, p.counts, MOVE, to, 0, other)


def _list_voyages(d: Desk, r: int) -> None:
    """The moves of a unit to where no step leads and its own side's fleets could carry it."""
    s, stance = d.s, d.game.stance[r]
    here = d.t.place[stance]
    for g in range(1, s.groups[0] + 1):
        if touches(s, g, here):
            for i in range(s.shores[g]):
                shore = s.shore[g, i]
                if not d.t.near[stance, shore] and crosses(s, g, here, shore):
                    voyage = _voyage(d, here, shore)
                    if voyage:
                        _add(d.mind.ways, d.mind.counts, VIA, across(d.t, stance, shore), 0, voyage)


def _voyage(d: Desk, a: int, b: int) -> int:
    """The number of a voyage by the shortest chain of the power's fleets that may carry it; 0 if there is none."""
    came, own, queue, link, size = d.mind.came, d.mind.own, d.mind.queue, d.t.link, len(d.mind.own)
    found = done = 0
    came[:] = 0  # by water: whence it was reached, one more than its province; or that it could be
    for water in range(len(own)):
        if own[water] and d.t.carries[d.game.stance[own[water]]] and may_carry(d.t, d.s, water, a, b):
            came[water] = -1
            if link[a * size + water]:
                came[water] = water + 1
                queue[found] = water
                found += 1
    while done < found:
        here = queue[done]
        done += 1
        if link[b * size + here]:
            return _chain(d.mind.counts, d.mind.chain_at, d.mind.chain, own, came, here)
        for water in range(len(own)):
            if came[water] < 0 and link[water * size + here]:
                came[water] = here + 1
                queue[found] = water
                found += 1
    return 0


def _chain(counts: Numbers, chain_at: Numbers, chain: Line, own: Line, came: Line, last: int) -> int:
    """Write down the fleets by which a water was reached, as a new voyage; its number, 0 if there is no room."""
    here, length = last, 1
    while came[here] != here + 1:
        here = came[here] - 1
        length += 1
    voyage = counts[VOYAGES] + 1
    end = chain_at[voyage] + length
    if voyage + 1 >= len(chain_at) or end > len(chain):
        return 0
    here = last
    for i in range(length):
        chain[end - 1 - i] = own[here]
        here = came[here] - 1
    chain_at[voyage + 1] = end
    counts[VOYAGES] = voyage
    return int(voyage)
