"""A phase of movement, over flat tables: orders become the kernel's rows, and its answer the next position.

The rules are the judge's own (`engine.convoys`, `kernel`, `aftermath`); here are the columns of orders that are
all legal.
"""

from __future__ import annotations

from typing import Any

from gamesmaster.batches.state import ACT, BEATEN, CAME, COUNT, FLAGS, LEFT, TO, VIA, VICTOR, Game, Scratch, shift_unit
from gamesmaster.batches.tables import Tables, steps_of
from gamesmaster.engine import CARRIED, GONE, HOLD, LEAVES, MOVE, SAILS, SUPPORT, Rows, row_of, scaled, weakened
from gamesmaster.engine.aftermath import barred_origin, close, dislodge
from gamesmaster.engine.choices import CONTEST, IN_KERNEL, KNOT, PARADOX
from gamesmaster.engine.company import power_helped, row_helped, take_along
from gamesmaster.engine.convoys import match, release, send_by_sea, set_out, spare_supports
from gamesmaster.engine.kernel import solve
from gamesmaster.engine.problem import NOBODY, WEIGHT
from gamesmaster.engine.rows import CAME as CAME_THROUGH
from gamesmaster.engine.rows import Outcome, Work


def foresee(t: Tables, game: Game) -> None:
    """Note what the units are ordered to do, as the kernel has it; mechanics may add flags of theirs."""
    moved = game.moved
    for r in range(1, game.tally[COUNT] + 1):
        verb, to = game.orders.verb[r], game.orders.to[r]
        moved[ACT, r], moved[FLAGS, r], moved[TO, r] = t.verbs.act[verb], t.verbs.flags[verb], 0
        if t.verbs.act[verb] != HOLD:
            moved[TO, r] = t.stances.place[to if to >= 0 else game.units.stance[game.orders.about[r]]]


def move(t: Tables, game: Game, s: Scratch) -> None:
    """Carry out the orders of a phase of movement, which are foreseen; nobody is dislodged before it."""
    n = game.tally[COUNT]
    c, a, p, w = s.kernel.cells, s.kernel.answers, s.kernel.places, s.kernel.lines
    rows = Rows(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8])
    out = Outcome(a[0], a[1], a[2], a[3], a[4], a[5], a[6])
    work = Work(p[0], p[1], w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9])
    _lay_out(t, game, s, rows, n)
    s.kernel.answers[:] = 0
    s.kernel.places[:] = 0
    s.kernel.lines[:] = 0
    solve(n, rows, out, work, len(s.tenant), t.seas.link, t.book[CONTEST], t.book[KNOT])
    _dislodge(t, game, s, rows, out, n)
    moved = game.moved
    for r in range(1, n + 1):
        moved[ACT, r], moved[TO, r], moved[FLAGS, r] = rows.kind[r], rows.to[r], rows.flags[r]
        moved[CAME, r], moved[VICTOR, r] = out.state[r] == CAME_THROUGH, s.goals[r]
        moved[LEFT, r] = out.gone[r] == GONE


# -- rows ------------------------------------------------------------------------------------------------------------


