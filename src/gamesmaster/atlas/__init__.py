"""Making boards: anchors on a real coastline become provinces, shapes and borders.

Needs the extra `atlas`; a board that is made needs nothing of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.atlas.build import STEPS, Built, build
from gamesmaster.atlas.folder import Folder, read_folder
from gamesmaster.atlas.layout import NARROW, WIDE, Placing, Sizes, lay_out
from gamesmaster.lazy import loaders

if TYPE_CHECKING:  # its libraries take long to import
    from gamesmaster.atlas.diagram import draw_diagram

__all__ = [
    "NARROW",
    "STEPS",
    "WIDE",
    "Built",
    "Folder",
    "Placing",
    "Sizes",
    "build",
    "draw_diagram",
    "lay_out",
    "read_folder",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
