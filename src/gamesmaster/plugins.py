"""What other packages bring: mechanics, forms of files, players, styles of maps and variants, as entry points.

A package names them in its `pyproject.toml`; each is loaded when its name is looked up:

    [project.entry-points."gamesmaster.styles"]
    sepia = "my_package:SEPIA"
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar

from gamesmaster.errors import GamesmasterError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint

T = TypeVar("T")


@cache
def brought(group: str) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group (`mechanics`, `formats`, `players`, `styles`, `variants`), by name."""
    from importlib.metadata import entry_points  # slow to load, and seldom asked

    return {entry.name: entry for entry in sorted(entry_points(group=f"gamesmaster.{group}"))}


def load(entry: EntryPoint, what: str, kind: type[T]) -> T:
    """Return the object of an entry point; raises `GamesmasterError` if it cannot be loaded or is not a `kind`.

    `what` says what it is in complaints: `form`, `mechanic`.
    """
    try:
        found = entry.load()
    except Exception as error:  # it is not our code
        what = f"the {what} {entry.name!r} cannot be loaded: {error}"
        raise GamesmasterError(what, where=entry.value) from error
    if not isinstance(found, kind):
        raise GamesmasterError(f"the {what} {entry.name!r} is not a {kind.__name__}", where=entry.value)
    return found
