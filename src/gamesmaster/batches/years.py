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
        game.verb[r], game.to[r], game.about[r] = DISBAND, -1, 0
        silent = not game.lost_owner[r] or game.silent[game.lost_owner[r]]
        options = 0 if silent else list_refuges(t, game, s, r)
        if options:
            chosen = below(options + 1, seed, number, draws)
            draws += 1
            if chosen < options:
                game.verb[r], game.to[r] = RETREAT, s.listed[chosen]
    game.tally[DRAWS] = draws


def list_refuges(t: Tables, game: Game, s: Scratch, r: int) -> int:
    """List the stances open to a dislodged unit; how many there are."""
    row, found = steps_of(t, game.lost_owner[r], game.lost_flees[r]), 0
    for i in range(t.steps.flees_at[row], t.steps.flees_at[row + 1]):
        if open_to(t, game, r, t.steps.flees[i]):
            s.listed[found] = t.steps.flees[i]
            found += 1
    return found


def open_to(t: Tables, game: Game, r: int, stance: int) -> bool:
    """Return whether a dislodged unit may retreat to an adjacent stance."""
    return is_open(t.stances.place[stance], game.closed, -1 if game.lost_free[r] else game.lost_from[r])


def retreat(t: Tables, game: Game, s: Scratch) -> None:
    """Carry out the retreats: who meets somebody there disbands, as does everybody else (STD-9.d, STD-9.e)."""
    goals, crowd, beaten = s.goals, s.tenant, game.tally[BEATEN]
    if not beaten:
        return
    crowd[:] = 0
    for r in range(1, beaten + 1):
        goals[r] = t.stances.place[game.to[r]] if game.verb[r] == RETREAT else -1
    gather(beaten, goals, crowd)
    for r in range(1, beaten + 1):
        safe = goals[r] >= 0 and may_enter(crowd[goals[r]], t.lands.shared[goals[r]] != 0)
        game.refuge[r] = goals[r] if safe else -1
        if safe:
            _enter(game, game.lost_number[r], game.to[r], game.lost_owner[r])


def _enter(game: Game, number: int, stance: int, owner: int) -> None:
    """Put a unit among the others, in the order of their numbers."""
    game.tally[COUNT] += 1
    r = game.tally[COUNT]
    while r > 1 and game.number[r - 1] > number:
        game.number[r], game.stance[r], game.owner[r] = game.number[r - 1], game.stance[r - 1], game.owner[r - 1]
        game.aboard[r], game.span[r] = game.aboard[r - 1], game.span[r - 1]
        r -= 1
    game.number[r], game.stance[r], game.owner[r], game.aboard[r], game.span[r] = number, stance, owner, 0, 0


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
        take_along(game.tally[COUNT], game.number, game.aboard, game.gone)
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
        if not t.kinds.takes[t.stances.sort[game.stance[r]]]:
            s.goals[r] = -1
    settle(game.tally[COUNT], s.goals, game.owner, t.ground.centre, game.holder)
    count_centres(game.holder, t.ground.centre, game.centres)


def note_places(t: Tables, game: Game, s: Scratch) -> None:
    """Note in `goals` the province of each unit, -1 for units aboard another."""
    for r in range(1, game.tally[COUNT] + 1):
        s.goals[r] = -1 if game.aboard[r] else t.stances.place[game.stance[r]]


def standing_of(t: Tables, game: Game, s: Scratch, at: int, to: int, moving: bool) -> Standing:
    """Return a game in the form that mechanics see; its columns `at` to `to` - 1 of `kept` are the mechanic's."""
    note_places(t, game, s)
    for r in range(1, game.tally[COUNT] + 1):
        s.sorts[r] = t.stances.sort[game.to[r] if moving and game.moved[CAME, r] else game.stance[r]]
    for r in range(1, game.tally[BEATEN] + 1):
        s.lost_at[r], s.lost_sorts[r] = t.stances.place[game.lost_stance[r]], t.stances.sort[game.lost_stance[r]]
    s.spare[:] = 0
    moved = game.moved
    return Standing(
        game.tally[COUNT], game.kept[at:to], s.spare, game.joins,
        UnitColumns(
            game.number, s.goals, s.sorts, game.owner, game.aboard, game.span, game.gone, game.stance, game.far
        ),
        BeatenColumns(game.tally[BEATEN], s.lost_at, s.lost_sorts, game.lost_owner, game.lost_gone, game.refuge),
        LandColumns(game.holder, game.closed, game.room),
        PowerColumns(game.centres, game.silent, game.barren, game.fed, game.free),
        OrderColumns(
            game.barred, game.offers, game.fell, game.verb, game.to, game.about, game.load, game.rider, game.offers
        ),
        MoveColumns(moving, moved[ACT], moved[TO], moved[FLAGS], moved[CAME], moved[VICTOR], moved[LEFT]),
    )  # fmt: skip


