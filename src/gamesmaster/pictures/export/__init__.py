"""Pictures for everybody: SVG made into PNG, PDF, GIF, a page to look around in, and a whole game as a flip-book.

The libraries that do it are an extra, `pictures`; drawing SVG needs none of them.  All use the font files that come
with the extra and none of the system's, so that a picture is the same on every machine.
"""

from gamesmaster.pictures.export.animation import Leaf, flip_book, frames, leaves_of, to_gif
from gamesmaster.pictures.export.images import (
    LONGEST_SIDE,
    Paper,
    picture_size,
    picture_title,
    to_html,
    to_pdf,
    to_png,
)

__all__ = [
    "LONGEST_SIDE",
    "Leaf",
    "Paper",
    "flip_book",
    "frames",
    "leaves_of",
    "picture_size",
    "picture_title",
    "to_gif",
    "to_html",
    "to_pdf",
    "to_png",
]
