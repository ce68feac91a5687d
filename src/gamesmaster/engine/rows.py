"""The columns of a Problem, its answer and its scratch, and the numbers in them.

Rows are numbered from 1; row 0 is nobody, so that a missing row is false.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import NamedTuple

HOLD = 0
"""What a row does: stays where it is."""
MOVE = 1
"""What a row does: moves."""
SUPPORT = 2
"""What a row does: supports another row."""
CONVOY = 3
"""What a row does: convoys another row."""

ABSENT = 1
"""Flag: occupies nothing."""
FREE = 2
"""Flag: arrives unopposed, opposes nobody."""
CARRIED = 4
"""Flag: its route must be found: convoy rows naming it, or its carrier in `about`."""
SAILS = 8
"""Flag: its carrier in `about` must arrive by its own move."""
EVERY = 16
"""Flag: any convoying fleet lost breaks the route (DATC 4.A.1 a)."""
EITHER = 32
"""Flag: walks once the sea route is broken (DATC 4.A.3 a, c)."""
NOWAY = 64
"""Flag: a move only in name: it cannot happen, but the unit is not a holder either."""
PASS = 128
"""Flag: never meets head on; with EITHER, unless it walks."""
LEAVES = 256
"""Flag: quits its place, its route holding, if a carrying fleet of its own stands, arriving or not."""
BLUNT = 512
"""Flag: cuts no support, not even by dislodging; with EITHER, unless it walks."""
FAINT = 1024
"""Flag: closes nothing to retreats, does not attack a builder (read outside the kernel)."""
ALONE = 2048
"""Flag: cannot be supported."""
POWERLESS = 4096
"""Flag: its own force is 0, so that without help it does not even come to an empty place."""

# Decisions.  OPEN is 0 in every column.
OPEN = 0
CAME, FAILED = 1, 2  # state of a move
HOLDS, BROKEN, SILENCED, WALKS = 1, 2, 3, 4  # a route; silenced by a paradox; by land, the sea route being broken
GIVEN, CUT = 1, 2  # a support
GONE = 1
"""A mover has left its place."""
STAYS = 2
"""A mover has not left its place."""

# `contest`: whether a loser still contests the place its victor came from (DATC 4.A.7)
UNLESS_HEAD_ON, NEVER, ALWAYS = 0, 1, 2
# `knot`: what a paradox does (DATC 4.A.2 f, d).
SZYKMAN, ALL_HOLD = 0, 1

Column = MutableSequence[int]
"""A number for each row, province or power: a list, or an array."""


class Rows(NamedTuple):
    """The columns of a Problem, each of length n + 1."""

    kind: Column  # what the row does
    at: Column  # its province
    to: Column  # the province that it moves to, or supports into
    whence: Column  # where its blow comes from, usually `at`
    about: Column  # the row supported or convoyed; for a landing, its carrier
    owner: Column  # a power's number, neutrals too; row 0's belongs to nobody
    force: Column  # weight of attack, of help, or, of a unit that holds or convoys, of defence
    stay: Column  # weight of defence when ordered to support or to move, and at least that when met head on
    flags: Column


class Outcome(NamedTuple):
    """The answer, row by row."""

    state: Column  # of a move: `CAME` or `FAILED`
    route: Column  # of a carried row: `HOLDS` to `WALKS`; of a convoy: `SILENCED` by a paradox
    gone: Column  # of a mover: `GONE` or `STAYS`
    cut: Column  # of a support: `GIVEN` or `CUT`
    by: Column  # the row that stopped a move, cut a support, or failed to carry an army; 0 for none
    strength: Column  # force and the help given
    spoilt: Column  # the part of it that is help of the occupant's own power, and does not count against him


class Work(NamedTuple):
    """Scratch, by row but for `occupant` and `first`."""

    occupant: Column  # by province: the row of the unit there
    first: Column  # by province: its first contender
    rival: Column  # the next contender of the same place
    carrier: Column  # of an army: its first convoying fleet
    sister: Column  # of a fleet: the next that convoys the same army
    facing: Column  # the row met head on
    high: Column  # the upper bound of `strength`
    spoil: Column  # the upper bound of `spoilt`
    todo: Column  # the open rows
    fate: Column  # of a fleet: `AFLOAT` to `SUNK` (`routes`)
    queue: Column  # the fleets that a search has reached
    mark: Column  # rows that a search leaves out, or that are part of a ring
