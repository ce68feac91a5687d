"""The heuristic player's orders for a movement, over flat tables: what `players.tactics` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.judge.engine.kernel import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.lab.batches.chance import below
from gamesmaster.lab.batches.heuristic.lore import (
    ABOUT,
    MINE,
    NEW_ABOUT,
    NEW_TO,
    NEW_VERB,
    NEW_VOYAGE,
    ROW,
    TO,
    VERB,
    WITH,
    Desk,
)
from gamesmaster.lab.batches.heuristic.options import begin, list_ways, plan_of
from gamesmaster.lab.batches.heuristic.plan import comes, goal, goes, hope, weigh
from gamesmaster.lab.batches.state import VIA
from gamesmaster.players.plan import GAIN, MOST_ROUNDS

if TYPE_CHECKING:
    from gamesmaster.lab.batches.heuristic.lore import Plan
    from gamesmaster.lab.batches.state import Line, Sheet
    from gamesmaster.lab.batches.tables import Numbers


def settle(d: Desk, power: int, seed: int, number: int, draw: int) -> None:
    """Give the units of a power the best orders that can be found, beginning with holding.

    What everybody sees alike must have been surveyed, places valued, and others' moves be expected.
    """
    p, m = plan_of(d, power), d.mind
    begin(d, p, power)
    for i in range(p.counts[MINE]):
        list_ways(d, p, p.mine[i])
    _better_all(p, m.turns, m.content, m.ways, m.way_at, m.way_end, seed, number, draw)
    while _stopped(p, m.turns, True) or _stopped(p, m.turns, False):
        pass


def _better_all(
    p: Plan, turns: Line, content: Line, ways: Sheet, way_at: Numbers, way_end: Numbers, seed: int, number: int,
    draw: int,
) -> None:  # fmt: skip
    """Better the plan unit by unit, in an order drawn by lot, until nothing makes it better."""
    units = p.counts[MINE]
    contented = 0
    for _ in range(MOST_ROUNDS):
        for i in range(units - 1, 0, -1):
            k = below(i + 1, seed, number, draw)
            draw += 1
            turns[i], turns[k] = turns[k], turns[i]
        for i in range(units):
            r = turns[i]
            if content[r]:
                continue
            best = _best(p, ways, r, way_at[r], way_end[r])
            if best >= 0:
                weigh(p, _try_on(ways, p.trial, p.chain_at, p.chain, r, best), True)
                contented = 0
                for k in range(units):
                    content[turns[k]] = 0
            else:
                contented += 1
                content[r] = 1
        if contented == units:
            break


def _best(p: Plan, ways: Sheet, r: int, first: int, last: int) -> int:
    """What a unit, and others with it, could do to make the plan best, by its number; -1 if that is what they do."""
    most, best = 0.0, -1
    verb, to, trial, chain_at, chain = p.verb, p.to, p.trial, p.chain_at, p.chain
    for way in range(first, last):
        if ways[VERB, way] == SUPPORT and goal(verb, to, ways[ABOUT, way]) != ways[TO, way]:
            continue
        changes = _try_on(ways, trial, chain_at, chain, r, way)
        if hope(p, changes) > most:
            gain = weigh(p, changes, False)
            if gain > most + GAIN:
                most, best = gain, way
    return best


def _try_on(ways: Sheet, trial: Sheet, chain_at: Numbers, chain: Line, r: int, way: int) -> int:
    """Write what a unit could do into the trial, with what others do for it; how many orders that changes."""
    verb, to, about, partner = ways[VERB, way], ways[TO, way], ways[ABOUT, way], ways[WITH, way]
    _set(trial, 0, r, verb, to, about, partner if verb == VIA else 0)
    if verb == VIA:
        first, last = chain_at[partner], chain_at[partner + 1]
        for i in range(first, last):
            _set(trial, 1 + i - first, chain[i], CONVOY, to, r, 0)
        return int(1 + last - first)
    if verb == MOVE and partner:
        _set(trial, 1, partner, SUPPORT, to, r, 0)
        return 2
    return 1


def _set(trial: Sheet, i: int, r: int, verb: int, to: int, about: int, voyage: int) -> None:
    trial[ROW, i], trial[NEW_VERB, i], trial[NEW_TO, i] = r, verb, to
    trial[NEW_ABOUT, i], trial[NEW_VOYAGE, i] = about, voyage


def _stopped(p: Plan, stopped: Line, of_moves: bool) -> int:
    """Let all moves that cannot come true, or all helps that match nothing, be holds; how many there were."""
    verb, to, about, found = p.verb, p.to, p.about, 0
    for i in range(p.counts[MINE]):
        r = p.mine[i]
        if goes(verb[r]):
            vain = of_moves and comes(p, r) == 0.0
        else:
            vain = not of_moves and about[r] > 0 and goal(verb, to, about[r]) != to[r]
        if vain:
            stopped[found] = r
            found += 1
    for i in range(found):
        _set(p.trial, 0, stopped[i], HOLD, -1, 0, 0)
        weigh(p, 1, True)
    return found
