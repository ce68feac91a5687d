"""Making boards: anchors on a real coastline become provinces, shapes and borders.

Needs the extra `atlas`; a board that is made needs nothing of it.
"""

from gamesmaster.atlas.build import STEPS, Built, build
from gamesmaster.atlas.folder import Folder, read_folder
from gamesmaster.atlas.layout import NARROW, WIDE, Placing, Shortfall, Sizes, lay_out

__all__ = [
    "NARROW",
    "STEPS",
    "WIDE",
    "Built",
    "Folder",
    "Placing",
    "Shortfall",
    "Sizes",
    "build",
    "lay_out",
    "read_folder",
]
