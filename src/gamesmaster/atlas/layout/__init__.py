"""Layouts: where units, marks and names are drawn, so that nothing covers anything else."""

from gamesmaster.atlas.layout.measure import Shortfall, shortfalls
from gamesmaster.atlas.layout.places import lay_out
from gamesmaster.atlas.layout.text import NARROW, WIDE, Placing, Sizes

__all__ = ["NARROW", "WIDE", "Placing", "Shortfall", "Sizes", "lay_out", "shortfalls"]
