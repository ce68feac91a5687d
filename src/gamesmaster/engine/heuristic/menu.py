"""The options of one power's units in a movement phase, as far as players consider them.

These are plain functions over columns, lists at the table and arrays in batches, as those of `outlook`.
"""

from __future__ import annotations

from typing import NamedTuple

from gamesmaster.engine.heuristic.outlook import Column, Fixed

STAYS, WAITS, WORKS, CONVOYS, SUPPORTS, LANDS, GOES = range(7)
"""The kinds of option for a unit.

`WAITS`: it stays only for another unit's sake. `WORKS`: any attack on its place spoils its work. `LANDS`: it stays and
puts another unit ashore. From `CONVOYS` on, other units are concerned; `LANDS` and `GOES` are moves.
"""

UNITS, BOUND, OPTIONS, NEEDS, WAYS, GUESSED, TALLIES = range(7)
"""Indices into `Plan.tally`: the number of units, of chosen options that need others, the lengths of the lists, and the
number of guesses used."""

MOST_MOVES = 8
"""Goals considered for a unit: the best by worth."""


class Menu(NamedTuple):
    """The options of one power's units. Units are numbered from 1, options from 0; a plan's `tally` counts both.

    A *way* is what a unit may be tried with: an option of its own, and perhaps another unit's option to support it.
    """

    aims: int  # how many aims each unit has
    at: Column  # by unit: its province
    aboard: Column  # by unit: 1 if another carries it
    hold: Column  # by unit: the option of doing nothing
    way_at: Column  # by unit: where its ways begin
    way_end: Column  # by unit: where they end
    way: Column  # by way: the option
    backer: Column  # by way: the option that supports it, -1 for none
    own: Column  # by province: the unit there, 0 for none; the extra last cell stands for no province (-1)
    unit: Column  # by option: whose it is
    code: Column  # by option: its kind
    into: Column  # by option: the province that it brings the unit to, -1 for none in particular
    lane: Column  # by option: the same for moves alone, -1 where moves do not block each other
    value: Column  # by option: what the unit may expect if it succeeds
    otherwise: Column  # by option: what the unit may expect if it fails
    aim: Column  # by option: the number that support for it must name, from unit * aims, which means that it stays
    helps: Column  # by option: the aim of a support or convoy, -1 for others
    need_at: Column  # by option: where its needs begin in `needs`
    need_end: Column  # by option: where they end, 0 if it has none
    needs: Column  # the convoys of a voyage, as options; or the words of which the partner's option must bear one
    partner: Column  # by option: the unit that it takes besides its own, 0 for none
    mate: Column  # by option: the partner's option that is taken together with it
    word: Column  # by option: the name of its order to partners
    first_backer: Column  # by aim: one more than the first option that supports it, 0 for none
    next_backer: Column  # by option: one more than the next option with the same aim, 0 for none


def link_backers(m: Menu, options: int) -> None:
    """Link the supports of each aim among the first `options` options, those of the first units first."""
    for option in range(options - 1, -1, -1):
        if m.code[option] == SUPPORTS:
            helps = m.helps[option]
            m.next_backer[option] = m.first_backer[helps]
            m.first_backer[helps] = option + 1


def pick_moves(moves: Fixed, value: Fixed, picked: Column, start: int) -> int:
    """Write the best of a unit's moves to `picked[start:]`, the first of equal ones first; return where they end."""
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
    """Return whether an army can board while its fleet has this option: take it in, hold, move or support.

    `meets`: the fleet moves to the army; `sails`: it can make its move loaded; `helps`: it can still give its support.
    """
    if code == WAITS:
        return meets
    if code == GOES:
        return sails
    return code == STAYS or (code == SUPPORTS and helps)


def fits_landing(code: int, into: int, at: int, water: int) -> bool:
    """Return whether an army can land from a `water` while its fleet, now `at` one, stays there or moves `into` it."""
    return code == STAYS if water == at else code == GOES and into == water


def find_chain(
    waters: Fixed, link: Fixed, size: int, start: int, goal: int, came: Column, chain: Column
) -> int:  # fmt: skip
    """Find the shortest chain of fleets in these waters, from shore `start` to `goal`, and return its length.

    `link[place * size + water]` says that a convoy in a water touches a place.  Of the columns, as long as the waters
    and more than one, `came` is scratch: one more than the index of the water from which each was reached. `chain`
    receives the indices of the fleets among the waters; ignore it if the length is 0.
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
    """Write the chain that ends with the fleet `last`, and return its length."""
    here, length = last, 1
    while came[here] != here + 1:
        here = came[here] - 1
        length += 1
    for i in range(length - 1, -1, -1):
        chain[i] = last
        last = came[last] - 1
    return length
