"""What mechanics say in columns: rules that the table and batches carry out alike, and what they keep as numbers.

A rule is a plain function of its module, over the columns of a `Standing`: at the table they are lists made of the
position (`standing`), in batches arrays, for which Numba compiles the same source.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from gamesmaster.board import Position
from gamesmaster.judge.engine.kernel import Column
from gamesmaster.judge.engine.winter import count_centres, ground
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.values import Mechanic


class Standing(NamedTuple):
    """A position between two phases, in columns; powers go by their numbers, 0 is nobody.

    Of units 1 to `n`, `at` are the provinces and `owner` the powers; `gone`, given as zeros, says who is taken off.
    `holder` owns each province; `centres` is how many each power owns, `silent` 1 for those that give no orders any
    more.  `kept` is what the mechanic keeps.
    """

    n: int
    at: Column
    owner: Column
    gone: Column
    holder: Column
    centres: Column
    silent: Column
    kept: Column


Rule: TypeAlias = Callable[[Any, Standing], None]
"""What changes a standing, by the parameters of its mechanic."""


@dataclass(frozen=True)
class Columns:
    """How a mechanic is carried out in columns.

    Where its powers may build (`sites`) must hang on nothing but a place's owner, the unit there, and what it keeps.
    That is `dated` if it is the same in all games at the same time, as `resume` tells it; else so many numbers,
    `width`, 0 at the start, of which `state` makes what is kept.  `after_count` is its rule at a count, and `table` the
    parameters of that, a NamedTuple of columns.
    """

    dated: bool = False
    width: int = 0
    state: Callable[[Sequence[int]], object] | None = None
    after_count: Rule | None = None
    table: tuple[Sequence[int], ...] = ()


class ColumnMechanic(Mechanic):
    """A mechanic that can be carried out in columns."""

    @abstractmethod
    def columns(self, rules: Rules) -> Columns | str:
        """How it is; or why, with these parameters, it cannot be."""


def standing(rules: Rules, position: Position, kept: Column | None = None) -> Standing:
    """The columns of a position, for one rule; it may change them."""
    index, numbers, units, land = rules.board.index, rules.numbers, position.units, rules.derive(ground)
    holder, centres = [0] * len(index), [0] * (1 + len(rules.powers))
    for province, power in position.owners.items():
        holder[index[province]] = numbers.get(power, 0)
    count_centres(holder, land.centre, centres)
    return Standing(
        n=len(units),
        at=[0, *(index[unit.at.province] for unit in units)],
        owner=[0, *(numbers.get(unit.power, 0) for unit in units)],
        gone=[0] * (1 + len(units)),
        holder=holder,
        centres=centres,
        silent=[0] * len(centres),
        kept=[] if kept is None else kept,
    )
