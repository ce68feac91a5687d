"""Random legal orders of a movement phase, over flat tables, drawn from the sets that `judge.legal` lists.

As there, candidates are numbered, and the one that is drawn is checked by the same rules (`engine`).
"""

from __future__ import annotations

from typing import Any

from gamesmaster.batches.chance import deal, share
from gamesmaster.batches.state import COUNT, DRAWS, VIA, Game, Scratch
from gamesmaster.batches.tables import Tables, steps_of
from gamesmaster.engine import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.engine.company import is_meant
from gamesmaster.engine.convoys import group_waters
from gamesmaster.engine.support_rules import is_first_crossing, may_convoy, may_support
from gamesmaster.rules import DRAWN, NO_MOVES, NO_STEPS, NO_SUPPORTS

UNASKED_FOR = 2
"""How many entries of a list are read before it is asked how long it is: most are short, and to branch takes longer."""


def draw_movement(t: Tables, game: Game, s: Scratch, seed: int, number: int) -> None:
    """Give every unit of a power one of its legal orders, all equally likely; other units hold."""
    survey(t, game, s)
    draws = dealt = int(game.tally[DRAWS])
    deal(s.words, seed, number, dealt)
    for r in range(1, game.tally[COUNT] + 1):
        game.orders.verb[r], game.orders.to[r], game.orders.about[r] = HOLD, -1, 0
        if game.units.owner[r] and not game.powers.silent[game.units.owner[r]]:
            most = offers(t, game, s, r)
            while True:
                if draws - dealt == len(s.words):
                    dealt = draws
                    deal(s.words, seed, number, dealt)
                ok, verb, to, about = offer(t, game, s, r, share(s.words[draws - dealt], most))
                draws += 1
                if ok:
                    break
            game.orders.verb[r], game.orders.to[r], game.orders.about[r] = verb, to, about
    game.tally[DRAWS] = draws


def survey(t: Tables, game: Game, s: Scratch) -> None:
    """Work out what the units share: who is where, which fleets are joined, and what can be supported in each place."""
    s.tenant[:] = 0
    s.supports.count[:] = 0
    fleets = together = 0
    for r in range(1, game.tally[COUNT] + 1):
        stance = game.units.stance[r]
        place = t.stances.place[stance]
        together |= game.units.aboard[r] | t.lands.shared[place]
        if game.units.aboard[r]:
            steps = steps_of(t, game.units.owner[r], stance)
            for i in range(t.steps.ashore_at[steps], t.steps.ashore_at[steps + 1]):
                _list_help(s, t.stances.place[t.steps.ashore[i]], r, t.steps.ashore[i])
            continue
        s.tenant[place] = r
        _list_help(s, place, r, -1)
        if not game.orders.barred[r] & (NO_MOVES | NO_STEPS):
            steps = steps_of(t, game.units.owner[r], stance)
            for i in range(t.steps.reach_at[steps], t.steps.reach_at[steps + 1]):
                _list_help(s, t.stances.place[t.steps.reach[i]], r, t.steps.reach[i])
        if t.stances.carries[stance]:
            s.search.fleet[fleets] = place
            fleets += 1
    s.supports.alone[0] = not together
    for place in range(len(s.supports.walks)):
        s.supports.walks[place] = s.supports.count[place]
    s.shores.groups[:] = 0
    note_groups(t, s, fleets)
    if fleets:
        _list_shores(t, s)
        for r in range(1, game.tally[COUNT] + 1):
            _list_crossings(t, game, s, r)


def note_groups(t: Tables, s: Scratch, fleets: int) -> None:
    """Note which of the waters in `s.search.fleet` are joined; it has `fleets` of them."""
    groups: Any = s.crossings
    groups.group[:] = 0
    groups.touched[:] = 0
    group_waters(t.seas, s.search.fleet, fleets, groups)


def _list_help(s: Scratch, place: int, r: int, to: int, counts: bool = True) -> None:
    """List what can be supported in a place, if `counts`: writing it in any case is faster than a test."""
    n = s.supports.count[place]
    s.supports.row[place, n], s.supports.to[place, n], s.supports.count[place] = r, to, n + counts


def _list_crossings(t: Tables, game: Game, s: Scratch, r: int) -> None:
    """Add an army to the loads of the fleets that could convoy it, and to the moves by convoy that can be supported."""
    stance = game.units.stance[r]
    here, steps = t.stances.place[stance], steps_of(t, game.units.owner[r], stance)
    waits = (t.stances.army[stance] != 0) & (game.units.aboard[r] == 0)
    waits &= game.orders.barred[r] & (NO_MOVES | NO_STEPS) == 0
    for k in range(s.shores.groups[here] * waits):
        g = s.shores.group[here, k]
        s.shores.army[g, s.shores.armies[g]] = r
        s.shores.armies[g] += 1
        for i in range(s.shores.ports[g]):
            goal = s.shores.port[g, i]
            by_sea = (t.steps.near[steps, goal] == 0) & crosses(s, here, k, goal)
            _list_help(s, goal, r, across(t, stance, goal), by_sea)


