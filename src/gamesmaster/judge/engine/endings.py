"""How games end, over columns by number of power, 0 being nobody: who is left, whose claim to have won weighs most.

Ordinary Python runs these functions on lists; Numba compiles the same source over arrays for batches.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamesmaster.judge.engine.kernel import Column

MOST_UNITS = 1 << 15
"""More than the units that a power can have."""


def is_alive(centres: int, units: int, supply: int) -> bool:
    """Has a power centres or units left, or other supply (STD-2.c, CNW-8.b2)?"""
    return centres != 0 or units != 0 or supply != 0


def claim(centres: int, units: int, needed: int, needed_units: int, both: bool) -> int:
    """How much a power's claim to have won weighs, 0 if it has none; more than all others wins (STD-2.a).

    What does not count now is -1.  If `both` count, more centres go before more units (SCO-15.c).
    """
    enough, enough_units = 0 <= centres >= needed, 0 <= units >= needed_units
    if not enough and not enough_units:
        return 0
    if both:
        return 1 + centres * MOST_UNITS + units
    return 1 + max(centres if enough else 0, units if enough_units else 0)


def weigh_last(
    last: int,
    centres: Sequence[int],
    units: Sequence[int],
    supply: Sequence[int],
    silent: Sequence[int],
    weights: Column,
) -> bool:
    """Do so few powers remain, alive and not `silent`, that the game ends with the `last` ones (TAD-9.d)?

    If so, their centres are their weights: those with most share it, if anybody remains.
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
