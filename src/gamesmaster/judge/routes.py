"""Chains of convoying waters: is there one, and is a given water part of one?

`shores[w]` is everything a convoy in water `w` touches; a chain leads from shore `a` over waters of `group` to shore
`b`.
Paths are never enumerated: each question is a few breadth-first searches, or a search with a budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

BUDGET = 150
"""Steps spent on proving a fleet superfluous; past it the fleet counts as needed."""

Shores = Sequence[Set[int]]


def joined(shores: Shores, group: Set[int], a: int, b: int) -> bool:
    """Is there a chain at all?"""
    return any(b in shores[w] for w in spread(shores, group, (w for w in group if a in shores[w])))


def spread(shores: Shores, group: Set[int], start: Iterable[int]) -> dict[int, int]:
    """Waters of `group` reachable from `start`, with their distance in steps."""
    ring = list(start)
    found = dict.fromkeys(ring, 0)
    while ring:
        ahead = []
        for here in ring:
            for w in shores[here] & group:
                if w not in found:
                    found[w] = found[here] + 1
                    ahead.append(w)
        ring = ahead
    return found


def on_simple_path(shores: Shores, group: Set[int], a: int, b: int, water: int) -> bool:
    """Is `water` on some chain without repetition (STD-4.i, 1971)?

    It is unless a single other water stands between it and both shores, or between it and one of them (Menger).
    """
    if not (reaches(shores, group, water, {a}) and reaches(shores, group, water, {b})):
        return False
    return all(reaches(shores, group - {other}, water, {a, b}) for other in group if other != water)


def reaches(shores: Shores, group: Set[int], water: int, goals: Set[int]) -> bool:
    """Does any chain within `group` lead from `water` to one of `goals`?"""
    return any(not goals.isdisjoint(shores[w]) for w in spread(shores, group, (water,)))


def on_minimal_path(shores: Shores, group: Set[int], a: int, b: int, water: int) -> bool:
    """Is `water` on some chain that would break without it: one without short cuts (DATC 6.G.19)?"""
    from_a = spread(shores, group, (w for w in group if a in shores[w]))
    from_b = spread(shores, group, (w for w in group if b in shores[w]))
    if water not in from_a or water not in from_b:
        return False
    shortest = min(from_a[w] for w in from_a if b in shores[w])
    if from_a[water] + from_b[water] == shortest:
        return True
    return _search(shores, group, a, b, water)


def _search(shores: Shores, group: Set[int], a: int, b: int, water: int) -> bool:
    """Look for a chain without short cuts through `water`, starting from shore `a`; give up after `BUDGET` steps."""
    near_a = {w for w in group if a in shores[w]}
    stack: list[tuple[tuple[int, ...], frozenset[int]]] = [((w,), frozenset(near_a - {w})) for w in sorted(near_a)]
    for _ in range(BUDGET):
        if not stack:
            return False
        path, barred = stack.pop()
        here = path[-1]
        if b in shores[here]:
            if water in path:
                return True
            continue
        ahead = (shores[here] & group) - barred - set(path)
        stack.extend(((*path, w), barred | (ahead - {w})) for w in sorted(ahead))
    return True
