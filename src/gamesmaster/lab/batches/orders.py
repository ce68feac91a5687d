"""Lawful orders of a phase of movement, over flat tables: the sets that `judge.legal` lists, drawn from by lot.

As there, what might be lawful is numbered, and it is seen of the one that is drawn whether it is.
"""

from __future__ import annotations

from gamesmaster.judge.engine.choices import EVERY_ROUTE
from gamesmaster.judge.engine.convoys import clear, find_minimal, find_simple, joined
from gamesmaster.judge.engine.kernel import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.lab.batches.chance import below
from gamesmaster.lab.batches.state import COUNT, DRAWS, VIA, Game, Scratch, search_of
from gamesmaster.lab.batches.tables import Tables, seas_of


def draw_movement(t: Tables, game: Game, s: Scratch, seed: int, number: int) -> None:
    """Give every unit of a power one of its lawful orders, each as likely as the others; others hold."""
    survey(t, game, s)
    draws = game.tally[DRAWS]
    for r in range(1, game.tally[COUNT] + 1):
        game.verb[r], game.to[r], game.about[r] = HOLD, -1, 0
        if game.owner[r] and not game.silent[game.owner[r]]:
            most = offers(t, game, s, r)
            while True:
                ok, verb, to, about = offer(t, game, s, r, below(most, seed, number, draws))
                draws += 1
                if ok:
                    break
            game.verb[r], game.to[r], game.about[r] = verb, to, about
    game.tally[DRAWS] = draws


def survey(t: Tables, game: Game, s: Scratch) -> None:
    """Work out what the units share: who stands where, which fleets are joined, what could be helped in each place."""
    s.tenant[:] = 0
    s.helped[:] = 0
    fleets = 0
    for r in range(1, game.tally[COUNT] + 1):
        stance = game.stance[r]
        place = t.place[stance]
        s.tenant[place] = r
        _list_help(s, place, r, -1)
        for i in range(t.reach_at[stance], t.reach_at[stance + 1]):
            _list_help(s, t.place[t.reach[i]], r, t.reach[i])
        if t.carries[stance]:
            s.fleet[fleets] = place
            fleets += 1
    _group(t, s, fleets)
    if fleets:
        for r in range(1, game.tally[COUNT] + 1):
            if t.army[game.stance[r]]:
                _list_crossings(t, s, r, game.stance[r])


def _list_help(s: Scratch, place: int, r: int, to: int) -> None:
    s.help_row[place, s.helped[place]] = r
    s.help_to[place, s.helped[place]] = to
    s.helped[place] += 1


def _list_crossings(t: Tables, s: Scratch, r: int, stance: int) -> None:
    """Enter an army among the loads of the fleets it could go by, and among what may be helped across."""
    here = t.place[stance]
    for g in range(1, s.groups[0] + 1):
        if s.touched[g, here] and t.port[here]:
            s.load[g, s.loads[g]] = r
            s.loads[g] += 1
            for i in range(s.shores[g]):
                goal = s.shore[g, i]
                if not t.near[stance, goal] and crosses(s, g, here, goal):
                    _list_help(s, goal, r, across(t, stance, goal))


def crosses(s: Scratch, g: int, here: int, goal: int) -> bool:
    """Do this group's fleets join two shores that no earlier group does?"""
    if here == goal:
        return False
    for earlier in range(1, g):  # noqa: SIM110 (machine code has no generators)
        if s.touched[earlier, here] and s.touched[earlier, goal]:
            return False
    return True


def across(t: Tables, stance: int, goal: int) -> int:
    """The stance of an army once it has come to another province."""
    return int(stance - t.bare[t.place[stance]] + t.bare[goal])


