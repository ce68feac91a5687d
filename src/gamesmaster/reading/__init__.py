"""What people send: letters and sheets in any dialect of the hobby, read into orders.

Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.reading.layout import forwards as forwards
    from gamesmaster.reading.layout import text_of as text_of
    from gamesmaster.reading.reader import Sent as Sent
    from gamesmaster.reading.reader import adjudicate as adjudicate
    from gamesmaster.reading.reader import read as read
    from gamesmaster.reading.sheet import LONGEST_SHEET as LONGEST_SHEET
    from gamesmaster.reading.sheet import OrderSheet as OrderSheet
    from gamesmaster.reading.sheet import Purpose as Purpose
    from gamesmaster.reading.sheet import Section as Section
    from gamesmaster.reading.sheet import SheetLine as SheetLine
    from gamesmaster.reading.situation import Situation as Situation

__getattr__, __dir__, __all__ = loaders(__name__, __file__)