def _lay_out(t: Tables, game: Game, s: Scratch, rows: Rows, n: int) -> None:
    """Make the kernel's rows; support that matches nothing, and convoys nobody goes by, become holds (STD-4.e)."""
    kind, at, to, whence, about, owner, force, stay, flags = rows
    moved = game.moved
    s.tenant[:] = 0
    kind[0], at[0], to[0], whence[0], about[0] = HOLD, -1, 0, -1, 0
    owner[0], force[0], stay[0], flags[0] = NOBODY, WEIGHT, WEIGHT, 0
    together = flagged = 0
    for r in range(1, n + 1):
        place = t.stances.place[game.units.stance[r]]
        kind[r], at[r], to[r], whence[r], about[r] = moved[ACT, r], place, moved[TO, r], place, game.orders.about[r]
        owner[r], stay[r], flags[r] = game.units.owner[r], WEIGHT, moved[FLAGS, r] & ~LEAVES
        force[r] = t.verbs.force[game.orders.verb[r]]
        if not (game.units.aboard[r] or (t.lands.shared[place] and s.tenant[place])):
            s.tenant[place] = r
        together, flagged = together | game.units.aboard[r] | t.lands.shared[place], flagged | moved[FLAGS, r]
    for r in range(1, n + 1 if together else 1):
        if kind[r] > MOVE and (game.units.aboard[about[r]] or t.lands.shared[at[about[r]]]):
            about[r] = _helped(t, game, s, rows, n, r)
    if flagged & SAILS:
        set_out(n, rows)
    convoys, _ = match(n, rows, game.orders.to, s.rows.fleets, s.search.queue, s.goals)
    for r in range(1, n + 1):
        via, walks = game.orders.verb[r] == VIA, t.steps.near[steps_of(t, owner[r], game.units.stance[r]), to[r]] != 0
        # `&`, not `and`: to ask everything is faster than to branch where nobody can foresee the answer.
        marches = (kind[r] == MOVE) & (game.orders.verb[r] <= VIA) & (t.stances.army[game.units.stance[r]] != 0)
        if marches & (via | (not walks) | (convoys > 0)):
            send_by_sea(r, rows, s.tenant, s.rows.fleets, convoys, via, walks, t.seas, t.book, s.search)
    release(rows, s.rows.fleets, convoys)
    for r in range(1, n + 1 if len(t.kinds.might) else 1):
        sort = t.stances.sort[game.units.stance[r]]
        force[r] = scaled(force[r], t.kinds.aid[sort] if kind[r] == SUPPORT else t.kinds.might[sort])
        stay[r] = scaled(stay[r], t.kinds.might[sort])
    for r in range(1, n + 1 if flagged & LEAVES or len(t.steps.weak) else 1):
        if moved[FLAGS, r] & LEAVES and flags[r] & CARRIED:
            flags[r] |= LEAVES
        if len(t.steps.weak) and (kind[r] == MOVE or kind[r] == SUPPORT):
            row = game.units.stance[r] + (len(t.stances.place) if kind[r] == SUPPORT else 0)
            force[r] = weakened(force[r], flags[r], t.steps.weak[row, to[r]])
    if convoys and t.book[PARADOX] != IN_KERNEL:
        for r in range(1, n + 1):
            s.rows.afloat[r] = t.stances.fleet[game.units.stance[r]]
        spare_supports(n, rows, s.tenant, s.rows.afloat, t.seas, t.book, s.search)


def _helped(t: Tables, game: Game, s: Scratch, rows: Rows, n: int, r: int) -> int:
    """Return the row that a support or convoy means if several rows could be meant."""
    other, listed = rows.about[r], s.search.queue
    at, owner, flags = rows.at, rows.owner, rows.flags
    said, place, count = t.lands.shared[at[other]] and owner[other] != owner[r], at[other], 0
    if game.units.aboard[other]:
        # those who go ashore from where they lie, then those whose carriers are bound for there
        for under_way in range(2):
            for x in range(1, n + 1):
                whence, sails = rows.to[rows.about[x]] if under_way else at[x], flags[x] & SAILS != 0
                named = not said or owner[x] == owner[other]
                if game.units.aboard[x] and sails == under_way and whence == place and named:
                    listed[count] = x
                    count += 1
        return row_helped(listed, count, rows.kind, rows.to, rows.to[r])
    for x in range(1, n + 1):
        alike = t.stances.sort[game.units.stance[x]] == t.stances.sort[game.orders.to[r]]
        if at[x] == place and not game.units.aboard[x] and alike:
            listed[count] = x
            count += 1
    power, alike = owner[other] if said else power_helped(r, listed, count, owner), count
    count = 0
    for i in range(alike):
        if owner[listed[i]] == power:
            listed[count] = listed[i]
            count += 1
    if not count:
        return _stranger_helped(rows, r, listed, alike)
    return row_helped(listed, count, rows.kind, rows.to, rows.to[r])


def _stranger_helped(rows: Rows, r: int, listed: Any, count: int) -> int:
    """Return the row of another power that a support means whose own unit has become another kind, by boarding.

    If units of several powers move as it says, it means none of them (STD-4.f).
    """
    power = 0
    for i in range(count):
        if rows.kind[listed[i]] == MOVE and rows.to[listed[i]] == rows.to[r]:
            if power and rows.owner[listed[i]] != power:
                return 0
            power = rows.owner[listed[i]]
    return row_helped(listed, count, rows.kind, rows.to, rows.to[r])


# -- what comes of it ------------------------------------------------------------------------------------------------


