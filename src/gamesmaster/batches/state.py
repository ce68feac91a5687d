"""The data of a batch of games: the columns of one game, and the scratch of one thread.

Machine code does not check their sizes; `room.py` sets them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gamesmaster.engine.convoys import Crossings, Search
from gamesmaster.orders import PhaseKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Line = NDArray[np.int16]
    Sheet = NDArray[np.int16]

Lent = Any
"""An array that the judge's engine takes for a column: no type says so of arrays and lists alike."""

# Orders, by their column `verb`: the kernel's HOLD, MOVE, SUPPORT and CONVOY, a move ordered by convoy, and the rest of
# these; from `rules.columns.OWN` on, those of mechanics.  Who builds nothing has `WAIVED`.
WAIVED, VIA, RETREAT, DISBAND, BUILD, REMOVE = -1, 4, 5, 6, 7, 8

ASKED = -2
"""The verb of answers to what a mechanic asks."""

WHOLE, UNASKED = 1, 2
"""Values of `load` in removals: a carrier goes with its cargo; nobody orders the removal. For a unit that holds,
`UNASKED` means that the order of another speaks for both.
"""

MOVES, RETREATS, WINTER = range(3)
"""Kinds of phase: `KINDS` by number."""

KINDS = (PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS)

COUNT, BEATEN, ORDERS, DRAWS, PHASES, WINNER, AHEAD, TALLIES = range(8)
"""Indices into `Game.tally`: the numbers of units, dislodged units, orders, random draws and phases played so far; the
winner, 0 for nobody, and the winner when the phase is over.
"""

ACT, TO, FLAGS, CAME, VICTOR, LEFT = range(6)
"""Indices into `Game.moved`, by the rows of a movement phase.

It holds the kernel's `kind`, `to` and `flags`, 1 for units whose move succeeded, the row that dislodged each, and 1 for
those that have left their place.
"""

SHARED = -1
"""The winner of a game that ends without one: those who remain with most centres share it, if anybody remains."""

DRAWN = -2
"""The winner of a game that its survivors have agreed to share."""

AWAY = -3
"""The winner of a game that stands still for a while."""

LEAVE, CLOSE, SETTLE, WEIGH, CONCLUDE, FORESEE, REMAIN = range(7)
"""The steps of a phase between which mechanics are asked.

It is foreseen what units would do.  They leave for where they came to, or where they found refuge; who is gone is taken
off; then a phase is concluded.  Once the next has begun it is seen whether anybody remains."""


class End(NamedTuple):
    """The end of a phase."""

    kind: int  # of phase
    turn: int  # of the calendar, from 1
    counts: bool  # owners are counted
    by_centres: bool  # centres win now
    by_units: bool  # units win now
    lead: int  # this many centres ahead of all others win, 0 for none
    last: int  # if at most this many powers remain those with most centres win


class Units(NamedTuple):
    """Units, by row from 1, as the judge numbers them."""

    number: Lent  # its own for life
    stance: Lent
    owner: Lent  # its power, 0 for nobody
    aboard: Lent  # the number of the unit that carries it, or 0
    span: Lent  # what a mechanic keeps of it
    gone: Lent  # 1 for a unit that is taken off
    far: Lent  # in Winter: its distance from home, beyond what its place implies


class Beaten(NamedTuple):
    """Dislodged units, by row from 1."""

    number: Lent
    stance: Line
    flees: Line  # the stance from which it retreats
    owner: Lent
    attacker: Line  # the province where its attacker came from
    free: Line  # 1 if it may go there all the same
    gone: Lent
    refuge: Lent  # the province that it retreats to, -1 for none


class Lands(NamedTuple):
    """Provinces; what mechanics say of Winters is as in `rules.Standing`, and empty where none says anything."""

    holder: Lent  # the power that owns it
    closed: Lent  # not 0 if nobody may retreat there
    room: Lent


class Powers(NamedTuple):
    """Powers, by number; `silent` to `free` are as in `rules.Standing`."""

    centres: Lent  # the number that it owned at the last count
    fallen: Line  # the turn of the calendar in which it was eliminated, from 1, or 0
    silent: Lent
    barren: Lent
    fed: Lent
    free: Lent  # empty where no mechanic says anything of it


