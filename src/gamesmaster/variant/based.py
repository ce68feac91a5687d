"""Variants based on another: what a file leaves unsaid stands as in the file of its base.

`based_on = "indianomacy"` in `variant.toml` takes over everything but `id` and `name`, and the board with it.  What the
file says itself changes single keys: tables are joined key by key, lists of named tables (powers, mechanics, options)
by name; anything else takes the place of what the base says.  The result is the data of an ordinary file, so that the
variant and its digest are the same as if all of it had been written out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gamesmaster.errors import BadFile, NotFound, nearest

BASED_ON = "based_on"
OWN = ("id", "name")
"""What a variant never takes over."""
REMOVALS = {f"without_{key}": key for key in ("powers", "mechanics", "options")}
"""Keys that name what is left out, and of which list of the base."""


def completed(
    told: Mapping[str, object], base: Callable[[str], Mapping[str, object]], where: str
) -> Mapping[str, object]:
    """What a file says, with everything that it takes over; `base` has the data of a variant by its name.

    A file that is based on nothing comes back as it is.  Raises `BadFile`, also for a base with a base of its own.
    """
    if BASED_ON not in told:
        return told
    from gamesmaster.schemas import checked, place
    from gamesmaster.variant.file_models import BaseEntry

    entry = checked(BaseEntry, {key: told[key] for key in told if key in (BASED_ON, *REMOVALS)}, BadFile, where)
    try:
        below = base(entry.based_on)
    except NotFound as fault:
        raise BadFile(fault.what, where=place(where, (BASED_ON,)), hint=fault.hint) from None
    if BASED_ON in below:
        what = f"{entry.based_on} is itself based on another variant, {str(below[BASED_ON])[:40]}"
        raise BadFile(what, where=place(where, (BASED_ON,)), hint="only a variant that is written out can be a base")
    kept: dict[str, object] = {"board": entry.based_on} | {key: v for key, v in below.items() if key not in OWN}
    for removal, key in REMOVALS.items():
        kept |= _left(kept, key, getattr(entry, removal), place(where, (removal,)))
    own = {key: value for key, value in told.items() if key not in (BASED_ON, *REMOVALS)}
    whole: dict[str, object] = joined(kept, own)
    return whole


def _left(kept: Mapping[str, object], key: str, gone: list[str], where: str) -> dict[str, object]:
    """A list of the base without the tables of these names; raises `BadFile` for a name that is not in it."""
    if not gone:
        return {}
    tables = _by_name(kept.get(key)) or {}
    for name in gone:
        if name not in tables:
            raise BadFile(f"its base has no {name[:80]!r} among its {key}", where=where, hint=nearest(name, tables))
    return {key: [table for name, table in tables.items() if name not in gone]}


def joined(base: Any, own: Any) -> Any:
    """Both, one upon the other: what `own` says counts, what it leaves unsaid is that of `base`."""
    if isinstance(base, Mapping) and isinstance(own, Mapping):
        return {**base, **{key: joined(base[key], value) if key in base else value for key, value in own.items()}}
    below, above = _by_name(base), _by_name(own)
    if below and above:
        return [*joined(below, above).values()]
    return own


def _by_name(value: object) -> dict[str, Mapping[str, object]] | None:
    """A list of tables by their names; None for anything else, and if one has no name or two have the same."""
    if not isinstance(value, list):
        return None
    tables = [table for table in value if isinstance(table, Mapping) and isinstance(table.get("name"), str)]
    named = {table["name"]: table for table in tables}
    return named if len(named) == len(value) else None
