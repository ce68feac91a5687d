"""Layouts: where units, marks and names are drawn, so that nothing covers anything else."""

from gamesmaster.atlas.layout.measure import shortfalls
from gamesmaster.atlas.layout.places import lay_out, lay_out_all
from gamesmaster.atlas.layout.text import LAYOUTS, NARROW, WIDE, Placing, Sizes

__all__ = ["LAYOUTS", "NARROW", "WIDE", "Placing", "Sizes", "lay_out", "lay_out_all", "shortfalls"]
