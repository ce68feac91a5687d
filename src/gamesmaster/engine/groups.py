"""NamedTuples of columns, of which some may be NamedTuples of columns themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

Group = TypeVar("Group", bound=tuple[Any, ...])


def each_column(columns: tuple[Any, ...]) -> Iterator[Any]:
    """Yield the columns, those of groups in their place."""
    for column in columns:
        yield from each_column(column) if isinstance(column, tuple) else (column,)


def map_columns(change: Callable[[Any], Any], columns: Group) -> Group:
    """Return the same groups of what `change` makes of each column."""
    return type(columns)(
        *(map_columns(change, column) if isinstance(column, tuple) else change(column) for column in columns)
    )
