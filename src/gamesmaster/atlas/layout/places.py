"""The layout of a map: places for the units, marks and names of every province, so that nothing covers anything else.

Each province is filled by itself first, as handsomely as it allows.  The ones that are too small for that lean over
their borders or have their code outside, joined by a line; they are served first, the ample ones around them last.
Where that leaves somebody short, neighbours are taken up and laid down again in another order, for a bounded number of
rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.layout.field import REACH, Field
from gamesmaster.atlas.layout.fill import Filler, Filling, fill_name
from gamesmaster.atlas.layout.grid import Ground, Rect
from gamesmaster.atlas.layout.measure import Shortfall, shortfalls
from gamesmaster.atlas.layout.outside import with_code
from gamesmaster.atlas.layout.plan import last_resorts, plans
from gamesmaster.atlas.layout.search import Search
from gamesmaster.atlas.layout.sizes import NARROW, WIDE, Placing, Sizes
from gamesmaster.pictures import Place
from gamesmaster.pictures.shapes.values import NOWHERE

__all__ = ["NARROW", "WIDE", "Placing", "Shortfall", "Sizes", "lay_out", "shortfalls"]


ROUNDS = 2  # of repair
HURT = 0.75  # a province that pays so much more than it would alone is seen to
SEEN_TO = 20  # of them in a round, the worst off first
NEAR = 12  # cells about a province in which things may be in its way
MOST_LIFTED = 5  # neighbours laid anew for one province
EMPTY = Filling(200.0, NOWHERE, ())


def lay_out(
    places: Mapping[str, Placing],
    frame: tuple[int, int],
    sizes: Sizes,
    *,
    obstacles: Iterable[BaseGeometry] = (),
) -> tuple[dict[str, Place], list[Shortfall]]:
    """A place for every province, by its id, in the order of `places`; and what could not be had.

    `frame` is the page's width and height; nothing is placed outside it or on `obstacles` (drawn links and the like).
    The same provinces get the same places, in whatever order they come.
    """
    table = _Table(places, frame, sizes, obstacles)
    table.serve()
    for _ in range(ROUNDS):
        if not table.repair():
            break
    table.name_rest()
    laid = {key: table.fillings[table.number[key]].place for key in places}
    return laid, shortfalls(places, laid, frame, sizes)


class _Table:
    """The page being laid.  Provinces are numbered in the order of their ids."""

    def __init__(
        self, places: Mapping[str, Placing], frame: tuple[int, int], sizes: Sizes, obstacles: Iterable[BaseGeometry]
    ) -> None:
        self.keys = sorted(places)
        self.number = {key: n for n, key in enumerate(self.keys)}
        self.placings = [places[key] for key in self.keys]
        self.sizes = sizes
        land = [p.playable and not p.water for p in self.placings]
        self.ground = Ground([p.shape for p in self.placings], land, frame)
        for obstacle in obstacles:
            self.ground.bar(obstacle)
        self.windows = [self.ground.window(p.shape.bounds, REACH) for p in self.placings]
        self.players = [n for n, p in enumerate(self.placings) if p.playable]
        self.fillings = [EMPTY] * len(self.keys)
        self.alone = list(self.fillings)
        self.searches: dict[int, Search] = {}
        self.hopeless: set[tuple[int, float]] = set()

    def serve(self) -> None:
        """Fill every province in play, the hardest first."""
        for number in self.players:
            self.alone[number] = self._best(number)
        for number in self._hardest(self.players):
            alone = self.alone[number]
            self._put(number, alone if self._clear(alone.rects) else self._best(number))

    def repair(self) -> bool:
        """See once to the provinces that are worse off than they would be alone; was anything bettered?"""
        hurt = [(n, round(self.fillings[n].cost - self.alone[n].cost, 6)) for n in self.players]
        seen_to = sorted((-pain, self.keys[n], n) for n, pain in hurt if pain > HURT and (n, pain) not in self.hopeless)
        bettered = False
        for pain, _, number in seen_to[:SEEN_TO]:
            if self._relay(number):
                bettered = True
            else:
                self.hopeless.add((number, -pain))
        return bettered

    def name_rest(self) -> None:
        """Write the names of what is out of play where they fit."""
        for number, placing in enumerate(self.placings):
            if not placing.playable:
                filling = fill_name(placing, self.sizes, Field(self.ground, number, self.windows[number]))
                self._put(number, filling or EMPTY)

    # -- one province and its neighbours -----------------------------------------------------------------------------

    def _best(self, number: int) -> Filling:
        """The best filling of a province on the ground as it is now."""
        placing, sizes, ground = self.placings[number], self.sizes, self.ground
        field = Field(ground, number, self.windows[number])
        if number not in self.searches:
            self.searches[number] = Search(
                [*plans(placing, sizes, field), *last_resorts(placing, sizes)], sizes.room_least
            )
        found = self.searches[number].fillings(
            Filler(placing, sizes, field).fill,
            lambda filling: with_code(placing, sizes, ground, number, filling),
        )
        return next(found, EMPTY)

    def _relay(self, number: int) -> bool:
        """Take up a province and those in its way, lay it first, then them; keep that if it is better for them all."""
        neighbours = self._in_the_way(number)
        before = {n: self.fillings[n] for n in (number, *neighbours)}
        for n in before:
            self._put(n, EMPTY)
        for n in (number, *self._hardest(neighbours)):
            self._put(n, self._best(n))
        if sum(self.fillings[n].cost for n in before) < sum(f.cost for f in before.values()) - 0.1:
            return True
        for n in before:
            self._put(n, EMPTY)
        for n, filling in before.items():
            self._put(n, filling)
        return False

    def _in_the_way(self, number: int) -> list[int]:
        """Neighbours with things on a province or next to it, those with the most of them first."""
        top, left, bottom, right = self.ground.window(self.placings[number].shape.bounds, NEAR)
        near = []
        for other in self.players:
            reaching = sum(
                c0 < right and c1 > left and r0 < bottom and r1 > top for c0, r0, c1, r1 in self.fillings[other].rects
            )
            if reaching and other != number:
                near.append((-reaching, self.keys[other], other))
        return [other for _, _, other in sorted(near)[:MOST_LIFTED]]

    def _hardest(self, numbers: Iterable[int]) -> list[int]:
        return sorted(numbers, key=lambda n: (-self.alone[n].cost, self.keys[n]))

    def _put(self, number: int, filling: Filling) -> None:
        """Lay down what fills a province, in place of what lay there."""
        self.ground.put(self.fillings[number].rects, -1)
        self.ground.put(filling.rects)
        self.fillings[number] = filling

    def _clear(self, rects: Sequence[Rect]) -> bool:
        return not any(np.any(self.ground.taken[r0:r1, c0:c1]) for c0, r0, c1, r1 in rects)
