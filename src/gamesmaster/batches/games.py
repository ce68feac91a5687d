"""Whole games by machine code, with random legal orders or with players, thousands at once.

Unless `seats` name players (see `Batch`), every unit gets one of its legal orders, every dislodged one a legal retreat
or none, every power all the builds or removals that are due, all equally likely. A game depends on the seats, the seed
and its number only, and each can be replayed as an ordinary `Game`, with every order and ruling.

>>> from gamesmaster.variant import find_variant
>>> standard = find_variant("standard")
>>> games = play_batch(standard, 100, seed=7, until=1903)
>>> games.centres.shape  # games, counts, powers
(100, 3, 7)
>>> again = game_of(standard, 41, seed=7, until=1903)
>>> [len(again.position.centres(power.name)) for power in standard.powers] == games.centres[41, -1].tolist()
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from gamesmaster.batches.batch import Batch
from gamesmaster.batches.group import key_of, phases_until
from gamesmaster.batches.state import DRAWN, PHASES, WINNER
from gamesmaster.engine.problem import fast
from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, rules_of
from gamesmaster.players import Tastes, last_year
from gamesmaster.rules import Rulebook
from gamesmaster.variant import Phase, Variant

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int16]

BLOCK, SMALL_BLOCK = 2000, 200
"""The most games played at a time by one thread: enough that calling a loop takes a small part of its time.

Where players think they are fewer, so that one hears every second or two how many games are done.
"""


@dataclass(frozen=True, eq=False)
class Games:
    """The results of games `first`, `first + 1`, ... under one seed.

    Arrays begin with an axis of games; `powers` are in the variant's order, and so is an axis of powers.  `counts` are
    the years in which owners were counted.

    * `winner`, shape (games,): the winner's number among the powers, from 1; 0 if the game was broken off, -1 if the
      survivors with most centres share it, -2 if all survivors do.
    * `centres`, shape (games, counts, powers): centres owned after each count; a game that has been won stays
      unchanged.
    * `counted`, shape (games,): the number of counts of a game.  `phases`, shape (games,): the number of phases played.
    * `fallen`, shape (games, powers): the number, from 1, of the turn of the calendar in which a power was eliminated;
      0 if it was not.
    """

    powers: tuple[str, ...]
    counts: tuple[int, ...]
    winner: Numbers
    centres: Numbers
    counted: Numbers
    phases: Numbers
    fallen: Numbers

    def __len__(self) -> int:
        return len(self.winner)

    @property
    def final(self) -> Numbers:
        """Centres at the end, shape (games, powers)."""
        last: Numbers = self.centres[:, -1]
        return last


def play_batch(
    variant: Variant,
    games: int | range,
    *,
    seed: int,
    until: int | None = None,
    threads: int = 1,
    seats: Sequence[str | Tastes] = (),
) -> Games:
    """Play that many games, or those of these numbers, each until it is won or the year `until` is complete.

    By default `MOST_TURNS` turns of the calendar are played. Memory for a game is a few hundred bytes of results,
    however long it lasts.

    Raises what `Batch` raises, and `GamesmasterError` for fewer than one thread or a year before the first count.
    """
    if threads < 1:
        raise GamesmasterError(f"games cannot be played on {threads} threads")
    last = last_year(variant, until)
    most = BLOCK if {"random", "holder"}.issuperset(seats) else SMALL_BLOCK
    numbers = games if isinstance(games, range) else range(games)
    if numbers.step != 1:
        raise GamesmasterError("the games of a batch have consecutive numbers")
    size = min(most, max(1, -(-len(numbers) // threads)))
    blocks = [numbers[done : done + size] for done in range(0, max(len(numbers), 1), size)]

    def play(block: range) -> Games:
        return _block(Batch(variant, len(block), seed=seed, first=block.start, seats=seats), last)

    with ThreadPoolExecutor(threads) as pool:
        played = list(pool.map(play, blocks))
    numpy = fast("numpy")
    arrays = [field.name for field in fields(Games)][2:]
    joined = {name: numpy.concatenate([getattr(block, name) for block in played]) for name in arrays}
    return Games(played[0].powers, played[0].counts, **joined)


def _block(batch: Batch, last: int) -> Games:
    numpy, variant, games = fast("numpy"), batch.variant, len(batch)
    phases = list(phases_until(variant, last))
    counts = [phase.year for phase in phases if variant.calendar.counts(phase)]
    if not counts:
        raise GamesmasterError(f"nothing is counted before {last}", where=variant.id)
    centres = numpy.zeros((games, len(counts), len(variant.powers)), numpy.int16)
    counted = numpy.zeros(games, numpy.int16)
    count = 0
    for phase in phases:
        going_on = batch.games.tally[:, WINNER] == 0
        batch.draw()
        batch.carry_out()
        if variant.calendar.counts(phase):
            centres[:, count] = batch.games.powers.centres[:, 1:]
            counted += going_on
            count += 1
    tally = batch.games.tally
    return Games(
        powers=tuple(power.name for power in variant.powers),
        counts=tuple(counts),
        winner=tally[:, WINNER].copy(),
        centres=centres,
        counted=counted,
        phases=tally[:, PHASES].copy(),
        fallen=batch.games.powers.fallen[:, 1:].copy(),
    )


def orders_of(
    variant: Variant,
    number: int,
    *,
    seed: int,
    until: int | None = None,
    seats: Sequence[str | Tastes] = (),
    key: bytes | None = None,
) -> Iterator[tuple[Phase, dict[str, list[str]]]]:
    """Yield every phase that was played in the game of this number, with its orders, as texts by power.

    `key` is the seed of its dice, by default one made from `seed` and the number.
    """
    keys = (lambda _: key) if key else None
    yield from _phases_of(Batch(variant, 1, seed=seed, first=number, seats=seats, keys=keys), until)


def _phases_of(batch: Batch, until: int | None) -> Iterator[tuple[Phase, dict[str, list[str]]]]:
    """Play the one game of a batch, and yield what `orders_of` yields."""
    variant = batch.variant
    notation = rules_of(variant, Rulebook.of(variant.rulebook)).notation
    for phase in phases_until(variant, last_year(variant, until)):
        if batch.over:
            return
        batch.draw()
        if batch.is_played(0):
            yield phase, {power: list(map(notation.write, given)) for power, given in batch.orders(0).items() if given}
        batch.carry_out()


def game_of(
    variant: Variant,
    number: int,
    *,
    seed: int,
    until: int | None = None,
    seats: Sequence[str | Tastes] = (),
    key: bytes | None = None,
) -> Game:
    """Return the game of this number as an ordinary game with records, adjudicated again from its orders.

    `key` is the seed of the game and its dice, by default one made from `seed` and the number.
    """
    key = key or key_of(seed, number)
    game = Game.start(variant, seed=key)
    batch = Batch(variant, 1, seed=seed, first=number, seats=seats, keys=lambda _: key)
    for phase, orders in _phases_of(batch, until):
        for power, texts in orders.items():
            game = game.submit(power, texts, phase=phase.code)
        game = game.process()
    for power in game.survivors if batch.games.tally[0, WINNER] == DRAWN else ():
        game = game.vote_draw(power)
    return game
