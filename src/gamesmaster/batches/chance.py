"""Chance for batches: every draw is a function of the seed, the game's number and the draw's, and of nothing else.

So a game comes out the same in whatever batch, slice or thread it is played.  The generator is Philox-2x32 with ten
rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; 2011).  Ordinary Python runs these
functions on its own integers, Numba on those of 64 bits: products that overflow there keep the bits that are used.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from random import Random
from typing import Any

MASK = 0xFFFFFFFF
MULTIPLIER, STRIDE = 0xD256D193, 0x9E3779B9
ROUNDS = 10
DEALT = 16
WORD = 2.0**-32


def philox(low: int, high: int, key: int) -> tuple[int, int]:
    """Return two random words of 32 bits for a counter of two words and a key of one."""
    for _ in range(ROUNDS):
        product = low * MULTIPLIER
        low, high = ((product >> 32) & MASK) ^ key ^ high, product & MASK
        key = (key + STRIDE) & MASK
    return low, high


def below(n: int, seed: int, number: int, draw: int) -> int:
    """Return a number from 0 to n - 1 for the draw and the game with these numbers.

    The probability of each value differs from 1 / n by at most n in 2**32 of it.
    """
    word, _ = philox(number, draw, seed)
    return share(word, n)


def share(word: int, n: int) -> int:
    """Return the number from 0 to n - 1 that a random word selects."""
    return (word * n) >> 32


def deal(words: Any, seed: int, number: int, draw: int) -> None:
    """Fill a list with the random words of this draw and those after it, in the game of that number.

    Machine code makes several at once, in the time that two or three would take one by one; `DEALT` are enough for half
    a game's units.
    """
    for i in range(len(words)):
        words[i], _ = philox(number, draw + i, seed)


def part(seed: int, number: int, draw: int) -> float:
    """Return a number from 0 to 1, which it never is, for the draw of this number in the game of that number."""
    word, _ = philox(number, draw, seed)
    return word * WORD


def shuffle(x: Any, n: int, seed: int, number: int, draw: int) -> int:
    """Shuffle the first n items of a list, all orders equally likely, and return the number of the next draw."""
    for i in range(n - 1, 0, -1):
        k = below(i + 1, seed, number, draw)
        draw += 1
        x[i], x[k] = x[k], x[i]
    return draw


class BatchRandom(Random):
    """The random numbers of a batch for a player at the table, who then plays as in the batch.

    They begin with draw number `draw` of the game of that `number` under a seed.

    Of what `Random` can do, only what the heuristic player asks for comes out as in batches: `random` and `shuffle`.
    """

    def __new__(cls, *_: int) -> BatchRandom:
        """Create the object without its arguments, which `Random` would take for a seed."""
        return super().__new__(cls)

    def __init__(self, seed: int, number: int, draw: int) -> None:
        super().__init__(0)
        self._seed, self._number, self._draw = seed, number, draw

    def random(self) -> float:
        """Return a number from 0 to 1, which it never is."""
        self._draw += 1
        return part(self._seed, self._number, self._draw - 1)

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle a list, all orders equally likely."""
        self._draw = shuffle(x, len(x), self._seed, self._number, self._draw)
