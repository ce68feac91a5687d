"""Copied and pickled batches: independent of the first, with the same future, in this process and in another."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from typing import Any

import pytest

from gamesmaster.batches import Turning
from gamesmaster.batches.batch import Batch
from gamesmaster.engine.groups import each_column
from gamesmaster.engine.machine import Laid, laid
from gamesmaster.orders import PhaseKind
from gamesmaster.variant import find_variant
from tests.lengths import mark_long, short_and_long
from tests.open_variants import open_variants

PHASES = 11
"""Two years of all variants, and some more of those whose turns are short."""


def pickled(batch: Batch) -> Batch:
    """The batch, by way of a pickle."""
    again: Batch = pickle.loads(pickle.dumps(batch))
    return again


COPIES: dict[str, Callable[[Batch], Batch]] = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": pickled}


def columns(batch: Batch) -> list[bytes]:
    """All that the games hold, and where they stand."""
    return [batch.phase.code.encode(), *(column.tobytes() for column in each_column(batch.games))]


def play_on(batch: Batch, phases: int = PHASES) -> list[bytes]:
    """What all columns hold after so many phases."""
    for _ in range(phases):
        batch.draw()
        batch.carry_out()
    return columns(batch)


def hold_on(batch: Batch, phases: int = 3) -> None:
    """Play some phases in which nobody moves, so that all is otherwise than with orders that are drawn."""
    for _ in range(phases):
        batch.draw()
        if batch.phase.kind is PhaseKind.MOVEMENT:
            orders = batch.games.orders
            orders.verb[:] = orders.about[:] = orders.load[:] = orders.rider[:] = 0
            orders.to[:] = -1
        batch.carry_out()


def begun(name: str, player: str, phases: int) -> Batch:
    """Some games of a variant, after so many phases."""
    variant = find_variant(name)
    batch = Batch(variant, 4, seed=8, seats=Turning([player] * len(variant.powers)))
    play_on(batch, phases)
    return batch


PLAYED = [(name, player) for name in open_variants() for player in ("random", "heuristic")]
WATCHED = [("standard", "heuristic"), ("scottomacy", "random"), ("conquest2", "random"), ("1000ad", "heuristic")]


@pytest.mark.parametrize(("name", "player"), mark_long(PLAYED, but=WATCHED))
def test_a_copy_plays_on_by_itself(name: str, player: str) -> None:
    """Made in any phase, orders drawn or not, it comes to what the first comes to, and neither changes the other."""
    batch, copies = begun(name, player, 0), list[Batch]()
    for phase in range(PHASES):
        make, drawn = list(COPIES.values())[phase % len(COPIES)], phase % 2
        if drawn:
            batch.draw()
        other, apart, before = make(batch), make(batch), columns(batch)
        hold_on(apart)
        assert columns(batch) == columns(other) == before != columns(apart)
        copies.append(other)
        if not drawn:
            batch.draw()
        batch.carry_out()
    last = columns(batch)
    del batch
    gc.collect()
    for phase, other in enumerate(copies):
        if phase % 2:
            other.carry_out()
        assert play_on(other, PHASES - phase - phase % 2) == last, phase


def test_a_copy_knows_what_the_first_does() -> None:
    """Its games have the same numbers, dice, chance and positions."""
    batch = Batch(find_variant("indianomacy"), 3, seed=2, first=40, keys=key)
    play_on(batch, 5)
    for make in COPIES.values():
        other = make(batch)
        assert other.key(2) == batch.key(2) == b"42"
        assert other.chance(1, "Apache").random() == batch.chance(1, "Apache").random()
        assert other.position(1) == batch.position(1)
        assert (len(other), other.over, other.winners(0)) == (3, False, ())


def key(number: int) -> bytes:
    """The seed of a game's dice."""
    return b"%d" % number


@short_and_long("games", WATCHED, PLAYED)
def test_batches_play_on_in_another_process(games: Sequence[tuple[str, str]]) -> None:
    """One that has played none of them comes to the same."""
    batches = [begun(name, player, 4) for name, player in games]
    with get_context("spawn").Pool(1) as pool:
        there = pool.map(play_on, batches, chunksize=len(batches))
    assert there == [play_on(batch) for batch in batches]


def test_columns_laid_down_are_copied_with_their_arrays() -> None:
    """A copy of what machine code takes points to arrays of its own."""
    games = begun("standard", "random", 1).games
    first = laid(games)
    for other in (copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        at: Any = set(other.words.tolist())
        assert isinstance(other, Laid)
        assert at >= {column.ctypes.data for column in each_column(other.columns)}
        assert at.isdisjoint(column.ctypes.data for column in each_column(games))