def _dislodge(t: Tables, game: Game, s: Scratch, rows: Rows, out: Outcome, n: int) -> None:
    """Set the dislodged units apart, and close the provinces that nobody may retreat to (STD-9).

    `s.goals` is, from here on, each row's victor.
    """
    victor = s.goals
    victor[: n + 1] = 0
    game.tally[BEATEN] = dislodge(n, rows, out, s.tenant, victor)
    if not game.tally[BEATEN]:
        return
    game.lands.closed[:] = 0
    close(n, rows, out, victor, t.book, t.lands.shared, game.lands.closed)
    row = 0
    for r in range(1, n + 1):
        if victor[r]:
            row += 1
            game.beaten.number[row], game.beaten.stance[row] = game.units.number[r], game.units.stance[r]
            game.beaten.flees[row] = _flees(t, game, out, r)
            game.beaten.owner[row], game.beaten.attacker[row] = game.units.owner[r], rows.at[victor[r]]
            game.beaten.free[row] = barred_origin(victor[r], rows, out, t.book) < 0


def _flees(t: Tables, game: Game, out: Outcome, r: int) -> int:
    """Return the stance from which a dislodged unit retreats: one whose load has come ashore as if it never had any."""
    stance = game.units.stance[r]
    if t.kinds.empty[t.stances.sort[stance]] != t.stances.sort[stance]:
        load = row_of(game.tally[COUNT], game.units.aboard, game.units.number[r])
        if load and out.state[load] == CAME_THROUGH:
            return emptied(t, stance)
    return int(stance)


def leave(t: Tables, game: Game) -> None:
    """Move the units whose moves succeeded, and remove those that are dislodged or gone."""
    for r in range(1, game.tally[COUNT] + 1):
        if game.moved[CAME, r]:
            game.units.stance[r], game.units.aboard[r] = game.orders.to[r], 0
    take_along(game.tally[COUNT], game.units.number, game.units.aboard, game.units.gone)
    for r in range(1, game.tally[COUNT] + 1):
        if game.moved[VICTOR, r]:
            game.units.gone[r] = 1
    close_ranks(game)
    refit(t, game)


# -- who is aboard ---------------------------------------------------------------------------------------------------


def refit(t: Tables, game: Game) -> None:
    """Move units aboard to their carriers' places, and turn empty carriers into ordinary units."""
    locations, carriers = len(t.stances.place) // len(t.kinds.empty), 0
    for kind in range(len(t.kinds.empty)):
        carriers += t.kinds.empty[kind] != kind
    if not carriers:
        return
    for r in range(1, game.tally[COUNT] + 1):
        if game.units.aboard[r]:
            carrier = row_of(game.tally[COUNT], game.units.number, game.units.aboard[r])
            if carrier:
                game.units.stance[r] += game.units.stance[carrier] % locations - game.units.stance[r] % locations
        elif is_empty(t, game, game.units.stance[r], game.units.number[r]):
            game.units.stance[r] = emptied(t, game.units.stance[r])
    for r in range(1, game.tally[BEATEN] + 1):
        if is_empty(t, game, game.beaten.stance[r], game.beaten.number[r]):
            game.beaten.stance[r] = emptied(t, game.beaten.stance[r])


def emptied(t: Tables, stance: int) -> int:
    """Return the stance of a carrier when it carries nobody any more."""
    sort, locations = t.stances.sort[stance], len(t.stances.place) // len(t.kinds.empty)
    return int(stance + (t.kinds.empty[sort] - sort) * locations)


def is_empty(t: Tables, game: Game, stance: int, number: int) -> bool:
    """Return whether the unit with this number is of a kind that carries others, and is empty."""
    if t.kinds.empty[t.stances.sort[stance]] == t.stances.sort[stance]:
        return False
    return row_of(game.tally[COUNT], game.units.aboard, number) == 0


def close_ranks(game: Game) -> None:
    """Take off the units that are `gone`; the others move up."""
    left = lost = 0
    for r in range(len(game.units.gone)):
        lost += game.units.gone[r]
    if not lost:
        return
    for r in range(1, game.tally[COUNT] + 1):
        left += not game.units.gone[r]
        if not game.units.gone[r] and left < r:
            shift_unit(game.units, r, left)
    game.tally[COUNT] = left
    game.units.gone[:] = 0
