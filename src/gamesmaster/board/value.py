"""Large values that compare by their fields, and keep look-up tables that pickles leave out."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self
from weakref import WeakValueDictionary


class Value:
    """A large value, a frozen dataclass with `eq=False`, that keeps look-up tables in cached properties.

    Two of them are equal if their fields are.  A pickle holds the fields alone; the tables are made anew, once, for of
    equal values that are unpickled in a process there is one.  A subclass says how it is hashed, out of a few fields.
    """

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        pairs = [
            (mine, theirs) for mine, theirs in zip(self._compared, other._compared, strict=True) if mine is not theirs
        ]
        pairs.sort(key=lambda pair: isinstance(pair[0], Value))  # large values take long to compare: they come last
        return all(mine == theirs for mine, theirs in pairs)

    def __hash__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} does not say how it is hashed")

    @cached_property
    def _compared(self) -> tuple[object, ...]:
        """Return the values of the fields that decide equality."""
        return tuple(getattr(self, f.name) for f in fields(self) if f.compare)  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        _known.setdefault((type(self), hash(self)), self)
        return _intern, (type(self), {f.name: getattr(self, f.name) for f in fields(self)})  # type: ignore[arg-type]

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self


_known: WeakValueDictionary[tuple[type[Value], int], Value] = WeakValueDictionary()


def _intern(kind: type[Value], state: Mapping[str, object]) -> Value:
    """Return the value of this kind with these fields: one that is known already, if it is equal."""
    made = object.__new__(kind)
    made.__dict__.update(state)
    key = (kind, hash(made))
    found = _known.get(key)
    if found is None or found != made:
        _known[key] = found = made
    return found


def _read_only(found: dict[object, object]) -> MappingProxyType[object, object]:
    return MappingProxyType(found)


def _reduce(found: MappingProxyType[object, object]) -> tuple[Any, ...]:
    return _read_only, (dict(found),)


copyreg.pickle(MappingProxyType, _reduce)  # which pickle leaves to others
