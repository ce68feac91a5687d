"""Placing the things of one province together: a beam search over the places where each fits.

Things come one after another, and the best few ways to place those that came (`Beam`) are carried on, all compared at
once.  Costs are sums of plain numbers, rounded before they are compared, so that the same province is always filled in
the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from gamesmaster.atlas.layout.grid import GAP, Bools, Fits, Floats, Ints, Rect, hull

Kind = Literal["coast", "label", "grid", "first", "more", "centre", "second", "extra"]

BEAM = 10  # ways carried on
CHILDREN = 3  # the most from one
OVERLAP = 1 / 3  # of a second unit's side that may reach into the first


class Item:
    """A thing to be placed, and everywhere it may go.  `cost` is what each place costs by itself."""

    def __init__(self, kind: Kind, rects: Sequence[Rect], fits: Fits, cost: Floats, name: str = "") -> None:
        self.kind, self.name = kind, name
        self.columns, self.rows, self.cost = fits.columns, fits.rows, cost
        shift = np.stack([fits.columns, fits.rows, fits.columns, fits.rows], axis=1)
        self.boxes: Ints = np.asarray(rects, dtype=np.int32)[None] + shift[:, None]
        self.hulls: Ints = np.asarray(hull(rects), dtype=np.int32)[None] + shift


@dataclass(frozen=True, slots=True)
class Measures:
    """By what distances are judged: side of a unit's square, the province's middle and its size, all in cells."""

    unit: float
    middle: tuple[float, float]
    scale: float


@dataclass(frozen=True, slots=True)
class Beam:
    """Ways to place the things that came, the best first.

    `picks` [way, thing] is the number of the thing's place; `boxes` [way, rectangle, 4] are all their rectangles.
    """

    cost: Floats
    picks: Ints
    boxes: Ints


def solve(items: Sequence[Item], measures: Measures) -> Beam | None:
    """Return the best placements of all items, best first, or None if they cannot all be placed."""
    beam = Beam(np.zeros(1), np.zeros((1, 0), dtype=np.int32), np.zeros((1, 0, 4), dtype=np.int32))
    for number in range(len(items)):
        found = _step(beam, items, number, measures)
        if found is None:
            return None
        beam = found
    return beam


def _step(beam: Beam, items: Sequence[Item], number: int, measures: Measures) -> Beam | None:
    item = items[number]
    width, children = ((10**6, 10**6), (2 * BEAM, CHILDREN), (BEAM, CHILDREN))[min(number, 2)]
    hulls: dict[Kind, Ints] = {other.kind: other.hulls[beam.picks[:, n]] for n, other in enumerate(items[:number])}
    clear = _clear(item, beam, hulls)
    if not clear.any():
        return None
    cost = np.round(beam.cost[:, None] + item.cost[None] + _relation(item, hulls, measures), 6)
    cost[~clear] = np.inf
    ways, places, costs = _least(cost, min(children, cost.shape[1]))
    order = np.argsort(costs, kind="stable")[:width]
    order = order[np.isfinite(costs[order])]
    ways, places = ways[order], places[order]
    return Beam(
        costs[order],
        np.concatenate([beam.picks[ways], places[:, None]], axis=1),
        np.concatenate([beam.boxes[ways], item.boxes[places]], axis=1),
    )


def least(cost: Floats, count: int) -> npt.NDArray[np.intp]:
    """Return the places of the `count` least costs, the first of equals first."""
    some = (
        np.flatnonzero(cost <= np.partition(cost, count - 1)[count - 1]) if count < len(cost) else np.arange(len(cost))
    )
    return some[np.argsort(cost[some], kind="stable")][:count]


def _least(cost: Floats, count: int) -> tuple[Ints, Ints, Floats]:
    """Return the ways, places and costs of the `count` least costs of each way, the first of equals first."""
    if len(cost) == 1:
        places = least(cost[0], count).astype(np.int32)
        return np.zeros_like(places), places, cost[0, places]
    ways, found, costs = np.arange(len(cost), dtype=np.int32), [], []
    for _ in range(count):
        found.append(cost.argmin(axis=1).astype(np.int32))
        costs.append(cost[ways, found[-1]])
        cost[ways, found[-1]] = np.inf
    return np.repeat(ways, count), np.stack(found, axis=1).ravel(), np.stack(costs, axis=1).ravel()


def _clear(item: Item, beam: Beam, hulls: dict[Kind, Ints]) -> Bools:
    """Return, as [way, place], whether the item is clear there of the things placed.

    A second unit may cover an edge of the first.
    """
    placed = beam.boxes
    good = np.ones((len(beam.cost), len(item.rows)), dtype=np.bool_)
    if item.kind == "second" and "first" in hulls:
        first = hulls["first"]
        placed = np.where((placed == first[:, None]).all(axis=2)[..., None], -(10**6), placed)
        own = item.hulls
        side = int(min(own[0, 2] - own[0, 0], first[0, 2] - first[0, 0]))
        good = -_depth(own, first) <= int(side * OVERLAP)
    if placed.shape[1]:
        for k in range(item.boxes.shape[1]):
            apart = _depth(item.boxes[:, k], placed.reshape(-1, 4)) >= GAP
            good &= apart.reshape(len(placed), placed.shape[1], -1).all(axis=1)
    return good


# -- how well things lie together ------------------------------------------------------------------------------------


def _relation(item: Item, hulls: dict[Kind, Ints], measures: Measures) -> Floats | float:
    """Return the cost of an item by its distance from the things that it belongs to, as [way, place]."""
    own, unit = item.hulls, measures.unit
    label, first = hulls.get("label"), hulls.get("first", hulls.get("grid"))
    if item.kind in ("first", "grid"):
        off = _off(own, label, measures.middle) / measures.scale
        return off if label is None else 0.9 * off + 0.5 * (_apart(own, label) + _skew(own, label)) / unit
    if item.kind == "centre" and (near := [other for other in (label, first) if other is not None]):
        gaps = [_apart(own, other) + 0.6 * _skew(own, other) for other in near]
        return np.asarray(0.4 * np.minimum.reduce(gaps) / unit)
    if item.kind == "second" and first is not None:
        covered = np.maximum(-_depth(own, first), 0)
        return np.asarray((0.5 * _apart(own, first) + 0.7 * covered + 0.15 * _skew(own, first)) / unit)
    if item.kind in ("extra", "more") and first is not None:
        return np.asarray((0.3 * _apart(own, first) + 0.1 * _skew(own, first)) / unit)
    return 0.0


def _off(own: Ints, label: Ints | None, middle: tuple[float, float]) -> Floats:
    """Return the distance from the middle of the rectangle around both, as [way, place]."""
    if label is None:
        x, y = (own[:, 0] + own[:, 2])[None], (own[:, 1] + own[:, 3])[None]
    else:
        x = np.minimum(own[:, 0], label[:, 0, None]) + np.maximum(own[:, 2], label[:, 2, None])
        y = np.minimum(own[:, 1], label[:, 1, None]) + np.maximum(own[:, 3], label[:, 3, None])
    return np.hypot(x / 2 - middle[0], y / 2 - middle[1])


def _depth(a: Ints, b: Ints) -> Ints:
    """Return the gap between `a` [place, 4] and `b` [way, 4] as [way, place]; negative if they overlap."""
    across = np.maximum(b[:, 0, None] - a[:, 2], a[:, 0] - b[:, 2, None])
    down = np.maximum(b[:, 1, None] - a[:, 3], a[:, 1] - b[:, 3, None])
    deep: Ints = np.maximum(across, down)
    return deep


def _apart(a: Ints, b: Ints) -> Floats:
    """Return the distance between both, 0 if they touch, as [way, place]."""
    return np.maximum(_depth(a, b), 0) + 0.0


def _skew(a: Ints, b: Ints) -> Floats:
    """Return how far their middles are from sharing a row or a column, as [way, place]."""
    across = np.abs((a[:, 0] + a[:, 2]) - (b[:, 0] + b[:, 2])[:, None])
    down = np.abs((a[:, 1] + a[:, 3]) - (b[:, 1] + b[:, 3])[:, None])
    return np.minimum(across, down) / 2
