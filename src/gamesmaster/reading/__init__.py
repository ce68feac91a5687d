"""What people send: letters and sheets in any dialect of the hobby, read into orders."""

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
