"""Values of a shapes file, each with its place, read as what they should be or refused.

Written by hand rather than with pydantic: a file is mostly one long list of integers, and these checks go over it at
the speed of the built-in functions.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple, NoReturn

from gamesmaster.errors import BadShapes, nearest
from gamesmaster.strictjson import path_text

MARGIN = 1_000
"""How far outside the frame, in page units, anything may lie."""

PROVINCE = re.compile(r"[A-Za-z0-9]{1,16}\Z")
LOCATION = re.compile(r"[A-Za-z0-9]{1,16}(/[A-Z]{1,4})?\Z")
COAST = re.compile(r"([A-Z]{1,4})?\Z")
_INTEGERS = frozenset([int])  # and not bool, which is a kind of int
WAY = re.compile(r"[a-z]{1,16}\Z")


class Node(NamedTuple):
    """A value, the path to it, and the name of the source."""

    value: object
    path: tuple[str | int, ...] = ()
    where: str = ""

    def fault(self, what: str, hint: str = "") -> NoReturn:
        """Refuse this value."""
        path = path_text(self.path)
        raise BadShapes(what, where=f"{self.where}, {path}" if self.where else path, hint=hint)

    def child(self, key: str | int, value: object) -> Node:
        """A value within this one."""
        return Node(value, (*self.path, key), self.where)

    def entry(self, needed: Collection[str], optional: Collection[str] = ()) -> dict[str, Node]:
        """An object with these keys and no others; those left out are missing from the answer."""
        found = self.table(len(needed) + len(optional) + 1)
        for key in found:
            if key not in needed and key not in optional:
                self.child(key, None).fault("this key is not known here", nearest(key, [*needed, *optional]))
        for key in needed:
            if key not in found:
                self.child(key, None).fault("this key is missing")
        return found

    def table(self, most: int, keys: re.Pattern[str] | None = None) -> dict[str, Node]:
        """An object with any keys, or any that match."""
        if not isinstance(self.value, dict):
            self.fault("expected an object")
        if len(self.value) > most:
            self.fault(f"more than {most:,} entries")
        for key in self.value:
            if not isinstance(key, str) or (keys and not keys.match(key)):
                self.child(str(key), None).fault("this key is not of the form expected here")
        return {key: self.child(key, value) for key, value in self.value.items()}

    def items(self, most: int) -> list[Node]:
        """A list."""
        if not isinstance(self.value, list):
            self.fault("expected a list")
        if len(self.value) > most:
            self.fault(f"more than {most:,} entries")
        return [self.child(number, value) for number, value in enumerate(self.value)]

    def integers(self, low: int, high: int, least: int, most: int, hint: str = "") -> tuple[int, ...]:
        """A list of at least `least` and at most `most` integers from `low` to `high`."""
        values = self._whole(least, most)
        if values and (min(values) < low or max(values) > high):
            for number, value in enumerate(values):
                self.child(number, value).integer(low, high, hint)
        return tuple(values)

    def steps(self, most: int) -> tuple[int, ...]:
        """Pairs of integers of any size, two pairs or more, `most` integers at most."""
        values = self._whole(4, most)
        if len(values) % 2:
            self.fault("an odd number of integers: x and y come in pairs")
        return tuple(values)

    def _whole(self, least: int, most: int) -> list[int]:
        if not isinstance(self.value, list):
            self.fault("expected a list of integers")
        if not least <= len(self.value) <= most:
            self.fault(f"{least:,} to {most:,} integers are expected here" if least < most else f"not {most} integers")
        if not _INTEGERS.issuperset(map(type, self.value)):
            wrong = next(number for number, value in enumerate(self.value) if type(value) is not int)
            self.child(wrong, None).fault("expected an integer")
        return self.value

    def integer(self, low: int, high: int, hint: str = "") -> int:
        """An integer from `low` to `high`."""
        if type(self.value) is not int or not low <= self.value <= high:
            self.fault(f"expected an integer from {low:,} to {high:,}", hint)
        return self.value

    def number(self, above: float, high: float) -> float:
        """A number greater than `above`, at most `high`."""
        if type(self.value) not in (int, float) or not above < self.value <= high:  # type: ignore[operator]
            self.fault(f"expected a number from {above:,} to {high:,}")
        return float(self.value)  # type: ignore[arg-type]

    def text(self, longest: int, pattern: re.Pattern[str] | None = None) -> str:
        """A text without control characters, no longer than this, that matches."""
        if not isinstance(self.value, str):
            self.fault("expected a text")
        if len(self.value) > longest:
            self.fault(f"longer than {longest} characters")
        if not self.value.isprintable():
            self.fault("control characters and invisible marks are not allowed")
        if pattern and not pattern.match(self.value):
            self.fault(f"this is not of the form expected here, {self.value[:40]!r}")
        return self.value

    def choice(self, options: Collection[str]) -> str:
        """One of these words."""
        word = self.text(40)
        if word not in options:
            self.fault(f"not one of {', '.join(repr(o) for o in options)}", nearest(word, options))
        return word