class Orders(NamedTuple):
    """Orders: of row r in a movement, of the dislodged unit of row r in retreats, one after the other in Winter.

    What mechanics say of a row, `barred` to `fell`, is as in `rules.Standing`.
    """

    verb: Lent
    to: Lent  # a stance, -1 for none
    about: Lent  # the row helped or removed, or the power that builds
    load: Lent  # what goes along, as mechanics say
    rider: Lent  # what is done beside it, likewise
    barred: Lent
    offers: Lent
    fell: Lent


class Game(NamedTuple):
    """One game's columns, or with one more dimension in front those of many games."""

    tally: Line
    kept: Lent  # the numbers that mechanics keep
    joins: Lent  # the units that mechanics bring onto the board
    moved: Lent  # what came of a movement phase
    units: Units
    beaten: Beaten
    lands: Lands
    powers: Powers
    orders: Orders


def game_at(games: Game, i: int) -> Game:
    """Return the columns of the game at this place, of the columns of many."""
    u, b, lands, p, o = games.units, games.beaten, games.lands, games.powers, games.orders
    return Game(
        games.tally[i], games.kept[i], games.joins[i], games.moved[i],
        Units(u.number[i], u.stance[i], u.owner[i], u.aboard[i], u.span[i], u.gone[i], u.far[i]),
        Beaten(b.number[i], b.stance[i], b.flees[i], b.owner[i], b.attacker[i], b.free[i], b.gone[i], b.refuge[i]),
        Lands(lands.holder[i], lands.closed[i], lands.room[i]),
        Powers(p.centres[i], p.fallen[i], p.silent[i], p.barren[i], p.fed[i], p.free[i]),
        Orders(o.verb[i], o.to[i], o.about[i], o.load[i], o.rider[i], o.barred[i], o.offers[i], o.fell[i]),
    )  # fmt: skip


def put_unit(units: Units, r: int, number: int, stance: int, owner: int) -> None:
    """Let a row be that of this unit, which nobody carries."""
    units.number[r], units.stance[r], units.owner[r] = number, stance, owner
    units.aboard[r] = units.span[r] = 0


def shift_unit(units: Units, r: int, to: int) -> None:
    """Let the unit of row `r` have another row."""
    put_unit(units, to, units.number[r], units.stance[r], units.owner[r])
    units.aboard[to], units.span[to] = units.aboard[r], units.span[r]


def set_order(orders: Orders, r: int, verb: int, to: int = -1, about: int = 0) -> None:
    """Let this be the order of a row, with nothing that goes along or is done beside it."""
    orders.verb[r], orders.to[r], orders.about[r] = verb, to, about
    orders.load[r] = orders.rider[r] = 0


class Supports(NamedTuple):
    """By province, the moves into it that may be supported; the extra last row is that of no province."""

    count: Lent  # how many pairs of `row` and `to` there are
    row: Sheet
    to: Sheet
    walks: Lent  # how many of them, the first, need no convoy
    alone: Lent  # one flag: no two units lie together


class Shores(NamedTuple):
    """What groups of joined waters touch."""

    port: Sheet  # by group: the ports
    ports: Line  # by group: how many
    army: Sheet  # by group: the rows of the armies in these ports
    armies: Line
    group: Sheet  # by port: the groups that touch it
    groups: Line


class KernelRoom(NamedTuple):
    """The columns of the kernel, one after the other."""

    cells: Sheet  # its `Rows`
    answers: Sheet  # its `Outcome`
    places: Sheet  # its `Work` by province
    lines: Sheet  # its `Work` by row


class RowFacts(NamedTuple):
    """Facts of units and orders, by row."""

    fleets: Lent  # the rows of convoys, one after the other
    afloat: Lent  # 1 for a fleet
    sort: Lent  # its kind
    beaten_at: Lent  # of dislodged units: the province
    beaten_sort: Lent
    cargo: Lent  # the row of the unit aboard
    costly: Lent  # 1 for a unit that costs supply
    turn: Lent  # when it is removed


class Claims(NamedTuple):
    """By power: who has won."""

    forces: Lent  # the number of its units
    weights: Lent  # the weight of its claim to have won
    leads: Lent  # 1 for those ahead


class Scratch(NamedTuple):
    """The data computed anew for each phase of each game."""

    tenant: Lent  # by province: the row of the unit there
    goals: Lent  # numbers by row, for whatever a step counts or marks
    listed: Line  # stances or rows that may be chosen
    words: Lent  # random words that are dealt
    spare: Lent  # for rules of mechanics, as long as what they keep
    crossings: Crossings
    search: Search
    supports: Supports
    shores: Shores
    kernel: KernelRoom
    rows: RowFacts
    claims: Claims
