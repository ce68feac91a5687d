"""Do the parameters of a variant's mechanics name what there is: its powers, provinces, kinds of unit and seasons?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass

from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import Mechanic

Known = Mapping[str, Collection[str]]
"""The names there are, by what they name: `power`, `province`, `kind`, `season`."""


def check_names(mechanic: Mechanic, known: Known, where: str) -> None:
    """Raise `BadFile` for a parameter that names what there is not, with the nearest that there is.

    `where` is the place of the mechanic's table.
    """
    for parameter, name, sort in named(mechanic, mechanic.names):
        if name not in known[sort] and not (sort == "season" and name.casefold() in map(str.casefold, known[sort])):
            what = {"kind": "kind of unit"}.get(sort, sort)
            hint = nearest(name, known[sort]) or f"known: {', '.join(sorted(known[sort])[:12])}"
            raise BadFile(f"no {what} {name[:60]!r}", where=f"{where}.{parameter}", hint=hint)


def named(value: object, names: Mapping[str, str], sort: str = "", key: str = "") -> Iterator[tuple[str, str, str]]:
    """The outermost parameter, the name and what it names, for every name in a mechanic or in part of one."""
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
        for inner, part in value.items():
            yield from named(part, names, names.get(inner, ""), key or inner)
    elif isinstance(value, str):
        if sort and value:
            yield key, value, sort
    elif isinstance(value, Mapping):
        for inner, part in value.items():
            if sort:
                yield key, str(inner), sort
            yield from named(part, names, names.get(str(inner), ""), key)
    elif isinstance(value, Collection):
        for part in value:
            yield from named(part, names, sort, key)
