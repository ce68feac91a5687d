"""Many games of one variant in lock step, over flat tables, by machine code (extra `fast`).

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.batches.batch import Batch
    from gamesmaster.batches.bulk import Adjudications, adjudicate_many
    from gamesmaster.batches.choices import Choices
    from gamesmaster.batches.games import Games, game_of, orders_of, play_batch
    from gamesmaster.batches.heuristic.players import Turning
    from gamesmaster.batches.support import Support, supports

__all__ = [
    "Adjudications",
    "Batch",
    "Choices",
    "Games",
    "Support",
    "Turning",
    "adjudicate_many",
    "game_of",
    "orders_of",
    "play_batch",
    "supports",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
