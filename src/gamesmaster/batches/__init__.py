"""Many games of one variant in lock step, over flat tables, by machine code (extra `fast`).

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.batches.batch import Batch as Batch
    from gamesmaster.batches.bulk import Adjudications as Adjudications
    from gamesmaster.batches.bulk import adjudicate_many as adjudicate_many
    from gamesmaster.batches.choices import Choices as Choices
    from gamesmaster.batches.games import Games as Games
    from gamesmaster.batches.games import game_of as game_of
    from gamesmaster.batches.games import orders_of as orders_of
    from gamesmaster.batches.games import play_batch as play_batch
    from gamesmaster.batches.heuristic.players import Turning as Turning
    from gamesmaster.batches.support import Support as Support
    from gamesmaster.batches.support import supports as supports

__getattr__, __dir__, __all__ = loaders(__name__, __file__)
