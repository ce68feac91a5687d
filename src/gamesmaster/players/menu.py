"""What the units of one power may do in a movement, and which of it is thought about.

These are plain functions over columns, lists at the table and arrays in batches, as those of `outlook`.
"""

from __future__ import annotations

from typing import NamedTuple

from gamesmaster.players.outlook import Column, Fixed

STAYS, WAITS, WORKS, CONVOYS, SUPPORTS, LANDS, GOES = range(7)
"""What an option makes of its unit.

Who `WAITS` stays for another's sake alone; who `WORKS` is spoiled by any attack on its place; who `LANDS` puts another
ashore, and stays.  From `CONVOYS` on others are concerned; `LANDS` and `GOES` are moves.
"""

UNITS, BOUND, OPTIONS, NEEDS, WAYS, TALLIES = range(6)
"""What `Plan.tally` holds: how many units there are, options chosen that need others, and how much is listed."""

MOST_MOVES = 8
"""Goals considered for a unit: the best by worth."""


class Menu(NamedTuple):
    """What the units of one power may do.  Units are numbered from 1, options from 0; a plan's `tally` counts both.

    By unit: `at` its province, `aboard` whether another carries it, `hold` the option of doing nothing; its ways, from
    `way_at` to `way_end`, are what it may be given: an option of its own, and the `backer`, an option of another unit
    to support it, -1 for none.  `own` is the unit in each province, 0 for none; one cell more is for no province, -1.

    By option: the `unit`, `code` what it makes of it, `into` the province that it brings it to, -1 for none in
    particular, and `lane` the same of moves alone, -1 where nobody is in anybody's way; `value` is what the unit may
    expect if it comes true, `otherwise` if not.  `aim` is what help for it must aim at, a number from `unit * aims`,
    which is that the unit stays; `helps` is the aim of a support or convoy, -1 for others.  What it needs are
    `needs[need_at:need_end]` (the end is 0 if it needs nothing): the convoys of a voyage, as options; or, if it has a
    `partner`, the words one of which the option of that unit must bear.  `mate` is the option of the partner that is
    taken together with it, `word` what its order is called by partners.  The supports for each aim are linked: from
    `first_backer`, by aim, on to `next_backer`, by option; each is one more than the option, 0 if there is none.
    """

    aims: int
    at: Column
    aboard: Column
    hold: Column
    way_at: Column
    way_end: Column
    way: Column
    backer: Column
    own: Column
    unit: Column
    code: Column
    into: Column
    lane: Column
    value: Column
    otherwise: Column
    aim: Column
    helps: Column
    need_at: Column
    need_end: Column
    needs: Column
    partner: Column
    mate: Column
    word: Column
    first_backer: Column
    next_backer: Column


def link_backers(m: Menu, options: int) -> None:
    """Link the supports of each aim among so many options, those of the first units first."""
    for option in range(options - 1, -1, -1):
        if m.code[option] == SUPPORTS:
            helps = m.helps[option]
            m.next_backer[option] = m.first_backer[helps]
            m.first_backer[helps] = option + 1


def pick_moves(moves: Fixed, value: Fixed, picked: Column, start: int) -> int:
    """Write down the best of a unit's moves from `start` on, of equal ones the first first; where they then end."""
    end = start
    for move in moves:
        worth = value[move]
        if end - start < MOST_MOVES:
            end += 1
        elif worth <= value[picked[end - 1]]:
            continue
        i = end - 1
        while i > start and value[picked[i - 1]] < worth:
            picked[i] = picked[i - 1]
            i -= 1
        picked[i] = move
    return end


def fits_boarding(code: int, meets: bool, sails: bool, helps: bool) -> bool:
    """Can an army go aboard while its fleet does this: take it in, hold, or sail or help as one that is laden?

    It is said of it whether it `meets` the army where that comes from, `sails` laden to where it goes, `helps` there.
    """
    if code == WAITS:
        return meets
    if code == GOES:
        return sails
    return code == STAYS or (code == SUPPORTS and helps)


def fits_landing(code: int, into: int, at: int, water: int) -> bool:
    """Can an army land from a water while its fleet, which lies `at` one, does this: stay there, or sail `into` it?"""
    return code == STAYS if water == at else code == GOES and into == water


def find_chain(
    waters: Fixed, link: Fixed, size: int, start: int, goal: int, came: Column, chain: Column
) -> int:  # fmt: skip
    """Find the shortest chain of fleets in these waters, in order, from shore `start` to `goal`; how many it has.

    `link[place * size + water]` says that a convoy in a water touches a place.  Of the columns, as long as the waters
    and more than one, `came` is scratch: one more than the water whence each was reached, as its place among them.
    `chain` is then the places of the fleets among the waters; of no account if there is none.
    """
    found = done = 0
    for i in range(len(waters)):
        came[i] = 0
        if link[start * size + waters[i]]:
            came[i] = i + 1
            chain[found] = i
            found += 1
    while done < found:
        here = chain[done]
        done += 1
        if link[goal * size + waters[here]]:
            return _trace(here, came, chain)
        for i in range(len(waters)):
            if not came[i] and link[waters[i] * size + waters[here]]:
                came[i] = here + 1
                chain[found] = i
                found += 1
    return 0


def _trace(last: int, came: Fixed, chain: Column) -> int:
    """Write down a chain, of which this is the last; how long it is."""
    here, length = last, 1
    while came[here] != here + 1:
        here = came[here] - 1
        length += 1
    for i in range(length - 1, -1, -1):
        chain[i] = last
        last = came[last] - 1
    return length
