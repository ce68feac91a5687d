"""Retreats, the count, and the end of a phase over flat tables.

The rules are the judge's own (`engine.aftermath`, `winter`, `endings`); here orders are drawn and carried out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.batches.adjustments import append, last_number
from gamesmaster.batches.chance import below
from gamesmaster.batches.moves import close_ranks, foresee, leave, refit
from gamesmaster.batches.state import (
    ACT,
    AHEAD,
    BEATEN,
    CAME,
    CLOSE,
    CONCLUDE,
    COUNT,
    DISBAND,
    DRAWS,
    FLAGS,
    FORESEE,
    LEAVE,
    LEFT,
    MOVES,
    REMAIN,
    RETREAT,
    RETREATS,
    SETTLE,
    SHARED,
    TO,
    VICTOR,
    WEIGH,
    WINNER,
    WINTER,
    End,
    Game,
    Scratch,
    put_unit,
    shift_unit,
)
from gamesmaster.batches.tables import Tables, steps_of
from gamesmaster.engine import ahead_by, claim, is_alive, lead, weigh_last
from gamesmaster.engine.aftermath import gather, is_open, may_enter
from gamesmaster.engine.company import take_along
from gamesmaster.engine.winter import count_centres, settle
from gamesmaster.rules import BeatenColumns, LandColumns, MoveColumns, OrderColumns, PowerColumns, Standing, UnitColumns

if TYPE_CHECKING:
    from gamesmaster.batches.state import Line

# -- retreats --------------------------------------------------------------------------------------------------------


def draw_retreats(t: Tables, game: Game, s: Scratch, seed: int, number: int) -> None:
    """Retreat or disband each dislodged unit of a power, all choices equally likely; neutral ones disband."""
    draws = game.tally[DRAWS]
    for r in range(1, game.tally[BEATEN] + 1):
        game.orders.verb[r], game.orders.to[r], game.orders.about[r] = DISBAND, -1, 0
        silent = not game.beaten.owner[r] or game.powers.silent[game.beaten.owner[r]]
        options = 0 if silent else list_refuges(t, game, s, r)
        if options:
            chosen = below(options + 1, seed, number, draws)
            draws += 1
            if chosen < options:
                game.orders.verb[r], game.orders.to[r] = RETREAT, s.listed[chosen]
    game.tally[DRAWS] = draws


def list_refuges(t: Tables, game: Game, s: Scratch, r: int) -> int:
    """List the stances open to a dislodged unit; how many there are."""
    row, found = steps_of(t, game.beaten.owner[r], game.beaten.flees[r]), 0
    for i in range(t.steps.flees_at[row], t.steps.flees_at[row + 1]):
        if open_to(t, game, r, t.steps.flees[i]):
            s.listed[found] = t.steps.flees[i]
            found += 1
    return found


def open_to(t: Tables, game: Game, r: int, stance: int) -> bool:
    """Return whether a dislodged unit may retreat to an adjacent stance."""
    return is_open(t.stances.place[stance], game.lands.closed, -1 if game.beaten.free[r] else game.beaten.attacker[r])


def retreat(t: Tables, game: Game, s: Scratch) -> None:
    """Carry out the retreats: who meets somebody there disbands, as does everybody else (STD-9.d, STD-9.e)."""
    goals, crowd, beaten = s.goals, s.tenant, game.tally[BEATEN]
    if not beaten:
        return
    crowd[:] = 0
    for r in range(1, beaten + 1):
        goals[r] = t.stances.place[game.orders.to[r]] if game.orders.verb[r] == RETREAT else -1
    gather(beaten, goals, crowd)
    for r in range(1, beaten + 1):
        safe = goals[r] >= 0 and may_enter(crowd[goals[r]], t.lands.shared[goals[r]] != 0)
        game.beaten.refuge[r] = goals[r] if safe else -1
        if safe:
            _enter(game, game.beaten.number[r], game.orders.to[r], game.beaten.owner[r])


def _enter(game: Game, number: int, stance: int, owner: int) -> None:
    """Put a unit among the others, in the order of their numbers."""
    game.tally[COUNT] += 1
    r = game.tally[COUNT]
    while r > 1 and game.units.number[r - 1] > number:
        shift_unit(game.units, r - 1, r)
        r -= 1
    put_unit(game.units, r, number, stance, owner)


# -- the count -------------------------------------------------------------------------------------------------------


def end_phase(step: int, end: End, t: Tables, game: Game, s: Scratch) -> None:
    """Take one of the steps `LEAVE` to `CONCLUDE`."""
    if step == LEAVE and end.kind == MOVES:
        leave(t, game)
    elif step == LEAVE and end.kind == RETREATS:
        game.tally[BEATEN] = 0
        close_ranks(game)
        refit(t, game)
    elif step == CLOSE:
        take_along(game.tally[COUNT], game.units.number, game.units.aboard, game.units.gone)
        close_ranks(game)
        close_beaten(game)
        take_in(t, game)
        refit(t, game)
    elif step == FORESEE:
        refit(t, game)
        foresee(t, game)
    elif step == SETTLE and end.counts:
        count_owners(t, game, s)
    elif step == WEIGH and (end.by_centres or end.by_units):
        weigh(t, game, s, end)
    elif step == CONCLUDE and (end.counts or end.kind == WINTER):
        conclude(game, s, end)
    elif step == REMAIN and not count_survivors(game, s):
        game.tally[AHEAD] = game.tally[WINNER] = SHARED  # nobody is left to play or to win


def count_owners(t: Tables, game: Game, s: Scratch) -> None:
    """Settle who owns the centres (STD-10.a)."""
    note_places(t, game, s)
    for r in range(1, game.tally[COUNT] + 1 if len(t.kinds.takes) else 1):
        if not t.kinds.takes[t.stances.sort[game.units.stance[r]]]:
            s.goals[r] = -1
    settle(game.tally[COUNT], s.goals, game.units.owner, t.ground.centre, game.lands.holder)
    count_centres(game.lands.holder, t.ground.centre, game.powers.centres)


def note_places(t: Tables, game: Game, s: Scratch) -> None:
    """Note in `goals` the province of each unit, -1 for units aboard another."""
    for r in range(1, game.tally[COUNT] + 1):
        s.goals[r] = -1 if game.units.aboard[r] else t.stances.place[game.units.stance[r]]


def standing_of(t: Tables, game: Game, s: Scratch, at: int, to: int, moving: bool) -> Standing:
    """Return a game in the form that mechanics see; its columns `at` to `to` - 1 of `kept` are the mechanic's."""
    note_places(t, game, s)
    for r in range(1, game.tally[COUNT] + 1):
        s.rows.sort[r] = t.stances.sort[game.orders.to[r] if moving and game.moved[CAME, r] else game.units.stance[r]]
    for r in range(1, game.tally[BEATEN] + 1):
        stance = game.beaten.stance[r]
        s.rows.beaten_at[r], s.rows.beaten_sort[r] = t.stances.place[stance], t.stances.sort[stance]
    s.spare[:] = 0
    units, beaten, lands, powers, orders = game.units, game.beaten, game.lands, game.powers, game.orders
    moved = game.moved
    return Standing(
        game.tally[COUNT], game.kept[at:to], s.spare, game.joins,
        UnitColumns(
            units.number, s.goals, s.rows.sort, units.owner, units.aboard,
            units.span, units.gone, units.stance, units.far,
        ),
        BeatenColumns(
            game.tally[BEATEN], s.rows.beaten_at, s.rows.beaten_sort, beaten.owner, beaten.gone, beaten.refuge
        ),
        LandColumns(lands.holder, lands.closed, lands.room),
        PowerColumns(powers.centres, powers.silent, powers.barren, powers.fed, powers.free),
        OrderColumns(
            orders.barred, orders.offers, orders.fell,
            orders.verb, orders.to, orders.about, orders.load, orders.rider, orders.offers,
        ),
        MoveColumns(moving, moved[ACT], moved[TO], moved[FLAGS], moved[CAME], moved[VICTOR], moved[LEFT]),
    )  # fmt: skip