def _group(t: Tables, s: Scratch, fleets: int) -> None:
    """Gather the waters that fleets join, and note what each group touches."""
    groups, size = 0, len(s.tenant)
    for i in range(fleets):
        s.group[s.fleet[i]] = 0
    for first in range(fleets):
        if s.group[s.fleet[first]]:
            continue
        groups += 1
        s.touched[groups, :] = 0
        s.group[s.fleet[first]] = groups
        s.water[groups, 0] = s.fleet[first]
        count, done = 1, 0
        while done < count:
            here = s.water[groups, done]
            done += 1
            for place in range(size):
                s.touched[groups, place] |= t.touch[here, place]
            for i in range(fleets):
                if t.touch[here, s.fleet[i]] and not s.group[s.fleet[i]]:
                    s.group[s.fleet[i]] = groups
                    s.water[groups, count] = s.fleet[i]
                    count += 1
        s.waters[groups] = count
        s.loads[groups] = shores = 0
        for place in range(size):
            if s.touched[groups, place] and t.port[place]:
                s.shore[groups, shores] = place
                shores += 1
        s.shores[groups] = shores
    s.groups[0] = groups


def offers(t: Tables, game: Game, s: Scratch, r: int) -> int:
    """How many orders for row r might be lawful: `offer` tells of each, from 0, whether it is."""
    stance = game.stance[r]
    here = t.place[stance]
    found = 1 + t.reach_at[stance + 1] - t.reach_at[stance]
    for i in range(t.helps_at[stance], t.helps_at[stance + 1]):
        found += s.helped[t.helps[i]]
    if t.carries[stance]:
        found += s.loads[s.group[here]] * s.shores[s.group[here]]
    elif t.army[stance] and t.port[here]:
        for g in range(1, s.groups[0] + 1):
            if s.touched[g, here]:
                found += s.shores[g]
    return int(found)


def offer(t: Tables, game: Game, s: Scratch, r: int, n: int) -> tuple[bool, int, int, int]:
    """Order number n of those that row r might be given: is it lawful, and its columns `verb`, `to` and `about`."""
    stance = game.stance[r]
    if n == 0:
        return True, HOLD, -1, 0
    n -= 1
    steps = t.reach_at[stance + 1] - t.reach_at[stance]
    if n < steps:
        return True, MOVE, t.reach[t.reach_at[stance] + n], 0
    n -= steps
    for i in range(t.helps_at[stance], t.helps_at[stance + 1]):
        place = t.helps[i]
        if n < s.helped[place]:
            other, to = s.help_row[place, n], s.help_to[place, n]
            return may_help(t, game, s, r, place, other, to), SUPPORT, to, other
        n -= s.helped[place]
    here = t.place[stance]
    if t.carries[stance]:
        g = s.group[here]
        other, goal = s.load[g, n // s.shores[g]], s.shore[g, n % s.shores[g]]
        start = game.stance[other]
        return may_carry(t, s, here, t.place[start], goal), CONVOY, across(t, start, goal), other
    for g in range(1, s.groups[0] + 1):
        if s.touched[g, here]:
            if n < s.shores[g]:
                return crosses(s, g, here, s.shore[g, n]), VIA, across(t, stance, s.shore[g, n]), 0
            n -= s.shores[g]
    return False, HOLD, -1, 0


def may_help(t: Tables, game: Game, s: Scratch, r: int, place: int, other: int, to: int) -> bool:
    """May row r support what is listed in this place: not itself, nor what it must carry itself (STD-4.j)?"""
    start = game.stance[other]
    if other == r or to < 0 or t.near[start, place] or not t.carries[game.stance[r]]:
        return other != r
    here, a = t.place[game.stance[r]], t.place[start]
    for g in range(1, s.groups[0] + 1):
        if s.touched[g, a] and s.touched[g, place]:
            if s.group[here] != g:
                return True
            if joined(seas_of(t), s.water[g], s.waters[g], a, place, here, search_of(s)):
                return True
    return False


def may_carry(t: Tables, s: Scratch, water: int, a: int, b: int) -> bool:
    """Does some route from shore `a` to shore `b` need the fleet in this water (STD-4.i)?"""
    if a == b:
        return False
    if t.touch[water, a] and t.touch[water, b]:
        return True
    g, search = s.group[water], search_of(s)
    if t.book[EVERY_ROUTE]:
        find_simple(seas_of(t), s.water[g], s.waters[g], a, b, search)
    else:
        find_minimal(seas_of(t), s.water[g], s.waters[g], a, b, water, search)
    needed = search.found[water] != 0
    clear(s.water[g], s.waters[g], search.found)
    return needed
