"""How near everything is to everything else, on one board, for each kind of unit: worked out once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from gamesmaster.board import FLEET, Board

LANDING = 0.1
"""What a landing by convoy counts for, next to a step."""

Ways = tuple[tuple[tuple[int, ...], ...], ...]
"""For each location (by number) and each province next to it: the locations there that a step leads to."""


class Chart:
    """The steps of one power's units on a board.

    `steps[kind]` are its steps, `landings[kind]` the shores within a convoy of one fleet, by location; `spread[kind]`
    is how many provinces are next to one, on the average.
    """

    def __init__(self, board: Board, power: str = "") -> None:
        self.board = board
        self.steps: dict[str, Ways] = {}
        self.landings: dict[str, tuple[tuple[int, ...], ...]] = {}
        self.spread: dict[str, float] = {}
        everywhere = range(len(board.locations))
        for kind in board.ways:
            steps = tuple(tuple(self._steps(power, kind, at)) for at in everywhere)
            landings = tuple(tuple(self._landings(kind, at)) for at in everywhere)
            ways = [len(near) + LANDING * len(far) for near, far in zip(steps, landings, strict=True) if near or far]
            self.steps[kind], self.landings[kind] = steps, landings
            self.spread[kind] = max(1.0, sum(ways) / max(1, len(ways)))

    def _steps(self, power: str, kind: str, at: int) -> Iterator[tuple[int, ...]]:
        board = self.board
        for ends in board.reach(kind, at).values():
            open_ = tuple(to for to in ends if not (board.restricted and board.barred(power, kind, at, to)))
            if open_:
                yield open_

    def _landings(self, kind: str, at: int) -> Iterator[int]:
        """Shores, other than those a step away, that one fleet could take a unit of land to."""
        board, here = self.board, self.board.place[at]
        if board.ways[kind] == board.ways.get(FLEET) or board.locations[at].coast or not board.provinces[here].land:
            return
        shores = {shore for water in board.waters[here] for shore in board.shores[water]}
        for shore in sorted(shores - {here} - board.reach(kind, at).keys()):
            if board.provinces[shore].land:
                yield board.locations_of(shore)[0]

    def rings(self, kind: str, worth: Sequence[float], weights: Sequence[float]) -> list[float]:
        """What each location is worth to a unit of this kind: by its own province, and by rings of provinces around.

        `worth` is by province, `weights` are those of the rings, its own first.  A ring is summed up over all ways
        that lead there, and made smaller by how many there are on the average: roads of all boards count alike.
        """
        place, steps, landings = self.board.place, self.steps[kind], self.landings[kind]
        share = 1 / self.spread[kind]
        ring = [worth[p] if steps[at] or landings[at] else 0.0 for at, p in enumerate(place)]
        total = [weights[0] * w for w in ring]
        for weight in weights[1:]:
            ring = [
                share
                * (
                    sum([ring[ends[0]] if len(ends) == 1 else max(ring[to] for to in ends) for ends in near])
                    + (LANDING * sum([ring[to] for to in far]) if far else 0.0)
                )
                for near, far in zip(steps, landings, strict=True)
            ]
            total = [t + weight * r for t, r in zip(total, ring, strict=True)]
        return total


@lru_cache(maxsize=64)
def chart_of(board: Board, power: str) -> Chart:
    """The chart of a board for a power; one for all powers where the board is open to everybody alike."""
    return Chart(board, power) if board.restricted and power else _open_chart(board)


@lru_cache(maxsize=64)
def _open_chart(board: Board) -> Chart:
    return Chart(board)
