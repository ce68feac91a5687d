"""Dictionaries in the order of time, where the package has them."""

from gamesmaster.compat.diplomacy.engine.sorted_dict import SortedDict

__all__ = ["SortedDict"]