def take_forms(t: Tables, game: Game, s: Scratch, moving: bool) -> None:
    """Change units to the kinds that a mechanic has made of them."""
    locations = len(t.stances.place) // len(t.kinds.empty)
    for r in range(1, game.tally[COUNT] + 1):
        if moving and game.moved[CAME, r]:
            game.orders.to[r] += (s.rows.sort[r] - t.stances.sort[game.orders.to[r]]) * locations
        else:
            game.units.stance[r] += (s.rows.sort[r] - t.stances.sort[game.units.stance[r]]) * locations


def weigh(t: Tables, game: Game, s: Scratch, end: End) -> None:
    """See who has won by what counts now: more than all others who take part (STD-2.a), or by a lead (STD-2.d)."""
    both, first = t.victory.both[0] != 0, ahead_by(end.lead, game.powers.centres, game.powers.silent)
    count_forces(game, s.claims.forces)
    for power in range(1, len(game.powers.centres)):
        centres = game.powers.centres[power] if end.by_centres else -1
        units = s.claims.forces[power] if end.by_units else -1
        needed = 0 if power == first else t.victory.centres[power]
        s.claims.weights[power] = claim(centres, units, needed, t.victory.units[power], both)
        s.claims.weights[power] *= not game.powers.silent[power]
    if lead(s.claims.weights, s.claims.leads) == 1:
        game.tally[AHEAD] = first_of(s.claims.leads)