def take_forms(t: Tables, game: Game, s: Scratch, moving: bool) -> None:
    """Change units to the kinds that a mechanic has made of them."""
    locations = len(t.stances.place) // len(t.kinds.empty)
    for r in range(1, game.tally[COUNT] + 1):
        if moving and game.moved[CAME, r]:
            game.to[r] += (s.sorts[r] - t.stances.sort[game.to[r]]) * locations
        else:
            game.stance[r] += (s.sorts[r] - t.stances.sort[game.stance[r]]) * locations


def weigh(t: Tables, game: Game, s: Scratch, end: End) -> None:
    """See who has won by what counts now: more than all others who take part (STD-2.a), or by a lead (STD-2.d)."""
    both, first = t.victory.both[0] != 0, ahead_by(end.lead, game.centres, game.silent)
    count_forces(game, s.forces)
    for power in range(1, len(game.centres)):
        centres, units = game.centres[power] if end.by_centres else -1, s.forces[power] if end.by_units else -1
        needed = 0 if power == first else t.victory.centres[power]
        s.weights[power] = claim(centres, units, needed, t.victory.units[power], both)
        s.weights[power] *= not game.silent[power]
    if lead(s.weights, s.leads) == 1:
        game.tally[AHEAD] = first_of(s.leads)


def conclude(game: Game, s: Scratch, end: End) -> None:
    """Note who has won, and who is eliminated since this turn of the calendar, the first being 1."""
    if end.last and not game.tally[AHEAD] and see_last(end.last, game, s):
        game.tally[AHEAD] = first_of(s.leads) if lead(s.weights, s.leads) == 1 else SHARED
    game.tally[WINNER] = game.tally[AHEAD]
    count_forces(game, s.forces)
    for power in range(1, len(game.centres)):
        if not game.fallen[power] and not is_alive(game.centres[power], s.forces[power], game.fed[power]):
            game.fallen[power] = end.turn


def count_survivors(game: Game, s: Scratch) -> int:
    """Return how many powers still have a centre, a unit or other supply (STD-2.c)."""
    count_forces(game, s.forces)
    alive = 0
    for power in range(1, len(game.centres)):
        alive += is_alive(game.centres[power], s.forces[power], game.fed[power])
    return alive


def see_last(last: int, game: Game, s: Scratch) -> bool:
    """Return whether at most `last` powers remain, for a game to end; `weights` are theirs."""
    count_forces(game, s.forces)
    return weigh_last(last, game.centres, s.forces, game.fed, game.silent, s.weights)


def count_forces(game: Game, forces: Line) -> None:
    """Count each power's units, the dislodged ones, too."""
    forces[:] = 0
    for r in range(1, game.tally[COUNT] + 1):
        forces[game.owner[r]] += 1
    for r in range(1, game.tally[BEATEN] + 1):
        forces[game.lost_owner[r]] += 1


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
            game.aboard[game.tally[COUNT]] = number
            number += 1
    game.joins[0] = 0


def close_beaten(game: Game) -> None:
    """Take off the dislodged units that are gone; the others move up."""
    left = 0
    for r in range(1, game.tally[BEATEN] + 1):
        if not game.lost_gone[r]:
            left += 1
            game.lost_number[left], game.lost_stance[left] = game.lost_number[r], game.lost_stance[r]
            game.lost_flees[left] = game.lost_flees[r]
            game.lost_owner[left] = game.lost_owner[r]
            game.lost_from[left], game.lost_free[left] = game.lost_from[r], game.lost_free[r]
    game.tally[BEATEN] = left
    game.lost_gone[:] = 0
