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
    """The end of a phase: its kind, the turn, from 1, and whether owners are counted, centres win now, or units do.

    A `lead` of this many centres wins, 0 for none, and if at most `last` powers remain those with most centres win.
    """

    kind: int
    turn: int
    counts: bool
    by_centres: bool
    by_units: bool
    lead: int
    last: int


class Game(NamedTuple):
    """One game's columns.  Rows of units and orders are numbered from 1, as the judge numbers them.

    `number`, `stance` and `owner` are the units' (a unit's number is its own for life), `aboard` the number of the unit
    that carries one, or 0, `span` what a mechanic keeps of it; `lost_*` those of the dislodged ones, with `lost_flees`,
    the stance from which it retreats, `lost_from`, the province where its attacker came from, and `lost_free`, 1 if it
    may go there all the same; `refuge` are the provinces that they retreat to, -1 if they do not; `closed` are those
    that nobody may retreat to.  `holder` says who owns each province, `centres` how many each power owned at the last
    count, `fallen` in which turn of the calendar it was eliminated, from 1, or 0, `silent` is 1 for those that give no
    orders any more, `barren` for those that build nothing this Winter.  `kept` are the numbers that mechanics keep,
    `joins` the units that they bring onto the board, `fed`, `free`, `room` and, by row, `far` what they say of Winters
    (`judge.Standing`); `free` and `room` are empty where no mechanic says anything of it.

    `barred`, `offers` and `fell` are what mechanics say of a row (`judge.Standing`), `gone` and `lost_gone` who is
    taken off, `moved` what came of a phase of movement.

    `verb`, `to`, `about` and `load` are orders: of row r in a phase of movement, of the dislodged unit of row r in one
    of retreats, one after the other in Winter.  `to` is a stance, -1 for none; `about` the row helped or removed, or
    the power that builds; `load` and `rider` what a mechanic says goes along, and is done
    beside it.
    """

    tally: Line
    number: Lent
    stance: Lent
    owner: Lent
    aboard: Lent
    span: Lent
    lost_number: Lent
    lost_stance: Line
    lost_flees: Line
    lost_owner: Lent
    lost_from: Line
    lost_free: Line
    lost_gone: Lent
    refuge: Lent
    closed: Lent
    holder: Lent
    centres: Lent
    fallen: Line
    silent: Lent
    barren: Lent
    kept: Lent
    joins: Lent
    fed: Lent
    free: Lent
    room: Lent
    far: Lent
    barred: Lent
    offers: Lent
    fell: Lent
    gone: Lent
    moved: Lent
    verb: Lent
    to: Lent
    about: Lent
    load: Lent
    rider: Lent


def game_at(games: Game, i: int) -> Game:
    """Return the columns of the game at this place, of the columns of many."""
    return Game(
        games.tally[i], games.number[i], games.stance[i], games.owner[i], games.aboard[i], games.span[i],
        games.lost_number[i], games.lost_stance[i], games.lost_flees[i], games.lost_owner[i], games.lost_from[i],
        games.lost_free[i], games.lost_gone[i], games.refuge[i], games.closed[i], games.holder[i], games.centres[i],
        games.fallen[i], games.silent[i], games.barren[i], games.kept[i], games.joins[i], games.fed[i], games.free[i],
        games.room[i], games.far[i], games.barred[i], games.offers[i], games.fell[i], games.gone[i], games.moved[i],
        games.verb[i], games.to[i], games.about[i], games.load[i], games.rider[i],
    )  # fmt: skip


class Scratch(NamedTuple):
    """The data computed anew for each phase of each game.

    By province: `tenant` the row of the unit there, `helped` the number of pairs in `help_row`, `help_to` (of shape
    provinces x most) that may be supported there; the extra last cell of `helped`, for no province, is 0.  The first
    `walks` of these pairs need no convoy; `alone[0]` is 1 where no two units lie together.  `group`,
    `start`, `water`, `touched` and `groups` are the judge's `Crossings`; by group, with their numbers: `shore` the
    ports it touches, `load` the rows of the armies on them. By province, too: `coasts` the number of groups that touch
    a port, and `coast` these groups. `fleet` are waters, `mark`, `queue`, `found` and `levels` are for searches,
    `fleets` rows of convoys, `afloat` is 1 for the row of a fleet, `cells` to `lines` are the kernel's, `goals` counts,
    `sorts`, `lost_at` and `lost_sorts` are the kinds of rows, and the places and kinds of dislodged ones, `listed` are
    stances or rows that may be chosen, `words` random words that are dealt, and `spare` is for rules of mechanics, as
    long as what they keep. By row, of Winters: `cargo` is the row of the unit aboard, `costly` is 1 for units that cost
    supply, `turns` is the turn to be removed. By power: `forces` is its number of units, `weights` the weight of its
    claim to have won, `leads` 1 for those ahead.
    """

    tenant: Lent
    group: Lent
    helped: Lent
    help_row: Sheet
    help_to: Sheet
    walks: Lent
    alone: Lent
    start: Lent
    water: Lent
    touched: Lent
    groups: Lent
    shore: Sheet
    shores: Line
    load: Sheet
    loads: Line
    coast: Sheet
    coasts: Line
    fleet: Lent
    mark: Lent
    queue: Lent
    found: Lent
    levels: Lent
    fleets: Lent
    afloat: Lent
    cells: Sheet
    answers: Sheet
    places: Sheet
    lines: Sheet
    goals: Lent
    sorts: Lent
    lost_at: Lent
    lost_sorts: Lent
    listed: Line
    words: Lent
    spare: Lent
    cargo: Lent
    costly: Lent
    turns: Lent
    forces: Lent
    weights: Lent
    leads: Lent


def crossings_of(s: Scratch) -> Crossings:
    """Return the groups of joined waters, as the judge's engine wants them."""
    return Crossings(s.group, s.start, s.water, s.touched, s.groups)


def search_of(s: Scratch) -> Search:
    """Return the scratch of searches for convoys, as the judge's engine wants it."""
    return Search(s.mark, s.found, s.queue, s.levels, s.fleet)
