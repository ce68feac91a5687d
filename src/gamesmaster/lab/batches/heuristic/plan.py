"""The heuristic player's plan for a movement, over the game's columns of orders: what `players.plan` does.

A row's order is what its unit is to do; its `goal` is the stance it goes to, -1 if it stays.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from gamesmaster.judge.engine.kernel import CONVOY, MOVE, SUPPORT
from gamesmaster.lab.batches.heuristic.lore import (
    MINE,
    NEW_ABOUT,
    NEW_TO,
    NEW_VERB,
    ROW,
    UNDER_WAY,
    WAS_ABOUT,
    WAS_TO,
    WAS_VERB,
    WAS_VOYAGE,
    Plan,
)
from gamesmaster.lab.batches.state import VIA
from gamesmaster.players.outlook import enters, keeps

if TYPE_CHECKING:
    from gamesmaster.lab.batches.heuristic.lore import Reals
    from gamesmaster.lab.batches.state import Line, Sheet
    from gamesmaster.lab.batches.tables import Numbers


def goes(verb: int) -> bool:
    """Is this the verb of a move, by land or by sea?"""
    return bool(verb == MOVE) or bool(verb == VIA)


def goal(verb: Line, to: Line, r: int) -> int:
    """What help for a unit must name: the stance it goes to, -1 if it stays."""
    return int(to[r]) if goes(verb[r]) else -1


def _best_of(value: Reals, here: float, verb: int, to: int) -> float:
    """What a unit could have of an order at the very most, its place being worth so much to it."""
    return float(max(value[to] if goes(verb) else here, here, 0.0))


def _change(p: Plan, changes: int, column: int) -> None:
    """Write down what the units of a trial are to do now (column `NEW_VERB`), or did before (`WAS_VERB`)."""
    trial, verb, to, about, voyage = p.trial, p.verb, p.to, p.about, p.voyage
    for i in range(changes):
        r = trial[ROW, i]
        for by in (-1, 1):
            if by > 0:
                verb[r], to[r], about[r] = trial[column, i], trial[column + 1, i], trial[column + 2, i]
                voyage[r] = trial[column + 3, i]
            if verb[r] == SUPPORT:
                p.helped[about[r], to[r] + 1] += by
            elif goes(verb[r]):
                p.counts[UNDER_WAY] += by * (voyage[r] > 0)
                _bind(p.first, p.after, p.place[to[r]], r, by)


def _bind(first: Line, after: Line, into: int, r: int, by: int) -> None:
    """Enter a unit in the list of those bound for a province, or strike it out."""
    if by > 0:
        after[r] = first[into]
        first[into] = r
    elif first[into] == r:
        first[into] = after[r]
    else:
        before = first[into]
        while after[before] != r:
            before = after[before]
        after[before] = after[r]


def _remember(p: Plan, changes: int) -> None:
    """Keep in a trial what its units do now."""
    trial, verb, to, about, voyage = p.trial, p.verb, p.to, p.about, p.voyage
    for i in range(changes):
        r = trial[ROW, i]
        trial[WAS_VERB, i], trial[WAS_TO, i] = verb[r], to[r]
        trial[WAS_ABOUT, i], trial[WAS_VOYAGE, i] = about[r], voyage[r]


def weigh(p: Plan, changes: int, put: bool) -> float:
    """By how much the plan would be better with the changes of the trial; `put` makes them."""
    mine, mark, expected, gained = p.mine, p.mark, p.expected, 0.0
    _remember(p, changes)
    _change(p, changes, NEW_VERB)
    _mark_touched(p, changes)
    for i in range(p.counts[MINE]):
        r = mine[i]
        if mark[r]:
            mark[r] = 0
            now = _expects(p, r)
            gained += now - expected[r]
            if put:
                expected[r] = now
    if not put:
        _change(p, changes, WAS_VERB)
    return gained


def hope(p: Plan, changes: int) -> float:
    """What could be gained at the very most with the changes of the trial: found without trying.

    Without bounds where it could do others good, too, that somebody makes way.
    """
    trial, value, here, expected, gain = p.trial, p.value, p.here, p.expected, 0.0
    verb, to, first, place = p.verb, p.to, p.first, p.place
    for i in range(changes):
        r, about = trial[ROW, i], trial[NEW_ABOUT, i]
        if (goes(verb[r]) and crowded(first, p.after, place[to[r]])) or first[place[p.stance[r]]]:
            return inf
        gain += _best_of(value, here[r], trial[NEW_VERB, i], trial[NEW_TO, i]) - expected[r]
        if about and not _among(trial, changes, about):
            gain += _best_of(value, here[about], verb[about], to[about]) - expected[about]
    return gain


def _among(trial: Sheet, changes: int, r: int) -> bool:
    for i in range(changes):  # noqa: SIM110 (machine code has no generators)
        if trial[ROW, i] == r:
            return True
    return False


def _mark_touched(p: Plan, changes: int) -> None:
    """Mark the units that may expect something else after the changes.

    Those changed; those they help or stand off, before or now; and whoever waits for any of these.
    """
    trial, place, mine, mark, queue, found, done = p.trial, p.place, p.mine, p.mark, p.queue, 0, 0
    for i in range(changes):
        found = _push(mark, queue, trial[ROW, i], found)
        for column in (WAS_VERB, NEW_VERB):
            to, about = trial[column + 1, i], trial[column + 2, i]
            if goes(trial[column, i]):
                found = _push_bound(p.first, p.after, place[to], mark, queue, found)
            elif about:
                found = _push(mark, queue, about, found)
    while done < found:
        r = queue[done]
        done += 1
        found = _push_bound(p.first, p.after, place[p.stance[r]], mark, queue, found)
        for i in range(p.counts[MINE] if p.counts[UNDER_WAY] else 0):
            if _sails_by(p.voyage[mine[i]], p.chain_at, p.chain, r):
                found = _push(mark, queue, mine[i], found)


def _push(mark: Line, queue: Line, r: int, found: int) -> int:
    if mark[r]:
        return found
    mark[r] = 1
    queue[found] = r
    return found + 1


def _push_bound(first: Line, after: Line, place: int, mark: Line, queue: Line, found: int) -> int:
    r = first[place]
    while r:
        found = _push(mark, queue, r, found)
        r = after[r]
    return found


def _sails_by(voyage: int, chain_at: Numbers, chain: Line, fleet: int) -> bool:
    """Does a voyage need this fleet?"""
    for i in range(chain_at[voyage], chain_at[voyage + 1]):  # noqa: SIM110 (machine code has no generators)
        if chain[i] == fleet:
            return True
    return False


# -- what comes of it ------------------------------------------------------------------------------------------------


def crowded(first: Line, after: Line, place: int) -> bool:
    """Are several units bound for a province?"""
    return bool(first[place] and after[first[place]])


def _expects(p: Plan, r: int) -> float:
    """What a unit may expect of the plan as it is."""
    if goes(p.verb[r]):
        likely = comes(p, r)
        return float(likely * p.value[p.to[r]] + (1 - likely) * p.stays[r] * p.here[r])
    place = p.place[p.stance[r]]
    return float(keeps(p.look, place, 1 + p.helped[r, 0]) * p.here[r])


def comes(p: Plan, r: int) -> float:
    """How likely a move comes true, as likely as what it waits for, unit behind unit; a ring of them all come."""
    place, verb, to, stance, voyage, behind = p.place, p.verb, p.to, p.stance, p.voyage, p.behind
    now, depth = r, 0
    while True:
        into = place[to[now]]
        if crowded(p.first, p.after, into):
            return 0.0
        behind[depth] = now
        depth += 1
        standing = p.own[into]
        if not standing or standing == r:
            break
        if not goes(verb[standing]):
            return 0.0
        if place[to[standing]] == place[stance[now]] and not (voyage[now] or voyage[standing]):
            return 0.0  # they would change places
        now = standing
    likely = 1.0
    for i in range(depth - 1, -1, -1):
        now = behind[i]
        likely = enters(p.look, place[to[now]], 1 + p.helped[now, to[now] + 1]) * likely
        for k in range(p.chain_at[voyage[now]], p.chain_at[voyage[now] + 1]):
            fleet = p.chain[k]
            if verb[fleet] != CONVOY or p.about[fleet] != now or to[fleet] != to[now]:
                return 0.0
            likely *= p.stays[fleet]
    return likely
