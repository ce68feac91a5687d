"""What people send: letters and sheets in any dialect of the hobby, read into orders.

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.reading.layout import forwards, text_of
    from gamesmaster.reading.reader import Sent, adjudicate, read
    from gamesmaster.reading.sheet import LONGEST_SHEET, OrderSheet, Purpose, Section, SheetLine
    from gamesmaster.reading.situation import Situation

__all__ = [
    "LONGEST_SHEET",
    "OrderSheet",
    "Purpose",
    "Section",
    "Sent",
    "SheetLine",
    "Situation",
    "adjudicate",
    "forwards",
    "read",
    "text_of",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