def touches(s: Scratch, g: int, place: int) -> bool:
    """Return whether a group of joined waters touches a province."""
    return bool(s.crossings.touched[g * len(s.tenant) + place])


def crosses(s: Scratch, here: int, k: int, goal: int) -> bool:
    """Return whether group k of those that touch a port is the first to join it to another shore."""
    return is_first_crossing(s.crossings, len(s.tenant), here, goal, s.shores.group[here], k)


def across(t: Tables, stance: int, goal: int) -> int:
    """Return the stance of an army once it has come to another province."""
    return int(stance - t.lands.bare[t.stances.place[stance]] + t.lands.bare[goal])


def _list_shores(t: Tables, s: Scratch) -> None:
    """List the ports that each group of joined waters touches, and the groups that touch each port."""
    for g in range(1, s.crossings.groups[0] + 1):
        s.shores.armies[g] = shores = 0
        water, alone = s.crossings.water[s.crossings.start[g]], s.crossings.start[g + 1] - s.crossings.start[g] == 1
        for i in range(t.seas.shore_first[water + 1] - t.seas.shore_first[water] if alone else len(s.tenant)):
            place = t.seas.shores[t.seas.shore_first[water] + i] if alone else i
            if t.lands.port[place] and (alone or touches(s, g, place)):
                s.shores.port[g, shores] = place
                shores += 1
                s.shores.group[place, s.shores.groups[place]] = g
                s.shores.groups[place] += 1
        s.shores.ports[g] = shores


def offers(t: Tables, game: Game, s: Scratch, r: int) -> int:
    """Return the number of orders of row r that might be legal; `offer` checks each, counted from 0."""
    stance = game.units.stance[r]
    here, row = t.stances.place[stance], steps_of(t, game.units.owner[r], stance)
    if game.units.aboard[r]:
        return 1 + int(game.orders.offers[r])
    found = 1 + t.steps.reach_at[row + 1] - t.steps.reach_at[row] + game.orders.offers[r]
    for i in range(t.steps.helps.shape[1]):
        found += s.supports.count[t.steps.helps[row, i]]
    if t.stances.carries[stance]:
        found += s.shores.armies[s.crossings.group[here]] * s.shores.ports[s.crossings.group[here]]
    elif t.stances.army[stance]:
        for k in range(s.shores.groups[here]):
            found += s.shores.ports[s.shores.group[here, k]]
    return int(found)


def most_offers(s: Scratch) -> int:
    """Return how many orders a unit may have at most, apart from those of mechanics; to count them takes longer."""
    helped = convoys = 0
    for place in range(len(s.supports.count)):
        helped += s.supports.count[place]
    for g in range(1, s.crossings.groups[0] + 1):
        convoys = max(convoys, s.shores.armies[g] * s.shores.ports[g])
    return 1 + len(s.listed) + helped + convoys


