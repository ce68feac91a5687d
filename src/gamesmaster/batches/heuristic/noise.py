"""The whims of batches for ordinary players: with these a player at the table plays as it does in a batch."""

from __future__ import annotations

from collections.abc import MutableSequence
from random import Random
from typing import Any

from gamesmaster.batches.chance import part, shuffle


class Whims(Random):
    """Chance that begins with draw number `draw` of the game of that `number` under a seed, and goes on from there.

    Of what `Random` can do, only what the heuristic player asks for comes out as in batches: `random` and `shuffle`.
    """

    def __new__(cls, *_: int) -> Whims:
        """`Random` itself would take these for its seed."""
        return super().__new__(cls)

    def __init__(self, seed: int, number: int, draw: int) -> None:
        super().__init__(0)
        self._seed, self._number, self._draw = seed, number, draw

    def random(self) -> float:
        """A number from 0 to 1, which it never is."""
        self._draw += 1
        return part(self._seed, self._number, self._draw - 1)

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Put a list into an order drawn by lot, all equally likely."""
        self._draw = shuffle(x, len(x), self._seed, self._number, self._draw)
