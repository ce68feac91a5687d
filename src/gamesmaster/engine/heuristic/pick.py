"""The heuristic player's choice of retreats, builds and removals: plain functions over columns.

They are lists at the table and arrays in batches, as those of `outlook`.  The possible orders are options, numbered
from 0, each with its value, `worth`; among equals the first is taken.
"""

from __future__ import annotations

from gamesmaster.engine.heuristic.outlook import Column, Fixed


def retreat_all(options: int, unit: Fixed, into: Fixed, worth: Fixed, taken: Column, chosen: Column) -> None:
    """Choose the best places for dislodged units, the unit with the best place of all first.

    The options bring a `unit` `into` a province, -1 where there is room for all; no unit goes to one that is
    `taken[province]`; the extra last cell stands for no province (-1).  `chosen`, zeros by unit, becomes one more than
    an option, for those that find any.
    """
    best = 0
    while best >= 0:
        best = -1
        for option in range(options):
            if not chosen[unit[option]] and not taken[into[option]] and (best < 0 or worth[option] > worth[best]):
                best = option
        if best >= 0:
            chosen[unit[best]] = best + 1
            taken[into[best]] = int(into[best] >= 0)


def best_build(options: int, kind: Fixed, worth: Fixed, kinds: Fixed, units: int) -> int:
    """Return the most valuable build, less valuable if the power has many of its kind; -1 without options.

    `kinds` counts its units of each kind, of `units` in all.
    """
    best, most = -1, 0.0
    for option in range(options):
        likes = worth[option] * (1.5 - kinds[kind[option]] / (1 + units))
        if best < 0 or likes > most:
            best, most = option, likes
    return best


def worth_gone(own: float, load: float, both: bool) -> float:
    """Return the value lost by a removal: that of its unit, or the mean of `both` if its load is removed as well."""
    return (own + load) / 2 if both else own


def least(options: int, worth: Fixed) -> int:
    """Return the option that is worth least."""
    found = 0
    for option in range(1, options):
        if worth[option] < worth[found]:
            found = option
    return found