def offer(t: Tables, game: Game, s: Scratch, r: int, n: int) -> tuple[bool, int, int, int]:
    """Return whether candidate order n of row r is legal, and its columns `verb`, `to` and `about`."""
    stance = game.units.stance[r]
    if n == 0:
        return True, HOLD, -1, 0
    n -= 1
    if game.units.aboard[r]:
        return True, DRAWN, n, 0
    row = steps_of(t, game.units.owner[r], stance)
    steps = t.steps.reach_at[row + 1] - t.steps.reach_at[row]
    moves, supports = not game.orders.barred[r] & (NO_MOVES | NO_STEPS), not game.orders.barred[r] & NO_SUPPORTS
    if n < steps:
        return moves, MOVE, t.steps.reach[t.steps.reach_at[row] + n], 0
    n -= steps
    k, before, total = 0, 0, 0
    for i in range(t.steps.helps.shape[1]):
        total += s.supports.count[t.steps.helps[row, i]]
        if total <= n:
            k, before = k + 1, total
    n -= before
    if k < t.steps.helps.shape[1]:
        place = t.steps.helps[row, k]
        other, to = s.supports.row[place, n], s.supports.to[place, n]
        return supports and may_help(t, game, s, r, place, other, to), SUPPORT, to, other
    here = t.stances.place[stance]
    if t.stances.carries[stance]:
        g = s.crossings.group[here]
        if n < s.shores.armies[g] * s.shores.ports[g]:
            other, goal = s.shores.army[g, n // s.shores.ports[g]], s.shores.port[g, n % s.shores.ports[g]]
            start = game.units.stance[other]
            return may_carry(t, s, here, t.stances.place[start], goal), CONVOY, across(t, start, goal), other
        n -= s.shores.armies[g] * s.shores.ports[g]
    elif t.stances.army[stance]:
        for k in range(s.shores.groups[here]):
            g = s.shores.group[here, k]
            if n < s.shores.ports[g]:
                port = s.shores.port[g, n]
                return moves and crosses(s, here, k, port), VIA, across(t, stance, port), 0
            n -= s.shores.ports[g]
    return True, DRAWN, n, 0


def list_orders(t: Tables, game: Game, s: Scratch, r: int, verb: Any, to: Any, about: Any, n: int) -> int:
    """Write the legal orders of row r into these columns, from place n on; return the place behind the last.

    They are the orders that `offer` draws from, in the same order.
    """
    stance, barred = game.units.stance[r], game.orders.barred[r]
    n = write_order(verb, to, about, n, HOLD, -1, 0)
    if not game.units.aboard[r]:
        here, row = t.stances.place[stance], steps_of(t, game.units.owner[r], stance)
        moves = not barred & (NO_MOVES | NO_STEPS)
        for i in range(t.steps.reach_at[row], t.steps.reach_at[row + 1] if moves else 0):
            n = write_order(verb, to, about, n, MOVE, t.steps.reach[i], 0)
        if not barred & NO_SUPPORTS:
            n = _list_supports(t, game, s, r, row, verb, to, about, n)
        if t.stances.carries[stance]:
            n = _list_convoys(t, game, s, here, verb, to, about, n)
        elif t.stances.army[stance] and moves:
            for k in range(s.shores.groups[here]):
                g = s.shores.group[here, k]
                for j in range(s.shores.ports[g]):
                    if crosses(s, here, k, s.shores.port[g, j]):
                        n = write_order(verb, to, about, n, VIA, across(t, stance, s.shores.port[g, j]), 0)
    for k in range(game.orders.offers[r]):
        n = write_order(verb, to, about, n, DRAWN, k, 0)
    return n


def _list_supports(
    t: Tables, game: Game, s: Scratch, r: int, row: int, verb: Any, to: Any, about: Any, n: int
) -> int:  # fmt: skip
    """Write the supports that row r, whose steps are in this `row` of the tables, may order; return the place behind.

    Where no two units lie together, anybody may help all others who walk, and armies may help those who go by sea, too.
    """
    alone, sails = s.supports.alone[0] != 0, t.stances.carries[game.units.stance[r]] != 0
    for k in range(t.steps.helps.shape[1]):
        place = t.steps.helps[row, k]
        free = (s.supports.walks[place] if sails else s.supports.count[place]) * alone
        for j in range(UNASKED_FOR):
            other = s.supports.row[place, j]
            verb[n], to[n], about[n] = SUPPORT, s.supports.to[place, j], other
            n += (j < free) & (other != r)
        for j in range(UNASKED_FOR, free):
            other = s.supports.row[place, j]
            verb[n], to[n], about[n] = SUPPORT, s.supports.to[place, j], other
            n += other != r
        for j in range(free, s.supports.count[place]):
            other, goal = s.supports.row[place, j], s.supports.to[place, j]
            verb[n], to[n], about[n] = SUPPORT, goal, other
            n += may_help(t, game, s, r, place, other, goal)
    return n


def _list_convoys(t: Tables, game: Game, s: Scratch, here: int, verb: Any, to: Any, about: Any, n: int) -> int:
    """Write the convoys that the fleet in this water may order; return the place behind the last."""
    g = s.crossings.group[here]
    for k in range(s.shores.armies[g]):
        other = s.shores.army[g, k]
        start = game.units.stance[other]
        for j in range(s.shores.ports[g]):
            if may_carry(t, s, here, t.stances.place[start], s.shores.port[g, j]):
                n = write_order(verb, to, about, n, CONVOY, across(t, start, s.shores.port[g, j]), other)
    return n


def write_order(verb: Any, to: Any, about: Any, n: int, act: int, goal: int, other: int) -> int:
    """Write an order into place n, and return the place behind it."""
    verb[n], to[n], about[n] = act, goal, other
    return n + 1


def may_help(t: Tables, game: Game, s: Scratch, r: int, place: int, other: int, to: int) -> bool:
    """Return whether row r may support a unit or move that is listed in this place."""
    units = game.units
    start, stance = units.stance[other], units.stance[r]
    here, there = t.stances.place[stance], t.stances.place[start]
    shared, rows = t.lands.shared[there] != 0, range(1, other + 1)
    meant = is_meant(other, here, there, shared, rows, units.owner, units.stance, units.aboard, units.gone)
    walks = units.aboard[other] != 0 or t.steps.near[steps_of(t, units.owner[other], start), place] != 0
    water = here if t.stances.carries[stance] else -1
    return may_support(r, other, to, meant, walks, there, place, water, t.seas, s.crossings, s.search)


def may_carry(t: Tables, s: Scratch, water: int, a: int, b: int) -> bool:
    """Return whether the fleet in this water may carry an army between two shores that its group touches."""
    return may_convoy(a, b, water, t.seas, s.crossings, t.book, s.search)
