"""Chains of convoying waters: is there one, and which waters are part of one?

`shores[w]` is everything a convoy in water `w` touches; a chain leads from shore `a` over waters of `group` to shore
`b`.
Each question is a few breadth-first searches, or a search with a budget: chains are never all listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

BUDGET = 150
"""Steps spent on looking for chains without short cuts; past it every fleet counts as part of one."""

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


def simple_waters(shores: Shores, group: Set[int], a: int, b: int) -> Set[int]:
    """The waters on some chain without repetition (STD-4.i, 1971).

    A water is on one unless a single other stands between it and both shores, or between it and one of them (Menger).
    """
    near_a, near_b = _near(shores, group, a), _near(shores, group, b)
    found = spread(shores, group, near_a).keys() & spread(shores, group, near_b).keys()
    for other in group:
        found &= {other} | spread(shores, group - {other}, (near_a | near_b) - {other}).keys()
    return found


def minimal_waters(shores: Shores, group: Set[int], a: int, b: int) -> Set[int]:
    """The waters on some chain that would break without them: one without short cuts (DATC 6.G.19).

    The search follows the chains from shore `a`; after `BUDGET` steps it gives up, and leaves out no water that is
    joined to both shores.
    """
    near_a = _near(shores, group, a)
    found: set[int] = set()
    stack: list[tuple[tuple[int, ...], frozenset[int]]] = [((w,), near_a - {w}) for w in sorted(near_a)]
    for _ in range(BUDGET):
        if not stack:
            return found
        path, barred = stack.pop()
        here = path[-1]
        if b in shores[here]:
            found.update(path)
            continue
        ahead = (shores[here] & group) - barred - set(path)
        stack.extend(((*path, w), barred | (ahead - {w})) for w in sorted(ahead))
    return spread(shores, group, near_a).keys() & spread(shores, group, _near(shores, group, b)).keys()


def _near(shores: Shores, group: Set[int], shore: int) -> frozenset[int]:
    return frozenset(w for w in group if shore in shores[w])
