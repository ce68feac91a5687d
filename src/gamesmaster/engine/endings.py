"""The end of a game, over columns by number of power (0 is nobody): the powers alive, and the strongest claim to win.

Ordinary Python runs these functions on lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.engine.rows import Column

MOST_UNITS = 1 << 15
"""More than the units that a power can have."""


def is_alive(centres: int, units: int, supply: int) -> bool:
    """Return whether a power has centres or units left, or other supply (STD-2.c, CNW-8.b2)."""
    return centres != 0 or units != 0 or supply != 0


def claim(centres: int, units: int, needed: int, needed_units: int, both: bool) -> int:
    """Return the weight of a power's claim to have won, 0 without one; the greatest weight alone wins (STD-2.a).

    A number that does not count is passed as -1. If `both` count, more centres go before more units (SCO-15.c).
    """
    enough, enough_units = 0 <= centres >= needed, 0 <= units >= needed_units
    if not enough and not enough_units:
        return 0
    if both:
        return 1 + centres * MOST_UNITS + units
    return 1 + max(centres if enough else 0, units if enough_units else 0)


def ahead_by(margin: int, centres: Sequence[int], silent: Sequence[int]) -> int:
    """Return the power that leads every other by at least `margin` centres, 0 without one (STD-2.d).

    `silent` powers are left out.  A `margin` of 0 means that a lead does not win.
    """
    first, most, second = 0, 0, 0
    for power in range(1, len(centres)):
        if not silent[power] and centres[power] > most:
            first, most, second = power, centres[power], most
        elif not silent[power] and centres[power] > second:
            second = centres[power]
    return first if 0 < margin <= most - second else 0


def weigh_last(
    last: int,
    centres: Sequence[int],
    units: Sequence[int],
    supply: Sequence[int],
    silent: Sequence[int],
    weights: Column,
) -> bool:
    """Return whether the game ends because at most `last` powers remain that are alive and not `silent` (TAD-9.d).

    `weights` of those are one more than their centres: those with the most share the game.
    """
    remain = 0
    for power in range(1, len(centres)):
        weights[power] = 0
        if not silent[power] and is_alive(centres[power], units[power], supply[power]):
            weights[power] = 1 + centres[power]
            remain += 1
    return remain <= last


def lead(weights: Sequence[int], leads: Column) -> int:
    """Mark in `leads` the powers of the greatest weight, if any has one; how many they are."""
    most, count = 0, 0
    for power in range(1, len(weights)):
        most = max(most, weights[power])
    for power in range(1, len(weights)):
        leads[power] = weights[power] == most > 0
        count += leads[power]
    return count
