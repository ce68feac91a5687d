"""The linter for a variant's folder: every fault of its files, where reading them stops at the first.

What is at fault is noted and left out, and the rest is read again, until it makes a variant that the other linters can
look at, or nothing more can be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from gamesmaster.board.lint_finding import Finding, error
from gamesmaster.errors import BadBoard, BadFile, GamesmasterError, NotFound
from gamesmaster.variant.folders import variant_data
from gamesmaster.variant.lint import lint_variant
from gamesmaster.variant.model import Variant
from gamesmaster.variant.reading import variant_told

FILE = "variant.toml"
MOST_FAULTS = 200
MISSING = "this key is missing"

_STEP = re.compile(r'\.([A-Za-z0-9_-]+)|\[(\d+)\]|\["([^"]*)"\]')
_SPRING = {"season": "Spring", "kind": "movement"}, {"season": "Spring", "kind": "retreats", "count": True}
_STAND_INS: Mapping[str, Any] = {
    "format": 1,
    "id": "nameless",
    "name": "Nameless",
    "victory": {"centres": 1_000},
    "calendar": {"first_year": 1, "phases": [*_SPRING, {"season": "Winter", "kind": "adjustments"}]},
    "powers": [],
}
"""What is read in the place of a part that must be there and is missing, or is not what it should be as a whole."""

_FOLLOW: Mapping[str, Sequence[str]] = {
    "powers": ("unknown-power", "unknown-owner", "nothing-at-start", "no-powers", "one-power", "waits"),
    "victory": ("victory-out-of-reach", "shared-victory", "won-at-start", "beyond-reach", "never-counted"),
    "calendar": ("no-movement", "no-adjustments", "no-count", "no-retreats", "never-counted", "waits"),
}
"""Findings about the whole that may say no more than that a part of it was left out."""

Keys = tuple[str | int, ...]


def lint_folder(folder: Path) -> list[Finding]:
    """Everything wrong with the variant in a folder, errors first: its files, then what they say together.

    Raises `NotFound` if there is no `variant.toml`.
    """
    try:
        reading = _Reading(folder, variant_data(folder))
    except BadFile as fault:
        return [error("bad-file", fault.where, fault.what, fault.hint)]
    found = reading.found
    if variant := reading.variant():
        follow = {code for key in reading.gone for code in _FOLLOW.get(key, ())}
        found += [finding for finding in lint_variant(variant) if finding.code not in follow]
        if "id" not in reading.gone:
            found += _names(folder, variant)
    return sorted(found, key=lambda finding: finding.level)


def _names(folder: Path, variant: Variant) -> Iterator[Finding]:
    """A game is saved with the id of its variant, and looks for a folder of that name beside it."""
    called = folder.resolve().name
    if called != variant.family:
        text = f"the folder is called {called}, but games look for one called {variant.family}"
        yield error("id-and-folder", f"{folder / FILE}, id", text, "give both the same name")


class _Reading:
    """Reads what is told, leaving out what is wrong: `found` tells of it, `gone` has the outermost keys."""

    def __init__(self, folder: Path, told: Mapping[str, Any]) -> None:
        self.folder, self.told = folder, deepcopy(dict(told))
        self.found: list[Finding] = []
        self.gone: set[str] = set()
        self.places: set[str] = set()

    def variant(self) -> Variant | None:
        """What can be read of it; None if that makes no variant."""
        for _ in range(MOST_FAULTS):
            try:
                return variant_told(self.folder, self.told)
            except (BadBoard, NotFound) as fault:  # of the board's file: nothing here could mend it
                self.found.append(error("bad-board", fault.where, fault.what, fault.hint))
                return None
            except GamesmasterError as fault:
                keys = self.keys(fault.where)
                place = self.place(keys) if keys else fault.where
                if fault.what != MISSING or place not in self.places:  # else it is missed because it was left out
                    self.found.append(error("bad-file", place, fault.what, fault.hint))
                self.places.add(place)
                if not (keys and self.leave_out(keys)):
                    return None
        return None

    def keys(self, where: str) -> Keys:
        """The keys that the place in a complaint names; of a mechanic those of its table, since half of one is none."""
        tables = self.told.get("mechanics")
        named = [t.get("name") for t in tables if isinstance(t, dict)] if isinstance(tables, list) else []
        if where in named:
            return "mechanics", named.index(where)
        _, sign, told = where.rpartition(", $")
        steps = _STEP.findall(told) if sign else ()
        found: Keys = tuple(int(number) if number else name or quoted for name, number, quoted in steps)
        return found[:2] if found[:1] == ("mechanics",) else found

    def place(self, keys: Keys) -> str:
        """A place as a reader of the file finds it: tables by their names, not by their numbers."""
        words: list[str] = []
        node: Any = self.told
        for key in keys:
            try:
                node = node[key]
            except (KeyError, IndexError, TypeError):
                node = None
            if isinstance(node, dict) and isinstance(key, int):
                words.append(str(node.get("name") or node.get("season") or f"number {key + 1}"))
            elif isinstance(key, str):
                words.append(key)
        return f"{self.folder / FILE}, {' '.join(words)}"

    def leave_out(self, keys: Keys) -> bool:
        """Take away what stands at a place, or what cannot be without it; False if there is nothing to take."""
        *outer, last = keys
        node: Any = self.told
        for key in outer:
            node = node[key]
        self.gone.add(str(keys[0]))
        if not outer and last in _STAND_INS:
            before, node[last] = node.get(last), deepcopy(_STAND_INS[str(last)])
            return bool(before != node[last])
        if isinstance(node, dict) and last not in node:
            return bool(outer) and self.leave_out(tuple(outer))
        del node[last]
        return True
