"""Dictionaries in the order of their keys, with the methods by which programs read histories."""

from __future__ import annotations

from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class SortedDict(dict[K, V]):
    """A dictionary whose entries are in the order of time: phases as they were played, messages as they were sent."""

    def put(self, key: K, value: V) -> None:
        """Set an entry.  A message that is older than others takes its place before them."""
        times: list[Any] = list(self) if isinstance(key, int) else []
        self[key] = value
        if times and times[-1] > key:
            entries: list[Any] = sorted(self.items())
            self.clear()
            self.update(entries)

    def first_key(self) -> K:
        """Return the first key. Raise `IndexError` if the dictionary is empty."""
        return self.key_from_index(0)

    def last_key(self) -> K:
        """Return the last key. Raise `IndexError` if the dictionary is empty."""
        return self.key_from_index(-1)

    def first_value(self) -> V:
        """Return the value of the first key. Raise `IndexError` if the dictionary is empty."""
        return self[self.first_key()]

    def last_value(self) -> V:
        """Return the value of the last key. Raise `IndexError` if the dictionary is empty."""
        return self[self.last_key()]

    def key_from_index(self, index: int) -> K:
        """Return the key at this index, counted from 0, or from the end if negative; raises `IndexError`."""
        return list(self)[index]

    def copy(self) -> SortedDict[K, V]:
        """Return a copy with the same values."""
        return SortedDict(self)
