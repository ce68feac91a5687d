"""Homes over columns: which homes powers may name, and which they may use.

The first number kept is how many Winters have been. Then each power has one slot for each home that it may ever name,
with the province, from 1 (0 for none yet), and the Winter. Behind the slots are the questions, by power: the number of
places that it may name, the number of the one that it names, and that province, from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gamesmaster.rules import OPENED, Standing


class Naming(NamedTuple):
    """The homes that powers may name."""

    terms: Sequence[int]  # the first Winter in which homes are open, and the Winters they wait
    first: Sequence[int]  # by power: its first slot, those of the next behind them
    replaces: Sequence[int]  # by power: 1 if its homes replace lost ones
    name: Sequence[int]  # by power and province: 1 if it may name it, as far as others have not
    home: Sequence[int]  # by power and province: 1 for its own home centres


def question(t: Naming, power: int) -> int:
    """Return the index in `kept` of a power's question."""
    return 1 + 2 * t.first[len(t.first) - 1] + power


def count_left(t: Naming, now: Standing, power: int) -> int:
    """Return how many homes a power may still name: one in the game, or one for each lost (CNW-8A.b1, CNW-I.b)."""
    first, last, named, lost = t.first[power], t.first[power + 1], 0, 0
    for slot in range(first, last):
        named += now.kept[1 + 2 * slot] > 0
    if not t.replaces[power]:
        return 1 if first < last and not named else 0
    size = len(now.lands.holder)
    for place in range(size):
        if t.home[power * size + place]:
            lost += now.lands.holder[place] != power
    return max(0, lost - named)


def is_nameable(t: Naming, now: Standing, power: int, place: int) -> bool:
    """Return whether a power with a home left to name may name this one."""
    if now.lands.holder[place] != power or not t.name[power * len(now.lands.holder) + place]:
        return False
    taken = 0
    for slot in range(t.first[len(t.first) - 1] if t.replaces[power] else 0):
        taken += now.kept[1 + 2 * slot] == place + 1
    return taken == 0


def is_usable(t: Naming, replaces: int, named: int, winters: int) -> bool:
    """Return whether a home that was named in one Winter is open in another (CNW-8A.b2)."""
    return replaces > 0 or winters >= max(t.terms[0], named + t.terms[1])


def ask(t: Naming, now: Standing) -> None:
    """Ask each power that may name a home, by how many places there are."""
    for power in range(1, len(now.powers.centres)):
        places = 0
        if count_left(t, now, power):
            for place in range(len(now.lands.holder)):
                places += is_nameable(t, now, power, place)
        now.kept[question(t, power)] = places


def settle(t: Naming, now: Standing) -> None:
    """Replace the number of a nameable place in `kept` by the place itself, counted from 1.

    The first place that a power may name has number 1, and 0 means that it names none.
    """
    for power in range(1, len(now.powers.centres)):
        number = now.kept[question(t, power)]
        now.kept[question(t, power)] = 0
        for place in range(len(now.lands.holder) if number else 0):
            number -= is_nameable(t, now, power, place)
            if not number:
                now.kept[question(t, power)] = place + 1
                break


def take_down(t: Naming, now: Standing) -> None:
    """Record the homes that powers name."""
    for power in range(1, len(now.powers.centres)):
        place = now.kept[question(t, power)]
        now.kept[question(t, power)] = 0
        for slot in range(t.first[power], t.first[power + 1]):
            if place and not now.kept[1 + 2 * slot]:
                now.kept[1 + 2 * slot], now.kept[2 + 2 * slot] = place, now.kept[0]
                place = 0


def open_homes(t: Naming, now: Standing) -> None:
    """Open the named homes that can be used by now."""
    for power in range(1, len(now.powers.centres)):
        for slot in range(t.first[power], t.first[power + 1]):
            place = now.kept[1 + 2 * slot] - 1
            if place >= 0 and is_usable(t, t.replaces[power], now.kept[2 + 2 * slot], now.kept[0]):
                now.lands.room[power * len(now.lands.holder) + place] |= OPENED


def count_winter(_: object, now: Standing) -> None:
    """Count another Winter."""
    now.kept[0] += 1
