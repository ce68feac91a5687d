"""NamedTuples of columns, of which some may be NamedTuples of columns themselves; lists of rows as two columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, TypeVar

Group = TypeVar("Group", bound=tuple[Any, ...])
Item = TypeVar("Item")


def each_column(columns: tuple[Any, ...]) -> Iterator[Any]:
    """Yield the columns, those of groups in their place."""
    for column in columns:
        yield from each_column(column) if is_group(column) else (column,)


def map_columns(change: Callable[[Any], Any], columns: Group) -> Group:
    """Return the same groups of what `change` makes of each column."""
    return type(columns)(*(map_columns(change, each) if is_group(each) else change(each) for each in columns))


def is_group(column: Any) -> bool:
    """Return whether this is a NamedTuple of columns: a plain tuple is a column."""
    return hasattr(column, "_fields")


def end_to_end(rows: Sequence[Sequence[Item]]) -> tuple[list[int], list[Item]]:
    """Return where each row begins if they lie end to end, with the end of the last; and their items."""
    return [0, *accumulate(map(len, rows))], [*chain(*rows)]
