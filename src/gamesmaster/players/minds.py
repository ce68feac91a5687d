"""The tastes that heuristic players go by, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gamesmaster.engine.heuristic.tables import Tastes

MINDS: Mapping[str, Tastes] = MappingProxyType({
    "dumbbot": Tastes(
        dumb=1, whim=0, now=(1000, 100, 30, 10, 6, 5, 4, 3, 2, 1), later=(100, 1000, 30, 10, 6, 5, 4, 3, 2, 1),
    ),
    "heuristic": Tastes(),
    "peaceful": Tastes(
        free=3.5, taking=1.3, leader=-0.3, peace=0.6, patience=0.8, keeping=5.0, tiring=10, whim=1.5, surely=0.5,
        now=(2.0, 0.18, 0.07, 0.025, 0.01), later=(0.8, 0.22, 0.08, 0.03, 0.01),
    ),
    "people": Tastes(
        free=3.5, taking=1.3, leader=-0.95, peace=0.2, keeping=5.0, daring=2.5, envy=1.3, helping=3.5, tiring=7,
        whim=1.7, surely=0.5,
        now=(2.0, 0.18, 0.07, 0.025, 0.01), later=(0.8, 0.22, 0.08, 0.03, 0.01),
    ),
})  # fmt: skip
"""Tastes by the names of their players, at the table and in batches."""
