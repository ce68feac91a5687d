"""Making boards: anchors on a real coastline become provinces, shapes and borders.

Needs the extra `atlas`; a board that is made needs nothing of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.atlas.build import STEPS as STEPS
from gamesmaster.atlas.build import Built as Built
from gamesmaster.atlas.build import build as build
from gamesmaster.atlas.folder import Folder as Folder
from gamesmaster.atlas.folder import read_folder as read_folder
from gamesmaster.atlas.layout import NARROW as NARROW
from gamesmaster.atlas.layout import WIDE as WIDE
from gamesmaster.atlas.layout import Placing as Placing
from gamesmaster.atlas.layout import Sizes as Sizes
from gamesmaster.atlas.layout import lay_out as lay_out
from gamesmaster.lazy import loaders

if TYPE_CHECKING:  # its libraries take long to import
    from gamesmaster.atlas.diagram import draw_diagram as draw_diagram

__getattr__, __dir__, __all__ = loaders(__name__, __file__)
