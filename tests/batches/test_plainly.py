"""Batches in ordinary Python: the functions that are compiled, over arrays that take no index below 0.

Machine code does not ask whether an index is negative (`machine.to_code`); so none may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gamesmaster.batches import code, state
from gamesmaster.batches.batch import Batch
from gamesmaster.batches.code import Code
from gamesmaster.batches.mechanics import with_arrays
from gamesmaster.board import Position
from gamesmaster.engine.groups import map_columns
from gamesmaster.variant import find_variant
from tests.open_variants import open_variants

pytestmark = pytest.mark.together

PHASES = 14


class Counted(np.ndarray):
    """An array whose places are counted from 0 only, and which gives Python's own numbers."""

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(_from_0(at))
        return found.item() if isinstance(found, np.generic) else found

    def __setitem__(self, at: Any, value: Any) -> None:
        super().__setitem__(_from_0(at), value)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))


def _from_0(at: Any) -> Any:
    for index in at if isinstance(at, tuple) else (at,):
        assert not isinstance(index, int | np.integer) or index >= 0, f"index {index}"
    return at


def counted(columns: Any) -> Any:
    """Columns whose arrays are `Counted`."""
    return map_columns(lambda column: column.view(Counted) if isinstance(column, np.ndarray) else column, columns)


def positions(batch: Batch) -> list[Position]:
    """Where the games stand."""
    return [batch.position(i) for i in range(len(batch))]


@pytest.mark.parametrize("name", [*open_variants(), "1000ad[af_module=yes]"])
def test_no_index_is_negative(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games of each variant need no index below 0; of the regular one they are those of the machine code."""
    variant = find_variant(name)
    batch, compiled, reached = Batch(variant, 2, seed=5), Batch(variant, 2, seed=5), []
    for _ in range(PHASES if name == "standard" else 0):
        compiled.draw()
        compiled.carry_out()
        reached.append(positions(compiled))
    for borrow in ("held", "laid"):
        monkeypatch.setattr(code, borrow, lambda columns: columns)
    monkeypatch.setattr(code, "to_code", lambda loop, *_, **__: loop)
    monkeypatch.setattr(code, "loop_of", code.loop_of.__wrapped__)
    batch.parts = tuple(with_arrays(part, part.columns.table) for part in batch.parts)
    batch.code = Code(code.draw_all, code.carry_out_all, code.conclude_all)
    batch.games, batch.scratch = counted(batch.games), counted(batch.scratch)
    for played in range(PHASES):
        batch.tables = counted(batch.tables)
        batch.draw()
        batch.carry_out()
        assert not reached or positions(batch) == reached[played]
    assert min(game.tally[state.PHASES] for game in map(batch.game, range(2))) >= 2