def conclude(game: Game, s: Scratch, end: End) -> None:
    """Note who has won, and who is eliminated since this turn of the calendar, the first being 1."""
    if end.last and not game.tally[AHEAD] and see_last(end.last, game, s):
        game.tally[AHEAD] = first_of(s.claims.leads) if lead(s.claims.weights, s.claims.leads) == 1 else SHARED
    game.tally[WINNER] = game.tally[AHEAD]
    count_forces(game, s.claims.forces)
    for power in range(1, len(game.powers.centres)):
        alive = is_alive(game.powers.centres[power], s.claims.forces[power], game.powers.fed[power])
        if not game.powers.fallen[power] and not alive:
            game.powers.fallen[power] = end.turn


def count_survivors(game: Game, s: Scratch) -> int:
    """Return how many powers still have a centre, a unit or other supply (STD-2.c)."""
    count_forces(game, s.claims.forces)
    alive = 0
    for power in range(1, len(game.powers.centres)):
        alive += is_alive(game.powers.centres[power], s.claims.forces[power], game.powers.fed[power])
    return alive


def see_last(last: int, game: Game, s: Scratch) -> bool:
    """Return whether at most `last` powers remain, for a game to end; `weights` are theirs."""
    count_forces(game, s.claims.forces)
    return weigh_last(last, game.powers.centres, s.claims.forces, game.powers.fed, game.powers.silent, s.claims.weights)


def count_forces(game: Game, forces: Line) -> None:
    """Count each power's units, the dislodged ones, too."""
    forces[:] = 0
    for r in range(1, game.tally[COUNT] + 1):
        forces[game.units.owner[r]] += 1
    for r in range(1, game.tally[BEATEN] + 1):
        forces[game.beaten.owner[r]] += 1


def first_of(marks: Line) -> int:
    """Return the first power that is marked."""
    power = 1
    while not marks[power]:
        power += 1
    return power


# -- who comes and goes ------------------------------------------------------------------------------------------------


def take_in(t: Tables, game: Game) -> None:
    """Take in the units that mechanics bring onto the board, each with the one that it carries."""
    if not game.joins[0]:
        return
    number, locations = last_number(game), len(t.stances.place) // len(t.kinds.empty)
    for n in range(game.joins[0]):
        stance, owner = game.joins[1 + 2 * n], game.joins[2 + 2 * n]
        sort = t.stances.sort[stance]
        number += 1
        append(game, number, stance, owner)
        if t.kinds.cargo[sort] >= 0:
            append(game, number + 1, stance + (t.kinds.cargo[sort] - sort) * locations, owner)
            game.units.aboard[game.tally[COUNT]] = number
            number += 1
    game.joins[0] = 0


def close_beaten(game: Game) -> None:
    """Take off the dislodged units that are gone; the others move up."""
    left = 0
    for r in range(1, game.tally[BEATEN] + 1):
        if not game.beaten.gone[r]:
            left += 1
            game.beaten.number[left], game.beaten.stance[left] = game.beaten.number[r], game.beaten.stance[r]
            game.beaten.flees[left] = game.beaten.flees[r]
            game.beaten.owner[left] = game.beaten.owner[r]
            game.beaten.attacker[left], game.beaten.free[left] = game.beaten.attacker[r], game.beaten.free[r]
    game.tally[BEATEN] = left
    game.beaten.gone[:] = 0
