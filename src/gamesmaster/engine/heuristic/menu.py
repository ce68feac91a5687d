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


class MenuUnits(NamedTuple):
    """Units, numbered from 1."""

    at: Column  # its province
    aboard: Column  # 1 if another carries it
    hold: Column  # the option of doing nothing
    way_at: Column  # where its ways begin
    way_end: Column  # where they end


class MenuWays(NamedTuple):
    """What units may be tried with."""

    option: Column  # an option of the unit
    backer: Column  # another unit's option to support it, -1 for none


class Options(NamedTuple):
    """Options, numbered from 0."""

    unit: Column  # whose it is
    code: Column  # its kind
    into: Column  # the province that it brings the unit to, -1 for none in particular
    lane: Column  # the same for moves alone, -1 where moves do not block each other
    value: Column  # what the unit may expect if it succeeds
    otherwise: Column  # what the unit may expect if it fails
    aim: Column  # the number that support for it must name, from unit * aims, which means that it stays
    helps: Column  # the aim of a support or convoy, -1 for others
    word: Column  # the name of its order to partners


class Needs(NamedTuple):
    """What options need of other units: by option, but for `listed`."""

    begin: Column  # where its needs begin in `listed`
    end: Column  # where they end, 0 if it has none
    partner: Column  # the unit that it takes besides its own, 0 for none
    mate: Column  # the partner's option that is taken together with it
    listed: Column  # the convoys of a voyage, as options; or the words of which the partner's option must bear one


class Backers(NamedTuple):
    """The supports for each aim, as a linked list: one more than an option, 0 at the end."""

    first: Column  # by aim
    next: Column  # by option


class Menu(NamedTuple):
    """The options of one power's units; a plan's `tally` counts both."""

    aims: int  # how many aims each unit has
    own: Column  # by province: the unit there, 0 for none; the extra last cell stands for no province (-1)
    units: MenuUnits
    ways: MenuWays
    options: Options
    needs: Needs
    backers: Backers


def link_backers(m: Menu, options: int) -> None:
    """Link the supports of each aim among the first `options` options, those of the first units first."""
    first = m.backers.first
    for option in range(options - 1, -1, -1):
        if m.options.code[option] == SUPPORTS:
            helps = m.options.helps[option]
            m.backers.next[option], first[helps] = first[helps], option + 1


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
